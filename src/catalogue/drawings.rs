//! Further drawings of a font's letters: the same hand at another time. `scripts/drawings` makes them.
//!
//! Format of a file: a line `font` with the SHA-256 of the font's file; then a line for each drawing, with the letter and
//! its outline as SVG path data in font units, y up. Cells are separated by tabs. A drawing has the advance of the letter
//! in the font. The numbers of its glyphs follow those of the drawn signs.

use std::collections::HashMap;
use std::ops::Range;

use kurbo::BezPath;

use super::GlyphId;
use super::outline::{Outline, OutlineCommand};

/// The most drawings that a letter may have, with that of the font.
pub(super) const MOST: usize = 5;

/// The further drawings of a font.
#[derive(Default)]
pub(super) struct Drawings {
    /// The glyph of the first.
    first_glyph: u16,
    /// Each with the glyph of its letter in the font.
    outlines: Vec<(GlyphId, Outline)>,
    /// For the glyph of each letter, its drawings as indices.
    of_letter: HashMap<GlyphId, Range<u16>>,
}

impl Drawings {
    /// Reads the drawings of a font with this checksum, whose glyphs `letter` tells. Their glyphs have numbers from
    /// `first_glyph` on.
    ///
    /// # Errors
    /// Another font, or a line that cannot be read.
    pub(super) fn read(
        file: &[u8],
        sha256: &str,
        first_glyph: u16,
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
            let (name, path) = line.split_once('\t').ok_or_else(|| bad("has no tab"))?;
            let mut characters = name.chars();
            let glyph = characters.next().and_then(&letter).filter(|_| characters.next().is_none());
            let glyph = glyph.ok_or_else(|| bad("names no letter of the font"))?;
            let path = BezPath::from_svg(path).map_err(|error| bad(&error.to_string()))?;
            let commands: Vec<OutlineCommand> = path.elements().iter().copied().map(OutlineCommand::from).collect();
            let outline = Outline::new(commands).ok_or_else(|| bad("is blank"))?;
            let index = u16::try_from(drawings.outlines.len()).map_err(|_| bad("is one too many"))?;
            drawings.outlines.push((glyph, outline));
            let known = drawings.of_letter.entry(glyph).or_insert(index..index);
            if known.end != index || known.len() + 2 > MOST {
                return Err(bad("belongs to a letter that has drawings elsewhere, or too many"));
            }
            known.end += 1;
        }
        Ok(drawings)
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.outlines.len()
    }

    /// The further drawings of the letter with this glyph; most often none.
    pub(super) fn of_letter(&self, glyph: GlyphId) -> Range<u16> {
        self.of_letter.get(&glyph).map_or(0..0, |known| self.first_glyph + known.start..self.first_glyph + known.end)
    }

    /// The outline of a drawing; `None` for other glyphs.
    pub(super) fn outline(&self, glyph: GlyphId) -> Option<&Outline> {
        Some(&self.at(glyph)?.1)
    }

    /// The glyph of the letter of which a glyph is a drawing; itself for other glyphs.
    pub(super) fn letter(&self, glyph: GlyphId) -> GlyphId {
        self.at(glyph).map_or(glyph, |(letter, _)| *letter)
    }

    fn at(&self, glyph: GlyphId) -> Option<&(GlyphId, Outline)> {
        self.outlines.get(usize::from(glyph.0.checked_sub(self.first_glyph)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};

    /// The hands of which all small letters and T, I, S, A and D have further drawings.
    const WHOLE: [u16; 16] = [4, 6, 7, 9, 11, 24, 27, 28, 29, 30, 34, 37, 43, 44, 45, 47];

    fn read(file: &str) -> Result<Drawings, String> {
        Drawings::read(file.as_bytes(), "ab", 100, |letter| letter.is_ascii().then_some(GlyphId(letter as u16)))
    }

    #[test]
    fn the_drawings_of_a_letter_are_glyphs_after_those_of_the_font() {
        let box_of = |side: u16| format!("M 0 0 L {side} 0 L {side} {side} L 0 {side} Z");
        let drawings = read(&format!("font\tab\na\t{}\na\t{}\ne\t{}\n", box_of(1), box_of(2), box_of(3))).unwrap();
        let [a, e] = ['a', 'e'].map(|letter| GlyphId(letter as u16));
        assert_eq!((drawings.of_letter(a), drawings.of_letter(e)), (100..102, 102..103));
        assert_eq!((drawings.of_letter(GlyphId(7)), drawings.len()), (0..0, 3));
        assert_eq!(
            (drawings.letter(GlyphId(101)), drawings.letter(a), drawings.letter(GlyphId(103))),
            (a, a, GlyphId(103))
        );
        assert!((drawings.outline(GlyphId(102)).unwrap().ink.max.x.get() - 3.0).abs() < 1e-9);
        assert!(drawings.outline(a).is_none());
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        let path = "M 0 0 L 9 0 L 9 9 Z";
        let many = format!("font\tab\n{}", format!("a\t{path}\n").repeat(MOST));
        for (file, reason) in [
            ("font\tcd\n".to_owned(), "another version"),
            (format!("font\tab\na {path}\n"), "line 2 of the drawings: has no tab"),
            (format!("font\tab\nab\t{path}\n"), "names no letter"),
            (format!("font\tab\né\t{path}\n"), "names no letter"),
            ("font\tab\na\tM 0 Q\n".to_owned(), "line 2 of the drawings: "),
            (format!("font\tab\na\t{path}\ne\t{path}\na\t{path}\n"), "line 4 of the drawings: belongs to"),
            (many, "too many"),
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
            let letters = ('a'..='z').chain('A'..='Z').filter_map(|letter| Some((letter, face.glyph_for(letter)?)));
            let drawn: Vec<_> = letters.filter(|(_, glyph)| !face.drawings(*glyph).is_empty()).collect();
            hands += usize::from(!drawn.is_empty());
            for (letter, glyph) in drawn {
                let own = face.ink(glyph).unwrap();
                for drawing in face.drawings(glyph) {
                    let ink = face.ink(GlyphId(drawing)).unwrap();
                    let edges = [
                        (ink.min.x, own.min.x),
                        (ink.max.x, own.max.x),
                        (ink.min.y, own.min.y),
                        (ink.max.y, own.max.y),
                    ];
                    let far =
                        edges.map(|(edge, own)| (edge - own).get().abs() / x_height).into_iter().fold(0.0, f64::max);
                    assert!(far < 0.45, "font {} {letter}: {far}", face.id().get());
                }
            }
        }
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fonts/drawings")).unwrap();
        assert_eq!(hands, files.count());
        assert!(catalogue.face(FontId::DEFAULT).drawings(GlyphId(5)).is_empty());
    }

    #[test]
    fn letters_have_as_many_drawings_as_the_documentation_says() {
        let catalogue = FontCatalogue::load().unwrap();
        for face in catalogue.faces() {
            let id = face.id().get();
            let further = |letter| face.glyph_for(letter).map_or(0, |glyph| face.drawings(glyph).len());
            let of = |letters: &str| letters.chars().map(further).collect::<Vec<_>>();
            let drawn = ('a'..='z').chain('A'..='Z').any(|letter| further(letter) > 0);
            assert!(WHOLE.contains(&id) || !face.record().lively, "font {id}");
            if WHOLE.contains(&id) {
                let (r, z) = (if id == 4 { 3 } else { 4 }, if id == 45 { 0 } else { 2 });
                assert_eq!(of("eaosrtni"), [4, 4, 4, 4, r, 4, 4, 4], "font {id}");
                assert_eq!(of("bcdfghjklmpquvwxy"), [2; 17], "font {id}");
                assert_eq!((further('z'), of("TISAD")), (z, vec![1; 5]), "font {id}");
            } else if drawn {
                assert!(of("eaosrtn").iter().all(|count| *count <= 2), "font {id}");
                assert!(of("eaosrtn").iter().sum::<usize>() >= 12, "font {id}");
                assert!(of("idlfgh").iter().all(|count| *count <= 2), "font {id}");
                assert!(of("bcjkmpquvwxyzTISAD").iter().all(|count| *count == 0), "font {id}");
            }
        }
    }
}
