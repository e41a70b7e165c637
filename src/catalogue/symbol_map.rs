//! The character map of a symbol font as one of Unicode.
//!
//! Old handwriting fonts call their map one of symbols (OpenType, "cmap": platform 3, encoding 0) and have the characters
//! of Windows-1252 at U+F020 to U+F0FF.

use std::collections::BTreeMap;

use encoding_rs::WINDOWS_1252;
use ttf_parser::{Face, PlatformId};

/// Where symbol fonts have their first character.
const FIRST: u32 = 0xF000;
const SYMBOL_ENCODING: u16 = 0;

/// The bytes of a font's file; its map for Windows is one of Unicode, if it was one of symbols.
pub(super) fn with_unicode(bytes: Vec<u8>) -> Vec<u8> {
    rewritten(&bytes).unwrap_or(bytes)
}

/// The file of a symbol font with a map of Unicode alone; `None` for other fonts.
fn rewritten(file: &[u8]) -> Option<Vec<u8>> {
    let maps = Face::parse(file, 0).ok()?.tables().cmap?.subtables;
    let is_of_windows = |map: &ttf_parser::cmap::Subtable<'_>| {
        map.platform_id == PlatformId::Windows && map.encoding_id == SYMBOL_ENCODING
    };
    // Maps for the Macintosh are not of Unicode.
    if maps.into_iter().any(|map| !is_of_windows(&map) && map.platform_id != PlatformId::Macintosh) {
        return None;
    }
    let symbols = maps.into_iter().find(is_of_windows)?;
    let mut glyphs = BTreeMap::new();
    symbols.codepoints(|point| {
        let byte = point.checked_sub(FIRST).and_then(|byte| u8::try_from(byte).ok());
        let character = byte.map_or_else(|| char::from_u32(point), of_windows);
        if let (Some(character), Some(glyph)) = (character, symbols.glyph_index(point).filter(|glyph| glyph.0 != 0)) {
            glyphs.insert(u32::from(character), u32::from(glyph.0));
        }
    });
    // Only then are its letters at U+F020.
    glyphs.contains_key(&u32::from('a')).then(|| with_map(file, &unicode_map(&glyphs)))?
}

/// A character of Windows-1252 that is no control.
fn of_windows(byte: u8) -> Option<char> {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
    text.chars().next().filter(|character| !character.is_control())
}

/// A table "cmap" of one map of Unicode, with a group for each character (format 12).
fn unicode_map(glyphs: &BTreeMap<u32, u32>) -> Vec<u8> {
    const HEADER: [u16; 6] = [0, 1, 3, 10, 0, 12];
    let count = glyphs.len() as u32;
    let map = [12 << 16, 16 + 12 * count, 0, count];
    let groups = glyphs.iter().flat_map(|(character, glyph)| [*character, *character, *glyph]);
    let header = HEADER.into_iter().flat_map(u16::to_be_bytes);
    header.chain(map.into_iter().chain(groups).flat_map(u32::to_be_bytes)).collect()
}

/// The file with another table "cmap", at its end.
fn with_map(file: &[u8], map: &[u8]) -> Option<Vec<u8>> {
    let tables = u16::from_be_bytes(file.get(4..6)?.try_into().ok()?);
    let mut records = (0..usize::from(tables)).map(|number| 12 + 16 * number);
    let record = records.find(|at| file.get(*at..at + 4) == Some(b"cmap"))?;
    let mut made = file.to_vec();
    // Tables begin at multiples of four bytes.
    made.resize(file.len().next_multiple_of(4), 0);
    let place = [u32::try_from(made.len()).ok()?, map.len() as u32].map(u32::to_be_bytes);
    made.extend(map);
    made.get_mut(record + 8..record + 16)?.copy_from_slice(place.as_flattened());
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};

    /// A bundled font with this map alone.
    fn font(encoding: u16, first: u32) -> Vec<u8> {
        let catalogue = FontCatalogue::load().unwrap();
        let glyphs = (0x20..0x7F).chain(0x80..=0xFF).map(|byte: u32| (first + byte, byte));
        let mut map = unicode_map(&glyphs.collect());
        map[7] = encoding as u8;
        with_map(catalogue.face(FontId::DEFAULT).bytes(), &map).unwrap()
    }

    #[test]
    fn a_map_of_symbols_becomes_one_of_unicode() {
        let file = with_unicode(font(SYMBOL_ENCODING, FIRST));
        let face = Face::parse(&file, 0).unwrap();
        for (character, glyph) in
            [('a', Some(0x61)), ('é', Some(0xE9)), ('’', Some(0x92)), ('€', Some(0x80)), ('\u{81}', None)]
        {
            assert_eq!(face.glyph_index(character).map(|glyph| glyph.0), glyph, "{character}");
        }
    }

    #[test]
    fn other_files_stay() {
        for bytes in [font(10, 0), font(SYMBOL_ENCODING, 0xE000), Vec::new(), b"random bytes and no font".to_vec()] {
            assert_eq!(with_unicode(bytes.clone()), bytes);
        }
        let whole = font(SYMBOL_ENCODING, FIRST);
        for end in (0..400).chain([whole.len() - 1]) {
            with_unicode(whole[..end].to_vec());
        }
    }
}
