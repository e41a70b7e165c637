//! Drawings under the writing, in every kind of file, against `PDFium` and resvg.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use longhand::artwork::{Artwork, ArtworkId, FindArtwork, KnownArtwork};
use longhand::pipeline::StageTimes;
use longhand::spec::{Endpoint, Known, parse_value_for};
use serde_json::{Value, json};

use crate::oracle::{ask, number};
use crate::pages::rendered::{engine, with};
use fixtures::{Pdf, stream, svg};

#[path = "../../../src/artwork/drawing/fixtures.rs"]
mod fixtures;

/// A gradient that fades, a pattern, a clipped shape, a blurred disc, and a line.
const LOGO: &str = "
    <defs>
      <linearGradient id='g'>
        <stop offset='0' stop-color='#0060c0'/><stop offset='1' stop-color='#00c060' stop-opacity='0.4'/>
      </linearGradient>
      <pattern id='p' width='20' height='20' patternUnits='userSpaceOnUse'><circle cx='10' cy='10' r='6'/></pattern>
      <filter id='b'><feGaussianBlur stdDeviation='4'/></filter>
      <clipPath id='k'><circle cx='320' cy='100' r='70'/></clipPath>
    </defs>
    <script>alert(1)</script>
    <rect x='10' y='10' width='180' height='120' rx='20' fill='url(#g)' stroke='#b03050' stroke-width='6'/>
    <rect x='200' y='140' width='190' height='50' fill='url(#p)'/>
    <g clip-path='url(#k)'><path d='M240 20 h160 v160 z' fill='#e0a000'/></g>
    <circle cx='100' cy='160' r='30' fill='#c00' filter='url(#b)'/>
    <path d='M210 20 C 230 120 250 -20 270 90' fill='none' stroke='#000' stroke-width='3'/>";

/// The drawings of the tests.
struct Drawings {
    folder: tempfile::TempDir,
    artwork: HashMap<&'static str, Arc<Artwork>>,
}

/// Finds all of them.
struct All;

impl FindArtwork for All {
    fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
        drawings().artwork.values().find(|artwork| artwork.id() == *id).cloned()
    }
}

/// The content of a page in inks alone.
const PRESS_CONTENT: &str = "0.1 0 0.2 0 k 0 0 144 72 re f /Spot cs 0.8 scn 10 10 30 30 re f q 1 0 0 1 60 20 cm /Fm Do Q \
                  q 100 10 30 50 re W n /Sh sh Q 0 0 0 1 K 2 w 4 4 136 64 re S";

/// A page in inks alone, of 144 × 72 pt from this corner: a tint of a spot colour, a shading, and a form.
fn press_pdf(page: &str, corner: [u32; 2]) -> Vec<u8> {
    let [left, bottom] = corner;
    let content = format!("1 0 0 1 {left} {bottom} cm {PRESS_CONTENT}");
    Pdf {
        page,
        content: &content,
        resources: "/ColorSpace<</Spot[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]\
                    /C1[0 0.5 1 0]/N 1>>]>>/XObject<</Fm 6 0 R>>/Shading<</Sh<</ShadingType 2/ColorSpace/DeviceCMYK\
                    /Coords[100 10 130 60]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0 0]/C1[0 0 1 0]/N 1>>>>>>",
        objects: &[&stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 30 40]/Resources<<>>",
            "0 1 1 0 k 0 0 m 30 0 l 15 40 l f",
        )],
        ..Pdf::default()
    }
    .file()
}

