//! Specimens: a picture of one font, a sheet of all fonts, and a picture of a client's words in all fonts.
//!
//! Their layouts are built directly: two lines fitted into a box; the sheet has ninety such boxes, and so has the
//! picture of words, with one line each.

use crate::catalogue::{FontCatalogue, FontFace, FontId, FontNames, FontRecord};
use crate::geometry::{Point, Rect, Size};
use crate::layout::{LayoutError, PageLayout, PlacedGlyph, PlacedWord, lay_out};
use crate::spec::{Alignment, Effects, Margins, Orientation, PageFormat, PageSize, RenderSpec, WriterVariation};
use crate::units::Px;
use crate::work::{IsWanted, Stopped};

/// Size of a specimen.
const SPECIMEN: Size<Px> = Size { width: Px::new(1200.0), height: Px::new(300.0) };
/// White kept around a specimen's ink.
const PADDING: Px = Px::new(24.0);

/// The first line: all letters that the second one lacks.
const FIRST_LINE: &str = "The quick brown fox";
/// The second line of a font that writes Latin only.
const SECOND_LINE: &str = "jumps over 13 lazy dogs.";
/// The second line of a font by the script that it writes besides Latin; Hangul and Kanji fonts are named by these.
const OTHER_SCRIPTS: [(&str, &str); 8] = [
    ("Kanji", "いろはにほへと 春夏秋冬"),
    ("Hangul", "다람쥐 헌 쳇바퀴에 타고파"),
    ("Devanagari", "नमस्ते, आप कैसे हैं?"),
    ("Malayalam", "നമസ്കാരം, സുഖമാണോ?"),
    ("Thai", "สวัสดี ขอบคุณมาก"),
    ("Hebrew", "דג סקרן שט בים מאוכזב"),
    ("Cyrillic", "Съешь ещё этих булок, 13!"),
    ("Greek", "Ξεσκεπάζω την ψυχή, 13."),
];

/// The sheet of the ninety fonts: ISO A3, upright, five columns of eighteen. It grows downwards for an operator's
/// fonts.
pub(super) const SHEET: PageFormat = PageFormat { size: PageSize::A3, orientation: Orientation::Portrait };
const COLUMNS: usize = 5;
const ROWS: usize = 18;
/// White kept at the edges of the sheet.
const SHEET_MARGIN: Px = Px::new(100.0);
/// White between cells.
const GUTTER: Px = Px::new(40.0);
/// Size of the em of the line that names a font, and the height kept for it.
const LABEL: Px = Px::new(44.0);
/// The font that names the others: an upright print.
const LABEL_FONT: u16 = 2;

/// Fonts side by side in the picture of a client's words.
const WORDS_COLUMNS: usize = 3;
/// Size of the box of each, and the white kept around its ink.
const WORDS_CELL: Size<Px> = Size { width: Px::new(480.0), height: Px::new(120.0) };
const WORDS_PADDING: Px = Px::new(12.0);

/// A client's words, for the picture of them in all fonts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecimenWords {
    /// One line of at most [`LONGEST`](Self::LONGEST) characters.
    pub text: String,
    /// Whether they are written with writer variation.
    pub varies: bool,
    /// The fonts in which they are written.
    pub fonts: FontNames,
}

impl SpecimenWords {
    /// Most characters of the words, which then fit one line in every font.
    pub const LONGEST: usize = 32;
}

/// A client's words in each of its fonts, as large as possible: boxes of 480 × 120 px, three side by side, in the order of the
/// list of fonts, row by row.
pub(super) fn words_in_all_fonts(
    words: &SpecimenWords,
    catalogue: &FontCatalogue,
    is_wanted: IsWanted<'_>,
) -> Result<PageLayout, LayoutError> {
    let mut placed = Vec::new();
    let faces: Vec<&FontFace> =
        catalogue.listed().filter(|face| words.fonts.iter().any(|(font, _)| font == face.id())).collect();
    for (number, face) in faces.iter().enumerate() {
        if !is_wanted() {
            return Err(Stopped::Unwanted.into());
        }
        let (column, row) = (number % WORDS_COLUMNS, number / WORDS_COLUMNS);
        let corner = Point::new(WORDS_CELL.width * column as f64, WORDS_CELL.height * row as f64);
        let written = written(&words.text, WRITTEN_WORDS, face.id(), words.varies, catalogue)?;
        placed.extend(fitted(written, inside(corner, WORDS_CELL, WORDS_PADDING), Anchor::Left));
    }
    let rows = faces.len().div_ceil(WORDS_COLUMNS);
    let size = Size { width: WORDS_CELL.width * WORDS_COLUMNS as f64, height: WORDS_CELL.height * rows as f64 };
    Ok(PageLayout { size, words: placed, ..PageLayout::default() })
}

