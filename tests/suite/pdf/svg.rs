//! SVG files: what they hold, what other programs show, welded words, and what they cannot show.

use std::process::Command;

use longhand::pipeline::RenderedFile;
use longhand::spec::{Endpoint, Representation, RequestError, parse_request};
use serde_json::{Value, json};

use super::outlines::{TEXT, fonts};
use super::svg_strokes::WITHOUT_STROKES;
use crate::cli::commands::run_without_device;
use crate::live::server::Server;
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, render, with};

/// `request` as an SVG with these options.
pub(crate) fn svg(request: &Value, options: &Value) -> Value {
    with(request, &json!({"output_format": "svg", "svg": options}))
}

pub(crate) fn page(font: u16) -> Value {
    json!({"text": TEXT, "font_id": font, "page_size": "a6", "seed": 5})
}

/// Asserts that resvg and Chromium show each file as our picture of the request at 600 DPI: at most `mean` of 255 off
/// on inked pixels, and at most `spot` pixels that touch one another by more than 128.
pub(crate) fn assert_shown(requests: &[(Value, Value)], mean: f64, spot: f64) {
    let mut pictures = Pictures::new();
    let jobs: Vec<Value> = requests
        .iter()
        .map(|(request, options)| {
            let file = render(&svg(request, options));
            let picture = with(request, &json!({"dpi": 600}));
            json!({"path": pictures.add_bytes(&file.bytes), "png": pictures.add(&picture)})
        })
        .collect();
    let answers = ask("svg_renderers.py", &json!(jobs));
    for ((request, options), answer) in requests.iter().zip(answers.as_array().unwrap()) {
        if options["glyphs"] != "shared" {
            assert_plain(answer);
        }
        for (renderer, shown) in answer["shown"].as_object().unwrap() {
            let (ink, largest) = (number(shown, "ink"), number(shown, "spot"));
            println!("font {} {renderer} {options}: {ink:.2}, {largest}", request["font_id"]);
            assert!(ink <= mean && largest <= spot, "{renderer} {request}: {answer}");
        }
    }
}

/// Asserts that a file has closed paths in groups, and nothing that a cutter might not know.
fn assert_plain(answer: &Value) {
    let mut elements: Vec<&str> = answer["elements"].as_object().unwrap().keys().map(String::as_str).collect();
    elements.sort_unstable();
    assert_eq!(elements, ["g", "path", "svg"], "{answer}");
    let expected = json!(["d", "fill", "height", "id", "version", "viewBox", "width"]);
    assert_eq!((&answer["attributes"], &answer["open"]), (&expected, &json!(0)), "{answer}");
    assert!(answer["commands"].as_str().unwrap().chars().all(|command| "Mlhvcz".contains(command)), "{answer}");
}

#[test]
fn other_programs_show_outlines_as_our_picture_has_them() {
    let cases: Vec<(Value, Value)> =
        fonts().into_iter().step_by(2).map(|font| (page(font), json!({"group_by": "line"}))).collect();
    // Where letters overlap, a renderer mixes the edge of one with the other; the picture has their union.
    assert_shown(&cases, 6.0, 0.0);
}

#[test]
fn shared_glyphs_look_the_same_and_are_in_the_file_once() {
    let shared = |font: u16| (with(&page(font), &json!({"enable_word_rotation": true})), json!({"glyphs": "shared"}));
    let cases: Vec<(Value, Value)> = fonts().into_iter().step_by(9).map(shared).collect();
    assert_shown(&cases, 6.0, 0.0);
    let text = json!({"text": "The quick brown fox jumps over the lazy dog. ".repeat(20).trim(), "page_size": "a4"});
    let [flat, shared] =
        ["paths", "shared"].map(|glyphs| render(&svg(&with(&page(8), &text), &json!({"glyphs": glyphs}))));
    assert!(shared.bytes.len() * 4 < flat.bytes.len(), "{} of {}", shared.bytes.len(), flat.bytes.len());
    let written = String::from_utf8(shared.bytes).unwrap();
    let [definitions, uses] = ["<path id=\"glyph-", "<use "].map(|tag| written.matches(tag).count());
    assert!(definitions < 50 && uses == 720, "{definitions} {uses}");
    for members in [
        json!({"svg": {"glyphs": "shared", "paths": "welded"}}),
        json!({"svg": {"glyphs": "shared"}, "enable_writer_variation": true}),
    ] {
        let file = render(&with(&svg(&page(8), &json!({})), &members));
        let said = &file.warnings[0].message;
        assert!(file.warnings.len() == 1 && said.starts_with("svg.glyphs: 'shared' has no effect"), "{said}");
        assert!(!String::from_utf8(file.bytes).unwrap().contains("<use "));
    }
}

