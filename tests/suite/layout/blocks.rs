//! Texts in boxes of their own: where their ink is, what they share with the page, files of several inks.

use longhand::layout::{PageLayout, lay_out};
use longhand::pipeline::{PreviewMark, StageTimes, dry_run};
use longhand::spec::{Endpoint, RenderSpec, parse_value};
use longhand::warning::{Warning, WarningKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::effects::turned_extent;
use super::pages::{CATALOGUE, LONG};
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, engine, refuse, render, render_preview, spec};
use crate::pdf::files::ask_of_files;

/// The pages of all texts of the first page, rotated.
fn placed(spec: &RenderSpec) -> Vec<PageLayout> {
    let each = spec.texts().into_iter();
    each.filter_map(|text| Some(lay_out(&text.spec, &CATALOGUE).ok()?.rotated(text.rotation, text.centre))).collect()
}

fn page() -> Value {
    json!({"text": "Dear Ada,\nhow are you?", "page_size": "a6", "font_size": 50, "seed": 5, "blocks": [
        {"text": "Yours, Tom", "x": 500, "y": 1200, "width": 600, "height": 250, "font_id": 51,
         "text_color": [20, 30, 140], "rotation": -6},
        {"text": "No. 27", "x": 800, "y": 60, "width": 400, "height": 120, "font_id": 3, "text_color": [180, 20, 30],
         "text_alignment": "right", "vertical_alignment": "bottom"},
    ]})
}

fn violations(request: &Value) -> Vec<(String, &'static str)> {
    let violations = parse_value(request, Endpoint::Generate, || 1).map(|_| ()).unwrap_err();
    violations.iter().map(|violation| (violation.field(), violation.kind.name())).collect()
}

#[test]
fn a_block_takes_from_the_request_what_it_leaves_out() {
    let request = json!({"text": "body", "font_id": 7, "font_size": 61, "text_alignment": "center",
        "vertical_alignment": "bottom", "text_color": [1, 2, 3], "line_height_multiplier": 1.5, "margin_left": 100,
        "overflow": "paginate", "output_format": "pdf", "seed": 9, "blocks": [
            {"text": "a", "x": 10, "y": 20, "width": 300, "height": 400},
            {"text": "b", "x": 100, "y": 200, "width": 300, "height": 400, "font_id": 8, "font_size": "auto",
             "max_auto_font_size": 90, "text_alignment": "left", "vertical_alignment": "top", "text_color": [4, 5, 6],
             "line_height_multiplier": 1.2, "rotation": 3}]});
    let [body, first, second] = spec(&request).texts().try_into().unwrap();
    assert_eq!((body.block, first.block, second.block), (None, Some(0), Some(1)));
    assert_eq!(
        (&first.spec.font, &first.spec.font_size, &first.spec.ink),
        (&body.spec.font, &body.spec.font_size, &body.spec.ink)
    );
    assert_eq!(
        (first.spec.alignment, first.spec.vertical_alignment),
        (body.spec.alignment, body.spec.vertical_alignment)
    );
    assert_eq!(first.spec.seed, 9, "the first block has the draws of the request's seed");
    let own = spec(
        &json!({"text": "b", "font_id": 8, "max_auto_font_size": 90, "text_color": [4, 5, 6], "text_alignment": "left",
        "line_height_multiplier": 1.2, "margin_left": 100, "margin_top": 200, "margin_right": 2080, "margin_bottom": 2908,
        "output_format": "pdf"}),
    );
    assert_eq!(second.spec, RenderSpec { seed: second.spec.seed, ..own });
    assert!(second.spec.seed != 9 && (second.rotation.get() - 3.0).abs() < 1e-9);
}