/// A specimen of a font: two lines, as large as possible, centred; with writer variation if it `varies`.
pub(in crate::pipeline) fn specimen(
    font: FontId,
    varies: bool,
    catalogue: &FontCatalogue,
) -> Result<PageLayout, LayoutError> {
    let box_of_ink = inside(Point::default(), SPECIMEN, PADDING);
    let words = fitted(sample(font, varies, catalogue)?, box_of_ink, Anchor::Centre);
    Ok(PageLayout { size: SPECIMEN, words, ..PageLayout::default() })
}

/// Number, name and specimen of every font on one sheet.
pub(super) fn specimen_sheet(catalogue: &FontCatalogue) -> Result<PageLayout, LayoutError> {
    let least = SHEET.px();
    let cell = Size {
        width: (least.width - SHEET_MARGIN * 2.0 + GUTTER) / COLUMNS as f64 - GUTTER,
        height: (least.height - SHEET_MARGIN * 2.0 + GUTTER) / ROWS as f64 - GUTTER,
    };
    let rows = catalogue.faces().count().div_ceil(COLUMNS).max(ROWS);
    let size = Size { height: least.height + (cell.height + GUTTER) * (rows - ROWS) as f64, ..least };
    let label_font = FontId::new(LABEL_FONT).unwrap_or(FontId::DEFAULT);
    let mut words = Vec::new();
    for (number, face) in catalogue.listed().enumerate() {
        // Read down the columns.
        let (font, column, row) = (face.id(), number / rows, number % rows);
        let left = SHEET_MARGIN + (cell.width + GUTTER) * column as f64;
        let top = SHEET_MARGIN + (cell.height + GUTTER) * row as f64;
        let named = format!("{} {}", font.get(), face.name());
        let label = written(&named, WRITTEN, label_font, false, catalogue)?;
        words.extend(on_line(label, Point::new(left, top + LABEL * 0.8)));
        let below =
            Rect { min: Point::new(left, top + LABEL * 1.3), max: Point::new(left + cell.width, top + cell.height) };
        words.extend(fitted(sample(font, false, catalogue)?, below, Anchor::Left));
    }
    Ok(PageLayout { size, words, ..PageLayout::default() })
}

/// Font size at which texts are laid out before they are scaled and moved.
const WRITTEN: Px = Px::new(100.0);
/// The same for a client's words: so many of the widest letters fit a line.
const WRITTEN_WORDS: Px = Px::new(60.0);

/// The text of a font's specimen.
fn sample(font: FontId, varies: bool, catalogue: &FontCatalogue) -> Result<Vec<PlacedWord>, LayoutError> {
    let second = second_line(catalogue.face(font).record());
    written(&format!("{FIRST_LINE}\n{second}"), WRITTEN, font, varies, catalogue)
}

fn second_line(record: &FontRecord) -> &'static str {
    let writes = |script: &str| record.scripts.iter().any(|known| known == script);
    OTHER_SCRIPTS.iter().find(|(script, _)| writes(script)).map_or(SECOND_LINE, |(_, line)| line)
}

/// The words of a text, line by line, at any position.
fn written(
    text: &str,
    em: Px,
    font: FontId,
    varies: bool,
    catalogue: &FontCatalogue,
) -> Result<Vec<PlacedWord>, LayoutError> {
    let margin = Px::new(100.0);
    let spec = RenderSpec {
        page: PageFormat { size: PageSize::A3, orientation: Orientation::Landscape },
        line_height: 1.3,
        margins: Margins { left: margin, right: margin, top: margin, bottom: margin },
        // Also lines from right to left, so that the ink is no wider than its lines.
        alignment: Alignment::Left,
        effects: Effects {
            writer_variation: varies.then_some(WriterVariation { strength: 1.0 }),
            ..Effects::default()
        },
        ..RenderSpec::plain(text, font, em)
    };
    Ok(lay_out(&spec, catalogue)?.words)
}

/// The alignment of words that do not fill their box in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// In the middle.
    Centre,
    /// At the left edge, halfway up.
    Left,
}

/// The words scaled and moved so that their ink touches two opposite sides of `target` and stays inside the others.
fn fitted(words: Vec<PlacedWord>, target: Rect<Px>, anchor: Anchor) -> Vec<PlacedWord> {
    let Some(ink) = ink_of(&words) else { return words };
    let scale = (target.width() / ink.width()).min(target.height() / ink.height());
    let spare_width = match anchor {
        Anchor::Centre => (target.width() - ink.width() * scale) / 2.0,
        Anchor::Left => Px::ZERO,
    };
    let spare_height = (target.height() - ink.height() * scale) / 2.0;
    moved(words, ink.min, target.min + Point::new(spare_width, spare_height), scale)
}

/// A box of this size without the white at its edges.
fn inside(corner: Point<Px>, size: Size<Px>, white: Px) -> Rect<Px> {
    let max = corner + Point::new(size.width - white, size.height - white);
    Rect { min: corner + Point::new(white, white), max }
}

/// The words of one line in the size of a label, from `start` on its baseline.
fn on_line(words: Vec<PlacedWord>, start: Point<Px>) -> Vec<PlacedWord> {
    let (Some(ink), Some(first)) = (ink_of(&words), words.first()) else { return words };
    let from = Point::new(ink.min.x, first.pivot.y);
    moved(words, from, start, LABEL / WRITTEN)
}

