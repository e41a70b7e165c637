//! The line of each pen on the page against what real pens leave on paper, and its outlines against its picture.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::rendered::{Pictures, render, with};
use crate::oracle::{ask, number};
use crate::pdf::outlines::outlined;

/// Some 110 words.
const TEXT: &str = "Dear Anna, thank you for the long letter that came on Tuesday. We read it twice at the kitchen table \
                    while the rain ran down the windows, and then once more to the children, who wanted to know about \
                    the dog and the broken boat. It has been a quiet month here. The garden is full of apples and \
                    nobody has the time to pick them all, so we give a basket to everyone who walks past the gate. \
                    Martin has started his new work in the town and comes home late, tired but cheerful, with stories \
                    about the people he meets on the train.";

/// Two hands of even strokes. The letters of the first lean neither way.
const HANDS: [u16; 2] = [2, 81];

fn request(font: u16, members: &Value) -> Value {
    let page = json!({"text": TEXT, "font_id": font, "page_size": "a5", "font_size": 64, "seed": 7,
                      "line_height_multiplier": 1.6, "overflow": "clip", "enable_writer_variation": true});
    with(&page, members)
}

/// What the ruler finds on the page of a request.
fn measured(pictures: &mut Pictures, request: &Value) -> Value {
    let figures = ask("pen_ruler.py", &json!({"picture": pictures.add(request), "dpi": 300}));
    assert!(number(&figures, "points") > 3_000.0, "{figures}");
    figures
}

/// What real pens of a kind measure, widened by what hands add.
struct Real {
    pen: &'static str,
    /// Standard deviation of ln width.
    width_sd: RangeInclusive<f64>,
    /// How far ln width changes along 0.4 and 1 mm of a stroke.
    steps: Option<[RangeInclusive<f64>; 2]>,
    /// How much wider down strokes are (ln).
    direction: Option<RangeInclusive<f64>>,
    /// Standard deviation of the darkness, and its part from pixel to pixel.
    dark_sd: RangeInclusive<f64>,
    grain: RangeInclusive<f64>,
}

fn real_pens() -> [Real; 4] {
    [
        Real {
            pen: "ballpoint",
            width_sd: 0.17..=0.25,
            steps: Some([0.08..=0.14, 0.12..=0.20]),
            direction: Some(0.09..=0.17),
            dark_sd: 0.08..=0.12,
            grain: 0.07..=0.12,
        },
        Real {
            pen: "gel",
            width_sd: 0.08..=0.16,
            steps: Some([0.05..=0.10, 0.07..=0.13]),
            direction: Some(0.0..=0.06),
            dark_sd: 0.03..=0.06,
            grain: 0.02..=0.05,
        },
        // Fibre tips that were measured are worn to one side, and grainy by 0.03 to 0.05; hands add the rest.
        Real {
            pen: "felt",
            width_sd: 0.14..=0.24,
            steps: None,
            direction: None,
            dark_sd: 0.06..=0.10,
            grain: 0.02..=0.07,
        },
        Real {
            pen: "pencil",
            width_sd: 0.12..=0.24,
            steps: None,
            direction: None,
            dark_sd: 0.11..=0.20,
            grain: 0.08..=0.14,
        },
    ]
}

#[test]
fn lines_vary_as_those_of_real_pens_do() {
    let mut pictures = Pictures::new();
    for Real { pen, width_sd, steps, direction, dark_sd, grain } in real_pens() {
        let pages = HANDS.map(|font| measured(&mut pictures, &request(font, &json!({"pen": pen}))));
        let mean = |of: &dyn Fn(&Value) -> f64| pages.iter().map(of).sum::<f64>() / pages.len() as f64;
        let mut found = vec![
            ("width_sd", mean(&|page| number(page, "width_sd")), width_sd),
            ("dark_sd", mean(&|page| number(page, "dark_sd")), dark_sd),
            ("grain", mean(&|page| number(page, "grain")), grain),
        ];
        for (index, range) in steps.into_iter().flatten().enumerate() {
            found.push(("steps", mean(&|page| page["steps"][index].as_f64().unwrap()), range));
        }
        found.extend(direction.map(|range| ("direction", number(&pages[0], "direction"), range)));
        for (what, value, range) in found {
            assert!(range.contains(&value), "{pen}: {what} is {value}, and {range:?} in real lines: {pages:?}");
        }
        // Words were measured for these two. The line of a nib depends on the directions of a word's strokes.
        let of_words = if ["ballpoint", "gel"].contains(&pen) { &pages[..] } else { &[] };
        for page in of_words {
            let [width, dark] = [0, 1].map(|index| page["between"][index].as_f64().unwrap());
            assert!(width <= 0.003 && dark <= 0.0015, "{pen} changes from word to word by {width} and {dark}");
        }
    }
}

#[test]
fn the_ruler_tells_even_lines_and_mirrored_ones() {
    let mut pictures = Pictures::new();
    let plain = measured(&mut pictures, &request(2, &json!({})));
    assert!(number(&plain, "width_sd") < 0.12 && number(&plain, "dark_sd") < 0.03, "{plain}");
    assert!(number(&plain, "grain") < 0.05 && number(&plain, "direction") < 0.05, "{plain}");
    // Down strokes from the upper left are widest.
    let ballpoint = measured(&mut pictures, &request(2, &json!({"pen": "ballpoint"})));
    assert!((93.0..=114.0).contains(&number(&ballpoint, "widest")), "{ballpoint}");
    let broad = measured(&mut pictures, &request(2, &json!({"pen": "broad"})));
    assert!(number(&broad, "width_sd") > number(&ballpoint, "width_sd"), "{broad}");
}

#[test]
fn outlines_cover_the_ink_of_the_picture() {
    let mut pictures = Pictures::new();
    let mut pens = Vec::new();
    let mut jobs = Vec::new();
    let pairs = [("ballpoint", 81), ("gel", 2), ("felt", 12), ("fountain", 53), ("broad", 81), ("pencil", 2)];
    for (pen, font) in pairs {
        let page = request(font, &json!({"pen": pen, "text": "Sphinx of black quartz, judge my vow!"}));
        let page = with(&page, &json!({"page_size": "a6"}));
        let file = pictures.add_bytes(&render(&outlined(&page, &json!({}))).bytes);
        jobs.push(json!({"path": file, "png": pictures.add(&page), "dpi": 300}));
        pens.push(pen);
    }
    // The same page with the outlines of another seed's line.
    let other = with(
        &request(81, &json!({"pen": "ballpoint", "text": "Sphinx of black quartz, judge my vow!"})),
        &json!({"page_size": "a6", "seed": 8}),
    );
    jobs.push(json!({"path": jobs[0]["path"], "png": pictures.add(&other), "dpi": 300}));
    let answers = ask("pen_outlines.py", &json!(jobs));
    let overlaps: Vec<f64> = answers.as_array().unwrap().iter().map(|answer| number(answer, "overlap")).collect();
    for ((pen, overlap), answer) in pens.iter().zip(&overlaps).zip(answers.as_array().unwrap()) {
        assert!(*overlap >= 0.9 && number(answer, "missed") <= 0.04, "{pen}: {answer}");
    }
    assert!(overlaps.last().unwrap() < &0.5, "{overlaps:?}");
}
