//! The part of a written word that a reader needs most: from its baseline to its x-height.

use super::grid::Axes;
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Rect, Size};
use crate::layout::PlacedWord;
use crate::units::{Degrees, Px};

/// Distance of samples, in px of a preview.
const SAMPLE_STEP: f64 = 10.0;
/// Fewest and most samples along a side of a zone.
const SAMPLES: (f64, f64) = (2.0, 60.0);

/// The zone between a word's baseline and its x-height.
#[derive(Clone, Debug)]
pub(super) struct WordZone {
    /// Points spread evenly over it: their distances from the centre of the page, along the rows of marks and across
    /// them.
    pub(super) points: Vec<[Px; 2]>,
    /// The area that each point stands for, in square px of a preview.
    pub(super) area_of_point: f64,
}

impl WordZone {
    /// The zone of a word on a page whose previews have `scale` px per px of the page. `None` if nothing is written.
    pub(super) fn of(word: &PlacedWord, scale: f64, axes: &Axes, catalogue: &FontCatalogue) -> Option<Self> {
        let first = word.glyphs.first()?;
        let face = catalogue.face(first.font);
        let height = face.x_height().to_px(first.em, face.units_per_em());
        let ink = word.glyphs.iter().map(|glyph| glyph.ink).reduce(Rect::union)?;
        let corner = Point::new(ink.min.x, first.origin.y);
        let size = Size { width: ink.width(), height };
        Some(Self::spread(corner, size, word.pivot, word.rotation, scale, axes))
    }

    /// A zone with this lower left corner and size, turned around `pivot`. All are of the page.
    pub(super) fn spread(
        corner: Point<Px>,
        size: Size<Px>,
        pivot: Point<Px>,
        rotation: Degrees,
        scale: f64,
        axes: &Axes,
    ) -> Self {
        let samples = |side: Px| (side.get() * scale / SAMPLE_STEP).ceil().clamp(SAMPLES.0, SAMPLES.1) as u32;
        let (columns, rows) = (samples(size.width), samples(size.height));
        let (sin, cos) = rotation.get().to_radians().sin_cos();
        let part = |index: u32, count: u32| (f64::from(index) + 0.5) / f64::from(count);
        let point = |row, column| {
            let x = corner.x + size.width * part(column, columns) - pivot.x;
            let y = corner.y - size.height * part(row, rows) - pivot.y;
            let turned = pivot + Point::new(x * cos - y * sin, x * sin + y * cos);
            axes.distances(Point::new(turned.x * scale, turned.y * scale))
        };
        let points = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let area = size.width.get() * size.height.get() * scale * scale;
        Self {
            points: points.map(|(row, column)| point(row, column)).collect(),
            area_of_point: area / (f64::from(columns) * f64::from(rows)),
        }
    }
}
