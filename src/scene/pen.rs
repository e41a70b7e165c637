//! The pen that writes a page: how much ink each word loses against full ink.
//!
//! A loss `l` leaves `exp(-l)` of the ink that can fade (`shaders/ink_flow.wgsl`). Up to intensity 1 the pen is a ballpoint or gel
//! pen: each word has a loss of its own, independent of its neighbours'. Above 1 the pen also dries along the words. It
//! is dipped where a line or a sentence begins, and its ink comes back over three words.

use crate::noise::{Purpose, Stream};

/// Standard deviation of a word's loss at intensity 1, and the deviation at which draws are cut, which is also their mean.
const WORD_SD: f64 = 0.115;
const WORD_CUT: f64 = 1.6;
/// By how much intensity above 1 evens words out again, so that there is room for drying.
const EVENING: f64 = 0.36;
/// Loss of a dry pen per intensity above 1, and what the square of the intensity above 2 adds.
const DRY: [f64; 2] = [0.24, 0.85];
/// What a dipped pen writes until it is dry, in em: at least, and as much more at most.
const CHARGE: [f64; 2] = [42.0, 26.0];
/// The pen is dipped at a line or a sentence that begins when more than this part of its charge is written.
const DIP_FROM: f64 = 0.5;
/// How late in its charge a pen begins to show that it dries.
const LATENESS: f64 = 1.2;
/// What is left of the loss before a dip at the start of the words after it, and at the end of the last.
const RECOVERY: [f64; 4] = [1.0, 0.55, 0.2, 0.0];
/// Distance of two points along a word at which its loss is set, in em.
const POINT_STEP: f64 = 0.5;
/// The bit that tells keys of dips from those of words.
const DIPS: u64 = 1 << 63;

/// A pen and the ink in it.
pub(super) struct Pen {
    stream: Stream,
    page: u64,
    /// Standard deviation of a word's loss.
    word_sd: f64,
    /// Loss of a dry pen.
    dry: f64,
    /// Words written.
    words: u64,
    dips: u64,
    /// What the pen writes with one charge, in em.
    charge: f64,
    /// What it has written since it was dipped, in em.
    written: f64,
    /// Dryness before the latest dip, and the number of words written since.
    before_dip: f64,
    words_since_dip: usize,
}

impl Pen {
    /// A pen just dipped, for a page of the text and an intensity above 0.
    pub(super) fn new(seed: u32, page: u32, intensity: f64) -> Self {
        let beyond = (intensity - 1.0).max(0.0);
        let mut pen = Self {
            stream: Stream::new(seed, Purpose::InkFlow),
            page: u64::from(page) << 32,
            word_sd: WORD_SD * intensity.min(1.0) / (1.0 + EVENING * beyond),
            dry: DRY[0] * beyond + DRY[1] * (beyond - 1.0).max(0.0).powi(2),
            words: 0,
            dips: 0,
            charge: 0.0,
            written: 0.0,
            before_dip: 0.0,
            words_since_dip: 0,
        };
        pen.fill();
        pen
    }

    /// Loss along a word `length` em long, at equal steps from its start to its end.
    pub(super) fn write(&mut self, length: f64, opens_line_or_sentence: bool) -> Vec<f64> {
        if opens_line_or_sentence && self.written > DIP_FROM * self.charge {
            self.before_dip = self.dryness(0.0);
            self.dips += 1;
            self.words_since_dip = 0;
            self.fill();
        }
        let draw = self.stream.normal(self.page | self.words).clamp(-WORD_CUT, WORD_CUT);
        let own = self.word_sd * (WORD_CUT + draw);
        let steps = (length / POINT_STEP).ceil().max(1.0) as u32;
        let mut losses = Vec::with_capacity(steps as usize + 1);
        for step in 0..=steps {
            losses.push(own + self.dry * self.dryness(f64::from(step) / f64::from(steps)));
            if step < steps {
                self.written += length / f64::from(steps);
            }
        }
        self.words += 1;
        self.words_since_dip += 1;
        losses
    }

    fn fill(&mut self) {
        let [least, more] = CHARGE;
        self.charge = least + more * self.stream.unit(DIPS | self.page | self.dips);
        self.written = 0.0;
    }

    /// How dry the pen is, 0 to 1, at a share of the word that it writes.
    fn dryness(&self, share: f64) -> f64 {
        let left = |words: usize| RECOVERY.get(words).copied().unwrap_or(0.0);
        let (start, end) = (left(self.words_since_dip), left(self.words_since_dip + 1));
        let recovering = self.before_dip * (start + (end - start) * share);
        (self.written / self.charge).min(1.0).powf(LATENESS).max(recovering)
    }
}