/// Most pixels of a spot at the end of a join where letters are bent one by one. Bent, the correction of the picture for
/// the overlap meets the letters with an error of a pixel there; an open slit would be as long as a stroke is wide.
pub(crate) const SPOT_AT_JOINS: f64 = 10.0;

#[test]
fn bent_outlines_and_welded_words_are_shown_too() {
    let effects = json!({"enable_writer_variation": true, "enable_natural_variation": true,
                         "enable_word_rotation": true, "enable_random_indentation": true});
    let bent = with(&page(3), &effects);
    assert_shown(&[(bent.clone(), json!({})), (bent, json!({"paths": "welded"}))], 6.0, SPOT_AT_JOINS);
}

#[test]
fn sizes_are_in_millimetres_and_groups_are_pages_lines_or_words() {
    let mut pictures = Pictures::new();
    let request = json!({"text": "one two\nthree", "page_size": "postcard_us", "orientation": "landscape", "seed": 5,
                         "text_color": [20, 30, 120]});
    let mut files = |options: &Value| pictures.add_bytes(&render(&svg(&request, options)).bytes);
    let grouped: Vec<Value> = ["page", "line", "word"]
        .iter()
        .flat_map(|group| [json!({"group_by": group}), json!({"group_by": group, "paths": "welded"})])
        .map(|options| json!({"path": files(&options), "png": null}))
        .collect();
    let answers = ask("svg_renderers.py", &json!(grouped));
    let groups: Vec<(&Value, &Value)> =
        answers.as_array().unwrap().iter().map(|answer| (&answer["groups"], &answer["paths"])).collect();
    let [lines, words] = [json!(["line-1", "line-2"]), json!(["word-1", "word-2", "word-3"])];
    let expected = [
        (json!(["page"]), json!([11])),
        (json!(["page"]), json!([3])),
        (lines.clone(), json!([6, 5])),
        (lines, json!([2, 1])),
        (words.clone(), json!([3, 3, 5])),
        (words, json!([1, 1, 1])),
    ];
    assert_eq!(groups, expected.iter().map(|(ids, paths)| (ids, paths)).collect::<Vec<_>>());
    for answer in answers.as_array().unwrap() {
        assert_plain(answer);
        assert_eq!(answer["size"], json!(["152.4mm", "101.6mm", "0 0 152.4 101.6"]));
    }
}

#[test]
fn a_welded_word_is_the_union_of_its_letters_and_crosses_itself_nowhere() {
    let mut pictures = Pictures::new();
    let bent = json!({"enable_writer_variation": true, "enable_natural_variation": true});
    let fonts = fonts();
    let requests = fonts.iter().enumerate().map(|(at, font)| {
        let text = "Sphinx of black quartz, judge my vow & façade";
        let request = with(&page(*font), &json!({"text": text}));
        if at % 2 == 0 { request } else { with(&request, &bent) }
    });
    let jobs: Vec<Value> = requests
        .map(|request| {
            let mut file = |paths: &str| {
                let options = json!({"paths": paths, "group_by": "word"});
                pictures.add_bytes(&render(&svg(&request, &options)).bytes)
            };
            json!({"welded": file("welded"), "outlines": file("outlines")})
        })
        .collect();
    let answers = ask("svg_welds.py", &json!(jobs));
    for (font, answer) in fonts.iter().zip(answers.as_array().unwrap()) {
        assert_eq!((&answer["words"], &answer["invalid"]), (&json!(9), &json!([])), "font {font}: {answer}");
        let (area, union) = (number(answer, "area"), number(answer, "union"));
        // Chords lie inside of bulges. Specks below 0.0004 mm² are left out.
        assert!((area / union - 1.0).abs() < 0.006, "font {font}: {answer}");
        assert!(number(answer, "beyond") < 0.001, "font {font}: {answer}");
    }
}

