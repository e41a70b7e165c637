//! Every row of the contract's two field tables against its bounds, types and null, one field at a time.
//! The tables below are copied from the contract, not from the code.

#![expect(clippy::panic, reason = "a shared step of these tests fails the test it is part of")]

use std::cell::Cell;

use longhand::spec::{self, Endpoint, RequestError};
use serde_json::{Value, json};

/// A field of the contract: wire path, what it takes, whether null is allowed, and its default as JSON.
struct Row {
    path: &'static str,
    takes: Takes,
    nullable: bool,
    default: &'static str,
}

enum Takes {
    Integer(i64, i64),
    Number(f64, f64),
    Boolean,
    Names(&'static [&'static str]),
}

use Takes::{Boolean, Integer, Names, Number};

const fn row(path: &'static str, takes: Takes, default: &'static str) -> Row {
    Row { path, takes, nullable: false, default }
}

const fn nullable(path: &'static str, takes: Takes, default: &'static str) -> Row {
    Row { path, takes, nullable: true, default }
}

/// All rows but `text`, `font_size`, `dpi`, `text_color`, `pdf`, `svg`, `custom_page` and `mail_piece`, which have
/// tests of their own.
const ROWS: &[Row] = &[
    row("font_id", Integer(1, 90), "1"),
    nullable("max_auto_font_size", Integer(20, 400), "200"),
    row("generation_type", Names(&["standard", "address"]), "\"standard\""),
    row(
        "page_size",
        Names(&[
            "a3",
            "a4",
            "a5",
            "a6",
            "A3",
            "A4",
            "A5",
            "A6",
            "letter",
            "legal",
            "half_letter",
            "postcard_us",
            "card_5x7",
            "card_a2",
            "square_5x5",
            "card_96x135",
            "dl",
            "envelope_10",
            "envelope_monarch",
            "postcard_6x9",
            "postcard_6x11",
            "postcard_425x6",
            "envelope_9",
            "envelope_a2",
            "envelope_a6",
            "envelope_a7",
            "envelope_dl",
            "envelope_c5",
            "envelope_c6",
            "envelope_c6c5",
            "custom",
        ]),
        "\"a4\"",
    ),
    row("orientation", Names(&["portrait", "landscape"]), "\"portrait\""),
    row("output_format", Names(&["png", "pdf", "svg"]), "\"png\""),
    row("png_format", Names(&["rgba", "indexed"]), "\"rgba\""),
    row("line_height_multiplier", Number(0.5, 4.0), "2.0"),
    nullable("line_break_spacing", Integer(0, 500), "null"),
    row("margin_left", Integer(0, 5000), "240"),
    row("margin_right", Integer(0, 5000), "240"),
    row("margin_top", Integer(0, 5000), "240"),
    row("margin_bottom", Integer(0, 5000), "240"),
    row("word_spacing", Integer(0, 3000), "0"),
    row("enable_word_rotation", Boolean, "false"),
    row("word_rotation_range", Number(0.0, 10.0), "5.0"),
    row("enable_natural_variation", Boolean, "false"),
    row("natural_variation_alpha", Integer(0, 100), "15"),
    row("natural_variation_sigma", Integer(0, 10), "5"),
    row("enable_random_indentation", Boolean, "false"),
    row("indentation_range", Integer(0, 100), "20"),
    row("enable_ink_flow", Boolean, "false"),
    row("ink_flow_intensity", Number(0.0, 3.0), "1.0"),
    row("enable_writer_variation", Boolean, "false"),
    row("writer_variation_strength", Number(0.0, 2.0), "1.0"),
    row("pen", Names(&["as_designed", "ballpoint", "gel", "felt", "fountain", "broad", "pencil"]), "\"as_designed\""),
    nullable("pen_width_mm", Number(0.1, 3.0), "null"),
    nullable("pen_angle", Number(-90.0, 90.0), "null"),
    row("pen_strength", Number(0.0, 2.0), "1.0"),
    row("text_alignment", Names(&["left", "center", "right", "start"]), "\"start\""),
    row("vertical_alignment", Names(&["top", "center", "bottom"]), "\"top\""),
    row("kerning", Boolean, "true"),
    nullable("seed", Integer(0, 4_294_967_295), "null"),
    row("overflow", Names(&["error", "shrink", "clip", "paginate"]), "\"error\""),
    nullable("keep_lines", Boolean, "null"),
    row("on_finding", Names(&["report", "refuse"]), "\"report\""),
    row("pdf.preset", Names(&["generic", "lob", "click2mail"]), "\"generic\""),
    row("pdf.standard", Names(&["pdf", "pdfx1a"]), "\"pdf\""),
    row(
        "pdf.icc_profile",
        Names(&["auto", "gracol_2013", "gracol_2006", "pso_coated_v3", "iso_coated_v2"]),
        "\"auto\"",
    ),
    row("pdf.profile", Names(&["auto", "document", "press"]), "\"document\""),
    row("pdf.region", Names(&["auto", "us", "eu"]), "\"auto\""),
    nullable("pdf.bleed_mm", Number(0.0, 20.0), "null"),
    row("pdf.crop_box", Names(&["media", "bleed", "trim"]), "\"media\""),
    row("pdf.writing", Names(&["image", "outlines"]), "\"image\""),
    row("pdf.text_layer", Names(&["none", "invisible"]), "\"none\""),
    row("svg.paths", Names(&["outlines", "welded", "strokes"]), "\"outlines\""),
    row("svg.group_by", Names(&["page", "line", "word", "ink"]), "\"page\""),
    row("svg.glyphs", Names(&["paths", "shared"]), "\"paths\""),
    nullable("svg.stroke_width_mm", Number(0.01, 10.0), "null"),
];

