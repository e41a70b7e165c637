//! Fonts of an operator: loaded, drawn, reloaded, refused; broken and hostile ones among them.

use std::path::{Path, PathBuf};
use std::process::Command;

use longhand::catalogue::{Context, FontCatalogue, FontFace, FontFile, FontId};
use longhand::layout::lay_out;
use longhand::own_fonts::{Examiner, FontLoader, LoadedFonts, ShapeFacts, examine, plain_font};
use longhand::spec::{Endpoint, RenderSpec, parse_value, parse_value_for};
use longhand::units::Px;
use longhand::work::WorkMeter;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::layout::pages::{CATALOGUE, spec};
use crate::oracle::{ask, font_file};

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_longhand"))
}

pub(crate) fn loader(folder: &Path, cache: Option<PathBuf>) -> FontLoader {
    FontLoader::new(vec![folder.to_owned()], cache, Examiner::of(program()))
}

pub(crate) fn load(folder: &Path) -> LoadedFonts {
    loader(folder, None).load(&LoadedFonts::default())
}

/// Puts a font of the program into `folder` as one of the operator.
pub(crate) fn put(folder: &Path, id: u16, from: u16, more: &str) -> PathBuf {
    let font = folder.join(format!("{id}.ttf"));
    std::fs::copy(font_file(from), &font).unwrap();
    let text = format!("id = {id}\nname = \"Hand {id}\"\nstyle = \"print\"\nlicence = \"ours\"\n{more}");
    std::fs::write(font.with_extension("toml"), text).unwrap();
    font
}

fn catalogue(loaded: &LoadedFonts) -> FontCatalogue {
    CATALOGUE.with_operator_fonts(loaded.fonts.iter().map(|font| font.face.clone()))
}

#[test]
fn broken_and_hostile_fonts_are_refused_with_their_reasons() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), 1900, 2, "");
    ask("broken_fonts.py", &json!({"font": font_file(2), "folder": folder.path()}));
    let loaded = load(folder.path());
    assert_eq!(loaded.fonts.len(), 2, "the good fonts are loaded beside them");
    let unwritten = |font: &FontFace| String::from_iter(font.characters().unwritten());
    let mut all: Vec<String> = loaded.fonts.iter().map(|font| unwritten(&font.face)).collect();
    all.sort();
    assert_eq!(all, ["", "ÀÉÖ"], "glyphs that are blank or draw something else");
    let reason = |name: &str| {
        let stem = Path::new(name).file_stem().unwrap();
        let failure = loaded.failures.iter().find(|failure| failure.path.file_stem() == Some(stem));
        failure.unwrap_or_else(|| panic!("{name} is loaded")).reason.clone()
    };
    for (name, told) in [
        ("truncated.ttf", "no outlines"),
        ("random.ttf", "no table directory"),
        ("empty.ttf", "no table directory"),
        ("huge.ttf", "10485760 bytes"),
        ("cyclic.ttf", "contains itself"),
        ("deep.ttf", "nested deeper than 8 levels"),
        ("exponential.ttf", "has 21870000000 points"),
        ("million.ttf", "has 1000000 points"),
        ("no_cmap.ttf", "no table \"cmap\""),
        ("no_ascii.ttf", "cannot write \"a\""),
        ("no_em.ttf", "em has 0 units"),
        ("restricted.ttf", "restricted"),
        ("no_outlines.ttf", "no outlines"),
        ("growing.ttf", "glyphs of U+0061"),
        ("subroutines.otf", "examining it"),
    ] {
        let reason = reason(name);
        assert!(reason.contains(told), "{name}: {reason}");
    }
    assert_eq!(loaded.failures.len(), 15);

    std::fs::write(
        folder.path().join("restricted.toml"),
        "id = 1700\nname = \"R\"\nstyle = \"print\"\nlicence = \"bought\"\nlicence_checked = true\n",
    )
    .unwrap();
    let with_licence = load(folder.path());
    assert!(with_licence.fonts.iter().any(|font| font.face.id().get() == 1700));
}

#[test]
fn a_program_of_another_kind_is_no_examiner() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), 1001, 2, "");
    let examiner = Examiner::of(PathBuf::from("/bin/true"));
    let loaded = FontLoader::new(vec![folder.path().to_owned()], None, examiner).load(&LoadedFonts::default());
    assert!(loaded.fonts.is_empty() && loaded.failures[0].reason.contains("no result"), "{:?}", loaded.failures);
}

