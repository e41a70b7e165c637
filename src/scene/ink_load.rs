//! The wear of the ink along the writing: a pen that runs dry and is dipped again, word by word.

use super::records::InkRow;
use crate::layout::{PageLayout, PlacedLine, PlacedWord};
use crate::noise::{Purpose, Stream};

/// Distance of two samples along a line, in page px.
pub(super) const SAMPLE_STEP: f64 = 8.0;
/// How far beyond the page's right and lower edge places are asked for, in page px: a tile, at a third of its size.
const OVERHANG: f64 = 48.0;
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
        let samples = ((layout.size.width.get() + OVERHANG) / SAMPLE_STEP).ceil() as usize + 2;
        let mut pen = Pen::dipped(Stream::new(seed, Purpose::InkFlow), u64::from(page) << 32);
        let mut wear = Vec::with_capacity(layout.lines.len() * samples);
        for line in &layout.lines {
            let points = write_line(&mut pen, layout, line);
            wear.extend(sampled(&points, samples));
        }
        Self { rows: rows(layout), wear, samples }
    }

    /// What a look-up between samples and lines needs, for each sample: it and the next in the low and high 16 bits as
    /// unsigned normalised integers (WGSL's `unpack2x16unorm`), then the same of the line below. The last line is its own
    /// below, as no row blends into one.
    #[must_use]
    pub fn cells(&self) -> Vec<[u32; 2]> {
        // The product is rounded in f64, where adding a half is exact.
        let unorm = |wear: &f32| (f64::from(wear * f32::from(u16::MAX)) + 0.5) as u32;
        let unorms: Vec<u32> = self.wear.iter().map(unorm).collect();
        let following = unorms.iter().skip(1).chain(unorms.last());
        let pairs: Vec<u32> = unorms.iter().zip(following).map(|(here, next)| here | next << 16).collect();
        let above_last = pairs.len().saturating_sub(self.samples);
        let below = pairs.iter().skip(self.samples).chain(&pairs[above_last..]);
        pairs.iter().zip(below).map(|(here, below)| [*here, *below]).collect()
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

/// The values between points of rising x, at so many places 8 page px apart from zero on; beyond them that of the nearest.
fn sampled(points: &[[f64; 2]], samples: usize) -> impl Iterator<Item = f32> {
    let mut next = 0;
    (0..samples).map(move |sample| {
        let x = sample as f64 * SAMPLE_STEP;
        while points.get(next).is_some_and(|point| point[0] <= x) {
            next += 1;
        }
        let value = match (next.checked_sub(1).and_then(|before| points.get(before)), points.get(next)) {
            (Some([x0, a]), Some([x1, b])) => a + (b - a) * (x - x0) / (x1 - x0),
            (Some([_, value]), None) | (None, Some([_, value])) => *value,
            (None, None) => 0.0,
        };
        value as f32
    })
}

/// Between which lines each row of page px lies, and where the one's ink gives way to the other's.
fn rows(layout: &PageLayout) -> Vec<InkRow> {
    let em = layout.font_size.get();
    let middles: Vec<f64> =
        layout.lines.iter().map(|line| (line.baseline.get() - MIDDLE_OF_LETTERS * em).round()).collect();
    let height = (layout.size.height.get() + OVERHANG).ceil() as usize;
    let last = middles.len().saturating_sub(1);
    let mut rows = Vec::with_capacity(height);
    for line in 0..=last {
        let (blend_start, blend_rate) = match (middles.get(line), middles.get(line + 1)) {
            (Some(here), Some(next)) => {
                let blend = ((next - here) * BLEND_SHARE).max(1.0);
                ((f64::midpoint(*here, *next) - 0.5 * blend) as f32, (1.0 / blend) as f32)
            }
            _ => (0.0, 0.0),
        };
        // Middles are whole numbers: a line's rows end where the next one's begin.
        let end = middles.get(line + 1).map_or(height, |next| (*next as usize).min(height));
        rows.resize(end.max(rows.len()), InkRow { line: line as u32, blend_start, blend_rate });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};
    use crate::geometry::{Point, Rect, Size};
    use crate::layout::PlacedGlyph;
    use crate::units::{Degrees, Px};

    const LINES: u32 = 12;
    const WORDS: u32 = 9;

    /// Lines of words 200 px wide, 20 px apart.
    fn a_page() -> PageLayout {
        let catalogue = FontCatalogue::load().unwrap();
        let glyph = catalogue.face(FontId::DEFAULT).glyph_for('a').unwrap();
        let word = |line: u32, word: u32| {
            let (left, baseline) = (Px::new(f64::from(40 + 220 * word)), Px::new(f64::from(200 + 120 * line)));
            let min = Point::new(left, baseline - Px::new(30.0));
            let ink = Rect { min, max: Point::new(left + Px::new(200.0), baseline) };
            let origin = Point::new(left, baseline);
            let glyph = PlacedGlyph { font: FontId::DEFAULT, glyph, em: Px::new(60.0), origin, ink };
            PlacedWord { pivot: origin, rotation: Degrees::ZERO, glyphs: vec![glyph] }
        };
        PageLayout {
            size: Size { width: Px::new(2100.0), height: Px::new(1700.0) },
            font_size: Px::new(60.0),
            words: (0..LINES).flat_map(|line| (0..WORDS).map(move |at| word(line, at))).collect(),
            lines: (0..LINES)
                .map(|line| PlacedLine {
                    baseline: Px::new(f64::from(200 + 120 * line)),
                    words: (line * WORDS) as usize..((line + 1) * WORDS) as usize,
                    runs: Vec::new(),
                })
                .collect(),
            ..PageLayout::default()
        }
    }

    /// Wear at the page px `x` of a line.
    fn at(ink: &InkLoad, line: u32, x: f64) -> f32 {
        ink.wear[line as usize * ink.samples + (x / SAMPLE_STEP).round() as usize]
    }

    #[test]
    fn a_pen_runs_dry_within_words_and_is_dipped_between_them() {
        let ink = InkLoad::of(&a_page(), 7, 0);
        let mut dips = 0;
        let mut last = None;
        for line in 0..LINES {
            for word in 0..WORDS {
                let left = f64::from(40 + 220 * word);
                let along = [8.0, 56.0, 104.0, 152.0, 192.0].map(|x| at(&ink, line, left + x));
                assert!(along.is_sorted(), "line {line} word {word}: {along:?}");
                dips += u32::from(last.is_some_and(|last| along[0] < last - 0.2));
                last = Some(along[4]);
            }
        }
        // 360 em of writing at 18 to 34 em a dip, less what is left when the pen is dipped.
        assert!((9..=22).contains(&dips), "{dips} dips");
    }

    #[test]
    fn writing_from_right_to_left_dries_towards_the_left() {
        let mut page = a_page();
        let run = crate::layout::PlacedRun {
            text: String::new(),
            font: FontId::DEFAULT,
            script: *b"Hebr",
            right_to_left: true,
            em: Px::new(60.0),
            origin: Point::new(Px::new(40.0), Px::new(200.0)),
            glyph_count: WORDS as usize,
        };
        page.lines[0].runs.push(run);
        let ink = InkLoad::of(&page, 7, 0);
        let last_word = f64::from(40 + 220 * (WORDS - 1));
        assert!(at(&ink, 0, last_word + 192.0) < at(&ink, 0, last_word + 8.0));
    }

    #[test]
    fn other_seeds_and_other_pages_dip_elsewhere() {
        let first = InkLoad::of(&a_page(), 7, 0);
        assert_eq!(first, InkLoad::of(&a_page(), 7, 0));
        assert_ne!(first, InkLoad::of(&a_page(), 8, 0));
        assert_ne!(first, InkLoad::of(&a_page(), 7, 1));
    }

    #[test]
    fn every_row_of_the_page_has_its_lines_and_they_blend_without_a_step() {
        let ink = InkLoad::of(&a_page(), 7, 0);
        assert_eq!(ink.rows.len(), 1748);
        // Line and share of the next line, as one number that must never jump.
        let place = |y: f64| {
            let row = &ink.rows[y as usize];
            f64::from(row.line) + ((y - f64::from(row.blend_start)) * f64::from(row.blend_rate)).clamp(0.0, 1.0)
        };
        let places: Vec<f64> = (0..16_990).map(|y| place(f64::from(y) / 10.0)).collect();
        assert!(places.windows(2).all(|pair| (0.0..0.01).contains(&(pair[1] - pair[0]))));
        assert!((places[0], *places.last().unwrap()) == (0.0, f64::from(LINES - 1)));
        assert!((place(200.0 + 120.0 * 4.0 - 15.0) - 4.0).abs() < 1e-9, "a line's own letters have its ink");
    }

    #[test]
    fn a_page_without_lines_is_fresh() {
        let blank = PageLayout { size: a_page().size, ..PageLayout::default() };
        let ink = InkLoad::of(&blank, 7, 0);
        assert!(ink.wear.is_empty() && ink.rows.iter().all(|row| row.line == 0));
    }
}
