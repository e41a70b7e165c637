//! The Huffman codes of a deflate block with dynamic codes (RFC 1951, section 3.2).
//!
//! Literals and lengths have a trained code, given by its lengths. The stream has only two distances, one bit each: one
//! pixel back, and one pixel and a filter byte back at the start of a row.

use super::bit_writer::{BitWriter, Bits};

/// Literals 0 to 255, the end of the block, and the 29 length symbols.
pub(super) const SYMBOLS: usize = 286;
/// The symbol that ends a block.
pub(super) const END_OF_BLOCK: usize = 256;
/// The shortest and the longest match of deflate in bytes.
pub(super) const SHORTEST_MATCH: usize = 3;
/// See [`SHORTEST_MATCH`].
pub(super) const LONGEST_MATCH: usize = 258;

/// The order in which a block states the lengths of its code length code (RFC 1951, 3.2.7).
const STATED_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/// One code length code for all blocks, by symbol. It is short for repetitions and for common lengths of the trained
/// codes. A better code would save about ten bytes per file.
const CODE_LENGTH_LENGTHS: [u8; 19] = [6, 5, 5, 5, 5, 5, 5, 4, 3, 3, 4, 4, 4, 6, 6, 6, 3, 4, 4];

/// The distance of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// One pixel: the match repeats the pixel before it.
    Pixel,
    /// One pixel and the filter byte: the match repeats the last pixel of the row above at the start of a row.
    RowStart,
}

/// A literal/length code and the two distances, for pixels of a given size.
#[derive(Debug)]
pub(super) struct BlockCode {
    lengths: [u8; SYMBOLS],
    strings: [Bits; SYMBOLS],
    /// Bytes per pixel, 1 to 4.
    pixel_bytes: usize,
}

impl BlockCode {
    /// The canonical code whose symbols have `lengths` bits (0: the symbol has no code); they must fulfil Kraft's
    /// equality with at most 15 bits each.
    pub(super) fn new(lengths: &[u8; SYMBOLS], pixel_bytes: usize) -> Self {
        Self { strings: canonical_code(lengths), lengths: *lengths, pixel_bytes }
    }

    /// The code of a literal byte.
    pub(super) fn literal(&self, byte: u8) -> Bits {
        self.strings[usize::from(byte)]
    }

    /// The code that ends the block.
    pub(super) const fn end_of_block(&self) -> Bits {
        self.strings[END_OF_BLOCK]
    }

    /// A match of 3 to 258 bytes.
    pub(super) fn copy(&self, length: usize, distance: Distance) -> Bits {
        let (symbol, extra) = length_symbol(length);
        let distance = match distance {
            Distance::Pixel => Bits::new(0, 1),
            // Distance 5 is the first of the two that share symbol 4; an extra bit distinguishes them.
            Distance::RowStart => Bits::new(1, 1 + u32::from(self.pixel_bytes == 4)),
        };
        self.strings[symbol].then(extra).then(distance)
    }

    /// Begins a block with this code that is not the last of its stream.
    pub(super) fn write_header(&self, writer: &mut BitWriter<'_>) {
        let distances = self.pixel_bytes + 1;
        writer.push(Bits::new(0b10 << 1, 3));
        writer.push(Bits::new(SYMBOLS as u64 - 257, 5).then(Bits::new(distances as u64 - 1, 5)));
        writer.push(Bits::new(STATED_ORDER.len() as u64 - 4, 4));
        for symbol in STATED_ORDER {
            writer.push(Bits::new(u64::from(CODE_LENGTH_LENGTHS[symbol]), 3));
        }
        let mut stated = self.lengths.to_vec();
        stated.resize(SYMBOLS + self.pixel_bytes - 1, 0);
        stated.extend_from_slice(&[1, 1]);
        write_code_lengths(&stated, writer);
    }
}

/// The symbol of a match length and its extra bits (RFC 1951, 3.2.5): from 11 bytes on, four symbols to each power of
/// two.
pub(super) fn length_symbol(length: usize) -> (usize, Bits) {
    debug_assert!((SHORTEST_MATCH..=LONGEST_MATCH).contains(&length), "no match has {length} bytes");
    let beyond = length - SHORTEST_MATCH;
    match length {
        LONGEST_MATCH => (285, Bits::NONE),
        3..=10 => (257 + beyond, Bits::NONE),
        _ => {
            let extra = beyond.ilog2() - 2;
            let value = beyond & ((1 << extra) - 1);
            (261 + 4 * extra as usize + (beyond >> extra & 3), Bits::new(value as u64, extra))
        }
    }
}