#[test]
fn a_reload_keeps_what_broke_and_takes_what_went() {
    let (folder, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for (id, from) in [(1001, 2), (1002, 13), (1003, 25)] {
        put(folder.path(), id, from, "");
    }
    let loader = loader(folder.path(), Some(cache.path().join("fonts")));
    let first = loader.load(&LoadedFonts::default());
    assert_eq!((first.fonts.len(), &first.failures[..]), (3, &[][..]));
    assert_eq!(std::fs::read_dir(cache.path().join("fonts")).unwrap().count(), 3);

    std::fs::write(folder.path().join("1001.ttf"), b"broken").unwrap();
    std::fs::remove_file(folder.path().join("1002.ttf")).unwrap();
    put(folder.path(), 1004, 30, "fallback = [1003, 8]\n");
    let second = loader.load(&first);
    let ids: Vec<u16> = second.fonts.iter().map(|font| font.face.id().get()).collect();
    assert_eq!(ids, [1001, 1003, 1004]);
    assert!(std::sync::Arc::ptr_eq(&first.fonts[2].face, &second.fonts[1].face), "what did not change is not read");
    assert!(second.failures.len() == 1 && second.failures[0].keeps_old, "{:?}", second.failures);

    // Two fonts of one number: the first by name counts.
    std::fs::copy(folder.path().join("1004.toml"), folder.path().join("1003.toml")).unwrap();
    let third = loader.load(&LoadedFonts::default());
    let told: Vec<String> = third.failures.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|failure| failure.contains("id: ") && failure.contains("has 1004 already")), "{told:?}");

    // A folder that is away takes no font away.
    let path = folder.path().to_owned();
    drop(folder);
    let away = loader.load(&second);
    assert_eq!(away.fonts.len(), 3);
    assert!(away.failures[0].path == path && away.failures[0].keeps_old);
}

/// Puts the strokes of a font of the program beside a font of the operator.
fn put_strokes(font: &Path, from: u16) {
    let slug = font_file(from).file_stem().unwrap().to_owned();
    let strokes = Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts/strokes").join(slug).with_extension("strokes");
    std::fs::copy(strokes, font.with_extension("strokes")).unwrap();
}

#[test]
fn a_font_has_the_strokes_beside_it() {
    let folder = TempDir::new().unwrap();
    let [own, plain] = [(1001, 2), (1002, 13)].map(|(id, from)| put(folder.path(), id, from, ""));
    let (first, cache) = (load(folder.path()), TempDir::new().unwrap());
    assert!(first.fonts.iter().all(|font| !font.face.record().strokes));
    put_strokes(&own, 2);
    let loaded = loader(folder.path(), Some(cache.path().to_owned())).load(&first);
    let [with, without] = &loaded.fonts[..] else { panic!("{:?}", loaded.failures) };
    assert!(with.face.record().strokes && !without.face.record().strokes, "strokes that came are read");
    assert!(std::sync::Arc::ptr_eq(&first.fonts[1].face, &without.face));
    let of_program = CATALOGUE.face(FontId::new(2).unwrap());
    for letter in 'a'..='z' {
        let glyph = with.face.glyph_for(letter).unwrap();
        assert!(with.face.glyph_strokes(glyph).is_some(), "{letter}");
        assert_eq!(with.face.glyph_strokes(glyph), of_program.glyph_strokes(glyph), "{letter}");
    }

    put_strokes(&plain, 2);
    std::fs::write(own.with_extension("strokes"), "no strokes").unwrap();
    let failed = load(folder.path()).failures;
    let told: Vec<String> = failed.iter().map(ToString::to_string).collect();
    assert!(
        told[0].contains("1001.strokes: it is no file of strokes") && told[1].contains("another version"),
        "{told:?}"
    );
}

