//! Every combination of PDF options: boxes, marks, image and PDF/X-1a rules, against a table of this test's own.

use std::time::Duration;

use serde_json::{Value, json};

use super::files::{CREATED, ask_of_files, encoded};
use crate::sample;

/// A page: name, orientation, width and height in points (copied from paper standards), cut to size, region.
type Page = (&'static str, &'static str, [f64; 2], bool, &'static str);

const PAGES: [Page; 7] = [
    ("a5", "portrait", [419.528, 595.276], false, "eu"),
    ("letter", "portrait", [612.0, 792.0], false, "us"),
    ("postcard_us", "portrait", [288.0, 432.0], true, "us"),
    ("card_96x135", "portrait", [272.126, 382.677], true, "eu"),
    ("card_5x7", "landscape", [504.0, 360.0], true, "us"),
    ("envelope_c6c5", "landscape", [649.134, 323.150], false, "eu"),
    ("custom", "landscape", [468.0, 324.0], true, "us"),
];
/// Points in a millimetre.
const MM: f64 = 2.834_645_67;
/// Boxes may differ by this much, in points.
const SLACK: f64 = 0.01;

/// One combination.
struct Case {
    page: Page,
    preset: &'static str,
    standard: &'static str,
    profile: &'static str,
    region: &'static str,
    bleed: Option<f64>,
    crop_box: &'static str,
    dpi: u32,
    ink: [u8; 3],
}

impl Case {
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for page in PAGES {
            for preset in ["generic", "lob", "click2mail"] {
                for standard in ["pdf", "pdfx1a"] {
                    for profile in ["auto", "document", "press"] {
                        for region in ["auto", "us", "eu"] {
                            for bleed in [None, Some(0.0), Some(5.0)] {
                                for crop_box in ["media", "bleed", "trim"] {
                                    let ink = [[0, 0, 0], [20, 30, 120], [128, 128, 128]][cases.len() % 3];
                                    let dpi = if cases.len() % 4 == 3 { 600 } else { 300 };
                                    let case =
                                        Self { page, preset, standard, profile, region, bleed, crop_box, dpi, ink };
                                    cases.push(case);
                                }
                            }
                        }
                    }
                }
            }
        }
        cases
    }

    fn request(&self) -> Value {
        let sides = json!({"width": 4.5, "height": 6.5, "unit": "in", "trimmed": true});
        json!({
            "custom_page": (self.page.0 == "custom").then_some(sides),
            "text": "x", "output_format": "pdf", "page_size": self.page.0, "orientation": self.page.1,
            "margin_left": 10, "margin_right": 10, "margin_top": 10, "margin_bottom": 10,
            "dpi": self.dpi, "text_color": self.ink,
            "pdf": {
                "preset": self.preset, "standard": self.standard, "profile": self.profile, "region": self.region,
                "bleed_mm": self.bleed, "crop_box": self.crop_box,
            },
        })
    }

    fn is_eu(&self) -> bool {
        if self.region == "auto" { self.page.4 == "eu" } else { self.region == "eu" }
    }

    fn is_x1a(&self) -> bool {
        match self.preset {
            "generic" => self.standard == "pdfx1a",
            preset => preset == "lob",
        }
    }

    /// Bleed in millimetres, and whether there are marks: the table of the decisions, row by row.
    fn surround(&self) -> (f64, bool) {
        let trimmed = self.page.3;
        let usual = if self.is_eu() { 3.0 } else { 3.175 };
        let bleed = self.bleed.unwrap_or(usual);
        match (self.preset, self.standard, self.profile) {
            ("generic", "pdf", "document") => (0.0, false),
            ("generic", "pdf", "auto") if !trimmed => (0.0, false),
            ("generic", "pdf", _) => (bleed, true),
            ("generic", _, _) if !trimmed => self.bleed.map_or((0.0, false), |bleed| (bleed, bleed > 0.0)),
            ("generic", _, _) => (bleed, bleed > 0.0),
            (_, _, _) if !trimmed => (0.0, false),
            ("click2mail", _, _) => (self.bleed.unwrap_or(if self.is_eu() { 3.0 } else { 6.35 }), false),
            (_, _, _) => (bleed, false),
        }
    }

    fn check(&self, facts: &Value) {
        let told = format!("{}\n{facts}", self.request());
        let (bleed, has_marks) = self.surround();
        let boxes: Vec<[f64; 4]> = ["media", "crop", "bleed", "trim"].map(|name| sides(&facts["boxes"][name])).to_vec();
        let [media, crop, bleed_box, trim] = boxes[..] else { panic!("{told}") };
        let [width, height] = self.page.2;
        near([trim[2] - trim[0], trim[3] - trim[1]], [width, height], &told);
        let inset = bleed * MM;
        near(bleed_box, [trim[0] - inset, trim[1] - inset, trim[2] + inset, trim[3] + inset], &told);
        near([media[0], media[1]], [0.0, 0.0], &told);
        near([media[2] - trim[2], media[3] - trim[3]], [trim[0], trim[1]], &told);
        if !has_marks {
            near(media, bleed_box, &told);
        }
        let shown = match (self.is_x1a(), self.crop_box) {
            (false, "bleed") => bleed_box,
            (false, "trim") => trim,
            _ => media,
        };
        near(crop, shown, &told);
        self.check_marks(facts, has_marks, [media, bleed_box, trim], &told);
        self.check_image(facts, trim, &told);
        self.check_kind(facts, &told);
    }

    /// Eight lines, in line with the trim, off the bleed, not nearer to the trim and exactly as long as the region
    /// wants.
    fn check_marks(&self, facts: &Value, wanted: bool, [media, bleed, trim]: [[f64; 4]; 3], told: &str) {
        let marks: Vec<[f64; 4]> = facts["marks"].as_array().unwrap().iter().map(sides).collect();
        assert_eq!(marks.len(), if wanted { 8 } else { 0 }, "{told}");
        let (gap, length) = if self.is_eu() { (3.0 * MM, 5.0 * MM) } else { (9.0, 18.0) };
        for [x0, y0, x1, y1] in &marks {
            let (along, across, axis) = if (y0 - y1).abs() < SLACK { ([x0, x1], y0, 0) } else { ([y0, y1], x0, 1) };
            let edges = [trim[1 - axis], trim[3 - axis]];
            assert!(edges.iter().any(|edge| (edge - across).abs() < SLACK), "{told}");
            assert!(((along[0] - along[1]).abs() - length).abs() < SLACK, "{told}");
            let (low, high) = (along[0].min(*along[1]), along[0].max(*along[1]));
            let outside = |field: [f64; 4]| (field[axis] - high).max(low - field[axis + 2]);
            assert!(outside(bleed) > 0.2 && outside(trim) > gap - SLACK, "{told}");
            assert!(low > media[axis] - SLACK && high < media[axis + 2] + SLACK, "{told}");
        }
        if wanted {
            assert_eq!(facts["mark_width"], 0.25, "{told}");
            let color = if self.is_x1a() { json!(["SCN", 1.0]) } else { json!(["RG", 0.0, 0.0, 0.0]) };
            assert_eq!(facts["mark_color"], color, "{told}");
        }
    }

    /// At exactly the resolution, from the trim's upper left corner, within half a pixel of the whole trim.
    fn check_image(&self, facts: &Value, trim: [f64; 4], told: &str) {
        let image = &facts["image"];
        let pixel = 72.0 / f64::from(self.dpi);
        let [width, height] = ["width", "height"].map(|name| image[name].as_f64().unwrap());
        let matrix: Vec<f64> = image["matrix"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
        near([matrix[0], matrix[3]], [width * pixel, height * pixel], told);
        assert!(matrix[1].abs() + matrix[2].abs() < 1e-9, "{told}");
        near([matrix[4], matrix[5] + matrix[3]], [trim[0], trim[3]], told);
        let half = 0.51 * 72.0 / 300.0;
        assert!((matrix[4] + matrix[0] - trim[2]).abs() < half && (matrix[5] - trim[1]).abs() < half, "{told}");
        let expected = json!({"bits": 8, "palette_size": 256, "filter": "/FlateDecode", "predictor": 15});
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&image[name], value, "{told}");
        }
        let gray = self.ink[0] == self.ink[2];
        let (base, paper) = match (self.is_x1a(), gray) {
            (false, _) => ("/DeviceRGB", json!([255, 255, 255])),
            (true, true) => ("/DeviceGray", json!([255])),
            (true, false) => ("/DeviceCMYK", json!([0, 0, 0, 0])),
        };
        assert_eq!((&image["base"], &image["first"]), (&json!(base), &paper), "{told}");
    }

    fn check_kind(&self, facts: &Value, told: &str) {
        let info = facts["info"].as_object().unwrap();
        assert_eq!(info["/Title"], format!("handwriting_{}_{}dpi", self.page.0, self.dpi), "{told}");
        let created = self.is_x1a().then(|| json!("D:20261121000000Z"));
        assert_eq!((info.get("/CreationDate"), info.get("/ModDate")), (created.as_ref(), created.as_ref()), "{told}");
        if self.is_x1a() {
            assert_eq!((&facts["version"], &facts["broken"]), (&json!("1.3"), &json!([])), "{told}");
            let identifier = if self.is_eu() { "FOGRA51" } else { "CGATS21-2-CRPC6" };
            assert_eq!(facts["intents"][0][1], identifier, "{told}");
        } else {
            assert_eq!((&facts["version"], &facts["intents"]), (&json!("1.4"), &json!([])), "{told}");
        }
    }
}

