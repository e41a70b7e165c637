//! Coverage against exact areas: fourteen fonts of different manner at three sizes, beside FreeType's area rasteriser
//! at sixteen times the resolution, placed by HarfBuzz. The comparison itself is tested to fail.

use serde_json::{Value, json};

use crate::oracle::{ask, font_file, font_slug, number};
use crate::pages::rendered::Pictures;

/// Mean error over inked pixels, in 1/255 of full ink: half a level of rounding, and flattening to 0.02 px.
const MEAN_BOUND: f64 = 1.5;
/// Largest error of any pixel: under a tenth of full ink, which no eye finds at 300 DPI, and less than what a shift by
/// a tenth of a pixel makes.
const MAX_BOUND: f64 = 24.0;

/// Print, joined, school, marker, brush, monoline, capitals, architect's; few and many points; joins through `calt`.
const FONTS: [u16; 14] = [1, 2, 3, 7, 8, 12, 20, 35, 41, 42, 51, 63, 71, 76];
const SIZES: [u32; 3] = [30, 60, 120];
const LINES: [&str; 3] = ["Sphinx of black", "quartz, judge my", "vow: 0123456789"];

/// A font at a size, as a request to the service and as a job for the oracle.
struct Case {
    font: u16,
    em: u32,
}

impl Case {
    fn all() -> impl Iterator<Item = Self> {
        FONTS.into_iter().flat_map(|font| SIZES.map(|em| Self { font, em }))
    }

    fn request(&self) -> Value {
        json!({
            "text": LINES.join("\n"), "font_id": self.font, "font_size": self.em, "page_size": "a5",
            "orientation": "landscape", "margin_left": 100, "margin_right": 100, "margin_top": 100,
            "margin_bottom": 100, "line_height_multiplier": 2.5,
        })
    }

    /// The same page for the oracle; `distortion` is what the reference gets wrong on purpose.
    fn job(&self, picture: &Value, distortion: &Value) -> Value {
        json!({"picture": picture, "request": {
            "font": font_file(self.font), "lines": LINES, "em": self.em, "page_width": 2480, "page_height": 1748,
            "margin_left": 100, "margin_top": 100, "line_height": 2.5, "distortion": distortion,
        }})
    }
}

fn within_bounds(figures: &Value) -> bool {
    number(figures, "mean") <= MEAN_BOUND && number(figures, "max") <= MAX_BOUND
}

#[test]
fn coverage_is_the_exact_area_of_the_ink() {
    let mut pictures = Pictures::new();
    let jobs: Vec<Value> =
        Case::all().map(|case| case.job(&json!(pictures.add(&case.request())), &json!({}))).collect();
    let figures = ask("exact_coverage.py", &json!(jobs));
    let mut failures = Vec::new();
    println!("font                        em    inked   mean    max   in joins   ink ratio");
    for (case, figures) in Case::all().zip(figures.as_array().unwrap()) {
        println!(
            "{:<26} {:>3} {:>8} {:>6.3} {:>6.1} {:>10.1} {:>11.5}",
            font_slug(case.font),
            case.em,
            figures["inked"],
            number(figures, "mean"),
            number(figures, "max"),
            number(figures, "join_max"),
            number(figures, "area_ratio"),
        );
        assert!(number(figures, "inked") > 500.0, "font {} at {} px has next to no ink", case.font, case.em);
        if !within_bounds(figures) {
            failures.push(format!("{} at {} px, worst at {}", font_slug(case.font), case.em, figures["max_at"]));
        }
    }
    assert!(failures.is_empty(), "mean above {MEAN_BOUND} or maximum above {MAX_BOUND}:\n{}", failures.join("\n"));
}

#[test]
fn the_comparison_accepts_the_reference_itself() {
    let cases = FONTS.map(|font| Case { font, em: 60 });
    let jobs: Vec<Value> = cases.iter().map(|case| case.job(&Value::Null, &json!({}))).collect();
    for figures in ask("exact_coverage.py", &json!(jobs)).as_array().unwrap() {
        assert!(number(figures, "max") <= 0.5, "rounding alone: {figures}");
    }
}

#[test]
fn the_comparison_finds_prepared_mistakes() {
    let mistakes = [
        json!({"shift_x": 0.1}),
        json!({"shift_y": -0.1}),
        json!({"drop_contour": -1}),
        json!({"reverse_contour": -1}),
        json!({"drop_character": "q"}),
        json!({"doubled": true}),
    ];
    let cases = || [1, 41].into_iter().flat_map(|font| SIZES.map(|em| Case { font, em }));
    let pairs: Vec<(Case, &Value)> =
        mistakes.iter().flat_map(|mistake| cases().map(move |case| (case, mistake))).collect();
    let jobs: Vec<Value> = pairs.iter().map(|(case, mistake)| case.job(&Value::Null, mistake)).collect();
    let answer = ask("exact_coverage.py", &json!(jobs));
    for ((case, mistake), figures) in pairs.iter().zip(answer.as_array().unwrap()) {
        assert!(!within_bounds(figures), "{mistake} went unseen in font {} at {} px", case.font, case.em);
    }
}