#[test]
fn violations_name_the_block_and_its_member() {
    let block = |more: Value| {
        let mut block = json!({"text": "a", "x": 100, "y": 100, "width": 500, "height": 200});
        block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"text": "x", "page_size": "a6", "blocks": [{"text": "a", "x": 0, "y": 0, "width": 1240, "height": 1748}, block]})
    };
    for (more, field, kind) in [
        (json!({"width": 0}), "blocks[1].width", "greater_than_equal"),
        (json!({"width": 1141}), "blocks[1].width", "less_than_equal"),
        (json!({"y": 1748}), "blocks[1].y", "less_than_equal"),
        (json!({"height": 1649}), "blocks[1].height", "less_than_equal"),
        (json!({"x": 0, "rotation": 2}), "blocks[1].rotation", "value_error"),
        (json!({"rotation": 15.1}), "blocks[1].rotation", "less_than_equal"),
        (json!({"text": ""}), "blocks[1].text", "string_too_short"),
        (json!({"text_color": [0, 0, 256]}), "blocks[1].text_color.2", "less_than_equal"),
        (json!({"font": 3}), "blocks[1].font", "extra_forbidden"),
        (json!({"text": "a".repeat(9999)}), "blocks", "string_too_long"),
    ] {
        assert_eq!(violations(&block(more.clone())), [(field.to_owned(), kind)], "{more}");
    }
    let of = |blocks: Value| violations(&json!({"text": "x", "blocks": blocks}));
    assert_eq!(of(json!([])), [("blocks".to_owned(), "too_short")]);
    assert_eq!(of(json!({})), [("blocks".to_owned(), "list_type")]);
    assert_eq!(of(json!([7])), [("blocks.0".to_owned(), "model_type")]);
    let one = json!({"text": "a", "x": 1, "y": 1, "width": 9, "height": 9});
    assert_eq!(of(json!(vec![one.clone(); 17])), [("blocks".to_owned(), "too_long")]);
    let missing = of(json!([{}]));
    let fields: Vec<&str> = missing.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["text", "x", "y", "width", "height"].map(|name| format!("blocks[0].{name}")));
    // Text may be left out only where there are blocks.
    assert!(parse_value(&json!({"blocks": [one]}), Endpoint::Generate, || 1).is_ok());
    assert_eq!(violations(&json!({"blocks": null})), [("text".to_owned(), "missing")]);
    assert_eq!(violations(&json!({"text": "", "blocks": [one]})), [("text".to_owned(), "string_too_short")]);
}

#[test]
fn a_text_that_does_not_fit_its_box_is_refused_by_name() {
    let mut request = page();
    request["blocks"][1]["text"] = json!(LONG);
    assert!(refuse(&request).starts_with("blocks[1].text: the text does not fit"), "{}", refuse(&request));
    request["overflow"] = json!("shrink");
    let warnings = dry_run(&spec(&request), &CATALOGUE).unwrap().warnings;
    assert!(
        warnings
            .iter()
            .any(|warning| warning.message.starts_with("blocks[1].font_size: the text does not fit at font_size 50")),
        "{warnings:?}"
    );
}

#[test]
fn overlapping_ink_is_told_and_near_ink_is_not() {
    let overlaps = |request: &Value| -> Vec<String> {
        let warnings = dry_run(&spec(request), &CATALOGUE).unwrap().warnings;
        let kind = |kind| kind == WarningKind::BlocksOverlap;
        warnings.into_iter().filter(|warning| kind(warning.kind)).map(|warning| warning.message).collect()
    };
    assert_eq!(overlaps(&page()), Vec::<String>::new());
    let mut request = page();
    request["blocks"][0]["y"] = json!(200);
    request["blocks"][0]["x"] = json!(200);
    request["blocks"][0]["rotation"] = json!(0);
    assert_eq!(overlaps(&request), ["blocks[0]: its ink overlaps that of the text of the page"]);
    request["text"] = json!("x");
    request["blocks"][1] = request["blocks"][0].clone();
    let below = "blocks[1]: its ink overlaps that of the text of the page and blocks[0]".to_owned();
    assert!(overlaps(&request).contains(&below), "one warning for each block: {:?}", overlaps(&request));
}

