//! The words on the sheet, as outlines of letters: the file needs no fonts, and the reader knows what they cover.

use super::form::SheetForm;
use super::places::{BOX_HEIGHT, ORIGIN, box_origin};
use super::sheet_page::SheetPage;
use super::texts;
use crate::catalogue::{FontCatalogue, FontFace, FontId, OutlineCommand};
use crate::geometry::polygons;

/// The hands of the labels, upright and plain: one that has most characters, and one for the others.
const HANDS: [&str; 2] = ["delius", "patrick-hand"];
/// Sizes of the label of a box, of the word beside it, of the text of a line, of the heading and of instructions.
const LABEL: f64 = 3.4;
const NAME: f64 = 1.8;
const LINE: f64 = 3.0;
const HEADING: f64 = 4.2;
const SMALL: f64 = 2.6;
/// Where label and word begin, from the box's corner.
const LABEL_AT: [f64; 2] = [0.9, 3.2];
const NAME_AT: [f64; 2] = [8.1, 2.9];
/// Where the text of a line begins, from the line's corner.
const LINE_AT: [f64; 2] = [1.0, 4.0];
/// Where heading, instructions and the word on joined hands stand, and the foot.
const HEADING_AT: [f64; 2] = [22.0, 20.2];
const JOINED_AT: [f64; 2] = [112.0, 20.2];
const INSTRUCTIONS_AT: [f64; 2] = [22.0, 24.2];
const FOOT_AT: [f64; 2] = [22.0, 278.0];
/// What is covered beside and below a label, above the top of its letters and by the letters themselves, as shares of the
/// size.
const TALLEST: f64 = 0.86;
const DEEPEST: f64 = 0.3;

const ON_BOXES: &str = "Write each sign once on the dotted line, at your usual size and speed, with your usual pen. Fill \
                        its circle to drop a box.";
const ON_LINES: &str = "Copy each line below its words, as you would write a letter. Do not squeeze. If a line does not \
                        fit, leave out its last words.";
const ON_JOINED: &str = "Joined hand: begin and end each letter as within a word.";
const ON_PICTURES: &str = "Photograph the whole page from above, in even light, or scan it in colour at 300 dpi.";

/// A word on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) text: String,
    /// Where its baseline begins.
    pub(super) at: [f64; 2],
    /// Size of its em.
    pub(super) size: f64,
}

/// The fonts of labels.
pub(in crate::own_hand) struct LabelFont<'a>(&'a FontCatalogue);

impl<'a> LabelFont<'a> {
    pub(in crate::own_hand) const fn new(catalogue: &'a FontCatalogue) -> Self {
        Self(catalogue)
    }

    /// The hand of the labels for a character.
    fn face(&self, character: char) -> &'a FontFace {
        let of_slug = |slug: &str| self.0.faces().find(|face| face.slug() == slug && face.has(character));
        HANDS.into_iter().find_map(of_slug).unwrap_or_else(|| self.0.face(FontId::DEFAULT))
    }

    /// The advance of a text, in ems.
    fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    fn advance(&self, character: char) -> f64 {
        let face = self.face(character);
        f64::from(face.advance(character).unwrap_or_default()) / f64::from(face.units_per_em())
    }

    /// The outlines of a label's letters, each with its origin and the size of a font unit.
    pub(super) fn outlines(&self, label: &Label) -> Vec<(Vec<OutlineCommand>, [f64; 2], f64)> {
        let mut x = label.at[0];
        let mut outlines = Vec::new();
        for character in label.text.chars() {
            let face = self.face(character);
            let unit = label.size / f64::from(face.units_per_em());
            if let Some(outline) = face.glyph_for(character).and_then(|glyph| face.outline(glyph)) {
                outlines.push((outline.commands, [x, label.at[1]], unit));
            }
            x += self.advance(character) * label.size;
        }
        outlines
    }

    /// The letters of a text as polygons, at a place and of a size, y downwards.
    pub(in crate::own_hand) fn polygons(&self, text: &str, at: [f64; 2], size: f64) -> Vec<Vec<Vec<[f64; 2]>>> {
        let of_letter = |(commands, [x, y], unit): (Vec<OutlineCommand>, [f64; 2], f64)| {
            let contours = polygons(commands.into_iter().map(kurbo::PathEl::from), 0.02 / unit);
            let placed = |[right, up]: [f64; 2]| [x + right * unit, y - up * unit];
            contours.into_iter().map(|contour| contour.into_iter().map(placed).collect()).collect()
        };
        self.outlines(&Label { text: text.to_owned(), at, size }).into_iter().map(of_letter).collect()
    }

    /// The boxes that labels of boxes or lines cover: left, top, right, bottom. Heading and foot are outside of all boxes.
    pub(in crate::own_hand) fn covered(&self, page: SheetPage) -> Vec<[f64; 4]> {
        let covered = |label: Label| {
            let ([x, y], size) = (label.at, label.size);
            [x - 0.2, y - TALLEST * size - 0.2, x + self.width(&label.text) * size + 0.2, y + DEEPEST * size]
        };
        labels(page).into_iter().map(covered).collect()
    }
}

