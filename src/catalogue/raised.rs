//! Raised and lowered letters and figures: ², ᵗʰ, H₂O.

use unicode_normalization::char::decompose_compatible;

/// Where Unicode has raised and lowered letters, figures and signs that texts use.
const BLOCKS: [std::ops::RangeInclusive<char>; 9] = [
    'ª'..='ª',
    '²'..='³',
    '¹'..='º',
    '\u{2B0}'..='\u{2E4}',
    '\u{1D43}'..='\u{1D5B}',
    '\u{1D9C}'..='\u{1D9C}',
    '\u{1DA0}'..='\u{1DBB}',
    '\u{2070}'..='\u{207F}',
    '\u{2080}'..='\u{209C}',
];

/// All raised and lowered characters whose letter on the line is in ASCII.
pub(super) fn all() -> impl Iterator<Item = char> {
    BLOCKS.into_iter().flatten().filter(|character| on_the_line(*character).is_some())
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
    matches!(character, '\u{2080}'..='\u{209C}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_and_lowered_characters_have_a_letter_on_the_line() {
        for (character, plain) in [('²', '2'), ('ᵗ', 't'), ('ʰ', 'h'), ('⁻', '-'), ('₂', '2'), ('º', 'o'), ('⁽', '(')]
        {
            assert_eq!(on_the_line(character), Some(plain), "{character}");
        }
        for character in ['µ', 'ˆ', '™', 'ᴂ', 'a'] {
            assert_eq!(on_the_line(character), None, "{character}");
        }
        assert!(all().count() > 60 && is_lowered('₂') && !is_lowered('²'));
    }
}
