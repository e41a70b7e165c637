//! The characters that a font has: those of its character map, and signs that are drawn for it.

use std::ops::RangeInclusive;

use ttf_parser::Face;
use unicode_normalization::char::decompose_canonical;

use super::combining_mark::LetterWithoutDot;

/// The characters that a font writes: those of its Unicode cmaps that lead to a glyph other than `.notdef`, without
/// those whose glyph draws something else, and the signs that are drawn for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterSet {
    /// Inclusive ranges, ascending, with gaps between them.
    ranges: Vec<(u32, u32)>,
    /// The characters of the cmaps that the font does not write, in order.
    unwritten: Vec<char>,
    /// The signs that are drawn for the font, in order; not in the ranges.
    drawn: Vec<char>,
}

impl CharacterSet {
    /// The characters of a font file.
    pub(super) fn of_file(face: &Face<'_>) -> Self {
        let mut points = Vec::new();
        for subtable in
            face.tables().cmap.iter().flat_map(|cmap| cmap.subtables).filter(ttf_parser::cmap::Subtable::is_unicode)
        {
            // Format 4 may list code points whose glyph is .notdef.
            subtable.codepoints(|point| {
                let glyph = char::from_u32(point).and_then(|character| face.glyph_index(character));
                if glyph.is_some_and(|glyph| glyph.0 != 0) {
                    points.push(point);
                }
            });
        }
        Self::from_code_points(points)
    }

    /// The set of these code points, in any order, repeated or not.
    pub(super) fn from_code_points(points: Vec<u32>) -> Self {
        Self::from_ranges(points.into_iter().map(|point| (point, point)).collect())
    }

    /// The same set without the characters that the font does not write, although its cmaps have them.
    pub(super) fn without(self, mut unwritten: Vec<char>) -> Self {
        if unwritten.is_empty() {
            return self;
        }
        unwritten.sort_unstable();
        unwritten.dedup();
        let kept = self.all().filter(|character| unwritten.binary_search(character).is_err()).map(u32::from);
        Self { unwritten: unwritten.clone(), ..Self::from_code_points(kept.collect()) }
    }

    /// The same set with signs that are drawn for the font, which are sorted.
    pub(super) fn with_drawn(self, signs: &[char]) -> Self {
        Self { drawn: signs.to_vec(), ..self }
    }

