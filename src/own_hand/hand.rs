//! Makes a hand of pictures: reads them, puts pages together, and draws the font.

use std::collections::BTreeMap;

use super::contact_sheet::contact_sheet;
use super::font::{Design, Forms, X_HEIGHT as X_HEIGHT_UNITS, write_font};
use super::letters::{BoxReading, Doubt, compare};
use super::manner::manner;
use super::page::quantile;
use super::page_reading::{PageReading, PictureRefusal, read_page};
use super::record::{HandFigures, HandRecord, PictureRecord, sha256};
use super::sheet::{BASIC_LETTERS, LabelFont};
use super::spacing::{GapModel, Joins, LineInk, Observation, Profiles, Templates, find_lines, observations, word_gaps};
use crate::catalogue::FontCatalogue;

/// Fewest lines with the text that they should have.
const LEAST_LINES: usize = 6;
/// The share of neighbours that are joined in a joined hand.
const JOINED: f64 = 0.5;
/// The gap between words of a hand whose lines have none, in x-heights.
const USUAL_WORD_GAP: f64 = 1.3;

/// What a hand is made of.
#[derive(Clone, Debug)]
pub struct HandRequest<'a> {
    /// The name and the bytes of each picture. Of two pictures of a page, boxes are taken from the later one where it has
    /// them without doubt.
    pub pictures: &'a [(String, Vec<u8>)],
    /// Family name of the font.
    pub name: String,
    /// Its `font_id`.
    pub id: u16,
    /// Boxes that are used whatever is doubted: page, row and box, from 1.
    pub keep: Vec<[usize; 3]>,
    /// An earlier record of the hand, which the pictures mend.
    pub earlier: Option<HandRecord>,
}

/// A hand: the files that belong together.
#[derive(Clone, Debug)]
pub struct Hand {
    /// The TrueType file.
    pub font: Vec<u8>,
    /// The TOML file that describes it to the service.
    pub description: String,
    /// The record, to mend the hand later.
    pub record: HandRecord,
    /// A PNG with every box.
    pub contact_sheet: Vec<u8>,
    /// Remarks on pictures that could be better, with their names.
    pub remarks: Vec<(String, String)>,
}

/// Why there is no hand.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HandError {
    /// Pictures cannot be used.
    #[error("{}", .0.iter().map(|(name, refusal)| format!("{name}: {refusal}")).collect::<Vec<_>>().join("\n"))]
    Pictures(Vec<(String, PictureRefusal)>),
    /// Pages are of sheets for joined and for other hands.
    #[error("pages of a sheet for joined hands and of another are mixed; fill and take the pages of one sheet")]
    MixedSheets,
    /// A page is missing.
    #[error("page {0} is missing; take a picture of it as well")]
    MissingPage(u8),
    /// Letters are missing: each with its boxes and their doubts.
    #[error("{}", missing_letters(.0))]
    MissingLetters(Vec<(char, Vec<String>)>),
    /// Too few lines have the text that they should have.
    #[error(
        "{good} of 12 lines on page 3 can be used, and {LEAST_LINES} are needed; copy each line under its words, or leave out \
         its last words{}", refused_lines(.refused)
    )]
    FewLines {
        /// Lines that can be used.
        good: usize,
        /// The others, from 1, and why.
        refused: Vec<(usize, String)>,
    },
    /// A box to keep does not exist.
    #[error("page {}, row {}, box {}: there is no ink in that box", .0[0], .0[1], .0[2])]
    NothingToKeep([usize; 3]),
    /// The files cannot be written.
    #[error("{0}")]
    Unwritable(String),
}

fn refused_lines(refused: &[(usize, String)]) -> String {
    refused.iter().fold(String::new(), |text, (row, reason)| text + &format!("\nline {row}: {reason}"))
}

fn missing_letters(letters: &[(char, Vec<String>)]) -> String {
    let of_letter = |(letter, boxes): &(char, Vec<String>)| {
        let boxes = if boxes.is_empty() { "no box of it was on a picture".to_owned() } else { boxes.join("; ") };
        format!("{letter} cannot be used: {boxes}")
    };
    let each: Vec<String> = letters.iter().map(of_letter).collect();
    format!(
        "{}\nwrite these letters again and take a new picture of the page, or use a box as it is: --keep PAGE:ROW:BOX",
        each.join("\n")
    )
}

/// A picture that was read.
#[derive(Clone, Debug)]
pub struct PictureReading {
    /// What is kept of it.
    pub record: PictureRecord,
    /// What could be better about it.
    pub remarks: Vec<String>,
}

/// The files of a hand beside its record.
#[derive(Clone, Debug)]
pub struct HandFiles {
    /// The TrueType file.
    pub font: Vec<u8>,
    /// The TOML file that describes it to the service.
    pub description: String,
}

/// What became of pictures, whether or not there is a hand.
#[derive(Clone, Debug)]
pub struct HandReading {
    /// Each picture, in the order of the request.
    pub pictures: Vec<Result<PictureReading, PictureRefusal>>,
    /// Every box that was on a usable picture, compared with the others; with the figures of the hand if there is one.
    pub record: HandRecord,
    /// The hand, or why there is none.
    pub outcome: Result<HandFiles, HandError>,
}

