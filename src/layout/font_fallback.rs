//! Chooses the font of each character: the chosen font, or the closest font that has the character.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use unicode_script::Script;

use super::characters::{can_draw, is_space, is_word_part};
use super::error::{list_of, name_of};
use super::tokens::{clusters, script_of, tokens};
use crate::catalogue::{FontCatalogue, FontId, is_default_ignorable};
use crate::warning::{Warning, WarningKind};

/// Words that may be written in another font than their neighbours; more would look like two writers.
const MOST_ODD_WORDS: usize = 2;

/// Assigns fonts to one text, and records the substitutions.
pub(super) struct FontFallback<'a> {
    catalogue: &'a FontCatalogue,
    /// The font of the request.
    chosen: FontId,
    /// The font that writes whatever it can: the chosen one, or its substitute for the whole text.
    main: FontId,
    /// The fonts of scripts of which several words need another font.
    of_script: HashMap<Script, FontId>,
    /// The fonts that have all of the few words of a script that the chosen font lacks, so that these look alike.
    of_odd_words: HashMap<Script, FontId>,
    /// Whether only fonts with strokes can be used.
    needs_strokes: bool,
    /// Whether the chosen font writes the whole text.
    is_unneeded: bool,
    /// The fallback font of each word or cluster looked up so far.
    known: HashMap<String, Option<FontId>>,
    /// What each fallback font replaced, in order of first use.
    substituted: Vec<Substitution>,
    /// Its characters by font, for fast lookup.
    noted: HashSet<(FontId, char)>,
}

/// What one fallback font replaced.
struct Substitution {
    font: FontId,
    /// The characters that the chosen font lacks.
    lacking: Vec<char>,
    /// How many whole words it writes because of some of them.
    words: usize,
    /// Whether it writes some of them alone, such as signs.
    alone: bool,
}

impl Substitution {
    /// What is written in the font, as the end of a sentence that names the characters.
    fn extent(&self, is_main: bool) -> String {
        let (it, they) = if self.lacking.len() == 1 { ("it", "it") } else { ("them", "they") };
        let words = if self.words == 1 { "1 whole word".to_owned() } else { format!("{} whole words", self.words) };
        let verb = if self.words == 1 && !self.alone { "is" } else { "are" };
        let contain = if self.words == 1 { "contains" } else { "contain" };
        match (self.words > 0, self.alone) {
            (true, _) if is_main => {
                format!("{words} that {contain} {it} would stand out, so all of the text is written in")
            }
            (true, false) => format!("{words} that {contain} {it} {verb} written in"),
            (true, true) => format!("{they} and {words} that {contain} {it} are written in"),
            (false, _) => "written in".to_owned(),
        }
    }
}

/// A part of a paragraph in one font.
pub(super) type FontSpan = (Range<usize>, FontId);

impl<'a> FontFallback<'a> {
    /// The fallback for a text of these paragraphs in the font `chosen`.
    pub(super) fn new(catalogue: &'a FontCatalogue, chosen: FontId, paragraphs: &[&str], needs_strokes: bool) -> Self {
        let mut fallback = Self {
            catalogue,
            chosen,
            main: chosen,
            of_script: HashMap::new(),
            of_odd_words: HashMap::new(),
            needs_strokes,
            is_unneeded: false,
            known: HashMap::new(),
            substituted: Vec::new(),
            noted: HashSet::new(),
        };
        fallback.choose_for_all(paragraphs);
        fallback
    }

