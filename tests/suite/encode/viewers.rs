//! Our PNG means the same to three decoders that share no code: libpng, Pillow and the `png` crate.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::oracle::ask;
use crate::pages::rendered::{Pictures, render};

/// What stresses the encoder: no ink to speak of, much ink, colour, 600 DPI, pages that are no multiple of a tile.
fn requests() -> Vec<Value> {
    let text = "It was the best of times, it was the worst of times. ".repeat(24);
    vec![
        json!({"text": ".", "font_size": 12}),
        json!({"text": text}),
        json!({"text": text, "font_id": 41, "text_color": [255, 0, 7]}),
        json!({"text": "Dear Ann,\n\nthank you.", "font_id": 3, "page_size": "card_96x135", "dpi": 600}),
        json!({"text": text, "text_color": [255, 0, 7], "png_format": "indexed"}),
        json!({"text": "W", "font_size": 400, "font_id": 35, "page_size": "envelope_monarch", "margin_left": 0,
               "margin_right": 0, "margin_top": 0, "margin_bottom": 0}),
    ]
}

/// SHA-256 of the RGBA bytes as the `png` crate decodes them, in hexadecimal; `None` where it refuses.
fn by_png_crate(bytes: &[u8]) -> Option<String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    reader.finish().ok()?;
    Some(hex(&Sha256::digest(pixels.get(..frame.buffer_size())?)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn three_decoders_see_the_same_pixels() {
    let mut pictures = Pictures::new();
    let files: Vec<Vec<u8>> = requests().iter().map(|request| render(request).bytes).collect();
    let paths: Vec<_> = files.iter().map(|bytes| pictures.add_bytes(bytes)).collect();
    let answers = ask("png_decoders.py", &json!(paths));
    for (index, (bytes, answer)) in files.iter().zip(answers.as_array().unwrap()).enumerate() {
        let ours = json!(by_png_crate(bytes).expect("the png crate decodes our picture"));
        assert_eq!(answer["libpng"], ours, "picture {index}: {}", answer["libpng_message"]);
        assert_eq!(answer["pillow"], ours, "picture {index}: {}", answer["pillow_message"]);
        assert_eq!(answer["libpng_message"], "", "libpng has a remark on picture {index}");
    }
}

#[test]
fn a_damaged_picture_is_refused_by_all_three() {
    let mut pictures = Pictures::new();
    let mut bytes = render(&requests()[3]).bytes;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    let answer = &ask("png_decoders.py", &json!([pictures.add_bytes(&bytes)]))[0];
    let sound = &ask("png_decoders.py", &json!([pictures.add(&requests()[3])]))[0];
    assert_ne!(answer["libpng"], sound["libpng"]);
    assert_ne!(answer["pillow"], sound["pillow"]);
    assert_eq!(by_png_crate(&bytes), None);
}