fn sides(of: &Value) -> [f64; 4] {
    let sides: Vec<f64> = of.as_array().unwrap().iter().map(|side| side.as_f64().unwrap()).collect();
    sides.try_into().unwrap()
}

fn near<const N: usize>(found: [f64; N], expected: [f64; N], told: &str) {
    let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < SLACK);
    assert!(close, "{found:?} is not {expected:?}\n{told}");
}

#[test]
fn every_combination_of_options_has_its_boxes_marks_and_colours() {
    let cases = Case::all();
    assert_eq!(cases.len(), 3402);
    // A step that no number of options divides meets each option beside all others.
    let cases = sample::every(5, cases);
    let files = cases.iter().map(|case| encoded(&case.request(), 1, CREATED));
    let facts = ask_of_files(&[], files);
    let facts = facts.as_array().unwrap();
    assert_eq!(facts.len(), cases.len());
    for (case, facts) in cases.iter().zip(facts) {
        case.check(facts);
    }
    println!("{} combinations", cases.len());
}

/// Pages of mail with their sides in points, copied from paper standards: inches times 72, or mm.
const MAIL: [(&str, [f64; 2]); 11] = [
    ("postcard_6x9", [432.0, 648.0]),
    ("postcard_6x11", [432.0, 792.0]),
    ("postcard_425x6", [306.0, 432.0]),
    ("envelope_9", [279.0, 639.0]),
    ("envelope_a2", [315.0, 414.0]),
    ("envelope_a6", [342.0, 468.0]),
    ("envelope_a7", [378.0, 522.0]),
    ("envelope_dl", [110.0 * MM, 220.0 * MM]),
    ("envelope_c5", [162.0 * MM, 229.0 * MM]),
    ("envelope_c6", [114.0 * MM, 162.0 * MM]),
    ("envelope_c6c5", [114.0 * MM, 229.0 * MM]),
];

