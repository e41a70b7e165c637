//! Why pictures make no hand: what was measured, and what to do.

use std::fmt;

use super::sheet::SheetPage;

/// Why a picture of a page is not used.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No corner mark was found.
    NoMarks,
    /// The marks are mirrored.
    Mirrored,
    /// Two pages are on it.
    TwoPages,
    /// Fewer than three corner marks of its page were found.
    FewMarks {
        /// The page.
        page: SheetPage,
        /// Their number.
        found: usize,
    },
    /// Too few of the black dots were found.
    FewDots {
        /// Their number, of 182.
        found: usize,
    },
    /// There is hardly any ink.
    NoInk,
    /// It is blurred.
    Blurred {
        /// Standard deviation of the blur, in mm.
        blur: f64,
    },
    /// Its resolution is too low.
    Coarse {
        /// Pixels per mm.
        scale: f64,
    },
    /// The paper is too uneven.
    Uneven {
        /// What 95 % of the dots are off the map at most, in mm.
        off: f64,
    },
    /// The pen is too thin for the blur.
    ThinPen {
        /// Width of the pen, in mm.
        pen: f64,
        /// Standard deviation of the blur, in mm.
        blur: f64,
    },
    /// Too many boxes are in doubt.
    Doubtful {
        /// Boxes in doubt.
        doubtful: usize,
        /// Boxes with ink.
        filled: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMarks => formatter.write_str(
                "no corner mark of a Longhand sheet was found; take the whole page, with all four black squares and some \
                 of the table around it",
            ),
            Self::Mirrored => formatter.write_str("the picture is mirrored; switch off mirroring in the camera or scanner"),
            Self::TwoPages => formatter.write_str("two pages are on the picture; take one picture of each page"),
            Self::FewMarks { page, found } => write!(
                formatter,
                "{found} of 4 corner marks of page {} were found, and 3 are needed; take the whole page, with nothing on its \
                 corners",
                page.number
            ),
            Self::FewDots { found } => write!(
                formatter,
                "{found} of the 182 black dots were found, and 165 are needed; take the whole page from above, lying flat \
                 and in even light"
            ),
            Self::NoInk => formatter.write_str("hardly any ink was found; write with a dark pen, and take the filled sheet"),
            Self::Blurred { blur } => write!(
                formatter,
                "it is blurred by {blur:.2} mm, and 0.15 mm are allowed; hold still, let the camera focus, and have more \
                 light, or scan the page"
            ),
            Self::Coarse { scale } => write!(
                formatter,
                "it has {scale:.1} pixels per mm, and 5.5 are needed; let the page fill the picture, and send the original \
                 file and not one made smaller by a messenger"
            ),
            Self::Uneven { off } => write!(
                formatter,
                "the paper bends so much that places are off by {off:.2} mm, and 0.12 mm are allowed; lay the page flat"
            ),
            Self::ThinPen { pen, blur } => write!(
                formatter,
                "the strokes are {pen:.2} mm wide, too thin for a picture blurred by {blur:.2} mm; scan the page, or write \
                 with a wider pen"
            ),
            Self::Doubtful { doubtful, filled } => write!(
                formatter,
                "{doubtful} of {filled} boxes cannot be read; take the page again in even light, or scan it"
            ),
        }
    }
}

impl std::error::Error for Refusal {}
