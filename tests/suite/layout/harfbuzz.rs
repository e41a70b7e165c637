//! Every line as `HarfBuzz` shapes it: glyphs and places against uharfbuzz, in all fonts and scripts.

use longhand::catalogue::{FontId, GlyphId};
use longhand::layout::{PageLayout, PlacedGlyph, PlacedRun, lay_out};
use longhand::spec::{Alignment, FontSize, Kerning, Overflow, RenderSpec};
use longhand::units::Px;
use serde_json::{Value, json};

use crate::layout::pages::{CATALOGUE, spec};
use crate::oracle;

/// Largest distance between our place of a glyph and `HarfBuzz`'s, in px: the rounding of sums, far below 1/32 px.
const TOLERANCE: f64 = 1e-6;

const ENGLISH: &str = "AVATAR To you, Mr. Wolf: “The quick brown fox jumps over the lazy dog” – 1/2 of 1234567890 times. \
    Off the office affinity fjord, waffle; happy birthday, grandmother! We met (twice) in Yverdon & Tokyo, 3–4 o’clock.";
const GERMAN: &str =
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, à la façon de señor Núñez: çà et là.";

/// Texts beyond ASCII, with the fonts that write them.
const SCRIPTS: [(&[u16], &str); 9] = [
    (&[1, 10, 14, 17, 18, 20, 42, 46, 58, 71], "Съешь же ещё этих мягких французских булок, да выпей чаю. Їжак."),
    (&[17, 19], "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, φίλε μου."),
    (&[2, 10, 12, 77, 85], "Tiếng Việt: Trời ơi, chuyện ấy thật kỳ lạ và phức tạp quá!"),
    (&[81], "नमस्ते दुनिया, श्री कृष्ण ने क्षत्रिय को ज्ञान दिया। र्कि स्त्री विद्यार्थी"),
    (&[82], "മലയാളം എഴുതാൻ സ്ത്രീകൾക്കും കുട്ടികൾക്കും ഇഷ്ടമാണ്. ക്ഷ ന്റെ ങ്ക ച്ച"),
    (&[73, 83, 84, 85], "สวัสดีครับ วันนี้อากาศดีมาก น้ำใจ ผู้ใหญ่ที่รัก ไม่เป็นไร กตัญญูรู้คุณ"),
    (&[42, 86, 87, 88], "שלום עולם, מה שלומך היום? (טוב) 123 תודה רבה and in English too"),
    (&[89], "안녕하세요, 오늘은 날씨가 참 좋습니다. 다람쥐 헌 쳇바퀴에 타고파."),
    (&[90], "こんにちは、世界。今日はとても良い天気ですね。カタカナとABCも書きます。"),
];

/// A run we placed, and its glyphs.
struct OurRun {
    run: PlacedRun,
    glyphs: Vec<PlacedGlyph>,
    kerning: Kerning,
    name: String,
}

fn runs_of(page: &PageLayout, spec: &RenderSpec) -> Vec<OurRun> {
    let mut ours = Vec::new();
    for (number, line) in page.lines.iter().enumerate() {
        let mut glyphs = page.words[line.words.clone()].iter().flat_map(|word| word.glyphs.iter().copied());
        for run in &line.runs {
            let glyphs: Vec<PlacedGlyph> = glyphs.by_ref().take(run.glyph_count).collect();
            assert_eq!(glyphs.len(), run.glyph_count);
            let name = format!("font {}, line {number}: {:?}", spec.font.get(), run.text);
            ours.push(OurRun { run: run.clone(), glyphs, kerning: spec.kerning, name });
        }
        assert_eq!(glyphs.count(), 0, "glyphs that belong to no run");
    }
    ours
}

/// What `HarfBuzz` makes of the runs: for each its glyphs as (id, x, y) in font units, and whether it is a mark.
fn harfbuzz(runs: &[OurRun]) -> Vec<Vec<(u16, f64, f64, bool)>> {
    let lines: Vec<Value> = runs
        .iter()
        .map(|ours| {
            json!({
                "font": oracle::font_file(ours.run.font.get()),
                "text": ours.run.text,
                "script": std::str::from_utf8(&ours.run.script).unwrap(),
                "right_to_left": ours.run.right_to_left,
                "kerning": ours.kerning == Kerning::Pairs,
            })
        })
        .collect();
    serde_json::from_value(oracle::ask("shape_lines.py", &Value::from(lines))).unwrap()
}

