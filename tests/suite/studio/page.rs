//! The try-it page, used in a real browser.

use std::process::Command;

use axum::body::Body;
use axum::http::Request;
use longhand::spec::fields;
use rstest::rstest;
use serde_json::{Value, json};

use crate::http::harness::Site;
use crate::live::server::Server;
use crate::oracle::ask;

#[rstest]
#[case("/", "text/html; charset=utf-8", "<h1>Longhand</h1>")]
#[case("/page/page.js", "text/javascript; charset=utf-8", "import")]
#[case("/page/controls/messages.js", "text/javascript; charset=utf-8", "ofWarnings")]
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
    let style = include_str!("../../../src/http/page/page.css");
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

/// What a program of `tests/oracles` sees on the page of a server, and where it leaves its files.
pub(crate) fn visit(program: &str) -> (Value, Server, std::path::PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let address = format!("http://{}", server.address);
    let seen = ask(program, &json!({"address": address, "key": server.key, "folder": place}));
    (seen, server, place, folder)
}

fn new_boxes_print_what_is_written_alone(unmeant: &Value) {
    assert_eq!((&unmeant["ghost"], &unmeant["focus"]), (&json!("Your words"), &json!("blocks-text")));
    assert!(unmeant["finding"].as_str().unwrap().contains("Text box 1 is empty"), "{unmeant}");
    assert_eq!(unmeant["escaped"], json!([0, "add-box"]), "Escape takes an empty box back");
    assert_eq!(unmeant["nameless"], json!([false, "blocks-text"]), "a signature without a name asks for it");
    assert_eq!(unmeant["sent"], json!([]), "no request has an empty box");
}

/// The words of «all of these One two» are typed before the others, so that each step is seen by its caret.
fn words_are_taken_back_one_by_one(undo: &Value) {
    assert_eq!((&undo["word"], &undo["words"]), (&json!(["all of One two", 7]), &json!(["all One two", 4])));
    assert_eq!(
        (&undo["redone"], &undo["capital"]),
        (&json!("all of One two"), &json!("all One two")),
        "by Shift, not Z"
    );
    assert_eq!(undo["reloaded"], "all One two");
    assert_eq!(
        (&undo["redo"], &undo["undo"]),
        (&json!("all of One two"), &json!("One two")),
        "a reload keeps the steps"
    );
}

fn mail_is_right_at_the_first_click(mail: &Value) {
    assert_eq!(mail["focus"], "blocks-text", "an envelope asks for its address");
    let texts = ["Ms Ann Whitfield\n14 Harbour Street\nBristol BS1 5TY", "Tom Marsh\nBath"];
    assert_eq!(mail["envelope"], json!(["landscape", "", texts]));
    assert_eq!(mail["address"], json!([true, true, true, true]), "right of the middle, in the lower half: {mail}");
    assert_eq!((&mail["verdict"], &mail["axe"]), (&json!("Ready to print"), &json!([])));
    assert_eq!(mail["postcard"], json!(["landscape", "Dear Ann,\n\nYours, Tom", true]), "beside the address");
    assert_eq!(mail["card"], json!([null, "Dear Ann,\n\nYours, Tom"]), "the letter comes back");
}

