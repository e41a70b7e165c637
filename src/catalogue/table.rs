//! Reads `catalog.tsv`, `metrics.tsv` and `languages.tsv`: tab-separated, with the names of the columns in the first
//! line.

use std::collections::HashMap;

use csv::ErrorKind;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{CatalogueError, Context, FONT_COUNT, FontParts, FontRecord, Languages};

const CATALOG: &str = "catalog.tsv";
const METRICS: &str = "metrics.tsv";
const LANGUAGES: &str = "languages.tsv";

/// One line of `catalog.tsv`.
#[derive(Deserialize)]
struct CatalogLine {
    id: u16,
    slug: String,
    family: String,
    sha256: String,
    licence: String,
    style: String,
    slant: String,
    neatness: u8,
    lively: String,
    scripts: String,
    kern: String,
    calt: String,
    word_gap_em: f64,
}

/// One line of `metrics.tsv`.
#[derive(Deserialize)]
struct MetricsLine {
    id: u16,
    stroke_em: f64,
    contrast: f64,
}

/// One line of `languages.tsv`.
#[derive(Deserialize)]
struct LanguagesLine {
    id: u16,
    words: String,
}

/// All rows in id order, without stroke widths and files.
///
/// # Errors
/// A missing column, a row that cannot be read, ids other than 1 to 90 in order.
pub(super) fn rows(text: &str) -> Result<Vec<FontParts>, CatalogueError> {
    let lines = lines::<CatalogLine>(CATALOG, text)?.into_iter().zip(1_u16..);
    let rows: Vec<FontParts> = lines
        .map(|(line, id)| {
            // The first line is the header.
            row(line, id).map_err(|reason| CatalogueError::BadRow { table: CATALOG, line: u64::from(id) + 1, reason })
        })
        .collect::<Result<_, _>>()?;
    if rows.len() == usize::from(FONT_COUNT) { Ok(rows) } else { Err(CatalogueError::WrongCount { found: rows.len() }) }
}

fn row(line: CatalogLine, id: u16) -> Result<FontParts, String> {
    if line.id != id {
        return Err(format!("the id is {}; rows are in id order, so it must be {id}", line.id));
    }
    let texts = [&line.slug, &line.family, &line.sha256, &line.licence, &line.style, &line.scripts];
    let names = ["slug", "family", "sha256", "licence", "style", "scripts"];
    if let Some((name, _)) = names.into_iter().zip(texts).find(|(_, text)| text.is_empty()) {
        return Err(format!("\"{name}\" is empty"));
    }
    let (lean, slant_degrees) = slant(&line.slant)?;
    let record = FontRecord {
        id,
        name: line.family,
        style: line.style,
        slant: lean,
        neatness: line.neatness,
        lively: yes_or_no("lively", &line.lively)?,
        scripts: line.scripts.split(',').filter(|set| !set.contains('~')).map(str::to_owned).collect(),
        kerning: yes_or_no("kern", &line.kern)?,
        alternates: yes_or_no("calt", &line.calt)?,
        // Told by the files and the other tables.
        strokes: false,
        languages: Languages::default(),
        license: line.licence,
    };
    Ok(FontParts {
        record,
        slug: line.slug,
        sha256: line.sha256,
        slant_degrees,
        word_gap_em: line.word_gap_em,
        context: Context::of_bundled(id),
        ..FontParts::default()
    })
}

/// Width of each font's pen stroke in em and its contrast, by id.
///
/// # Errors
/// A missing column or a row that cannot be read.
pub(super) fn strokes(text: &str) -> Result<HashMap<u16, [f64; 2]>, CatalogueError> {
    Ok(lines::<MetricsLine>(METRICS, text)?
        .into_iter()
        .map(|line| (line.id, [line.stroke_em, line.contrast]))
        .collect())
}

