//! `fonts/languages.tsv`: how much of each language each font writes.
//!
//! `scripts/languages.py` writes lists of words to a folder; `LONGHAND_WORDS=FOLDER make test ARGS=languages` measures
//! with them, and writes the table and that of docs/fonts.md again. Without it, the tests find a table that is not of
//! the characters that the fonts write, and a page that is not of the table.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::Path;

use longhand::catalogue::{CatalogueSource, FontCatalogue, FontFace, FontFile, is_combining_mark};

use crate::oracle::root;

/// Least share of a language's words, in thousandths, that has a place in the table.
const LEAST: u32 = 500;
/// Least share of which docs/fonts.md tells.
const LEAST_TOLD: u32 = 900;
/// The most characters that are named as lacking.
const MOST_LACKING: usize = 8;

/// Every language that is measured.
const LANGUAGES: [(&str, &str); 49] = [
    ("ar", "Arabic"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fil", "Filipino"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian, Bosnian, Serbian in Latin letters"),
    ("hu", "Hungarian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("ko", "Korean"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ml", "Malayalam"),
    ("mr", "Marathi"),
    ("ms", "Malay"),
    ("mt", "Maltese"),
    ("nb", "Norwegian"),
    ("nl", "Dutch"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sr", "Serbian in Cyrillic letters"),
    ("sv", "Swedish"),
    ("ta", "Tamil"),
    ("th", "Thai"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("ur", "Urdu"),
    ("vi", "Vietnamese"),
    ("zh", "Chinese (simplified)"),
];

/// The words of a language: weights, and what a font must have to write them.
struct Words(Vec<(f64, String)>);

/// How much of a language a font writes.
#[derive(Debug, PartialEq)]
struct Share {
    /// In thousandths, rounded down.
    words: u32,
    /// The characters that the font lacks, those of the most words first.
    lacking: String,
}

impl Words {
    fn read(folder: &Path, language: &str) -> Self {
        let text = std::fs::read_to_string(folder.join(format!("{language}.words"))).unwrap();
        let row = |line: &str| {
            let (weight, needed) = line.split_once('\t').unwrap();
            (weight.parse().unwrap(), needed.to_owned())
        };
        Self(text.lines().map(row).collect())
    }

    fn share(&self, face: &FontFace) -> Share {
        let characters = face.characters();
        let (mut all, mut lost, mut weights) = (0.0, 0.0, HashMap::<char, f64>::new());
        for (weight, needed) in &self.0 {
            all += weight;
            // Words of letters that stand in squares look spaced out.
            let letters: String = needed.chars().filter(|each| each.is_alphabetic()).collect();
            if characters.writes(needed) && !face.sets_in_squares(&letters) {
                continue;
            }
            lost += weight;
            let lacks = |each: &char| !characters.writes(each.encode_utf8(&mut [0; 4]));
            for lacking in needed.chars().filter(lacks).chain(characters.lacks_without_dot(needed)) {
                *weights.entry(lacking).or_default() += weight;
            }
        }
        // Sums of weights are not exact; a single word is.
        let words = if lost == 0.0 { 1_000 } else { (1_000.0 * (1.0 - lost / all)).floor().min(999.0) as u32 };
        let mut lacking: Vec<(char, f64)> = weights.into_iter().collect();
        lacking.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        Share { words, lacking: lacking.into_iter().take(MOST_LACKING).map(|(character, _)| character).collect() }
    }
}

/// Names the characters that a font writes.
fn fingerprint(face: &FontFace) -> String {
    let characters: String = face.characters().written().collect();
    FontFile::checksum(characters.as_bytes())[..16].to_owned()
}

fn percent(words: u32) -> String {
    format!("{}.{}", words / 10, words % 10)
}

/// Writes the table. A share of 90 % and more has the characters that lack beside it.
fn write(folder: &Path, catalogue: &FontCatalogue) {
    let lists = LANGUAGES.map(|(language, _)| (language, Words::read(folder, language)));
    let mut table = "id\tslug\tcharacters\twords\tlacking\n".to_owned();
    for face in catalogue.faces() {
        let shares: Vec<(&str, Share)> = lists.iter().map(|(language, words)| (*language, words.share(face))).collect();
        let words = shares.iter().filter(|(_, share)| share.words >= LEAST);
        let words: Vec<String> =
            words.map(|(language, share)| format!("{language}:{}", percent(share.words))).collect();
        let lacking = shares.iter().filter(|(_, share)| share.words >= LEAST_TOLD && !share.lacking.is_empty());
        let lacking: Vec<String> = lacking.map(|(language, share)| format!("{language}:{}", share.lacking)).collect();
        let (id, slug, print) = (face.id().get(), face.slug(), fingerprint(face));
        writeln!(table, "{id}\t{slug}\t{print}\t{}\t{}", words.join(" "), lacking.join(" ")).unwrap();
    }
    std::fs::write(root().join("fonts/languages.tsv"), &table).unwrap();
    let page = std::fs::read_to_string(page()).unwrap();
    let (head, rest) = page.split_once(HEADER).unwrap();
    let tail = rest.lines().skip_while(|line| line.starts_with('|')).map(|line| format!("{line}\n"));
    let tail: String = tail.collect();
    std::fs::write(self::page(), format!("{head}{HEADER}{}{tail}", rows_of(&table))).unwrap();
}

const HEADER: &str = "| language | | every word | fewer |\n|---|---|---|---|\n";

fn page() -> std::path::PathBuf {
    root().join("docs/fonts.md")
}

/// The cell of a language, as of `ja:99.9 vi:100.0`.
fn cell<'a>(cells: &'a str, language: &str) -> Option<&'a str> {
    cells.split(' ').find_map(|pair| pair.split_once(':').filter(|(known, _)| *known == language)).map(|(_, cell)| cell)
}

