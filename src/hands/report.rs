//! What became of the pictures of a request, as its client sees it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::own_hand::{BoxReading, HandError, HandFigures, HandReading, PictureReading};

/// What became of pictures.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct HandReport {
    /// Each picture, in the order of the request; a PDF has one for each page.
    pub pictures: Vec<PictureReport>,
    /// Why there is no hand yet; null if there is one.
    pub problem: Option<Problem>,
    /// Boxes in doubt that have ink, by page, row and box. They are not used, unless they are kept.
    pub doubts: Vec<BoxReport>,
    /// Lines of page 3 that are not used. Six of twelve are enough.
    pub refused_lines: Vec<LineReport>,
    /// Measurements of the hand; null if there is none.
    pub figures: Option<Figures>,
    /// The words of `text` in the hand, an SVG; null if there is no hand, or the words have no room on a page.
    pub trial_svg: Option<String>,
    /// Why there is no trial of a hand; else null.
    pub trial_problem: Option<String>,
    /// The record of the hand, to be sent back as it is, to mend the hand without its pictures; null if there is no hand.
    pub record: Option<String>,
}

/// What is known of a picture.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct PictureReport {
    /// The name of its file.
    pub name: String,
    /// The page that it shows, 1 to 3; null if it is refused.
    #[schemars(range(min = 1, max = 3))]
    pub page: Option<u8>,
    /// Why it is not used, with what was measured and what to do; null if it is used.
    pub refused: Option<String>,
    /// What could be better about it.
    pub remarks: Vec<String>,
    /// Pixels per mm; null if it is refused.
    pub px_per_mm: Option<f64>,
    /// Standard deviation of its blur in mm; null if it is refused.
    pub blur_mm: Option<f64>,
    /// Width of the pen in mm; null if it is refused.
    pub pen_mm: Option<f64>,
}

/// Why there is no hand.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, for programs.
    pub kind: ProblemKind,
    /// What is wrong and what to do, for people.
    pub message: String,
    /// The letters of which no box can be used.
    pub letters: Vec<String>,
}

/// What may be wrong.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// Pictures are refused.
    Pictures,
    /// Pages of a sheet for joined hands and of another are mixed.
    MixedSheets,
    /// A page is missing.
    MissingPage,
    /// No box of some letters can be used.
    MissingLetters,
    /// Too few lines of page 3 have their words.
    FewLines,
    /// A box to keep has no ink.
    NothingToKeep,
    /// The record cannot be read.
    Record,
    /// No font can be made of the letters.
    Font,
}

/// A box in doubt.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct BoxReport {
    /// The page, from 1.
    #[schemars(range(min = 1, max = 3))]
    pub page: usize,
    /// The row, from 1.
    #[schemars(range(min = 1, max = 12))]
    pub row: usize,
    /// The box in its row, from 1.
    #[schemars(range(min = 1, max = 13))]
    #[serde(rename = "box")]
    pub column: usize,
    /// What should be written in it.
    pub character: String,
    /// What is doubted, such as `looks like q`.
    pub doubts: Vec<String>,
    /// Whether it is used all the same, as the request says.
    pub kept: bool,
    /// Other boxes of the character that are used.
    pub good_copies: usize,
    /// Its ink as the data of an SVG path, in mm from the upper left corner of the box, which is 14.4 mm wide and 20 mm
    /// high; its baseline is at 13.6 mm.
    pub ink: String,
}

/// A line that is not used.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct LineReport {
    /// The line, from 1.
    #[schemars(range(min = 1, max = 12))]
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// Measurements of a hand. Lengths are in the heights of its small letters, if not noted.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(rename = "OwnHandFigures")]
pub struct Figures {
    /// Height of small letters, in mm.
    pub x_height_mm: f64,
    /// Slant, in degrees.
    pub slant_degrees: f64,
    /// Gap between words.
    pub word_gap: f64,
    /// The share of neighbours in words that are joined.
    pub joins: f64,
    /// The share of the pairs that the writer joins whose strokes meet.
    pub closed_joins: f64,
    /// Characters that were written.
    pub written: usize,
    /// Characters that are made of parts of others.
    pub composed: usize,
    /// Glyphs with all forms.
    pub glyphs: usize,
}

