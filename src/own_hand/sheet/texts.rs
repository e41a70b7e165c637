//! What is written on the sheet: the characters of the boxes, the lines, the words beside labels.
//!
//! A row is half an alphabet, so that the copies of a letter stand far apart: no shadow or stain takes them all, and
//! nobody copies the copy beside it.

use super::sheet_page::SheetPage;

/// The commonest letters of European languages; they have six boxes.
const COMMON: &str = "etaoinsrhldum";

/// The rows of boxes of page 1.
const FIRST: [&str; 12] = [
    "abcdefghijklm",
    "nopqrstuvwxyz",
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
    COMMON,
    "0123456789.,!",
    "abcdefghijklm",
    "nopqrstuvwxyz",
    "?'\"-:;()&/@#%",
    COMMON,
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
];

/// The rows of boxes of page 2.
const SECOND: [&str; 12] = [
    "abcdefghijklm",
    "nopqrstuvwxyz",
    "0123456789.,?",
    "áèêüñåçąčăōżő",
    "+=*_[]{}<>\\|~",
    "^`$€£§°–“”‘’•",
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
    "0123456789-'!",
    "ßæœøÆŒØþÞðŋŊł",
    "&@:;()\"/#%?.,",
    COMMON,
];

/// The lines of page 3: every letter of English, capitals before letters with which they kern, doubled letters, figures
/// and marks; at most 36 characters, for wide hands.
pub(super) const LINES: [&str; 12] = [
    "The quick brown fox jumps over",
    "the lazy dog. We have very little",
    "time, but Yvonne will wait at home.",
    "Dear Anna, thank you for a lovely",
    "evening! Pack my box with five",
    "dozen jugs of wax. Is it far to go?",
    "Today I kept awake; Tom fell asleep.",
    "Just a few words from the old town:",
    "“How can anybody keep quiet here?”",
    "Zoe’s kitty often jumped on my bed.",
    "It was 29 May 1847, about 6:30 pm.",
    "Good luck, Klaus Bach, and goodbye.",
];

/// The letters and figures without which there is no font.
pub(in crate::own_hand) const BASIC_LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The rows of boxes of a page; none of the page of lines.
pub(super) const fn rows(page: SheetPage) -> &'static [&'static str] {
    match page.number {
        1 => &FIRST,
        2 => &SECOND,
        _ => &[],
    }
}

/// How many boxes a character has on the page of this number and those before it.
pub(super) fn copies_of(character: char, up_to: u8) -> usize {
    let pages = (1..=up_to).flat_map(|number| rows(SheetPage { number, joined: false }));
    pages.flat_map(|row| row.chars()).filter(|each| *each == character).count()
}

/// The word beside the label of a character that could be mistaken for another; empty for others. At most 6 mm wide.
pub(super) const fn name_of(character: char) -> &'static str {
    match character {
        'l' => "el",
        'I' => "cap i",
        'O' => "cap o",
        'C' | 'K' | 'P' | 'S' | 'U' | 'V' | 'W' | 'X' | 'Z' => "cap",
        '0' => "zero",
        '1' => "one",
        '.' => "stop",
        ',' => "comma",
        '\'' | '"' => "quote",
        '“' | '‘' => "open",
        '”' | '’' => "close",
        '-' => "hyphen",
        '–' => "dash",
        '_' => "under",
        '`' => "back",
        '^' => "caret",
        '~' => "tilde",
        '|' => "bar",
        '•' => "bullet",
        '°' => "degree",
        'þ' | 'Þ' => "thorn",
        'ŋ' | 'Ŋ' => "eng",
        'ð' => "eth",
        _ => "",
    }
}
