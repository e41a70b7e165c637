//! The letters of a word as one continuous map.

use super::dot::Dot;
use super::letter::{Form, LetterMap};
use super::letter_draws::Draws;

/// Half the width of the ramp between two letters, in x-heights, and as a share of the distance to the next ramp.
const RAMP: f64 = 0.35;
const RAMP_SHARE: f64 = 0.48;
/// The most that the middle of a ramp may be from the end of the letter's advance, in x-heights.
const RAMP_SHIFT: f64 = 0.3;
/// Letters with narrower ramps than this vary as one, in x-heights.
const NARROWEST_RAMP: f64 = 0.09;
/// Least stretch along the baseline, and the shares of the rest for the slants of neighbours and for waves.
const LEAST_STRETCH: f64 = 0.4;
const SLANT_SHARE: f64 = 0.25;
const WAVE_SHARE: f64 = 0.18;
/// The most that heights and baselines of neighbours may tilt a stroke across a ramp, as a tangent.
const TILT: f64 = 0.3;
/// Half width of a ramp, in x-heights, above which neighbours have independent shapes.
const FULL_RAMP: f64 = 0.25;
/// Mean advance of the letters of a word, in x-heights, from which on strokes have their full shapes, and the least
/// share: where letters are narrow, stems stand close, and large shapes melt them together.
const ROOMY: f64 = 0.85;
const LEAST_SHAPE: f64 = 0.5;
/// Height, in x-heights, up to which strokes may cross a ramp.
const CROSSING: f64 = 1.3;
/// The steepest slope of a smooth step of width 1.
const STEEPEST: f64 = 1.5;
/// The most that the white between separate letters gets narrower and wider: shares of it. It gets at least `LEAST_GAP`
/// x-heights wider, but not where it is `WIDEST` x-heights or more: a wide gap looks as if it parted two words.
const NARROWER_SHARE: f64 = 0.25;
const WIDER_SHARE: f64 = 0.35;
const LEAST_GAP: f64 = 0.06;
const WIDEST: f64 = 0.45;
/// How far apart the middles of strokes of separate letters are, in x-heights: no gap draws them closer than the first,
/// and where the font has them closer than the second, by habit the gap is wider. Between middles, because a pen may be
/// broader than the strokes of the font. Shapes of letters bring strokes closer as well.
const NARROWEST_GAP: f64 = 0.42;
const LEAST_DISTANCE: f64 = 0.33;

/// A glyph of a word without variation, in font units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph<'a> {
    /// The pen before it.
    pub pen: f64,
    /// How far it moves the pen.
    pub advance: f64,
    /// Its origin: along the line from the start of the run, and above the baseline.
    pub origin: [f64; 2],
    /// Left and right end of its ink, from its origin; `None` for a blank glyph.
    pub ink: Option<[f64; 2]>,
    /// Top of its ink, above its origin.
    pub top: f64,
    /// White to the next letter at the same heights; `None` if the two are joined or there is no next one.
    pub white: Option<f64>,
    /// Its dot or accent.
    pub dot: Option<Dot>,
    /// Whether it varies together with the previous glyph: a mark, or another glyph of the same characters.
    pub continues: bool,
    /// Its random draws.
    pub draws: &'a Draws,
}

/// What letters of a font have in common, in font units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// The height of a small x.
    pub x_height: f64,
    /// The width of strokes.
    pub stroke: f64,
    /// By what share ascenders stretch above the x-height, beside the draws.
    pub ascenders: f64,
    /// How far habits apply, 0 to 1.
    pub habit: f64,
}

/// A word with its variation, in font units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The map of each glyph.
    pub letters: Vec<LetterMap>,
    /// For each glyph, its origin along the line and the pen before it.
    pub places: Vec<[f64; 2]>,
    /// The pen after the word.
    pub end: f64,
}

/// Glyphs that vary together.
struct Cell {
    glyphs: std::ops::Range<usize>,
    pen: f64,
    /// Left and right end of its ink.
    ink: [f64; 2],
    form: Form,
    gap: f64,
    /// White to the next cell.
    white: Option<f64>,
}

/// The ramp between two cells.
#[derive(Clone, Copy)]
struct Ramp {
    middle: f64,
    /// Half its width.
    half: f64,
    gap: f64,
}