/// A valid request but for the field at `path`, which has the JSON text `written`.
fn request_with(path: &str, written: &str) -> String {
    match path.split_once('.') {
        Some((object, member)) => format!(r#"{{"text":"x","{object}":{{"{member}":{written}}}}}"#),
        // Valid, but not on their own: an address needs a size, more pages need a PDF, and a custom page needs sides.
        None if written == "\"custom\"" => {
            format!(r#"{{"text":"x","custom_page":{{"width":100,"height":150}},"{path}":{written}}}"#)
        }
        None if written == "\"address\"" => format!(r#"{{"text":"x","font_size":60,"{path}":{written}}}"#),
        None if written == "\"paginate\"" => format!(r#"{{"text":"x","output_format":"pdf","{path}":{written}}}"#),
        None => format!(r#"{{"text":"x","{path}":{written}}}"#),
    }
}

/// Field and type of every violation.
fn violations(body: &str) -> Vec<(String, &'static str)> {
    match spec::parse_request(body.as_bytes(), Endpoint::Generate, || 7) {
        Ok(_) => Vec::new(),
        Err(RequestError::Invalid(violations)) => {
            violations.iter().map(|violation| (violation.field(), violation.kind.name())).collect()
        }
        Err(RequestError::Malformed { message }) => panic!("{body}: {message}"),
    }
}

thread_local! {
    /// Cases that the test of this thread has checked, so that none can vanish from a table or a loop unnoticed.
    static CASES: Cell<usize> = const { Cell::new(0) };
}

fn assert_checked(fewest: usize) {
    let checked = CASES.get();
    assert!(checked >= fewest, "only {checked} of {fewest} cases were checked");
}

fn assert_valid(path: &str, written: &str) {
    CASES.set(CASES.get() + 1);
    assert_eq!(violations(&request_with(path, written)), [], "{path}: {written}");
}

fn assert_refused(path: &str, written: &str, field: &str, kind: &'static str) {
    CASES.set(CASES.get() + 1);
    assert_eq!(violations(&request_with(path, written)), [(field.to_owned(), kind)], "{path}: {written}");
}

/// JSON of other types than numbers.
const NO_NUMBERS: [&str; 7] = ["\"60\"", "\"\"", "true", "false", "[]", "[1]", "{}"];

#[test]
fn integers_keep_their_range_and_type() {
    let mut checked = 0;
    for Row { path, takes, nullable, .. } in ROWS {
        let Integer(min, max) = *takes else { continue };
        let fits = if path.starts_with("margin_") { 1000 } else { max };
        let valid = [min.to_string(), format!("{min}.0"), fits.to_string(), format!("{fits}.0"), format!("{fits}e0")];
        for written in valid.iter().chain([&format!("{}0e-1", min + 1)]) {
            assert_valid(path, written);
        }
        for written in [(min - 1).to_string(), format!("{}.0", min - 1), "-1e30".to_owned(), i64::MIN.to_string()] {
            assert_refused(path, &written, path, "greater_than_equal");
        }
        let above = (max + 1).to_string();
        for written in [&above, "1e30", "18446744073709551615", "18446744073709551616", "9223372036854775808"] {
            assert_refused(path, written, path, "less_than_equal");
        }
        for written in [format!("{min}.5"), format!("{max}.5"), "1e-3".to_owned()] {
            assert_refused(path, &written, path, "int_from_float");
        }
        for written in NO_NUMBERS {
            assert_refused(path, written, path, "int_type");
        }
        assert_null(path, *nullable, "int_type");
        checked += 1;
    }
    assert_eq!(checked, 12);
    assert_checked(312);
}

#[test]
fn numbers_keep_their_range_and_type() {
    let mut checked = 0;
    for Row { path, takes, nullable, .. } in ROWS {
        let Number(min, max) = *takes else { continue };
        for valid in [min, max, f64::midpoint(min, max), max - 0.001, max.trunc()] {
            assert_valid(path, &valid.to_string());
        }
        for below in [min - 0.001, min - 1.0, -1e30] {
            assert_refused(path, &below.to_string(), path, "greater_than_equal");
        }
        for above in [max + 0.001, max + 1.0, 1e300] {
            assert_refused(path, &above.to_string(), path, "less_than_equal");
        }
        for written in NO_NUMBERS {
            assert_refused(path, written, path, "float_type");
        }
        assert_null(path, *nullable, "float_type");
        checked += 1;
    }
    assert_eq!(checked, 9);
    assert_checked(91);
}

#[test]
fn a_bound_written_with_many_digits_is_the_bound() {
    for digits in [1, 15, 17, 20, 40, 400] {
        let zeros = "0".repeat(digits);
        assert_valid("ink_flow_intensity", &format!("3.{zeros}"));
        assert_valid("word_rotation_range", &format!("10.{zeros}"));
        assert_valid("line_height_multiplier", &format!("0.5{zeros}"));
        assert_valid("font_id", &format!("90.{zeros}"));
    }
    assert_refused("ink_flow_intensity", "3.0000000000000005", "ink_flow_intensity", "less_than_equal");
    assert_refused("line_height_multiplier", "0.49999999999999994", "line_height_multiplier", "greater_than_equal");
}

#[test]
fn booleans_are_true_or_false_only() {
    let mut checked = 0;
    for Row { path, takes, nullable, .. } in ROWS {
        let Boolean = takes else { continue };
        for written in ["true", "false"] {
            assert_valid(path, written);
        }
        for written in ["0", "1", "1.0", "\"true\"", "\"\"", "[]", "[true]", "{}"] {
            assert_refused(path, written, path, "bool_type");
        }
        assert_null(path, *nullable, "bool_type");
        checked += 1;
    }
    assert_eq!(checked, 7);
    assert_checked(55);
}

#[test]
fn enumerated_fields_take_exactly_their_names() {
    let mut checked = 0;
    for Row { path, takes, nullable, .. } in ROWS {
        let Names(names) = takes else { continue };
        for name in *names {
            assert_valid(path, &json!(name).to_string());
            for changed in [format!("{name} "), format!(" {name}"), format!("{name}x"), name[1..].to_owned()] {
                assert_refused(path, &json!(changed).to_string(), path, "literal_error");
            }
            let upper = name.to_uppercase();
            if !names.contains(&upper.as_str()) {
                assert_refused(path, &json!(upper).to_string(), path, "literal_error");
            }
        }
        for written in ["\"\"", "\"nonsense\"", "0", "1.5", "true", "[]", "{}"] {
            assert_refused(path, written, path, "literal_error");
        }
        assert_null(path, *nullable, "literal_error");
        checked += 1;
    }
    assert_eq!(checked, 21);
    assert_checked(411);
}

fn assert_null(path: &str, nullable: bool, kind: &'static str) {
    if nullable {
        assert_valid(path, "null");
    } else {
        assert_refused(path, "null", path, kind);
    }
}

#[test]
fn a_refused_name_is_answered_with_all_allowed_ones() {
    for Row { path, takes, .. } in ROWS {
        let Names(names) = takes else { continue };
        let body = request_with(path, "\"nonsense\"");
        let Err(RequestError::Invalid(violations)) = spec::parse_request(body.as_bytes(), Endpoint::Generate, || 7)
        else {
            panic!("{path} takes nonsense")
        };
        for name in *names {
            let message = &violations[0].message;
            assert!(message.contains(&format!("'{name}'")), "{path}: {message}");
        }
    }
}

#[test]
fn text_has_1_to_10000_unicode_scalar_values() {
    let text = |text: &str| violations(&json!({ "text": text }).to_string());
    for valid in ["x", " ", "\n", "\u{0}", "é", "😀", "e\u{301}"] {
        assert_eq!(text(valid), [], "{valid:?}");
    }
    for character in ["x", "\n", "é", "😀", "\u{301}"] {
        assert_eq!(text(&character.repeat(9_999)), []);
        assert_eq!(text(&character.repeat(10_000)), []);
        assert_eq!(text(&character.repeat(10_001)), [("text".to_owned(), "string_too_long")]);
    }
    assert_eq!(text("\r\n".repeat(5_000).as_str()), []);
    assert_eq!(text(""), [("text".to_owned(), "string_too_short")]);
    assert_eq!(violations("{}"), [("text".to_owned(), "missing")]);
    for written in ["null", "1", "1.5", "true", "[]", "[\"x\"]", "{}"] {
        assert_eq!(violations(&format!("{{\"text\":{written}}}")), [("text".to_owned(), "string_type")], "{written}");
    }
}

#[test]
fn font_size_is_an_integer_or_auto() {
    for written in ["12", "13", "60", "60.0", "6e1", "399", "400", "4e2", "\"auto\""] {
        assert_valid("font_size", written);
    }
    for (written, kind) in [
        ("11", "greater_than_equal"),
        ("0", "greater_than_equal"),
        ("-60", "greater_than_equal"),
        ("-1e30", "greater_than_equal"),
        ("401", "less_than_equal"),
        ("1e30", "less_than_equal"),
        ("18446744073709551616", "less_than_equal"),
        ("12.5", "int_from_float"),
        ("60.000001", "int_from_float"),
        ("\"60\"", "literal_error"),
        ("\"Auto\"", "literal_error"),
        ("\"auto \"", "literal_error"),
        ("\"\"", "literal_error"),
        ("null", "int_type"),
        ("true", "int_type"),
        ("[60]", "int_type"),
        ("{}", "int_type"),
    ] {
        assert_refused("font_size", written, "font_size", kind);
    }
    assert_checked(26);
}

#[test]
fn dpi_is_300_or_600() {
    for written in ["300", "600", "300.0", "6e2"] {
        assert_valid("dpi", written);
    }
    for written in ["0", "299", "301", "450", "599", "601", "-300", "300.5", "1e30", "\"300\"", "true", "null", "[]"] {
        assert_refused("dpi", written, "dpi", "literal_error");
    }
    assert_checked(17);
}

#[test]
fn a_colour_is_three_integers_from_0_to_255() {
    for written in ["null", "[0,0,0]", "[255,255,255]", "[0,128,255]", "[1.0,2e1,0]"] {
        assert_valid("text_color", written);
    }
    for (written, field, kind) in [
        ("[]", "text_color", "too_short"),
        ("[1]", "text_color", "too_short"),
        ("[1,2]", "text_color", "too_short"),
        ("[1,2,3,4]", "text_color", "too_long"),
        ("\"#000000\"", "text_color", "list_type"),
        ("0", "text_color", "list_type"),
        ("true", "text_color", "list_type"),
        ("{}", "text_color", "list_type"),
        ("[-1,0,0]", "text_color.0", "greater_than_equal"),
        ("[256,0,0]", "text_color.0", "less_than_equal"),
        ("[0,-1,0]", "text_color.1", "greater_than_equal"),
        ("[0,256,0]", "text_color.1", "less_than_equal"),
        ("[0,0,-1]", "text_color.2", "greater_than_equal"),
        ("[0,0,256]", "text_color.2", "less_than_equal"),
        ("[0,0.5,0]", "text_color.1", "int_from_float"),
        ("[0,\"1\",0]", "text_color.1", "int_type"),
        ("[null,0,0]", "text_color.0", "int_type"),
        ("[0,true,0]", "text_color.1", "int_type"),
        ("[0,[0],0]", "text_color.1", "int_type"),
    ] {
        assert_refused("text_color", written, field, kind);
    }
    assert_eq!(
        violations(r#"{"text":"x","text_color":[-1,"a"]}"#),
        [
            ("text_color".to_owned(), "too_short"),
            ("text_color.0".to_owned(), "greater_than_equal"),
            ("text_color.1".to_owned(), "int_type"),
        ]
    );
    assert_checked(24);
}

#[test]
fn pdf_is_an_object_or_null_whatever_the_output_format() {
    for written in ["null", "{}", r#"{"bleed_mm":3.175,"standard":"pdfx1a"}"#] {
        assert_valid("pdf", written);
    }
    for written in ["\"generic\"", "1", "true", "[]", "[{}]"] {
        assert_refused("pdf", written, "pdf", "model_type");
    }
    for format in ["png", "pdf"] {
        let body = format!(r#"{{"text":"x","output_format":"{format}","pdf":{{"bleed_mm":20.1,"preset":"lobb"}}}}"#);
        assert_eq!(
            violations(&body),
            [("pdf.preset".to_owned(), "literal_error"), ("pdf.bleed_mm".to_owned(), "less_than_equal")]
        );
    }
    assert_checked(8);
}

#[test]
fn custom_page_goes_with_page_size_custom_and_only_with_it() {
    let kinds = |page: &str| violations(&format!(r#"{{"text":"x",{page}}}"#));
    let one = |field: &str, kind| [(field.to_owned(), kind)];
    let sides = r#""custom_page":{"width":6.5,"height":4.5,"unit":"in"}"#;
    assert_eq!(kinds(&format!(r#""page_size":"custom",{sides}"#)), []);
    assert_eq!(kinds(r#""page_size":"a5","custom_page":null"#), []);
    assert_eq!(kinds(r#""page_size":"custom""#), one("custom_page", "missing"));
    assert_eq!(kinds(r#""page_size":"custom","custom_page":null"#), one("custom_page", "missing"));
    assert_eq!(kinds(sides), one("custom_page", "conflict"));
    assert_eq!(kinds(&format!(r#""page_size":"a5",{sides}"#)), one("custom_page", "conflict"));
    for (members, field, kind) in [
        (r#""width":24.9,"height":50"#, "custom_page.width", "greater_than_equal"),
        (r#""width":50,"height":420.1"#, "custom_page.height", "less_than_equal"),
        (r#""width":300,"height":400"#, "custom_page.width", "less_than_equal"),
        (r#""width":50,"height":50,"unit":"cm""#, "custom_page.unit", "literal_error"),
        (r#""width":50"#, "custom_page.height", "missing"),
    ] {
        let page = format!(r#""page_size":"custom","custom_page":{{{members}}}"#);
        assert_eq!(kinds(&page), one(field, kind), "{members}");
    }
    let narrow = r#""page_size":"custom","custom_page":{"width":40,"height":40}"#;
    let both = [("margin_left".to_owned(), "value_error"), ("margin_right".to_owned(), "value_error")];
    assert_eq!(kinds(&format!(r#"{narrow},"margin_left":300,"margin_top":0"#)), both);
}

#[test]
fn a_field_that_is_left_out_has_its_default() {
    let parse = |body: &str| spec::parse_request(body.as_bytes(), Endpoint::Generate, || 7);
    let left_out = parse(r#"{"text":"x"}"#).unwrap();
    let own = [
        ("font_size", "\"auto\""),
        ("dpi", "300"),
        ("text_color", "null"),
        ("paper_color", "null"),
        ("text_color", "[0,0,0]"),
        ("pdf", "null"),
        ("custom_page", "null"),
        ("mail_piece", "null"),
    ];
    let mut checked = 0;
    for (path, default) in ROWS.iter().map(|row| (row.path, row.default)).chain(own) {
        assert_eq!(parse(&request_with(path, default)).as_ref(), Ok(&left_out), "{path}: {default}");
        checked += 1;
    }
    assert!(checked >= 38, "{checked}");
}

#[test]
fn a_field_beside_a_known_one_is_unknown() {
    let own = ["text", "font_size", "dpi", "text_color", "paper_color", "pdf", "svg", "custom_page", "mail_piece"];
    for path in ROWS.iter().map(|row| row.path).chain(own) {
        let member = path.split('.').next_back().unwrap();
        for changed in [format!("{path}_"), format!("{path} "), path.replace(member, &member.to_uppercase())] {
            assert_refused(&changed, "null", &changed, "extra_forbidden");
            let Err(RequestError::Invalid(found)) =
                spec::parse_request(request_with(&changed, "null").as_bytes(), Endpoint::Generate, || 7)
            else {
                panic!("{changed} is taken")
            };
            let message = &found[0].message;
            assert!(message.contains(&format!("did you mean '{member}'?")), "{changed}: {message}");
        }
    }
    assert_checked(3 * 45);
}

#[test]
fn the_described_fields_are_those_of_the_contract() {
    let described = |path: &str| {
        let (owner, member) = path.split_once('.').map_or((path, None), |(owner, member)| (owner, Some(member)));
        let field = spec::fields().iter().find(|field| field.name == owner);
        match (field.map(|field| &field.kind), member) {
            (Some(kind @ spec::FieldKind::Object(_)), Some(member)) => {
                kind.members().iter().find(|field| field.name == member)
            }
            _ => field,
        }
    };
    let own_tests = [
        ("text", false, None),
        ("font_size", false, Some(json!("auto"))),
        ("preset", true, Some(Value::Null)),
        ("pdf", true, Some(Value::Null)),
        ("svg", true, Some(Value::Null)),
        ("custom_page", true, Some(Value::Null)),
        ("mail_piece", true, Some(Value::Null)),
        ("dpi", false, Some(json!(300))),
        ("ruling", true, Some(Value::Null)),
        ("blocks", true, Some(Value::Null)),
        ("artwork", true, Some(Value::Null)),
        ("sides", true, Some(Value::Null)),
        ("text_color", true, Some(Value::Null)),
        ("paper_color", true, Some(Value::Null)),
    ];
    let rows = ROWS.iter().map(|row| (row.path, row.nullable, Some(serde_json::from_str(row.default).unwrap())));
    for (path, nullable, default) in rows.chain(own_tests) {
        let field = described(path).unwrap_or_else(|| panic!("{path} is not described"));
        assert_eq!((field.nullable, &field.default_json), (nullable, &default), "{path}");
        assert!(field.meaning.ends_with('.'), "{path}: {}", field.meaning);
    }
    let members = ROWS.iter().filter(|row| row.path.contains('.')).count();
    assert_eq!(spec::fields().len(), ROWS.len() - members + 14);
}

#[test]
fn the_described_ranges_are_those_of_the_contract() {
    for Row { path, takes, .. } in ROWS {
        if path.contains('.') {
            continue;
        }
        let kind = &spec::fields().iter().find(|field| field.name == *path).unwrap().kind;
        let expected = match takes {
            // An operator's fonts have further numbers.
            Integer(1, 90) if *path == "font_id" => spec::FieldKind::FontId,
            Integer(min, max) => spec::FieldKind::Integer { min: *min, max: *max },
            Number(min, max) => spec::FieldKind::Number { min: *min, max: *max },
            Boolean => spec::FieldKind::Boolean,
            Names(names) => spec::FieldKind::OneOf(names.to_vec()),
        };
        assert_eq!(*kind, expected, "{path}");
    }
}
