//! The lines of the pen of the signs that are drawn for fonts.

/// Where a sign stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// On the baseline, beside letters. 100 units of its line are the height of signs.
    OnLine,
    /// In the square of an ideograph, whose ink is 100 units wide and high. Only fonts with ideographs draw it.
    InSquare,
}

/// Signs that are drawn alike.
pub(super) struct Sign {
    pub(super) characters: &'static str,
    pub(super) place: Place,
    /// Whether the first line is filled.
    pub(super) is_filled: bool,
    /// The lines of the pen as SVG path data, y up, in the order of writing. Together they are one path.
    pub(super) lines: &'static [&'static str],
}

impl Sign {
    const fn new(characters: &'static str, place: Place, lines: &'static [&'static str]) -> Self {
        Self { characters, place, is_filled: false, lines }
    }

    const fn filled(characters: &'static str, lines: &'static [&'static str]) -> Self {
        Self { characters, place: Place::OnLine, is_filled: true, lines }
    }
}

/// Lines that several signs have.
const BOX: &str = "M6 84C5 60 5 30 8 4C30 2 56 3 82 5C83 32 83 58 80 85C54 83 30 84 3 82";
const HEART: &str =
    "M50 74C44 92 30 98 18 92C2 84 2 62 14 44C24 28 40 16 50 4C60 18 78 32 86 48C94 66 92 86 78 92C66 97 54 90 50 72";
const STAR: &str = "M48 100C52 88 55 76 59 64C72 64 85 64 97 64C87 56 77 48 67 40C71 27 75 15 78 2C68 10 58 18 48 25C38 18 28 11 18 4C22 16 25 28 29 40C19 48 10 55 1 62C13 63 25 63 37 63C41 75 45 88 49 99";
const DIAMOND: &str = "M44 96C30 78 18 62 6 46C20 32 32 18 45 2C58 18 70 32 83 47C70 64 58 78 43 95";
const CIRCLE: &str = "M50 92C24 93 6 72 6 46C6 20 24 2 48 2C74 2 92 22 92 48C92 72 74 93 46 91";

/// All signs.
pub(super) const SIGNS: &[Sign] = &[
    Sign::new("☐□", Place::OnLine, &[BOX]),
    Sign::new("☑", Place::OnLine, &[BOX, "M24 52C30 42 36 30 40 20C54 54 74 86 100 108"]),
    Sign::new("☒", Place::OnLine, &[BOX, "M22 70C36 54 52 36 66 18M68 72C54 56 36 36 20 18"]),
    Sign::new("_", Place::OnLine, &["M0 -12C22 -11 44 -13 66 -12"]),
    Sign::new("\\", Place::OnLine, &["M8 100C22 68 40 34 54 0"]),
    Sign::new("✓✔", Place::OnLine, &["M8 42C14 32 22 18 27 4C38 42 56 76 84 100"]),
    Sign::new("✗✘", Place::OnLine, &["M8 88C26 62 48 32 72 6M70 90C48 66 24 34 4 4"]),
    Sign::new("→", Place::OnLine, &["M4 40C34 42 66 41 100 40M76 60C84 52 92 45 101 40C92 35 83 28 75 20"]),
    Sign::new("←", Place::OnLine, &["M100 40C66 42 34 41 4 40M29 60C21 52 13 45 4 40C13 35 22 28 30 20"]),
    Sign::new(
        "↔",
        Place::OnLine,
        &[
            "M4 40C40 42 76 41 112 40M28 59C20 52 12 45 4 40C12 35 21 28 29 21M88 59C96 52 104 45 112 40C104 35 95 28 87 21",
        ],
    ),
    Sign::new("↑", Place::OnLine, &["M30 0C31 34 29 66 30 98M8 74C16 82 24 90 30 99C36 90 44 82 53 74"]),
    Sign::new("↓", Place::OnLine, &["M30 98C31 66 29 34 30 0M8 25C16 17 24 9 30 0C36 9 44 17 53 25"]),
    Sign::new(
        "•",
        Place::OnLine,
        &[
            "M23 38C23 41 21 43 18 43C15 43 13 41 13 38C13 35 15 33 18 33C20.8 33 22.6 35 22 38C21.6 40.4 20 41.6 18 41.6C16 41.6 14.4 40 14.4 38C14.4 36 16 34.6 18 34.6C19.8 34.6 21 36 20.8 38C20.6 39.4 19.4 40.4 18 40.4C16.6 40.4 15.8 39.4 15.8 38C15.8 36.8 16.8 36 18 36C19 36 19.4 37 19.2 38C19 38.6 18.4 38.8 18 38.4",
        ],
    ),
    Sign::new(
        "№",
        Place::OnLine,
        &[
            "M6 2C8 34 8 66 10 98C24 66 40 34 56 2C58 34 60 66 62 98M98 72C98 85 92 93 84 93C76 93 71 84 71 72C71 60 76 52 84 52C92 52 98 60 98 73M70 38C80 39 90 40 100 39",
        ],
    ),
    Sign::new(
        "℅",
        Place::OnLine,
        &[
            "M34 88C24 98 6 92 6 74C6 56 24 52 36 62M72 100C56 66 38 34 20 0M94 22C94 36 87 45 78 45C68 45 62 35 62 22C62 9 68 0 78 0C88 0 94 9 94 23",
        ],
    ),
    Sign::new("♡", Place::OnLine, &[HEART]),
    Sign::new("☆", Place::OnLine, &[STAR]),
    Sign::new("○", Place::OnLine, &[CIRCLE]),
    Sign::new(
        "☼☀",
        Place::OnLine,
        &[
            "M50 68C37 68 28 58 28 46C28 34 37 25 50 25C63 25 72 35 72 47C72 59 63 68 49 68M50 80L51 97M73 71L85 83M83 47L100 46M73 23L84 11M50 14L49 0M27 24L15 12M17 47L0 48M27 70L15 82",
        ],
    ),
    Sign::new(
        "⌂",
        Place::OnLine,
        &["M14 48C14 32 13 18 13 3C38 2 62 3 87 4C87 20 86 34 86 49M2 40C18 60 34 78 50 97C66 78 82 60 99 41"],
    ),
    Sign::new("◇", Place::OnLine, &[DIAMOND]),
    Sign::new("△", Place::OnLine, &["M46 92C32 62 18 34 4 5C32 4 60 4 90 6C76 34 62 62 45 91"]),
    Sign::new("▽", Place::OnLine, &["M5 90C18 60 32 32 46 4C60 32 74 60 88 91C60 90 32 91 4 89"]),
    Sign::new(
        "☺",
        Place::OnLine,
        &[CIRCLE, "M34 64C34 60 34 58 34 55M63 64C63 60 63 58 63 55M26 38C34 20 62 20 72 39"],
    ),
    Sign::new(
        "☹",
        Place::OnLine,
        &[CIRCLE, "M34 64C34 60 34 58 34 55M63 64C63 60 63 58 63 55M28 24C36 40 62 40 70 25"],
    ),
    Sign::new(
        "々",
        Place::InSquare,
        &["M42 94C36 78 26 60 12 47M35 75C50 77 66 79 84 82C75 57 56 28 29 5M38 45C50 35 61 23 70 9"],
    ),
    Sign::new("〆", Place::InSquare, &["M76 92C60 62 38 30 18 15C8 8 2 22 14 34C30 48 58 36 84 8"]),
    Sign::new(
        "仝",
        Place::InSquare,
        &[
            "M50 96C40 76 24 60 4 46M50 91C62 74 78 60 98 47M28 45C42 46 58 47 72 47M50 45C50 32 50 20 50 7M12 5C40 7 66 8 90 7",
        ],
    ),
    // A pen fills a shape to and fro; its outline is filled wholly.
    Sign::filled("♥❤", &[HEART, "M18 80L34 78L20 62L80 84L16 48L82 66L28 34L76 44L38 22L62 24"]),
    Sign::filled("★", &[STAR, "M44 80L54 78L36 60L62 62L14 58L84 58L36 44L62 42L30 28L68 28L24 14L40 16M72 12L62 16"]),
    Sign::filled("●", &[CIRCLE, "M36 82L62 84L22 68L76 70L14 52L84 54L16 38L82 38L24 22L74 22L40 10L60 10"]),
    Sign::filled("◆", &[DIAMOND, "M38 78L52 80L26 62L64 64L16 48L74 48L26 34L64 34L36 18L54 20"]),
    Sign::filled("■", &[BOX, "M10 74L76 76L10 62L76 64L10 50L76 52L10 38L76 40L10 26L76 28L10 14L76 14"]),
];
