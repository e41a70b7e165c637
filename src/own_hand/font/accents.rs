//! Letters with accents, from accents that were written on other letters.

/// An accent: on which character it was written, its combining mark, and how it is taken and placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accent {
    /// The letter with it, and the letter alone.
    pub(super) written: [char; 2],
    /// The mark in canonical decompositions.
    pub(super) mark: char,
    pub(super) kind: AccentKind,
}

/// Where an accent stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccentKind {
    /// Above the letter: its parts over the body.
    Above,
    /// Under the middle: what the letter has below the baseline.
    Below,
    /// Under the right end.
    BelowEnd,
}

/// The accents of Latin-1 and Latin Extended-A, but for the comma below.
pub(super) const ACCENTS: [Accent; 13] = [
    Accent { written: ['á', 'a'], mark: '\u{301}', kind: AccentKind::Above },
    Accent { written: ['è', 'e'], mark: '\u{300}', kind: AccentKind::Above },
    Accent { written: ['ê', 'e'], mark: '\u{302}', kind: AccentKind::Above },
    Accent { written: ['ü', 'u'], mark: '\u{308}', kind: AccentKind::Above },
    Accent { written: ['ñ', 'n'], mark: '\u{303}', kind: AccentKind::Above },
    Accent { written: ['å', 'a'], mark: '\u{30A}', kind: AccentKind::Above },
    Accent { written: ['č', 'c'], mark: '\u{30C}', kind: AccentKind::Above },
    Accent { written: ['ă', 'a'], mark: '\u{306}', kind: AccentKind::Above },
    Accent { written: ['ż', 'z'], mark: '\u{307}', kind: AccentKind::Above },
    Accent { written: ['ő', 'o'], mark: '\u{30B}', kind: AccentKind::Above },
    Accent { written: ['ō', 'o'], mark: '\u{304}', kind: AccentKind::Above },
    Accent { written: ['ç', 'c'], mark: '\u{327}', kind: AccentKind::Below },
    Accent { written: ['ą', 'a'], mark: '\u{328}', kind: AccentKind::BelowEnd },
];

/// The comma below, which is a comma. Latvian and Romanian letters that decompose to a cedilla have it as well.
pub(super) const COMMA_BELOW: char = '\u{326}';
pub(super) const WITH_COMMA: &str = "ĶķĻļŅņŖŗĢ";
/// The letter whose comma stands above it, turned.
pub(super) const COMMA_ABOVE: char = 'ģ';
/// Letters whose caron is written like an apostrophe beside them.
pub(super) const WITH_APOSTROPHE: &str = "ďĽľť";

/// The letters that are composed.
pub(super) fn composed_letters() -> impl Iterator<Item = char> {
    ('\u{C0}'..='\u{17F}').chain('\u{218}'..='\u{21B}').filter(|letter| letter.is_alphabetic())
}
