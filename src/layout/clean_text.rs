//! Cleans the received text: newlines, spaces, Unicode normalisation, characters that no font has.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, char::canonical_combining_class, is_nfc_quick};

use super::characters::{AS_EMOJI, CharClass, class_of, is_blank, is_compatibility_ideograph, is_emoji};
use super::error::{LayoutError, UnsupportedCharacter};
use super::look_alikes::{latin_letter, replacement};
use super::lost_spaces::lines_that_lose_spaces;
use crate::catalogue::{FontCatalogue, FontFace, FontId, is_default_ignorable};
use crate::spec::is_newline;

/// The text to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CleanText {
    /// The lines that are not blank, in order.
    pub(super) paragraphs: Vec<Paragraph>,
    /// The characters left out, each once, in order.
    pub(super) omitted: Vec<char>,
    /// The characters that the chosen font lacks, and what is written for them, each once, in order.
    pub(super) replaced: Vec<(char, String)>,
    /// Scalar values of the received text without the blanks at its end.
    pub(super) length: usize,
    /// The lines of the received text, from 1, that lost an indent, a tab or a row of spaces.
    pub(super) lost_spaces: Vec<usize>,
}

/// The text between two newlines: trimmed, spaces collapsed, NFC. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The text.
    pub(super) text: String,
    /// For each of its characters the position it came from, in scalar values of the received text.
    pub(super) sources: Vec<usize>,
    /// Newlines between the previous paragraph and this one; 0 for the first.
    pub(super) newlines_before: usize,
    /// Its line in the received text, from 1.
    pub(super) number: usize,
}

impl Paragraph {
    /// The position in the received text of the character at byte `offset`; `None` at the end.
    pub(super) fn source_at(&self, offset: usize) -> Option<usize> {
        let character = self.text.get(..offset)?.chars().count();
        self.sources.get(character).copied()
    }
}

/// Cleans a text that is to be written in the font `chosen`.
///
/// # Errors
/// [`LayoutError::UnsupportedCharacters`] with all characters that no font has.
pub(super) fn clean(text: &str, chosen: FontId, catalogue: &FontCatalogue) -> Result<CleanText, LayoutError> {
    let mut cleaner = Cleaner {
        catalogue,
        chosen: catalogue.face(chosen),
        classes: HashMap::default(),
        replacements: HashMap::new(),
        replaced: Vec::new(),
        omitted: Vec::new(),
        unsupported: Vec::new(),
        named: HashSet::new(),
        after_omitted: false,
    };
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut newlines_before = 0;
    let lines = received_lines(text);
    let lost_spaces = lines_that_lose_spaces(&lines);
    for (index, line) in lines.into_iter().enumerate() {
        let (text, sources) = cleaner.clean_line(&line);
        if !text.is_empty() {
            paragraphs.push(Paragraph { text, sources, newlines_before, number: index + 1 });
            newlines_before = 0;
        }
        // Newlines before the first paragraph do not count: blanks at the start of the text are trimmed.
        newlines_before += usize::from(!paragraphs.is_empty());
    }
    if cleaner.unsupported.is_empty() {
        let length = text.trim_end().chars().count();
        Ok(CleanText { paragraphs, omitted: cleaner.omitted, replaced: cleaner.replaced, length, lost_spaces })
    } else {
        Err(LayoutError::UnsupportedCharacters(cleaner.unsupported))
    }
}

/// The lines of a text. Each character comes with its position in the text.
fn received_lines(text: &str) -> Vec<Vec<(char, usize)>> {
    let mut lines = vec![Vec::new()];
    let mut previous = '\0';
    for (position, character) in text.chars().enumerate() {
        if is_newline(character) {
            if !(character == '\n' && previous == '\r') {
                lines.push(Vec::new());
            }
        } else if let Some(line) = lines.last_mut() {
            line.push((character, position));
        }
        previous = character;
    }
    lines
}

/// Cleans lines, and collects the characters that it could not keep.
struct Cleaner<'a> {
    catalogue: &'a FontCatalogue,
    chosen: &'a FontFace,
    /// The classes of the characters so far.
    classes: HashMap<char, CharClass, foldhash::fast::RandomState>,
    /// What can be written for the characters so far.
    replacements: HashMap<char, Option<String>>,
    replaced: Vec<(char, String)>,
    omitted: Vec<char>,
    unsupported: Vec<UnsupportedCharacter>,
    /// The characters of `omitted` and `unsupported`.
    named: HashSet<char>,
    /// Whether the previous character was left out. Then joiners and selectors after it are left out too.
    after_omitted: bool,
}

