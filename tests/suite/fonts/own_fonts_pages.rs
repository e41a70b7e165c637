//! Pages in fonts of an operator: three fonts that are none of ours, beside other programs, and fonts of ours that are
//! loaded from a folder, beside themselves.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use longhand::catalogue::{FontFace, FontId, GlyphId};
use longhand::layout::lay_out;
use longhand::own_fonts::{Examiner, FontLoader, LoadedFonts};
use longhand::pipeline::RenderedFile;
use longhand::spec::RenderSpec;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::layout::pages::CATALOGUE;
use crate::oracle::{ask, font_file, number};
use crate::pages::rendered::{Pictures, add_fonts, render, render_preview, with};
use crate::pdf::{outlines as pdf_outlines, svg};
use crate::sample;

/// The fonts of Debian that `scripts/setup.sh` installs: print with kerning, joined school writing, and CFF outlines
/// with contextual alternates.
const HANDS: [(u16, &str); 3] = [
    (1001, "/usr/share/fonts/truetype/fifthhorseman/dkg.ttf"),
    (1002, "/usr/share/fonts/truetype/ecolier-court/Ecolier-court.ttf"),
    (1003, "/usr/share/fonts/opentype/joscelyn/Joscelyn-Regular.otf"),
];
/// Fonts of ours, and the number that each has as a font of an operator: alternates, print, joined, brush and capitals.
const TWINS: [(u16, u16); 5] = [(1, 1101), (2, 1102), (12, 1112), (41, 1141), (81, 1181)];

/// The fonts as the engine of the tests has them.
static FONTS: LazyLock<Vec<Arc<FontFace>>> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let files = HANDS.map(|(id, path)| (id, PathBuf::from(path))).into_iter();
    for (id, file) in files.chain(TWINS.map(|(from, id)| (id, font_file(from)))) {
        let extension = file.extension().unwrap().to_str().unwrap();
        let copied = std::fs::copy(&file, folder.path().join(format!("{id}.{extension}")));
        copied.unwrap_or_else(|error| panic!("{}: {error}; `make test` installs it", file.display()));
        let description = format!("id = {id}\nname = \"Hand {id}\"\nstyle = \"mixed\"\nlicence = \"OFL-1.1\"\n");
        std::fs::write(folder.path().join(format!("{id}.toml")), description).unwrap();
    }
    let examiner = Examiner::of(env!("CARGO_BIN_EXE_longhand").into());
    let loaded = FontLoader::new(vec![folder.path().to_owned()], None, examiner).load(&LoadedFonts::default());
    assert_eq!(loaded.failures, [], "all can be used");
    let faces: Vec<Arc<FontFace>> = loaded.fonts.into_iter().map(|font| font.face).collect();
    add_fonts(faces.iter().cloned());
    faces
});

fn own(id: u16) -> &'static FontFace {
    FONTS.iter().find(|face| face.id().get() == id).unwrap()
}

/// All effects at once. With this sigma outlines can show them.
fn effects() -> Value {
    json!({"enable_writer_variation": true, "enable_natural_variation": true, "enable_word_rotation": true,
           "enable_random_indentation": true})
}

fn page(id: u16) -> Value {
    let font = own(id);
    json!({"text": pdf_outlines::TEXT, "font_id": font.id().get(), "page_size": "a6", "seed": 5})
}

/// The bounds are those of the ninety fonts (`fonts::coverage`).
#[test]
fn letters_of_other_peoples_fonts_have_the_exact_area_of_their_ink() {
    const LINES: [&str; 3] = ["Sphinx of black", "quartz, judge my", "vow: 0123456789"];
    let mut pictures = Pictures::new();
    let cases: Vec<_> = HANDS.into_iter().flat_map(|(id, path)| [40, 120].map(|em| (id, path, em))).collect();
    let jobs: Vec<Value> = cases
        .iter()
        .map(|(id, path, em)| {
            let request = json!({
                "text": LINES.join("\n"), "font_id": own(*id).id().get(), "font_size": em, "page_size": "a5",
                "orientation": "landscape", "margin_left": 100, "margin_right": 100, "margin_top": 100,
                "margin_bottom": 100, "line_height_multiplier": 2.5,
            });
            json!({"picture": pictures.add(&request), "request": {
                "font": path, "lines": LINES, "em": em, "page_width": 2480, "page_height": 1748, "margin_left": 100,
                "margin_top": 100, "line_height": 2.5, "word_gap_em": own(*id).word_gap_em(),
            }})
        })
        .collect();
    for ((id, _, em), figures) in cases.iter().zip(ask("exact_coverage.py", &json!(jobs)).as_array().unwrap()) {
        let (inked, mean, most) = (number(figures, "inked"), number(figures, "mean"), number(figures, "max"));
        println!("font {id} at {em} px: {inked} px of ink, {mean:.3} off, at most {most:.1}");
        assert!(inked > 500.0 && mean <= 1.5 && most <= 24.0, "font {id} at {em} px: {figures}");
    }
}