#[test]
fn the_page_is_a_studio_for_pointer_and_keyboard() {
    let (seen, _server, _place, _folder) = visit("studio.py");
    assert_eq!((&seen["axe"], &seen["complaints"]), (&json!([]), &json!([])));
    assert!(seen["planted"][0].as_str().unwrap().starts_with("label"), "axe finds what is wrong: {}", seen["planted"]);
    for name in ["light", "dark", "phone"] {
        for side in ["wide", "high"] {
            assert_eq!(seen[format!("{name}_too_{side}")], 0, "{name}: the first screen needs no scrolling");
        }
    }
    let hands = &seen["hands"];
    assert_eq!((&hands["all"], &hands["asked"]), (&json!(90), &json!(1)), "one picture shows all hands: {hands}");
    assert_eq!(hands["words"], true, "in the person's own words");
    assert_eq!((&hands["found"][0], &hands["none"], &hands["favourites"]), (&json!(1), &json!(true), &json!(1)));
    assert!((1..40).contains(&hands["filtered"].as_u64().unwrap()), "{hands}");
    assert_eq!(hands["dialog_axe"], json!([]));
    assert_eq!(hands["chosen"], json!(["Homemade Apple, cursive, slanted, loose", false]));

    let paper = &seen["paper"];
    assert_eq!(paper["zones"], 1, "the zones of a mail piece are drawn");
    assert_eq!(paper["size"], "Lob postcard 4 × 6, back, 152.4 × 101.6 mm");
    assert_eq!(paper["verdict"], "Ready to print (Lob postcard 4 × 6, back), 1 remark");
    let found = &paper["found"];
    assert!(found[0].as_str().unwrap().starts_with("Not ready to print"), "{paper}");
    assert!(found[1].as_u64() >= Some(1), "what preflight finds is drawn on the sheet: {paper}");
    assert_eq!((&paper["led"], &paper["box_axe"]), (&json!(true), &json!([])), "and leads to the text box");
    assert_eq!((&paper["own"], &paper["pitch"]), (&json!("Custom, 180 × 100 mm"), &json!("8")));
    assert_eq!(paper["paper_color"], "rgb(205, 171, 125)");
    assert_eq!(seen["closer"]["zooms"], json!(["300", "fit"]), "a double click looks closer, and back");
    assert_eq!(
        seen["closer"]["moved"],
        json!([120, 150]),
        "at 300 % of the real size, 115.2 × 144 px on the screen are 120 × 150 on the page"
    );
    let boxes = &seen["boxes"];
    assert_eq!(boxes["signed"], json!(["Dear Ann,\n\nYours,", "Tom", 44]), "two clicks sign in another hand");
    assert_eq!((&boxes["moved"], &boxes["sized"]), (&json!([-30, -60, 0, 0]), &json!([0, 0, 24, 15])), "{boxes}");
    assert_eq!(boxes["keyed"], json!([12, 0, 0, 12]), "arrow keys move by 1 mm, and size with Shift");
    assert_eq!(boxes["error"], json!(["blocks-width", "Text box 1, Width"]), "an error leads to the box");
    assert_eq!(boxes["left"], json!([0, true, false]));
    new_boxes_print_what_is_written_alone(&seen["unmeant"]);
    mail_is_right_at_the_first_click(&seen["mail"]);
    assert_eq!(
        seen["copies"],
        json!({"middle": true, "copies": ["One", "One", "One"], "places": 3, "focus": "add-box"}),
        "boxes are held to the middle, copied, and removed by keys"
    );
    assert_eq!(seen["blank"], json!([false, "", false]), "an empty page is no error");
    words_are_taken_back_one_by_one(&seen["undo"]);
    let sizes = &seen["sizes"];
    assert_eq!(sizes["own"], json!([true, "", true]), "the own size begins at that in use: {sizes}");
    assert_eq!((&sizes["middle"], &sizes["aligned"]), (&json!("center"), &json!(["right", "bottom"])));
    assert!(sizes["error"].as_str().unwrap().ends_with(" mm"), "an error is in the unit of the field: {sizes}");
    assert_eq!(
        seen["zooms"],
        json!({"real": [480, "100 % of real size"], "wheel": null, "key": true, "fit": "fit"}),
        "5 in are 480 CSS px"
    );
    assert_eq!(seen["link"], json!({"same": true, "has_key": false}));
    let keyboard = &seen["keyboard"];
    assert_eq!((&keyboard["shown"], &keyboard["hand"]), (&json!(true), &json!(5)), "{keyboard}");
    assert_eq!((&keyboard["file"], &keyboard["ink"]), (&json!("by-hand.png"), &json!([36, 70, 168])));
}

