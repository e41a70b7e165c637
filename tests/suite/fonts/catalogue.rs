//! The ninety fonts as they lie in `fonts/`, and the catalogue made of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use longhand::catalogue::{
    CatalogueError, CatalogueSource, FONT_COUNT, FontCatalogue, FontId, GlyphId, OutlineCommand,
};
use longhand::units::FontUnits;
use sha2::{Digest as _, Sha256};

static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

fn fonts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts")
}

fn font(number: u16) -> FontId {
    FontId::new(number).unwrap()
}

/// Base names of the files of a folder of `fonts/`.
fn stems(folder: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(fonts().join(folder)).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn there_are_ninety_fonts_numbered_from_one() {
    let numbers: Vec<u16> = CATALOGUE.faces().map(|face| face.record().id).collect();
    assert_eq!(numbers, (1..=FONT_COUNT).collect::<Vec<_>>());
    assert_eq!((FontId::new(0), FontId::new(91)), (None, None));
    assert!(FontId::bundled().all(|id| CATALOGUE.face(id).id() == id));
}

#[test]
fn every_file_is_the_one_the_table_means() {
    for face in CATALOGUE.faces() {
        let file = std::fs::read(fonts().join("ttf").join(format!("{}.ttf", face.slug()))).unwrap();
        let hexadecimal =
            |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]));
        let sum: String = Sha256::digest(&file).iter().flat_map(hexadecimal).collect();
        assert_eq!(sum, face.sha256(), "{}", face.slug());
        assert!(file == face.bytes(), "the binary holds another {}", face.slug());
    }
}

#[test]
fn the_folders_hold_the_table_s_fonts_and_their_licences_and_no_others() {
    let slugs: BTreeSet<String> = CATALOGUE.faces().map(|face| face.slug().to_owned()).collect();
    assert_eq!(slugs.len(), usize::from(FONT_COUNT), "a slug is used twice");
    assert_eq!(stems("ttf"), slugs);
    assert_eq!(stems("licences"), slugs);
    for face in CATALOGUE.faces() {
        let text = std::fs::read_to_string(fonts().join("licences").join(format!("{}.txt", face.slug()))).unwrap();
        let title = match face.record().license.as_str() {
            "OFL-1.1" => "SIL Open Font License",
            "Apache-2.0" => "Apache License",
            other => panic!("{}: unknown licence {other}", face.slug()),
        };
        assert!(text.to_lowercase().contains(&title.to_lowercase()), "{}: no {title}", face.slug());
    }
}

#[test]
fn every_font_writes_all_of_printable_ascii() {
    for face in CATALOGUE.faces() {
        let missing: String = (' '..='~').filter(|character| !face.has(*character)).collect();
        assert_eq!(missing, "", "{}", face.slug());
    }
}

#[test]
fn coverage_agrees_with_the_character_map() {
    for face in CATALOGUE.faces() {
        for character in ('\0'..'\u{3100}').chain('\u{AC00}'..'\u{AD00}').chain('\u{FB00}'..'\u{10000}') {
            assert_eq!(face.has(character), face.glyph_for(character).is_some(), "{} {character:?}", face.slug());
        }
    }
}

