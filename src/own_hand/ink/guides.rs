//! Takes guide dots out of the ink.
//!
//! A dot is known by its place. Under it, the ink is what its surroundings say: a smooth fill from around the dot, or a
//! line that passes through it, so that hairlines and strokes that end on a guide stay whole. Where guides are light, the
//! dot as it was measured is divided out as well, and what then is still dark is ink.

use std::f64::consts::PI;

use super::dots::{DotLook, profile};
use super::printed::{GUIDE_MARGIN, Print, guide_places, pixels_of_disc};
use crate::own_hand::page::FlatPage;
use crate::own_hand::picture::Plane;
use crate::own_hand::sheet::SheetPage;

/// Guides darker than this share of the ink cannot be divided out.
const LIGHT: f64 = 0.62;
/// Directions of lines through a dot, and their length: at least this, and the pen's width with more, in mm.
const DIRECTIONS: usize = 8;
const LEAST_LINE: f64 = 0.9;
const BEYOND_PEN: f64 = 0.5;
/// Rounds of the smooth fill.
const ROUNDS: usize = 30;
/// How far the ink may exceed its surroundings, as a factor, where the divided dot is lighter than half the ink.
const ABOVE_FILL: f32 = 1.35;
const SURE_INK: f32 = 0.5;
/// The most that a dot is divided out: paper that reflects less than this share is not told from ink.
const LEAST_LIGHT: f64 = 0.15;

/// What is known of ink and guides.
pub(super) struct GuideModel {
    /// Level of the ink.
    pub(super) ink: f64,
    /// Width of the pen, in mm.
    pub(super) pen: f64,
    /// Least darkness that is ink.
    pub(super) threshold: f32,
    /// The dark and the fine dots, if they could be measured.
    pub(super) looks: [Option<DotLook>; 2],
}

/// The darkness without guides, words and black dots. `near_ink` is 1 at pixels near ink outside guides.
pub(super) fn without_guides(
    page: &FlatPage,
    (sheet, printed): (SheetPage, &[Print]),
    darkness: &Plane,
    near_ink: &Plane,
    model: &GuideModel,
) -> Plane {
    let mut clean = darkness.clone();
    for (value, print) in clean.values.iter_mut().zip(printed) {
        if matches!(print, Print::Words | Print::Dot) {
            *value = 0.0;
        }
    }
    let lines = Lines::of(page, model.pen);
    let level = model.looks[0].map_or(f64::MAX, |look| look.darkness);
    let is_light = level < LIGHT * model.ink;
    for (place, radius, is_bold) in guide_places(sheet) {
        let disc = pixels_of_disc(page, place, radius + GUIDE_MARGIN);
        let disc: Vec<(usize, f64)> = disc.into_iter().filter(|(at, _)| printed[*at] == Print::Guide).collect();
        let look = model.looks[usize::from(!is_bold)].filter(|_| is_light);
        let is_dark = |value: f32| value > model.threshold.max(SURE_INK * model.ink as f32);
        let lone = disc.iter().all(|(at, _)| near_ink.values[*at] < 0.5);
        if lone && (look.is_none() || !disc.iter().any(|(at, _)| is_dark(darkness.values[*at]))) {
            for (at, _) in disc {
                clean.values[at] = 0.0;
            }
            continue;
        }
        let fill = filled(darkness, printed, &disc);
        for ((at, far), fill) in disc.iter().zip(fill) {
            let own = darkness.values[*at];
            let surroundings = fill.max(lines.opened(darkness, *at));
            clean.values[*at] = match look {
                Some(look) => {
                    let dot = look.darkness * profile(radius, look.blur, far / page.scale);
                    let divided = 1.0 - (1.0 - own) / (1.0 - dot).max(LEAST_LIGHT) as f32;
                    let ink = own.min(divided);
                    if is_dark(ink) { ink } else { ink.min(ABOVE_FILL * surroundings) }
                }
                None => own.min(surroundings),
            };
        }
    }
    clean
}

/// The darkness of a disc's pixels as its surroundings continue: the mean of its neighbours at each (a harmonic fill).
fn filled(darkness: &Plane, printed: &[Print], disc: &[(usize, f64)]) -> Vec<f32> {
    let width = darkness.width;
    let place = |at: usize| [at % width, at / width];
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    for (at, _) in disc {
        for (axis, value) in place(*at).into_iter().enumerate() {
            low[axis] = low[axis].min(value.saturating_sub(1));
            high[axis] = high[axis].max(value + 1);
        }
    }
    let side = [0, 1].map(|axis| high[axis].saturating_sub(low[axis]) + 1);
    if disc.is_empty() {
        return Vec::new();
    }
    let mut part = darkness.part(low.map(|at| at as isize), side[0], side[1]);
    let inside: Vec<usize> = disc
        .iter()
        .map(|(at, _)| {
            let [x, y] = place(*at);
            (y - low[1]) * side[0] + x - low[0]
        })
        .collect();
    let is_known = |index: usize| {
        let [x, y] = [index % side[0] + low[0], index / side[0] + low[1]];
        x < width && y < darkness.height && printed[y * width + x] == Print::Nothing
    };
    let known: Vec<f32> = (0..part.values.len()).filter(|at| is_known(*at)).map(|at| part.values[at]).collect();
    let mean = known.iter().sum::<f32>() / known.len().max(1) as f32;
    for (index, value) in part.values.iter_mut().enumerate() {
        if !is_known(index) {
            *value = mean;
        }
    }
    for _ in 0..ROUNDS {
        let before = part.clone();
        for index in &inside {
            let (x, y) = ((index % side[0]) as isize, (index / side[0]) as isize);
            let sum: f32 = (0..9).map(|at| before.at(x + at % 3 - 1, y + at / 3 - 1)).sum();
            part.values[*index] = sum / 9.0;
        }
    }
    inside.into_iter().map(|index| part.values[index]).collect()
}

/// Short lines in several directions.
struct Lines {
    /// For each direction the pixels from a pixel onwards, as columns and rows from it.
    directions: Vec<Vec<[isize; 2]>>,
}

impl Lines {
    fn of(page: &FlatPage, pen: f64) -> Self {
        let length = (LEAST_LINE.max(pen + BEYOND_PEN) * page.scale) as usize;
        let direction = |index: usize| {
            let angle = PI * index as f64 / DIRECTIONS as f64;
            (0..=length).map(|at| [angle.cos(), angle.sin()].map(|part| (part * at as f64).round() as isize)).collect()
        };
        Self { directions: (0..DIRECTIONS).map(direction).collect() }
    }

    /// The darkest line through a pixel: of each, its lightest pixel.
    fn opened(&self, plane: &Plane, at: usize) -> f32 {
        let (x, y) = ((at % plane.width) as isize, (at / plane.width) as isize);
        let mut most = 0.0_f32;
        for line in &self.directions {
            let lightest = |sign: isize| -> Vec<f32> {
                let mut least = f32::MAX;
                let darkness = line.iter().map(|[across, down]| plane.at(x + sign * across, y + sign * down));
                darkness
                    .map(|value| {
                        least = least.min(value);
                        least
                    })
                    .collect()
            };
            let (ahead, behind) = (lightest(1), lightest(-1));
            let whole = ahead.iter().zip(behind.iter().rev()).map(|(one, other)| one.min(*other));
            most = whole.fold(most, f32::max);
        }
        most
    }
}
