//! The loss of ink along the writing, line by line, as the pen leaves it.
//!
//! Losses are relative here: 1 stands for [`LARGEST_LOSS`] times the intensity.

use super::pen::{Pen, WordInk};
use super::records::InkRow;
use crate::layout::{PageLayout, PlacedLine, PlacedWord};

/// Distance of samples along a line, in page px.
pub(crate) const SAMPLE_STEP: f64 = 8.0;
/// How far samples extend beyond the page's right and lower edges, in page px: a tile, at a third of its size.
const OVERHANG: f64 = 48.0;
/// Height of the middle of small letters above the baseline, in ems.
const MIDDLE_OF_LETTERS: f64 = 0.25;
/// The most of the distance of two lines over which their inks blend.
const BLEND_SHARE: f64 = 0.3;
/// Loss of ink at relative loss 1 and intensity 1: `LARGEST_LOSS` of `shaders/ink_flow.wgsl`.
pub(crate) const LARGEST_LOSS: f64 = 0.6;
/// Least opacity: `FAINTEST` of `shaders/ink_flow.wgsl`.
pub(crate) const FAINTEST: f64 = 0.15;

/// The relative loss of a page's ink by line and position along the line, 0 (fresh) to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InkLoss {
    /// For each row of page px from the top, the two lines between which it lies.
    pub rows: Vec<InkRow>,
    /// Samples of each line, [`samples`](Self::samples) per line, 8 page px apart from the page's left edge.
    pub losses: Vec<f32>,
    /// Number of samples per line.
    pub samples: usize,
}

impl InkLoss {
    /// The ink of a layout that is page `page` of its text, at an intensity above 0. With a pen, words do not differ by
    /// themselves.
    #[must_use]
    pub fn of(layout: &PageLayout, seed: u32, page: u32, intensity: f64, has_pen: bool) -> Self {
        let samples = ((layout.size.width.get() + OVERHANG) / SAMPLE_STEP).ceil() as usize + 2;
        let is_varied = layout.words.iter().any(|word| !word.letters.is_empty());
        let words = match (has_pen, is_varied) {
            (true, _) => WordInk::ALIKE,
            (false, true) => WordInk::DRIFT,
            (false, false) => WordInk::STEPS,
        };
        let mut pen = Pen::new(seed, page, intensity, words);
        let mut losses = Vec::with_capacity(layout.lines.len() * samples);
        for line in &layout.lines {
            let points = write_line(&mut pen, layout, line, 1.0 / (LARGEST_LOSS * intensity));
            losses.extend(sampled(&points, samples));
        }
        Self { rows: rows(layout), losses, samples }
    }

    /// Opacity of the ink at page px `x` of a line, 0 to 1, at the intensity it was made for: what `ink_at` of
    /// `shaders/ink_flow.wgsl` gives without variation from stroke to stroke.
    #[must_use]
    pub fn opacity(&self, line: usize, x: f64, intensity: f64) -> f64 {
        let samples = self.losses.get(line * self.samples..).unwrap_or_default();
        let place = (x / SAMPLE_STEP).clamp(0.0, self.samples.saturating_sub(1) as f64);
        let at = |sample: usize| samples.get(sample.min(self.samples - 1)).copied().map_or(0.0, f64::from);
        let first = place as usize;
        let loss = at(first) + (at(first + 1) - at(first)) * place.fract();
        FAINTEST + (1.0 - FAINTEST) * (-LARGEST_LOSS * intensity * loss).exp()
    }

    /// For each sample, what interpolation between samples and lines needs: the sample and the next one in the low and
    /// high 16 bits, as unsigned normalised integers (WGSL's `unpack2x16unorm`), then the same of the line below. The
    /// last line is its own line below, because no row blends into it. A page without lines has one line without losses.
    #[must_use]
    pub fn cells(&self) -> Vec<[u32; 2]> {
        if self.losses.is_empty() {
            return vec![[0; 2]; self.samples];
        }
        // The product is rounded in f64, where adding a half is exact.
        let unorm = |loss: &f32| (f64::from(loss * f32::from(u16::MAX)) + 0.5) as u32;
        let unorms: Vec<u32> = self.losses.iter().map(unorm).collect();
        let following = unorms.iter().skip(1).chain(unorms.last());
        let pairs: Vec<u32> = unorms.iter().zip(following).map(|(here, next)| here | next << 16).collect();
        let above_last = pairs.len().saturating_sub(self.samples);
        let below = pairs.iter().skip(self.samples).chain(&pairs[above_last..]);
        pairs.iter().zip(below).map(|(here, below)| [*here, *below]).collect()
    }
}

