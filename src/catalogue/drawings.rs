//! Further drawings of a font's letters: the same hand at another time. Those of the program's fonts are in files that
//! `scripts/drawings` makes; an operator's font has them as alternates for a random choice (OpenType, feature `rand`).
//!
//! Format of a file: a line `font` with the SHA-256 of the font's file; then a line for each drawing, with the letter
//! and, after a tab, the drawing. A letter is a character, or `glyph` and the number of a form that the font has for it
//! in words; a drawing is `glyph` and the number of an alternate glyph of the font, or an outline as SVG path data in
//! font units, y up. An outline has the advance of its letter in the font; the numbers of these glyphs follow those of
//! the drawn signs.

use std::collections::HashMap;

use kurbo::BezPath;
use ttf_parser::gsub::SubstitutionSubtable;
use ttf_parser::{Face, Tag};

use super::GlyphId;
use super::outline::{Outline, OutlineCommand};

/// The most drawings that a letter may have, with that of the font.
pub const MOST_DRAWINGS: usize = 8;
/// What a line has before the number of a glyph.
const GLYPH: &str = "glyph ";

/// The drawings of a font's letters.
#[derive(Default)]
pub(super) struct Drawings {
    /// The glyph of the first outline.
    first_glyph: u16,
    /// Each with the glyph of its letter in the font.
    outlines: Vec<(GlyphId, Outline)>,
    /// The drawings of each letter that has several, first the glyph that the font has for the letter.
    letters: Vec<Vec<GlyphId>>,
    /// For each glyph that shaping may give for such a letter, the index of the letter.
    of_glyph: HashMap<GlyphId, usize, foldhash::fast::RandomState>,
}

impl Drawings {
    /// Reads the drawings of a font with this checksum and number of glyphs, whose glyphs `letter` tells. Outlines get
    /// glyphs from `first_glyph` on.
    ///
    /// # Errors
    /// Another font, or a line that cannot be read.
    pub(super) fn read(
        file: &[u8],
        sha256: &str,
        [glyphs, first_glyph]: [u16; 2],
        letter: impl Fn(char) -> Option<GlyphId>,
    ) -> Result<Self, String> {
        let text = std::str::from_utf8(file).map_err(|error| error.to_string())?;
        let mut lines = (1..).zip(text.lines());
        let font = lines.next().and_then(|(_, line)| line.strip_prefix("font\t"));
        if font != Some(sha256) {
            return Err("the drawings are of another version of the font".to_owned());
        }
        let mut drawings = Self { first_glyph, ..Self::default() };
        for (number, line) in lines {
            let bad = |reason: &str| format!("line {number} of the drawings: {reason}");
            let (name, drawing) = line.split_once('\t').ok_or_else(|| bad("has no tab"))?;
            let numbered = |number: &str| number.parse().ok().filter(|number| *number < glyphs).map(GlyphId);
            let own = name.strip_prefix(GLYPH).map_or_else(|| only_character(name).and_then(&letter), numbered);
            let own = own.ok_or_else(|| bad("names no letter of the font"))?;
            let glyph = if let Some(alternate) = drawing.strip_prefix(GLYPH) {
                numbered(alternate).ok_or_else(|| bad("names no glyph of the font"))?
            } else {
                let path = BezPath::from_svg(drawing).map_err(|error| bad(&error.to_string()))?;
                let commands: Vec<OutlineCommand> = path.elements().iter().copied().map(OutlineCommand::from).collect();
                drawings
                    .add_outline(own, Outline::new(commands).ok_or_else(|| bad("is blank"))?)
                    .ok_or_else(|| bad("is one too many"))?
            };
            drawings.add(own, glyph).ok_or_else(|| bad("is one drawing too many, or one of another letter too"))?;
        }
        Ok(drawings)
    }

    /// The alternates of a file for a random choice; none of most files. Of a letter with more than are told apart the
    /// first ones count.
    pub(super) fn of_file(face: &Face<'_>) -> Self {
        let mut drawings = Self { first_glyph: u16::MAX, ..Self::default() };
        let Some(table) = face.tables().gsub else { return drawings };
        let count = face.number_of_glyphs();
        let random = table.features.into_iter().filter(|feature| feature.tag == Tag::from_bytes(b"rand"));
        let lookups = random.flat_map(|feature| feature.lookup_indices).filter_map(|index| table.lookups.get(index));
        for subtable in lookups.flat_map(|lookup| lookup.subtables.into_iter::<SubstitutionSubtable<'_>>()) {
            let SubstitutionSubtable::Alternate(alternates) = subtable else { continue };
            for letter in (0..count).map(ttf_parser::GlyphId) {
                let set = alternates.coverage.get(letter).and_then(|index| alternates.alternate_sets.get(index));
                let others = set.into_iter().flat_map(|set| set.alternates);
                for other in others.filter(|other| *other != letter && other.0 < count) {
                    // One that is another letter's stays with that.
                    if !drawings.of_glyph.contains_key(&GlyphId(other.0)) {
                        let _ = drawings.add(GlyphId(letter.0), GlyphId(other.0));
                    }
                }
            }
        }
        drawings
    }