/// A page with transparency and a script, cropped and turned.
fn screen_pdf() -> Vec<u8> {
    Pdf {
        page: "/MediaBox[0 0 300 300]/CropBox[20 30 164 102]/Rotate 90/Annots[6 0 R]/AA<</O 7 0 R>>",
        content: "0.9 0.95 1 rg 0 0 300 300 re f /G gs 1 0 0 rg 30 40 60 40 re f 0 0 1 rg 60 50 90 40 re f",
        resources: "/ExtGState<</G<</ca 0.5/BM/Multiply>>>>",
        catalog: "/OpenAction 7 0 R",
        objects: &["<</Type/Annot/Subtype/Link/Rect[0 0 300 300]/A 7 0 R>>", "<</S/JavaScript/JS(app.alert\\(1\\))>>"],
        ..Pdf::default()
    }
    .file()
}

fn drawings() -> &'static Drawings {
    static DRAWINGS: OnceLock<Drawings> = OnceLock::new();
    DRAWINGS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("logo.svg", svg(LOGO)),
            ("press.pdf", press_pdf("/MediaBox[0 0 144 72]", [0, 0])),
            ("turned.pdf", press_pdf("/MediaBox[0 0 300 300]/CropBox[20 30 164 102]/Rotate 90", [20, 30])),
            ("screen.pdf", screen_pdf()),
        ];
        let artwork = files.into_iter().map(|(name, file)| {
            std::fs::write(folder.path().join(name), &file).unwrap();
            (name, Arc::new(Artwork::read(file).unwrap()))
        });
        Drawings { artwork: artwork.collect(), folder }
    })
}

fn id(name: &str) -> String {
    drawings().artwork[name].id().to_string()
}

/// A file beside the drawings.
fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = drawings().folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// A card of 100 × 140 mm with a word at the top.
fn card(artwork: &Value, more: &Value) -> Vec<u8> {
    let page = json!({
        "text": "Dear Ann", "font_size": 120, "seed": 7, "text_color": [20, 30, 120], "page_size": "custom",
        "custom_page": {"width": 100, "height": 140, "trimmed": true}, "artwork": artwork,
    });
    let request = with(&page, more);
    let known = Known { artwork: KnownArtwork::of(Arc::new(All)), ..Known::default() };
    let spec = parse_value_for(known, &request, Endpoint::Generate, || 7).unwrap();
    engine().generate(&spec, &mut StageTimes::default()).unwrap_or_else(|error| panic!("{request}: {error}")).bytes
}

fn pdf(options: &Value) -> Value {
    json!({"output_format": "pdf", "pdf": with(&json!({"crop_box": "trim", "bleed_mm": 0}), options)})
}

#[test]
fn a_drawing_is_where_it_belongs_and_looks_as_others_draw_it() {
    // The own size of each, from 10 and 60 mm.
    for (name, width, height) in [("logo.svg", 40.0, 20.0), ("press.pdf", 50.8, 25.4), ("screen.pdf", 25.4, 50.8)] {
        for (number_of, (more, ending)) in [
            (json!({}), "png"),
            (json!({"output_format": "svg"}), "svg"),
            (pdf(&json!({"writing": "outlines"})), "pdf"),
            (pdf(&json!({"writing": "image"})), "pdf"),
        ]
        .into_iter()
        .enumerate()
        {
            let artwork = json!([{"id": id(name), "x_mm": 10, "y_mm": 60}]);
            let page = written(&format!("{name}-{number_of}.{ending}"), &card(&artwork, &more));
            if ending == "svg" {
                let text = std::fs::read_to_string(page).unwrap();
                assert!(text.contains("<image ") && text.contains("data:image/png;base64,"));
                continue;
            }
            let drawing = drawings().folder.path().join(name);
            let box_mm = [10.0, 60.0, 10.0 + width, 60.0 + height];
            let facts = ask("drawing_page.py", &json!({"page": page, "drawing": drawing, "box": box_mm, "dpi": 300}));
            assert!(number(&facts, "mean") < 2.5 && number(&facts, "inked") > 0.3, "{name} {number_of}: {facts}");
        }
    }
}

