//! Signs that few fonts have, drawn with the pen of the font: boxes and ticks of lists, arrows, №, hearts, the Japanese
//! iteration marks, and raised and lowered letters and figures.
//!
//! A font draws the signs that its file lacks. The table has the line of the pen for each: it is scaled to the letters of
//! the font, slanted, and as wide as its strokes. Raised and lowered letters are its own letters, smaller, drawn with a
//! pen as wide as on the line. The numbers of the glyphs follow those of the file.

use std::sync::OnceLock;

use kurbo::{Affine, BezPath, Cap, Join, PathEl, Shape as _, StrokeOpts};

use super::GlyphId;
use super::character_set::CharacterSet;
use super::outline::{Outline, OutlineCommand};
use super::raised::{self, is_lowered, on_the_line};
use super::strokes::Stroke;
use crate::geometry::{Point, Rect};
use crate::units::FontUnits;

/// Space at each side of a sign on the line, as a share of its height.
const SIDE_BEARING: f64 = 0.12;
/// Signs are slanted by this share of the slant of letters.
const SLANT_SHARE: f64 = 0.5;
/// Size of raised and lowered letters, as a share of that of the others.
const SMALLER: f64 = 0.62;
/// How far lowered letters reach below the baseline, as a share of the height of signs.
const LOWERED: f64 = 0.2;
/// How far outlines may be from the exact ones, in font units of a font with 1,000 units per em.
const TOLERANCE: f64 = 0.25;

/// A character that fills the em square in every font that has it.
pub(super) const IDEOGRAPH: char = '一';

/// Where a sign stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// On the baseline, beside letters. 100 units of its line are the height of signs.
    OnLine,
    /// In the square of an ideograph, whose ink is 100 units wide and high. Only fonts with ideographs draw it.
    InSquare,
}

/// The signs, where they stand, and the lines of the pen as SVG path data, y up, in the order of writing.
const SIGNS: &[(&str, Place, &str)] = &[
    ("☐□", Place::OnLine, "M6 84C5 60 5 30 8 4C30 2 56 3 82 5C83 32 83 58 80 85C54 83 30 84 3 82"),
    (
        "☑",
        Place::OnLine,
        "M6 84C5 60 5 30 8 4C30 2 56 3 82 5C83 32 83 58 80 85C54 83 30 84 3 82M24 52C30 42 36 30 40 20C54 54 74 86 100 108",
    ),
    (
        "☒",
        Place::OnLine,
        "M6 84C5 60 5 30 8 4C30 2 56 3 82 5C83 32 83 58 80 85C54 83 30 84 3 82M22 70C36 54 52 36 66 18M68 72C54 56 36 36 20 18",
    ),
    ("\\", Place::OnLine, "M8 100C22 68 40 34 54 0"),
    ("✓✔", Place::OnLine, "M8 42C14 32 22 18 27 4C38 42 56 76 84 100"),
    ("✗✘", Place::OnLine, "M8 88C26 62 48 32 72 6M70 90C48 66 24 34 4 4"),
    ("→", Place::OnLine, "M4 40C34 42 66 41 100 40M76 60C84 52 92 45 101 40C92 35 83 28 75 20"),
    ("←", Place::OnLine, "M100 40C66 42 34 41 4 40M29 60C21 52 13 45 4 40C13 35 22 28 30 20"),
    (
        "↔",
        Place::OnLine,
        "M4 40C40 42 76 41 112 40M28 59C20 52 12 45 4 40C12 35 21 28 29 21M88 59C96 52 104 45 112 40C104 35 95 28 87 21",
    ),
    ("↑", Place::OnLine, "M30 0C31 34 29 66 30 98M8 74C16 82 24 90 30 99C36 90 44 82 53 74"),
    ("↓", Place::OnLine, "M30 98C31 66 29 34 30 0M8 25C16 17 24 9 30 0C36 9 44 17 53 25"),
    (
        "•",
        Place::OnLine,
        "M23 38C23 41 21 43 18 43C15 43 13 41 13 38C13 35 15 33 18 33C21 33 23 35 23 38M18 38C18 38 18 38 19 38",
    ),
    (
        "№",
        Place::OnLine,
        "M6 2C8 34 8 66 10 98C24 66 40 34 56 2C58 34 60 66 62 98M98 72C98 85 92 93 84 93C76 93 71 84 71 72C71 60 76 52 84 52C92 52 98 60 98 73M70 38C80 39 90 40 100 39",
    ),
    (
        "℅",
        Place::OnLine,
        "M34 88C24 98 6 92 6 74C6 56 24 52 36 62M72 100C56 66 38 34 20 0M94 22C94 36 87 45 78 45C68 45 62 35 62 22C62 9 68 0 78 0C88 0 94 9 94 23",
    ),
    (
        "♡♥❤",
        Place::OnLine,
        "M50 74C44 92 30 98 18 92C2 84 2 62 14 44C24 28 40 16 50 4C60 18 78 32 86 48C94 66 92 86 78 92C66 97 54 90 50 72",
    ),
    (
        "☆★",
        Place::OnLine,
        "M18 4C28 36 39 68 48 100C57 68 67 35 78 2C52 22 26 42 1 62C33 63 64 64 97 64C70 44 44 24 16 3",
    ),
    ("○", Place::OnLine, "M50 92C24 93 6 72 6 46C6 20 24 2 48 2C74 2 92 22 92 48C92 72 74 93 46 91"),
    (
        "☺",
        Place::OnLine,
        "M50 92C24 93 6 72 6 46C6 20 24 2 48 2C74 2 92 22 92 48C92 72 74 93 46 91M34 64C34 60 34 58 34 55M63 64C63 60 63 58 63 55M26 38C34 20 62 20 72 39",
    ),
    ("々", Place::InSquare, "M42 94C36 78 26 60 12 47M35 75C50 77 66 79 84 82C75 57 56 28 29 5M38 45C50 35 61 23 70 9"),
    ("〆", Place::InSquare, "M76 92C60 62 38 30 18 15C8 8 2 22 14 34C30 48 58 36 84 8"),
    (
        "仝",
        Place::InSquare,
        "M50 96C40 76 24 60 4 46M50 91C62 74 78 60 98 47M28 45C42 46 58 47 72 47M50 45C50 32 50 20 50 7M12 5C40 7 66 8 90 7",
    ),
];

