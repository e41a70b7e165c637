//! Every page size, both ways round, at both resolutions: exact pixels, resolution, colour type, ink inside the
//! margins.

use longhand::spec::PageSize;
use serde_json::{Value, json};

use super::rendered::{Pictures, render};
use crate::oracle::ask;
use crate::sample;

/// The pixel column of the contract at 300 DPI, portrait; upper-case aliases are compared with these.
pub(crate) const CONTRACT: [(&str, u32, u32); 26] = [
    ("a3", 3508, 4961),
    ("a4", 2480, 3508),
    ("a5", 1748, 2480),
    ("a6", 1240, 1748),
    ("letter", 2550, 3300),
    ("legal", 2550, 4200),
    ("half_letter", 1650, 2550),
    ("postcard_us", 1200, 1800),
    ("card_5x7", 1500, 2100),
    ("card_a2", 1275, 1650),
    ("square_5x5", 1500, 1500),
    ("card_96x135", 1134, 1594),
    ("dl", 1169, 2480),
    ("envelope_10", 1238, 2850),
    ("envelope_monarch", 1163, 2250),
    ("postcard_6x9", 1800, 2700),
    ("postcard_6x11", 1800, 3300),
    ("postcard_425x6", 1275, 1800),
    ("envelope_9", 1163, 2663),
    ("envelope_a2", 1313, 1725),
    ("envelope_a6", 1425, 1950),
    ("envelope_a7", 1575, 2175),
    ("envelope_dl", 1299, 2598),
    ("envelope_c5", 1913, 2705),
    ("envelope_c6", 1346, 1913),
    ("envelope_c6c5", 1346, 2705),
];
/// Left, top, right, bottom: four different ones, so that none is taken for another.
const MARGINS: [u32; 4] = [150, 210, 180, 240];
const INK: [u32; 3] = [25, 60, 140];
/// PNG colour type of 8-bit RGBA (third edition, 11.2.1).
const TRUECOLOUR_WITH_ALPHA: u32 = 6;

struct Case {
    name: &'static str,
    width: u32,
    height: u32,
    orientation: &'static str,
    dpi: u32,
}

impl Case {
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for (number, (name, width, height)) in CONTRACT.into_iter().enumerate() {
            for dpi in [300, 600] {
                cases.push(Self { name, width, height, orientation: "portrait", dpi });
                // Most of the time goes into large pages, and orientation and resolution do not depend on each other.
                if dpi == 300 || number % 4 == 0 {
                    cases.push(Self { name, width: height, height: width, orientation: "landscape", dpi });
                }
            }
        }
        cases
    }

    fn request(&self) -> Value {
        request(self.name, self.orientation, self.dpi)
    }

    /// The box that the ink may not leave, in device px.
    fn text_area(&self) -> [u32; 4] {
        let [left, top, right, bottom] = MARGINS;
        [left, top, self.width - right, self.height - bottom].map(|length| length * self.dpi / 300)
    }

    /// What of the facts contradicts the contract.
    fn contradictions(&self, facts: &Value) -> Vec<String> {
        let scale = self.dpi / 300;
        let per_metre = if self.dpi == 600 { 23_622 } else { 11_811 };
        let mut found = Vec::new();
        let mut expect = |what: &str, value: &Value| {
            if facts[what] != *value {
                found.push(format!("{what} is {}, not {value}", facts[what]));
            }
        };
        expect("width", &json!(self.width * scale));
        expect("height", &json!(self.height * scale));
        expect("bit_depth", &json!(8));
        expect("colour_type", &json!(TRUECOLOUR_WITH_ALPHA));
        expect("phys", &json!([per_metre, per_metre, 1]));
        expect("colours", &json!([INK]));
        let ink: Option<Vec<u64>> =
            facts["ink"].as_array().map(|edges| edges.iter().filter_map(Value::as_u64).collect());
        let area = self.text_area().map(u64::from);
        match ink.as_deref() {
            Some([left, top, right, bottom])
                if *left >= area[0] && *top >= area[1] && *right <= area[2] && *bottom <= area[3] => {}
            Some(ink) => found.push(format!("ink {ink:?} leaves the text area {area:?}")),
            None => found.push("there is no ink".to_owned()),
        }
        found
    }
}

fn request(page_size: &str, orientation: &str, dpi: u32) -> Value {
    let [left, top, right, bottom] = MARGINS;
    json!({
        "text": "The quick brown fox jumps over the lazy dog, and writes home about it.", "font_id": 3,
        "page_size": page_size, "orientation": orientation, "dpi": dpi, "margin_left": left, "margin_top": top,
        "margin_right": right, "margin_bottom": bottom, "max_auto_font_size": 400, "text_color": INK,
    })
}

#[test]
fn every_page_size_has_its_pixels_resolution_and_margins() {
    // Every size has three cases or more, so each is met.
    let cases = sample::every(3, Case::all());
    let mut pictures = Pictures::new();
    let paths: Vec<_> = cases.iter().map(|case| pictures.add(&case.request())).collect();
    let facts = ask("png_facts.py", &json!(paths));
    let mut found = Vec::new();
    for (case, facts) in cases.iter().zip(facts.as_array().unwrap()) {
        let name = format!("{} {} at {} DPI", case.name, case.orientation, case.dpi);
        found.extend(case.contradictions(facts).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_name_of_the_contract_is_covered() {
    let names: Vec<&str> = PageSize::names().collect();
    assert_eq!(names.len(), 30);
    for name in names {
        assert!(CONTRACT.iter().any(|(known, ..)| *known == name.to_lowercase()), "{name}");
    }
}

#[test]
fn an_upper_case_name_is_the_same_page() {
    for (upper, lower) in [("A3", "a3"), ("A4", "a4"), ("A5", "a5"), ("A6", "a6")] {
        let pages = [upper, lower].map(|name| render(&request(name, "portrait", 300)).bytes);
        assert!(pages[0] == pages[1], "{upper} and {lower} differ");
    }
}

#[test]
fn the_check_finds_what_contradicts_the_contract() {
    let case = Case { name: "a6", width: 1240, height: 1748, orientation: "portrait", dpi: 300 };
    let sound = json!({
        "width": 1240, "height": 1748, "bit_depth": 8, "colour_type": 6, "phys": [11_811, 11_811, 1],
        "colours": [INK], "ink": [150, 210, 1060, 1508],
    });
    assert_eq!(case.contradictions(&sound), Vec::<String>::new());
    for (what, value) in [
        ("width", json!(1241)),
        ("height", json!(1747)),
        ("bit_depth", json!(16)),
        ("colour_type", json!(4)),
        ("phys", json!([11_811, 11_811, 0])),
        ("phys", Value::Null),
        ("colours", json!([INK, [0, 0, 0]])),
        ("ink", json!([149, 210, 1060, 1508])),
        ("ink", json!([150, 209, 1060, 1508])),
        ("ink", json!([150, 210, 1061, 1508])),
        ("ink", json!([150, 210, 1060, 1509])),
        ("ink", Value::Null),
    ] {
        let mut facts = sound.clone();
        facts[what] = value;
        assert_eq!(case.contradictions(&facts).len(), 1, "{facts}");
    }
}