/// Lets the pen write the words of a line, and returns the losses along it, each times `scale`, as points of
/// ascending x.
fn write_line(pen: &mut Pen, layout: &PageLayout, line: &PlacedLine, scale: f64) -> Vec<[f64; 2]> {
    let em = layout.font_size.get();
    let words = layout.words.get(line.words.clone()).unwrap_or_default();
    let mut words: Vec<([f64; 2], bool)> =
        words.iter().filter_map(|word| Some((extent(word)?, word.opens_sentence))).collect();
    let is_leftwards = line.runs.first().is_some_and(|run| run.right_to_left);
    if is_leftwards {
        words.reverse();
    }
    let mut points = Vec::new();
    for (index, ([left, right], opens_sentence)) in words.into_iter().enumerate() {
        let losses = pen.write((right - left) / em, index == 0 || opens_sentence);
        let step = (right - left) / (losses.len() - 1).max(1) as f64;
        for (number, loss) in losses.into_iter().enumerate() {
            let along = number as f64 * step;
            points.push([if is_leftwards { right - along } else { left + along }, (loss * scale).min(1.0)]);
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

/// Left and right end of a word's ink before its rotation.
fn extent(word: &PlacedWord) -> Option<[f64; 2]> {
    let left = word.glyphs.iter().map(|glyph| glyph.ink.min.x.get()).reduce(f64::min)?;
    let right = word.glyphs.iter().map(|glyph| glyph.ink.max.x.get()).reduce(f64::max)?;
    Some([left, right])
}

/// Values interpolated between points of ascending x, at `samples` positions 8 page px apart from zero on; beyond the
/// points, those of the nearest point.
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

/// The two lines between which each row of page px lies, and where the ink of the first gives way to that of the
/// second.
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
        // Middles are whole numbers: a line's rows end where those of the next line begin.
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
    use crate::units::Px;
    use crate::variation::LetterMap;

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
            PlacedWord { pivot: origin, glyphs: vec![glyph], ..PlacedWord::default() }
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

    /// Relative loss at the page px `x` of a line.
    fn at(ink: &InkLoss, line: u32, x: f64) -> f32 {
        ink.losses[line as usize * ink.samples + (x / SAMPLE_STEP).round() as usize]
    }

    /// Relative losses at five places of every word of the page, line by line.
    fn along_words(ink: &InkLoss) -> impl Iterator<Item = [f32; 5]> {
        let words = (0..LINES).flat_map(|line| (0..WORDS).map(move |word| (line, f64::from(40 + 220 * word))));
        words.map(|(line, left)| [8.0, 56.0, 104.0, 152.0, 192.0].map(|x| at(ink, line, left + x)))
    }

    #[test]
    fn up_to_an_intensity_of_one_words_differ_and_those_of_varied_letters_drift() {
        let mut varied = a_page();
        varied.words.iter_mut().for_each(|word| word.letters = vec![LetterMap::default()]);
        // The values of the drift, where words do not lose less than nothing, and of independent words; and three standard
        // errors of 108 words about the correlation.
        let expected = [(&varied, 0.022..=0.036, 0.49..=0.91), (&a_page(), 0.07..=0.10, -0.29..=0.29)];
        for ((page, deviation, carry), intensity) in expected.iter().flat_map(|each| [(each, 0.5), (each, 1.0)]) {
            let ink = InkLoss::of(page, 7, 0, intensity, false);
            let losses: Vec<f64> = along_words(&ink)
                .map(|losses| {
                    assert!(losses.iter().all(|at| (at - losses[0]).abs() < 1e-6), "no word fades: {losses:?}");
                    f64::from(losses[0]) * LARGEST_LOSS * intensity
                })
                .collect();
            // Logarithm of the opacity that the shader gives.
            let inks: Vec<f64> = losses.iter().map(|loss| (0.15 + 0.85 * (-loss).exp()).ln()).collect();
            let mean = inks.iter().sum::<f64>() / inks.len() as f64;
            let covariance = |lag: usize| {
                inks.iter().zip(&inks[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / inks.len() as f64
            };
            let sd = covariance(0).sqrt() / intensity;
            assert!(deviation.contains(&sd), "log-SD {sd} at {intensity}");
            let carried = covariance(1) / covariance(0);
            assert!(carry.contains(&carried), "{carried} at {intensity}");
        }
    }

    #[test]
    fn above_one_a_pen_dries_and_its_ink_comes_back_over_words() {
        let ink = InkLoss::of(&a_page(), 7, 0, 3.0, false);
        let words: Vec<[f32; 5]> = along_words(&ink).collect();
        let falls = words.iter().filter(|losses| losses[4] < losses[0] - 0.05).count();
        let fades = words.iter().filter(|losses| losses[4] > losses[0] + 0.005).count();
        // 360 em of writing, dipped at starts of lines of 30 em when more than half of 42 to 68 em is written.
        assert!((8..=30).contains(&falls), "{falls} words that recover");
        assert!(fades > 50, "{fades} words that fade");
        let jump = words.windows(2).map(|pair| (pair[0][4] - pair[1][0]).abs()).fold(0.0, f32::max);
        assert!(jump < 0.25, "a jump of {jump} between words");
    }

    #[test]
    fn at_an_intensity_of_two_six_tenths_of_the_ink_are_left() {
        for seed in 0..20 {
            let ink = InkLoss::of(&a_page(), seed, 0, 2.0, false);
            let worst = ink.losses.iter().copied().fold(0.0, f32::max);
            // With the darkest of the variation from stroke to stroke.
            let opacity = 0.15 + 0.85 * (-2.0 * LARGEST_LOSS * (f64::from(worst) + 0.1)).exp();
            assert!(opacity >= 0.6, "{opacity}");
        }
    }

    /// The first words of the first lines of a page.
    fn a_part(lines: u32, words: u32) -> PageLayout {
        let mut page = a_page();
        page.lines.truncate(lines as usize);
        for line in &mut page.lines {
            line.words.end = line.words.start + words as usize;
        }
        page
    }

    #[test]
    fn every_step_of_intensity_takes_ink_from_a_page_a_line_and_a_word() {
        for (lines, words) in [(LINES, WORDS), (1, WORDS), (1, 1)] {
            let (page, width) = (a_part(lines, words), 220 * words);
            let places =
                || (0..lines as usize).flat_map(|line| (40..width).step_by(12).map(move |x| (line, f64::from(x))));
            for seed in 0..10 {
                let mut before = vec![1.0; places().count()];
                for intensity in (1..=12).map(|step| f64::from(step) * 0.25) {
                    let ink = InkLoss::of(&page, seed, 0, intensity, false);
                    let now: Vec<f64> = places().map(|(line, x)| ink.opacity(line, x, intensity)).collect();
                    let told = format!("{lines} lines of {words} words, seed {seed}: at {intensity}");
                    let rises = now.iter().zip(&before).any(|(now, before)| *now > before + 1e-6);
                    assert!(!rises, "{told} a place gets darker");
                    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
                    let taken = mean(&before) - mean(&now);
                    // One word in twenty has full ink up to 1.
                    let least = if words > 1 || intensity > 1.0 { 0.005 } else { 0.0 };
                    assert!(taken >= least, "{told} {taken} of the ink is taken");
                    before = now;
                }
            }
        }
    }

    #[test]
    fn relative_losses_are_never_cut_off() {
        for intensity in [0.25, 1.0, 1.25, 2.0, 2.75, 3.0] {
            let worst =
                (0..20).flat_map(|seed| InkLoss::of(&a_page(), seed, 0, intensity, false).losses).fold(0.0, f32::max);
            assert!(worst < 0.9, "{worst} at {intensity}");
        }
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
        let ink = InkLoss::of(&page, 7, 0, 3.0, false);
        let last_word = f64::from(40 + 220 * (WORDS - 1));
        assert!(at(&ink, 0, last_word + 192.0) < at(&ink, 0, last_word + 8.0));
    }

    #[test]
    fn other_seeds_and_other_pages_dip_elsewhere() {
        let first = InkLoss::of(&a_page(), 7, 0, 3.0, false);
        assert_eq!(first, InkLoss::of(&a_page(), 7, 0, 3.0, false));
        assert_ne!(first, InkLoss::of(&a_page(), 8, 0, 3.0, false));
        assert_ne!(first, InkLoss::of(&a_page(), 7, 1, 3.0, false));
    }

    #[test]
    fn every_row_of_the_page_has_its_lines_and_they_blend_without_a_step() {
        let ink = InkLoss::of(&a_page(), 7, 0, 3.0, false);
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
        let ink = InkLoss::of(&blank, 7, 0, 3.0, false);
        assert!(ink.losses.is_empty() && ink.rows.iter().all(|row| row.line == 0));
        assert_eq!(ink.cells(), vec![[0; 2]; ink.samples], "and does not show what another page left in the buffer");
    }
}