#[test]
fn mail_pages_and_custom_pages_have_exact_boxes() {
    let mut cases = Vec::new();
    for (page, [width, height]) in MAIL {
        for standard in ["pdf", "pdfx1a"] {
            let request = json!({"page_size": page, "orientation": "landscape", "pdf": {"standard": standard}});
            let bleed = if page.starts_with("postcard") && standard == "pdfx1a" { 9.0 } else { 0.0 };
            cases.push((request, [height, width], bleed));
        }
    }
    for (unit, points) in [("mm", MM), ("in", 72.0), ("px", 0.24)] {
        for (orientation, turned) in [("portrait", false), ("landscape", true)] {
            let (width, height) = ((120.0 / points).ceil(), (333.0 / points).ceil());
            let sides = json!({"width": width, "height": height, "unit": unit, "trimmed": turned});
            let request = json!({"page_size": "custom", "custom_page": sides, "orientation": orientation,
                                 "pdf": {"standard": "pdfx1a", "region": "us"}});
            let [width, height] = [width, height].map(|side| side * points);
            let (page, bleed) = if turned { ([height, width], 9.0) } else { ([width, height], 0.0) };
            cases.push((request, page, bleed));
        }
    }
    let files = cases.iter().map(|(request, ..)| {
        let mut request = request.clone();
        let margins = ["left", "right", "top", "bottom"].map(|side| (format!("margin_{side}"), json!(10)));
        let members = request.as_object_mut().unwrap();
        members.extend(margins);
        members.extend([("text".to_owned(), json!("x")), ("output_format".to_owned(), json!("pdf"))]);
        encoded(&request, 1, CREATED)
    });
    let facts = ask_of_files(&[], files);
    for ((request, page, bleed), facts) in cases.iter().zip(facts.as_array().unwrap()) {
        let told = format!("{request}\n{facts}");
        let trim = sides(&facts["boxes"]["trim"]);
        near([trim[2] - trim[0], trim[3] - trim[1]], *page, &told);
        let around = [trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed];
        near(sides(&facts["boxes"]["bleed"]), around, &told);
    }
}