#[test]
fn a_weld_that_is_not_the_union_is_found() {
    let mut pictures = Pictures::new();
    let request = with(&page(3), &json!({"text": "quartz"}));
    let moved = with(&request, &json!({"margin_left": 241}));
    let mut file = |request: &Value, paths: &str| {
        pictures.add_bytes(&render(&svg(request, &json!({"paths": paths, "group_by": "word"}))).bytes)
    };
    let outlines = file(&request, "outlines");
    // The letters of a joined hand overlap, so that their outlines cross.
    let jobs = json!([{"welded": file(&moved, "welded"), "outlines": outlines}]);
    let answer = &ask("svg_welds.py", &jobs)[0];
    assert!(number(answer, "beyond") > 0.05, "{answer}");
}

#[test]
fn words_of_narrow_lines_are_welded_where_they_meet() {
    let request = json!({
        "text": "Happily Ever After\nMary & George", "font_id": 71, "font_size": 200, "page_size": "a5",
        "line_height_multiplier": 0.9, "text_alignment": "center", "margin_left": 100, "margin_right": 100, "seed": 1,
    });
    let words = |line_height: f64| {
        let request = with(&request, &json!({"line_height_multiplier": line_height}));
        let file = render(&svg(&request, &json!({"paths": "welded", "group_by": "word"})));
        String::from_utf8(file.bytes).unwrap().matches("<path").count()
    };
    assert_eq!(words(2.0), 6);
    assert!(words(0.9) < 6);
}

#[test]
fn ink_flow_tints_letters_and_has_no_effect_on_welded_words() {
    let text = "the quick brown fox jumps over the lazy dog, and ".repeat(6);
    let fading = with(&page(3), &json!({"text": text, "enable_ink_flow": true, "ink_flow_intensity": 3}));
    let kinds = |file: &RenderedFile| file.warnings.iter().map(|warning| warning.kind.name()).collect::<Vec<_>>();
    let fills = |file: &RenderedFile| String::from_utf8_lossy(&file.bytes).matches("fill=\"#").count();
    let outlined = render(&svg(&fading, &json!({})));
    assert!(kinds(&outlined).is_empty() && fills(&outlined) > 50, "{}", fills(&outlined));
    let welded = render(&svg(&fading, &json!({"paths": "welded"})));
    assert_eq!((kinds(&welded), fills(&welded), welded.representation), (vec!["no_effect"], 1, Representation::Welded));
}

#[test]
fn fields_without_effect_are_told_and_the_file_is_the_same() {
    let usual = render(&svg(&page(3), &json!({})));
    assert_eq!((usual.representation, usual.warnings.len()), (Representation::Outlines, 0));
    for (members, said) in [
        (json!({"dpi": 600}), "dpi: 600 has no effect"),
        (json!({"pdf": {"bleed_mm": 3}}), "pdf: these options have no effect"),
    ] {
        let other = render(&with(&svg(&page(3), &json!({})), &members));
        assert!(other.warnings.len() == 1 && other.warnings[0].message.starts_with(said), "{:?}", other.warnings);
        assert_eq!(other.bytes, usual.bytes);
    }
    let pen = render(&svg(&page(3), &json!({"stroke_width_mm": 1})));
    assert!(pen.bytes == usual.bytes && pen.warnings[0].message.contains("only strokes"), "{:?}", pen.warnings);
    let picture = with(&page(3), &json!({"svg": {"paths": "welded"}}));
    let told = render(&picture).warnings;
    assert!(told.len() == 1 && told[0].message.contains("output_format is 'png'"), "{told:?}");
}

