//! Trains the encoder's Huffman codes: counts the symbols that it writes for the corpus and prints the lengths of the
//! best codes, to be pasted into `src/encode/trained_code.rs`. Counting reads finished streams, so that it counts what
//! is really written.

#![expect(clippy::expect_used, clippy::panic, reason = "a stream that cannot be read fails the test")]
#![expect(clippy::print_stdout, reason = "training prints its result")]

use longhand::encode::{PixelLayout, append_zlib_while};

use super::corpus::{CORPUS, SMALL, Sample};

const SYMBOLS: usize = 286;
/// Codes no longer than this bound the size of a page of noise.
const LONGEST_CODE: u32 = 12;
/// One code each; the colour makes no difference beyond the first pixel of a row.
const LAYOUTS: [PixelLayout; 2] = [PixelLayout::InkAlpha([0; 3]), PixelLayout::Index];

/// Bits of a deflate stream.
struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl BitReader<'_> {
    fn bits(&mut self, count: usize) -> usize {
        let bits = (0..count).map(|place| {
            let at = self.position + place;
            usize::from(self.bytes[at / 8] >> (at % 8) & 1) << place
        });
        let value = bits.sum();
        self.position += count;
        value
    }

    /// The next symbol of the code with these lengths, by comparing it with each length's first code.
    fn symbol(&mut self, lengths: &[u8]) -> usize {
        let (mut code, mut first) = (0, 0);
        for length in 1..=15 {
            code = code << 1 | self.bits(1);
            let mut same = (0..lengths.len()).filter(|&symbol| lengths[symbol] == length);
            let count = same.clone().count();
            if code < first + count {
                return same.nth(code - first).expect("a symbol of this length");
            }
            first = (first + count) << 1;
        }
        panic!("no such code");
    }

    /// The lengths of a dynamic block's two codes (RFC 1951, 3.2.7).
    fn code_lengths(&mut self) -> (Vec<u8>, Vec<u8>) {
        let (literals, distances, stated) = (self.bits(5) + 257, self.bits(5) + 1, self.bits(4) + 4);
        let mut own = [0; 19];
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].into_iter().take(stated) {
            own[symbol] = self.bits(3) as u8;
        }
        let mut lengths: Vec<u8> = Vec::new();
        while lengths.len() < literals + distances {
            let (length, times) = match self.symbol(&own) {
                16 => (*lengths.last().expect("a length to repeat"), 3 + self.bits(2)),
                17 => (0, 3 + self.bits(3)),
                18 => (0, 11 + self.bits(7)),
                length => (length as u8, 1),
            };
            lengths.extend(std::iter::repeat_n(length, times));
        }
        let distances = lengths.split_off(literals);
        (lengths, distances)
    }
}

/// How often each symbol occurs in the blocks with the trained code, those that have a code for every symbol, and the
/// lengths of that code.
fn count_symbols(zlib: &[u8]) -> ([u64; SYMBOLS], Vec<u8>) {
    let (mut counts, mut trained) = ([0; SYMBOLS], Vec::new());
    let mut reader = BitReader { bytes: &zlib[2..], position: 0 };
    loop {
        let (last, kind) = (reader.bits(1), reader.bits(2));
        if (last, kind) == (1, 1) {
            return (counts, trained);
        }
        if (last, kind) == (0, 0) {
            reader.position = reader.position.next_multiple_of(8);
            assert_eq!(reader.bits(32), 0xFFFF_0000, "stored blocks are empty: they end a part");
            continue;
        }
        assert_eq!((last, kind), (0, 2), "the encoder writes dynamic blocks, empty stored ones and one empty last one");
        let (literals, distances) = reader.code_lengths();
        let is_trained = literals.iter().all(|&length| length > 0);
        if is_trained {
            trained.clone_from(&literals);
        }
        loop {
            let symbol = reader.symbol(&literals);
            counts[symbol] += u64::from(is_trained);
            match symbol {
                0..=255 => {}
                256 => break,
                _ => {
                    let extra = if symbol == 285 { 0 } else { ((symbol - 257) / 4).saturating_sub(1) };
                    reader.bits(extra);
                    let distance = reader.symbol(&distances);
                    reader.bits((distance / 2).saturating_sub(1));
                }
            }
        }
    }
}