    /// Chooses one font for all words of a script, where more than [`MOST_ODD_WORDS`] of them need another font. It
    /// writes the whole text if most words are of the script, and the chosen font writes some of them.
    fn choose_for_all(&mut self, paragraphs: &[&str]) {
        self.is_unneeded = !paragraphs.is_empty() && paragraphs.iter().all(|text| self.writes(self.chosen, text));
        if self.is_unneeded {
            return;
        }
        // The words of each script, and those of them that the chosen font lacks.
        let mut scripts: Vec<(Script, Vec<&str>, Vec<&str>)> = Vec::new();
        for (text, token) in paragraphs.iter().flat_map(|text| tokens(text).into_iter().map(move |token| (text, token)))
        {
            let word = &text[token];
            let script = script_of(word);
            if !word.starts_with(is_word_part) || script == Script::Common {
                continue;
            }
            let lacking = if self.writes(self.chosen, word) { None } else { Some(word) };
            match scripts.iter_mut().find(|(known, ..)| *known == script) {
                Some((_, words, all_lacking)) => {
                    words.push(word);
                    all_lacking.extend(lacking);
                }
                None => scripts.push((script, vec![word], lacking.into_iter().collect())),
            }
        }
        let most = scripts.iter().map(|(_, words, _)| words.len()).max();
        for (script, words, lacking) in scripts {
            if lacking.len() <= MOST_ODD_WORDS {
                let font = if lacking.is_empty() { None } else { self.substitute(&lacking.concat()) };
                self.of_odd_words.extend(font.map(|font| (script, font)));
                continue;
            }
            let Some(font) = self.substitute(&words.concat()) else { continue };
            if lacking.len() < words.len() && most == Some(words.len()) {
                self.main = font;
            } else {
                self.of_script.insert(script, font);
            }
        }
    }

    /// The closest font that has all of `part`, with strokes if these are needed and any such font has it.
    fn substitute(&self, part: &str) -> Option<FontId> {
        let with_strokes = || self.catalogue.fallback(self.chosen, part, &|face| face.has_strokes());
        let found = self.needs_strokes.then(with_strokes).flatten();
        found.or_else(|| self.catalogue.fallback(self.chosen, part, &|_| true))
    }

    /// The fonts of a paragraph, without gaps. A word (letters and marks of one script) is drawn in one font if any
    /// font has all of it. Otherwise each grapheme cluster gets its own font, and at last each character.
    pub(super) fn assign(&mut self, text: &str) -> Vec<FontSpan> {
        let has_one_font = self.main == self.chosen && self.of_script.is_empty();
        if self.is_unneeded || has_one_font && self.writes(self.chosen, text) {
            return vec![(0..text.len(), self.chosen)];
        }
        let mut spans: Vec<FontSpan> = Vec::new();
        for token in tokens(text) {
            if !self.assign_whole(text, token.clone(), &mut spans) {
                for cluster in clusters(&text[token.clone()]) {
                    self.assign_cluster(text, token.start + cluster.start..token.start + cluster.end, &mut spans);
                }
            }
        }
        join_over_spaces(text, spans, self.main)
    }