    /// Whether every letter has but one drawing.
    pub(super) const fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    fn add_outline(&mut self, letter: GlyphId, outline: Outline) -> Option<GlyphId> {
        let glyph = self.first_glyph.checked_add(u16::try_from(self.outlines.len()).ok()?)?;
        self.outlines.push((letter, outline));
        Some(GlyphId(glyph))
    }

    /// Adds a drawing of the letter that has the glyph `letter` in the font.
    fn add(&mut self, letter: GlyphId, drawing: GlyphId) -> Option<()> {
        let index = *self.of_glyph.entry(letter).or_insert(self.letters.len());
        if index == self.letters.len() {
            self.letters.push(vec![letter]);
        }
        let drawings =
            self.letters.get_mut(index).filter(|drawings| drawings.len() < MOST_DRAWINGS && drawings[0] == letter)?;
        drawings.push(drawing);
        self.of_glyph.insert(drawing, index).is_none().then_some(())
    }

    /// How many outlines there are.
    pub(super) const fn outlines(&self) -> usize {
        self.outlines.len()
    }

    /// All drawings of the letter that a glyph is a drawing of, first that of the font; none where it has but one.
    pub(super) fn of(&self, glyph: GlyphId) -> &[GlyphId] {
        self.of_glyph.get(&glyph).and_then(|index| self.letters.get(*index)).map_or(&[], Vec::as_slice)
    }

    /// The outline of a drawing that is not in the font; `None` for other glyphs.
    pub(super) fn outline(&self, glyph: GlyphId) -> Option<&Outline> {
        Some(&self.at(glyph)?.1)
    }

    /// The glyph of the letter of which an outline is a drawing; itself for glyphs of the font.
    pub(super) fn letter(&self, glyph: GlyphId) -> GlyphId {
        self.at(glyph).map_or(glyph, |(letter, _)| *letter)
    }

    fn at(&self, glyph: GlyphId) -> Option<&(GlyphId, Outline)> {
        self.outlines.get(usize::from(glyph.0.checked_sub(self.first_glyph)?))
    }
}