#[test]
fn a_font_of_some_keys_replaces_no_other() {
    let folder = TempDir::new().unwrap();
    let key = "3f0c9a52-7b1e-4a64-9d0e-5c2f1b8e7a11";
    put(folder.path(), 1001, 2, &format!("keys = [\"{key}\"]\n"));
    let catalogue = catalogue(&load(folder.path()));
    let (all, own) = (catalogue.names_of(FontFace::is_for_all), catalogue.names_of(|face| face.is_for(key)));
    assert_eq!((all.operators().count(), own.operators().count()), (0, 1));
    let font = FontId::new(1001).unwrap();
    let only_own = |face: &FontFace| !face.id().is_bundled();
    assert_eq!(catalogue.fallback(FontId::new(13).unwrap(), "a", &only_own), None);
    put(folder.path(), 1002, 13, "fallback = [1001]\n");
    let named = self::catalogue(&load(folder.path()));
    assert_eq!(named.fallback(FontId::new(1002).unwrap(), "a", &only_own), Some(font));
}

#[test]
fn a_request_may_name_the_fonts_that_are_loaded() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), 1001, 2, "");
    put(folder.path(), 1003, 13, "");
    let catalogue = catalogue(&load(folder.path()));
    let names = catalogue.names();
    let read = |id: Value| {
        let spec = parse_value_for(&names, &json!({"text": "x", "font_id": id}), Endpoint::Generate, || 1);
        spec.map(|spec| spec.font.get()).map_err(|violations| violations.to_string())
    };
    assert_eq!((read(json!(1001)), read(json!(90)), read(json!(1003))), (Ok(1001), Ok(90), Ok(1003)));
    let told = "font_id: Input should be 1 to 90, 1001 or 1003, got 1002";
    assert_eq!(read(json!(1002)).unwrap_err(), told);
    assert!(read(json!("Hand 1003")).unwrap_err().ends_with("did you mean 1003 (Hand 1003)?"));
    assert!(read(json!("Caveat")).unwrap_err().ends_with("did you mean 1 (Caveat)?"));
    let alone = parse_value(&json!({"text": "x", "font_id": 1001}), Endpoint::Generate, || 1).unwrap_err().to_string();
    assert_eq!(alone, "font_id: Input should be less than or equal to 90, got 1001");
}

#[test]
fn pages_of_the_program_stay_as_they_are_and_an_operators_choice_comes_first() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), 1001, 2, "fallback = [46, 1002]\n");
    put(folder.path(), 1002, 10, "");
    let with = catalogue(&load(folder.path()));
    let text = "Dear Ann, привет, 日本, नमस्ते";
    for font in FontId::bundled().step_by(7) {
        let spec = RenderSpec { font, ..spec(text) };
        assert_eq!(lay_out(&spec, &with), lay_out(&spec, &CATALOGUE), "font {}", font.get());
    }
    let own = FontId::new(1001).unwrap();
    assert_eq!(with.fallback(own, "привет", &|_| true).map(FontId::get), Some(46), "its list comes first");
    assert_eq!(
        with.fallback(FontId::new(1002).unwrap(), "日", &|_| true).map(FontId::get),
        CATALOGUE.fallback(FontId::DEFAULT, "日", &|_| true).map(FontId::get)
    );
}

/// The same code measures an operator's font and the ninety, whose table other programs made with a few words.
#[test]
fn what_is_measured_of_the_ninety_fonts_is_what_their_table_says() {
    /// Rare pairs of letters are kerned, and letters of some words alternate, that those words do not have.
    const MORE: [(&str, &str); 5] = [
        ("short-stack", "kerning"),
        ("caveat-brush", "alternates"),
        ("damion", "kerning"),
        ("rouge-script", "kerning"),
        ("sriracha", "alternates"),
    ];
    let mut found = Vec::new();
    for face in CATALOGUE.faces() {
        let facts = ShapeFacts::of(&CATALOGUE, face.id(), &WorkMeter::default()).unwrap();
        let told = face.record();
        found.extend((facts.kerning && !told.kerning).then_some((face.slug(), "kerning")));
        found.extend((facts.alternates && !told.alternates).then_some((face.slug(), "alternates")));
        // A wider context than needed is slower and right; a narrower one would be wrong.
        if face.context() != Context::Neighbours {
            let measured = examine(face.bytes().to_vec()).measures.unwrap();
            assert!(measured.context >= face.context(), "{}: {:?}", face.slug(), measured.context);
        }
    }
    assert_eq!(found, MORE);
}