#[test]
fn a_list_is_read_checked_and_made_by_the_service() {
    let (seen, _server, _place, _folder) = visit("merge_page.py");
    for name in ["complaints", "axe", "asked", "made_axe"] {
        assert_eq!(seen[name], json!([]), "{name}");
    }
    assert_eq!(seen["workbook"], "people.xlsx, 2 rows");
    assert!(seen["open"].as_str().unwrap().contains("is not closed"), "{seen}");
    assert_eq!(seen["hungarian"][1], "Győr (windows-1250)", "an encoding is chosen by the user: {seen}");
    assert_eq!(seen["readings"], json!(["Zoë (windows-1252)", "Zoė (windows-1257)"]));
    assert_eq!((&seen["name"], &seen["inserted"]), (&json!("people.csv, 6 rows"), &json!("Hello {name}")));
    assert_eq!(seen["columns"], json!(["{name}", "{gift}", "{note}"]));
    assert!(seen["unused"].as_str().unwrap().contains("Nothing uses the columns name, gift, note"), "{seen}");
    assert!(seen["missing"].as_str().unwrap().contains("No column for {nmae}"), "{seen}");
    assert_eq!(seen["first"], "Handwriting: Dear Zoë,\n\nthank you for die Blumen! (1)");
    assert_eq!(seen["second"], "Handwriting: Dear Marsh; E.,\n\nthank you for tea\nand \"cake\"! (2)");
    assert_eq!(seen["box"], "Text box 1: {row} for {name}", "columns go into text boxes as well");
    assert_eq!((&seen["over"], &seen["back"]), (&json!("5"), &json!("3")), "an empty row is stepped over");
    let lacking = "{gift} is empty; fill the cell, give a default in the template, such as {gift|…}";
    assert_eq!(seen["third"], json!(["3", lacking]));
    assert_eq!(seen["summary"], "5 rows fit, 1 of them to be looked at · 1 row is not ready");
    let wrong = &seen["wrong"];
    assert_eq!(wrong["Row 3"], lacking);
    assert!(wrong["Row 5"].as_str().unwrap().starts_with("The writing is small"), "{wrong}");
    let [pdf, zip] = ["pdf", "zip"].map(|form| &seen["made"][form]);
    assert_eq!((&pdf["file"], &pdf["content"], &pdf["focus"]), (&json!("people.pdf"), &json!("%PDF-"), &json!("make")));
    assert!(pdf["said"].as_str().unwrap().ends_with(": 5 rows on 5 pages; 1 row could not be made."), "{pdf}");
    for made in [pdf, zip] {
        assert_eq!(made["rows"]["Row 3"], lacking, "what the check says is what the job says: {made}");
        assert!(made["rows"]["Row 5"].as_str().unwrap().starts_with("The writing is small"), "{made}");
    }
    assert_eq!(zip["file"], "people.zip");
    assert_eq!(zip["content"], json!(["1-Zoë.png", "2-Marsh; E.png", "5-Ann.png", "6-Otto.png", "7-Ute.png"]));
    assert_eq!(seen["reloaded"], json!(["3", true, "5 rows on 5 pages; 1 row could not be made."]), "all is kept");
    let same = seen["same"].as_str().unwrap();
    assert!(same.contains(" in, which row 5 needs"), "all rows in the size of one, in the unit of the page: {same}");
    assert!(seen["ended"].as_str().unwrap().ends_with("({row})"), "{seen}");
    assert_eq!(seen["dos"][0], "dos.csv, 6,000 rows");
    assert!(seen["dos"][1].as_str().unwrap().starts_with("Handwriting: Dear Jürgen 5999,"), "{seen}");
    assert!(seen["large"].as_str().unwrap().starts_with("6,000 rows fit"), "{seen}");
}