    /// A warning for each fallback font.
    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let named = |font: FontId| format!("font {} ({})", font.get(), self.catalogue.face(font).name());
        self.substituted.iter().map(move |substitution| {
            let lacking: Vec<String> = substitution.lacking.iter().map(|character| name_of(*character)).collect();
            let (chosen, other) = (named(self.chosen), named(substitution.font));
            let extent = substitution.extent(substitution.font == self.main);
            let message = format!("{chosen} lacks {}; {extent} {other}", list_of(&lacking));
            Warning::new(WarningKind::FontSubstituted, "font_id", message)
        })
    }

    /// Gives a part of the text one font, if any font has all of it.
    fn assign_whole(&mut self, text: &str, range: Range<usize>, spans: &mut Vec<FontSpan>) -> bool {
        let part = &text[range.clone()];
        let found = self.font_for(part, last_font(spans).unwrap_or(self.main));
        if let Some(font) = found {
            self.note(font, part);
            extend(spans, range, font);
        }
        found.is_some()
    }

    fn assign_cluster(&mut self, text: &str, cluster: Range<usize>, spans: &mut Vec<FontSpan>) {
        if self.assign_whole(text, cluster.clone(), spans) {
            return;
        }
        let previous = last_font(spans).unwrap_or(self.main);
        for (offset, character) in text[cluster.clone()].char_indices() {
            let start = cluster.start + offset;
            let end = start + character.len_utf8();
            let font = self.font_for(&text[start..end], previous).unwrap_or(self.chosen);
            self.note(font, &text[start..end]);
            extend(spans, start..end, font);
        }
    }

    /// The font of the script, the main font, that of the text before (punctuation stays with its word), or the closest
    /// font that has all of `part`.
    fn font_for(&mut self, part: &str, previous: FontId) -> Option<FontId> {
        let of_script = self.of_script.get(&script_of(part)).copied().filter(|_| part.starts_with(is_word_part));
        let usual = of_script.into_iter().chain([self.main, self.chosen]);
        if let Some(font) = usual.into_iter().find(|font| self.writes(*font, part)) {
            return Some(font);
        }
        if !part.starts_with(is_word_part) && self.writes(previous, part) {
            return Some(previous);
        }
        if let Some(font) = self.known.get(part) {
            return *font;
        }
        let of_odd_words = self.of_odd_words.get(&script_of(part)).copied().filter(|_| part.starts_with(is_word_part));
        let font = of_odd_words.filter(|font| self.writes(*font, part)).or_else(|| self.substitute(part));
        self.known.insert(part.to_owned(), font);
        font
    }

    fn writes(&self, font: FontId, part: &str) -> bool {
        let face = self.catalogue.face(font);
        part.chars().all(|character| is_default_ignorable(character) || can_draw(face, character))
            && face.characters().lacks_without_dot(part).is_none()
    }

    fn note(&mut self, font: FontId, part: &str) {
        if font == self.chosen {
            return;
        }
        let face = self.catalogue.face(self.chosen);
        let index = self.substituted.iter().position(|known| known.font == font).unwrap_or_else(|| {
            self.substituted.push(Substitution { font, lacking: Vec::new(), words: 0, alone: false });
            self.substituted.len() - 1
        });
        let Some(substitution) = self.substituted.get_mut(index) else { return };
        let in_word = part.starts_with(is_word_part);
        let lacks = |character: &char| !is_default_ignorable(*character) && !can_draw(face, *character);
        let mut lacking: Vec<char> = part.chars().filter(lacks).collect();
        if lacking.is_empty() {
            // An i that a mark takes the dot from.
            lacking.extend(face.characters().lacks_without_dot(part).filter(lacks));
        }
        substitution.words += usize::from(in_word && !lacking.is_empty());
        for character in lacking {
            substitution.alone |= !in_word;
            if self.noted.insert((font, character)) {
                substitution.lacking.push(character);
            }
        }
    }
}

fn last_font(spans: &[FontSpan]) -> Option<FontId> {
    spans.last().map(|(_, font)| *font)
}

fn extend(spans: &mut Vec<FontSpan>, range: Range<usize>, font: FontId) {
    match spans.last_mut() {
        Some((last, same)) if *same == font => last.end = range.end,
        _ => spans.push((range, font)),
    }
}

