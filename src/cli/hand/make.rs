//! `longhand hand make`: the font of a filled sheet.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::catalogue::{FontCatalogue, OPERATOR_IDS};
use crate::cli::{Failure, atomic_file, output};
use crate::own_hand::{Doubt, Hand, HandError, HandRecord, HandRequest, make_hand, pictures_in};

/// Largest file of a picture, in bytes.
const LARGEST_PICTURE: u64 = 64 << 20;
/// Largest record of a hand, in bytes.
const LARGEST_RECORD: u64 = 64 << 20;
/// Numbers that fonts of the operator may have.
const IDS: std::ops::RangeInclusive<i64> = *OPERATOR_IDS.start() as i64..=*OPERATOR_IDS.end() as i64;
/// The share of joins that meet below which a remark is made.
const MOST_OPEN: f64 = 0.7;
/// Most characters of a name.
const LONGEST_NAME: usize = 64;

/// The arguments of `hand make`.
#[derive(clap::Args, Debug)]
pub(super) struct MakeCommand {
    /// Pictures of the pages, JPEG, PNG or the PDF of a scanner, in any order; of two of a page the later one counts
    #[arg(value_name = "PICTURE", required_unless_present = "mend")]
    pictures: Vec<PathBuf>,
    /// Folder for the font, its description, its record and the picture of all boxes
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Family name of the font
    #[arg(long, required_unless_present = "mend")]
    name: Option<String>,
    /// Its `font_id`, 1001 to 1999
    #[arg(long, value_parser = clap::value_parser!(u16).range(IDS), required_unless_present = "mend")]
    id: Option<u16>,
    /// Use a box whatever is doubted, as in 1:3:6 for page 1, row 3, box 6
    #[arg(long, value_name = "PAGE:ROW:BOX", value_parser = box_number)]
    keep: Vec<[usize; 3]>,
    /// Mend the hand of this record (NAME.hand.json) with the pictures
    #[arg(long, value_name = "RECORD")]
    mend: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The numbers of a box.
fn box_number(text: &str) -> Result<[usize; 3], String> {
    let numbers: Option<Vec<usize>> = text.split(':').map(|part| part.parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[usize; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "it should be a page, a row and a box, such as 1:3:6".to_owned())
}

impl MakeCommand {
    /// Makes the hand, and writes its files.
    pub(super) fn run(self) -> Result<(), Failure> {
        let earlier = self.mend.as_deref().map(read_record).transpose()?;
        let name = self.name.or_else(|| earlier.as_ref().map(|record| record.name.clone())).unwrap_or_default();
        let id = self.id.or_else(|| earlier.as_ref().map(|record| record.id)).unwrap_or(*OPERATOR_IDS.start());
        let count = name.chars().count();
        if name.trim().is_empty() || count > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(Failure::Usage(format!("--name: it should have 1 to {LONGEST_NAME} characters on one line")));
        }
        let mut pictures = Vec::new();
        for path in &self.pictures {
            let file = read_file(path, LARGEST_PICTURE)?;
            let found = pictures_in(&path.display().to_string(), file).map_err(Failure::data(path))?;
            pictures.extend(found);
        }
        let request = HandRequest { pictures: &pictures, name, id, keep: self.keep, earlier };
        let hand = make_hand(request, &FontCatalogue::load()?).map_err(|error| match error {
            HandError::Unwritable(_) => Failure::Internal(error.to_string()),
            _ => Failure::BadData(error.to_string()),
        })?;
        let files = write(&self.output, &hand)?;
        if self.json {
            let doubts = asked(&hand.record).map(|(number, character, doubts)| {
                json!({ "page": number[0], "row": number[1], "box": number[2], "character": character, "doubts": doubts })
            });
            let doubts: Vec<serde_json::Value> = doubts.collect();
            let report = json!({
                "files": files,
                "pictures": hand.record.pictures,
                "remarks": hand.remarks,
                "doubts": doubts,
                "refused_lines": hand.record.refused_lines,
                "figures": hand.record.figures,
            });
            return output::print(&serde_json::to_string_pretty(&report).map_err(Failure::internal("no JSON"))?);
        }
        output::print(&summary(&hand, &files))
    }
}

fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    crate::own_fonts::read_regular(path, most).map_err(Failure::io("read", path))
}