/// What of a font decides how it draws signs. Lengths in font units, y up.
pub(super) struct SignPen<'a> {
    /// Width of the pen.
    pub(super) width: f64,
    /// Height of signs on the line.
    pub(super) height: f64,
    /// Slant of letters in degrees, positive to the right.
    pub(super) slant_degrees: f64,
    pub(super) units_per_em: f64,
    /// The square of ideographs; `None` for a font without them.
    pub(super) square: Option<Square>,
    /// The font's own letters.
    pub(super) letter: &'a dyn Fn(char) -> Option<DrawnSign>,
}

/// The square of ideographs, in font units.
pub(super) struct Square {
    /// The ink of an ideograph that fills it.
    pub(super) ink: Rect<FontUnits>,
    pub(super) advance: f64,
}

/// A sign as a font draws it, in font units, y up.
pub(super) struct DrawnSign {
    pub(super) outline: Outline,
    /// The lines of the pen, in the order of writing.
    pub(super) strokes: Vec<Stroke>,
    pub(super) advance: i32,
}

/// The signs that the file of a font lacks, drawn on first use.
pub(super) struct DrawnSigns {
    /// Sorted. The glyphs have the same order.
    characters: Vec<char>,
    /// The glyph of the first; that of the file's last glyph is one less.
    first_glyph: u16,
    drawn: Vec<OnceLock<Option<DrawnSign>>>,
}

impl DrawnSigns {
    /// The signs for a font whose file has these characters and this number of glyphs.
    pub(super) fn lacking(characters: &CharacterSet, glyph_count: u16) -> Self {
        let numbers_left = usize::from(u16::MAX - glyph_count);
        let lacking = signs(characters.has(IDEOGRAPH)).filter(|sign| !characters.has(*sign)).take(numbers_left);
        let mut characters: Vec<char> = lacking.collect();
        characters.sort_unstable();
        let drawn = characters.iter().map(|_| OnceLock::new()).collect();
        Self { characters, first_glyph: glyph_count, drawn }
    }

    pub(super) fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The glyph of a sign; `None` for a character that it does not draw.
    pub(super) fn glyph(&self, character: char) -> Option<GlyphId> {
        let place = self.characters.binary_search(&character).ok()?;
        Some(GlyphId(self.first_glyph + place as u16))
    }

    /// The sign of a glyph, which `draw` draws; `None` for a glyph of the file, or beyond the last sign.
    pub(super) fn of(&self, glyph: GlyphId, draw: impl FnOnce(char) -> Option<DrawnSign>) -> Option<&DrawnSign> {
        let place = usize::from(glyph.0.checked_sub(self.first_glyph)?);
        let (sign, drawn) = self.characters.get(place).zip(self.drawn.get(place))?;
        drawn.get_or_init(|| draw(*sign)).as_ref()
    }
}