fn ink_of(words: &[PlacedWord]) -> Option<Rect<Px>> {
    words.iter().flat_map(|word| &word.glyphs).map(|glyph| glyph.ink).reduce(Rect::union)
}

/// The words scaled by `scale` around `from`, and moved to `to`.
fn moved(words: Vec<PlacedWord>, from: Point<Px>, to: Point<Px>, scale: f64) -> Vec<PlacedWord> {
    let place = |point: Point<Px>| {
        let away = point - from;
        to + Point::new(away.x * scale, away.y * scale)
    };
    let glyph = |glyph: &PlacedGlyph| PlacedGlyph {
        em: glyph.em * scale,
        origin: place(glyph.origin),
        ink: Rect { min: place(glyph.ink.min), max: place(glyph.ink.max) },
        ..*glyph
    };
    let word = |word: PlacedWord| PlacedWord {
        pivot: place(word.pivot),
        glyphs: word.glyphs.iter().map(glyph).collect(),
        ..word
    };
    words.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_fills_its_specimen_and_writes_it_all_itself() {
        let catalogue = FontCatalogue::load().unwrap();
        for font in FontId::bundled() {
            let varied = specimen(font, true, &catalogue).unwrap();
            assert!(varied.words.iter().all(|word| word.letters.len() == word.glyphs.len()), "{font:?}");
            let layout = specimen(font, false, &catalogue).unwrap();
            let ink = ink_of(&layout.words).unwrap();
            let (left, right) = (ink.min.x, SPECIMEN.width - ink.max.x);
            let (top, bottom) = (ink.min.y, SPECIMEN.height - ink.max.y);
            let tightest = left.min(top);
            assert!((tightest.get() - PADDING.get()).abs() < 1e-6, "{font:?}: {ink:?}");
            assert!((left - right).get().abs() < 1e-6 && (top - bottom).get().abs() < 1e-6, "{font:?}: {ink:?}");
            assert!(layout.glyphs().all(|glyph| glyph.font == font), "{font:?} borrows letters");
            assert!(layout.glyphs().all(|glyph| glyph.em > Px::new(20.0)), "{font:?} is written small");
        }
    }

    #[test]
    fn a_font_of_another_script_shows_it() {
        let catalogue = FontCatalogue::load().unwrap();
        for (script, line) in OTHER_SCRIPTS {
            let shown = |font: &FontId| second_line(catalogue.face(*font).record()) == line;
            assert!(FontId::bundled().any(|font| shown(&font)), "nothing shows {script}");
        }
    }

    #[test]
    fn words_stand_in_the_box_of_each_font() {
        let catalogue = FontCatalogue::load().unwrap();
        let words = SpecimenWords { text: "W".repeat(SpecimenWords::LONGEST), varies: true, fonts: catalogue.names() };
        let layout = words_in_all_fonts(&words, &catalogue, &|| true).unwrap();
        assert_eq!((layout.size.width, layout.size.height), (Px::new(1440.0), Px::new(3600.0)));
        for (number, font) in catalogue.listed().map(FontFace::id).enumerate() {
            let glyphs: Vec<&PlacedGlyph> = layout.glyphs().filter(|glyph| glyph.font == font).collect();
            let ink = glyphs.iter().map(|glyph| glyph.ink).reduce(Rect::union).unwrap();
            let left = WORDS_CELL.width * (number % 3) as f64 + WORDS_PADDING;
            let top = WORDS_CELL.height * (number / 3) as f64;
            assert!((ink.min.x - left).get().abs() < 1e-6, "{font:?}: {ink:?}");
            assert!(ink.max.x <= left + WORDS_CELL.width - WORDS_PADDING, "{font:?}: {ink:?}");
            assert!(ink.min.y >= top && ink.max.y <= top + WORDS_CELL.height, "{font:?}: {ink:?}");
            let is_of_font = |word: &&PlacedWord| word.glyphs.iter().any(|glyph| glyph.font == font);
            assert_eq!(layout.words.iter().filter(is_of_font).count(), 1, "{font:?}");
        }
    }

    #[test]
    fn the_sheet_has_every_font_on_it_and_nothing_at_its_edges() {
        let catalogue = FontCatalogue::load().unwrap();
        let layout = specimen_sheet(&catalogue).unwrap();
        for font in FontId::bundled() {
            assert!(layout.glyphs().filter(|glyph| glyph.font == font).count() > 25, "{font:?}");
        }
        let (ink, slack) = (ink_of(&layout.words).unwrap(), Px::new(1e-6));
        assert!(ink.min.x >= SHEET_MARGIN - slack && ink.min.y >= SHEET_MARGIN - slack, "{ink:?}");
        assert!(ink.max.x <= layout.size.width - SHEET_MARGIN + slack, "{ink:?}");
        assert!(ink.max.y <= layout.size.height - SHEET_MARGIN + slack, "{ink:?}");
    }
}