impl Cleaner<'_> {
    /// The line in NFC, as far as fonts have the composed characters; spaces collapsed, omitted characters removed.
    fn clean_line(&mut self, line: &[(char, usize)]) -> (String, Vec<usize>) {
        self.after_omitted = false;
        let line = &self.without_pictures(line)[..];
        let mut clean = (String::with_capacity(line.len()), Vec::with_capacity(line.len()));
        let is_composed = is_nfc_quick(line.iter().map(|(character, _)| *character)) == IsNormalized::Yes;
        let line = if is_composed { Cow::Borrowed(line) } else { Cow::Owned(self.composed(line)) };
        for (index, &(character, position)) in line.iter().enumerate() {
            match self.replacement(&line, index) {
                Some(letters) => letters.chars().for_each(|letter| self.push(letter, position, &mut clean)),
                None => self.push(character, position, &mut clean),
            }
        }
        if clean.0.ends_with(' ') {
            clean.0.pop();
            clean.1.pop();
        }
        clean
    }

    /// What is written for a character that the chosen font lacks, if its neighbours are written in that font as well, or
    /// no font has it. A full-width letter among ideographs keeps its form.
    fn replacement(&mut self, line: &[(char, usize)], index: usize) -> Option<String> {
        let (character, _) = *line.get(index)?;
        if character.is_ascii() {
            return None;
        }
        if let Some(letter) = latin_letter(line, index, self.chosen) {
            self.note_replaced(character, &letter);
            return Some(letter);
        }
        let letters = self.letters_for(character)?;
        let mut stays = |other: Option<&(char, usize)>| {
            other.is_none_or(|&(other, _)| {
                self.is_drawn(other) || is_blank(other) || other == '\t' || self.letters_for(other).is_some()
            })
        };
        let before = index.checked_sub(1).and_then(|before| line.get(before));
        let is_elsewhere = !stays(before) || !stays(line.get(index + 1));
        if is_elsewhere && self.class(character) == CharClass::Written {
            return None;
        }
        self.note_replaced(character, &letters);
        // 1½ is not 11/2.
        let is_mixed = letters.contains('⁄') || letters.contains('/') && character.is_numeric();
        let after_digit = before.is_some_and(|(before, _)| before.is_numeric());
        Some(if is_mixed && after_digit { format!("\u{A0}{letters}") } else { letters })
    }

    fn note_replaced(&mut self, character: char, letters: &str) {
        if !self.replaced.iter().any(|(known, _)| *known == character) {
            self.replaced.push((character, letters.to_owned()));
        }
    }

    /// The line in NFC, as far as fonts have the composed characters and the chosen font lacks the others.
    fn composed(&mut self, line: &[(char, usize)]) -> Vec<(char, usize)> {
        let mut all = Vec::with_capacity(line.len());
        // No character composes or is reordered across a starter that is never the second of a pair.
        for sequence in line.chunk_by(|_, (next, _)| !starts_sequence(*next)) {
            let position = sequence.first().map_or(0, |(_, position)| *position);
            // Another form of an ideograph of a name has its own code, and NFC takes it away.
            if let [(character, _)] = sequence
                && self.stays(*character)
            {
                all.push((*character, position));
                continue;
            }
            let composed: Vec<char> = sequence.iter().map(|(character, _)| *character).nfc().collect();
            if composed.iter().all(|character| matches!(self.class(*character), CharClass::Written | CharClass::Space))
            {
                if let ([(character, _)], [other]) = (sequence, &composed[..])
                    && is_compatibility_ideograph(*character)
                {
                    self.note_replaced(*character, &other.to_string());
                }
                all.extend(composed.into_iter().map(|character| (character, position)));
            } else {
                all.extend_from_slice(sequence);
            }
        }
        all
    }

    fn push(&mut self, character: char, position: usize, (text, sources): &mut (String, Vec<usize>)) {
        if self.after_omitted && is_default_ignorable(character) {
            return;
        }
        let class = if is_form_of_ideograph(character) && !self.has_form(text.chars().next_back(), character) {
            CharClass::Omitted
        } else {
            self.class(character)
        };
        self.after_omitted = class == CharClass::Omitted;
        match class {
            CharClass::Space if text.is_empty() || text.ends_with(' ') => {}
            CharClass::Space => {
                text.push(' ');
                sources.push(position);
            }
            CharClass::Written => {
                text.push(character);
                sources.push(position);
            }
            CharClass::Omitted if self.named.insert(character) => self.omitted.push(character),
            CharClass::Unsupported if self.named.insert(character) => {
                self.unsupported.push(UnsupportedCharacter { character, position });
            }
            CharClass::Omitted | CharClass::Unsupported => {}
        }
    }

    /// The line without the letters and punctuation that no font has and that a selector asks to show as emoji.
    fn without_pictures<'b>(&mut self, line: &'b [(char, usize)]) -> Cow<'b, [(char, usize)]> {
        if !line.iter().any(|(character, _)| *character == AS_EMOJI) {
            return Cow::Borrowed(line);
        }
        let mut kept = Vec::with_capacity(line.len());
        let mut rest = line.iter().peekable();
        while let Some(&(character, position)) = rest.next() {
            let is_picture = is_emoji(character) && rest.peek().is_some_and(|(next, _)| *next == AS_EMOJI);
            if is_picture && self.class(character) == CharClass::Unsupported {
                rest.next();
                if !self.omitted.contains(&character) {
                    self.omitted.push(character);
                }
            } else {
                kept.push((character, position));
            }
        }
        Cow::Owned(kept)
    }

    fn class(&mut self, character: char) -> CharClass {
        let (chosen, catalogue) = (self.chosen, self.catalogue);
        *self.classes.entry(character).or_insert_with(|| class_of(character, chosen, catalogue))
    }

    /// Whether the chosen font draws a character.
    fn is_drawn(&self, character: char) -> bool {
        self.chosen.characters().draws(character)
    }

    /// Whether a character stays as it is in NFC: where the chosen font draws it, or some font has the form of an
    /// ideograph.
    fn stays(&self, character: char) -> bool {
        if is_compatibility_ideograph(character) {
            return self.catalogue.faces().any(|face| face.has(character));
        }
        self.is_drawn(character)
    }

    /// Whether a font has the form of the ideograph before a selector that it asks for.
    fn has_form(&self, before: Option<char>, selector: char) -> bool {
        before.is_some_and(|before| self.catalogue.faces().any(|face| face.has_variation(before, selector)))
    }

    /// What can be written for a character that the chosen font lacks.
    fn letters_for(&mut self, character: char) -> Option<String> {
        let (chosen, catalogue) = (self.chosen, self.catalogue);
        self.replacements.entry(character).or_insert_with(|| replacement(character, chosen, catalogue)).clone()
    }
}