/// Spaces between two words of the same fallback font join that font, so that both words are shaped together.
fn join_over_spaces(text: &str, spans: Vec<FontSpan>, chosen: FontId) -> Vec<FontSpan> {
    let mut joined: Vec<FontSpan> = Vec::with_capacity(spans.len());
    let mut rest = spans.into_iter().peekable();
    while let Some((range, font)) = rest.next() {
        let before = last_font(&joined).filter(|font| *font != chosen);
        let after = rest.peek().map(|(_, font)| *font);
        let blank = font == chosen && text[range.clone()].chars().all(is_space);
        match before {
            Some(before) if blank && after == Some(before) => extend(&mut joined, range, before),
            _ => extend(&mut joined, range, font),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

    fn assign(font: u16, text: &str) -> Vec<(String, u16)> {
        let mut fonts = FontFallback::new(&CATALOGUE, FontId::new(font).unwrap(), &[text], false);
        fonts.assign(text).into_iter().map(|(range, font)| (text[range].to_owned(), font.get())).collect()
    }

    #[test]
    fn what_the_chosen_font_has_it_writes() {
        assert_eq!(assign(1, "Hello, Привет\u{A0}1\u{2011}2"), [("Hello, Привет\u{A0}1\u{2011}2".to_owned(), 1)]);
    }

    #[test]
    fn a_word_is_not_split_between_two_fonts() {
        let parts = assign(8, "say Dvořák, please");
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[1].0, "Dvořák");
        assert_eq!((parts[0].1, parts[2].1), (8, 8));
    }

    #[test]
    fn a_figure_within_a_word_belongs_to_it() {
        for (text, expected) in [("to Sḵwx̱wú7mesh", "Sḵwx̱wú7mesh"), ("7 Jiří4", "Jiří")] {
            let parts = assign(8, text);
            assert!(parts.iter().any(|(part, font)| part == expected && *font != 8), "{parts:?}");
        }
    }

    #[test]
    fn spaces_between_words_of_another_font_go_with_it() {
        let parts = assign(2, "to שלום עולם now");
        assert_eq!(parts.iter().map(|(part, _)| part.as_str()).collect::<Vec<_>>(), ["to ", "שלום עולם", " now"]);
    }

    #[test]
    fn a_text_with_many_words_that_its_font_lacks_is_in_one_hand() {
        let text = "Milý Jiří, děkuji za řízky a příjemný večer, 12. května";
        let parts = assign(8, text);
        assert_eq!(parts.len(), 1, "{parts:?}");
        assert_ne!(parts[0].1, 8);
        // Two words alone do not change the others.
        assert_eq!(assign(8, "Dear Jiří and Dvořák, thank you")[0], ("Dear ".to_owned(), 8));
        // Words of a script that the font lacks altogether are in one hand, and the others stay.
        let mixed = assign(8, "Dear Noa, שלום לכולם ותודה רבה, Ann");
        let fonts: HashSet<u16> = mixed.iter().map(|(_, font)| *font).collect();
        assert!(fonts.len() == 2 && mixed[0].1 == 8 && mixed.last().unwrap().1 == 8, "{mixed:?}");
    }

    #[test]
    fn strokes_come_from_fonts_that_have_them() {
        let mut fonts = FontFallback::new(&CATALOGUE, FontId::new(50).unwrap(), &["Nguyễn"], true);
        let spans = fonts.assign("Nguyễn");
        assert!(spans.iter().all(|(_, font)| CATALOGUE.face(*font).has_strokes()), "{spans:?}");
    }

    #[test]
    fn japanese_stays_in_one_font() {
        let parts = assign(1, "東京へ行く。OK");
        assert_eq!(parts, [("東京へ行く。".to_owned(), 90), ("OK".to_owned(), 1)]);
    }

    #[test]
    fn a_cluster_that_no_font_has_whole_is_split() {
        let parts = assign(1, "ह\u{E34}");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0], ("ह".to_owned(), 81));
    }

    #[test]
    fn substitutions_are_named_once_a_font() {
        let text = "Dvořák řeřicha";
        let mut fonts = FontFallback::new(&CATALOGUE, FontId::new(8).unwrap(), &[text], false);
        fonts.assign(text);
        let warnings: Vec<Warning> = fonts.warnings().collect();
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].message.contains(
                "font 8 (Homemade Apple) lacks ř (U+0159); 2 whole words that contain it are written in font"
            ),
            "{warnings:?}"
        );
    }

    #[test]
    fn a_warning_tells_whether_whole_words_changed() {
        let message = |font: u16, text: &str| {
            let mut fonts = FontFallback::new(&CATALOGUE, FontId::new(font).unwrap(), &[text], false);
            fonts.assign(text);
            let warnings: Vec<Warning> = fonts.warnings().collect();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            warnings[0].message.clone()
        };
        let greek = "; 1 whole word that contains them is written in font 19 (Mynerve)";
        assert!(message(9, "Say καλό now").ends_with(greek), "{}", message(9, "Say καλό now"));
        // A sign alone.
        assert!(message(1, "2 ∑ here").contains("lacks ∑ (U+2211); written in font "), "{}", message(1, "2 ∑ here"));
        // A letter alone is a word.
        let letters = message(8, "č č č Dobrý den");
        assert!(letters.contains("; 3 whole words that contain it would stand out, so all of the text"), "{letters}");
        // Both in one font.
        let both = message(9, "∑ καλό");
        assert!(both.contains("; they and 1 whole word that contains them are written in font 19"), "{both}");
    }
}
