//! Turned words and indented lines, measured from pictures by an oracle that knows only pixels.

use longhand::layout::lay_out;
use serde_json::{Value, json};

use super::effects::{assert_uniform, median};
use super::pages::CATALOGUE;
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, spec};

/// Largest difference in degrees between a word's angle and the slope of its ink: the noise of middles of columns that
/// are a few pixels high, and of outlines that are not quite straight.
const ANGLE_BOUND: f64 = 0.12;

/// Print, joined, marker: fonts whose underscores are single strokes.
const FONTS: [u8; 3] = [2, 12, 35];

/// Three lines of three words that are strokes, far apart.
fn strokes(font: u8, more: &Value) -> Value {
    let mut request = json!({
        "text": "______ ______ ______\n______ ______ ______\n______ ______ ______", "font_id": font, "font_size": 80,
        "word_spacing": 120, "line_height_multiplier": 4, "page_size": "a5", "orientation": "landscape",
    });
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

fn measured(requests: &[Value]) -> Vec<Vec<Vec<Value>>> {
    let mut pictures = Pictures::new();
    let jobs: Vec<Value> = requests
        .iter()
        .map(|request| json!({"picture": pictures.add(request), "gap": 40 * request["dpi"].as_u64().unwrap_or(300) / 300}))
        .collect();
    serde_json::from_value(ask("written_words.py", &json!(jobs))).unwrap()
}

/// Degrees of all words of a picture.
fn slopes(picture: &[Vec<Value>]) -> Vec<f64> {
    picture.iter().flatten().map(|word| number(word, "degrees")).collect()
}

/// The angles that the layout gave the words.
fn angles(request: &Value) -> Vec<f64> {
    lay_out(&spec(request), &CATALOGUE).unwrap().words.iter().map(|word| word.rotation.get()).collect()
}

/// The largest difference between two lists.
fn farthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn words_slope_as_far_as_they_are_turned() {
    for font in FONTS {
        let off = strokes(font, &json!({}));
        let turned = json!({"enable_word_rotation": true, "word_rotation_range": 8, "seed": 11});
        let on = strokes(font, &turned);
        let fine =
            strokes(font, &json!({"enable_word_rotation": true, "word_rotation_range": 8, "seed": 11, "dpi": 600}));
        let angles = angles(&on);
        let pictures = measured(&[off, on, fine]);
        let [off, on, fine] = [0, 1, 2].map(|index: usize| slopes(&pictures[index]));
        let turns = |on: &[f64]| -> Vec<f64> { on.iter().zip(&off).map(|(on, off)| on - off).collect() };
        for slopes in [&on, &fine] {
            let difference = farthest(&turns(slopes), &angles);
            assert!(difference <= ANGLE_BOUND, "font {font}: {difference} between {:?} and {angles:?}", turns(slopes));
        }
        // The measure sees what is wrong: another direction, angles of other words, nothing at all.
        let mirrored: Vec<f64> = angles.iter().map(|angle| -angle).collect();
        let shifted: Vec<f64> = angles.iter().cycle().skip(1).take(angles.len()).copied().collect();
        let slight: Vec<f64> = angles.iter().map(|angle| angle * 0.9).collect();
        for wrong in [mirrored, shifted, slight, vec![0.0; angles.len()]] {
            assert!(farthest(&turns(&on), &wrong) > ANGLE_BOUND, "font {font}: {wrong:?} went unseen");
        }
    }
}

#[test]
fn turned_words_are_uniform_in_both_directions() {
    let requests: Vec<Value> = (0..12)
        .map(|seed| strokes(35, &json!({"enable_word_rotation": true, "word_rotation_range": 8, "seed": seed})))
        .collect();
    let straight = median(&slopes(&measured(&[strokes(35, &json!({}))])[0]));
    let turned: Vec<f64> = measured(&requests).iter().flat_map(|picture| slopes(picture)).collect();
    let turns: Vec<f64> = turned.iter().map(|slope| slope - straight).collect();
    assert_uniform(&turns, -8.0, 8.0);
}

#[test]
fn first_columns_of_ink_move_by_the_indents() {
    for alignment in ["left", "center"] {
        let indented = |seed: u32, dpi: u32| {
            strokes(
                2,
                &json!({
                    "text": "n\nn\nn\nn", "font_size": 60, "text_alignment": alignment, "dpi": dpi,
                    "enable_random_indentation": true, "indentation_range": 100, "seed": seed,
                }),
            )
        };
        let straight = strokes(2, &json!({"text": "n\nn\nn\nn", "font_size": 60, "text_alignment": alignment}));
        let mut requests: Vec<Value> = (0..30).map(|seed| indented(seed, 300)).collect();
        requests.extend([straight, indented(3, 600)]);
        let lefts: Vec<Vec<f64>> = measured(&requests)
            .iter()
            .map(|picture| picture.iter().map(|line| number(&line[0], "left")).collect())
            .collect();
        let (indented, straight, fine) = (&lefts[..30], &lefts[30], &lefts[31]);
        assert!(straight.iter().all(|left| (left - straight[0]).abs() < 0.5));
        let moves: Vec<f64> =
            indented.iter().flat_map(|lines| lines.iter().zip(straight).map(|(on, off)| on - off)).collect();
        assert_eq!(moves.len(), 120);
        assert_uniform(&moves, 0.0, 100.0);
        // A column more or less, by where the edges of columns fall.
        let coarse: Vec<f64> = fine.iter().map(|left| left / 2.0).collect();
        assert!(farthest(&coarse, &indented[3]) <= 1.0, "{coarse:?} at 600 DPI, {:?} at 300", indented[3]);
    }
}
