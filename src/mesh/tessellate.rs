//! lyon's non-zero fill tessellator: resolves the overlaps of a glyph with itself.

use lyon::math::Point as LyonPoint;
use lyon::path::{Path, Polygon};
use lyon::tessellation::{
    FillGeometryBuilder, FillOptions, FillTessellator, FillVertex, GeometryBuilder, GeometryBuilderError, Orientation,
    TessellationError, VertexId,
};
use thiserror::Error;

use super::boundary::{BoundaryEdges, GlyphMesh};
use super::chords::fit;
use super::samples::contours;
use crate::catalogue::Outline;
use crate::geometry::Rect;
use crate::units::FontUnits;

/// Most vertices of a glyph: corners, ends of chords, and where contours cross. The heaviest glyph of the ninety fonts has
/// about 20,000 at the largest size. More than that come of contours that cross very often.
const MOST_VERTICES: usize = 1 << 16;

/// A glyph that could not be tessellated.
#[derive(Debug, Error)]
#[error("lyon could not tessellate the outline: {0}")]
pub struct MeshError(#[from] TessellationError);

/// Approximates the outline by chords within `tolerance`, and returns the boundary of their non-zero fill.
///
/// # Errors
/// When lyon fails, which it does only for coordinates that are not finite, or for more than 65,536 vertices.
pub fn tessellate(outline: &Outline, tolerance: FontUnits) -> Result<GlyphMesh, MeshError> {
    let Rect { min, max } = outline.ink;
    let [least, most] = [min, max].map(|corner| [corner.x.get(), corner.y.get()]);
    let polygons = contours(&outline.commands, tolerance).into_iter().map(|contour| fit(contour, least, most));
    Ok(fill(polygons.map(|corners| corners.into_iter().map(|[x, y]| [x as f32, y as f32])))?.into_mesh())
}

/// The edges of the triangles that fill the closed polygons by the non-zero rule.
///
/// Where corners lie close to an edge on the other side of the ink, lyon sometimes flips a triangle; a sweep in another
/// direction does not.
pub(super) fn fill<P: IntoIterator<Item = [f32; 2]>>(
    polygons: impl Iterator<Item = P>,
) -> Result<BoundaryEdges, MeshError> {
    let mut path = Path::builder();
    for polygon in polygons {
        let points: Vec<LyonPoint> = polygon.into_iter().map(LyonPoint::from).collect();
        path.add_polygon(Polygon { points: &points, closed: true });
    }
    let path = path.build();
    let mut edges = swept(&path, Orientation::Vertical)?;
    if edges.overlap() {
        let mut others = swept(&path, Orientation::Horizontal)?;
        if !others.overlap() {
            return Ok(others);
        }
    }
    Ok(edges)
}

/// The edges of the triangles from one sweep of lyon over the path.
fn swept(path: &Path, orientation: Orientation) -> Result<BoundaryEdges, MeshError> {
    let mut triangles = Triangles::default();
    let options = FillOptions::non_zero().with_sweep_orientation(orientation);
    FillTessellator::new().tessellate_path(path, &options, &mut triangles)?;
    Ok(triangles.edges)
}

/// Receives lyon's triangles and keeps their edges.
#[derive(Default)]
struct Triangles {
    vertices: Vec<[f32; 2]>,
    edges: BoundaryEdges,
}

impl GeometryBuilder for Triangles {
    fn add_triangle(&mut self, a: VertexId, b: VertexId, c: VertexId) {
        let corner = |id: VertexId| self.vertices.get(id.to_usize()).copied();
        if let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) {
            // lyon's y points down.
            self.edges.add_triangle(a, c, b);
        }
    }
}

impl FillGeometryBuilder for Triangles {
    fn add_fill_vertex(&mut self, vertex: FillVertex<'_>) -> Result<VertexId, GeometryBuilderError> {
        if self.vertices.len() == MOST_VERTICES {
            return Err(GeometryBuilderError::TooManyVertices);
        }
        self.vertices.push(vertex.position().to_array());
        Ok(VertexId::from_usize(self.vertices.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::OutlineCommand;
    use crate::geometry::Point;

    fn at(x: f64, y: f64) -> Point<FontUnits> {
        Point::new(FontUnits::new(x), FontUnits::new(y))
    }

    fn square(x: f64, y: f64, size: f64) -> Vec<OutlineCommand> {
        vec![
            OutlineCommand::MoveTo(at(x, y)),
            OutlineCommand::LineTo(at(x + size, y)),
            OutlineCommand::LineTo(at(x + size, y + size)),
            OutlineCommand::LineTo(at(x, y + size)),
            OutlineCommand::Close,
        ]
    }

    fn outline(commands: Vec<OutlineCommand>) -> Outline {
        Outline::new(commands).unwrap()
    }

    #[test]
    fn overlapping_contours_count_once() {
        let mut commands = square(0.0, 0.0, 100.0);
        commands.extend(square(50.0, 50.0, 100.0));
        let mesh = tessellate(&outline(commands), FontUnits::new(0.1)).unwrap();
        assert!((mesh.area() - 17_500.0).abs() < 1e-3, "{}", mesh.area());
    }

    #[test]
    fn a_hole_of_the_other_turn_stays_open() {
        let mut commands = square(0.0, 0.0, 100.0);
        let mut hole = square(25.0, 25.0, 50.0);
        hole[1..4].reverse();
        commands.extend(hole);
        let mesh = tessellate(&outline(commands), FontUnits::new(0.1)).unwrap();
        assert!((mesh.area() - 7_500.0).abs() < 1e-3, "{}", mesh.area());
    }

    #[test]
    fn a_mirrored_contour_has_the_same_turn_as_a_plain_one() {
        let mut mirrored = square(0.0, 0.0, 100.0);
        mirrored[1..4].reverse();
        let plain = tessellate(&outline(square(0.0, 0.0, 100.0)), FontUnits::new(0.1)).unwrap();
        let mirrored = tessellate(&outline(mirrored), FontUnits::new(0.1)).unwrap();
        assert!((plain.area() - mirrored.area()).abs() < 1e-3);
        assert!(plain.area() > 0.0);
    }

    #[test]
    fn a_circle_keeps_its_area_within_the_tolerance() {
        let k = 55.228_475;
        let circle = vec![
            OutlineCommand::MoveTo(at(100.0, 0.0)),
            OutlineCommand::CubicTo(at(100.0, k), at(k, 100.0), at(0.0, 100.0)),
            OutlineCommand::CubicTo(at(-k, 100.0), at(-100.0, k), at(-100.0, 0.0)),
            OutlineCommand::CubicTo(at(-100.0, -k), at(-k, -100.0), at(0.0, -100.0)),
            OutlineCommand::CubicTo(at(k, -100.0), at(100.0, -k), at(100.0, 0.0)),
            OutlineCommand::Close,
        ];
        let tolerance = 0.05;
        let mesh = tessellate(&outline(circle), FontUnits::new(tolerance)).unwrap();
        let exact = std::f64::consts::PI * 100.0 * 100.0;
        let rim = 2.0 * std::f64::consts::PI * 100.0 * tolerance;
        assert!(mesh.area() < exact + 10.0 && mesh.area() > exact - rim, "{} of {exact}", mesh.area());
    }

    #[test]
    fn an_outline_without_area_has_no_segments() {
        let line =
            vec![OutlineCommand::MoveTo(at(0.0, 0.0)), OutlineCommand::LineTo(at(10.0, 10.0)), OutlineCommand::Close];
        assert!(tessellate(&outline(line), FontUnits::new(0.1)).unwrap().segments.is_empty());
    }
}