/// The letters of each script that `GET /api/v1/fonts` names: those of the alphabets written today.
fn letters_of(script: &str) -> String {
    let range = |first: u32, last: u32| (first..=last).filter_map(char::from_u32).collect::<String>();
    match script {
        "ASCII" => range(0x20, 0x7E),
        "Latin-1" => range(0xC0, 0xFF).replace(['×', '÷'], ""),
        // Without the long s, Greenlandic kra, the deprecated ŉ, and letters that NFKC takes apart.
        "LatinExtA" => range(0x100, 0x17F).replace(['ſ', 'ĸ', 'ŉ', 'Ĳ', 'ĳ', 'Ŀ', 'ŀ'], ""),
        "Vietnamese" => "ĂăÂâĐđÊêÔôƠơƯư".to_owned() + &range(0x1EA0, 0x1EF9),
        "Cyrillic" => "Ёё".to_owned() + &range(0x410, 0x44F),
        "Ukrainian" => "ІіЇїЄєҐґ".to_owned(),
        "Greek" => "άέήίόύώΆΈΉΊΌΎΏϊϋΐΰ".to_owned() + &range(0x391, 0x3A1) + &range(0x3A3, 0x3A9) + &range(0x3B1, 0x3C9),
        "Hebrew" => range(0x5D0, 0x5EA),
        "Thai" => range(0xE01, 0xE3A) + &range(0xE3F, 0xE5B),
        "Devanagari" => {
            "ँंःअआइईउऊऋऌएऐऑओऔ".to_owned() + &range(0x915, 0x928) + "पफबभमयरलळवशषसह\u{93C}ऽािीुूृॄेैॉोौ्।॥" + &range(0x966, 0x96F)
        }
        "Malayalam" => {
            range(0xD05, 0xD0C)
                + "എഏഐ"
                + &range(0xD12, 0xD28)
                + &range(0xD2A, 0xD39)
                + &range(0xD3E, 0xD43)
                + "െേൈൊോൌ്\u{D57}ംഃൺൻർൽൾ"
        }
        "Hangul" => range(0xAC00, 0xD7A3),
        "Hiragana" => "、。「」".to_owned() + &range(0x3041, 0x3093),
        "Katakana" => "、。「」・ー".to_owned() + &range(0x30A1, 0x30F6),
        // Level 1 of JIS X 0208, by its cells in Shift_JIS.
        "Kanji" => {
            let cells = (0x889F..=0x9872_u16)
                .map(u16::to_be_bytes)
                .filter(|[_, cell]| matches!(cell, 0x40..=0x7E | 0x80..=0xFC));
            let kanji = encoding_rs::SHIFT_JIS.decode(&cells.flatten().collect::<Vec<_>>()).0.into_owned();
            assert_eq!(kanji.chars().count(), 2_965);
            kanji
        }
        other => panic!("what letters {other:?} has is written nowhere"),
    }
}

/// Every set that the catalogue names.
const SETS: [&str; 15] = [
    "ASCII",
    "Latin-1",
    "LatinExtA",
    "Vietnamese",
    "Cyrillic",
    "Ukrainian",
    "Greek",
    "Hebrew",
    "Thai",
    "Devanagari",
    "Malayalam",
    "Hangul",
    "Hiragana",
    "Katakana",
    "Kanji",
];

#[test]
fn the_scripts_that_clients_are_told_are_those_of_the_files() {
    for face in CATALOGUE.faces() {
        let file = ttf_parser::Face::parse(face.bytes(), 0).unwrap();
        for script in &face.record().scripts {
            assert!(SETS.contains(&script.as_str()), "{}: {script}", face.slug());
        }
        for script in SETS {
            let is_wrong = |letter: &char| face.characters().unwritten().contains(letter) && !face.has(*letter);
            let lacks = |letter: &char| is_wrong(letter) || file.glyph_index(*letter).is_none_or(|glyph| glyph.0 == 0);
            let missing: String = letters_of(script).chars().filter(lacks).collect();
            let told = face.record().scripts.iter().any(|told| told == script);
            assert_eq!(told, missing.is_empty(), "{} and {script}: it lacks {missing:?}", face.slug());
        }
    }
}

#[test]
fn x_heights_agree_with_the_measured_table() {
    let text = std::fs::read_to_string(fonts().join("metrics.tsv")).unwrap();
    let column = text.lines().next().unwrap().split('\t').position(|title| title == "x_height_em").unwrap();
    for (face, row) in CATALOGUE.faces().zip(text.lines().skip(1)) {
        let measured: f64 = row.split('\t').nth(column).unwrap().parse().unwrap();
        let own = face.x_height().get() / f64::from(face.units_per_em());
        assert!((own - measured).abs() < 0.02, "{}: {own} {measured}", face.slug());
    }
}

