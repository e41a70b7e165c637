//! Signs that few fonts have, drawn with the pen of the font: boxes and ticks of lists, arrows, №, hearts, the Japanese
//! iteration marks, and raised and lowered letters and figures.
//!
//! A font draws the signs that its file lacks. `sign_table` has the line of the pen for each: it is scaled to the
//! letters of the font, slanted, and as wide as its strokes. Raised and lowered letters are its own letters, smaller,
//! drawn with a pen as wide as on the line. The numbers of the glyphs follow those of the file.

use std::collections::HashMap;
use std::sync::OnceLock;

use kurbo::{Affine, BezPath, Cap, Join, PathEl, Shape as _, StrokeOpts};

use super::GlyphId;
use super::character_set::CharacterSet;
use super::outline::{Outline, OutlineCommand};
use super::raised::{self, Raised, is_lowered, on_the_line};
use super::sign_table::{Place, SIGNS, Sign};
use super::strokes::{Stroke, StrokePart};
use crate::geometry::Rect;
use crate::units::FontUnits;

/// Space at each side of a sign on the line, as a share of its height.
const SIDE_BEARING: f64 = 0.12;
/// Signs are slanted by this share of the slant of letters.
const SLANT_SHARE: f64 = 0.5;
/// Size of raised and lowered letters, as a share of that of the others.
const SMALLER: f64 = 0.58;
/// Largest size of the raised figures of a file whose size others take.
const LARGEST: f64 = 0.7;
/// How high raised letters reach, as a share of the height of signs.
const RAISED_TOP: f64 = 1.1;
/// How far lowered letters reach below the baseline, as a share of the height of signs.
const LOWERED: f64 = 0.2;
/// How far outlines may be from the exact ones, in font units of a font with 1,000 units per em.
const TOLERANCE: f64 = 0.25;

/// A character that fills the em square in every font that has it.
pub(super) const IDEOGRAPH: char = '一';

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
    /// The letters of the file.
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
    let of_table = SIGNS.iter().filter(move |sign| usable(sign.place));
    of_table.flat_map(|sign| sign.characters.chars()).chain(raised::all().iter().copied())
}

/// A sign drawn with a pen; `None` for a character that is no sign, or stands in a square that the font does not have.
pub(super) fn drawn(character: char, pen: &SignPen<'_>) -> Option<DrawnSign> {
    if let Some(letter) = on_the_line(character) {
        return small(&(pen.letter)(letter)?, is_lowered(character), pen);
    }
    let Sign { place, is_filled, lines, .. } = SIGNS.iter().find(|sign| sign.characters.contains(character))?;
    let line = BezPath::from_svg(&lines.concat()).ok()?;
    match (place, &pen.square) {
        (Place::OnLine, _) => {
            let scale = pen.height / 100.0;
            let skew = (pen.slant_degrees * SLANT_SHARE).to_radians().tan();
            let line = Affine::skew(skew, 0.0) * Affine::scale(scale) * line;
            let bearing = SIDE_BEARING * pen.height;
            let left = bearing + 0.5 * pen.width - line.bounding_box().x0;
            let line = Affine::translate((left, 0.0)) * line;
            let advance = line.bounding_box().x1 + 0.5 * pen.width + bearing;
            sign(&line, *is_filled, pen, advance)
        }
        (Place::InSquare, Some(Square { ink, advance })) => {
            // Half the pen is outside of its line.
            let room = |low: FontUnits, high: FontUnits| (low.get() + 0.5 * pen.width, (high - low).get() - pen.width);
            let ((left, width), (bottom, height)) = (room(ink.min.x, ink.max.x), room(ink.min.y, ink.max.y));
            let placed = Affine::translate((left, bottom)) * Affine::scale_non_uniform(width / 100.0, height / 100.0);
            sign(&(placed * line), *is_filled, pen, *advance)
        }
        (Place::InSquare, None) => None,
    }
}

/// The strokes of signs that the file of a font has, where its file of strokes has none for them, or only a line in the
/// middle of a solid sign: those of the drawn sign, fitted to the ink of the file's. `of_file` gives the glyph, ink and
/// strokes of a character in the files.
pub(super) fn strokes_of_own_signs<'a>(
    pen: &SignPen<'_>,
    of_file: impl Fn(char) -> Option<(GlyphId, Rect<FontUnits>, Option<&'a [Stroke]>)>,
) -> HashMap<GlyphId, Vec<Stroke>> {
    let on_line = SIGNS.iter().filter(|sign| sign.place == Place::OnLine);
    let characters = on_line.flat_map(|sign| sign.characters.chars().map(move |character| (character, sign.is_filled)));
    let lacking = characters.filter_map(|(character, is_filled)| {
        let (glyph, ink, strokes) = of_file(character)?;
        let is_lacking = is_filled || strokes.is_none();
        Some((glyph, fitted(&drawn(character, pen)?, ink, pen.width))).filter(|_| is_lacking)
    });
    lacking.collect()
}

/// The strokes of a sign, moved to the middle of a box, and as large as a pen of this width may draw them there.
fn fitted(sign: &DrawnSign, within: Rect<FontUnits>, pen_width: f64) -> Vec<Stroke> {
    // A dot may be smaller than the pen.
    let room = |ink: Rect<FontUnits>| [ink.max.x - ink.min.x, ink.max.y - ink.min.y].map(|side| side.get() - pen_width);
    let ([width, height], [own_width, own_height]) = (room(within), room(sign.outline.ink));
    let scale = (width / own_width).min(height / own_height).max(0.0);
    let middle = |ink: Rect<FontUnits>| {
        (f64::midpoint(ink.min.x.get(), ink.max.x.get()), f64::midpoint(ink.min.y.get(), ink.max.y.get()))
    };
    let (from, to) = (middle(sign.outline.ink), middle(within));
    let place = Affine::translate(to) * Affine::scale(scale) * Affine::translate((-from.0, -from.1));
    let placed = |stroke: &Stroke| moved(stroke, place);
    sign.strokes.iter().map(placed).collect()
}

