//! Simulates the pen that writes a page: how much ink each word loses compared with full ink.
//!
//! A loss `l` leaves `exp(-l)` of the ink that can fade (`shaders/ink_flow.wgsl`). Up to intensity 1 the pen is a
//! ballpoint or gel pen: each word has its own loss. Beside letters that are all alike, words are independent of their
//! neighbours; with writer variation they drift slightly from each to the next, as measured on paper. Above 1 all words
//! lose more, and the pen also dries along them. It is dipped where a line or a sentence begins, and its ink returns over three words.
//!
//! The loss at any place is the root of the sum of squares of the word's own and the dry pen's. So it grows with the
//! intensity everywhere, and a word that is faint anyway does not become illegible where the pen is dry.

use crate::noise::{Purpose, Stream};

/// Truncation of a word's loss in standard deviations, which is also its mean.
const WORD_CUT: f64 = 1.6;
/// Loss of a dry pen per intensity above 1, and per square of the intensity above 2.
const DRY: [f64; 2] = [0.27, 0.79];
/// Length that a dipped pen writes until it is dry, in ems: the minimum, and the range above it.
const CHARGE: [f64; 2] = [42.0, 26.0];
/// The pen is dipped at the beginning of a line or sentence after this part of its charge.
const DIP_FROM: f64 = 0.5;
/// Exponent that delays the visible drying of the pen.
const LATENESS: f64 = 1.2;
/// Share of the loss before a dip that remains at the start of each word after it, and at the end of the last.
const RECOVERY: [f64; 4] = [1.0, 0.55, 0.2, 0.0];
/// Distance of points along a word at which its loss is computed, in ems.
const POINT_STEP: f64 = 0.5;
/// The bit that separates keys of dips from keys of words.
const DIPS: u64 = 1 << 63;

/// A pen and the ink in it.
pub(super) struct Pen {
    stream: Stream,
    page: u64,
    /// Standard deviation of a word's loss, and what every word loses more.
    word_sd: f64,
    every_word: f64,
    /// Correlation of the losses of neighbouring words.
    carry: f64,
    /// The drift of the loss at the last word, in standard deviations; `None` before the first.
    drift: Option<f64>,
    /// Loss of a dry pen.
    dry: f64,
    /// Number of words written.
    words: u64,
    dips: u64,
    /// Length that the pen writes with one charge, in ems.
    charge: f64,
    /// Length written since the last dip, in ems.
    written: f64,
    /// Dryness before the last dip, and the number of words since.
    before_dip: f64,
    words_since_dip: usize,
}

/// How the ink differs from word to word.
#[derive(Clone, Copy)]
pub(super) struct WordInk {
    /// Standard deviation of a word's loss at intensity 1.
    sd: f64,
    /// Correlation of the losses of neighbouring words.
    carry: f64,
    /// What every word loses more per intensity above 1, so that a short text fades too.
    rise: f64,
}

impl WordInk {
    /// Beside letters that are all alike.
    pub(super) const STEPS: Self = Self { sd: 0.115, carry: 0.0, rise: 0.07 };
    /// With a pen of the request, which does not change from word to word.
    pub(super) const ALIKE: Self = Self { sd: 0.0, carry: 0.0, rise: 0.10 };
    /// With writer variation. At intensity 0.5 words differ by 0.013 (log-SD); real ones by 0.014 to 0.022 besides what
    /// differs within them.
    pub(super) const DRIFT: Self = Self { sd: 0.038, carry: 0.7, rise: 0.10 };
}

impl Pen {
    /// A freshly dipped pen, for a page of the text and an intensity above 0.
    pub(super) fn new(seed: u32, page: u32, intensity: f64, words: WordInk) -> Self {
        let beyond = (intensity - 1.0).max(0.0);
        let mut pen = Self {
            stream: Stream::new(seed, Purpose::InkFlow),
            page: u64::from(page) << 32,
            word_sd: words.sd * intensity.min(1.0),
            every_word: words.rise * beyond,
            carry: words.carry,
            drift: None,
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
        let fresh = self.stream.normal(self.page | self.words);
        let drift = self.drift.map_or(fresh, |last| Stream::correlated(last, fresh, self.carry));
        let drift = drift.clamp(-WORD_CUT, WORD_CUT);
        self.drift = Some(drift);
        let own = self.word_sd * (WORD_CUT + drift) + self.every_word;
        let steps = (length / POINT_STEP).ceil().max(1.0) as u32;
        let mut losses = Vec::with_capacity(steps as usize + 1);
        for step in 0..=steps {
            losses.push(own.hypot(self.dry * self.dryness(f64::from(step) / f64::from(steps))));
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

    /// The dryness of the pen, 0 to 1, after a share of the current word.
    fn dryness(&self, share: f64) -> f64 {
        let left = |words: usize| RECOVERY.get(words).copied().unwrap_or(0.0);
        let (start, end) = (left(self.words_since_dip), left(self.words_since_dip + 1));
        let recovering = self.before_dip * (start + (end - start) * share);
        (self.written / self.charge).min(1.0).powf(LATENESS).max(recovering)
    }
}