/// How much of each language each font writes, by id.
///
/// # Errors
/// A missing column or a row that cannot be read.
pub(super) fn languages(text: &str) -> Result<HashMap<u16, Languages>, CatalogueError> {
    let row = |(line, LanguagesLine { id, words }): (u64, LanguagesLine)| {
        let bad = |reason| CatalogueError::BadRow { table: LANGUAGES, line, reason };
        Ok((id, Languages::of_cell(&words).map_err(bad)?))
    };
    // The first line is the header.
    (2_u64..).zip(lines::<LanguagesLine>(LANGUAGES, text)?).map(row).collect()
}

/// The lines of a table below its header. Quotation marks are plain text.
fn lines<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<Vec<T>, CatalogueError> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let bad = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let reason = match error.kind() {
            ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|index| header.get(usize::try_from(index).ok()?));
                column.map_or_else(|| err.kind().to_string(), |column| format!("\"{column}\": {}", err.kind()))
            }
            _ => error.to_string(),
        };
        CatalogueError::BadRow { table, line, reason }
    };
    reader.deserialize().collect::<Result<_, _>>().map_err(bad)
}

fn yes_or_no(column: &str, cell: &str) -> Result<bool, String> {
    match cell {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("\"{column}\" must be yes or no, not \"{other}\"")),
    }
}

/// The word and the degrees of `slanted(+18)`.
fn slant(cell: &str) -> Result<(String, f64), String> {
    let parts = cell.strip_suffix(')').and_then(|cell| cell.split_once('('));
    let parsed = parts.and_then(|(word, degrees)| Some((word.to_owned(), degrees.parse().ok()?)));
    parsed.ok_or_else(|| format!("\"slant\" must read like slanted(+18), not \"{cell}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "id\tslug\tfamily\tsha256\tlicence\tstyle\tslant\tneatness\tlively\tscripts\tkern\tcalt\tword_gap_em";

    fn one_row(row: &str) -> CatalogueError {
        rows(&format!("{HEADER}\n{row}\n")).unwrap_err()
    }

    #[test]
    fn a_good_row_is_followed_by_the_count() {
        let error = one_row("1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tno\tASCII,Greek~76\tyes\tno\t0.000");
        assert_eq!(error, CatalogueError::WrongCount { found: 1 });
    }

    #[test]
    fn a_broken_cell_is_named_with_its_line() {
        let cases = [
            ("2\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tno\tASCII\tyes\tno\t0.000", "id is 2"),
            ("1\ta\t\t00\tOFL-1.1\tprint\tupright(-2)\t4\tno\tASCII\tyes\tno\t0.000", "\"family\" is empty"),
            ("1\ta\tA\t00\tOFL-1.1\tprint\tupright\t4\tno\tASCII\tyes\tno\t0.000", "\"slant\""),
            (
                "1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\tfour\tno\tASCII\tyes\tno\t0.000",
                "\"neatness\": invalid digit",
            ),
            (
                "1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tno\tASCII\tperhaps\tno\t0.000",
                "\"kern\" must be yes or no",
            ),
            ("1\ta\tA", "3 fields"),
        ];
        for (row, reason) in cases {
            let message = one_row(row).to_string();
            assert!(message.starts_with("catalog.tsv, line 2") && message.contains(reason), "{message}");
        }
    }

    #[test]
    fn a_broken_share_of_words_is_named_with_its_line() {
        let error = languages("id\twords\n1\tja:99.9\n2\tja:99.9 vi\n").unwrap_err();
        assert!(
            error.to_string().starts_with("languages.tsv, line 3") && error.to_string().contains("\"vi\""),
            "{error}"
        );
    }

    #[test]
    fn a_missing_column_is_named() {
        let error = rows("id\tslug\n1\ta\n").unwrap_err();
        assert_eq!(error.to_string(), "catalog.tsv, line 2: missing field `family`");
    }

    #[test]
    fn partly_covered_scripts_are_not_promised() {
        let all = rows(include_str!("../../fonts/catalog.tsv")).unwrap();
        assert_eq!(all[3].record.scripts, ["ASCII", "Latin-1"]);
        assert!((all[3].slant_degrees - 22.0).abs() < 1e-9);
    }
}