/// The rows of docs/fonts.md by the table: one a language, with the hands that write every word, and those that write
/// at least 90 %, by their share.
fn rows_of(table: &str) -> String {
    let mut rows = String::new();
    for (language, name) in LANGUAGES {
        let mut every = Vec::new();
        let mut fewer = BTreeMap::<u32, (Vec<u16>, String)>::new();
        let mut most = (0, 0);
        for row in table.lines().skip(1) {
            let [id, _, _, words, lacking] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let id: u16 = id.parse().unwrap();
            let share: f64 = cell(words, language).unwrap_or("0").parse().unwrap();
            let share = (share * 10.0).round() as u32;
            most = most.max((share, id));
            if share == 1_000 {
                every.push(id);
            } else if share >= LEAST_TOLD {
                let (hands, lacks) = fewer.entry(share).or_default();
                hands.push(id);
                lacks.push_str(cell(lacking, language).unwrap_or_default());
            }
        }
        let part = |(share, (hands, lacks)): (&u32, &(Vec<u16>, String))| {
            format!("{} %: {} (lacking {})", percent(*share), ranges(hands), shown(lacks))
        };
        let mut parts: Vec<String> = fewer.iter().rev().map(part).collect();
        if every.is_empty() && parts.is_empty() {
            parts.push(match most {
                (0, _) => "no hand".to_owned(),
                (share, id) => format!("no hand; {id} writes {} %", percent(share)),
            });
        }
        writeln!(rows, "| {name} | {language} | {} | {} |", ranges(&every), parts.join("; ")).unwrap();
    }
    rows
}

/// Numbers such as `1–3, 7`.
fn ranges(numbers: &[u16]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let text = |run: &[u16]| match run {
        [first, .., last] => format!("{first}–{last}"),
        _ => run.iter().map(u16::to_string).collect(),
    };
    runs.map(text).collect::<Vec<_>>().join(", ")
}

/// The first of these characters, each once; marks on a dotted circle.
fn shown(lacking: &str) -> String {
    let mut seen: Vec<char> = Vec::new();
    for character in lacking.chars() {
        if !seen.contains(&character) {
            seen.push(character);
        }
    }
    let text = |character: char| format!("{}{character}", if is_combining_mark(character) { "◌" } else { "" });
    seen.into_iter().take(MOST_LACKING).map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_table_of_languages_is_of_the_characters_that_the_fonts_write() {
    let catalogue = FontCatalogue::load().unwrap();
    if let Some(folder) = std::env::var_os("LONGHAND_WORDS") {
        return write(Path::new(&folder), &catalogue);
    }
    let remedy = "fonts/languages.tsv is out of date; measure again with scripts/languages.py";
    let rows: Vec<&str> = CatalogueSource::embedded().languages.lines().skip(1).collect();
    assert_eq!(rows.len(), catalogue.faces().count(), "{remedy}");
    for (face, row) in catalogue.faces().zip(rows) {
        let key = format!("{}\t{}\t{}\t", face.id().get(), face.slug(), fingerprint(face));
        assert!(row.starts_with(&key), "{remedy}: font {} is {key:?}", face.id().get());
    }
}

#[test]
fn the_page_of_hands_has_the_table_of_languages() {
    if std::env::var_os("LONGHAND_WORDS").is_some() {
        return;
    }
    let page = std::fs::read_to_string(page()).unwrap();
    let expected = format!("{HEADER}{}", rows_of(CatalogueSource::embedded().languages));
    let remedy = "docs/fonts.md is out of date; measure again with scripts/languages.py";
    assert!(page.contains(&format!("{expected}\n")) || page.ends_with(&expected), "{remedy}:\n{expected}");
}

#[test]
fn every_hand_writes_english_and_the_hands_of_other_languages_their_words() {
    let catalogue = FontCatalogue::load().unwrap();
    let share = |id: usize, language| catalogue.faces().nth(id - 1).unwrap().record().languages.percent(language);
    for id in 1..=90 {
        assert!(share(id, "en").unwrap() >= 99.9, "font {id}");
    }
    for (id, language) in [(2, "vi"), (1, "uk"), (17, "el"), (83, "th"), (86, "he"), (81, "hi"), (82, "ml")] {
        assert!(share(id, language).unwrap() >= 99.9, "font {id} and {language}");
    }
    for (id, language) in [(89, "ko"), (90, "ja")] {
        assert!(share(id, language).unwrap() >= 99.9, "font {id} and {language}");
    }
    for (id, language) in [(90, "zh"), (90, "uk"), (1, "ja"), (4, "pl"), (1, "vi")] {
        assert_eq!(share(id, language), None, "font {id} and {language}");
    }
}

#[test]
fn a_word_is_written_only_with_all_of_its_characters() {
    let catalogue = FontCatalogue::load().unwrap();
    let caveat = catalogue.faces().next().unwrap();
    let words =
        |rows: &[(f64, &str)]| Words(rows.iter().map(|(weight, needed)| (*weight, (*needed).to_owned())).collect());
    let of = |rows| words(rows).share(caveat);
    assert_eq!(of(&[(5.0, ""), (1.0, "é")]), Share { words: 1_000, lacking: String::new() });
    assert_eq!(of(&[(2.0, "é"), (0.5, "éひ"), (0.5, "かひ")]), Share { words: 666, lacking: "ひか".to_owned() });
    assert_eq!(of(&[(1e6, "é"), (1e-6, "漢")]).words, 999, "not every word");
    assert_eq!(
        (ranges(&[1, 2, 3, 7, 9, 10]), shown("őű\u{30b}ő")),
        ("1–3, 7, 9–10".to_owned(), "ő ű ◌\u{30b}".to_owned())
    );
}
