//! The character map of a symbol font as one of Unicode.
//!
//! Old handwriting fonts call their map one of symbols (OpenType, "cmap": platform 3, encoding 0) and have the letters
//! at U+F020 to U+F0FF. Programs read these as U+0020 to U+00FF.

use std::ops::RangeInclusive;

/// Where symbol fonts have their characters.
const SYMBOLS: RangeInclusive<u16> = 0xF000..=0xF0FF;
const WINDOWS: u16 = 3;
const SYMBOL_ENCODING: u16 = 0;
const UNICODE_ENCODING: u16 = 1;
/// Format of a map in segments of code points.
const SEGMENTS: u16 = 4;

/// The bytes of a font's file; its only map for Windows is one of Unicode, if it was one of symbols.
pub(super) fn with_unicode(bytes: Vec<u8>) -> Vec<u8> {
    rewritten(&bytes).unwrap_or(bytes)
}

/// The file of a symbol font with a map of Unicode; `None` for other fonts, and for maps in other formats.
fn rewritten(file: &[u8]) -> Option<Vec<u8>> {
    let tables = u16_at(file, 4)?;
    let tables = (0..usize::from(tables)).map(|number| 12 + 16 * number);
    let cmap = tables.filter(|at| file.get(*at..at + 4) == Some(b"cmap")).find_map(|at| u32_at(file, at + 8))?;
    let records: Vec<usize> = (0..usize::from(u16_at(file, cmap + 2)?)).map(|number| cmap + 4 + 8 * number).collect();
    let is_of = |record: usize, platform: u16| u16_at(file, record) == Some(platform);
    let is_symbol = |record: usize| is_of(record, WINDOWS) && u16_at(file, record + 2) == Some(SYMBOL_ENCODING);
    // Platform 1 is that of the Macintosh, whose maps are not of Unicode.
    if records.iter().any(|record| !is_symbol(*record) && !is_of(*record, 1)) {
        return None;
    }
    let record = records.into_iter().find(|record| is_symbol(*record))?;
    let map = cmap + u32_at(file, record + 4)?;
    let size = usize::from(u16_at(file, map + 6)?);
    if u16_at(file, map)? != SEGMENTS {
        return None;
    }
    let mut made = file.to_vec();
    put(&mut made, record + 2, UNICODE_ENCODING)?;
    for number in 0..size / 2 {
        let end = map + 14 + 2 * number;
        let start = end + size + 2;
        let (delta, offset) = (start + size, start + 2 * size);
        let (first, last) = (u16_at(file, start)?, u16_at(file, end)?);
        if SYMBOLS.contains(&first) && SYMBOLS.contains(&last) {
            put(&mut made, start, first - SYMBOLS.start())?;
            put(&mut made, end, last - SYMBOLS.start())?;
            // Without an offset the glyph is the sum of code point and delta.
            if u16_at(file, offset)? == 0 {
                put(&mut made, delta, u16_at(file, delta)?.wrapping_add(*SYMBOLS.start()))?;
            }
        } else if last != u16::MAX {
            return None;
        }
    }
    Some(made)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..at + 4)?.try_into().ok().map(|four| u32::from_be_bytes(four) as usize)
}

fn put(bytes: &mut [u8], at: usize, value: u16) -> Option<()> {
    bytes.get_mut(at..at + 2)?.copy_from_slice(&value.to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with nothing but a map of two segments of symbols, one with a delta and one with an offset.
    fn file(platform: u16, encoding: u16, first: u16) -> Vec<u8> {
        let directory = [0, 1, 1, 0, 0, 0];
        let record = [0x636D, 0x6170, 0, 0, 0, 28, 0, 52];
        let map = [0, 1, platform, encoding, 0, 12];
        let segments =
            [4, 40, 0, 6, 0, 0, 0, first + 1, first + 9, 0xFFFF, 0, first, first + 9, 0xFFFF, 7, 0, 1, 0, 4, 0, 3];
        [&directory[..], &record, &map, &segments].concat().into_iter().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn a_map_of_symbols_becomes_one_of_unicode() {
        let expected = {
            let mut expected = file(3, 1, 0x20);
            // The delta of the first segment.
            put(&mut expected, 28 + 12 + 28, 0xF007).unwrap();
            expected
        };
        assert_eq!(with_unicode(file(3, 0, 0xF020)), expected);
    }

    #[test]
    fn other_files_stay() {
        for bytes in
            [file(3, 1, 0xF020), file(0, 3, 0xF020), file(3, 0, 0x20), Vec::new(), b"random bytes and no font".to_vec()]
        {
            assert_eq!(with_unicode(bytes.clone()), bytes);
        }
        let whole = file(3, 0, 0xF020);
        for end in 0..whole.len() {
            let cut = whole[..end].to_vec();
            assert!(with_unicode(cut.clone()).len() == cut.len());
        }
    }
}