#[test]
fn a_font_is_measured_as_it_is_in_the_table() {
    for from in [2, 12, 81] {
        let face = CATALOGUE.face(FontId::new(from).unwrap());
        let measures = examine(face.bytes().to_vec()).measures.unwrap();
        let font = plain_font(1001, "x".to_owned(), measures, FontFile::keep(face.bytes().to_vec()));
        let own = FontFace::of_operator(font).unwrap();
        assert_eq!(own.record().scripts, face.record().scripts, "font {from}");
        assert!((own.word_gap_em() - face.word_gap_em()).abs() < 1e-9, "font {from}");
        assert!((own.stroke_em() / face.stroke_em() - 1.0).abs() < 0.15, "font {from}");
    }
}

#[test]
fn a_font_with_a_map_of_symbols_writes_as_one_with_a_map_of_unicode() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), 1001, 2, "");
    let symbols = put(folder.path(), 1002, 2, "");
    ask("symbol_font.py", &json!({"font": font_file(2), "file": symbols}));
    let loaded = load(folder.path());
    assert!(loaded.failures.is_empty(), "{:?}", loaded.failures);
    let with = catalogue(&loaded);
    let [usual, symbol] = [1001, 1002].map(|number| {
        let font = FontId::new(number).unwrap();
        lay_out(&RenderSpec { font, ..spec("Dear Zoë, thank you (for \"all\")!") }, &with).unwrap()
    });
    let glyphs = |layout: &longhand::layout::PageLayout| {
        layout.glyphs().map(|glyph| (glyph.glyph, glyph.ink)).collect::<Vec<_>>()
    };
    assert_eq!(glyphs(&symbol), glyphs(&usual));
    assert!(symbol.warnings.is_empty(), "{:?}", symbol.warnings);
}

/// Ecolier lignes and other fonts of schools draw the lines of the paper with each letter and each space.
#[test]
fn the_ink_of_a_word_space_fills_the_gap_between_words() {
    let folder = TempDir::new().unwrap();
    let ruled = put(folder.path(), 1001, 2, "");
    ask("ruled_font.py", &json!({"font": font_file(2), "file": ruled}));
    let loaded = load(folder.path());
    assert!(loaded.failures.is_empty(), "{:?}", loaded.failures);
    let (with, font) = (catalogue(&loaded), FontId::new(1001).unwrap());
    assert!(with.face(font).word_gap_em().abs() < 1e-9, "its space is as wide as in the file");
    for word_spacing in [0, 300] {
        let spec = RenderSpec { font, word_spacing: Px::new(f64::from(word_spacing)), ..spec("nn nn nn") };
        let layout = lay_out(&spec, &with).unwrap();
        let space = with.face(font).inked_space().unwrap();
        let lines: Vec<_> = layout.glyphs().filter(|glyph| glyph.glyph == space).map(|glyph| glyph.ink).collect();
        let ends: Vec<f64> = layout.words.iter().map(|word| word.pivot.x.get() + word.width.get() / 2.0).collect();
        for (word, end) in layout.words[1..].iter().zip(ends) {
            let start = word.pivot.x.get() - word.width.get() / 2.0;
            // Each part of the gap is covered.
            let covered = |x: f64| lines.iter().any(|ink| (ink.min.x.get()..=ink.max.x.get()).contains(&x));
            let steps = (start - end).ceil() as u32;
            assert!(steps > 5 && (0..steps).all(|step| covered(end + f64::from(step))), "{end} to {start}: {lines:?}");
        }
    }
}

#[test]
fn check_tells_what_is_right_and_wrong() {
    let folder = TempDir::new().unwrap();
    let good = put(folder.path(), 1001, 12, "");
    let check = |arguments: &[&str]| {
        let mut command = Command::new(program());
        command.args(["fonts", "check"]).args(arguments).env_remove("LONGHAND_FONTS_DIR");
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = check(&[good.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{text}");
    for told in ["can be used", "fsType 0x0000", "covers", "x-height", "stroke", "word gap", "joins", "worst glyph"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    std::fs::remove_file(good.with_extension("toml")).unwrap();
    let (code, text) = check(&["--json", folder.path().to_str().unwrap()]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report[0]["usable"]), (Some(65), &json!(false)));
    assert!(report[0]["problems"][0].as_str().unwrap().contains("1001.toml"), "{report}");
    assert_eq!(report[0]["examination"]["measures"]["outlines"], "TrueType");
}
