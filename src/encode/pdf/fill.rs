//! What is filled: its colour, and drawn rules as boxes, so that all renderers give them the same thickness.

use pdf_writer::Content;

use super::boxes::{PageBoxes, number};
use crate::encode::color::FillColor;
use crate::spec::DrawnRules;
use crate::units::{PT_PER_INCH, Pt, Px};

/// Fills the rules with this colour.
pub(super) fn paint_rules(content: &mut Content, boxes: &PageBoxes, rules: &DrawnRules, color: FillColor) {
    let pt = |length: Px| Pt::new(length.get() * PT_PER_INCH / 300.0);
    set_fill(content, color);
    let (left, width) = (number(boxes.trim.min.x + pt(rules.left)), number(pt(rules.right - rules.left)));
    let thickness = pt(rules.thickness);
    for height in &rules.heights {
        let below = boxes.trim.max.y - pt(*height) - Pt::new(thickness.get() / 2.0);
        content.rect(left, number(below), width, number(thickness)).fill_nonzero();
    }
}

/// Sets the colour of what is filled next.
pub(super) fn set_fill(content: &mut Content, color: FillColor) {
    match color {
        FillColor::Gray(light) => content.set_fill_gray(light),
        FillColor::Rgb([red, green, blue]) => content.set_fill_rgb(red, green, blue),
        FillColor::Cmyk([cyan, magenta, yellow, black]) => content.set_fill_cmyk(cyan, magenta, yellow, black),
    };
}