#[test]
fn a_further_block_leaves_the_others_as_they_are() {
    let mut request = page();
    request["enable_writer_variation"] = json!(true);
    request["enable_word_rotation"] = json!(true);
    let before = placed(&spec(&request));
    let last = request["blocks"][1].clone();
    request["blocks"].as_array_mut().unwrap().push(last);
    let after = placed(&spec(&request));
    assert_eq!((before.len(), after.len()), (3, 4));
    assert_eq!(before[..], after[..3]);
    assert_ne!(after[2], after[3], "blocks with equal text differ");
}

#[test]
fn the_dry_run_tells_sizes_and_boxes() {
    let mut request = page();
    request["blocks"][1]["font_size"] = json!("auto");
    let run = dry_run(&spec(&request), &CATALOGUE).unwrap();
    assert_eq!((run.calculated_font_size, run.blocks.len()), (None, 2));
    assert_eq!(run.blocks[0].calculated_font_size, None);
    assert!(run.blocks[1].calculated_font_size.is_some_and(|size| size > 40));
    let ink = run.blocks[1].ink.unwrap();
    assert!((ink.max.x.get() - 1200.0).abs() < 0.01 && (ink.max.y.get() - 180.0).abs() < 0.01, "{ink:?}");
    assert_eq!(render(&request).blocks, run.blocks);
}

/// A request with one block and no body, and the same page with margins.
fn alone(more: &Value) -> (Value, Value) {
    let common = |name: &str, value: Value, request: &mut Value| request[name] = value;
    let mut block = json!({"page_size": "a6", "seed": 3, "output_format": more["output_format"],
        "blocks": [{"text": "Dear Ada,\nyou are invited", "x": 200, "y": 300, "width": 800, "height": 700}]});
    let mut page = json!({"text": "Dear Ada,\nyou are invited", "page_size": "a6", "seed": 3,
        "margin_left": 200, "margin_top": 300, "margin_right": 240, "margin_bottom": 748});
    for (name, value) in more.as_object().unwrap() {
        common(name, value.clone(), &mut block);
        common(name, value.clone(), &mut page);
    }
    (block, page)
}

#[test]
fn a_block_alone_is_the_page_with_its_margins() {
    let effects = json!({"output_format": "png", "enable_writer_variation": true, "enable_natural_variation": true,
                         "enable_ink_flow": true, "enable_word_rotation": true, "text_color": [20, 30, 120]});
    for more in [
        json!({"output_format": "png", "text_alignment": "right", "vertical_alignment": "center"}),
        effects,
        json!({"output_format": "pdf", "font_id": 12}),
        json!({"output_format": "pdf", "pdf": {"writing": "outlines"}, "enable_writer_variation": true}),
        json!({"output_format": "pdf", "pdf": {"standard": "pdfx1a"}, "text_color": [200, 16, 46]}),
    ] {
        let (block, page) = alone(&more);
        assert!(render(&block).bytes == render(&page).bytes, "{more}");
    }
    let (block, page) = alone(&json!({"output_format": "png"}));
    assert!(render_preview(&block).page.bytes == render_preview(&page).page.bytes);
}

#[test]
fn several_inks_are_composed_as_alpha_mixes_them() {
    let mut request = page();
    // The first block lies over the body.
    request["blocks"][0]["x"] = json!(200);
    request["blocks"][0]["y"] = json!(220);
    let mut pictures = Pictures::new();
    let all = pictures.add(&request);
    let mut layers = Vec::new();
    let texts = spec(&request).texts();
    for (number, text) in texts.iter().enumerate() {
        let mut single = request.clone();
        let kept = |at: usize| text.block == Some(at);
        if text.block.is_some() {
            single.as_object_mut().unwrap().remove("text");
        }
        // The other texts are blank, so that the block keeps its number and with it its draws.
        for (at, block) in single["blocks"].as_array_mut().unwrap().iter_mut().enumerate() {
            if !kept(at) {
                block["text"] = json!(" ");
                block["text_color"] = json!(text.spec.ink.0);
            }
        }
        layers.push(json!({"path": pictures.add(&single), "color": text.spec.ink.0, "number": number}));
    }
    let facts = ask("layered_page.py", &json!({"all": all, "layers": layers}));
    assert!(number(&facts, "overlapping") > 20.0, "{facts}");
    assert!(number(&facts, "alpha") <= 1.01 && number(&facts, "color") <= 1.51, "{facts}");
    assert_eq!(facts["inks"], json!(3), "{facts}");
}

