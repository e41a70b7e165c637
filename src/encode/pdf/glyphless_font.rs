//! A TrueType font whose glyphs are all blank, for text that is searched and not seen.
//!
//! It has the tables that an embedded `CIDFontType2` needs (ISO 32000-1, 9.9), as the OpenType specification has them.

/// Units of the em.
const UNITS_PER_EM: u16 = 1000;
/// The width of every glyph.
pub(super) const ADVANCE: u16 = 500;
/// Heights above and below the baseline.
pub(super) const ASCENT: i16 = 800;
/// See [`ASCENT`].
pub(super) const DESCENT: i16 = -200;
/// The sum of all words of a font file, with the adjustment in `head` (OpenType, `head`).
const CHECKSUM: u32 = 0xB1B0_AFBA;
/// Where the adjustment stands in `head`.
const ADJUSTMENT: usize = 8;

/// The font file with `glyphs` glyphs.
pub(super) fn glyphless_font(glyphs: u16) -> Vec<u8> {
    let (ascent, descent) = (ASCENT.cast_unsigned(), DESCENT.cast_unsigned());
    let words = |words: &[u16]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let count = usize::from(glyphs);
    let mut head = vec![0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0, 0, 0, 0, 0x5F, 0x0F, 0x3C, 0xF5];
    head.extend(words(&[0, UNITS_PER_EM]));
    head.extend([0; 16]);
    // The box of all glyphs, style, smallest size, direction, short offsets, format of glyphs.
    head.extend(words(&[0, 0, 0, 0, 0, 8, 2, 0, 0]));
    let hhea = words(&[1, 0, ascent, descent, 0, ADVANCE, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    // The width of the first glyph is that of all; then their left side bearings.
    let hmtx = [words(&[ADVANCE, 0]), vec![0; 2 * count.saturating_sub(1)]].concat();
    let maxp = [words(&[1, 0, glyphs]), vec![0; 26]].concat();
    let tables: [(&[u8; 4], Vec<u8>); 6] = [
        // Some readers take an empty table for a missing one.
        (b"glyf", vec![0; 4]),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", vec![0; 2 * (count + 1)]),
        (b"maxp", maxp),
    ];
    let mut file = vec![0x00, 0x01, 0x00, 0x00];
    // Number of tables, and for their binary search: 4 tables are the largest power of two.
    file.extend(words(&[6, 4 * 16, 2, 2 * 16]));
    let mut offset = file.len() + 16 * tables.len();
    let mut head_at = 0;
    for (tag, table) in &tables {
        if *tag == b"head" {
            head_at = offset;
        }
        file.extend(*tag);
        file.extend(sum(table).to_be_bytes());
        file.extend((offset as u32).to_be_bytes());
        file.extend((table.len() as u32).to_be_bytes());
        offset += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        let length = table.len();
        file.extend(table);
        file.extend(std::iter::repeat_n(0, length.next_multiple_of(4) - length));
    }
    let adjustment = CHECKSUM.wrapping_sub(sum(&file)).to_be_bytes();
    if let Some(place) = file.get_mut(head_at + ADJUSTMENT..head_at + ADJUSTMENT + 4) {
        place.copy_from_slice(&adjustment);
    }
    file
}

/// The sum of the 32-bit words of a table.
fn sum(table: &[u8]) -> u32 {
    table.chunks(4).fold(0, |sum: u32, word| {
        let mut padded = [0; 4];
        padded.iter_mut().zip(word).for_each(|(to, from)| *to = *from);
        sum.wrapping_add(u32::from_be_bytes(padded))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_sums_up_and_its_tables_have_their_lengths() {
        for glyphs in [1, 2, 75, 4000] {
            let file = glyphless_font(glyphs);
            assert_eq!((sum(&file), file.len() % 4), (CHECKSUM, 0));
            let length = |at: usize| u32::from_be_bytes(file[at + 12..at + 16].try_into().unwrap());
            let lengths: Vec<u32> = (0..6).map(|table| length(12 + 16 * table)).collect();
            let glyphs = u32::from(glyphs);
            assert_eq!(lengths, [4, 54, 36, 2 + 2 * glyphs, 2 * (glyphs + 1), 32]);
        }
    }
}
