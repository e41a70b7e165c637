//! Whole files, rendered from text, as programs that others wrote see them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::oracle::ask;
use crate::pages::rendered::{Pictures, render};

/// A file and what it should be.
struct Case {
    /// Without format and seed.
    request: Value,
    /// The `pdf` member.
    pdf: Value,
    /// Media, crop, bleed and trim in points, from paper standards and the decisions.
    boxes: [[f64; 4]; 4],
    /// Whether a pixel of the image is a pixel of a rendering at its resolution, in RGB.
    exact: bool,
    /// How many; 0 for more than one.
    pages: usize,
}

/// Text that leaves most of the page blank, as cards have it.
const TEXT: &str = "Dear Ann,\nthank you for the flowers!";

fn cases() -> Vec<Case> {
    let whole = |width: f64, height: f64| [[0.0, 0.0, width, height]; 4];
    vec![
        Case {
            request: json!({"text": TEXT, "page_size": "a6", "text_color": [20, 30, 120], "font_id": 3}),
            pdf: json!({}),
            boxes: whole(297.638, 419.528),
            exact: true,
            pages: 1,
        },
        Case {
            request: json!({"text": TEXT, "page_size": "card_a2", "text_color": [200, 16, 46]}),
            pdf: json!({"profile": "press", "crop_box": "trim"}),
            boxes: [
                [0.0, 0.0, 306.0 + 54.5, 396.0 + 54.5],
                [27.25, 27.25, 333.25, 423.25],
                [18.25, 18.25, 342.25, 432.25],
                [27.25, 27.25, 333.25, 423.25],
            ],
            exact: true,
            pages: 1,
        },
        Case {
            request: json!({"text": TEXT, "page_size": "card_96x135", "text_color": [20, 30, 120], "font_size": 60}),
            pdf: json!({"standard": "pdfx1a"}),
            boxes: [
                [0.0, 0.0, 317.980, 428.531],
                [0.0, 0.0, 317.980, 428.531],
                [14.423, 14.423, 303.557, 414.108],
                [22.927, 22.927, 295.053, 405.604],
            ],
            exact: false,
            pages: 1,
        },
        Case {
            request: json!({"text": TEXT, "page_size": "postcard_us", "dpi": 600}),
            pdf: json!({"preset": "lob"}),
            boxes: [
                [0.0, 0.0, 306.0, 450.0],
                [0.0, 0.0, 306.0, 450.0],
                [0.0, 0.0, 306.0, 450.0],
                [9.0, 9.0, 297.0, 441.0],
            ],
            exact: false,
            pages: 1,
        },
        Case {
            request: json!({"text": TEXT, "page_size": "postcard_us", "orientation": "landscape"}),
            pdf: json!({"preset": "click2mail", "standard": "pdfx1a"}),
            boxes: [
                [0.0, 0.0, 468.0, 324.0],
                [0.0, 0.0, 468.0, 324.0],
                [0.0, 0.0, 468.0, 324.0],
                [18.0, 18.0, 450.0, 306.0],
            ],
            exact: true,
            pages: 1,
        },
        Case {
            request: json!({"text": TEXT.repeat(3), "page_size": "a6", "font_size": 220, "overflow": "paginate",
                            "margin_left": 60, "margin_right": 60}),
            pdf: json!({"standard": "pdfx1a", "icc_profile": "iso_coated_v2"}),
            boxes: whole(297.638, 419.528),
            exact: false,
            pages: 0,
        },
    ]
}

impl Case {
    fn pdf_request(&self) -> Value {
        let mut request = self.request.clone();
        request["seed"] = json!(7);
        request["output_format"] = json!("pdf");
        request["pdf"] = self.pdf.clone();
        request
    }

    /// The same page as PNG, where it is one page.
    fn png_request(&self) -> Value {
        let mut request = self.request.clone();
        request["seed"] = json!(7);
        request
    }

    fn dpi(&self) -> u64 {
        self.request["dpi"].as_u64().unwrap_or(300)
    }