#[test]
fn ascent_is_the_highest_ink_of_letters_and_digits() {
    for face in CATALOGUE.faces() {
        let mut highest = FontUnits::ZERO;
        for character in ('0'..='9').chain('A'..='Z').chain('a'..='z') {
            highest = highest.max(face.ink(face.glyph_for(character).unwrap()).unwrap().max.y);
        }
        assert_eq!(face.ink_ascent(), highest, "{}", face.slug());
    }
}

#[test]
fn ink_boxes_lie_within_the_control_points_and_touch_the_outline() {
    let face = CATALOGUE.face(FontId::DEFAULT);
    let mut tighter = 0;
    for glyph in (0..face.glyph_count()).map(GlyphId) {
        let Some(outline) = face.outline(glyph) else { continue };
        assert_eq!(face.ink(glyph), Some(outline.ink));
        let mut points = Vec::new();
        for command in &outline.commands {
            match *command {
                OutlineCommand::MoveTo(to) | OutlineCommand::LineTo(to) => points.push(to),
                OutlineCommand::QuadTo(control, to) => points.extend([control, to]),
                OutlineCommand::CubicTo(first, second, to) => points.extend([first, second, to]),
                OutlineCommand::Close => {}
            }
        }
        let top = points.iter().map(|point| point.y.get()).fold(f64::MIN, f64::max);
        let left = points.iter().map(|point| point.x.get()).fold(f64::MAX, f64::min);
        assert!(outline.ink.max.y.get() <= top && outline.ink.min.x.get() >= left);
        tighter += usize::from(outline.ink.max.y.get() < top);
    }
    assert!(tighter > 20, "control points stick out of some curves ({tighter})");
}

#[test]
fn a_glyph_stands_at_its_left_side_bearing() {
    // Rouge Script stores this glyph 26 units to the left of the place that its metrics state.
    let ink = CATALOGUE.face(font(68)).ink(GlyphId(44)).unwrap();
    assert!((ink.min.x.get() - 4.0).abs() < 1.0, "{ink:?}");
}

#[test]
fn blank_and_unknown_glyphs_have_no_ink() {
    for face in CATALOGUE.faces() {
        assert_eq!(face.ink(face.glyph_for(' ').unwrap()), None, "{}", face.slug());
        assert_eq!(face.ink(GlyphId(u16::MAX)), None);
        assert_eq!(face.outline(GlyphId(u16::MAX)), None);
    }
}

#[test]
fn records_have_the_keys_of_the_contract() {
    let mut json = serde_json::to_value(CATALOGUE.face(FontId::DEFAULT).record()).unwrap();
    let languages = json.as_object_mut().unwrap().remove("languages").unwrap();
    assert_eq!(
        (languages["en"].as_f64(), languages["uk"].as_f64(), &languages["ja"]),
        (Some(100.0), Some(100.0), &serde_json::Value::Null)
    );
    assert_eq!(
        json,
        serde_json::json!({
            "id": 1, "name": "Caveat", "style": "mixed", "slant": "slanted", "neatness": 4,
            "scripts": ["ASCII", "Latin-1", "LatinExtA", "Cyrillic", "Ukrainian"],
            "kerning": true, "alternates": true, "strokes": true, "license": "OFL-1.1",
            "lively": false,
        })
    );
}

#[test]
fn a_missing_script_comes_from_the_closest_font_that_has_it() {
    // Thai: Mali (83), Sriracha (84), Charmonman (85) and Charm (73).
    let thai = |number| CATALOGUE.fallback(font(number), "สวัสดี", &|_| true).map(FontId::get);
    assert_eq!(thai(21), Some(83), "a child's font");
    assert_eq!(thai(35), Some(84), "a marker");
    assert_eq!(thai(67), Some(85), "an elegant font");
    assert_eq!(thai(74), Some(73), "an elegant font with little lean");
    assert_eq!(thai(1), thai(1));
}

