//! Positions of glyphs on the device: a word's rotation, and the affine map from font units to device px.

use super::ink_tiles::TileBox;
use super::records::Instance;
use crate::geometry::Point;
use crate::layout::{PlacedGlyph, PlacedWord};
use crate::raster::TILE;
use crate::units::{DeviceScale, Px};

/// Height of slices of a glyph in device px: half a tile. Thinner slices would hardly exclude more tiles.
const THINNEST_SLICE: f64 = 8.0;

/// A word's rotation about its pivot, from page px to device px.
#[derive(Clone, Copy, Debug)]
pub struct WordRotation {
    sin: f64,
    cos: f64,
    pivot: Point<Px>,
    scale: DeviceScale,
}

impl WordRotation {
    /// The rotation of a word at a scale.
    #[must_use]
    pub fn of(word: &PlacedWord, scale: DeviceScale) -> Self {
        let (sin, cos) = word.rotation.get().to_radians().sin_cos();
        Self { sin, cos, pivot: word.pivot, scale }
    }

    /// The position of a point of the page, in device px from the page's corner.
    fn device_from_page(&self, at: Point<Px>) -> [f64; 2] {
        let (x, y) = ((at.x - self.pivot.x).get(), (at.y - self.pivot.y).get());
        let scale = self.scale.get();
        [
            (self.pivot.x.get() + x * self.cos - y * self.sin) * scale,
            (self.pivot.y.get() + x * self.sin + y * self.cos) * scale,
        ]
    }

    /// The placement of a glyph. Fonts have y up, the device has y down.
    #[must_use]
    pub fn placement(&self, glyph: &PlacedGlyph, units_per_em: u16) -> Placement {
        let unit = glyph.em.get() * self.scale.get() / f64::from(units_per_em);
        let matrix = [unit * self.cos, unit * self.sin, unit * self.sin, -unit * self.cos];
        Placement { matrix, origin: self.device_from_page(glyph.origin) }
    }
}

/// An affine map from font units to device px of the page.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Columns of the linear part: xx, yx, xy, yy.
    matrix: [f64; 4],
    origin: [f64; 2],
}

impl Placement {
    /// The map `[a, b, c, d, e, f]`, which takes (x, y) to (ax + cy + e, bx + dy + f).
    #[must_use]
    pub const fn map(&self) -> [f64; 6] {
        let [xx, yx, xy, yy] = self.matrix;
        let [x, y] = self.origin;
        [xx, yx, xy, yy, x, y]
    }

    /// Where a point of the glyph goes.
    #[must_use]
    pub fn applied(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [xx, yx, xy, yy] = self.matrix;
        [self.origin[0] + xx * x + xy * y, self.origin[1] + yx * x + yy * y]
    }

    /// Boxes around slices of the glyph, in device px. Thin slices are merged until each is half a tile high. `bent`
    /// maps the box of a slice to the box of its bent ink.
    pub(super) fn device_slices(
        &self,
        of_glyph: &[[f32; 4]],
        bent: impl Fn([f32; 4]) -> [f32; 4],
    ) -> impl Iterator<Item = [f64; 4]> {
        let [xx, yx, ..] = self.matrix;
        let height = of_glyph.first().map_or(0.0, |slice| f64::from(slice[3] - slice[1])) * xx.hypot(yx);
        let at_once = ((THINNEST_SLICE / height.max(1e-3)).ceil() as usize).max(1);
        let around = move |slices: &[[f32; 4]]| {
            slices
                .iter()
                .copied()
                .reduce(|[left, bottom, right, _], next| [left.min(next[0]), bottom, right.max(next[2]), next[3]])
        };
        of_glyph.chunks(at_once).filter_map(around).map(move |slice| self.device_box(bent(slice)))
    }

    /// The box on the device around a box of the glyph: min x, min y, max x, max y.
    fn device_box(&self, of_glyph: [f32; 4]) -> [f64; 4] {
        let [left, bottom, right, top] = of_glyph.map(f64::from);
        let ([x, y], [half_width, half_height]) =
            ([0.5 * (left + right), 0.5 * (bottom + top)], [0.5 * (right - left), 0.5 * (top - bottom)]);
        let [xx, yx, xy, yy] = self.matrix;
        let centre = self.applied([x, y]);
        let half = [xx.abs() * half_width + xy.abs() * half_height, yx.abs() * half_width + yy.abs() * half_height];
        [centre[0] - half[0], centre[1] - half[1], centre[0] + half[0], centre[1] + half[1]]
    }

    /// The record of a glyph whose ink is in `tiles`, with the pen in its strokes.
    pub(super) fn instance(&self, mesh: u32, pen: u32, tiles: TileBox) -> Instance {
        let corner = [tiles.left * TILE, tiles.top * TILE];
        Instance {
            matrix: self.matrix.map(|value| value as f32),
            translation: [0, 1].map(|axis| (self.origin[axis] - f64::from(corner[axis])) as f32),
            left: corner[0],
            pen,
            mesh,
            tile_row: tiles.top,
            tile_rows: tiles.rows() as u16,
            width: (tiles.columns() as u32 * TILE) as u16,
            first_tile_row: 0,
        }
    }
}
