//! The hidden text of a file: its words in rendering mode 3 (ISO 32000-1, 9.3.6) over the writing, in one embedded font
//! without outlines.
//!
//! Each character of the file is a glyph of its own, numbered as it is met; `ToUnicode` tells which. All glyphs are
//! equally wide, and each word is scaled to its width on the page.

use std::collections::HashMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, TextRenderingMode, UnicodeCmap};
use pdf_writer::{Chunk, Content, Filter, Name, Rect, Ref, Str};

use super::boxes::PageBoxes;
use super::forms::LEVEL;
use super::glyphless_font::{ADVANCE, ASCENT, DESCENT, glyphless_font};
use crate::units::PT_PER_INCH;
use crate::vector::TextWord;

/// The name of the font in the content.
pub(super) const FONT: Name<'static> = Name(b"Text");
/// The name of the font.
const BASE_FONT: Name<'static> = Name(b"AAAAAA+Glyphless");
const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// Points per page px.
const PT_PER_PX: f64 = PT_PER_INCH / 300.0;
/// Ems per glyph.
const EMS_PER_GLYPH: f64 = ADVANCE as f64 / 1000.0;

/// The characters of a file, and the numbers of the objects of their font.
pub(super) struct TextLayer {
    /// The font that pages name.
    pub(super) font: Ref,
    descendant: Ref,
    descriptor: Ref,
    file: Ref,
    to_unicode: Ref,
    /// By glyph, from 1.
    characters: Vec<char>,
    glyphs: HashMap<char, u16>,
}

impl TextLayer {
    /// No text yet. `next` gives the numbers.
    pub(super) fn new(next: &mut Ref) -> Self {
        Self {
            font: next.bump(),
            descendant: next.bump(),
            descriptor: next.bump(),
            file: next.bump(),
            to_unicode: next.bump(),
            characters: Vec::new(),
            glyphs: HashMap::new(),
        }
    }

    /// The content stream of a page with these words.
    pub(super) fn content(&mut self, words: &[TextWord], boxes: &PageBoxes) -> Content {
        let mut content = Content::new();
        content.save_state().begin_text();
        content.set_text_rendering_mode(TextRenderingMode::Invisible);
        let (left, top) = (boxes.trim.min.x.get(), boxes.trim.max.y.get());
        let mut size = None;
        for word in words {
            let em = rounded(word.em.get() * PT_PER_PX, 1e3);
            if size != Some(em) {
                content.set_font(FONT, em as f32);
                size = Some(em);
            }
            let own = EMS_PER_GLYPH * em * word.length() as f64;
            content.set_horizontal_scaling(rounded(word.width.get() * PT_PER_PX / own * 100.0, 1e2) as f32);
            let (sin, cos) = word.rotation.get().to_radians().sin_cos();
            // Text from right to left is mirrored, so that it goes on to the left.
            let along = if word.right_to_left { -1.0 } else { 1.0 };
            let turn = [along * cos, -along * sin, sin, cos].map(|part| rounded(part, 1e5) as f32);
            let [x, y] = [left + word.start[0] * PT_PER_PX, top - word.start[1] * PT_PER_PX];
            let [x, y] = [x, y].map(|length| rounded(length, 1e3) as f32);
            content.set_text_matrix([turn[0], turn[1], turn[2], turn[3], x, y]);
            let shown: Vec<u8> = word.text.chars().flat_map(|character| self.glyph(character).to_be_bytes()).collect();
            content.show(Str(&shown));
        }
        content.end_text().restore_state();
        content
    }

    /// The glyph of a character.
    fn glyph(&mut self, character: char) -> u16 {
        let Self { characters, glyphs, .. } = self;
        *glyphs.entry(character).or_insert_with(|| {
            characters.push(character);
            // No text has as many characters.
            u16::try_from(characters.len()).unwrap_or_default()
        })
    }

    /// Each object of the font, and what writes it.
    pub(super) fn objects(&self) -> [(Ref, Chunk); 5] {
        let written = |id: Ref, write: &dyn Fn(&mut Chunk)| {
            let mut chunk = Chunk::new();
            write(&mut chunk);
            (id, chunk)
        };
        [
            written(self.font, &|pdf| {
                let mut font = pdf.type0_font(self.font);
                font.base_font(BASE_FONT).encoding_predefined(Name(b"Identity-H"));
                font.descendant_font(self.descendant).to_unicode(self.to_unicode);
            }),
            written(self.descendant, &|pdf| {
                let mut font = pdf.cid_font(self.descendant);
                font.subtype(CidFontType::Type2).base_font(BASE_FONT).system_info(IDENTITY);
                font.font_descriptor(self.descriptor).default_width(f32::from(ADVANCE));
                font.cid_to_gid_map_predefined(Name(b"Identity"));
            }),
            written(self.descriptor, &|pdf| {
                let mut descriptor = pdf.font_descriptor(self.descriptor);
                let (ascent, descent) = (f32::from(ASCENT), f32::from(DESCENT));
                descriptor.name(BASE_FONT).flags(FontFlags::SYMBOLIC | FontFlags::FIXED_PITCH);
                descriptor.bbox(Rect::new(0.0, descent, f32::from(ADVANCE), ascent)).italic_angle(0.0);
                descriptor.ascent(ascent).descent(descent).cap_height(ascent).stem_v(80.0).font_file2(self.file);
            }),
            written(self.file, &|pdf| {
                let file = glyphless_font(u16::try_from(self.characters.len() + 1).unwrap_or(u16::MAX));
                let packed = compress_to_vec_zlib(&file, LEVEL);
                pdf.stream(self.file, &packed).filter(Filter::FlateDecode).pair(Name(b"Length1"), file.len() as i32);
            }),
            written(self.to_unicode, &|pdf| {
                let mut map = UnicodeCmap::<u16>::new(Name(b"Text-UCS2"), IDENTITY);
                for (glyph, character) in (1..).zip(&self.characters) {
                    map.pair(glyph, *character);
                }
                let packed = compress_to_vec_zlib(&map.finish(), LEVEL);
                pdf.cmap(self.to_unicode, &packed).filter(Filter::FlateDecode);
            }),
        ]
    }
}

/// A number in whole parts of one, without a negative zero.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts + 0.0
}