/// Whether a character selects a form of the ideograph before it (UTS 37).
const fn is_form_of_ideograph(character: char) -> bool {
    matches!(character, '\u{E0100}'..='\u{E01EF}')
}

fn starts_sequence(character: char) -> bool {
    let is_starter = canonical_combining_class(character) == 0;
    is_starter && is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes || is_compatibility_ideograph(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

    fn lines(text: &str) -> Vec<(usize, String)> {
        let text = clean(text, FontId::DEFAULT, &CATALOGUE).unwrap();
        text.paragraphs.into_iter().map(|paragraph| (paragraph.newlines_before, paragraph.text)).collect()
    }

    fn line(newlines: usize, text: &str) -> (usize, String) {
        (newlines, text.to_owned())
    }

    #[test]
    fn all_kinds_of_newline_break_the_line() {
        assert_eq!(
            lines("a\nb\r\nc\rd\u{2028}e"),
            ["a", "b", "c", "d", "e"].map(|text| line(usize::from(text != "a"), text))
        );
        assert_eq!(lines("a\r\n\r\nb"), [line(0, "a"), line(2, "b")]);
        assert_eq!(lines("a\n \t\n\nb"), [line(0, "a"), line(3, "b")]);
    }

    #[test]
    fn blanks_at_the_ends_of_lines_and_text_are_trimmed() {
        assert_eq!(lines("\n\n  a \t b  \n  c\n\n"), [line(0, "a b"), line(1, "c")]);
        assert_eq!(lines(" \n\t\n"), []);
    }

    #[test]
    fn text_is_composed_and_remembers_where_it_came_from() {
        let text = clean("xe\u{301}  y\u{1100}\u{1161}z", FontId::DEFAULT, &CATALOGUE).unwrap();
        let paragraph = &text.paragraphs[0];
        assert_eq!(paragraph.text, "xé y가z");
        assert_eq!(paragraph.sources, [0, 1, 3, 5, 6, 8]);
        assert_eq!(paragraph.source_at("xé ".len()), Some(5));
        assert_eq!(paragraph.source_at(paragraph.text.len()), None);
    }

    #[test]
    fn marks_are_put_in_canonical_order() {
        assert_eq!(lines("q\u{307}\u{323}"), [line(0, "q\u{323}\u{307}")]);
    }

    #[test]
    fn emoji_are_left_out_with_the_space_they_stood_in() {
        let text = clean("Hi 😀 there 😀\u{7}", FontId::DEFAULT, &CATALOGUE).unwrap();
        assert_eq!(text.paragraphs[0].text, "Hi there");
        assert_eq!(text.omitted, ['😀', '\u{7}']);
    }

    #[test]
    fn letters_and_punctuation_without_a_font_are_left_out_only_as_pictures() {
        let text = clean("a ℹ\u{FE0F} b 〰\u{FE0F}ℹ\u{FE0F}", FontId::DEFAULT, &CATALOGUE).unwrap();
        assert_eq!(text.paragraphs[0].text, "a b");
        assert_eq!(text.paragraphs[0].sources, [0, 1, 5]);
        assert_eq!(text.omitted, ['ℹ', '〰']);
        assert!(clean("〰\u{FE0F} 〰", FontId::DEFAULT, &CATALOGUE).is_err(), "the second is text");
    }

    #[test]
    fn a_character_that_the_font_lacks_is_written_by_its_letters() {
        let text = clean("oﬃce ﬃ 東Ａ京", FontId::new(10).unwrap(), &CATALOGUE).unwrap();
        assert_eq!(text.paragraphs[0].text, "office ffi 東Ａ京", "a full-width letter among ideographs is theirs");
        assert_eq!(text.paragraphs[0].sources[..6], [0, 1, 1, 1, 2, 3]);
        assert_eq!(text.replaced, [('ﬃ', "ffi".to_owned())]);
    }

    #[test]
    fn letters_of_other_scripts_in_latin_words_and_fractions_after_figures_read_as_they_are_meant() {
        let written = |text: &str| clean(text, FontId::new(3).unwrap(), &CATALOGUE).unwrap().paragraphs[0].text.clone();
        assert_eq!(written("D\u{435}ar \u{422}om, Том, \u{391}nn\u{430}"), "Dear Tom, Том, Anna");
        assert_eq!(written("1⅓ cups, ⅔ oz"), "1\u{A0}1⁄3 cups, 2⁄3 oz");
    }

    #[test]
    fn another_form_of_an_ideograph_is_told_where_the_font_lacks_it() {
        let cleaned = |text: &str| clean(text, FontId::DEFAULT, &CATALOGUE).unwrap();
        let lacking = cleaned("\u{F902}");
        assert_eq!(
            (lacking.paragraphs[0].text.as_str(), &lacking.replaced[..]),
            ("車", &[('\u{F902}', "車".to_owned())][..])
        );
        let kept = cleaned("大\u{FA19}\u{FA1B}様");
        assert!(kept.paragraphs[0].text == "大\u{FA19}\u{FA1B}様" && kept.replaced.is_empty(), "hand 90 has them");
        assert!(cleaned("Å").replaced.is_empty());
        assert_eq!(cleaned("葛\u{E0100}城").omitted, ['\u{E0100}']);
    }

    #[test]
    fn every_unsupported_character_is_named_once_with_its_place() {
        let error = clean("a𓀀b𓀁𓀀", FontId::DEFAULT, &CATALOGUE).unwrap_err();
        let named = |character, position| UnsupportedCharacter { character, position };
        assert_eq!(error, LayoutError::UnsupportedCharacters(vec![named('𓀀', 1), named('𓀁', 3)]));
    }
}