/// Makes a hand. Equal requests give equal bytes.
///
/// # Errors
/// Pictures that cannot be used, pages or letters that are missing, or lines with other text.
pub fn make_hand(request: HandRequest<'_>, catalogue: &FontCatalogue) -> Result<Hand, HandError> {
    let names: Vec<String> = request.pictures.iter().map(|(name, _)| name.clone()).collect();
    let HandReading { pictures, record, outcome } = read_hand(request, catalogue);
    let HandFiles { font, description } = outcome?;
    let read = names.iter().zip(pictures.iter().filter_map(|picture| picture.as_ref().ok()));
    let remarks =
        read.flat_map(|(name, picture)| picture.remarks.iter().map(move |remark| (name.clone(), remark.clone())));
    let remarks = remarks.collect();
    let contact_sheet = contact_sheet(&record.boxes, &record.kept, &LabelFont::new(catalogue));
    let contact_sheet = contact_sheet.map_err(HandError::Unwritable)?;
    Ok(Hand { font, description, record, contact_sheet, remarks })
}

/// Reads pictures as far as they can be used, and makes a hand of them if they are enough. Equal requests give equal bytes.
#[must_use]
pub fn read_hand(request: HandRequest<'_>, catalogue: &FontCatalogue) -> HandReading {
    let HandRequest { pictures, name, id, keep, earlier } = request;
    let mut record = earlier.unwrap_or_else(|| HandRecord::new(name.clone(), id));
    (record.name, record.id) = (name, id);
    let (mut outcomes, mut readings, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for (name, bytes) in pictures {
        outcomes.push(read_page(bytes, catalogue).map(|page| {
            let reading = PictureReading { record: picture_record(bytes, &page), remarks: page.remarks.clone() };
            readings.push(page);
            reading
        }));
        if let Some(Err(refusal)) = outcomes.last() {
            refusals.push((name.clone(), refusal.clone()));
        }
    }
    record.pictures.extend(outcomes.iter().flatten().map(|picture| picture.record.clone()));
    record.boxes = merged(std::mem::take(&mut record.boxes), &readings);
    let x_height = compare(&mut record.boxes).unwrap_or(super::sheet::X_HEIGHT);
    record.kept.extend(keep);
    record.kept.sort_unstable();
    record.kept.dedup();
    let outcome =
        if refusals.is_empty() { finish(&mut record, &readings, x_height) } else { Err(HandError::Pictures(refusals)) };
    HandReading { pictures: outcomes, record, outcome }
}

/// Makes the font of the boxes of a record, and measures the hand by them and by lines.
fn finish(record: &mut HandRecord, readings: &[PageReading], x_height: f64) -> Result<HandFiles, HandError> {
    let kinds = record.pictures.iter().map(|picture| picture.page.joined);
    if kinds.clone().any(|joined| joined) && !kinds.clone().all(|joined| joined) {
        return Err(HandError::MixedSheets);
    }
    let has_page = |number: u8| record.pictures.iter().any(|picture| picture.page.number == number);
    if let Some(missing) = [1, 3].into_iter().find(|number| !has_page(*number)) {
        return Err(HandError::MissingPage(missing));
    }
    let usable = usable(record)?;
    let profiles = Profiles::of(&usable, x_height);
    // Of two pictures of the lines the later one counts.
    let lines = readings.iter().rev().map(|page| &page.lines).find(|lines| !lines.is_empty());
    let found = lines.map(|lines| measure_lines(lines, &usable, &profiles, x_height)).transpose()?;
    let (gaps, word_gaps) = match &found {
        Some(found) => (found.gaps.clone(), found.word_gaps.clone()),
        None => (record.gaps.clone(), record.word_gaps.clone()),
    };
    let model = GapModel::fit(profiles, &gaps).ok_or(HandError::MissingPage(3))?;
    let word_gap = if word_gaps.is_empty() { USUAL_WORD_GAP } else { quantile(&word_gaps, 0.5) };
    let writer = manner(&usable, x_height, model.spread, &word_gaps);
    let forms = Forms::of(&usable, x_height);
    let joins = Joins::of(&gaps);
    let pens: Vec<f64> = record.pictures.iter().map(|picture| picture.pen_mm).collect();
    let pen = quantile(&pens, 0.5) * X_HEIGHT_UNITS / x_height;
    let design = Design::of(&forms, &model, word_gap, (&joins, pen));
    let font = write_font(&design, &record.name, forms.slant).map_err(HandError::Unwritable)?;
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    record.figures = HandFigures {
        x_height_mm: rounded(x_height),
        slant_degrees: (forms.slant * 10.0).round() / 10.0,
        word_gap: rounded(word_gap),
        gap_spread: rounded(model.spread),
        joins: rounded(joins.share()),
        closed_joins: rounded(design.figures.closed_joins),
        written: design.figures.written,
        composed: design.figures.composed,
        glyphs: design.figures.glyphs,
        points: design.figures.points[0],
        kerning_pairs: design.figures.kerning_pairs,
        writer,
    };
    (record.gaps, record.word_gaps) = (gaps, word_gaps);
    if let Some(found) = found {
        record.refused_lines = found.refused;
    }
    let description = description(record).map_err(HandError::Unwritable)?;
    Ok(HandFiles { font, description })
}

fn picture_record(bytes: &[u8], page: &PageReading) -> PictureRecord {
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    PictureRecord {
        sha256: sha256(bytes),
        page: page.map.page,
        px_per_mm: rounded(page.map.scale),
        dots: page.map.dots,
        blur_mm: rounded(page.ink.blur),
        pen_mm: rounded(page.ink.pen),
        ink: rounded(page.ink.level),
    }
}

/// The boxes of earlier pictures and of these: of a box on several pictures the later one, unless that is blank or in doubt
/// and the earlier one is not.
fn merged(earlier: Vec<BoxReading>, readings: &[PageReading]) -> Vec<BoxReading> {
    let key = |reading: &BoxReading| (reading.place.page.number, reading.place.row, reading.place.column);
    let mut boxes: BTreeMap<_, BoxReading> = BTreeMap::new();
    for mut reading in earlier {
        // Doubts of comparison are found again.
        reading
            .doubts
            .retain(|doubt| !matches!(doubt, Doubt::Size | Doubt::Height | Doubt::Shape | Doubt::LooksLike(_)));
        boxes.insert(key(&reading), reading);
    }
    let rank = |reading: &BoxReading| (reading.is_good(), reading.is_filled());
    for reading in readings.iter().flat_map(|page| &page.boxes) {
        let is_better = boxes.get(&key(reading)).is_none_or(|known| rank(reading) >= rank(known));
        if is_better {
            boxes.insert(key(reading), reading.clone());
        }
    }
    boxes.into_values().collect()
}

/// The boxes that are used: those without doubt, and those to keep.
fn usable(record: &HandRecord) -> Result<Vec<&BoxReading>, HandError> {
    let has_ink = |kept: &[usize; 3]| {
        record.boxes.iter().any(|reading| reading.number() == *kept && !reading.contours.is_empty())
    };
    if let Some(nothing) = record.kept.iter().find(|kept| !has_ink(kept)) {
        return Err(HandError::NothingToKeep(*nothing));
    }
    let is_used = |reading: &&BoxReading| reading.is_good() || record.kept.contains(&reading.number());
    let used: Vec<&BoxReading> = record.boxes.iter().filter(is_used).collect();
    let missing: Vec<(char, Vec<String>)> = BASIC_LETTERS
        .chars()
        .filter(|letter| !used.iter().any(|reading| reading.place.character == *letter))
        .map(|letter| {
            let boxes = record.boxes.iter().filter(|reading| reading.place.character == letter);
            let doubts = |reading: &BoxReading| {
                let doubts: Vec<String> = reading.doubts.iter().map(Doubt::to_string).collect();
                let [page, row, column] = reading.number();
                format!("page {page}, row {row}, box {column}: {}", doubts.join(", "))
            };
            (letter, boxes.map(doubts).collect())
        })
        .collect();
    if missing.is_empty() { Ok(used) } else { Err(HandError::MissingLetters(missing)) }
}

/// What the lines tell.
struct MeasuredLines {
    gaps: Vec<Observation>,
    word_gaps: Vec<f64>,
    refused: Vec<(usize, String)>,
}

fn measure_lines(
    lines: &[LineInk],
    usable: &[&BoxReading],
    profiles: &Profiles,
    x_height: f64,
) -> Result<MeasuredLines, HandError> {
    let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let mut measured = MeasuredLines { gaps: Vec::new(), word_gaps: Vec::new(), refused: Vec::new() };
    let findings = find_lines(lines, &Templates::of(usable), profiles, x_height);
    let mut good = 0;
    for (line, finding) in lines.iter().zip(findings) {
        if let Some(reason) = finding.refused {
            measured.refused.push((line.line.row + 1, reason.to_owned()));
            continue;
        }
        good += 1;
        let mut letters = finding.letters;
        let gaps = observations(line, &mut letters, x_height).into_iter();
        measured.gaps.extend(gaps.map(|gap| Observation { gap: rounded(gap.gap), ..gap }));
        measured.word_gaps.extend(word_gaps(line, &letters, x_height).into_iter().map(rounded));
    }
    if good < LEAST_LINES {
        return Err(HandError::FewLines { good, refused: measured.refused });
    }
    Ok(measured)
}

/// The TOML file of the font.
fn description(record: &HandRecord) -> Result<String, String> {
    let style = if record.figures.joins > JOINED { "cursive" } else { "print" };
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let writer = toml::to_string(&record.figures.writer).map_err(|error| error.to_string())?;
    Ok(format!(
        "id = {}\nname = {}\nstyle = \"{style}\"\nlicence = \"own hand\"\nslant = {:.1}\nvariants = true\n\n[writer]\n{writer}",
        record.id,
        quoted(&record.name),
        record.figures.slant_degrees
    ))
}
