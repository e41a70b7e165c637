//! Seven doors for what comes from outside, against every input in `tests/corpus/` and mutants of them.
//!
//! An input that once failed is kept as a file of its target's folder and is tried on every run. Mutants are drawn anew
//! each time; a failure tells the smallest input found that fails, and the seed that repeats it. `cargo bolero test`
//! runs the same targets under a fuzzer that is guided by coverage.

mod corpus;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use longhand::access::ApiKey;
use longhand::artwork::Artwork;
use longhand::catalogue::{FontFace, FontFile, FontId};
use longhand::layout::LayoutError;
use longhand::own_fonts::{examine, plain_font};
use longhand::own_hand::{pictures_in, read_page};
use longhand::spec::{Endpoint, Overflow, RenderSpec, parse_value};
use serde_json::json;

use self::corpus::Corpus;
use crate::access::rate_limit::next_random;
use crate::http::harness::{Settings, Site};
use crate::layout::pages::{CATALOGUE, assert_inside, lay_out_pages};
use crate::spec::any_input::assert_answered;

#[test]
fn what_fails_is_told() {
    let keys = |word: &'static [&'static str]| Corpus::of("key", 8, word);
    let found = catch_unwind(|| keys(&["#"]).try_all(bolero::check!(), |bytes| assert!(bytes.is_ascii())));
    let message = found.expect_err("the corpus has what is not ASCII").downcast::<String>().unwrap();
    assert!(message.starts_with("tests/corpus/key/") && message.ends_with(" fails"), "{message}");
    catch_unwind(|| keys(&["#"]).try_all(bolero::check!(), |bytes| assert!(!bytes.contains(&b'#'))))
        .expect_err("only mutants have a #");
}

#[test]
fn any_body_is_a_request_or_told_why_not() {
    const WORDS: [&str; 23] = [
        "\"text\":",
        "\"pdf\":{",
        "\"font_size\":",
        "\"seed\":",
        "\"text_color\":[",
        "null",
        "true",
        "\"auto\"",
        "1e309",
        "-0.0",
        "1E-400",
        "18446744073709551616",
        "\\u0000",
        "\\ud800",
        "\\udfff",
        "\u{feff}",
        "[[[[[[[[",
        "{\"a\":",
        "}",
        "]",
        ",",
        "\u{0}",
        "\u{10ffff}",
    ];
    Corpus::of("request", 15, &WORDS).try_all(bolero::check!(), |body| {
        assert_answered(body, Endpoint::Generate);
        assert_answered(body, Endpoint::Preview);
    });
}

#[test]
fn any_text_is_a_key_only_if_it_is_one_to_the_last_character() {
    /// The keys of the corpus that are right.
    const VALID: [&str; 2] = ["lh_0000000000000000000000000000000K6oFL", "lh_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz2Zfh7I"];
    const WORDS: [&str; 9] = ["lh_", "LH_", "é", "\u{0}", " ", "\n", "000000", "İ", "\u{202e}"];
    Corpus::of("key", 8, &WORDS).try_all(bolero::check!(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let parsed = ApiKey::parse(&text).map(|key| key.reveal().to_owned());
        // That a mutant has the right checksum by chance has a probability of 2^-32.
        assert_eq!(parsed.is_ok(), VALID.contains(&text.as_ref()), "{text:?}");
        assert!(parsed.is_err() || parsed.as_deref() == Ok(&text), "{text:?}");
    });
}

