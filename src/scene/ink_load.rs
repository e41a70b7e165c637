//! How worn the ink is along the writing: a pen that runs dry and is dipped again, word by word.

use super::records::InkRow;
use crate::layout::{PageLayout, PlacedLine, PlacedWord};
use crate::noise::{Purpose, Stream};

/// Distance of two samples along a line, in page px.
pub(super) const SAMPLE_STEP: f64 = 8.0;
/// Where the middle of small letters lies above the baseline, in em.
const MIDDLE_OF_LETTERS: f64 = 0.25;
/// Most of the distance of two lines over which their inks blend.
const BLEND_SHARE: f64 = 0.3;
/// What a dipped pen writes until it is dry, in em: at least, and as much more at most.
const CHARGE: [f64; 2] = [18.0, 16.0];
/// The pen is dipped before a word when at most this part of its charge is left; up to as much more by chance.
const DIP_BELOW: [f64; 2] = [0.05, 0.2];
/// Wear of the ink of a pen just dipped, and what is added until it is dry.
const WEAR: [f64; 2] = [0.06, 0.7];
/// How late in its charge a pen begins to show that it dries.
const LATENESS: f64 = 1.7;
/// Distance of two points along a word at which its wear is set, in em.
const POINT_STEP: f64 = 0.5;

/// The wear of a page's ink by line and by place along the line, 0 (fresh) to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InkLoad {
    /// For each row of page px from the top, between which two lines it lies.
    pub rows: Vec<InkRow>,
    /// Samples of each line, [`samples`](Self::samples) a line, 8 page px apart from the page's left edge on.
    pub wear: Vec<f32>,
    /// Number of samples of a line.
    pub samples: usize,
}

impl InkLoad {
    /// The ink of a layout that is page number `page` of its text.
    pub(super) fn of(layout: &PageLayout, seed: u32, page: u32) -> Self {
        let samples = (layout.size.width.get() / SAMPLE_STEP).ceil() as usize + 2;
        let mut pen = Pen::dipped(Stream::new(seed, Purpose::InkFlow), u64::from(page) << 32);
        let mut wear = Vec::with_capacity(layout.lines.len() * samples);
        for line in &layout.lines {
            let points = write_line(&mut pen, layout, line);
            wear.extend((0..samples).map(|sample| interpolate(&points, sample as f64 * SAMPLE_STEP)));
        }
        Self { rows: rows(layout), wear, samples }
    }
}

/// A pen and the ink in it.
struct Pen {
    stream: Stream,
    /// The number of the dip, as a key of the stream.
    dip: u64,
    /// What the pen writes with one charge, in em.
    charge: f64,
    /// What it has written since it was dipped, in em.
    written: f64,
}

impl Pen {
    fn dipped(stream: Stream, dip: u64) -> Self {
        let [least, more] = CHARGE;
        Self { stream, dip, charge: least + more * stream.unit(dip << 1), written: 0.0 }
    }

    /// Dips the pen if it would not do for another word.
    fn prepare(&mut self) {
        let [below, more] = DIP_BELOW;
        let left = 1.0 - self.written / self.charge;
        if left < below + more * self.stream.unit(self.dip << 1 | 1) {
            *self = Self::dipped(self.stream, self.dip + 1);
        }
    }

    /// Wear of the ink that the pen gives now.
    fn wear(&self) -> f64 {
        let [fresh, more] = WEAR;
        (fresh + more * (self.written / self.charge).powf(LATENESS)).min(1.0)
    }
}

/// Writes the words of a line and returns the wear along it as points of rising x.
fn write_line(pen: &mut Pen, layout: &PageLayout, line: &PlacedLine) -> Vec<[f64; 2]> {
    let em = layout.font_size.get();
    let mut words: Vec<[f64; 2]> =
        layout.words.get(line.words.clone()).unwrap_or_default().iter().filter_map(extent).collect();
    let is_leftwards = line.runs.first().is_some_and(|run| run.right_to_left);
    if is_leftwards {
        words.reverse();
    }
    let mut points = Vec::new();
    for [left, right] in words {
        pen.prepare();
        let steps = ((right - left) / (em * POINT_STEP)).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let along = (right - left) * f64::from(step) / steps;
            points.push([if is_leftwards { right - along } else { left + along }, pen.wear()]);
            if f64::from(step) < steps {
                pen.written += (right - left) / steps / em;
            }
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

/// Left and right end of a word's ink before it was turned.
fn extent(word: &PlacedWord) -> Option<[f64; 2]> {
    let left = word.glyphs.iter().map(|glyph| glyph.ink.min.x.get()).reduce(f64::min)?;
    let right = word.glyphs.iter().map(|glyph| glyph.ink.max.x.get()).reduce(f64::max)?;
    Some([left, right])
}

/// The value at `x` between points of rising x; beyond them that of the nearest.
fn interpolate(points: &[[f64; 2]], x: f64) -> f32 {
    let next = points.partition_point(|point| point[0] <= x);
    let value = match (next.checked_sub(1).and_then(|before| points.get(before)), points.get(next)) {
        (Some([x0, a]), Some([x1, b])) => a + (b - a) * (x - x0) / (x1 - x0),
        (Some([_, value]), None) | (None, Some([_, value])) => *value,
        (None, None) => 0.0,
    };
    value as f32
}

/// Between which lines each row of page px lies, and where the one's ink gives way to the other's.
fn rows(layout: &PageLayout) -> Vec<InkRow> {
    let em = layout.font_size.get();
    let middles: Vec<f64> =
        layout.lines.iter().map(|line| (line.baseline.get() - MIDDLE_OF_LETTERS * em).round()).collect();
    let height = layout.size.height.get().ceil() as usize;
    (0..height)
        .map(|row| {
            let line = middles.partition_point(|middle| *middle <= row as f64).saturating_sub(1);
            let (here, next) = (middles.get(line), middles.get(line + 1));
            let (Some(here), Some(next)) = (here, next) else {
                return InkRow { line: line as u32, blend_start: 0.0, blend_rate: 0.0 };
            };
            let blend = ((next - here) * BLEND_SHARE).max(1.0);
            let start = f64::midpoint(*here, *next) - 0.5 * blend;
            InkRow { line: line as u32, blend_start: start as f32, blend_rate: (1.0 / blend) as f32 }
        })
        .collect()
}