impl Chain {
    /// The map of a word; glyphs are from left to right.
    #[must_use]
    pub fn of(glyphs: &[Glyph<'_>], proportions: &Proportions) -> Self {
        let x_height = proportions.x_height;
        let mut cells = cells(glyphs, x_height, proportions.ascenders as f32);
        let ramps = ramps(&mut cells, proportions);
        let mut chain = Self::default();
        let Some(start) = glyphs.first().map(|glyph| glyph.pen) else { return chain };
        chain.letters.reserve(glyphs.len());
        chain.places.reserve(glyphs.len());
        let stretch = |cell: &Cell| f64::from(cell.form.size[0]);
        // A position x in the flat part of a cell maps to x (1 + stretch) + offset.
        let mut offset = cells.first().map_or(0.0, |first| -stretch(first) * start);
        for (index, cell) in cells.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| Some((cells.get(before)?, ramps.get(before)?)));
            let after = cells.get(index + 1).zip(ramps.get(index));
            for (index, glyph) in cell.glyphs.clone().filter_map(|index| Some((index, glyphs.get(index)?))) {
                let to = |place: f64| place * (1.0 + stretch(cell)) + offset;
                let mut letter = letter(glyph, cell, before, after, start);
                letter.font = LetterMap::font_of(x_height, chain.letters.is_empty());
                if let Some(dot) = &glyph.dot {
                    dot.place(&mut letter, &glyph.draws.dot, room_beside(dot, glyphs, index));
                }
                chain.letters.push(letter);
                chain.places.push([to(glyph.origin[0]), to(glyph.pen)]);
                chain.end = to(glyph.pen + glyph.advance);
            }
            if let Some((next, ramp)) = after {
                offset += (stretch(cell) - stretch(next)) * ramp.middle + ramp.gap;
            }
        }
        chain
    }
}

