//! PDFs whose writing is outlines: what other programs see and show, sizes, rules, and when a page is an image.

use std::collections::BTreeMap;
use std::path::Path;

use longhand::pipeline::RenderedFile;
use longhand::spec::Representation;
use serde_json::{Value, json};

use super::files::{ask_of_files, ask_oracle_of_files};
use crate::cli::commands::run_without_device;
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, render, with};
use crate::sample;

/// Hands of every kind: print, joined, brush, hairline, the heaviest outlines, kerned by the old table.
const SAMPLE: [u16; 6] = [1, 12, 41, 70, 75, 88];
/// The fonts to look at: a sample, or all, which takes about an hour.
pub(crate) fn fonts() -> Vec<u16> {
    sample::either(SAMPLE.to_vec(), (1..=90).collect())
}

/// `request` as a PDF with these options, outlined.
pub(crate) fn outlined(request: &Value, pdf: &Value) -> Value {
    let mut request = request.clone();
    let members = request.as_object_mut().unwrap();
    members.insert("output_format".to_owned(), json!("pdf"));
    let mut pdf = pdf.clone();
    pdf.as_object_mut().unwrap().insert("writing".to_owned(), json!("outlines"));
    members.insert("pdf".to_owned(), pdf);
    request
}

/// The request as a picture at 600 DPI, with which outlines are compared.
fn picture(request: &Value) -> Value {
    let mut request = request.clone();
    request["dpi"] = json!(600);
    request
}

/// A text with most letters, digits, punctuation and accents.
pub(crate) const TEXT: &str = "Sphinx of black quartz, judge my vow! Five dozen liquor jugs: 1234567890 (Ångström & \
                               façade), \"every good boy\" does fine; the wizard's quick jump.";

/// Poppler's renderer without Cairo. It fills every quarter of a pixel that a path touches, so that single pixels are
/// far off, and lightens edges by a power of 1.5: thin pens of five fonts are up to 7.4 off.
const TOUCHED_PIXELS: &str = "pdftoppm";
/// Most pixels of a page that are far off: Cairo fills a lone one beside a tip of font 71.
const FAR: f64 = 1.0;
/// The same where letters are bent one by one. A picture adds up the areas of letters and of the corrections where they
/// overlap. Bent, these meet with an error of a pixel at the ends of some joins: of 80 pixels in font 75, whose letters
/// overlap most, at the shapes of strength 1.
pub(crate) const FAR_AT_JOINS: f64 = 100.0;
/// The same where a steep field folds the paper. What lies face down takes ink from the letter below it in the picture,
/// but none in the file.
const FAR_AT_FOLDS: f64 = 150.0;

/// Asserts that four renderers show the outlines of each request as our picture at 600 DPI has them: at most `mean` of
/// 255 off on inked pixels, and at most `far` pixels by more than 96.
pub(crate) fn assert_shown(requests: &[(Value, Value)], mean: f64, far: f64) {
    let mut pictures = Pictures::new();
    let jobs: Vec<Value> = requests
        .iter()
        .map(|(request, pdf)| {
            let file = render(&outlined(request, pdf));
            assert_eq!(file.representation, Representation::Outlines, "{request}: {:?}", file.warnings);
            let path = pictures.add_bytes(&file.bytes);
            json!({"path": path, "png": pictures.add(&picture(request)), "dpi": 600, "origin": [0, 0]})
        })
        .collect();
    let answers = ask("vector_renderers.py", &json!(jobs));
    print_figures(requests, &answers);
    for ((request, _), answer) in requests.iter().zip(answers.as_array().unwrap()) {
        let told = format!("{request}\n{answer}");
        assert_eq!(
            (&answer["qpdf"], &answer["images"], &answer["fonts"]),
            (&json!(""), &json!(0), &json!(0)),
            "{told}"
        );
        for (renderer, shown) in answer["shown"].as_object().unwrap() {
            let (ink, pixels) = (number(shown, "ink"), number(shown, "far"));
            if renderer == TOUCHED_PIXELS {
                assert!(ink <= 1.25 * mean, "{renderer}: {told}");
            } else {
                assert!(ink <= mean && pixels <= far, "{renderer}: {told}");
            }
        }
    }
}