#[test]
fn other_programs_show_all_inks_of_a_pdf_as_our_picture_has_them() {
    let mut pictures = Pictures::new();
    let file = |writing: &str, standard: &str| {
        let mut request = page();
        request["output_format"] = json!("pdf");
        request["pdf"] = json!({"writing": writing, "standard": standard});
        render(&request).bytes
    };
    for writing in ["image", "outlines"] {
        let facts = &ask_of_files(&[], [file(writing, "pdfx1a")])[0]["broken"];
        assert_eq!(*facts, json!([]), "{writing}");
    }
    let jobs: Vec<Value> = [("image", 300), ("outlines", 600)]
        .map(|(writing, dpi): (&str, u32)| {
            let mut picture = page();
            picture["dpi"] = json!(dpi);
            let path = pictures.add_bytes(&file(writing, "pdf"));
            json!({"path": path, "png": pictures.add(&picture), "dpi": dpi, "origin": [0, 0]})
        })
        .to_vec();
    for answer in ask("vector_renderers.py", &json!(jobs)).as_array().unwrap() {
        assert_eq!(answer["qpdf"], "", "{answer}");
        assert_eq!(answer["shown"].as_object().unwrap().len(), 4);
        for (renderer, shown) in answer["shown"].as_object().unwrap() {
            assert!(number(shown, "ink") <= 6.0, "{renderer}: {answer}");
        }
    }
}

/// A request with a body and this block in it.
fn with_block(request: Value, block: &Value) -> Value {
    let mut all = json!({"text": "a", "x": 200, "y": 300, "width": 800, "height": 700});
    all.as_object_mut().unwrap().extend(block.as_object().unwrap().clone());
    let mut request = request;
    request["blocks"] = json!([all]);
    request
}

#[test]
fn refusals_and_warnings_name_the_field_of_the_block() {
    let refused = |request: Value| dry_run(&spec(&request), &CATALOGUE).unwrap_err().to_string();
    let body = json!({"text": "body", "page_size": "a6"});
    let letters = with_block(body.clone(), &json!({"text": "\u{10D0}"}));
    assert!(refused(letters).starts_with("blocks[0].text: no font can write"));
    let strokes = json!({"text": "body", "page_size": "a6", "font_id": 10, "output_format": "svg",
                         "svg": {"paths": "strokes"}});
    let font = with_block(strokes.clone(), &json!({"font_id": 35}));
    assert!(refused(font).starts_with("blocks[0].font_id: font 35 (Permanent Marker) has no strokes"));
    let character = refused(with_block(strokes, &json!({"text": "\u{56FD}"})));
    assert!(character.starts_with("blocks[0].text: no strokes for"), "{character}");
    assert_eq!(
        violations(&with_block(body.clone(), &json!({"font_id": 91}))),
        [("blocks[0].font_id".to_owned(), "less_than_equal")]
    );
    let warned = |block: &Value, field: &str, kind: WarningKind| {
        let warnings = dry_run(&spec(&with_block(body.clone(), block)), &CATALOGUE).unwrap().warnings;
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert_eq!(warning.kind, kind);
        assert!(warning.message.starts_with(&format!("{field}: ")), "{}", warning.message);
    };
    warned(
        &json!({"text": "\u{159}", "font_id": 8, "font_size": 60}),
        "blocks[0].font_id",
        WarningKind::FontSubstituted,
    );
    warned(&json!({"text": " ", "font_size": 60}), "blocks[0].text", WarningKind::NothingToWrite);
    let mut pale = with_block(body, &json!({"text_color": [255, 255, 250]}));
    pale["output_format"] = json!("pdf");
    let warnings = dry_run(&spec(&pale), &CATALOGUE).unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.message.starts_with("blocks[0].text_color: [255, 255, 250]")));
}

