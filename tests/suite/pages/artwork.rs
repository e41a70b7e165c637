//! Artwork under the writing, in every kind of file, against Pillow, Little CMS and readers of PDF and SVG.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use longhand::artwork::{Artwork, ArtworkError, ArtworkId, FindArtwork, KnownArtwork};
use longhand::pipeline::{PreviewMark, StageTimes};
use longhand::spec::{Endpoint, Known, RenderSpec, parse_value_for};
use serde_json::{Value, json};

use crate::oracle::{ask, number};
use crate::pages::rendered::{engine, render, with};

/// The pictures of the tests, as another program wrote them.
pub(crate) struct Gallery {
    folder: tempfile::TempDir,
    files: HashMap<String, PathBuf>,
    artwork: HashMap<String, Arc<Artwork>>,
}

/// Finds all of them.
struct All;

impl FindArtwork for All {
    fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
        gallery().artwork.values().find(|artwork| artwork.id() == *id).cloned()
    }
}

pub(crate) fn gallery() -> &'static Gallery {
    static GALLERY: OnceLock<Gallery> = OnceLock::new();
    GALLERY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let made = ask("artwork_page.py", &json!({"make": folder.path()}));
        let files: HashMap<String, PathBuf> = serde_json::from_value(made).unwrap();
        let readable = files.iter().filter(|(name, _)| name.as_str() != "cmyk.jpg");
        let read = |path: &Path| Arc::new(Artwork::read(std::fs::read(path).unwrap()).unwrap());
        let artwork = readable.map(|(name, path)| (name.clone(), read(path))).collect();
        Gallery { folder, files, artwork }
    })
}

impl Gallery {
    pub(crate) fn file(&self, name: &str) -> &Path {
        &self.files[name]
    }

    fn id(&self, name: &str) -> String {
        self.artwork[name].id().to_string()
    }