fn read_record(path: &Path) -> Result<HandRecord, Failure> {
    let text = String::from_utf8(read_file(path, LARGEST_RECORD)?).map_err(Failure::data(path))?;
    HandRecord::read(&text).map_err(Failure::data(path))
}

/// Writes the files of a hand, and returns their names.
fn write(folder: &Path, hand: &Hand) -> Result<Vec<String>, Failure> {
    fs::create_dir_all(folder).map_err(Failure::io("make", folder))?;
    let record = hand.record.to_json().map_err(Failure::internal("no JSON"))?;
    let stem = stem(&hand.record.name);
    let mut names = Vec::new();
    // The font comes before its description, without which it is not read.
    for (ending, bytes) in [
        ("hand.json", record.as_bytes()),
        ("boxes.png", &hand.contact_sheet),
        ("ttf", &hand.font),
        ("toml", hand.description.as_bytes()),
    ] {
        let file = folder.join(format!("{stem}.{ending}"));
        atomic_file::write(&file, bytes)?;
        names.push(file.display().to_string());
    }
    Ok(names)
}

/// The name of files: the letters and figures of ASCII in the name of the font, in small letters.
fn stem(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let stem = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    if stem.is_empty() { "hand".to_owned() } else { stem }
}

/// The boxes in doubt: page, row and box, what should be there, and the doubts.
fn asked(record: &HandRecord) -> impl Iterator<Item = ([usize; 3], char, Vec<String>)> {
    record.boxes.iter().filter(|reading| reading.doubts.iter().any(|doubt| !doubt.is_blank())).map(|reading| {
        let place = reading.place;
        let number = [usize::from(place.page.number), place.row + 1, place.column + 1];
        (number, place.character, reading.doubts.iter().map(Doubt::to_string).collect())
    })
}

fn summary(hand: &Hand, files: &[String]) -> String {
    let record = &hand.record;
    let mut lines = Vec::new();
    for picture in &record.pictures {
        lines.push(format!(
            "page {}: {:.1} px/mm, {} of 182 dots, blur {:.2} mm, pen {:.2} mm",
            picture.page.number, picture.px_per_mm, picture.dots, picture.blur_mm, picture.pen_mm
        ));
    }
    lines.extend(hand.remarks.iter().map(|(name, remark)| format!("{name}: {remark}")));
    let refused = record.refused_lines.iter();
    lines.extend(refused.map(|(row, reason)| format!("page 3, line {row} is not used: {reason}")));
    lines.extend(asked(record).map(|([page, row, column], character, doubts)| {
        let is_kept = record.kept.contains(&[page, row, column]);
        let fate = if is_kept { "used as it is" } else { "not used" };
        format!("page {page}, row {row}, box {column}, {character}: {} ({fate})", doubts.join(", "))
    }));
    let figures = &record.figures;
    if figures.closed_joins < MOST_OPEN {
        lines.push(format!(
            "{:.0} % of the pairs of letters that you join do not meet: write each letter with the strokes that lead into \
             it and out of it, as within a word",
            100.0 * (1.0 - figures.closed_joins)
        ));
    }
    lines.push(format!(
        "{} characters written, {} composed, {} glyphs, {} kerning pairs; letters {:.1} mm high, slant {:.0}°, word gap {:.2} \
         letter heights, {:.0} % of neighbours joined",
        figures.written,
        figures.composed,
        figures.glyphs,
        figures.kerning_pairs,
        figures.x_height_mm,
        figures.slant_degrees,
        figures.word_gap,
        100.0 * figures.joins
    ));
    lines.push(format!("written: {}", files.join(", ")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_named_by_three_numbers() {
        assert_eq!(box_number("1:3:6"), Ok([1, 3, 6]));
        for bad in ["", "1:3", "1:3:6:2", "a:1:2", "1,3,6"] {
            assert!(box_number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn files_are_named_after_the_font() {
        assert_eq!(stem("Founder's Hand 2"), "founder-s-hand-2");
        assert_eq!(stem("手"), "hand");
    }
}