    /// The characters of the cmaps that the font writes, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = char> {
        self.ranges.iter().flat_map(|(first, last)| *first..=*last).filter_map(char::from_u32)
    }

    /// Every character of the set: those of the cmaps in order, then the signs that are drawn, in order.
    pub fn written(&self) -> impl Iterator<Item = char> {
        self.all().chain(self.drawn.iter().copied())
    }

    /// The characters of the cmaps whose glyph is blank or draws something else, in order. The set does not have them.
    #[must_use]
    pub fn unwritten(&self) -> &[char] {
        &self.unwritten
    }

    /// The union of several sets.
    pub(super) fn union<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let points = |character: &char| (u32::from(*character), u32::from(*character));
        let ranges = |set: &'a Self| set.ranges.iter().copied().chain(set.drawn.iter().map(points));
        Self::from_ranges(all.flat_map(ranges).collect())
    }

    fn from_ranges(mut given: Vec<(u32, u32)>) -> Self {
        given.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (first, last) in given {
            match ranges.last_mut() {
                Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                _ => ranges.push((first, last)),
            }
        }
        Self { ranges, ..Self::default() }
    }

    /// Whether the set has the character itself.
    #[must_use]
    pub fn has(&self, character: char) -> bool {
        self.is_in_file(character) || self.drawn.binary_search(&character).is_ok()
    }

    fn is_in_file(&self, character: char) -> bool {
        let point = u32::from(character);
        let next = self.ranges.partition_point(|(first, _)| *first <= point);
        next.checked_sub(1).is_some_and(|index| point <= self.ranges[index].1)
    }

    /// Whether the font can draw the character: from its own glyph, or from those of its canonical decomposition,
    /// which shaping falls back to.
    #[must_use]
    pub fn draws(&self, character: char) -> bool {
        if self.has(character) {
            return true;
        }
        // Shaping composes a letter that is in the cmap.
        let mut all = self.unwritten.binary_search(&character).is_err();
        decompose_canonical(character, |part| all &= self.is_in_file(part));
        all
    }

    /// Whether the font can draw all of `text`; characters that are never drawn do not count.
    #[must_use]
    pub fn writes(&self, text: &str) -> bool {
        text.chars().all(|character| is_default_ignorable(character) || self.draws(character))
            && self.lacks_without_dot(text).is_none()
    }

    /// The first character that the font lacks to write a letter of `text` without its dot, because of a mark above it.
    #[must_use]
    pub fn lacks_without_dot(&self, text: &str) -> Option<char> {
        let mut rest = if text.is_ascii() { "".chars() } else { text.chars() };
        while let Some(letter) = rest.next() {
            let written = LetterWithoutDot::of(letter, rest.clone(), |character| self.has(character));
            let lacking = written.and_then(|letter| letter.parts().find(|part| !self.has(*part)));
            if lacking.is_some() {
                return lacking;
            }
        }
        None
    }

    /// Whether the font has every letter of a set named in the catalogue. The catalogue names Latin Extended-A for fonts
    /// that lack some of its letters, and other sets for fonts that have a wrong glyph for one. Not required are the long
    /// s, Greenlandic kra, the deprecated ŉ, and the compatibility letters (Ĳ, Ŀ).
    pub(super) fn has_all_of(&self, set: &str) -> bool {
        const NOT_ASKED_FOR: [char; 7] = ['ſ', 'ĸ', 'ŉ', 'Ĳ', 'ĳ', 'Ŀ', 'ŀ'];
        let writes = |letters: RangeInclusive<char>| !self.unwritten.iter().any(|other| letters.contains(other));
        match set {
            "Latin-1" => writes('À'..='Ö') && writes('Ø'..='ö') && writes('ø'..='ÿ'),
            "LatinExtA" => ('\u{100}'..='\u{17f}').all(|letter| NOT_ASKED_FOR.contains(&letter) || self.has(letter)),
            "Vietnamese" => writes('Ạ'..='ỹ'),
            _ => true,
        }
    }

    /// Number of characters of the cmaps that the font writes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|(first, last)| (last - first) as usize + 1).sum()
    }

    /// Whether the font has no character at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// Whether a character is invisible and only changes its neighbours: the part of Unicode's
/// `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt) that shaping hides. The Hangul fillers, which are
/// letters, and the shorthand controls are not in it.
#[must_use]
pub const fn is_default_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_code_points_become_one_range() {
        let characters = CharacterSet::from_code_points(vec![67, 65, 66, 66, 97]);
        assert_eq!(characters.ranges, [(65, 67), (97, 97)]);
        assert_eq!(characters.len(), 4);
        for (character, expected) in [('@', false), ('A', true), ('C', true), ('D', false), ('a', true), ('b', false)] {
            assert_eq!(characters.has(character), expected, "{character}");
        }
    }

    #[test]
    fn nothing_is_covered_by_an_empty_cmap() {
        assert!(CharacterSet::default().is_empty());
        assert!(!CharacterSet::default().has('A'));
    }

    #[test]
    fn a_letter_and_its_accent_make_the_accented_letter() {
        let characters = CharacterSet::from_code_points(vec![u32::from('e'), 0x301]);
        assert!(characters.draws('é') && !characters.has('é'));
        assert!(!characters.draws('è'));
    }

    #[test]
    fn invisible_characters_need_no_glyph() {
        let characters = CharacterSet::from_code_points(vec![u32::from('a')]);
        assert!(characters.writes("a\u{200D}a\u{FE0F}"));
        assert!(!characters.writes("ab"));
    }
}