/// All signs that a font with or without ideographs can draw.
fn signs(has_ideographs: bool) -> impl Iterator<Item = char> {
    let usable = move |place: Place| place == Place::OnLine || has_ideographs;
    let of_table = SIGNS.iter().filter(move |(_, place, _)| usable(*place));
    of_table.flat_map(|(characters, ..)| characters.chars()).chain(raised::all())
}

/// A sign drawn with a pen; `None` for a character that is no sign, or stands in a square that the font does not have.
pub(super) fn drawn(character: char, pen: &SignPen<'_>) -> Option<DrawnSign> {
    if let Some(letter) = on_the_line(character) {
        return small(&(pen.letter)(letter)?, is_lowered(character), pen);
    }
    let (_, place, line) = SIGNS.iter().find(|(characters, ..)| characters.contains(character))?;
    let line = BezPath::from_svg(line).ok()?;
    match (place, &pen.square) {
        (Place::OnLine, _) => {
            let scale = pen.height / 100.0;
            let skew = (pen.slant_degrees * SLANT_SHARE).to_radians().tan();
            let line = Affine::skew(skew, 0.0) * Affine::scale(scale) * line;
            let bearing = SIDE_BEARING * pen.height;
            let left = bearing + 0.5 * pen.width - line.bounding_box().x0;
            let line = Affine::translate((left, 0.0)) * line;
            let advance = line.bounding_box().x1 + 0.5 * pen.width + bearing;
            sign(&line, pen, advance)
        }
        (Place::InSquare, Some(Square { ink, advance })) => {
            // Half the pen is outside of its line.
            let room = |low: FontUnits, high: FontUnits| (low.get() + 0.5 * pen.width, (high - low).get() - pen.width);
            let ((left, width), (bottom, height)) = (room(ink.min.x, ink.max.x), room(ink.min.y, ink.max.y));
            let placed = Affine::translate((left, bottom)) * Affine::scale_non_uniform(width / 100.0, height / 100.0);
            sign(&(placed * line), pen, *advance)
        }
        (Place::InSquare, None) => None,
    }
}

/// The sign whose pen follows a line.
fn sign(line: &BezPath, pen: &SignPen<'_>, advance: f64) -> Option<DrawnSign> {
    let outline = outline_of(&stroked(line, pen.width, pen))?;
    let mut strokes: Vec<Stroke> = Vec::new();
    for element in line.elements() {
        match strokes.last_mut() {
            Some(stroke) if !matches!(element, PathEl::MoveTo(_)) => stroke.commands.push(command(*element)),
            _ => strokes.push(Stroke { commands: vec![command(*element)] }),
        }
    }
    Some(DrawnSign { outline, strokes, advance: advance.round() as i32 })
}

/// A letter as it is drawn smaller, above or below the line, with strokes of the same width.
fn small(letter: &DrawnSign, is_lowered: bool, pen: &SignPen<'_>) -> Option<DrawnSign> {
    let rise = if is_lowered { -LOWERED } else { 1.0 - SMALLER } * pen.height;
    // The slant goes on above the line.
    let shift = rise * pen.slant_degrees.to_radians().tan();
    let place = Affine::translate((shift, rise)) * Affine::scale(SMALLER);
    let path = |commands: &[OutlineCommand]| {
        let path: BezPath = commands.iter().copied().map(PathEl::from).collect();
        place * path
    };
    let edge = path(&letter.outline.commands);
    let widening = (1.0 - SMALLER) * pen.width;
    let mut bold = stroked(&edge, widening, pen);
    // The fill is non-zero: both must turn the same way.
    let turns_alike = bold.area().signum() == edge.area().signum();
    bold.extend(if turns_alike { edge } else { edge.reverse_subpaths() });
    let strokes = letter.strokes.iter().map(|stroke| Stroke { commands: commands(&path(&stroke.commands)) });
    let advance = (f64::from(letter.advance) * SMALLER + widening).round() as i32;
    Some(DrawnSign { outline: outline_of(&bold)?, strokes: strokes.collect(), advance })
}

/// What a round pen of this width covers along a line.
fn stroked(line: &BezPath, width: f64, pen: &SignPen<'_>) -> BezPath {
    let round = kurbo::Stroke::new(width).with_caps(Cap::Round).with_join(Join::Round);
    kurbo::stroke(
        line.elements().iter().copied(),
        &round,
        &StrokeOpts::default(),
        TOLERANCE * pen.units_per_em / 1000.0,
    )
}