    /// Writes a file beside the pictures.
    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn spec(request: &Value, endpoint: Endpoint) -> RenderSpec {
    let known = Known { artwork: KnownArtwork::of(Arc::new(All)), ..Known::default() };
    parse_value_for(known, request, endpoint, || 7).unwrap_or_else(|error| panic!("{request}: {error}"))
}

/// The finished file of a request with artwork.
fn draw(request: &Value) -> Vec<u8> {
    let made = engine().generate(&spec(request, Endpoint::Generate), &mut StageTimes::default());
    made.unwrap_or_else(|error| panic!("{request}: {error}")).bytes
}

/// A card of 100 × 140 mm with a word in blue.
fn card(more: &Value) -> Value {
    let page = json!({
        "text": "Dear Ann", "font_size": 120, "seed": 7, "text_color": [20, 30, 120], "page_size": "custom",
        "custom_page": {"width": 100, "height": 140, "trimmed": true},
    });
    with(&page, more)
}

/// A photograph over all of the card, and a logo that shines through, partly beyond the edge.
fn artwork() -> Value {
    let gallery = gallery();
    json!([
        {"id": gallery.id("photo.jpg")},
        {"id": gallery.id("logo.png"), "x_mm": 60.2, "y_mm": 100, "width_mm": 50, "opacity": 0.6},
    ])
}

/// The card in whole px, in mm.
const WIDTH: f64 = 1181.0 * 25.4 / 300.0;
const HEIGHT: f64 = 1654.0 * 25.4 / 300.0;

/// The same for the oracle: a picture of 4 : 3 fills the height of the page, and is cut off at both sides.
fn placed() -> Value {
    let [photo, logo] = ["photo.jpg", "logo.png"].map(|name| gallery().file(name));
    let (middle, half) = (100.0 / 2.0, HEIGHT * 4.0 / 3.0 / 2.0);
    json!([
        {"path": photo, "picture": [middle - half, 0, middle + half, HEIGHT], "window": [0, 0, WIDTH, HEIGHT]},
        {"path": logo, "picture": [60.2, 100, 110.2, 137.5], "window": [60.2, 100, WIDTH, 137.5], "opacity": 0.6},
    ])
}

#[test]
fn a_picture_of_the_page_is_its_artwork_under_its_ink() {
    let gallery = gallery();
    for (dpi, name) in [(300, "at300"), (600, "at600")] {
        let members = json!({"dpi": dpi});
        let page = gallery.write(&format!("{name}.png"), &draw(&card(&with(&members, &json!({"artwork": artwork()})))));
        let ink = gallery.write(&format!("{name}-ink.png"), &render(&card(&members)).bytes);
        let facts = ask("artwork_page.py", &json!({"page": page, "ink": ink, "dpi": dpi, "pictures": placed()}));
        // Pillow rounds to 8 bits between its two passes.
        assert!(number(&facts, "largest") <= 4.0 && number(&facts, "mean") < 0.4, "{facts}");
    }
}

#[test]
fn paper_without_artwork_stays_transparent() {
    let gallery = gallery();
    let logo = json!([{"id": gallery.id("logo.png"), "x_mm": 10, "y_mm": 60, "width_mm": 40}]);
    let page = gallery.write("logo-page.png", &draw(&card(&json!({"artwork": logo}))));
    let ink = gallery.write("logo-ink.png", &render(&card(&json!({}))).bytes);
    let pictures = json!([
        {"path": gallery.file("logo.png"), "picture": [10, 60, 50, 90], "window": [10, 60, 50, 90]},
    ]);
    let facts = ask("artwork_page.py", &json!({"page": page, "ink": ink, "dpi": 300, "pictures": pictures}));
    assert!(number(&facts, "largest") <= 4.0 && number(&facts, "transparent") > 0.8, "{facts}");
}

#[test]
fn a_photograph_lies_upright_and_greys_and_deep_pixels_are_as_bright_as_they_are() {
    let gallery = gallery();
    for (number_of, name) in ["turned.jpg", "grey.jpg", "deep.png"].into_iter().enumerate() {
        let request = card(&json!({"artwork": [{"id": gallery.id(name), "fit": "stretch"}]}));
        let page = gallery.write(&format!("one{number_of}.png"), &draw(&request));
        let ink = gallery.write(&format!("one{number_of}-ink.png"), &render(&card(&json!({}))).bytes);
        let file = if name == "deep.png" { "grey.jpg" } else { name };
        let whole = [0.0, 0.0, WIDTH, HEIGHT];
        let pictures = json!([{"path": gallery.file(file), "picture": whole, "window": whole}]);
        let facts = ask("artwork_page.py", &json!({"page": page, "ink": ink, "dpi": 300, "pictures": pictures}));
        // The deep picture was not packed as a JPEG.
        let most = if name == "deep.png" { 3.0 } else { 0.4 };
        assert!(number(&facts, "mean") < most, "{name}: {facts}");
    }
}

#[test]
fn a_preview_shows_the_page_and_a_region_of_it() {
    let gallery = gallery();
    let request = card(&json!({"artwork": artwork()}));
    let preview = |request: &Value| {
        let spec = spec(request, Endpoint::Preview);
        engine().preview(&spec, PreviewMark::Nothing, &mut StageTimes::default()).unwrap()
    };
    let (whole, again) = (preview(&request), preview(&request));
    assert_eq!(whole.page.bytes, again.page.bytes, "a backdrop that was kept is the same");
    let plain = crate::pages::rendered::render_marked(&card(&json!({})), PreviewMark::Nothing);
    let page = gallery.write("preview.png", &whole.page.bytes);
    let ink = gallery.write("preview-ink.png", &plain.page.bytes);
    let dpi = 1200.0 / WIDTH * 25.4;
    let facts = ask("artwork_page.py", &json!({"page": page, "ink": ink, "dpi": dpi, "pictures": placed()}));
    assert!(number(&facts, "mean") < 0.5, "{facts}");
    let region = json!({"region": {"x": 700, "y": 1100, "width": 400, "height": 500}});
    assert_ne!(preview(&with(&request, &region)).page.bytes, whole.page.bytes);
}

#[test]
fn a_preview_shows_white_ink_beside_a_logo_on_dark_paper() {
    let logo = json!({"id": gallery().id("logo.png"), "x_mm": 60, "y_mm": 90, "width_mm": 30});
    let preview = |artwork: Value| {
        let request = card(&json!({"text_color": [255, 255, 255], "artwork": [artwork]}));
        let spec = spec(&request, Endpoint::Preview);
        let preview = engine().preview(&spec, PreviewMark::Nothing, &mut StageTimes::default()).unwrap();
        gallery().write("white-ink.png", &preview.page.bytes)
    };
    let transparent = |page: &Path| {
        let facts = ask("artwork_page.py", &json!({"page": page, "ink": page, "dpi": 300, "pictures": []}));
        number(&facts, "transparent")
    };
    assert!(transparent(&preview(logo)) < 0.001);
    // On a background the ink may be seen.
    let background = json!({"id": gallery().id("logo.png"), "fit": "stretch"});
    assert!(transparent(&preview(background)) > 0.1);
}

#[test]
fn a_pdf_for_screens_shows_what_the_picture_does() {
    let gallery = gallery();
    let turned = json!([{"id": gallery.id("turned.jpg"), "x_mm": 5, "y_mm": 40, "width_mm": 60}]);
    for (writing, artwork) in [("image", artwork()), ("outlines", artwork()), ("outlines", turned)] {
        let picture = gallery.write("shown.png", &draw(&card(&json!({"artwork": artwork}))));
        let pdf = json!({"writing": writing, "profile": "press", "crop_box": "trim", "bleed_mm": 0});
        let request = card(&json!({"output_format": "pdf", "pdf": pdf, "artwork": artwork}));
        let file = gallery.write("shown.pdf", &draw(&request));
        let job = json!([{"path": file, "png": picture, "dpi": 300, "origin": [0, 0]}]);
        let answer = &ask("pdf_renderers.py", &job)[0];
        assert_eq!(answer["qpdf"], "");
        for renderer in ["pdftoppm", "gs", "mutool"] {
            // Each renderer scales a photograph in its own way.
            let mean = number(&answer["shown"][renderer], "mean");
            assert!(mean < 6.0, "{renderer} of {writing}: {answer}");
        }
    }
}

/// What is in a PDF.
fn facts_of(name: &str, file: &[u8], profile: bool) -> Value {
    let path = gallery().write(name, file);
    let profile = profile.then_some(concat!(env!("CARGO_MANIFEST_DIR"), "/icc/fogra51-approx-300.icc"));
    ask("artwork_page.py", &json!({"pdf": path, "profile": profile}))
}

#[test]
fn a_pdf_for_screens_keeps_a_jpeg_and_masks_the_rest() {
    let request = card(&json!({"output_format": "pdf", "artwork": artwork()}));
    let facts = facts_of("screen.pdf", &draw(&request), false);
    let page = &facts["pages"][0];
    assert_eq!(page["images"][0], json!([1200, 900, "/DeviceRGB", "/DCTDecode"]));
    assert_eq!(page["images"][2], json!([1, 1, "/DeviceRGB", "None"]), "ink is one pixel with its coverage as mask");
    assert_eq!((page["masks"].as_array().unwrap().len(), &facts["version"]), (2, &json!("1.4")));
    let grey = json!({"artwork": [{"id": gallery().id("grey.jpg")}], "output_format": "pdf"});
    let grey = facts_of("grey.pdf", &draw(&card(&grey)), false);
    assert_eq!(grey["pages"][0]["images"][0], json!([1200, 900, "/DeviceGray", "/DCTDecode"]));
}

#[test]
fn a_pdf_for_a_press_has_ink_amounts_alone() {
    let gallery = gallery();
    for writing in ["image", "outlines"] {
        let pdf = json!({"standard": "pdfx1a", "icc_profile": "pso_coated_v3", "writing": writing});
        let request = json!({"output_format": "pdf", "pdf": pdf, "text_color": [0, 0, 0]});
        let patches = json!({"artwork": [{"id": gallery.id("patches.png"), "fit": "stretch"}]});
        let file = draw(&card(&with(&request, &patches)));
        let facts = facts_of(&format!("press-{writing}.pdf"), &file, true);
        let images = facts["pages"][0]["images"].as_array().unwrap();
        assert_eq!(
            (images.len(), &images[0][2], &facts["version"]),
            (1, &json!("/DeviceCMYK"), &json!("1.3")),
            "{facts}"
        );
        // 100 × 140 mm with 3 mm of bleed, at 300 DPI.
        assert!(images[0][0].as_u64().unwrap().abs_diff(1252) <= 2, "{facts}");
        assert_eq!(facts["transparent"], false);
        assert!(number(&facts, "most_ink") <= 300.5 && number(&facts, "far") <= 3.0, "{facts}");
        let black = facts["black_alone"].as_u64().unwrap();
        assert_eq!(black > 1000, writing == "image", "black ink in the picture is K alone: {facts}");
    }
}

#[test]
fn an_svg_shows_what_the_picture_does() {
    let gallery = gallery();
    let request = card(&json!({"artwork": artwork(), "output_format": "svg"}));
    let file = String::from_utf8(draw(&request)).unwrap();
    assert_eq!(file.matches("<image ").count(), 2);
    assert!(file.contains("data:image/jpeg;base64,") && file.contains("opacity=\"0.6\""));
    let turned = json!({"artwork": [{"id": gallery.id("turned.jpg")}], "output_format": "svg"});
    let turned = String::from_utf8(draw(&card(&turned))).unwrap();
    assert!(turned.contains("data:image/png;base64,"), "an upright copy");
}

#[test]
fn pages_of_a_letter_show_the_artwork_that_is_theirs() {
    let gallery = gallery();
    let text = "All of it was written down. ".repeat(60);
    let artwork = json!([
        {"id": gallery.id("photo.jpg"), "pages": "first"},
        {"id": gallery.id("logo.png"), "x_mm": 5, "width_mm": 20, "pages": "following"},
        {"id": gallery.id("grey.jpg"), "y_mm": 120, "width_mm": 20},
    ]);
    let request = json!({
        "text": text, "font_size": 60, "overflow": "paginate", "output_format": "pdf", "artwork": artwork,
        "pdf": {"writing": "outlines"},
    });
    let facts = facts_of("letter.pdf", &draw(&card(&request)), false);
    let pages = facts["pages"].as_array().unwrap();
    assert!(pages.len() >= 3, "{facts}");
    for (number, page) in pages.iter().enumerate() {
        let first = if number == 0 { "/DCTDecode" } else { "/FlateDecode" };
        assert_eq!((page["images"].as_array().unwrap().len(), &page["images"][0][3]), (2, &json!(first)), "{facts}");
    }
    assert_eq!(facts["objects"], 4, "a picture is in the file once, the logo with its mask: {facts}");
}

#[test]
fn a_page_without_artwork_has_the_bytes_that_it_had() {
    for format in ["png", "pdf", "svg"] {
        let request = card(&json!({"output_format": format}));
        assert_eq!(draw(&with(&request, &json!({"artwork": null}))), render(&request).bytes);
    }
}

#[test]
fn pictures_that_no_page_can_show_are_refused() {
    let read = |name: &str| Artwork::read(std::fs::read(gallery().file(name)).unwrap());
    assert_eq!(read("cmyk.jpg"), Err(ArtworkError::Cmyk));
    for name in ["photo.jpg", "logo.png", "deep.png"] {
        let whole = std::fs::read(gallery().file(name)).unwrap();
        for length in [300, whole.len() / 2, whole.len() - 20] {
            let part = Artwork::read(whole[..length].to_vec());
            assert!(matches!(part, Err(ArtworkError::Broken(_))), "{length} bytes of {name}: {part:?}");
        }
        assert!(Artwork::read(whole).is_ok());
    }
}

#[test]
fn a_page_may_be_artwork_alone() {
    let gallery = gallery();
    let page = json!({"seed": 7, "page_size": "custom", "custom_page": {"width": 100, "height": 140, "trimmed": true},
                      "artwork": [{"id": gallery.id("photo.jpg")}]});
    let made = engine().generate(&spec(&page, Endpoint::Generate), &mut StageTimes::default()).unwrap();
    assert_eq!((made.warnings, made.calculated_font_size.is_some()), (Vec::new(), true));
    let alone = gallery.write("alone.png", &made.bytes);
    let whole = [0.0, 0.0, WIDTH, HEIGHT];
    let half = HEIGHT * 4.0 / 3.0 / 2.0;
    let pictures = json!([{"path": gallery.file("photo.jpg"), "picture": [50.0 - half, 0.0, 50.0 + half, HEIGHT], "window": whole}]);
    let ink = gallery.write("no-ink.png", &render(&card(&json!({"text": " "}))).bytes);
    let facts = ask("artwork_page.py", &json!({"page": alone, "ink": ink, "dpi": 300, "pictures": pictures}));
    assert!(number(&facts, "largest") <= 4.0 && number(&facts, "mean") < 0.4, "{facts}");
    for more in [
        json!({"output_format": "pdf"}),
        json!({"output_format": "pdf", "pdf": {"standard": "pdfx1a"}}),
        json!({"output_format": "pdf", "pdf": {"writing": "outlines"}}),
        json!({"output_format": "svg"}),
    ] {
        assert!(draw(&with(&page, &more)).len() > 10_000, "{more}");
    }
}
