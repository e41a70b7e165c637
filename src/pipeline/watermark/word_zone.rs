//! The part of a written word that a reader needs most: from its baseline to its x-height.

use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Size};
use crate::layout::PlacedWord;
use crate::units::{Degrees, Px};

/// Distance of samples, in px of a preview.
const SAMPLE_STEP: f64 = 10.0;
/// Fewest and most samples along a side of a zone.
const SAMPLES: (f64, f64) = (2.0, 60.0);

/// Points spread evenly over the zone between a word's baseline and its x-height.
#[derive(Clone, Debug)]
pub(super) struct WordZone {
    /// The lower left corner before the word is turned, and its extent, in px of the page.
    pub(in crate::pipeline) corner: Point<Px>,
    pub(in crate::pipeline) size: Size<Px>,
    /// The point that the word is turned around, and its angle.
    pub(in crate::pipeline) pivot: Point<Px>,
    pub(in crate::pipeline) rotation: Degrees,
    /// Px of a preview per px of the page.
    pub(in crate::pipeline) scale: f64,
    /// Points in each row, and rows.
    pub(in crate::pipeline) columns: u32,
    pub(in crate::pipeline) rows: u32,
}

impl WordZone {
    /// The zone of a word on a page whose previews have `scale` px per px of the page. `None` if nothing is written.
    pub(in crate::pipeline) fn of(word: &PlacedWord, scale: f64, catalogue: &FontCatalogue) -> Option<Self> {
        let first = word.glyphs.first()?;
        let face = catalogue.face(first.font);
        let height = face.x_height().to_px(first.em, face.units_per_em());
        let (left, right) = word.glyphs.iter().fold((first.ink.min.x, first.ink.max.x), |(left, right), glyph| {
            (left.min(glyph.ink.min.x), right.max(glyph.ink.max.x))
        });
        let samples = |side: Px| (side.get() * scale / SAMPLE_STEP).ceil().clamp(SAMPLES.0, SAMPLES.1) as u32;
        let size = Size { width: right - left, height };
        Some(Self {
            corner: Point::new(left, first.origin.y),
            size,
            pivot: word.pivot,
            rotation: word.rotation,
            scale,
            columns: samples(size.width),
            rows: samples(size.height),
        })
    }

    /// Its points, in px of a preview.
    pub(in crate::pipeline) fn points(&self) -> impl Iterator<Item = Point<Px>> {
        let Self { corner, size, pivot, scale, columns, rows, .. } = *self;
        let (sin, cos) = self.rotation.get().to_radians().sin_cos();
        let part = |index: u32, count: u32| (f64::from(index) + 0.5) / f64::from(count);
        let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
        all.map(move |(row, column)| {
            let x = corner.x + size.width * part(column, columns) - pivot.x;
            let y = corner.y - size.height * part(row, rows) - pivot.y;
            let turned = pivot + Point::new(x * cos - y * sin, x * sin + y * cos);
            Point::new(turned.x * scale, turned.y * scale)
        })
    }

    /// The area that each point stands for, in square px of a preview.
    pub(super) fn area_of_point(&self) -> f64 {
        let Self { size, scale, columns, rows, .. } = *self;
        let area = size.width.get() * size.height.get() * scale * scale;
        area / (f64::from(columns) * f64::from(rows))
    }
}