/// The lengths of the best prefix code with at most `longest` bits a symbol (package-merge; Larmore and Hirschberg
/// 1990).
fn best_code(counts: &[u64], longest: u32) -> Vec<u8> {
    let mut symbols: Vec<(u64, Vec<usize>)> =
        counts.iter().enumerate().map(|(symbol, &count)| (count, vec![symbol])).collect();
    symbols.sort();
    let mut packages = symbols.clone();
    for _ in 1..longest {
        let pairs = packages.chunks_exact(2).map(|pair| (pair[0].0 + pair[1].0, [&pair[0].1[..], &pair[1].1].concat()));
        packages = pairs.chain(symbols.iter().cloned()).collect();
        packages.sort();
    }
    let mut lengths = vec![0; counts.len()];
    for (_, package) in packages.iter().take(2 * counts.len() - 2) {
        for &symbol in package {
            lengths[symbol] += 1;
        }
    }
    lengths
}

/// Bits that symbols counted so take in a code with such lengths.
fn cost(counts: &[u64], lengths: &[u8]) -> u64 {
    counts.iter().zip(lengths).map(|(&count, &length)| count * u64::from(length)).sum()
}

fn zlib(layout: PixelLayout, sample: &Sample) -> Vec<u8> {
    let coverage = sample.coverage();
    let mut bytes = Vec::new();
    append_zlib_while(layout, &coverage, &|| true, &mut bytes).unwrap();
    bytes
}

/// Symbol counts of a sample, each sample weighing the same whatever its size, and no symbol without a count.
fn weighed(layout: PixelLayout, sample: &Sample) -> Vec<u64> {
    let (counts, _) = count_symbols(&zlib(layout, sample));
    let total: u64 = counts.iter().sum();
    counts.iter().map(|count| 1 + count * 10_000_000 / total).collect()
}

#[test]
fn the_best_code_of_a_known_distribution_is_found() {
    assert_eq!(best_code(&[1, 1, 2, 4], 12), [3, 3, 2, 1]);
    assert_eq!(best_code(&[1, 1, 2, 4], 2), [2, 2, 2, 2]);
}

#[test]
fn the_trained_codes_still_fit_what_is_written() {
    for layout in LAYOUTS {
        let (counts, trained) = count_symbols(&zlib(layout, &SMALL));
        let excess = cost(&counts, &trained) as f64 / cost(&counts, &best_code(&counts, LONGEST_CODE)) as f64;
        assert!(excess < 1.04, "{layout:?}: {excess} times the bits of the best code; train anew");
    }
}

#[test]
#[ignore = "prints the tables of src/encode/trained_code.rs anew; takes minutes without --release"]
fn train() {
    for layout in LAYOUTS {
        println!("{layout:?}");
        let samples: Vec<Vec<u64>> = CORPUS.iter().map(|sample| weighed(layout, sample)).collect();
        let counts: Vec<u64> = (0..SYMBOLS).map(|symbol| samples.iter().map(|counts| counts[symbol]).sum()).collect();
        let lengths = best_code(&counts, LONGEST_CODE);
        for (sample, counts) in CORPUS.iter().zip(&samples) {
            let own = cost(counts, &best_code(counts, LONGEST_CODE)) as f64;
            let excess = 100.0 * (cost(counts, &lengths) as f64 / own - 1.0);
            println!("{}: {excess:+.1} % over a code of its own", sample.name);
        }
        for row in lengths.chunks(32) {
            println!("    {},", row.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
        }
    }
}
