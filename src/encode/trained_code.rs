//! The trained literal/length code: generated, see the command below.
//!
//! Lengths of a Huffman code, limited to 12 bits, for the symbols that [`SparseDeflate`](super::sparse_deflate) writes
//! for the pages of tests/suite/encode_corpus.rs. After a change to the stream or to the corpus, print it anew with
//! `cargo test --release --test suite encode_training -- --ignored --nocapture` and paste it here.

use super::huffman::SYMBOLS;

/// Bits of the code of each literal (0 to 255), of the end of a block (256) and of each length symbol (257 to 285).
#[rustfmt::skip]
pub(super) const TRAINED_LENGTHS: [u8; SYMBOLS] = [
    3, 7, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    10, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 10, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 4,
    12, 2, 12, 12, 12, 6, 12, 12, 12, 6, 12, 6, 11, 7, 7, 7, 7, 6, 7, 7, 8, 7, 8, 8, 8, 8, 8, 9, 9, 4,
];