fn cells(glyphs: &[Glyph<'_>], x_height: f64, ascenders: f32) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::with_capacity(glyphs.len());
    let shape = room(glyphs, x_height);
    for (index, glyph) in glyphs.iter().enumerate() {
        let ink = glyph.ink.map(|ink| ink.map(|edge| edge + glyph.origin[0]));
        match cells.last_mut() {
            Some(last) if glyph.continues || ink.is_none() => {
                last.glyphs.end = index + 1;
                last.join(ink);
            }
            _ => cells.push(Cell {
                glyphs: index..index + 1,
                pen: glyph.pen,
                ink: ink.unwrap_or([glyph.pen, glyph.pen + glyph.advance]),
                form: glyph.draws.form.scaled(x_height as f32, shape).with_ascenders(ascenders),
                gap: glyph.draws.gap * x_height,
                white: glyph.white,
            }),
        }
    }
    cells
}

/// The share of their shapes that letters get by the room between strokes.
fn room(glyphs: &[Glyph<'_>], x_height: f64) -> f32 {
    let wide = glyphs.iter().filter(|glyph| glyph.ink.is_some() && glyph.advance > 0.0);
    let (count, sum) = wide.fold((0.0, 0.0), |(count, sum), glyph| (count + 1.0, sum + glyph.advance));
    let mean: f64 = if count > 0.0 { sum / count } else { f64::INFINITY };
    (mean / (ROOMY * x_height)).clamp(LEAST_SHAPE, 1.0) as f32
}

impl Cell {
    fn join(&mut self, ink: Option<[f64; 2]>) {
        if let Some([left, right]) = ink {
            self.ink = [self.ink[0].min(left), self.ink[1].max(right)];
        }
    }
}

/// The ramps between the cells. A cell too narrow for its own ramp joins the previous cell, and so does one through all
/// of which the ink of the previous cell reaches: both would have other maps where they overlap. Slants of neighbours are
/// brought closer and gaps are limited where the map would otherwise fold.
fn ramps(cells: &mut Vec<Cell>, proportions: &Proportions) -> Vec<Ramp> {
    let x_height = proportions.x_height;
    let middle = |before: &Cell, after: &Cell| {
        let shift = RAMP_SHIFT * x_height;
        f64::midpoint(before.ink[1], after.ink[0]).clamp(after.pen - shift, after.pen + shift)
    };
    let mut index = 1;
    let mut last = f64::NEG_INFINITY;
    while index < cells.len() {
        let at = middle(&cells[index - 1], &cells[index]);
        let next = cells.get(index + 1).map_or(f64::INFINITY, |next| middle(&cells[index], next));
        let is_crossed = cells[index - 1].ink[1] > next - (RAMP * x_height).min(RAMP_SHARE * (next - at));
        if is_crossed || at - last < 2.0 * NARROWEST_RAMP * x_height / RAMP_SHARE * 0.5 {
            let narrow = cells.remove(index);
            cells[index - 1].glyphs.end = narrow.glyphs.end;
            cells[index - 1].white = narrow.white;
            cells[index - 1].join(Some(narrow.ink));
        } else {
            last = at;
            index += 1;
        }
    }
    let middles: Vec<f64> = cells.windows(2).map(|pair| middle(&pair[0], &pair[1])).collect();
    let mut ramps = Vec::with_capacity(middles.len());
    for (index, at) in middles.iter().enumerate() {
        let before = index.checked_sub(1).map_or(f64::INFINITY, |before| at - middles[before]);
        let after = middles.get(index + 1).map_or(f64::INFINITY, |next| next - at);
        let half = (RAMP * x_height).min(RAMP_SHARE * before).min(RAMP_SHARE * after).max(1.0);
        let before = cells[index].form;
        if let Some(after) = cells.get_mut(index + 1) {
            after.form = approached(&before, &after.form, half, x_height);
        }
        ramps.push(Ramp { middle: *at, half, gap: limited_gap(&cells[index], &cells[index + 1], half, proportions) });
    }
    ramps
}

/// The form `after`, brought close enough to the previous form that no stroke kinks across a ramp of this half width.
fn approached(before: &Form, after: &Form, half: f64, x_height: f64) -> Form {
    let run = 2.0 * half / STEEPEST;
    // Stretch along the baseline does not bend strokes.
    let most = [f64::INFINITY, TILT * run / x_height, SLANT_SHARE * run / (CROSSING * x_height), TILT * run];
    let near = |index: usize| {
        let (from, most) = (f64::from(before.size[index]), most[index]);
        f64::from(after.size[index]).clamp(from - most, from + most) as f32
    };
    let own = (half / (FULL_RAMP * x_height)).min(1.0) as f32;
    let mut approached = Form { size: [0, 1, 2, 3].map(near), ..*after };
    for (to, from) in approached.waves.as_flattened_mut().iter_mut().zip(before.waves.as_flattened()) {
        *to = from + own * (*to - from);
    }
    approached
}

fn limited_gap(before: &Cell, after: &Cell, half: f64, proportions: &Proportions) -> f64 {
    let x_height = proportions.x_height;
    let least_width = f64::from(before.form.size[0].min(after.form.size[0]));
    let room = (1.0 + least_width - LEAST_STRETCH - SLANT_SHARE - WAVE_SHARE).max(0.05);
    let most = room * 2.0 * half / STEEPEST;
    let gap = before.gap.clamp(-most, 2.0 * most);
    let Some(white) = before.white else { return gap };
    let wider = (WIDER_SHARE * white).max(LEAST_GAP * x_height).min((WIDEST * x_height - white).max(0.0));
    let distance = white + proportions.stroke;
    let narrower = (NARROWER_SHARE * white).min(distance - NARROWEST_GAP * x_height).max(0.0);
    let least = (proportions.habit * (LEAST_DISTANCE * x_height - distance)).max(-narrower);
    gap.clamp(least, wider.max(least))
}

fn letter(
    glyph: &Glyph<'_>,
    cell: &Cell,
    before: Option<(&Cell, &Ramp)>,
    after: Option<(&Cell, &Ramp)>,
    start: f64,
) -> LetterMap {
    let mut letter = LetterMap { own: cell.form, ..LetterMap::default() };
    let place = |ramp: &Ramp| [(ramp.middle - glyph.origin[0]) as f32, (0.5 / ramp.half) as f32];
    let gap = |neighbour: Option<(&Cell, &Ramp)>| neighbour.map_or(0.0, |(_, ramp)| ramp.gap as f32);
    let origin = [(glyph.origin[0] - start) as f32, glyph.origin[1] as f32];
    letter.frame = [gap(before), gap(after), origin[0], origin[1]];
    if let Some((other, ramp)) = before {
        letter.before = other.form.plus(&cell.form, -1.0);
        [letter.ramps[0], letter.ramps[1]] = place(ramp);
    }
    if let Some((other, ramp)) = after {
        letter.after = other.form.plus(&cell.form, -1.0);
        [letter.ramps[2], letter.ramps[3]] = place(ramp);
    }
    letter
}

/// The white to the left and right of the dot of a glyph, up to neighbours as tall; a neighbour with a dot gets half.
fn room_beside(dot: &Dot, glyphs: &[Glyph<'_>], index: usize) -> [f64; 2] {
    let Some(origin) = glyphs.get(index).map(|glyph| glyph.origin) else { return [f64::INFINITY; 2] };
    let [left, bottom, right, _] = dot.ink;
    let white = |neighbour: Option<&Glyph<'_>>, way: &dyn Fn(f64, f64) -> f64| {
        let ink = |glyph: &Glyph<'_>| glyph.ink.filter(|_| glyph.origin[1] + glyph.top > origin[1] + bottom);
        let Some((other, [from, to])) = neighbour.and_then(|glyph| Some((glyph, ink(glyph)?))) else {
            return f64::INFINITY;
        };
        let white = way(other.origin[0] + from, other.origin[0] + to);
        if other.dot.is_some() { white / 2.0 } else { white }
    };
    let before = index.checked_sub(1).and_then(|before| glyphs.get(before));
    [
        white(before, &|_, end| origin[0] + left - end),
        white(glyphs.get(index + 1), &|start, _| start - origin[0] - right),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variation::DotDraws;

    #[test]
    fn a_dot_has_the_draws_of_its_letter_also_in_the_cell_of_another() {
        let dot = Dot {
            below: [[30.0, 400.0]; 3],
            ink: [10.0, 560.0, 60.0, 610.0],
            half_stroke: 20.0,
            ceiling: 900.0,
            is_of_i: true,
        };
        let raised = |up: f64| Draws { dot: DotDraws { raised: [0.0, up], ..DotDraws::default() }, ..Draws::default() };
        let rise = |of_f: f64, of_i: f64| {
            let [first, second] = [raised(of_f), raised(of_i)];
            // The ink of an f reaches over the i.
            let glyph = |pen: f64, ink, dot, draws| Glyph {
                pen,
                advance: 100.0,
                origin: [pen, 0.0],
                ink: Some(ink),
                top: 610.0,
                white: None,
                dot,
                continues: false,
                draws,
            };
            let glyphs = [glyph(0.0, [0.0, 300.0], None, &first), glyph(100.0, [10.0, 60.0], Some(dot), &second)];
            let proportions = Proportions { x_height: 400.0, stroke: 40.0, ascenders: 0.0, habit: 1.0 };
            assert_eq!(cells(&glyphs, 400.0, 0.0).len(), 2);
            Chain::of(&glyphs, &proportions).letters[1].dot[1]
        };
        assert!(rise(0.0, 0.2) > rise(0.0, 0.0) + 50.0 && rise(0.2, 0.1) < rise(0.0, 0.2));
    }

    #[test]
    fn a_gap_leaves_room_between_letters_that_are_not_joined() {
        let draws = |gap| Draws { gap, ..Draws::default() };
        let proportions = Proportions { x_height: 400.0, stroke: 40.0, ascenders: 0.0, habit: 1.0 };
        // Two letters of 300 units, and what their gap adds to the white between them.
        let added = |gap: f64, white: Option<f64>, habit: f64| {
            let draws = draws(gap);
            let glyph = |pen: f64, white| Glyph {
                pen,
                advance: 300.0,
                origin: [pen, 0.0],
                ink: Some([20.0, 280.0]),
                top: 400.0,
                white,
                dot: None,
                continues: false,
                draws: &draws,
            };
            let chain = Chain::of(&[glyph(0.0, white), glyph(300.0, None)], &Proportions { habit, ..proportions });
            chain.places[1][0] - 300.0
        };
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 0.1, "{value}, not {expected}");
        // The middles of strokes are 0.33 x-heights apart, 132 units, by habit alone.
        near(added(-0.3, Some(40.0), 1.0), 52.0);
        near(added(0.0, Some(40.0), 0.5), 26.0);
        near(added(0.0, Some(40.0), 0.0), 0.0);
        near(added(-0.3, Some(40.0), 0.0), 0.0);
        // What the font has farther apart than 0.42 x-heights may come closer, by a share at most.
        near(added(-0.3, Some(140.0), 1.0), -12.0);
        near(added(0.3, Some(110.0), 1.0), 38.5);
        // What is 0.45 x-heights apart comes no farther apart.
        near(added(0.3, Some(200.0), 1.0), 0.0);
        assert!(added(-0.3, None, 1.0) < -10.0);
    }
}