/// Compares all runs of some pages with `HarfBuzz`; gives the number of glyphs that stand where it places them, and of
/// marks that stand elsewhere. No other glyph may.
fn compare_but_marks(specs: &[RenderSpec]) -> (usize, usize) {
    let mut ours = Vec::new();
    for spec in specs {
        let page = lay_out(spec, &CATALOGUE).unwrap_or_else(|error| panic!("font {}: {error}", spec.font.get()));
        ours.extend(runs_of(&page, spec));
    }
    let theirs = harfbuzz(&ours);
    assert_eq!(ours.len(), theirs.len());
    let (mut compared, mut moved) = (0, 0);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let face = CATALOGUE.face(ours.run.font);
        let scale = ours.run.em.get() / f64::from(face.units_per_em());
        let inked: Vec<_> = theirs.iter().filter(|(glyph, ..)| face.ink(GlyphId(*glyph)).is_some()).collect();
        let ids = |glyphs: &[PlacedGlyph]| glyphs.iter().map(|placed| placed.glyph.0).collect::<Vec<_>>();
        assert_eq!(ids(&ours.glyphs), inked.iter().map(|(glyph, ..)| *glyph).collect::<Vec<_>>(), "{}", ours.name);
        for (placed, (glyph, x, y, is_mark)) in ours.glyphs.iter().zip(inked) {
            let (dx, dy) = (placed.origin.x - ours.run.origin.x, ours.run.origin.y - placed.origin.y);
            let distance = (dx.get() - x * scale).abs().max((dy.get() - y * scale).abs());
            if *is_mark && distance >= TOLERANCE {
                moved += 1;
                continue;
            }
            assert!(distance < TOLERANCE, "{}: glyph {glyph} is {distance} px off", ours.name);
            compared += 1;
        }
    }
    (compared, moved)
}

/// As above, where no mark may stand elsewhere either.
fn compare(specs: &[RenderSpec]) -> usize {
    let (compared, moved) = compare_but_marks(specs);
    assert_eq!(moved, 0, "marks that stand elsewhere");
    compared
}

fn case(font: u16, text: &str, size: f64) -> RenderSpec {
    RenderSpec { font: FontId::new(font).unwrap(), font_size: FontSize::Fixed(Px::new(size)), ..spec(text) }
}

#[test]
fn all_ninety_fonts_write_english_as_harfbuzz_shapes_it() {
    let mut specs = Vec::new();
    for font in FontId::bundled() {
        // Narrow columns break lines everywhere, inside words as well.
        for size in [61.0, 150.0, 260.0] {
            let spec = case(font.get(), ENGLISH, size);
            specs.push(RenderSpec { overflow: Overflow::Clip, ..spec });
        }
    }
    assert!(compare(&specs) > 20_000);
}

#[test]
fn all_ninety_fonts_write_accents_as_harfbuzz_shapes_them() {
    let specs: Vec<RenderSpec> = FontId::bundled().map(|font| case(font.get(), GERMAN, 90.0)).collect();
    assert!(compare(&specs) > 5_000);
}

#[test]
fn words_too_wide_for_the_page_are_broken_as_harfbuzz_shapes_their_parts() {
    let word = "Donaudampfschiffahrtsgesellschaftskapitän".repeat(4);
    let specs: Vec<RenderSpec> = FontId::bundled()
        .map(|font| RenderSpec { overflow: Overflow::Clip, ..case(font.get(), &word, 170.0) })
        .collect();
    assert!(compare(&specs) > 4_000);
}

#[test]
fn every_script_is_written_as_harfbuzz_shapes_it() {
    let mut specs = Vec::new();
    for (fonts, text) in SCRIPTS {
        let paragraph = [text; 3].join(" ");
        for font in fonts {
            for size in [64.0, 140.0, 300.0] {
                specs.push(RenderSpec { overflow: Overflow::Clip, ..case(*font, &paragraph, size) });
            }
        }
    }
    assert!(compare(&specs) > 5_000);
}

#[test]
fn scripts_of_other_fonts_are_written_as_harfbuzz_shapes_them() {
    let text = SCRIPTS.map(|(_, text)| text).join("\n");
    let specs: Vec<RenderSpec> = [1, 9, 12, 35, 66].map(|font| case(font, &text, 50.0)).into();
    let (compared, moved) = compare_but_marks(&specs);
    // Caveat has no anchors for the dots below of three Vietnamese letters.
    assert!(compared > 1_500 && moved <= 3, "{compared} {moved}");
}

#[test]
fn centred_lines_without_kerning_are_as_harfbuzz_shapes_them() {
    let specs: Vec<RenderSpec> = FontId::bundled()
        .map(|font| RenderSpec {
            kerning: Kerning::Off,
            alignment: Alignment::Center,
            ..case(font.get(), ENGLISH, 80.0)
        })
        .collect();
    assert!(compare(&specs) > 10_000);
}

#[test]
fn placed_marks_change_the_place_of_no_other_glyph() {
    // Composed letters that few fonts have, and sequences without a composed letter.
    const NAMES: &str = "Ṣọlá Ọ̀ṣun Ẹ̀gbá, Ñemby g̃ara, Šėmė̃ ū̃kas, x̂ m̃ x̱ ị́ i̊ j̃, а́ о́ е́ Киї́в: ṃṛḥ ǖ Ā́ŋ";
    let specs: Vec<RenderSpec> = FontId::bundled().map(|font| case(font.get(), NAMES, 80.0)).collect();
    let (compared, moved) = compare_but_marks(&specs);
    assert!(compared > 4_000 && moved > 200, "{compared} {moved}");
}