#[test]
#[should_panic(expected = "is not")]
fn a_box_of_the_wrong_size_is_found_out() {
    let case = Case::all().into_iter().find(|case| case.profile == "press").unwrap();
    let mut facts = ask_of_files(&[], [encoded(&case.request(), 1, CREATED)]);
    facts[0]["boxes"]["trim"][2] = json!(400.0);
    case.check(&facts[0]);
}

#[test]
fn every_rule_of_pdfx_can_be_broken_and_is_then_reported() {
    let request = json!({
        "text": "x", "output_format": "pdf", "page_size": "card_a2", "text_color": [20, 30, 120],
        "pdf": {"standard": "pdfx1a"},
    });
    let answer = ask_of_files(&["mutate"], [encoded(&request, 2, CREATED)]);
    assert_eq!(answer["sound"], json!([]), "rewriting alone breaks nothing");
    let rules = answer["rules"].as_array().unwrap();
    assert!(rules.len() >= 24, "{answer}");
    for rule in rules {
        let found = answer["mutants"][rule.as_str().unwrap()].as_array();
        assert!(found.is_some_and(|found| found.contains(rule)), "{rule} is not reported: {answer}");
    }
}

#[test]
fn every_profile_has_its_registered_condition() {
    for (name, identifier) in [
        ("gracol_2013", "CGATS21-2-CRPC6"),
        ("gracol_2006", "CGATS TR 006"),
        ("pso_coated_v3", "FOGRA51"),
        ("iso_coated_v2", "FOGRA39"),
    ] {
        let request = json!({
            "text": "x", "output_format": "pdf", "page_size": "a6", "text_color": [200, 16, 46],
            "pdf": {"standard": "pdfx1a", "icc_profile": name},
        });
        let facts = &ask_of_files(&[], [encoded(&request, 3, CREATED)])[0];
        assert_eq!(facts["broken"], json!([]), "{name}");
        assert_eq!((&facts["pages"], &facts["same_boxes"]), (&json!(3), &json!(true)), "{name}");
        assert_eq!(facts["intents"][0][1], identifier, "{name}");
        println!("{name}: red {}", facts["image"]["last"]);
    }
}

#[test]
fn equal_input_gives_equal_bytes_and_other_input_another_identifier() {
    let request = |color: [u8; 3]| json!({"text": "x", "output_format": "pdf", "page_size": "a6", "text_color": color});
    let first = encoded(&request([0; 3]), 1, CREATED);
    assert_eq!(first, encoded(&request([0; 3]), 1, CREATED));
    let identifier = |file: &[u8]| {
        let at = file.windows(4).rposition(|four| four == b"/ID ").unwrap();
        file[at..at + 80].to_vec()
    };
    for other in [encoded(&request([9; 3]), 1, CREATED), encoded(&request([0; 3]), 2, CREATED)] {
        assert_ne!(identifier(&first), identifier(&other));
    }
}

#[test]
fn a_file_is_the_same_at_any_time_of_a_day_and_on_any_day_where_it_need_not_tell_it() {
    let later = CREATED + Duration::from_secs(11 * 3600 + 59);
    let another_day = CREATED + Duration::from_secs(86_400);
    for (standard, tells_the_day) in [("pdf", false), ("pdfx1a", true)] {
        let request = json!({"text": "x", "output_format": "pdf", "page_size": "a6", "pdf": {"standard": standard}});
        let first = encoded(&request, 1, CREATED);
        assert_eq!(first, encoded(&request, 1, later), "{standard}");
        assert_eq!(first != encoded(&request, 1, another_day), tells_the_day, "{standard}");
    }
}