/// Prints each renderer's mean difference on inked pixels, as the median and the worst of all pages, and how many
/// pixels are far off.
fn print_figures(requests: &[(Value, Value)], answers: &Value) {
    let mut figures: BTreeMap<&str, Vec<(f64, f64, String)>> = BTreeMap::new();
    for ((request, pdf), answer) in requests.iter().zip(answers.as_array().unwrap()) {
        for (renderer, shown) in answer["shown"].as_object().unwrap() {
            let page = format!("font {} {pdf}", request["font_id"]);
            figures.entry(renderer).or_default().push((number(shown, "ink"), number(shown, "far"), page));
        }
    }
    for (renderer, mut pages) in figures {
        pages.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (median, (worst, _, page)) = (pages[pages.len() / 2].0, &pages[pages.len() - 1]);
        let far: Vec<String> =
            pages.iter().filter(|page| page.1 > 0.0).map(|(_, far, page)| format!("{far} of {page}")).collect();
        let (pages, touched) = (pages.len(), far.len());
        println!("{renderer}: {pages} pages, median {median:.2}, worst {worst:.2} ({page}); {touched} have far pixels");
        if renderer != TOUCHED_PIXELS {
            println!("    {}", far.join(", "));
        }
    }
}

#[test]
fn other_programs_show_outlines_as_our_picture_has_them() {
    let page = |font: u16| json!({"text": TEXT, "font_id": font, "page_size": "a6", "seed": 5});
    let (rgb, press) = (json!({}), json!({"standard": "pdfx1a"}));
    let colors = |font: u16| match (sample::is_all(), font % 2) {
        (true, _) => vec![rgb.clone(), press.clone()],
        (false, 0) => vec![press.clone()],
        (false, _) => vec![rgb.clone()],
    };
    let cases: Vec<(Value, Value)> =
        fonts().into_iter().flat_map(|font| colors(font).into_iter().map(move |pdf| (page(font), pdf))).collect();
    assert_shown(&cases, 6.0, FAR);
}

#[test]
fn rotation_indentation_and_ink_flow_are_shown_too() {
    let page = json!({"text": TEXT, "font_id": 3, "page_size": "a6", "seed": 5, "enable_word_rotation": true,
                      "word_rotation_range": 8, "enable_random_indentation": true, "indentation_range": 90});
    let mut fading = page.clone();
    fading["enable_ink_flow"] = json!(true);
    fading["ink_flow_intensity"] = json!(2.5);
    assert_shown(&[(page, json!({}))], 6.0, FAR);
    // A tint is flat where the picture has grain and varies within strokes.
    assert_shown(&[(fading, json!({}))], 20.0, f64::INFINITY);
}

#[test]
fn another_page_does_not_pass_as_the_same() {
    let mut pictures = Pictures::new();
    let request = json!({"text": TEXT, "page_size": "a6", "seed": 5});
    let pdf = pictures.add(&outlined(&request, &json!({})));
    let mut moved = picture(&request);
    moved["margin_left"] = json!(241);
    let job = json!({"path": pdf, "png": pictures.add(&moved), "dpi": 600, "origin": [0, 0]});
    let answer = &ask("vector_renderers.py", &json!([job]))[0];
    for (renderer, shown) in answer["shown"].as_object().unwrap() {
        assert!(number(shown, "ink") > 12.0, "{renderer}: {answer}");
    }
}

/// A letter that fills an A4 page.
fn dense(font: u16) -> Value {
    json!({"text": "The quick brown fox jumps over the lazy dog, and it was the best of times. ".repeat(16),
           "font_id": font, "page_size": "a4", "max_auto_font_size": 70, "seed": 9})
}

#[test]
fn a_dense_page_is_small_in_every_hand_and_has_each_glyph_once() {
    let files: Vec<RenderedFile> =
        fonts().into_iter().map(|font| render(&outlined(&dense(font), &json!({})))).collect();
    let mut sizes: Vec<usize> = files.iter().map(|file| file.bytes.len()).collect();
    let facts = ask_oracle_of_files("vector_rules.py", &[], files.iter().map(|file| file.bytes.clone()));
    for facts in facts.as_array().unwrap() {
        assert_eq!(facts["broken"], json!([]), "{facts}");
        assert!(number(facts, "shown") > 800.0 && number(facts, "forms") < 100.0, "{facts}");
        assert_eq!(facts["operators"], json!(["g", "rg"]), "paper and black");
    }
    sizes.sort_unstable();
    println!("dense A4: {} to {}, median {} bytes", sizes[0], sizes[sizes.len() - 1], sizes[sizes.len() / 2]);
    // Homemade Apple, the worst of ninety, has 146 segments a letter.
    assert!(sizes.iter().all(|size| *size <= 80_000), "{sizes:?}");
}