#[test]
fn a_body_goes_on_after_the_page_with_the_blocks() {
    let mut request = page();
    request["text"] = json!(LONG.repeat(4));
    request["font_size"] = json!(90);
    request["output_format"] = json!("pdf");
    request["overflow"] = json!("paginate");
    for writing in ["image", "outlines"] {
        request["pdf"] = json!({"writing": writing});
        let facts = &ask_of_files(&[], [render(&request).bytes])[0];
        assert!(facts["pages"].as_u64().is_some_and(|pages| pages > 1), "{facts}");
    }
    request["blocks"][1]["text"] = json!(LONG);
    assert!(refuse(&request).starts_with("blocks[1].text: the text does not fit"), "{}", refuse(&request));
}

#[test]
fn a_block_may_be_on_the_last_page() {
    let lasting = |block: Value| {
        let mut request = page();
        request["text"] = json!(LONG.repeat(4));
        (request["font_size"], request["output_format"]) = (json!(90), json!("pdf"));
        request["overflow"] = json!("paginate");
        request["blocks"] = json!([block]);
        request
    };
    let block = |place: &str| json!({"text": "Ann", "x": 700, "y": 200, "width": 500, "height": 200, "page": place});
    let first = dry_run(&spec(&lasting(block("first"))), &CATALOGUE).unwrap();
    let last = dry_run(&spec(&lasting(block("last"))), &CATALOGUE).unwrap();
    assert!(last.pages > 1 && first.blocks == last.blocks, "{last:?}");
    // The first page is full, and the last one ends far above a box at its foot.
    let told = |place: &str| {
        let mut foot = block(place);
        foot["y"] = json!(1300);
        dry_run(&spec(&lasting(foot)), &CATALOGUE).unwrap().warnings
    };
    let overlaps = |warnings: &[Warning]| warnings.iter().any(|warning| warning.kind == WarningKind::BlocksOverlap);
    assert!(overlaps(&told("first")) && !overlaps(&told("last")));
    // The page of the block has its ink.
    let preview = |place: &str, number: usize| {
        let mut request = lasting(block(place));
        (request["page"], request["places"]) = (json!(number), json!(true));
        let spec = parse_value(&request, Endpoint::Preview, || 1).unwrap();
        let shown = engine().preview(&spec, PreviewMark::Nothing, &mut StageTimes::default()).unwrap();
        shown.words.iter().filter(|word| word.block == Some(0)).count()
    };
    let shown = |place: &str| (1..=last.pages).map(|number| preview(place, number)).collect::<Vec<_>>();
    let on = |page: usize| (1..=last.pages).map(|number| usize::from(number == page)).collect::<Vec<_>>();
    assert_eq!((shown("first"), shown("last")), (on(1), on(last.pages)));
    // A page alone is both.
    let mut alone = page();
    alone["blocks"][0]["page"] = json!("last");
    assert_eq!(dry_run(&spec(&alone), &CATALOGUE).unwrap(), dry_run(&spec(&page()), &CATALOGUE).unwrap());
}

#[test]
fn a_block_in_a_reserved_zone_is_found_by_name() {
    let request = with_block(
        json!({"text": "Dear Ann", "mail_piece": "lob_postcard_4x6_back", "output_format": "pdf", "on_finding": "refuse"}),
        &json!({"text": "Ann Marsh", "x": 1000, "y": 600, "width": 600, "height": 300}),
    );
    assert!(
        refuse(&request).starts_with("blocks[0]: ink is in the zone 'address and postage'"),
        "{}",
        refuse(&request)
    );
    let mut request = request;
    request["blocks"][0]["x"] = json!(5);
    assert!(refuse(&request).starts_with("blocks[0].x: ink is"), "{}", refuse(&request));
    request["blocks"][0]["x"] = json!(100);
    request["blocks"][0]["width"] = json!(600);
    assert!(render(&request).bytes.starts_with(b"%PDF"));
}

