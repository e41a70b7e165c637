//! The part of a written word that a reader needs most: from its baseline to its x-height.

use crate::catalogue::FontCatalogue;
use crate::geometry::Point;
use crate::layout::PlacedWord;
use crate::units::Px;

/// Distance of samples, in px of a preview.
const SAMPLE_STEP: f64 = 10.0;
/// Fewest and most samples along a side of a zone.
const SAMPLES: (f64, f64) = (2.0, 60.0);

/// Points spread evenly over the zone between a word's baseline and its x-height, in px of a preview.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WordZone {
    pub(super) points: Vec<Point<Px>>,
    /// Area that each point stands for, in square px of a preview.
    pub(super) area_of_point: f64,
}

impl WordZone {
    /// The zone of a word on a page whose previews have `scale` px per px of the page. `None` if nothing is written.
    pub(super) fn of(word: &PlacedWord, scale: f64, catalogue: &FontCatalogue) -> Option<Self> {
        let first = word.glyphs.first()?;
        let face = catalogue.face(first.font);
        let height = face.x_height().to_px(first.em, face.units_per_em());
        let (left, right) = word.glyphs.iter().fold((first.ink.min.x, first.ink.max.x), |(left, right), glyph| {
            (left.min(glyph.ink.min.x), right.max(glyph.ink.max.x))
        });
        let (width, baseline) = (right - left, first.origin.y);
        let samples = |side: Px| (side.get() * scale / SAMPLE_STEP).ceil().clamp(SAMPLES.0, SAMPLES.1);
        let (columns, rows) = (samples(width), samples(height));
        let (sin, cos) = word.rotation.get().to_radians().sin_cos();
        let mut points = Vec::with_capacity((columns * rows) as usize);
        for row in 0..rows as u32 {
            for column in 0..columns as u32 {
                let along = |index: u32, count: f64| (f64::from(index) + 0.5) / count;
                let at = Point::new(left + width * along(column, columns), baseline - height * along(row, rows));
                let (x, y) = (at.x - word.pivot.x, at.y - word.pivot.y);
                let turned = word.pivot + Point::new(x * cos - y * sin, x * sin + y * cos);
                points.push(Point::new(turned.x * scale, turned.y * scale));
            }
        }
        let area = width.get() * height.get() * scale * scale;
        Some(Self { area_of_point: area / (columns * rows), points })
    }
}