#[test]
fn other_programs_show_outlines_of_other_peoples_fonts_as_our_picture_has_them() {
    // A sample has each font once.
    let each = |one: u16, all: &[u16], more: Value, options: Value| -> Vec<(Value, Value)> {
        let fonts = sample::either(vec![one], all.to_vec());
        fonts.into_iter().map(|id| (with(&page(id), &more), options.clone())).collect()
    };
    let plain = each(1002, &HANDS.map(|(id, _)| id), json!({}), json!({"group_by": "line"}));
    svg::assert_shown(&plain, 6.0, 0.0);
    let bent = each(1003, &[1002, 1003], effects(), json!({}));
    svg::assert_shown(&bent, 6.0, svg::SPOT_AT_JOINS);
    // Not 1002: its hairlines are a pixel wide, and poppler rounds their coverage to 17 levels.
    let pdf = each(1001, &[1001, 1003], effects(), json!({"standard": "pdfx1a"}));
    pdf_outlines::assert_shown(&pdf, 6.0, pdf_outlines::FAR_AT_JOINS);
}

#[test]
fn every_effect_changes_a_page_in_other_peoples_fonts() {
    for (id, _) in HANDS {
        let plain = render(&page(id)).bytes;
        let flow = json!({"enable_ink_flow": true});
        let grain = json!({"enable_natural_variation": true, "natural_variation_sigma": 1});
        let each = effects().as_object().unwrap().clone();
        for effect in each.into_iter().map(|(name, value)| json!({name: value})).chain([flow, grain]) {
            assert!(render(&with(&page(id), &effect)).bytes != plain, "font {id}, {effect}");
        }
        let welded = render(&svg::svg(&page(id), &json!({"paths": "welded"}))).bytes;
        assert!(String::from_utf8(welded).unwrap().contains("<path"), "font {id}");
    }
}

/// What was computed for the ninety fonts at build time or by hand is computed for these when they are loaded. Writer
/// variation alone differs a little: it depends on the width of the stroke, which the table of the ninety has by
/// another program.
#[rstest]
#[case::plain(json!({}))]
#[case::effects(with(&effects(), &json!({"enable_writer_variation": false})))]
#[case::flow(json!({"enable_ink_flow": true, "dpi": 600, "page_size": "card_a2"}))]
#[case::svg(json!({"output_format": "svg", "svg": {"paths": "welded"}}))]
#[case::pdf(json!({"output_format": "pdf", "pdf": {"writing": "outlines"}, "font_size": 30}))]
fn a_font_of_ours_loaded_from_a_folder_gives_the_same_file_to_the_byte(#[case] more: Value) {
    let text = "Dear Ms Hawthorne,\n\nthank you for the lovely committee letter of 24 November. Every good boy does \
                fine, bookkeepers too; a jug of water (or two) & 3 bees!";
    for (from, id) in TWINS {
        let request = with(&json!({"text": text, "page_size": "a6", "font_size": 44, "seed": 9}), &more);
        let [ours, theirs] = [from, own(id).id().get()].map(|font| render(&with(&request, &json!({"font_id": font}))));
        let facts = |file: &RenderedFile| (file.width, file.height, file.representation, file.calculated_font_size);
        assert_eq!(facts(&ours), facts(&theirs), "font {from}");
        assert!(ours.bytes == theirs.bytes, "font {from}: the files differ");
        assert_eq!(format!("{:?}", ours.warnings), format!("{:?}", theirs.warnings), "font {from}");
    }
}

#[test]
fn a_font_of_ours_loaded_from_a_folder_has_the_same_measures_and_lines() {
    for (from, id) in TWINS {
        let (ours, theirs) = (CATALOGUE.face(FontId::new(from).unwrap()), own(id));
        let catalogue =
            CATALOGUE.with_operator_fonts([Arc::clone(FONTS.iter().find(|face| face.id() == theirs.id()).unwrap())]);
        assert_eq!(ours.x_height(), theirs.x_height(), "font {from}");
        assert!((ours.word_gap_em() - theirs.word_gap_em()).abs() < 1e-9, "font {from}");
        // Signs that are drawn for a font are as wide as its strokes, which are measured in another way.
        let in_file = |glyph: &GlyphId| glyph.0 < ours.glyph_count();
        let letters = || ('!'..='ÿ').filter_map(|letter| ours.glyph_for(letter)).filter(in_file);
        assert!(letters().all(|glyph| ours.ink(glyph) == theirs.ink(glyph)), "font {from}");
        let spec = |font| RenderSpec { font, ..crate::layout::pages::spec(crate::layout::pages::LONG) };
        let [one, other] = [ours.id(), theirs.id()].map(|font| lay_out(&spec(font), &catalogue).unwrap());
        let places = |page: &longhand::layout::PageLayout| {
            let glyphs = page.glyphs().map(|glyph| (glyph.glyph, glyph.origin, glyph.ink));
            (glyphs.collect::<Vec<_>>(), page.font_size, page.lines.len())
        };
        assert!(places(&one) == places(&other), "font {from}");
    }
}

#[test]
fn a_preview_in_an_operators_font_has_its_ink() {
    let preview =
        |font: u16| render_preview(&json!({"text": "Dear Ada,\nhello", "font_id": font, "seed": 5})).page.bytes;
    assert!(preview(own(1112).id().get()) == preview(12), "a font of ours");
    assert!(preview(1001) != preview(1003));
}