/// Numbers the codes of each length in the order of their symbols (RFC 1951, 3.2.2). Deflate sends the most significant
/// bit of a code first, so codes are stored reversed.
fn canonical_code<const N: usize>(lengths: &[u8; N]) -> [Bits; N] {
    let mut next = [0_u32; 17];
    for length in 1..16 {
        let shorter = lengths.iter().filter(|&&other| usize::from(other) == length).count() as u32;
        next[length + 1] = (next[length] + shorter) << 1;
    }
    lengths.map(|length| {
        if length == 0 {
            return Bits::NONE;
        }
        let code = &mut next[usize::from(length)];
        let reversed = code.reverse_bits() >> (32 - u32::from(length));
        *code += 1;
        Bits::new(u64::from(reversed), u32::from(length))
    })
}

/// Code lengths in the run-length form of RFC 1951, 3.2.7: 16 repeats the last length 3 to 6 times, 17 and 18 stand for
/// 3 to 10 and 11 to 138 zeros.
fn write_code_lengths(lengths: &[u8], writer: &mut BitWriter<'_>) {
    let code = canonical_code(&CODE_LENGTH_LENGTHS);
    for run in lengths.chunk_by(|left, right| left == right) {
        let length = usize::from(run[0]);
        let mut left = run.len();
        if length != 0 {
            writer.push(code[length]);
            left -= 1;
        }
        while left > 0 {
            let (bits, taken) = match (length, left) {
                (_, 1..3) => (code[length], 1),
                (0, 3..=10) => (code[17].then(Bits::new(left as u64 - 3, 3)), left),
                (0, _) => (code[18].then(Bits::new(left.min(138) as u64 - 11, 7)), left.min(138)),
                _ => (code[16].then(Bits::new(left.min(6) as u64 - 3, 2)), left.min(6)),
            };
            writer.push(bits);
            left -= taken;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trained_code::{INDEX_LENGTHS, INK_ALPHA_LENGTHS};
    use super::*;

    /// Σ 2⁻ˡ in units of 2⁻¹⁵; 2¹⁵ is a complete code.
    fn kraft_sum(lengths: &[u8]) -> u32 {
        lengths.iter().filter(|&&length| length > 0).map(|&length| 1 << (15 - length)).sum()
    }

    #[test]
    fn the_trained_codes_are_complete_and_have_every_symbol() {
        for lengths in [INK_ALPHA_LENGTHS, INDEX_LENGTHS] {
            assert!(lengths.iter().all(|length| (1..=15).contains(length)));
            assert_eq!(kraft_sum(&lengths), 1 << 15);
        }
    }

    #[test]
    fn the_code_length_code_is_complete_within_its_seven_bits() {
        assert!(CODE_LENGTH_LENGTHS.iter().all(|length| (1..=7).contains(length)));
        assert_eq!(kraft_sum(&CODE_LENGTH_LENGTHS), 1 << 15);
    }

    #[test]
    fn lengths_have_the_symbols_of_the_standard() {
        let known = [
            (3, 257, Bits::NONE),
            (10, 264, Bits::NONE),
            (11, 265, Bits::new(0, 1)),
            (12, 265, Bits::new(1, 1)),
            (18, 268, Bits::new(1, 1)),
            (19, 269, Bits::new(0, 2)),
            (130, 280, Bits::new(15, 4)),
            (131, 281, Bits::new(0, 5)),
            (257, 284, Bits::new(30, 5)),
            (258, 285, Bits::NONE),
        ];
        for (length, symbol, extra) in known {
            assert_eq!(length_symbol(length), (symbol, extra), "length {length}");
        }
    }

    #[test]
    fn the_example_of_the_standard_gets_its_codes() {
        // RFC 1951, 3.2.2: lengths (3, 3, 3, 3, 3, 2, 4, 4) give 010, 011, 100, 101, 110, 00, 1110, 1111.
        let codes = canonical_code(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let msb_first = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        for ((bits, code), length) in codes.iter().zip(msb_first).zip([3, 3, 3, 3, 3, 2, 4, 4]) {
            assert_eq!(*bits, Bits::new(u64::from(u32::reverse_bits(code) >> (32 - length)), length));
        }
    }
}