#[test]
fn a_page_without_body_has_the_ink_of_its_block() {
    let shown = |writing: &str, block: bool| {
        let more = json!({"output_format": "pdf", "pdf": {"writing": writing}});
        let (mut with_block, mut page) = alone(&more);
        with_block["blocks"][0]["text_color"] = json!([200, 16, 46]);
        page["text_color"] = json!([200, 16, 46]);
        render(if block { &with_block } else { &page }).bytes
    };
    for writing in ["image", "outlines"] {
        assert!(shown(writing, true) == shown(writing, false), "{writing}");
    }
}

#[test]
fn an_svg_has_the_paint_of_each_writing() {
    let mut request = page();
    request["output_format"] = json!("svg");
    for (paths, group_by) in [("outlines", "page"), ("welded", "line"), ("strokes", "word")] {
        request["svg"] = json!({"paths": paths, "group_by": group_by});
        request["blocks"][1]["font_id"] = json!(45);
        let file = String::from_utf8(render(&request).bytes).unwrap();
        let paints = |color: &str| {
            let attribute = if paths == "strokes" { "stroke" } else { "fill" };
            file.matches(&format!("{attribute}=\"{color}\"")).count()
        };
        for color in ["#000000", "#141e8c", "#b4141e"] {
            assert!(paints(color) > 0, "{paths} {color}");
        }
        if group_by == "word" {
            let widths: std::collections::BTreeSet<&str> =
                file.split("stroke-width=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert_eq!(widths.len(), 3, "each hand has its own pen: {widths:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ink_of_a_block_stays_in_its_rotated_box(
        text in "[a-zA-Z ,.\n]{1,80}", font in 1_u8..=90, rotation in -15.0_f64..=15.0, effects: [bool; 2], seed: u32,
        alignments in (prop::sample::select(vec!["left", "center", "right"]), prop::sample::select(vec!["top", "center", "bottom"])),
        corner in (300_u32..800, 300_u32..900),
        size in (100_u32..900, 60_u32..900),
    ) {
        let request = json!({"page_size": "a5", "seed": seed, "overflow": "clip", "enable_word_rotation": effects[0],
            "enable_random_indentation": effects[1], "blocks": [{"text": text, "x": corner.0, "y": corner.1,
            "width": size.0.min(1300 - corner.0), "height": size.1, "font_id": font, "font_size": 40 + seed % 60,
            "text_alignment": alignments.0,
            "vertical_alignment": alignments.1, "rotation": rotation}]});
        let Ok(spec) = parse_value(&request, Endpoint::Generate, || 1) else { return Ok(()) };
        let text = &spec.texts()[0];
        let (sin, cos) = rotation.to_radians().sin_cos();
        let area = spec.blocks[0].area;
        let page = spec.page.px();
        for word in placed(&spec).iter().flat_map(|page| &page.words) {
            // Every corner of every glyph's outline, turned back into the frame of the box.
            let mut back = word.clone();
            let (x, y) = ((word.pivot.x - text.centre.x).get(), (word.pivot.y - text.centre.y).get());
            let pivot = text.centre + longhand::geometry::Point::new(
                longhand::units::Px::new(x * cos + y * sin),
                longhand::units::Px::new(y * cos - x * sin),
            );
            let by = pivot - word.pivot;
            back.pivot = pivot;
            back.rotation = longhand::units::Degrees::new(word.rotation.get() - rotation);
            for glyph in &mut back.glyphs {
                glyph.origin = glyph.origin + by;
            }
            let ink = turned_extent(&back);
            prop_assert!(ink[0] >= area.min.x.get() - 0.02 && ink[2] <= area.max.x.get() + 0.02, "{:?} {:?}", ink, area);
            prop_assert!(ink[1] >= area.min.y.get() - 0.02 && ink[3] <= area.max.y.get() + 0.02, "{:?} {:?}", ink, area);
            let on_page = turned_extent(word);
            prop_assert!(on_page[0] >= -0.02 && on_page[2] <= page.width.get() + 0.02);
            prop_assert!(on_page[1] >= -0.02 && on_page[3] <= page.height.get() + 0.02);
        }
    }
}
