//! A page of paths into an SVG file.
//!
//! Input: a [`VectorPage`], the exact size of the paper, the ink, and what each group holds. Output: the bytes of an
//! SVG 1.1 file in millimetres, with `<path>` in `<g>` alone: no transforms, styles or references, which cutters and
//! plotters often cannot read. `path_data` writes the paths. Equal input gives equal bytes.

mod path_data;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::color::on_screen;
use crate::geometry::Size;
use crate::spec::{DrawnRules, Rgb, SvgGroups};
use crate::units::Mm;
use crate::vector::{VectorPage, VectorWord};
use path_data::{STEPS_PER_MM, append_millimetres, path_data};

/// The colour of paper, with which fading ink is mixed.
const PAPER: Rgb = Rgb([255; 3]);

/// The file of one page on paper of this size. Paths are filled, or lines of a pen: that of
/// each word, or `pen` for all.
#[must_use]
pub fn encode_svg(page: &VectorPage, paper: Size<Mm>, pen: Option<Mm>, group_by: SvgGroups) -> Vec<u8> {
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
    let mut inks: BTreeMap<[u8; 3], Vec<String>> = BTreeMap::new();
    for word in &page.words {
        inks.entry(word.color.0).or_insert_with(|| on_screen(word.color, PAPER).into_iter().map(hexadecimal).collect());
    }
    let paint = |word: &VectorWord, ink: u8| {
        let solid = inks.get(&word.color.0).map_or("", |colors| color(colors, ink));
        match word.pen.map(|own| millimetres(pen.unwrap_or(own))) {
            None => format!("fill=\"{solid}\""),
            Some(width) => format!(
                "fill=\"none\" stroke=\"{solid}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
                 stroke-linejoin=\"round\""
            ),
        }
    };
    let mut group = |kind: &str, number: Option<usize>, words: &[VectorWord]| {
        let number = number.map(|number| format!("-{number}")).unwrap_or_default();
        let of_group = words.first().map_or_else(|| "fill=\"#000000\"".to_owned(), |word| paint(word, u8::MAX));
        let _ = writeln!(file, "<g id=\"{kind}{number}\" {of_group}>");
        for (word, path) in words.iter().flat_map(|word| word.paths.iter().map(move |path| (word, path))) {
            let data = path_data(&path.shape.path());
            let own = paint(word, path.ink);
            let _ = if own == of_group {
                writeln!(file, "<path d=\"{data}\"/>")
            } else {
                writeln!(file, "<path {own} d=\"{data}\"/>")
            };
        }
        file.push_str("</g>\n");
    };
    match group_by {
        SvgGroups::Page => group("page", None, &page.words),
        SvgGroups::Line => {
            for (number, words) in (1..).zip(&page.lines) {
                group("line", Some(number), page.words.get(words.clone()).unwrap_or_default());
            }
        }
        SvgGroups::Word => {
            for (number, word) in (1..).zip(&page.words) {
                group("word", Some(number), std::slice::from_ref(word));
            }
        }
    }
    file.push_str("</svg>\n");
    file.into_bytes()
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

fn color(colors: &[String], ink: u8) -> &str {
    colors.get(usize::from(ink)).map_or("", String::as_str)
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