fn outline_of(path: &BezPath) -> Option<Outline> {
    Outline::new(commands(path))
}

fn commands(path: &BezPath) -> Vec<OutlineCommand> {
    path.elements().iter().map(|element| command(*element)).collect()
}

fn command(element: PathEl) -> OutlineCommand {
    let point = |at: kurbo::Point| Point::new(FontUnits::new(at.x), FontUnits::new(at.y));
    match element {
        PathEl::MoveTo(to) => OutlineCommand::MoveTo(point(to)),
        PathEl::LineTo(to) => OutlineCommand::LineTo(point(to)),
        PathEl::QuadTo(control, to) => OutlineCommand::QuadTo(point(control), point(to)),
        PathEl::CurveTo(first, second, to) => OutlineCommand::CubicTo(point(first), point(second), point(to)),
        PathEl::ClosePath => OutlineCommand::Close,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: FontUnits = FontUnits::new(1.0);

    /// A letter that is a ring, as the pen of [`pen`] draws it.
    fn ring(_: char) -> Option<DrawnSign> {
        let line = BezPath::from_svg("M100 300C100 700 500 700 500 300C500 -100 100 -100 100 300").unwrap();
        sign(&line, &pen(None), 600.0)
    }

    fn pen(square: Option<Square>) -> SignPen<'static> {
        SignPen { width: 40.0, height: 600.0, slant_degrees: 10.0, units_per_em: 1000.0, square, letter: &ring }
    }

    fn square() -> Square {
        let at = |x, y| Point::new(UNIT * x, UNIT * y);
        Square { ink: Rect { min: at(50.0, -60.0), max: at(950.0, 840.0) }, advance: 1000.0 }
    }

    #[test]
    fn every_sign_is_once_in_the_table_and_can_be_drawn() {
        let mut all: Vec<char> = signs(true).collect();
        for sign in &all {
            let drawn = drawn(*sign, &pen(Some(square()))).unwrap_or_else(|| panic!("{sign}"));
            for stroke in &drawn.strokes {
                assert!(matches!(stroke.commands[..], [OutlineCommand::MoveTo(_), OutlineCommand::CubicTo(..), ..]));
            }
            let ink = drawn.outline.ink;
            assert!(
                on_the_line(*sign).is_some() || ink.min.x.get() > 0.0 && ink.max.x.get() < f64::from(drawn.advance),
                "{sign}: {ink:?}"
            );
        }
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn signs_on_the_line_are_as_high_as_the_pen_says_and_those_in_a_square_fill_it() {
        let tick = drawn('✓', &pen(None)).unwrap().outline.ink;
        let [low, high] = [tick.min.y, tick.max.y].map(FontUnits::get);
        assert!((0.0..30.0).contains(&low) && (600.0..=625.0).contains(&high), "{low} {high}");
        let mark = drawn('々', &pen(Some(square()))).unwrap().outline.ink;
        assert!(mark.min.y.get() >= -61.0 && mark.max.y.get() <= 841.0 && mark.max.y.get() - mark.min.y.get() > 750.0);
    }

    #[test]
    fn a_raised_letter_is_smaller_and_its_strokes_are_as_wide() {
        let [line, raised, lowered] =
            [ring('o').unwrap(), drawn('ᵒ', &pen(None)).unwrap(), drawn('ₒ', &pen(None)).unwrap()];
        let height = |sign: &DrawnSign| (sign.outline.ink.max.y - sign.outline.ink.min.y).get();
        assert!((height(&raised) / height(&line) - SMALLER).abs() < 0.05);
        assert!(raised.outline.ink.min.y > lowered.outline.ink.min.y && raised.advance < line.advance);
        // Rays from the middle leave the ring once: what the pen covers of them is its width.
        let ink = raised.outline.ink;
        let path: BezPath = raised.outline.commands.iter().copied().map(PathEl::from).collect();
        let y = f64::midpoint(ink.min.y.get(), ink.max.y.get());
        let covered = (0..4000).filter(|x| path.winding((f64::from(*x) / 4.0, y).into()) != 0).count() as f64 / 4.0;
        assert!((covered - 2.0 * 40.0).abs() < 4.0, "{covered}");
    }

    #[test]
    fn a_font_without_ideographs_draws_no_iteration_marks() {
        assert!(drawn('々', &pen(None)).is_none());
        assert!(!signs(false).any(|sign| sign == '々') && signs(true).any(|sign| sign == '々'));
        assert!(drawn('a', &pen(None)).is_none());
    }
}
