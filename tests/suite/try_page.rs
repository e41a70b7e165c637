//! The try-it page, used in a real browser.

use std::process::Command;

use axum::body::Body;
use axum::http::Request;
use longhand::spec::{FieldKind, fields};
use rstest::rstest;
use serde_json::{Value, json};
use syn::visit::Visit;

use crate::http_harness::Site;
use crate::live_server::Server;
use crate::oracle::ask;

#[rstest]
#[case("/", "text/html; charset=utf-8", "<h1>Longhand</h1>")]
#[case("/page/page.js", "text/javascript; charset=utf-8", "import")]
#[case("/page/messages.js", "text/javascript; charset=utf-8", "WARNED")]
#[case("/page/page.css", "text/css; charset=utf-8", ":root")]
#[case("/page/papers.json", "application/json; charset=utf-8", "card 5x7")]
#[tokio::test]
async fn the_page_needs_no_key_and_nothing_from_elsewhere(
    #[case] path: &str,
    #[case] content_type: &str,
    #[case] part: &str,
) {
    let answer = Site::open().send(Request::get(path).body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some(content_type)));
    let text = std::str::from_utf8(&answer.body).unwrap();
    assert!(text.contains(part), "{text}");
    let outside = text.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http://") && !outside.contains("https://"), "{path} names another host");
    let policy = answer.header("content-security-policy").unwrap_or_default();
    assert!(path != "/" || policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn a_part_that_there_is_not_is_not_found() {
    let answer = Site::open().send(Request::get("/page/mod.rs").body(Body::empty()).unwrap()).await;
    answer.refused(404, "NOT_FOUND");
}

/// Relative luminance (WCAG 2.2) of `#rgb` or `#rrggbb`.
fn luminance(color: &str) -> f64 {
    let digits = color.trim_start_matches('#');
    let wide: String =
        if digits.len() == 3 { digits.chars().flat_map(|digit| [digit; 2]).collect() } else { digits.into() };
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&wide[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

#[test]
fn text_stands_out_in_light_and_dark() {
    let style = include_str!("../../src/http/page/page.css");
    let schemes: Vec<&str> = style.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
    assert_eq!(schemes.len(), 2);
    for scheme in schemes {
        let color = |name: &str| {
            let value = scheme.split(&format!("--{name}:")).nth(1).unwrap_or_else(|| panic!("{name} in {scheme}"));
            luminance(value.split(';').next().unwrap().trim())
        };
        for (text, ground) in [
            ("ink", "ground"),
            ("ink", "card"),
            ("ink", "mark"),
            ("faint", "ground"),
            ("faint", "card"),
            ("accent", "ground"),
            ("accent", "card"),
            ("on-accent", "accent"),
            ("wrong", "card"),
            ("wrong", "ground"),
            ("warn", "card"),
            ("warn", "ground"),
        ] {
            let (a, b) = (color(text), color(ground));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2} in {scheme}");
        }
    }
}

/// The names that `WarningKind::name` matches its variants with.
#[derive(Default)]
struct WarningNames(Vec<String>);

impl Visit<'_> for WarningNames {
    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        if function.sig.ident == "name" {
            syn::visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_arm(&mut self, arm: &syn::Arm) {
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) = &*arm.body {
            self.0.push(name.value());
        }
    }
}

#[test]
fn the_page_knows_every_type_of_warning_and_no_other() {
    let mut names = WarningNames::default();
    names.visit_file(&syn::parse_file(include_str!("../../src/layout/page_layout.rs")).unwrap());
    names.0.sort();
    assert!(names.0.len() >= 12, "{:?}", names.0);
    let script = include_str!("../../src/http/page/messages.js");
    let table = script.split("const WARNED = {\n").nth(1).unwrap().split("\n};").next().unwrap();
    let known: Vec<&str> = table.lines().map(|line| line.trim().split(':').next().unwrap()).collect();
    assert_eq!(known, names.0);
    for field in table.split('"').skip(1).step_by(2) {
        let (object, member) = field.split_once('.').unwrap_or((field, ""));
        let described = fields().iter().find(|known| known.name == object).unwrap();
        assert!(member.is_empty() || described.kind.members().iter().any(|known| known.name == member), "{field}");
    }
}

#[test]
fn a_person_can_write_choose_err_mend_and_download() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let address = format!("http://{}", server.address);
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let seen = ask("try_page.py", &json!({"address": address, "key": server.key, "folder": place}));

    assert_eq!(seen["complaints"], json!([]), "nothing goes wrong unseen");
    assert_eq!(seen["address"], json!(format!("{address}/")), "the key does not stay in the address");
    assert_eq!((&seen["hands"], &seen["specimen_width"]), (&json!(90), &json!(1200)));
    assert_eq!(seen["unnamed"], json!([]), "every control has a name");
    assert_eq!(seen["drawn_mm"], json!([210, 99]), "paper is drawn to scale");
    assert_eq!(seen["hand"], "2", "hands are chosen with the keyboard");
    assert!(seen["error"].as_str().unwrap().contains("5000"), "{seen}");
    assert_eq!((&seen["invalid"], &seen["mended"]), (&json!("true"), &json!(true)));
    assert_eq!(seen["same"], json!({"curl": true, "python": true, "javascript": true}));
    assert!(seen["request"].as_str().unwrap().contains(r#""ink_flow_intensity":3"#), "{seen}");
    assert_eq!(seen["pdf"], "handwriting_dl_300dpi.pdf");
    assert!(seen["warning"].as_str().unwrap().contains("has no effect"), "{seen}");
    assert!(seen["text_warning"].as_str().unwrap().contains("left out"), "{seen}");
    let stale = &seen["stale"];
    assert_eq!((&stale["late"], &stale["called_off"]), (&json!(1), &json!(["net::ERR_ABORTED"])), "{stale}");
    assert_eq!((&stale["alt"], &stale["busy"]), (&json!("Handwriting: quick words"), &json!("false")));
    assert_eq!(stale["spinner"], false);
    let messages = &seen["messages"];
    assert_eq!(messages["copied"], "The program was copied.", "a message outlasts the preview after it");
    assert_eq!(messages["focus"], json!(["copy", "png", "outlines"]), "the focus stays on the button that worked");
    assert!(messages["png"].as_str().unwrap().contains("dpi.png was downloaded"), "{messages}");
    assert!(messages["outlines"].as_str().unwrap().contains("dpi.pdf was downloaded"), "{messages}");
    assert!(
        messages["refused"].as_str().unwrap().contains("'paginate' needs"),
        "a refusal outlasts it too: {messages}"
    );
    assert_eq!(
        (&messages["in_view"], &messages["preview_in_view"]),
        (&json!(true), &json!(true)),
        "errors are in view"
    );
    assert_eq!(messages["linked"], json!(["overflow", true]), "the summary leads to the field");
    assert_eq!(messages["mended"], json!([true, ""]), "what is changed is no longer wrong");
    assert_eq!(messages["stale"][0], true, "a picture of another request says so: {messages}");
    assert!(messages["stale"][1].as_str().unwrap().contains("not up to date"), "{messages}");
    assert_eq!(messages["fresh"], true);
    let named = seen["writing_warning"].as_str().unwrap();
    assert!(named.contains("natural_variation_sigma"), "a warning stands at its field: {named}");
    let images = Command::new("pdfimages").arg("-list").arg(place.join("outlines")).output().unwrap();
    assert_eq!(String::from_utf8(images.stdout).unwrap().lines().count(), 2, "outlines are no image");

    let unreachable = &seen["unreachable"];
    assert_eq!(unreachable["preview"]["tries"], 3, "a preview that found no service is asked again: {unreachable}");
    assert!(unreachable["preview"]["told"].as_str().unwrap().contains("Trying again in 1 s (3 of 4)"), "{unreachable}");
    assert_eq!(unreachable["download"], json!(["handwriting_card_5x7_300dpi.png", 2]));
    let given_up = &unreachable["given_up"];
    assert_eq!((&given_up["tries"], &given_up["stale"]), (&json!(4), &json!(true)), "{given_up}");
    assert!(given_up["said"].as_str().unwrap().contains("does not answer"), "{given_up}");
    assert_eq!(unreachable["mended"], json!([true, "", true]), "{unreachable}");
    assert_eq!(unreachable["complaints"], json!([]));
    let key = &seen["key"];
    assert!(key["said"].as_str().unwrap().contains("invalid API key format"), "{key}");
    assert_eq!((&key["mended"], &key["stored"]), (&json!(true), &json!(0)));
    assert_eq!((&seen["dark_too_wide"], &seen["phone_too_wide"]), (&json!(0), &json!(0)));

    let shown: Vec<&str> = seen["fields"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for field in fields().iter().filter(|field| {
        !["font_id", "output_format", "ruling", "blocks", "custom_page", "mail_piece", "on_finding"]
            .contains(&field.name)
    }) {
        let (FieldKind::PdfObject(members) | FieldKind::SvgObject(members)) = &field.kind else {
            assert!(shown.contains(&field.name), "{} is not on the page", field.name);
            continue;
        };
        for member in *members {
            let path = format!("{}.{}", field.name, member.name);
            assert!(shown.contains(&path.as_str()), "{path} is not on the page");
        }
    }
    let info = Command::new("pdfinfo").arg("-box").arg(place.join("downloaded.pdf")).output().unwrap();
    let info = String::from_utf8(info.stdout).unwrap();
    let boxes: Vec<&str> = info.lines().filter(|line| line.contains("Box:")).collect();
    assert!(boxes.len() == 5 && boxes.iter().any(|line| line.starts_with("TrimBox")), "{info}");
    assert!(boxes[0] != boxes[3], "there is bleed around the trim: {info}");
}