/// The character that a text consists of.
fn only_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};

    /// The hands of which all small letters and T, I, S, A and D have further drawings.
    const WHOLE: [u16; 21] = [4, 5, 6, 7, 9, 11, 24, 27, 28, 29, 30, 31, 34, 35, 37, 41, 43, 44, 45, 47, 89];

    /// The hands whose fonts have alternates of all letters, and how many of each.
    const ALTERNATES: [(u16, usize); 5] = [(1, 2), (17, 6), (19, 2), (39, 1), (86, 6)];

    /// The hands that have forms of letters in words, and so drawings of these forms.
    const FORMS: [u16; 5] = [12, 77, 78, 79, 80];

    fn read(file: &str) -> Result<Drawings, String> {
        Drawings::read(file.as_bytes(), "ab", [90, 100], |letter| letter.is_ascii().then_some(GlyphId(letter as u16)))
    }

    #[test]
    fn the_drawings_of_a_letter_are_glyphs_after_those_of_the_font() {
        let box_of = |side: u16| format!("M 0 0 L {side} 0 L {side} {side} L 0 {side} Z");
        let letters = format!("1\t{}\n1\t{}\nA\t{}\nA\tglyph 89\n", box_of(1), box_of(2), box_of(3));
        let file = format!("font\tab\n{letters}glyph 80\t{}\n", box_of(4));
        let drawings = read(&file).unwrap();
        let [a, e] = ['1', 'A'].map(|letter| GlyphId(letter as u16));
        assert_eq!(drawings.of(a), [a, GlyphId(100), GlyphId(101)]);
        for drawing in [e, GlyphId(102), GlyphId(89)] {
            assert_eq!(drawings.of(drawing), [e, GlyphId(102), GlyphId(89)]);
        }
        assert_eq!(drawings.of(GlyphId(80)), [GlyphId(80), GlyphId(103)]);
        assert!(drawings.of(GlyphId(7)).is_empty() && drawings.outlines() == 4);
        assert_eq!(
            [101, 89, 104].map(|glyph| drawings.letter(GlyphId(glyph))),
            [a, GlyphId(89), GlyphId(104)],
            "an alternate has strokes of its own"
        );
        assert!((drawings.outline(GlyphId(102)).unwrap().ink.max.x.get() - 3.0).abs() < 1e-9);
        assert!(drawings.outline(a).is_none());
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        let path = "M 0 0 L 9 0 L 9 9 Z";
        let many = format!("font\tab\n{}", format!("a\t{path}\n").repeat(MOST_DRAWINGS));
        for (file, reason) in [
            ("font\tcd\n".to_owned(), "another version"),
            (format!("font\tab\na {path}\n"), "line 2 of the drawings: has no tab"),
            (format!("font\tab\nab\t{path}\n"), "names no letter"),
            (format!("font\tab\né\t{path}\n"), "names no letter"),
            (format!("font\tab\nglyph 90\t{path}\n"), "line 2 of the drawings: names no letter"),
            ("font\tab\na\tM 0 Q\n".to_owned(), "line 2 of the drawings: "),
            ("font\tab\n1\tglyph 90\n".to_owned(), "line 2 of the drawings: names no glyph"),
            ("font\tab\n1\tglyph 5\n2\tglyph 5\n".to_owned(), "line 3 of the drawings: is one drawing too many, or"),
            ("font\tab\n1\tglyph 50\n2\tglyph 5\n".to_owned(), "line 3 of the drawings: is one drawing too many, or"),
            (many, "line 9 of the drawings: is one drawing too many"),
        ] {
            let error = read(&file).err().unwrap();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn drawings_of_the_program_are_as_high_and_wide_as_their_letters() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut hands = 0;
        for face in catalogue.faces() {
            let x_height = face.x_height().get();
            let glyphs = (0..face.glyph_count()).map(GlyphId);
            let drawn: Vec<_> = glyphs.filter(|glyph| face.drawings(*glyph).first() == Some(glyph)).collect();
            hands += usize::from(!drawn.is_empty());
            for glyph in drawn {
                let own = face.ink(glyph).unwrap();
                for drawing in face.drawings(glyph).iter().filter(|drawing| drawing.0 >= face.glyph_count()) {
                    let ink = face.ink(*drawing).unwrap();
                    let edges = [
                        (ink.min.x, own.min.x),
                        (ink.max.x, own.max.x),
                        (ink.min.y, own.min.y),
                        (ink.max.y, own.max.y),
                    ];
                    let far =
                        edges.map(|(edge, own)| (edge - own).get().abs() / x_height).into_iter().fold(0.0, f64::max);
                    assert!(far < 0.45, "font {} {glyph:?}: {far}", face.id().get());
                }
            }
        }
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fonts/drawings")).unwrap();
        assert_eq!(hands, files.count());
        let dancing_script = catalogue.face(FontId::new(3).unwrap());
        assert!((0..dancing_script.glyph_count()).all(|glyph| dancing_script.drawings(GlyphId(glyph)).is_empty()));
    }

    #[test]
    fn letters_have_as_many_drawings_as_the_documentation_says() {
        let catalogue = FontCatalogue::load().unwrap();
        for face in catalogue.faces() {
            let id = face.id().get();
            let further = |letter| {
                let drawings = face.glyph_for(letter).map_or(&[][..], |glyph| face.drawings(glyph));
                drawings.iter().filter(|drawing| drawing.0 >= face.glyph_count()).count()
            };
            let of = |letters: &str| letters.chars().map(further).collect::<Vec<_>>();
            let drawn = ('a'..='z').chain('A'..='Z').any(|letter| further(letter) > 0);
            let own = ALTERNATES.into_iter().find(|(font, _)| *font == id).map(|(_, count)| count);
            assert!(WHOLE.contains(&id) || own >= Some(2) || !face.record().lively, "font {id}");
            if let Some(count) = own {
                let alternates = |letter| face.drawings(face.glyph_for(letter).unwrap()).len() - 1 - further(letter);
                assert!(('a'..='z').chain('A'..='Z').map(alternates).all(|found| found == count), "font {id}");
            }
            if FORMS.contains(&id) {
                let drawings = (0..face.glyph_count()).map(|glyph| face.drawings(GlyphId(glyph)).len());
                let counts: Vec<usize> = drawings.filter(|count| *count > 0).collect();
                assert!(counts.len() > 40 && counts.iter().all(|count| *count == 3), "font {id}");
            } else if WHOLE.contains(&id) {
                let (r, z) = (if id == 4 { 3 } else { 4 }, if id == 45 { 0 } else { 2 });
                assert_eq!(of("eaosrtni"), [4, 4, 4, 4, r, 4, 4, 4], "font {id}");
                assert_eq!(of("bcdfghjklmpquvwxy"), [2; 17], "font {id}");
                assert_eq!((further('z'), of("TISAD")), (z, vec![1; 5]), "font {id}");
            } else if drawn {
                assert!(of("ea").iter().all(|count| *count <= 3), "font {id}");
                assert!(of("osrtn").iter().all(|count| *count <= 2), "font {id}");
                assert!(of("eaosrtn").iter().sum::<usize>() >= 12, "font {id}");
                assert!(of("idlfgh").iter().all(|count| *count <= 2), "font {id}");
                assert!(of("bcjkmpquvwxyzTISAD").iter().all(|count| *count == 0), "font {id}");
            }
        }
    }
}