#[test]
fn pages_and_glyphs_of_a_file_share_their_forms() {
    let mut request = dense(3);
    request["font_size"] = json!(120);
    request["overflow"] = json!("paginate");
    let file = render(&outlined(&request, &json!({"standard": "pdfx1a", "bleed_mm": 3})));
    let facts = &ask_oracle_of_files("vector_rules.py", &[], [file.bytes.clone()])[0];
    assert_eq!(facts["broken"], json!([]), "{facts}");
    assert!(number(facts, "forms") < 40.0 && number(facts, "shown") > 800.0, "{facts}");
    let same = render(&outlined(&request, &json!({"standard": "pdfx1a", "bleed_mm": 3})));
    assert_eq!(file.bytes, same.bytes, "the same request gives the same bytes");
}

#[test]
fn pdfx_rules_hold_for_outlines_and_black_is_one_ink() {
    let page = |ink: [u8; 3], flows: bool| {
        json!({"text": TEXT, "page_size": "card_96x135", "text_color": ink, "seed": 5, "enable_ink_flow": flows,
               "ink_flow_intensity": 2})
    };
    let mut files = Vec::new();
    for pdf in [json!({"standard": "pdfx1a"}), json!({"preset": "lob"})] {
        for (ink, flows) in [([0; 3], false), ([60, 61, 60], true), ([20, 30, 120], false), ([200, 16, 46], true)] {
            files.push((ink, render(&outlined(&page(ink, flows), &pdf)).bytes));
        }
    }
    let facts = ask_of_files(&[], files.iter().map(|(_, file)| file.clone()));
    let vector = ask_oracle_of_files("vector_rules.py", &[], files.iter().map(|(_, file)| file.clone()));
    for ((ink, _), (facts, vector)) in
        files.iter().zip(facts.as_array().unwrap().iter().zip(vector.as_array().unwrap()))
    {
        assert_eq!((&facts["broken"], &vector["broken"]), (&json!([]), &json!([])), "{ink:?}: {facts}");
        let colors: Vec<&str> = vector["operators"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "SCN")
            .collect();
        let is_gray = ink.iter().max().unwrap() - ink.iter().min().unwrap() <= 2;
        assert!(colors.contains(&"k") != is_gray && !colors.contains(&"rg"), "{ink:?}: {vector}");
    }
}

#[test]
fn every_rule_for_outlines_finds_the_file_that_breaks_it() {
    let file = render(&outlined(&json!({"text": TEXT, "page_size": "a6", "seed": 5}), &json!({"standard": "pdfx1a"})));
    let answer = ask_oracle_of_files("vector_rules.py", &["mutate"], [file.bytes]);
    assert_eq!(answer["sound"], json!([]), "{answer}");
    let rules = answer["rules"].as_array().unwrap();
    assert!(rules.len() >= 9, "{answer}");
    for rule in rules {
        let found = answer["mutants"][rule.as_str().unwrap()].as_array();
        assert!(found.is_some_and(|found| found.contains(rule)), "{rule} is not reported: {answer}");
    }
}

#[test]
fn what_outlines_cannot_show_is_an_image_and_is_said() {
    let grain = json!({"text": "x", "page_size": "a6", "seed": 5, "enable_natural_variation": true,
                       "natural_variation_sigma": 1});
    let file = render(&outlined(&grain, &json!({})));
    assert_eq!(file.representation, Representation::Image);
    let kinds: Vec<&str> = file.warnings.iter().map(|warning| warning.kind.name()).collect();
    assert_eq!(kinds, ["writing_as_image"], "{:?}", file.warnings);
    let mut pictures = Pictures::new();
    let png = pictures.add(&grain);
    let job = json!({"path": pictures.add_bytes(&file.bytes), "png": png, "dpi": 300, "origin": [0, 0]});
    let answer = &ask("vector_renderers.py", &json!([job]))[0];
    assert_eq!((&answer["qpdf"], &answer["images"]), (&json!(""), &json!(1)));
    let facts = ask_of_files(&[], [render(&outlined(&grain, &json!({"standard": "pdfx1a"}))).bytes]);
    assert_eq!(facts[0]["broken"], json!([]), "{facts}");
    let mut still = grain.clone();
    still["natural_variation_alpha"] = json!(0);
    assert_eq!(render(&outlined(&still, &json!({}))).representation, Representation::Outlines, "alpha 0 moves nothing");
}

#[test]
fn a_resolution_has_no_effect_on_outlines_and_that_is_said() {
    let request = json!({"text": TEXT, "page_size": "a6", "seed": 5});
    let fine = picture(&request);
    let (usual, fine) = (render(&outlined(&request, &json!({}))), render(&outlined(&fine, &json!({}))));
    let told: Vec<&str> = fine.warnings.iter().map(|warning| warning.kind.name()).collect();
    assert!(usual.warnings.is_empty() && told == ["no_effect"], "{:?}", fine.warnings);
    // The title names the resolution, and the identifier is made of it.
    assert_eq!(usual.bytes.len(), fine.bytes.len());
}