#[test]
fn any_text_is_laid_out_inside_the_margins_or_told_why_not() {
    const WORDS: [&str; 31] = [
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        " ",
        "\u{a0}",
        "\u{ad}",
        "\u{200b}",
        "\u{200d}",
        "\u{200f}",
        "\u{202e}",
        "\u{2067}",
        "\u{2069}",
        "\u{fe0f}",
        "\u{301}",
        "\u{345}",
        "\u{1f468}\u{200d}\u{1f469}",
        "שלום",
        "سلام",
        "नमस्ते",
        "ครับ",
        "日本",
        "한",
        "ffi",
        "ﬁ",
        "\u{1100}\u{1161}",
        "\u{fdfa}",
        "\u{1d15f}",
        "\u{2028}",
        "\u{85}",
        "\u{0}",
    ];
    Corpus::of("layout", 15, &WORDS).try_all(bolero::check!(), |bytes| {
        let text: String = String::from_utf8_lossy(bytes).chars().take(2_000).collect();
        if !text.is_empty() {
            assert_laid_out(&drawn_spec(&text));
        }
    });
}

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (next_random(&mut self.0) % bound as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A specification for `text` whose every other part is drawn from the text itself, so that the text alone repeats it.
fn drawn_spec(text: &str) -> RenderSpec {
    let mut random = Random(u64::from(crc32fast::hash(text.as_bytes())));
    let font_size = if random.below(3) == 0 { json!("auto") } else { json!(12 + random.below(389)) };
    let body = json!({
        "text": text,
        "font_id": 1 + random.below(90),
        "font_size": font_size,
        "max_auto_font_size": 20 + random.below(381),
        "page_size": random.of(&["a4", "a6", "card_a2", "dl", "square_5x5", "envelope_monarch"]),
        "orientation": random.of(&["portrait", "landscape"]),
        "line_height_multiplier": 0.5 + random.below(36) as f64 / 10.0,
        "line_break_spacing": random.of(&[None, Some(0), Some(500)]),
        "margin_left": random.below(560),
        "margin_right": random.below(560),
        "margin_top": random.below(560),
        "margin_bottom": random.below(560),
        "word_spacing": random.of(&[0, 0, 20, 3000]),
        "text_alignment": random.of(&["left", "center", "right"]),
        "vertical_alignment": random.of(&["top", "center", "bottom"]),
        "ruling": random.of(&[json!(null), json!("de_8mm"), json!({"pitch": 60, "first_baseline": 500, "draw": true})]),
        "kerning": random.of(&[true, false]),
        "overflow": random.of(&["error", "shrink", "clip"]),
        "seed": random.below(1000),
        "keep_lines": random.of(&[true, false]),
    });
    let mut spec = parse_value(&body, Endpoint::Generate, || 0).unwrap();
    if random.below(4) == 0 {
        spec.overflow = Overflow::Paginate;
    }
    spec
}

fn assert_laid_out(spec: &RenderSpec) {
    match lay_out_pages(spec, &CATALOGUE) {
        Ok(pages) => {
            assert!(!pages.is_empty());
            assert!(pages.len() == 1 || spec.overflow == Overflow::Paginate);
            for page in &pages {
                assert_inside(page, spec);
                assert!(page.lines.iter().all(|line| line.baseline.get().is_finite()));
            }
        }
        Err(LayoutError::TextOverflow { characters_that_fit, largest_size_that_fits }) => {
            assert!(characters_that_fit < spec.text.chars().count(), "{spec:?}");
            assert!(largest_size_that_fits.is_none_or(|size| (12..400).contains(&size)));
        }
        Err(LayoutError::UnsupportedCharacters(characters)) => {
            assert!(!characters.is_empty());
            for unsupported in characters {
                assert_eq!(spec.text.chars().nth(unsupported.position), Some(unsupported.character));
            }
        }
        Err(LayoutError::UnusableFont(font)) => panic!("the font {font:?} of the catalogue is not usable"),
        Err(LayoutError::Stopped(stopped)) => panic!("{stopped}"),
    }
}

#[test]
fn any_file_is_a_font_or_told_why_not() {
    const WORDS: [&str; 10] =
        ["glyf", "loca", "cmap", "GSUB", "CFF ", "head", "\u{0}\u{1}\u{0}\u{0}", "OTTO", "\u{0}", "~"];
    Corpus::of("font", 7, &WORDS).try_all(bolero::check!(), |file| {
        let found = examine(file.to_vec());
        assert_eq!(found.measures.is_none(), !found.problems.is_empty(), "{found:?}");
        if let Some(measures) = found.measures {
            let font = plain_font(1001, "x".to_owned(), measures, FontFile::keep(file.to_vec()));
            let catalogue = CATALOGUE.with_operator_fonts([Arc::new(FontFace::of_operator(font).unwrap())]);
            let spec = RenderSpec { font: FontId::new(1001).unwrap(), ..crate::layout::pages::spec("Dear Ada, 123") };
            if let Ok(page) = lay_out_pages(&spec, &catalogue) {
                assert!(
                    page.iter().flat_map(longhand::layout::PageLayout::glyphs).all(|glyph| glyph
                        .origin
                        .x
                        .get()
                        .is_finite())
                );
            }
        }
    });
}

#[test]
fn any_picture_is_a_page_or_told_why_not() {
    const WORDS: [&str; 14] = [
        "Exif\u{0}\u{0}",
        "IHDR",
        "IDAT",
        "PLTE",
        "IEND",
        "%PDF-1.7",
        "endstream\nendobj",
        "1 0 obj << /Subtype /Image /Filter /DCTDecode /Width 900 /Height 900 >> stream\n",
        "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 3 /Columns 900 >> ",
        "/Filter [ /CCITTFaxDecode ] /DecodeParms [ << /K -1 /Columns 900 /BlackIs1 true >> ] ",
        "/ColorSpace [ /Indexed 1 0 R 255 1 0 R ] /Decode [ 1 0 ] /ImageMask true ",
        "\u{0}",
        "\u{0}\u{0}\u{7}\u{7f}",
        "~",
    ];
    Corpus::of("picture", 10, &WORDS).try_all(bolero::check!(), |file| {
        let Ok(pictures) = pictures_in("picture", file.to_vec()) else { return };
        for (_, picture) in pictures {
            match read_page(&picture, &CATALOGUE) {
                Ok(page) => assert!(page.boxes.len() <= 156 && page.map.scale.is_finite() && page.ink.pen.is_finite()),
                Err(refusal) => assert!(!refusal.to_string().is_empty()),
            }
        }
    });
}

#[test]
fn any_list_is_a_job_or_told_why_not() {
    const WORDS: [&str; 14] = [
        "name",
        "\"",
        "\"\"",
        ",",
        ";",
        "\t",
        "\n",
        "\r\n",
        "sep=;\n",
        "{\"name\":",
        "{name}",
        "\u{feff}",
        "\u{0}",
        "PK\u{3}\u{4}",
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let site = Site::open();
    let head = br#"{"request":{"text":"Dear {name}"},"output":{"name":"{row}"},"table":{"allow_empty":true}}"#;
    let answer = |list: &[u8]| {
        // Rate limits are not what is tried.
        site.clock.advance(Duration::from_secs(60));
        let part = |name: &str, bytes: &[u8]| {
            let start = format!("--fuzz-of-lists\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            [start.as_bytes(), bytes, b"\r\n"].concat()
        };
        let body = [part("job", head), part("rows", list), b"--fuzz-of-lists--\r\n".to_vec()].concat();
        let request = site.request(Method::POST, "/api/v1/jobs");
        let request = request.header("content-type", "multipart/form-data; boundary=fuzz-of-lists");
        runtime.block_on(site.send(request.body(Body::from(body)).unwrap()))
    };
    assert_eq!(answer(b"name\nAnn\n").json()["rows"], 1);
    let check = AssertUnwindSafe(|list: &[u8]| {
        let answer = answer(list);
        let said = answer.json();
        match answer.status.as_u16() {
            202 => assert!(said["rows"].as_u64().unwrap() > 0, "{said}"),
            422 => assert!(!said["details"].as_array().unwrap().is_empty(), "{said}"),
            _ => panic!("{answer:?}"),
        }
    });
    Corpus::of("list", 12, &WORDS).try_all(bolero::check!(), move |list| check(list));
}

#[test]
fn any_artwork_is_kept_or_told_why_not() {
    const WORDS: [&str; 14] = [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">",
        "<use href=\"#a\"/>",
        "<image href=\"data:image/png;base64,iVBORw0KGgo=\"/>",
        "width=\"1e38\"",
        "&#0;",
        "NaN",
        "%PDF-1.7",
        "/MediaBox [0 0 1e9 1e9]",
        "/F Do",
        "0 0 0 1 k",
        "endstream endobj",
        "IDAT",
        "Exif\u{0}\u{0}",
        "\u{0}",
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let site = Site::of(&Settings { keeps_artwork: true, ..Settings::default() });
    let ask = |method: Method, path: &str, bytes: &[u8]| {
        // Rate limits are not what is tried.
        site.clock.advance(Duration::from_secs(60));
        let request = site.request(method, path).header("content-type", "application/octet-stream");
        runtime.block_on(site.send(request.body(Body::from(bytes.to_vec())).unwrap()))
    };
    let check = AssertUnwindSafe(|file: &[u8]| {
        let answer = ask(Method::POST, "/api/v1/artwork", file);
        let said = answer.json();
        match answer.status.as_u16() {
            200 => {
                let artwork = Artwork::read(file.to_vec()).unwrap();
                assert_eq!(artwork.id().to_string(), said["id"].as_str().unwrap());
                artwork.pixels().unwrap();
                let kept = ask(Method::DELETE, &format!("/api/v1/artwork/{}", artwork.id()), b"");
                assert_eq!(kept.status.as_u16(), 200, "{kept:?}");
            }
            422 => assert!(!said["details"][0]["message"].as_str().unwrap().is_empty(), "{said}"),
            _ => panic!("{answer:?}"),
        }
    });
    Corpus::of("artwork", 15, &WORDS).try_all(bolero::check!(), move |file| check(file));
}