    fn job(&self, pictures: &mut Pictures) -> Value {
        let pdf = pictures.add(&self.pdf_request());
        let png: Option<PathBuf> = (self.pages == 1).then(|| pictures.add(&self.png_request()));
        let [_, crop, _, trim] = self.boxes;
        json!({"path": pdf, "png": png, "dpi": self.dpi(), "origin": [trim[0] - crop[0], crop[3] - trim[3]]})
    }

    fn check(&self, answer: &Value) {
        let told = format!("{}\n{answer}", self.pdf_request());
        assert_eq!(answer["qpdf"], "", "{told}");
        let pages = answer["pages"].as_u64().unwrap();
        if self.pages == 0 {
            assert!(pages > 1, "{told}");
        } else {
            assert_eq!(pages, self.pages as u64, "{told}");
        }
        for (name, expected) in ["MediaBox", "CropBox", "BleedBox", "TrimBox"].iter().zip(self.boxes) {
            for (side, expected) in answer["boxes"][name].as_array().unwrap().iter().zip(expected) {
                assert!((side.as_f64().unwrap() - expected).abs() < 0.011, "{name}: {told}");
            }
        }
        let images = answer["images"].as_array().unwrap();
        assert_eq!(images.len() as u64, pages, "one image a page: {told}");
        for image in images {
            assert_eq!((&image[0], &image[3], &image[4]), (&json!("image"), &json!("index"), &json!(8)), "{told}");
            assert_eq!((image[5].as_u64(), image[6].as_u64()), (Some(self.dpi()), Some(self.dpi())), "{told}");
        }
        let pixels = |length: &Value| length.as_f64().unwrap() * self.dpi() as f64 / 72.0;
        let seen = [pixels(&answer["plumbed"][2]).round(), pixels(&answer["plumbed"][3]).round()];
        assert_eq!(json!(seen), json!([images[0][1].as_f64(), images[0][2].as_f64()]), "{told}");
        for (renderer, shown) in answer["shown"].as_object().unwrap() {
            assert_eq!(shown["corner"], json!([255.0, 255.0, 255.0]), "{renderer}: {told}");
            if self.pages == 1 {
                self.check_picture(renderer, shown, &told);
            }
        }
    }

    fn check_picture(&self, renderer: &str, shown: &Value, told: &str) {
        let (mean, ink) = (shown["mean"].as_f64().unwrap(), shown["ink"].as_f64().unwrap());
        println!("{renderer}: mean {mean:.4}, over ink {ink:.2}");
        assert!(mean <= 1.0, "{renderer} {mean}: {told}");
        if self.exact {
            assert!(ink <= 1.0, "{renderer} {ink}: {told}");
        }
    }
}

#[test]
fn other_programs_see_the_boxes_the_resolution_and_the_writing() {
    let mut pictures = Pictures::new();
    let cases = cases();
    let jobs: Vec<Value> = cases.iter().map(|case| case.job(&mut pictures)).collect();
    let answers = ask("pdf_renderers.py", &json!(jobs));
    assert_eq!(answers.as_array().unwrap().len(), cases.len());
    for (case, answer) in cases.iter().zip(answers.as_array().unwrap()) {
        case.check(answer);
    }
}

#[test]
fn another_page_and_a_damaged_file_are_found_out() {
    let case = &cases()[0];
    let mut pictures = Pictures::new();
    let mut job = case.job(&mut pictures);
    let mut other = case.png_request();
    other["font_id"] = json!(41);
    job["png"] = json!(pictures.add(&other));
    let shown = &ask("pdf_renderers.py", &json!([job]))[0]["shown"];
    for renderer in ["pdftoppm", "mutool", "gs"] {
        assert!(shown[renderer]["ink"].as_f64().unwrap() > 10.0, "{renderer}: {shown}");
    }
    let mut file = render(&case.pdf_request()).bytes;
    let at = file.windows(4).position(|four| four == b"xref").unwrap();
    file[at] = b'y';
    let path = pictures.add_bytes(&file);
    let job = json!({"path": path, "png": null, "dpi": 36, "origin": [0, 0]});
    assert_ne!(ask("pdf_renderers.py", &json!([job]))[0]["qpdf"], "");
}

