//! What it costs to lay a text out, in counted steps: near linear in the text, whatever the text.

use std::sync::LazyLock;

use longhand::catalogue::FontCatalogue;
use longhand::layout::{LayoutError, lay_out_pages_within, lay_out_within};
use longhand::spec::{Endpoint, RenderSpec, parse_value};
use longhand::work::{Stopped, WorkMeter};
use proptest::prelude::*;
use serde_json::{Value, json};

static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

fn spec(request: &Value) -> RenderSpec {
    parse_value(request, Endpoint::Generate, || 1).unwrap()
}

/// Steps at which a test gives up.
const MOST_STEPS: u64 = 1_000_000_000;

/// Steps of a layout on as many pages as are asked for, whatever comes of it.
fn steps(request: &Value) -> u64 {
    let work = WorkMeter::new(MOST_STEPS, &|| true);
    let made = lay_out_pages_within(&spec(request), &CATALOGUE, &work);
    assert!(!matches!(made, Err(LayoutError::UnusableFont(_))), "{made:?}");
    work.spent()
}

/// What hostile texts are made of: what breaks, hides, stacks, turns round, is wide, and is written by other fonts.
const PIECES: [&str; 30] = [
    "W",
    "w",
    "i",
    " ",
    "-",
    "\u{200B}",
    "\u{AD}",
    "\u{180E}",
    "\u{301}",
    "\u{20DD}",
    "\u{200D}",
    "\u{2060}",
    "\u{FE0F}",
    "\u{202E}",
    "\u{2066}",
    "\u{2069}",
    "ש",
    "ב\u{5B8}",
    "א ",
    "1",
    "(",
    ")",
    "ह\u{94D}",
    "ठ",
    "Ж",
    "東",
    "。",
    "\u{A0}",
    "\u{2003}",
    "/",
];

/// A text of a few pieces, some repeated until it is `length` characters long.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = (0..PIECES.len()).prop_map(|index| PIECES[index]);
    let pattern = prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat());
    let ends = prop::collection::vec((0..PIECES.len()).prop_map(|index| PIECES[index]), 0..3);
    let length = prop::sample::select(vec![40_usize, 900, 9_900]);
    (pattern, ends.clone(), ends, length).prop_map(|(pattern, before, behind, length)| {
        let pattern = pattern.chars().cycle().take(length).collect::<String>();
        format!("{}{pattern}{}", before.concat(), behind.concat())
    })
}

/// Fonts of every kind: plain, joined, those whose letters depend on others along the line or the word, Hebrew,
/// Devanagari, Japanese.
const FONTS: [u16; 10] = [1, 2, 17, 36, 56, 77, 81, 87, 88, 90];

fn hostile_request() -> impl Strategy<Value = Value> {
    let size = prop_oneof![Just(json!("auto")), (12_u32..=400).prop_map(|size| json!(size))];
    let width = prop_oneof![1_u32..20, 20_u32..400, Just(2_480)];
    let overflow = prop::sample::select(vec!["error", "shrink", "clip", "paginate"]);
    let font = prop::sample::select(FONTS.to_vec());
    (hostile_text(), size, width, overflow, font, any::<[bool; 4]>()).prop_map(
        |(text, size, width, overflow, font, [turned, indented, centred, keeping])| {
            let request = json!({
                "text": text, "font_id": font, "font_size": size, "page_size": "a4", "overflow": overflow, "output_format": "pdf",
                "margin_left": (2_480 - width) / 2, "margin_right": (2_480 - width).div_ceil(2),
                "margin_top": 0, "margin_bottom": 0, "line_height_multiplier": 0.5,
                "enable_word_rotation": turned, "word_rotation_range": 10,
                "enable_random_indentation": indented && width > 100,
                "text_alignment": if centred { "center" } else { "left" }, "keep_lines": keeping,
            });
            if size_is_auto(&request) { with(request, "max_auto_font_size", json!(400)) } else { request }
        },
    )
}

fn size_is_auto(request: &Value) -> bool {
    request["font_size"] == "auto"
}

fn with(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}

/// Steps per byte that any of these texts may take: half of what the service refuses. A text of letters takes ten, and
/// forty the first time its words are shaped.
const STEPS_PER_BYTE: u64 = 180;

#[test]
fn texts_that_once_took_minutes_are_laid_out_in_a_few_steps_a_byte() {
    let zero_width = "\u{200B}".repeat(9_990);
    let hyphens = "\u{AD}\u{180E}".repeat(4_990);
    let attacks = [
        json!({"text": format!("W{zero_width}ש"), "font_id": 2, "margin_left": 1200, "margin_right": 1278,
               "max_auto_font_size": 400, "enable_word_rotation": true}),
        json!({"text": format!("W{zero_width}W"), "font_id": 2, "margin_left": 1200, "margin_right": 1278,
               "max_auto_font_size": 400, "enable_word_rotation": true, "overflow": "clip"}),
        json!({"text": format!("W{hyphens}W"), "font_size": 100, "margin_left": 1000, "margin_right": 1388}),
        json!({"text": "a\n".repeat(5_000), "max_auto_font_size": 400, "line_height_multiplier": 0.5}),
        json!({"text": "w".repeat(10_000), "max_auto_font_size": 400, "enable_word_rotation": true}),
    ];
    for attack in attacks {
        let bytes = attack["text"].as_str().unwrap().len() as u64;
        let steps = steps(&attack);
        assert!(steps < STEPS_PER_BYTE * bytes, "{steps} steps for {bytes} bytes");
    }
}

#[test]
fn what_is_over_its_budget_or_not_wanted_stops_at_once() {
    let spec = spec(&json!({"text": "words and ".repeat(900).trim_end()}));
    let stopped = |work: &WorkMeter<'_>| match lay_out_within(&spec, &CATALOGUE, work) {
        Err(LayoutError::Stopped(stopped)) => stopped,
        other => panic!("{other:?}"),
    };
    let tight = WorkMeter::new(20_000, &|| true);
    assert_eq!(stopped(&tight), Stopped::OverBudget);
    // One word is shaped at once.
    assert!(tight.spent() < 20_000 + 1_000, "{}", tight.spent());
    assert_eq!(stopped(&WorkMeter::new(u64::MAX, &|| false)), Stopped::Unwanted);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever the text, the font and the size, and however many sizes are tried: the work ends within a budget that
    /// grows with the text alone.
    #[test]
    fn any_text_is_laid_out_or_given_up_within_the_budget(request in hostile_request()) {
        prop_assume!(parse_value(&request, Endpoint::Generate, || 1).is_ok());
        let bytes = request["text"].as_str().unwrap().len() as u64;
        let budget = 2 * STEPS_PER_BYTE * bytes;
        let work = WorkMeter::new(budget, &|| true);
        let outcome = lay_out_pages_within(&spec(&request), &CATALOGUE, &work);
        // Text that is shaped at once is counted at once.
        prop_assert!(work.spent() <= budget + 100 * bytes, "{} steps", work.spent());
        let is_over = work.spent() > budget;
        prop_assert_eq!(matches!(outcome, Err(LayoutError::Stopped(Stopped::OverBudget))), is_over);
    }
}
