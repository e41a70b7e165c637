//! Where combining marks stand at their letters, and which letters lose their dot to one.

use unicode_normalization::char::{canonical_combining_class, decompose_canonical, is_combining_mark};

/// Where a mark stands at its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkPlace {
    /// Above its middle.
    Above,
    /// Above its left edge.
    AboveLeft,
    /// Above its right edge.
    AboveRight,
    /// Above the gap between it and the next letter.
    AboveBetween,
    /// Below its middle.
    Below,
    /// Below the gap between it and the next letter.
    BelowBetween,
    /// Below, touching it.
    Attached,
    /// At the right shoulder, touching it (the horn of Vietnamese).
    Shoulder,
    /// On its middle.
    Inside,
}

impl MarkPlace {
    /// The place of a mark; `None` for a character that is no mark, or one that only shaping can place.
    ///
    /// It follows from the canonical combining class (UAX 44, section 5.7.4), with the fixed-position classes of Hebrew
    /// and Arabic grouped as `HarfBuzz` groups them for fonts without anchors (`hb-ot-shape-fallback`). Marks of Thai and
    /// Lao, nuktas, viramas and kana voicing marks are drawn in their place by their fonts.
    #[must_use]
    pub fn of(mark: char) -> Option<Self> {
        Some(match canonical_combining_class(mark) {
            1 | 21 => Self::Inside,
            202 => Self::Attached,
            216 => Self::Shoulder,
            10..=18 | 20 | 22 | 29 | 32 | 218 | 220 | 222 | 240 => Self::Below,
            19 | 25 | 228 => Self::AboveLeft,
            24 | 232 => Self::AboveRight,
            23 | 26 | 27 | 28 | 30 | 31 | 33..=36 | 214 | 230 => Self::Above,
            233 => Self::BelowBetween,
            234 => Self::AboveBetween,
            _ => return None,
        })
    }

    /// Whether it takes the place of the dot of an i.
    #[must_use]
    pub const fn is_above(self) -> bool {
        matches!(self, Self::Above | Self::AboveLeft | Self::AboveRight)
    }
}

/// A letter that loses its dot to a mark above it, decomposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterWithoutDot(Vec<char>);

impl LetterWithoutDot {
    /// What to write for a letter before the characters `after` in a font that has the characters of `has`: `None` where
    /// the letter keeps its dot, has none, or has a mark above in the font.
    #[must_use]
    pub fn of(letter: char, after: impl Iterator<Item = char>, has: impl Fn(char) -> bool) -> Option<Self> {
        if letter.is_ascii() && without_dot(letter).is_none() {
            return None;
        }
        let mut parts = Vec::new();
        decompose_canonical(letter, |part| parts.push(part));
        let dotless = without_dot(*parts.first()?)?;
        let is_above = |mark: char| MarkPlace::of(mark).is_some_and(MarkPlace::is_above);
        let has_own = parts.iter().skip(1).any(|part| is_above(*part));
        let mut marks = after.take_while(|next| is_combining_mark(*next));
        let loses_dot = if has_own { !has(letter) } else { marks.any(is_above) };
        parts.splice(..1, [dotless]);
        loses_dot.then_some(Self(parts))
    }

    /// The letter without its dot, and the marks that were composed with it.
    pub fn parts(&self) -> impl Iterator<Item = char> {
        self.0.iter().copied()
    }
}

/// The letter without its dot (`Soft_Dotted` of PropList.txt, where Unicode encodes the letter without a dot).
const fn without_dot(letter: char) -> Option<char> {
    match letter {
        'i' | 'і' => Some('ı'),
        'j' | 'ј' => Some('ȷ'),
        _ => None,
    }
}
