//! Raised and lowered letters and figures: ², ᵗʰ, H₂O.

use std::sync::LazyLock;

use unicode_normalization::char::decompose_compatible;

use crate::geometry::Rect;
use crate::units::FontUnits;

/// Where Unicode has raised and lowered letters, figures and signs that texts use.
const BLOCKS: [std::ops::RangeInclusive<char>; 10] = [
    'ª'..='ª',
    '²'..='³',
    '¹'..='º',
    '\u{2B0}'..='\u{2E4}',
    '\u{1D2C}'..='\u{1D6A}',
    '\u{2C7C}'..='\u{2C7D}',
    '\u{1D9C}'..='\u{1D9C}',
    '\u{1DA0}'..='\u{1DBB}',
    '\u{2070}'..='\u{207F}',
    '\u{2080}'..='\u{209C}',
];

/// How high raised figures reach at least, as a share of the height of figures on the line.
const LEAST_TOP: f64 = 0.85;
/// How high they begin at least, as a share of that height.
const LEAST_RISE: f64 = 0.1;

/// All raised and lowered characters whose letter on the line is in ASCII.
pub(super) fn all() -> &'static [char] {
    static ALL: LazyLock<Vec<char>> =
        LazyLock::new(|| BLOCKS.into_iter().flatten().filter(|character| on_the_line(*character).is_some()).collect());
    &ALL
}

/// The letter on the line of a raised or lowered one (UAX 15, `<super>` and `<sub>`), if it is in ASCII; `-` for the
/// minus sign.
pub(super) fn on_the_line(character: char) -> Option<char> {
    if !BLOCKS.iter().any(|block| block.contains(&character)) {
        return None;
    }
    let mut parts = Vec::new();
    decompose_compatible(character, |part| parts.push(if part == '−' { '-' } else { part }));
    if let [plain] = parts[..] { Some(plain).filter(char::is_ascii) } else { None }
}

/// Whether one of these characters is lowered.
pub(super) const fn is_lowered(character: char) -> bool {
    matches!(character, '\u{2080}'..='\u{209C}' | '\u{1D62}'..='\u{1D6A}' | '\u{2C7C}')
}

/// How a font raises figures.
#[derive(Clone, Copy)]
pub(super) struct Raised {
    /// Their size, as a share of that of figures on the line.
    pub(super) scale: f64,
    /// How far they stand above the line, in font units.
    pub(super) rise: f64,
}

impl Raised {
    /// As a raised figure with this ink is to the figure on the line; `None` for one that stands on the line, or ends
    /// below [`LEAST_TOP`].
    pub(super) fn of(raised: Rect<FontUnits>, on_the_line: Rect<FontUnits>) -> Option<Self> {
        let height = |ink: Rect<FontUnits>| (ink.max.y - ink.min.y).get();
        let scale = height(raised) / height(on_the_line);
        let rise = raised.min.y.get() - scale * on_the_line.min.y.get();
        let top = (raised.max.y - on_the_line.min.y).get() / height(on_the_line);
        (rise > LEAST_RISE * height(on_the_line) && top >= LEAST_TOP).then_some(Self { scale, rise })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    #[test]
    fn raised_and_lowered_characters_have_a_letter_on_the_line() {
        for (character, plain) in [('²', '2'), ('ᵗ', 't'), ('ʰ', 'h'), ('⁻', '-'), ('₂', '2'), ('º', 'o'), ('⁽', '(')]
        {
            assert_eq!(on_the_line(character), Some(plain), "{character}");
        }
        for character in ['µ', 'ˆ', '™', 'ᴂ', 'a'] {
            assert_eq!(on_the_line(character), None, "{character}");
        }
        assert!(all().len() > 60 && is_lowered('₂') && is_lowered('ᵢ') && !is_lowered('²'));
    }

    #[test]
    fn raised_figures_stand_beside_those_of_the_file() {
        let ink = |low, high| {
            let at = |y| Point::new(FontUnits::ZERO, FontUnits::new(y));
            Rect { min: at(low), max: at(high) }
        };
        let own = Raised::of(ink(300.0, 540.0), ink(0.0, 600.0)).unwrap();
        assert_eq!((own.scale, own.rise), (0.4, 300.0));
        // One on the line, or hardly above it, says nothing.
        for raised in [ink(0.0, 600.0), ink(100.0, 340.0)] {
            assert!(Raised::of(raised, ink(0.0, 600.0)).is_none());
        }
    }
}