fn moved(stroke: &Stroke, place: Affine) -> Stroke {
    Stroke { part: stroke.part, commands: commands(&(place * path(&stroke.commands))) }
}

/// The sign whose pen follows these lines.
fn sign(lines: &BezPath, is_filled: bool, pen: &SignPen<'_>, advance: f64) -> Option<DrawnSign> {
    let mut outline = stroked(lines, pen.width, pen);
    if is_filled && let Some(edge) = parts(lines).next() {
        outline = with_fill(outline, edge);
    }
    let strokes = parts(lines).map(|part| {
        let mut commands: Vec<OutlineCommand> = part.iter().take(1).map(OutlineCommand::from).collect();
        commands.extend(part.segments().map(|segment| {
            let cubic = segment.to_cubic();
            OutlineCommand::from(PathEl::CurveTo(cubic.p1, cubic.p2, cubic.p3))
        }));
        Stroke { part: StrokePart::Body, commands }
    });
    let strokes = strokes.collect();
    Some(DrawnSign { outline: outline_of(&outline)?, strokes, advance: advance.round() as i32 })
}

/// The lines of a path, one for each time that the pen is put down.
fn parts(path: &BezPath) -> impl Iterator<Item = BezPath> {
    let lines = path.elements().chunk_by(|_, next| !matches!(next, PathEl::MoveTo(_)));
    lines.map(|elements| BezPath::from_vec(elements.to_vec()))
}

/// What a pen covers, and what the edge encloses that it followed. The fill is non-zero, so both must turn the same way.
fn with_fill(mut covered: BezPath, mut edge: BezPath) -> BezPath {
    if !matches!(edge.elements().last(), Some(PathEl::ClosePath)) {
        edge.close_path();
    }
    let turns_alike = covered.area().signum() == edge.area().signum();
    covered.extend(if turns_alike { edge } else { edge.reverse_subpaths() });
    covered
}

/// A letter as it is drawn smaller, above or below the line, with strokes of the same width.
fn small(letter: &DrawnSign, is_lowered: bool, pen: &SignPen<'_>) -> Option<DrawnSign> {
    let own = (pen.letter)('²').zip((pen.letter)('2'));
    let own = own.and_then(|(raised, line)| Raised::of(raised.outline.ink, line.outline.ink));
    // Larger ones hardly look raised.
    let own = own.filter(|own| own.scale < LARGEST);
    let usual = Raised { scale: SMALLER, rise: (RAISED_TOP - SMALLER) * pen.height };
    let Raised { scale, rise } = own.unwrap_or(usual);
    let rise = if is_lowered { -LOWERED * pen.height } else { rise };
    // The slant goes on above the line.
    let shift = rise * pen.slant_degrees.to_radians().tan();
    let place = Affine::translate((shift, rise)) * Affine::scale(scale);
    let edge = place * path(&letter.outline.commands);
    let widening = (1.0 - scale) * pen.width;
    let bold = with_fill(stroked(&edge, widening, pen), edge);
    let strokes = letter.strokes.iter().map(|stroke| moved(stroke, place));
    let advance = (f64::from(letter.advance) * scale + widening).round() as i32;
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

fn path(commands: &[OutlineCommand]) -> BezPath {
    commands.iter().copied().map(PathEl::from).collect()
}

fn commands(path: &BezPath) -> Vec<OutlineCommand> {
    path.elements().iter().copied().map(OutlineCommand::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    const UNIT: FontUnits = FontUnits::new(1.0);

    /// A letter that is a ring, as the pen of [`pen`] draws it.
    fn ring(_: char) -> Option<DrawnSign> {
        let line = BezPath::from_svg("M100 300C100 700 500 700 500 300C500 -100 100 -100 100 300").unwrap();
        sign(&line, false, &pen(None), 600.0)
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
        let path = path(&raised.outline.commands);
        let y = f64::midpoint(ink.min.y.get(), ink.max.y.get());
        let covered = (0..4000).filter(|x| path.winding((f64::from(*x) / 4.0, y).into()) != 0).count() as f64 / 4.0;
        assert!((covered - 2.0 * 40.0).abs() < 4.0, "{covered}");
    }

    #[test]
    fn a_filled_sign_differs_from_the_open_one() {
        for (open, filled) in [('☆', '★'), ('♡', '♥'), ('○', '●'), ('☐', '■')] {
            let middle = |sign| {
                let sign = drawn(sign, &pen(None)).unwrap();
                let path = path(&sign.outline.commands);
                let ink = sign.outline.ink;
                let at = |low: FontUnits, high: FontUnits| low.get() + 0.48 * (high - low).get();
                let at = (at(ink.min.x, ink.max.x), at(ink.min.y, ink.max.y));
                (path.winding(at.into()) != 0, sign.strokes.len())
            };
            assert!(!middle(open).0 && middle(filled).0, "{open} {filled}");
            assert!(middle(filled).1 > middle(open).1, "a pen fills it with lines");
        }
    }

    #[test]
    fn a_font_without_ideographs_draws_no_iteration_marks() {
        assert!(drawn('々', &pen(None)).is_none());
        assert!(!signs(false).any(|sign| sign == '々') && signs(true).any(|sign| sign == '々'));
        assert!(drawn('a', &pen(None)).is_none());
    }
}
