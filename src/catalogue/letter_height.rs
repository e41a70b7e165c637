//! The heights of letters by which a substitute is scaled to the size of the font that it replaces.
//!
//! Scripts with a lower case are compared by the x-height. The others, such as ideographs, are compared by the height
//! of their own letters. Where the replaced font lacks these, they get the height beside its Latin letters that they
//! have beside those of the substitute.

use unicode_script::{Script, UnicodeScript as _};

/// A group of scripts whose letters have one height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterKind {
    /// Scripts with an x-height, and scripts that no font has.
    Cased,
    Hebrew,
    Thai,
    Devanagari,
    Malayalam,
    Hangul,
    /// Chinese and Japanese.
    Ideographs,
}

impl LetterKind {
    /// Number of kinds.
    pub(super) const COUNT: usize = 7;
    const ALL: [Self; Self::COUNT] =
        [Self::Cased, Self::Hebrew, Self::Thai, Self::Devanagari, Self::Malayalam, Self::Hangul, Self::Ideographs];

    pub(super) const fn of(script: Script) -> Self {
        match script {
            Script::Hebrew => Self::Hebrew,
            Script::Thai => Self::Thai,
            Script::Devanagari => Self::Devanagari,
            Script::Malayalam => Self::Malayalam,
            Script::Hangul => Self::Hangul,
            Script::Han | Script::Hiragana | Script::Katakana | Script::Bopomofo => Self::Ideographs,
            _ => Self::Cased,
        }
    }

    /// The kind of the first letter of a text.
    pub(super) fn of_text(text: &str) -> Self {
        let is_real = |script: &Script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown);
        Self::of(text.chars().map(|letter| letter.script()).find(is_real).unwrap_or(Script::Common))
    }

    /// Frequent letters without ascenders, descenders and marks.
    const fn samples(self) -> &'static str {
        match self {
            Self::Cased => "x",
            Self::Hebrew => "אבהחםרת",
            Self::Thai => "กนบลวสอ",
            Self::Devanagari => "कगनपमरस",
            Self::Malayalam => "കതനപമരല",
            Self::Hangul => "한글가나다말",
            Self::Ideographs => "国中日本回田目",
        }
    }

    /// Whether the letters stand in squares that reach below the baseline.
    const fn is_square(self) -> bool {
        matches!(self, Self::Hangul | Self::Ideographs)
    }
}

/// The heights of a font's letters in ems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LetterHeights {
    capitals: f64,
    /// By kind, as in [`LetterKind::ALL`]; `None` where the font lacks the letters.
    by_kind: [Option<f64>; LetterKind::COUNT],
}

impl LetterHeights {
    /// Measures a font. `ink` returns bottom and top of a character's ink in ems.
    pub(super) fn measure(ink: &dyn Fn(char) -> Option<[f64; 2]>) -> Self {
        let capitals = median(('A'..='Z').filter_map(ink).map(|[_, top]| top)).unwrap_or(1.0);
        let by_kind = LetterKind::ALL.map(|kind| {
            let height = |[bottom, top]: [f64; 2]| if kind.is_square() { top - bottom } else { top };
            median(kind.samples().chars().filter_map(ink).map(height))
        });
        Self { capitals, by_kind }
    }

    /// The height of the letters of a kind, if the font has them.
    const fn own(&self, kind: LetterKind) -> Option<f64> {
        self.by_kind[kind as usize]
    }

    /// The factor by which letters of `kind` in a font of the heights `other` have to grow to match this font's.
    pub(super) fn in_heights_of(&self, other: &Self, kind: LetterKind) -> f64 {
        match (self.own(kind), other.own(kind)) {
            (Some(wanted), Some(height)) => wanted / height,
            _ => self.latin() / other.latin(),
        }
    }

    /// The height of the Latin letters: the mean of lower case and capitals.
    fn latin(&self) -> f64 {
        f64::midpoint(self.own(LetterKind::Cased).unwrap_or(self.capitals), self.capitals)
    }
}

/// The middle value; the mean of both middle values where their number is even.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value() {
        assert_eq!(median([].into_iter()), None);
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), Some(2.5));
    }

    #[test]
    fn the_kind_of_a_text_is_that_of_its_first_letter() {
        assert_eq!(LetterKind::of_text("東京へ"), LetterKind::Ideographs);
        assert_eq!(LetterKind::of_text("へ"), LetterKind::Ideographs);
        assert_eq!(LetterKind::of_text("12 שלום"), LetterKind::Hebrew);
        assert_eq!(LetterKind::of_text("Привет"), LetterKind::Cased);
        assert_eq!(LetterKind::of_text("☎"), LetterKind::Cased);
    }

    #[test]
    fn heights_are_measured_on_frequent_letters() {
        let heights = LetterHeights::measure(&|letter| match letter {
            'x' => Some([0.0, 0.4]),
            'A'..='Z' => Some([0.0, 0.8]),
            '国' => Some([-0.1, 0.9]),
            'ש' => Some([0.0, 9.0]),
            'ת' => Some([-0.2, 0.6]),
            _ => None,
        });
        assert_eq!(heights.own(LetterKind::Cased), Some(0.4));
        assert_eq!(heights.own(LetterKind::Ideographs), Some(1.0));
        assert_eq!(heights.own(LetterKind::Hebrew), Some(0.6));
        assert_eq!(heights.own(LetterKind::Thai), None);
        assert!((heights.latin() - 0.6).abs() < 1e-12);
    }
}