#[test]
fn greek_is_not_written_in_the_squares_of_a_japanese_font() {
    let catalogue = FontCatalogue::load().unwrap();
    for id in FontId::bundled() {
        for text in ["Αγαπητέ", "Привет", "Ω"] {
            let Some(other) = catalogue.fallback(id, text, &|_| true) else { continue };
            assert!(!catalogue.face(other).sets_in_squares(text), "font {} for {text}", id.get());
        }
        let japanese = catalogue.fallback(id, "東京へ", &|_| true);
        assert_eq!(japanese, (id.get() != 90).then_some(FontId::new(90).unwrap()));
    }
    assert!(catalogue.face(FontId::new(90).unwrap()).sets_in_squares("Ω"));
}

#[test]
fn a_font_never_stands_in_for_itself() {
    for id in FontId::bundled() {
        assert_ne!(CATALOGUE.fallback(id, "a", &|_| true), Some(id));
        assert!(CATALOGUE.fallback(id, "a", &|_| true).is_some());
    }
}

#[test]
fn what_no_font_has_has_no_fallback() {
    assert_eq!(CATALOGUE.fallback(FontId::DEFAULT, "\u{13000}", &|_| true), None);
    assert_eq!(CATALOGUE.fallback(FontId::DEFAULT, "ह\u{13000}", &|_| true), None);
    assert_eq!(CATALOGUE.fallback(FontId::DEFAULT, "ह\u{200D}", &|_| true).map(FontId::get), Some(81));
}

fn load_with(file: &dyn Fn(&str) -> Option<&'static [u8]>) -> CatalogueError {
    FontCatalogue::from_source(CatalogueSource { file, ..CatalogueSource::embedded() }).unwrap_err()
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let embedded = CatalogueSource::embedded();
    let error = load_with(&|slug| (embedded.file)(slug).filter(|_| slug != "handlee"));
    assert_eq!(error, CatalogueError::MissingFile { slug: "handlee".to_owned() });
}

#[test]
fn a_broken_file_is_an_error_that_names_it() {
    let embedded = CatalogueSource::embedded();
    let error = load_with(&|slug| if slug == "yomogi" { Some(b"no font") } else { (embedded.file)(slug) });
    assert!(error.to_string().starts_with("font \"yomogi\" cannot be used"), "{error}");
}

#[test]
fn a_truncated_file_is_an_error_that_names_it() {
    let embedded = CatalogueSource::embedded();
    let error = load_with(&|slug| {
        let file = (embedded.file)(slug)?;
        if slug == "caveat" { file.get(..file.len() / 8) } else { Some(file) }
    });
    assert!(error.to_string().starts_with("font \"caveat\" cannot be used"), "{error}");
}

#[test]
fn a_missing_row_is_an_error() {
    let text = CatalogueSource::embedded().catalog;
    let cut: Vec<&str> = text.lines().filter(|row| !row.starts_with("42\t")).collect();
    let source = CatalogueSource { catalog: &cut.join("\n"), ..CatalogueSource::embedded() };
    let error = FontCatalogue::from_source(source).unwrap_err();
    assert!(error.to_string().contains("line 43") && error.to_string().contains("must be 42"), "{error}");
}

#[test]
fn a_font_without_measurements_is_an_error_that_names_it() {
    let source = CatalogueSource { metrics: "id\tstroke_em\tcontrast\n1\t0.05\t0.1\n", ..CatalogueSource::embedded() };
    let error = FontCatalogue::from_source(source).unwrap_err();
    assert_eq!(error, CatalogueError::NoMetrics { slug: "patrick-hand".to_owned() });
}

#[test]
fn one_catalogue_serves_all_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&*CATALOGUE);
}