/// The labels of the boxes and lines of a page.
fn labels(page: SheetPage) -> Vec<Label> {
    let at = |origin: [f64; 2], offset: [f64; 2]| [origin[0] + offset[0], origin[1] + offset[1]];
    let mut labels = Vec::new();
    for each in page.boxes() {
        let origin = box_origin(each.row, each.column);
        labels.push(Label { text: each.character.to_string(), at: at(origin, LABEL_AT), size: LABEL });
        let name = texts::name_of(each.character);
        if !name.is_empty() {
            labels.push(Label { text: name.to_owned(), at: at(origin, NAME_AT), size: NAME });
        }
    }
    let of_line = |line: super::SheetLine| Label {
        text: line.text.to_owned(),
        at: at([ORIGIN[0], ORIGIN[1] + line.row as f64 * BOX_HEIGHT], LINE_AT),
        size: LINE,
    };
    labels.extend(page.lines().map(of_line));
    labels
}

/// All words of a page of a form.
pub(super) fn all_labels(form: SheetForm, page: SheetPage) -> Vec<Label> {
    let number = page.number;
    let heading = if form.quick { format!("page {number} (of 1 and 3)") } else { format!("page {number} of 3") };
    let mut labels = labels(page);
    let mut add = |text: &str, at: [f64; 2], size: f64| labels.push(Label { text: text.to_owned(), at, size });
    add(&format!("Longhand sheet, {heading}"), HEADING_AT, HEADING);
    add(if page.has_lines() { ON_LINES } else { ON_BOXES }, INSTRUCTIONS_AT, SMALL);
    add(ON_PICTURES, FOOT_AT, SMALL);
    if form.joined {
        add(ON_JOINED, JOINED_AT, SMALL);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_hand::sheet::{BOX_WIDTH, VOID_CIRCLE};

    #[test]
    fn words_fit_where_they_stand() {
        let catalogue = FontCatalogue::load().unwrap();
        let font = LabelFont::new(&catalogue);
        for page in SheetPage::ALL {
            for quick in [false, true] {
                for label in all_labels(SheetForm { joined: page.joined, quick, letter: false }, page) {
                    let end = label.at[0] + font.width(&label.text) * label.size;
                    let most = if label.size > LABEL { JOINED_AT[0] - 2.0 } else { 199.0 };
                    assert!(end < most, "{label:?} ends at {end}");
                    assert!(label.text.chars().all(|each| font.face(each).has(each)), "{label:?}");
                }
            }
            for each in page.boxes() {
                let width = |text: &str, size: f64| font.width(text) * size;
                let ([circle, _], radius) = VOID_CIRCLE;
                let own = LABEL_AT[0] + width(&each.character.to_string(), LABEL);
                assert!(own < circle - radius, "{each:?}: {own}");
                let name = NAME_AT[0] + width(texts::name_of(each.character), NAME);
                assert!(name < BOX_WIDTH - 0.1, "{each:?}: {name}");
            }
        }
    }
}