#[test]
fn a_person_can_write_choose_err_mend_and_download() {
    let (seen, server, place, _folder) = visit("try_page.py");
    let address = format!("http://{}", server.address);
    assert_eq!(seen["complaints"], json!([]), "nothing goes wrong unseen");
    assert_eq!(seen["address"], json!(format!("{address}/")), "the key does not stay in the address");
    assert_eq!(seen["unnamed"], json!([]), "every control has a name");
    assert_eq!(seen["drawn_mm"], json!([210, 148]), "the sheet has the sides of the paper");
    assert!(seen["across_mm"][0].as_f64() > seen["across_mm"][1].as_f64(), "a postcard lies across: {seen}");
    assert_eq!(seen["hand"], "5", "hands are chosen with the keyboard");
    let error = seen["error"].as_str().unwrap();
    assert_eq!(error, "At most 254 mm.", "an error is in the unit of the field");
    assert_eq!((&seen["invalid"], &seen["mended"]), (&json!("true"), &json!(true)));
    assert_eq!(seen["same"], json!({"curl": true, "python": true, "javascript": true}));
    let program = seen["rust"].as_str().unwrap();
    syn::parse_file(program).unwrap_or_else(|error| panic!("{error}: {program}"));
    assert!(program.contains("writer_variation_strength"), "{program}");
    assert!(seen["request"].as_str().unwrap().contains(r#""writer_variation_strength":2"#), "{seen}");
    assert_eq!(seen["pdf"], "grüße-an-o-neil.pdf", "a file is named by its first words");
    assert!(seen["warning"].as_str().unwrap().contains("has no effect"), "{seen}");
    assert!(seen["text_warning"].as_str().unwrap().contains("left out"), "{seen}");
    let stale = &seen["stale"];
    assert_eq!((&stale["late"], &stale["called_off"]), (&json!(1), &json!(["net::ERR_ABORTED"])), "{stale}");
    assert_eq!((&stale["alt"], &stale["busy"]), (&json!("Handwriting: quick words"), &json!("false")));
    assert_eq!(stale["spinner"], false);
    let messages = &seen["messages"];
    assert_eq!(messages["copied"], "The program was copied.", "a message outlasts the preview after it");
    assert_eq!(messages["focus"], json!(["copy", "download", "download"]), "the focus stays on the button that worked");
    assert!(messages["png"].as_str().unwrap().starts_with("hello.png was downloaded"), "{messages}");
    assert!(messages["outlines"].as_str().unwrap().starts_with("hello-outlines.pdf was downloaded"), "{messages}");
    assert!(
        messages["refused"].as_str().unwrap().contains("“More pages (PDF)” needs"),
        "a refusal outlasts it too: {messages}"
    );
    assert_eq!(
        (&messages["in_view"], &messages["preview_in_view"]),
        (&json!(true), &json!(true)),
        "errors are in view"
    );
    assert_eq!(messages["linked"], json!(["overflow", true, true]), "the summary leads to the field");
    assert_eq!(messages["mended"], json!([true, ""]), "what is changed is no longer wrong");
    assert_eq!(messages["stale"][0], true, "a picture of another request says so: {messages}");
    assert!(messages["stale"][1].as_str().unwrap().contains("not up to date"), "{messages}");
    assert_eq!(messages["fresh"], true);
    let named = seen["writing_warning"].as_str().unwrap();
    assert!(named.contains("“Smoothness, sigma”"), "a warning stands at its field: {named}");
    let images = Command::new("pdfimages").arg("-list").arg(place.join("outlines")).output().unwrap();
    assert_eq!(String::from_utf8(images.stdout).unwrap().lines().count(), 2, "outlines are no image");

    let unreachable = &seen["unreachable"];
    assert_eq!(unreachable["preview"]["tries"], 3, "a preview that found no service is asked again: {unreachable}");
    assert!(unreachable["preview"]["told"].as_str().unwrap().contains("Trying again in 1 s (3 of 4)"), "{unreachable}");
    assert_eq!(unreachable["download"], json!(["patience.png", 2]));
    let given_up = &unreachable["given_up"];
    assert_eq!((&given_up["tries"], &given_up["stale"]), (&json!(4), &json!(true)), "{given_up}");
    assert!(given_up["said"].as_str().unwrap().contains("does not answer"), "{given_up}");
    assert_eq!(unreachable["mended"], json!([true, "", true]), "{unreachable}");
    assert_eq!(unreachable["complaints"], json!([]));
    let key = &seen["key"];
    assert!(key["said"].as_str().unwrap().contains("invalid API key format"), "{key}");
    assert_eq!((&key["asked"], &key["mended"], &key["stored"]), (&json!("key"), &json!(true), &json!(false)));

    let shown: Vec<&str> = seen["fields"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    // A file has its format, an address is a text box that keeps its lines, and artwork and sides have a test of their own.
    let elsewhere = ["output_format", "generation_type", "artwork", "sides"];
    for field in fields().iter().filter(|field| !elsewhere.contains(&field.name)) {
        assert!(shown.contains(&field.name) || !field.kind.members().is_empty(), "{} is not on the page", field.name);
        for member in field.kind.members() {
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