impl HandReport {
    /// The report of a reading. `names` are those of its pictures; it has no trial yet, and no record.
    pub(super) fn of(names: &[String], reading: &HandReading) -> Self {
        let pictures = names.iter().zip(&reading.pictures);
        let record = &reading.record;
        let is_asked = |known: &&BoxReading| known.is_filled() && !known.doubts.is_empty();
        Self {
            pictures: pictures.map(|(name, picture)| PictureReport::of(name, picture)).collect(),
            problem: reading.outcome.as_ref().err().map(Problem::of),
            doubts: record
                .boxes
                .iter()
                .filter(is_asked)
                .map(|known| BoxReport::of(known, &record.boxes, &record.kept))
                .collect(),
            refused_lines: match &reading.outcome {
                Err(HandError::FewLines { refused, .. }) => lines(refused),
                _ => lines(&record.refused_lines),
            },
            figures: reading.outcome.is_ok().then(|| Figures::of(&record.figures)),
            trial_svg: None,
            trial_problem: None,
            record: None,
        }
    }
}

fn lines(refused: &[(usize, String)]) -> Vec<LineReport> {
    refused.iter().map(|(line, reason)| LineReport { line: *line, reason: reason.clone() }).collect()
}

impl PictureReport {
    fn of<E: std::fmt::Display>(name: &str, picture: &Result<PictureReading, E>) -> Self {
        let refused = Self::refused(name, String::new());
        match picture {
            Ok(PictureReading { record, remarks }) => Self {
                page: Some(record.page.number),
                refused: None,
                remarks: remarks.clone(),
                px_per_mm: Some(record.px_per_mm),
                blur_mm: Some(record.blur_mm),
                pen_mm: Some(record.pen_mm),
                ..refused
            },
            Err(reason) => Self { refused: Some(reason.to_string()), ..refused },
        }
    }

    /// A picture that is not used.
    pub(super) fn refused(name: &str, reason: String) -> Self {
        let (name, remarks) = (name.to_owned(), Vec::new());
        Self { name, page: None, refused: Some(reason), remarks, px_per_mm: None, blur_mm: None, pen_mm: None }
    }
}

impl BoxReport {
    fn of(known: &BoxReading, boxes: &[BoxReading], kept: &[[usize; 3]]) -> Self {
        let [page, row, column] = known.number();
        let is_used = |other: &&BoxReading| {
            let is_copy = other.place.character == known.place.character && other.number() != known.number();
            is_copy && (other.is_good() || kept.contains(&other.number()))
        };
        Self {
            page,
            row,
            column,
            character: known.place.character.to_string(),
            doubts: known.doubts.iter().map(ToString::to_string).collect(),
            kept: kept.contains(&known.number()),
            good_copies: boxes.iter().filter(is_used).count(),
            ink: known.ink_path(),
        }
    }
}

impl Problem {
    /// A problem of a kind.
    pub(super) fn new(kind: ProblemKind, message: String) -> Self {
        Self { kind, message, letters: Vec::new() }
    }

    fn of(error: &HandError) -> Self {
        let said = error.to_string();
        match error {
            HandError::Pictures(refused) => {
                let (count, pictures) = (refused.len(), if refused.len() == 1 { "picture is" } else { "pictures are" });
                let message = format!("{count} {pictures} refused; take it again as it says, or leave it out");
                Self::new(ProblemKind::Pictures, message)
            }
            HandError::MixedSheets => Self::new(ProblemKind::MixedSheets, said),
            HandError::MissingPage(_) => Self::new(ProblemKind::MissingPage, said),
            HandError::MissingLetters(missing) => {
                let letters: Vec<String> = missing.iter().map(|(letter, _)| letter.to_string()).collect();
                let message = format!(
                    "no box of {} can be used; keep one of those in doubt, or write the letter again and take a new \
                     picture of its page",
                    letters.join(" ")
                );
                Self { letters, ..Self::new(ProblemKind::MissingLetters, message) }
            }
            HandError::FewLines { .. } => Self::new(ProblemKind::FewLines, said),
            HandError::NothingToKeep(_) => Self::new(ProblemKind::NothingToKeep, said),
            HandError::Unwritable(_) => Self::new(ProblemKind::Font, said),
        }
    }
}

impl Figures {
    fn of(figures: &HandFigures) -> Self {
        Self {
            x_height_mm: figures.x_height_mm,
            slant_degrees: figures.slant_degrees,
            word_gap: figures.word_gap,
            joins: figures.joins,
            closed_joins: figures.closed_joins,
            written: figures.written,
            composed: figures.composed,
            glyphs: figures.glyphs,
        }
    }
}
