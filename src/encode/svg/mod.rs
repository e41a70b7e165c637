//! A page of paths into an SVG file.
//!
//! Input: a [`VectorPage`], the exact size of the paper, and what each group holds. Output: the bytes of an
//! SVG 1.1 file in millimetres, with `<path>` in `<g>` alone: no transforms, styles or references, which cutters and
//! plotters often cannot read. `path_data` writes the paths. Equal input gives equal bytes.

mod path_data;

use std::fmt::Write as _;

use super::color::on_screen;
use crate::geometry::Size;
use crate::spec::{DrawnRules, Rgb, SvgGroups};
use crate::units::Mm;
use crate::vector::{VectorPage, VectorWord, VectorWriting};
use path_data::{STEPS_PER_MM, append_millimetres, path_data};

/// The colour of paper, with which fading ink is mixed.
const PAPER: Rgb = Rgb([255; 3]);

/// The file of one page on paper of this size. Paths are filled, or lines of the pen of their writing.
#[must_use]
pub fn encode_svg(page: &VectorPage, paper: Size<Mm>, group_by: SvgGroups) -> Vec<u8> {
    let mut file = String::new();
    let [width, height] = [paper.width, paper.height].map(millimetres);
    // Writing to a string does not fail.
    let _ = writeln!(
        file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" \
         width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\">"
    );
    if let Some(rules) = &page.rules {
        append_rules(rules, &mut file);
    }
    let brushes: Vec<Brush> = page.writings.iter().map(Brush::of).collect();
    let writings = || brushes.iter().zip(&page.writings);
    match group_by {
        SvgGroups::Page => {
            let parts: Vec<(&Brush, &[VectorWord])> =
                writings().map(|(brush, writing)| (brush, writing.words.as_slice())).collect();
            append_group("page", &parts, &mut file);
        }
        SvgGroups::Line => {
            let lines = writings().flat_map(|(brush, writing)| {
                writing.lines.iter().map(move |line| (brush, writing.words.get(line.clone())))
            });
            for (number, (brush, words)) in (1..).zip(lines) {
                append_group(&format!("line-{number}"), &[(brush, words.unwrap_or_default())], &mut file);
            }
        }
        SvgGroups::Word => {
            let words = writings().flat_map(|(brush, writing)| writing.words.iter().map(move |word| (brush, word)));
            for (number, (brush, word)) in (1..).zip(words) {
                append_group(&format!("word-{number}"), &[(brush, std::slice::from_ref(word))], &mut file);
            }
        }
    }
    file.push_str("</svg>\n");
    file.into_bytes()
}

/// How the paths of a writing are painted.
#[derive(PartialEq)]
struct Brush {
    /// The colours of its ink by strength.
    colors: Vec<String>,
    /// The attributes of its pen; `None` where paths are filled.
    pen: Option<String>,
}

impl Brush {
    fn of(writing: &VectorWriting) -> Self {
        let colors = on_screen(writing.ink, PAPER).into_iter().map(hexadecimal).collect();
        let pen = writing.pen.map(|width| {
            format!("stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", millimetres(width))
        });
        Self { colors, pen }
    }

    /// The attributes of a path with ink of this strength.
    fn attributes(&self, strength: u8) -> String {
        let color = self.colors.get(usize::from(strength)).map_or("", String::as_str);
        match &self.pen {
            None => format!("fill=\"{color}\""),
            Some(pen) => format!("fill=\"none\" stroke=\"{color}\" {pen}"),
        }
    }
}

/// A group of words with their brushes. It has the attributes of solid ink of its first brush; paths that differ have
/// their own.
fn append_group(id: &str, parts: &[(&Brush, &[VectorWord])], file: &mut String) {
    let Some((first, _)) = parts.first() else { return };
    let _ = writeln!(file, "<g id=\"{id}\" {}>", first.attributes(u8::MAX));
    for (brush, words) in parts {
        for path in words.iter().flat_map(|word| &word.paths) {
            let data = path_data(&path.shape.path());
            let _ = if path.ink == u8::MAX && brush == first {
                writeln!(file, "<path d=\"{data}\"/>")
            } else {
                writeln!(file, "<path {} d=\"{data}\"/>", brush.attributes(path.ink))
            };
        }
    }
    file.push_str("</g>\n");
}

/// The drawn rules, as a group of their own below the writing.
fn append_rules(rules: &DrawnRules, file: &mut String) {
    let [left, right, thickness] = [rules.left, rules.right, rules.thickness].map(|length| millimetres(length.to_mm()));
    let color = hexadecimal(rules.color.0);
    let _ = writeln!(file, "<g id=\"rules\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{thickness}\">");
    for height in &rules.heights {
        let _ = writeln!(file, "<path d=\"M{left} {0}H{right}\"/>", millimetres(height.to_mm()));
    }
    file.push_str("</g>\n");
}

/// A length to a thousandth of a millimetre.
fn millimetres(length: Mm) -> String {
    let mut text = String::new();
    append_millimetres((length.get() * STEPS_PER_MM).round() as i64, &mut text);
    text
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