#[test]
fn a_lob_card_is_small_and_carries_what_was_overruled() {
    let text = "It was the best of times, it was the worst of times. ".repeat(16);
    let rendered_file = render(&json!({
        "text": text, "page_size": "postcard_us", "dpi": 600, "output_format": "pdf", "seed": 1,
        "pdf": {"preset": "lob", "standard": "pdf", "bleed_mm": 3.175, "profile": "press"},
    }));
    assert!(rendered_file.bytes.len() < 5_000_000, "{} bytes", rendered_file.bytes.len());
    let kinds: Vec<&str> = rendered_file.warnings.iter().map(|warning| warning.kind.name()).collect();
    assert_eq!(kinds, ["small_writing", "no_effect"], "{:?}", rendered_file.warnings);
    assert!(rendered_file.warnings[1].message.starts_with("pdf.profile"), "{:?}", rendered_file.warnings);
}

#[test]
fn options_without_effect_are_named() {
    for (pdf, named) in [
        (json!({"bleed_mm": 3.0}), vec!["pdf.bleed_mm"]),
        (json!({"preset": "click2mail", "standard": "pdfx1a", "bleed_mm": 2}), vec!["pdf.standard", "pdf.bleed_mm"]),
        // Typed clients send the defaults.
        (json!({"preset": "click2mail", "standard": "pdf", "profile": "document", "crop_box": "media"}), vec![]),
        // Lob takes no such page.
        (json!({"preset": "lob", "bleed_mm": 2}), vec!["pdf.bleed_mm", "page_size"]),
        (json!({"bleed_mm": 0, "crop_box": "trim", "icc_profile": "gracol_2006"}), vec![]),
        (json!({"profile": "press", "bleed_mm": 3.0}), vec![]),
    ] {
        let warnings =
            render(&json!({"text": "x", "page_size": "a6", "output_format": "pdf", "seed": 1, "pdf": pdf})).warnings;
        let found: Vec<&str> = warnings.iter().map(|warning| warning.message.split(':').next().unwrap()).collect();
        assert_eq!(found, named, "{pdf}: {warnings:?}");
    }
}

#[test]
fn a_text_of_too_many_pages_is_refused_and_says_how_many() {
    let request = json!({
        "text": "word ".repeat(600), "page_size": "a6", "font_size": 400, "line_height_multiplier": 2.9,
        "output_format": "pdf", "overflow": "paginate", "margin_left": 0, "margin_right": 0, "seed": 1,
    });
    let error = crate::pages::rendered::refuse(&request);
    assert!(error.contains("more than the 200 of a file"), "{error}");
}

#[test]
fn the_command_line_writes_the_same_file_as_the_request() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_longhand"))
        .args(["render", "Hello", "--page-size", "card_a2", "--seed", "7"])
        .args(["--pdf-standard", "pdfx1a", "-o", "card.pdf"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = std::fs::read(folder.path().join("card.pdf")).unwrap();
    assert!(file.starts_with(b"%PDF-1.3"));
    let same = render(&json!({"text": "Hello", "page_size": "card_a2", "output_format": "pdf", "seed": 7,
                              "pdf": {"standard": "pdfx1a"}}));
    // Only dates, and with them the identifier, differ.
    assert_eq!(file.len(), same.bytes.len());
    let differing = file.iter().zip(&same.bytes).filter(|(left, right)| left != right).count();
    assert!(differing < 120, "{differing} bytes differ");
}

#[test]
fn a_folder_of_wrong_profiles_stops_the_program() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("PSOcoated_v3.icc"), b"not a profile").unwrap();
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["render", "x", "-o", "x.pdf"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_longhand"))
            .args(arguments)
            .args(["--icc-dir", "."])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(65), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("PSOcoated_v3.icc"), "{output:?}");
    }
}