#[test]
fn what_an_svg_cannot_be_is_refused_with_what_to_change() {
    let grain = json!({"enable_natural_variation": true, "natural_variation_sigma": 1});
    for (members, endpoint, field, said) in [
        (grain.clone(), Endpoint::Generate, "natural_variation_sigma", "use a sigma of 2 or more, or output_format"),
        (json!({"overflow": "paginate"}), Endpoint::Generate, "overflow", "an SVG has one page"),
        (json!({"svg": {"paths": "outline"}}), Endpoint::Generate, "svg.paths", "did you mean 'outlines'"),
        (json!({"svg": {"group": "word"}}), Endpoint::Generate, "svg.group", "did you mean 'group_by'"),
        (json!({"group_by": "word"}), Endpoint::Generate, "group_by", "'svg.group_by'"),
    ] {
        let request = with(&json!({"text": "x", "output_format": "svg"}), &members);
        let Err(RequestError::Invalid(found)) = parse_request(request.to_string().as_bytes(), endpoint, || 1) else {
            panic!("{request} is accepted");
        };
        let violation = &found[0];
        assert!(violation.field() == field && violation.message.contains(said), "{request}: {violation:?}");
    }
    let still = with(&grain, &json!({"text": "x", "output_format": "svg", "natural_variation_alpha": 0}));
    assert!(parse_request(still.to_string().as_bytes(), Endpoint::Generate, || 1).is_ok(), "alpha 0 moves nothing");
}

#[test]
fn the_command_line_writes_svgs_without_a_device() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("guests.csv"), "name\nAnn\nBob\n").unwrap();
    std::fs::write(folder.path().join("card.txt"), "Dear {name},\nyou are invited.").unwrap();
    let page = ["--page-size", "card_a2", "--seed", "7"];
    let run = |arguments: &[&str]| run_without_device(folder.path(), &[arguments, &page].concat());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (done, told) = run(&["render", "Dear Ann,\nyou are invited.", "--svg-paths", "welded", "-o", "card.svg"]);
    assert!(done && told.contains("welded"), "{told}");
    let batch = ["batch", "--csv", "guests.csv", "--template", "card.txt", "--svg-paths", "welded", "-o"];
    let (done, told) = run(&[batch.as_slice(), &["{name}.svg"]].concat());
    assert!(done, "{told}");
    assert_eq!(read("Ann.svg"), read("card.svg"));
    let (done, told) = run(&[batch.as_slice(), &["{name}.cut", "--format", "svg"]].concat());
    assert!(done, "{told}");
    assert_eq!(read("Bob.cut"), read("Bob.svg"));
    let (done, told) = run(&[batch.as_slice(), &["all.svg"]].concat());
    assert!(!done && told.contains("only a .pdf holds all rows"), "{told}");
}

#[test]
fn a_running_service_answers_svgs_and_names_the_field_of_what_it_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let generate = |body: &Value| {
        let body = body.to_string();
        let head = format!(
            "POST /api/v1/generate HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n",
            server.address,
            server.key,
            body.len()
        );
        server.send((head + &body).as_bytes())
    };
    let request = json!({"text": "Dear Ann,\nyou are invited.", "page_size": "card_a2", "seed": 7, "output_format": "svg",
                         "svg": {"paths": "welded", "group_by": "word"}});
    let answer = generate(&request);
    assert_eq!(answer.status(), 200, "{answer:?}");
    for (name, value) in [
        ("content-type", "image/svg+xml"),
        ("content-disposition", "inline; filename=\"handwriting_card_a2_300dpi.svg\""),
        ("x-writing", "welded"),
        ("x-seed", "7"),
        ("x-warnings", "[]"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}: {}", answer.head);
    }
    assert_eq!(answer.body.as_bytes(), render(&request).bytes);

    for (members, field) in [
        (json!({"enable_natural_variation": true, "natural_variation_sigma": 1}), "natural_variation_sigma"),
        (json!({"overflow": "paginate"}), "overflow"),
        (json!({"font_id": WITHOUT_STROKES, "svg": {"paths": "strokes"}}), "font_id"),
        (json!({"svg": {"paths": "lines"}}), "svg.paths"),
        (json!({"svg": {"stroke_width_mm": 0}}), "svg.stroke_width_mm"),
    ] {
        let refused = generate(&with(&request, &members));
        assert_eq!((refused.status(), &refused.json()["details"][0]["field"]), (422, &json!(field)), "{refused:?}");
    }

    let rows = [request.to_string(), with(&request, &json!({"svg": {"paths": "outlines"}})).to_string()].join("\n");
    std::fs::write(folder.path().join("rows.jsonl"), rows).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_longhand"))
        .args(["batch", "--requests", "rows.jsonl", "-o", "{row}.svg"])
        .args(["--server", &format!("http://{}", server.address), "--key", &server.key])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(file("1.svg") == answer.body.as_bytes() && file("2.svg") != file("1.svg"));
}
