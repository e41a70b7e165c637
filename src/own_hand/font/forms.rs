//! The forms of each letter: its copies, on one scale.

use std::collections::BTreeMap;

use super::{UNITS_PER_EM, X_HEIGHT};
use crate::own_hand::letters::{BoxReading, Contour, bounds};
use crate::own_hand::page::{Place, distance};

/// The most forms of a letter.
const MOST: usize = 5;
/// How far a copy is moved to the mean of the lower ends; the rest is the life of the hand.
const TO_BASELINE: f64 = 0.5;
/// The distance of points along an edge whose direction counts for the slant, and the range of slants, in degrees.
const EDGE: f64 = 36.0;
const MOST_SLANT: i32 = 35;
/// How far from the most frequent direction edges count, in degrees.
const NEAR_SLANT: f64 = 8.0;
/// Letters with straight stems.
const STRAIGHT: &str = "lhbdkpqtfijmnruHIT";

/// A form of a letter: contours in font units, whose ink begins at x = 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) contours: Vec<Contour>,
    pub(super) width: f64,
}

/// The forms of all letters.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct Forms {
    of: BTreeMap<char, Vec<Form>>,
    /// Slant of the hand in degrees, positive to the right.
    pub(in crate::own_hand) slant: f64,
}

impl Forms {
    /// Takes the first copies of each character from these boxes. `x_height` is in mm.
    pub(in crate::own_hand) fn of(readings: &[&BoxReading], x_height: f64) -> Self {
        let unit = X_HEIGHT / x_height;
        let mut of: BTreeMap<char, Vec<Form>> = BTreeMap::new();
        for reading in readings {
            let forms = of.entry(reading.place.character).or_default();
            if forms.len() < MOST {
                let left = reading.bounds().left;
                let scaled = |contour: &Contour| -> Contour {
                    contour.iter().map(|[x, y]| [(x - left) * unit, y * unit]).collect()
                };
                let contours: Vec<Contour> = reading.contours.iter().map(scaled).collect();
                forms.push(Form { width: bounds(&contours).right, contours });
            }
        }
        for forms in of.values_mut() {
            let bottoms: Vec<f64> = forms.iter().map(|form| bounds(&form.contours).bottom).collect();
            let mean = bottoms.iter().sum::<f64>() / bottoms.len().max(1) as f64;
            for (form, bottom) in forms.iter_mut().zip(bottoms) {
                let by = TO_BASELINE * (mean - bottom);
                form.contours.iter_mut().flatten().for_each(|[_, y]| *y += by);
            }
        }
        let slant = slant(&of);
        Self { of, slant }
    }

    /// The forms of a character; none of one that was not written.
    pub(super) fn of_character(&self, character: char) -> &[Form] {
        self.of.get(&character).map_or(&[], Vec::as_slice)
    }

    /// Every character with forms.
    pub(super) fn characters(&self) -> impl Iterator<Item = char> {
        self.of.keys().copied()
    }
}

/// The slant: the most frequent direction of edges of straight letters, and the mean around it.
fn slant(forms: &BTreeMap<char, Vec<Form>>) -> f64 {
    let mut edges: Vec<(f64, f64)> = Vec::new();
    let straight = STRAIGHT.chars().filter_map(|letter| forms.get(&letter)).flatten();
    for contour in straight.flat_map(|form| &form.contours) {
        let points = super::curve::spaced(contour, EDGE / 3.0);
        for (at, point) in points.iter().enumerate() {
            let other = points[(at + 3) % points.len()];
            let (across, up) = (other[0] - point[0], other[1] - point[1]);
            // Up and down are one direction.
            let angle = (across * up.signum()).atan2(up.abs()).to_degrees();
            if angle.abs() < f64::from(MOST_SLANT) {
                edges.push((angle, distance(*point, other)));
            }
        }
    }
    let near = |centre: f64, reach: f64| edges.iter().filter(move |(angle, _)| (angle - centre).abs() < reach);
    let weight =
        |centre: f64| near(centre, 4.0).map(|(angle, length)| length * (4.0 - (angle - centre).abs())).sum::<f64>();
    let centres = (-2 * MOST_SLANT..=2 * MOST_SLANT).map(|half| f64::from(half) / 2.0);
    let Some(centre) = centres.max_by(|a, b| weight(*a).total_cmp(&weight(*b))) else { return 0.0 };
    let sum: f64 = near(centre, NEAR_SLANT).map(|(_, length)| length).sum();
    let turned: f64 = near(centre, NEAR_SLANT).map(|(angle, length)| angle * length).sum();
    if sum > 0.0 { turned / sum } else { 0.0 }
}

/// The part of contours below a height, closed along it (I. Sutherland, G. Hodgman, 1974).
pub(super) fn below(contours: &[Contour], height: f64) -> Vec<Contour> {
    let cut = |contour: &Contour| {
        let mut kept: Contour = Vec::new();
        for (one, other) in contour.iter().zip(contour.iter().cycle().skip(1)) {
            if one[1] <= height {
                kept.push(*one);
            }
            if (one[1] <= height) != (other[1] <= height) {
                let share = (height - one[1]) / (other[1] - one[1]);
                let place: Place = [one[0] + share * (other[0] - one[0]), height];
                kept.push(place);
            }
        }
        kept
    };
    let least = 0.002 * UNITS_PER_EM * UNITS_PER_EM * 0.5;
    let large = |contour: &Contour| contour.len() > 8 && crate::own_hand::letters::signed_area(contour).abs() > least;
    contours.iter().map(cut).filter(large).collect()
}