#[test]
fn a_drawing_is_in_a_file_once_and_does_nothing() {
    let text = "All of it was written down. ".repeat(60);
    let artwork = json!([
        {"id": id("screen.pdf")},
        {"id": id("logo.svg"), "x_mm": 5, "width_mm": 20},
        {"id": id("logo.svg"), "x_mm": 60, "width_mm": 30, "opacity": 0.5},
    ]);
    let letter = json!({"text": text, "font_size": 60, "overflow": "paginate"});
    let file = card(&artwork, &with(&letter, &pdf(&json!({"writing": "outlines"}))));
    let facts = ask("drawing_page.py", &json!({"pdf": written("letter.pdf", &file)}));
    let expected = json!({"version": "1.7", "drawings": 2, "places": 3, "transparent": true, "acts": false});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&facts[name], value, "{facts}");
    }
    assert_eq!(file, card(&artwork, &with(&letter, &pdf(&json!({"writing": "outlines"})))), "equal bytes");
}

#[test]
fn a_press_gets_the_drawings_that_it_may_have_and_pictures_of_others() {
    let press = pdf(&json!({"standard": "pdfx1a", "writing": "outlines", "bleed_mm": 3}));
    let facts_of = |artwork: Value, more: &Value| {
        let file = card(&artwork, more);
        ask("drawing_page.py", &json!({"pdf": written("press-page.pdf", &file)}))
    };
    let logo = json!({"id": id("logo.svg"), "x_mm": 5, "width_mm": 40});
    let facts = facts_of(json!([logo, {"id": id("press.pdf"), "x_mm": 10, "y_mm": 60}]), &press);
    assert_eq!(
        (&facts["drawings"], &facts["transparent"], &facts["version"]),
        (&json!(1), &json!(false), &json!("1.3"))
    );
    assert_eq!((&facts["operators"], &facts["broken"]), (&json!(["K", "cs", "k", "scn", "sh"]), &json!([])), "{facts}");
    // Nothing may be above it, it may not be pale, and ink is mixed into pixels alone.
    let below = json!([{"id": id("press.pdf"), "x_mm": 10, "y_mm": 60}, logo]);
    let pale = json!([{"id": id("press.pdf"), "x_mm": 10, "y_mm": 60, "opacity": 0.5}]);
    let image = pdf(&json!({"standard": "pdfx1a", "writing": "image", "bleed_mm": 3}));
    let screen = json!([{"id": id("screen.pdf")}]);
    for (artwork, more) in [(below.clone(), &press), (pale, &press), (screen, &press), (below, &image)] {
        let facts = facts_of(artwork, more);
        assert_eq!((&facts["drawings"], &facts["transparent"]), (&json!(0), &json!(false)), "{facts}");
    }
}

#[test]
fn a_drawing_that_is_turned_and_cropped_is_the_same_for_a_press_as_in_a_picture() {
    let press = pdf(&json!({"standard": "pdfx1a", "writing": "outlines", "bleed_mm": 3}));
    // 25.4 × 50.8 mm, of which the box shows the middle.
    let placed = |fit: &str| json!([{"id": id("turned.pdf"), "x_mm": 20, "y_mm": 60, "width_mm": 40, "height_mm": 40, "fit": fit}]);
    let page = written("turned-press.pdf", &card(&placed("cover"), &press));
    let facts = ask("drawing_page.py", &json!({"pdf": page}));
    assert_eq!((&facts["drawings"], &facts["broken"]), (&json!(1), &json!([])), "{facts}");
    let compared = |fit: &str| {
        let picture = written(&format!("turned-{fit}.png"), &card(&placed(fit), &json!({})));
        let box_mm = [20.0, 60.0, 60.0, 100.0];
        ask("drawing_page.py", &json!({"page": page, "picture": picture, "box": box_mm, "dpi": 300}))
    };
    let same = compared("cover");
    assert!(number(&same, "mean") < 2.5 && number(&same, "inked") > 0.9, "{same}");
    let other = compared("stretch");
    assert!(number(&other, "mean") > 10.0, "{other}");
}