#[test]
fn the_command_line_outlines_a_page_and_a_mailing_without_a_device() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("guests.csv"), "name\nAnn\nBob\nChloé\n").unwrap();
    std::fs::write(folder.path().join("card.txt"), "Dear {name},\nyou are invited.").unwrap();
    let page = ["--page-size", "card_a2", "--seed", "7", "--pdf-writing", "outlines"];
    let run = |arguments: &[&str]| run_without_device(folder.path(), &[arguments, &page].concat());
    let (done, told) = run(&["render", "Dear Ann,\nyou are invited.", "-o", "card.pdf"]);
    assert!(done && told.contains("outlines"), "{told}");
    let (done, told) = run(&["batch", "--csv", "guests.csv", "--template", "card.txt", "-o", "all.pdf"]);
    assert!(done, "{told}");
    let read = |name: &str| std::fs::read(Path::new(folder.path()).join(name)).unwrap();
    let facts = ask_oracle_of_files("vector_rules.py", &[], [read("card.pdf"), read("all.pdf")]);
    assert_eq!((&facts[0]["broken"], &facts[1]["broken"]), (&json!([]), &json!([])));
    // Three rows share their letters.
    assert!(number(&facts[1], "forms") < number(&facts[0], "forms") + 8.0, "{facts}");
    assert!(number(&facts[1], "shown") > 2.5 * number(&facts[0], "shown"), "{facts}");
    let (done, told) = run(&["render", "x", "--output-format", "png", "-o", "x.png"]);
    assert!(!done, "a picture needs a device: {told}");
}

/// The field among [`bending`] that is so steep that it folds the paper.
const STEEP: usize = 2;

/// The effects that bend outlines, one by one and all together.
fn bending() -> [Value; 4] {
    let writer = json!({"enable_writer_variation": true});
    let natural =
        json!({"enable_natural_variation": true, "natural_variation_alpha": 15, "natural_variation_sigma": 5});
    let steep = json!({"enable_natural_variation": true, "natural_variation_alpha": 40, "natural_variation_sigma": 3});
    let all = json!({"enable_writer_variation": true, "enable_natural_variation": true, "enable_word_rotation": true,
                     "enable_random_indentation": true});
    [writer, natural, steep, all]
}

#[test]
fn bent_outlines_are_shown_as_our_picture_has_them() {
    let [steep, others]: [Vec<_>; 2] = [true, false].map(|is_steep| {
        let cases = fonts().into_iter().zip(bending().into_iter().enumerate().cycle());
        let chosen = cases.filter(|(_, (effect, _))| (*effect == STEEP) == is_steep);
        let requests = chosen.map(|(font, (_, effects))| {
            let page = json!({"text": TEXT, "font_id": font, "page_size": "a6", "seed": 5});
            (with(&page, &effects), json!({}))
        });
        requests.collect()
    });
    assert_shown(&steep, 6.0, FAR_AT_FOLDS);
    assert_shown(&others, 6.0, FAR_AT_JOINS);
}

/// Hands whose rough edges have over a hundred segments a letter, which no fit within 0.02 pt can leave out.
const ROUGH: [u16; 4] = [8, 20, 35, 41];

#[test]
fn a_dense_page_of_bent_outlines_stays_small_and_is_the_same_each_time() {
    let effects = with(&bending()[3], &json!({"enable_ink_flow": true, "ink_flow_intensity": 0.5}));
    let mut sizes = Vec::new();
    for font in fonts() {
        let request = outlined(&with(&dense(font), &effects), &json!({}));
        let file = render(&request);
        // In some fonts this size is small.
        let others = file.warnings.iter().filter(|warning| warning.kind.name() != "small_writing").count();
        assert_eq!((file.representation, others), (Representation::Outlines, 0), "{:?}", file.warnings);
        if sizes.is_empty() {
            assert_eq!(file.bytes, render(&request).bytes);
        }
        sizes.push((file.bytes.len(), font));
    }
    sizes.sort_unstable();
    println!("dense A4, bent: {sizes:?}");
    for (size, font) in &sizes {
        let most = if ROUGH.contains(font) { 800_000 } else { 400_000 };
        assert!(*size <= most, "font {font}: {size} bytes");
    }
    let facts = ask_oracle_of_files(
        "vector_rules.py",
        &[],
        [render(&outlined(&with(&dense(3), &effects), &json!({"standard": "pdfx1a"}))).bytes],
    );
    assert_eq!((&facts[0]["broken"], number(&facts[0], "forms")), (&json!([]), 0.0), "{facts}");
}
