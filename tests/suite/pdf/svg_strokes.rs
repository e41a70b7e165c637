//! SVG files for pen plotters: strokes in the order of writing, and a layer for each ink.

use longhand::spec::Representation;
use serde_json::{Value, json};

use super::svg::{page, svg};
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, refuse, render, with};

/// A font with strokes and one without.
const WITH_STROKES: u16 = 7;
pub(crate) const WITHOUT_STROKES: u16 = 3;
/// A font with strokes whose pictures have no further drawings of letters, of which there are no strokes.
const WITHOUT_DRAWINGS: u16 = 17;

#[test]
fn strokes_are_open_lines_within_the_ink_in_the_order_of_writing() {
    let mut pictures = Pictures::new();
    let effects = json!({"enable_writer_variation": true, "enable_natural_variation": true,
                         "enable_word_rotation": true});
    let still = with(&page(WITH_STROKES), &json!({"text": "quick plotter\njumps over", "font_size": 60}));
    let varied = with(&with(&still, &effects), &json!({"font_id": WITHOUT_DRAWINGS}));
    for request in [still, varied] {
        let thin = |width: f64| json!({"paths": "strokes", "group_by": "line", "stroke_width_mm": width});
        let files = [render(&svg(&request, &json!({"paths": "strokes"}))), render(&svg(&request, &thin(0.1)))];
        assert!(files.iter().all(|file| (file.representation, file.warnings.len()) == (Representation::Strokes, 0)));
        let picture = pictures.add(&with(&request, &json!({"dpi": 600})));
        let jobs: Vec<Value> =
            files.iter().map(|file| json!({"path": pictures.add_bytes(&file.bytes), "png": picture})).collect();
        let answers = ask("svg_renderers.py", &json!(jobs));
        for answer in answers.as_array().unwrap() {
            let commands = answer["commands"].as_str().unwrap();
            assert!(commands.chars().all(|command| "Mclhv".contains(command)), "{answer}");
            assert!(number(answer, "open") > 20.0, "{answer}");
            let attributes = answer["attributes"].to_string();
            assert!(["stroke-width", "stroke-linecap", "stroke-linejoin"].iter().all(|name| attributes.contains(name)));
        }
        // The font's own pen covers the ink; a thin one stays within it.
        assert!(number(&answers[0]["shown"]["resvg"], "overlap") > 0.75, "{answers}");
        assert!(number(&answers[1]["shown"]["resvg"], "inside") > 0.97, "{answers}");
        assert_eq!(answers[1]["groups"], json!(["line-1", "line-2"]));
        // Writing goes on to the right: a stroke begins at most a letter's width, 4 mm, before the one before.
        let starts = answers[1]["starts"][0].as_array().unwrap();
        let left: Vec<f64> = starts.iter().map(|start| start.as_f64().unwrap()).collect();
        assert!(left.len() >= 12 && left.windows(2).all(|pair| pair[1] > pair[0] - 4.0), "{left:?}");
    }
}

/// A joined font with strokes.
const JOINED: u16 = 12;

#[test]
fn the_pen_stays_down_where_one_stroke_ends_at_the_next() {
    let request = with(&page(JOINED), &json!({"text": "minimum", "font_size": 100}));
    let file = String::from_utf8(render(&svg(&request, &json!({"paths": "strokes"}))).bytes).unwrap();
    // The dot of the i is the only stroke that has to stand alone.
    let lines = file.matches("<path").count();
    assert!((2..=5).contains(&lines), "{lines}: {file}");
}

#[test]
fn each_ink_is_a_layer_of_its_own() {
    let block = |text: &str, y: u16, size: u16, ink: [u8; 3]| json!({"text": text, "x": 240, "y": y, "width": 700, "height": 200, "font_size": size, "text_color": ink});
    let request = json!({
        "text": "Dear Ann", "font_id": WITH_STROKES, "font_size": 60, "page_size": "a6", "ruling": {"pitch": 90, "draw": true},
        "blocks": [block("Thank you", 900, 90, [200, 0, 30]), block("Tom", 1200, 80, [0, 0, 0])],
    });
    for paths in ["outlines", "strokes"] {
        let options = json!({"group_by": "ink", "paths": paths});
        let file = String::from_utf8(render(&svg(&request, &options)).bytes).unwrap();
        let groups: Vec<&str> = file.lines().filter(|line| line.starts_with("<g ")).collect();
        for (group, start) in groups.iter().zip([
            r#"<g id="rules" inkscape:groupmode="layer" inkscape:label="1 rules" "#,
            r#"<g id="ink-1" inkscape:groupmode="layer" inkscape:label="2 black" "#,
            r#"<g id="ink-2" inkscape:groupmode="layer" inkscape:label="3 #c8001e" "#,
        ]) {
            assert!(group.starts_with(start), "{group}");
        }
        assert_eq!(groups.len(), 3);
        let of_ink = |name: &str| file.split(name).nth(1).unwrap().split("</g>").next().unwrap().to_owned();
        assert!(!of_ink("ink-1").contains("#c8001e") && !of_ink("ink-2").contains("#000000"), "{file}");
        let page = String::from_utf8(render(&svg(&request, &json!({"paths": paths}))).bytes).unwrap();
        assert_eq!(page.matches("<g id=\"page-").count(), 2);
    }
}

#[test]
fn fonts_and_characters_without_strokes_are_refused_by_name() {
    let strokes = |request: &Value| svg(request, &json!({"paths": "strokes"}));
    let said = refuse(&strokes(&page(WITHOUT_STROKES)));
    assert!(
        said.starts_with(&format!("font_id: font {WITHOUT_STROKES} ("))
            && said.contains("the closest font that has them is"),
        "{said}"
    );
    let nearest: u16 = said.split("has them is ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(render(&strokes(&with(&page(nearest), &json!({"text": "Hello"})))).warnings.is_empty());
    let said = refuse(&strokes(&with(&page(WITH_STROKES), &json!({"text": "Hello 国"}))));
    assert!(said.starts_with("text: no strokes for") && said.contains("'国' (U+56FD)"), "{said}");
    let fading = with(&page(WITH_STROKES), &json!({"text": "Hello", "enable_ink_flow": true}));
    assert_eq!(render(&strokes(&fading)).warnings.len(), 1);
}
