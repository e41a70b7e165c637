//! Pages of many marks, large letters and bent outlines: preflight says whether a page can be made, and it is so.

use longhand::pipeline::{RenderError, StageTimes};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::rendered::{engine, spec};

/// Whether the page is made, or refused because of the request. Anything else is a defect.
fn is_made(request: &Value) -> Result<bool, String> {
    match engine().generate(&spec(request), &mut StageTimes::default()) {
        Ok(_) => Ok(true),
        Err(RenderError::TooCostly { .. } | RenderError::TooManyPages { .. } | RenderError::Layout(_)) => Ok(false),
        Err(error) => Err(error.to_string()),
    }
}

/// What preflight says.
fn can_be_made(request: &Value) -> bool {
    engine().preflight(&spec(request), &mut StageTimes::default()).unwrap().file.is_some()
}

/// Characters of outlines with few and with many edges, that stand alone, join or lie over one another.
fn piled_up() -> impl Strategy<Value = Value> {
    let texts = ["o\u{338}", "®", "⁴", "ൣ", "fg", "Q"];
    let fonts = [1_u16, 8, 20, 41, 52, 53, 61, 82];
    (
        prop::sample::select(texts.to_vec()),
        prop::sample::select(fonts.to_vec()),
        prop::sample::select(vec![2_usize, 60, 400]),
        prop::sample::select(vec![12, 60, 200, 400]),
        prop::sample::select(vec![300, 600]),
        prop::sample::select(vec!["png", "pdf"]),
        any::<[bool; 3]>(),
    )
        .prop_map(|(text, font, length, size, dpi, format, [varied, bent, flowing])| {
            let (first, last) = text.split_at(text.char_indices().next_back().map_or(0, |(at, _)| at));
            json!({
                "text": format!("{first}{}", last.repeat(length)), "font_id": font, "font_size": size, "dpi": dpi,
                "output_format": format, "page_size": "card_a2", "overflow": "clip", "seed": 1,
                "enable_writer_variation": varied, "writer_variation_strength": 2, "enable_natural_variation": bent,
                "enable_ink_flow": flowing,
            })
        })
}

#[test]
fn a_page_is_made_exactly_if_preflight_says_that_it_can_be() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 24, failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let outcome = runner.run(&piled_up(), |request| {
        let made = is_made(&request);
        prop_assert_eq!(made, Ok(can_be_made(&request)), "{}", request);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_word_of_thousands_of_large_bent_marks_is_made_in_portions() {
    let request = json!({
        "text": format!("o{}", "\u{338}".repeat(7_300)), "font_id": 20, "font_size": 400, "dpi": 600,
        "page_size": "card_a2", "overflow": "clip", "margin_top": 300, "seed": 1, "enable_writer_variation": true,
    });
    assert_eq!((is_made(&request), can_be_made(&request)), (Ok(true), true));
}

#[test]
fn random_letters_that_hardly_ever_have_the_same_neighbours_are_refused_and_prose_is_not() {
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('À'..='Ö').chain('Ø'..='ö').collect();
    let mut state = 1_u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[(state >> 33) as usize % letters.len()]
    };
    let random: Vec<String> = (0..1_000).map(|_| (0..9).map(|_| letter()).collect()).collect();
    let page = |text: &str| {
        json!({"text": text, "font_id": 61, "font_size": 40, "dpi": 600, "page_size": "a3", "overflow": "clip",
               "margin_left": 60, "margin_right": 60, "margin_top": 60, "margin_bottom": 60, "seed": 1,
               "line_height_multiplier": 0.7, "enable_writer_variation": true, "writer_variation_strength": 2})
    };
    let refused = engine().preflight(&spec(&page(&random.join(" "))), &mut StageTimes::default()).unwrap();
    assert!(refused.file.is_none() && refused.findings[0].check == "too_costly", "{:?}", refused.findings);
    assert!(can_be_made(&page(&crate::requests::prose(9_999))));
}
