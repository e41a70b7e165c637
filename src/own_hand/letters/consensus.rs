//! Compares the copies of each letter with each other and with all other letters.
//!
//! A box alone cannot show that a speck is no dot, that a dot is lost, that a letter is too large, or that another letter
//! was written. Its copies can.

use std::collections::BTreeMap;

use super::{BoxReading, Doubt, bounds, is_within, signed_area};
use crate::own_hand::page::{Place, quantile};
use crate::own_hand::picture::depths;

/// A part smaller than this many tips of the pen may be a speck.
const SPECK: f64 = 3.0;
/// How near a part of another copy has to be to be the same, in x-heights.
const SAME_PART: f64 = 0.55;
/// Largest difference of heights, as a logarithm, and least one in x-heights, that is no other size.
const OTHER_SIZE: (f64, f64) = (0.32, 0.25);
/// Largest difference of the lower ends, in x-heights.
const OTHER_HEIGHT: f64 = 0.38;
/// Largest distance from the nearest copy, in x-heights, and in medians of such distances.
const OTHER_SHAPE: (f64, f64) = (0.11, 2.6);
/// A letter nearer to another one than this share of its distance from its copies looks like it.
const LIKE_OTHER: f64 = 0.72;
/// Pixels of an x-height on which letters are compared, and width, height and depth of a letter there, in x-heights.
const PIXELS: usize = 24;
const SIDES: [usize; 2] = [6, 5];
const BELOW: f64 = 1.8;

/// Characters that nobody can tell apart by their shape.
const ALIKE: [&str; 21] = [
    "oO0",
    "lI1|",
    "sS5",
    "cC(",
    "xX",
    "zZ2",
    "vV",
    "uU",
    "wW",
    "pP",
    "kK",
    "ij",
    "'`,.‘’",
    "\"“”",
    "-–_~",
    "yY",
    "fF",
    "tT",
    "mM",
    "B8ß",
    "gq9",
];
/// Letters with accents and the letters that they look like.
const ACCENTED: [(&str, char); 9] = [
    ("áåąăæ", 'a'),
    ("èêœ", 'e'),
    ("őōøð", 'o'),
    ("ü", 'u'),
    ("ç", 'c'),
    ("č", 'c'),
    ("żž", 'z'),
    ("ñŋ", 'n'),
    ("ł", 'l'),
];

/// The height of this hand's small letters, in mm: the median top of those without ascenders; `None` where none was
/// written.
pub(super) fn x_height(readings: &[BoxReading]) -> Option<f64> {
    let is_low = |reading: &&BoxReading| reading.is_good() && "acemnorsuvwxz".contains(reading.place.character);
    let tops: Vec<f64> = readings.iter().filter(is_low).map(|reading| reading.bounds().top).collect();
    (!tops.is_empty()).then(|| quantile(&tops, 0.5))
}

/// Adds the doubts that show only beside other boxes, drops specks, and takes back doubts that all copies share. Returns
/// the height of small letters in mm; `None` where none was written.
pub(in crate::own_hand) fn compare(readings: &mut [BoxReading]) -> Option<f64> {
    let x_height = x_height(readings)?;
    let is_compared = |reading: &BoxReading| reading.is_filled() && !reading.doubts.contains(&Doubt::Unplaced);
    let mut by_character: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (index, reading) in readings.iter().enumerate().filter(|(_, reading)| is_compared(reading)) {
        by_character.entry(reading.place.character).or_default().push(index);
    }
    for copies in by_character.values() {
        compare_parts(readings, copies, x_height);
    }
    compare_sizes(readings, &by_character, x_height);
    compare_shapes(readings, &by_character, x_height);
    Some(x_height)
}

/// An outer contour besides the largest: its index, its middle in x-heights, and its area in tips of the pen.
struct Part {
    index: usize,
    middle: Place,
    tips: f64,
}

fn parts(reading: &BoxReading, x_height: f64) -> Vec<Part> {
    let areas: Vec<f64> = reading.contours.iter().map(|contour| signed_area(contour)).collect();
    let outer = |index: &usize| areas[*index] < 0.0;
    let Some(main) = (0..areas.len()).filter(outer).min_by(|a, b| areas[*a].total_cmp(&areas[*b])) else {
        return Vec::new();
    };
    let [across, _] = bounds([&reading.contours[main]]).middle();
    let part = |index: usize| {
        let [x, y] = bounds([&reading.contours[index]]).middle();
        Part { index, middle: [(x - across) / x_height, y / x_height], tips: -areas[index] / reading.tip }
    };
    (0..areas.len()).filter(outer).filter(|index| *index != main).map(part).collect()
}

/// Drops specks: small parts that fewer than half of the other copies have. A part that most copies lack is not missing.
fn compare_parts(readings: &mut [BoxReading], copies: &[usize], x_height: f64) {
    let all: Vec<Vec<Part>> = copies.iter().map(|copy| parts(&readings[*copy], x_height)).collect();
    for (own, copy) in copies.iter().enumerate() {
        let others = || all.iter().enumerate().filter(|(other, _)| *other != own).map(|(_, parts)| parts);
        let count = others().count();
        let has = |parts: &&Vec<Part>, part: &Part| {
            parts
                .iter()
                .any(|other| (other.middle[0] - part.middle[0]).hypot(other.middle[1] - part.middle[1]) < SAME_PART)
        };
        let reading = &mut readings[*copy];
        let is_speck = |part: &&Part| {
            let having = others().filter(|parts| has(parts, part)).count();
            let is_single = count == 0 && reading.place.character.is_ascii_alphanumeric();
            let may_have_dot = "ij".contains(reading.place.character);
            part.tips < SPECK && (if count == 0 { is_single && !may_have_dot } else { 2 * having < count })
        };
        let specks: Vec<usize> = all[own].iter().filter(is_speck).map(|part| part.index).collect();
        if !specks.is_empty() {
            let mut index = 0;
            reading.contours.retain(|_| {
                index += 1;
                !specks.contains(&(index - 1))
            });
            reading.doubts.retain(|doubt| *doubt != Doubt::Broken);
        }
        if count > 0 && 2 * others().filter(|parts| parts.is_empty()).count() >= count {
            reading.doubts.retain(|doubt| *doubt != Doubt::PartMissing);
        }
    }
}

/// A group of characters of about the same height.
fn size_class(character: char) -> char {
    match character {
        'a' | 'c' | 'e' | 'm' | 'n' | 'o' | 'r' | 's' | 'u' | 'v' | 'w' | 'x' | 'z' => 'x',
        'b' | 'd' | 'h' | 'k' | 'l' => 'l',
        'g' | 'p' | 'q' | 'y' => 'p',
        'A'..='Z' => 'A',
        '0'..='9' => '0',
        other => other,
    }
}

fn compare_sizes(readings: &mut [BoxReading], by_character: &BTreeMap<char, Vec<usize>>, x_height: f64) {
    let median = |readings: &[BoxReading], copies: &[usize], of: &dyn Fn(&BoxReading) -> f64| {
        quantile(&copies.iter().map(|copy| of(&readings[*copy])).collect::<Vec<_>>(), 0.5)
    };
    let height = |reading: &BoxReading| reading.bounds().height() / x_height;
    let bottom = |reading: &BoxReading| reading.bounds().bottom / x_height;
    let mut classes: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (character, copies) in by_character {
        classes.entry(size_class(*character)).or_default().extend(copies);
    }
    for (character, copies) in by_character.iter().filter(|(character, _)| character.is_alphanumeric()) {
        let of_class = classes.get(&size_class(*character)).map_or(copies.as_slice(), Vec::as_slice);
        let usual = median(readings, if copies.len() >= 3 { copies } else { of_class }, &height);
        let usual_bottom = median(readings, copies, &bottom);
        for copy in copies {
            let (own, own_bottom) = (height(&readings[*copy]), bottom(&readings[*copy]));
            if (own / usual).ln().abs() > OTHER_SIZE.0 && (own - usual).abs() > OTHER_SIZE.1 {
                readings[*copy].doubt(Doubt::Size);
            }
            if copies.len() >= 2 && (own_bottom - usual_bottom).abs() > OTHER_HEIGHT {
                readings[*copy].doubt(Doubt::Height);
            }
        }
    }
}

/// A letter on a raster: the indices of its pixels, and the distance of each pixel of the raster from it, in x-heights.
struct Shape {
    pixels: Vec<usize>,
    distances: Vec<f32>,
}

impl Shape {
    fn of(reading: &BoxReading, x_height: f64) -> Self {
        let [width, height] = SIDES.map(|side| side * PIXELS);
        let [middle, _] = reading.bounds().middle();
        let place = |at: usize| {
            let (column, row) = ((at % width) as f64 + 0.5, (at / width) as f64 + 0.5);
            let x = column / PIXELS as f64 - 0.5 * SIDES[0] as f64;
            let y = row / PIXELS as f64 - BELOW;
            [middle + x * x_height, y * x_height]
        };
        let around = reading.bounds();
        let is_near =
            |[x, y]: &Place| (around.left..=around.right).contains(x) && (around.bottom..=around.top).contains(y);
        let inside = |at: &usize| is_near(&place(*at)) && is_within(&reading.contours, place(*at));
        let mut pixels: Vec<usize> = (0..width * height).filter(inside).collect();
        if pixels.is_empty() {
            pixels.push(0);
        }
        let mut inked = vec![false; width * height];
        for at in &pixels {
            inked[*at] = true;
        }
        let far = depths(width, height, |at| !inked[at]);
        Self { pixels, distances: far.values.into_iter().map(|far| (far / PIXELS as f32).min(1.0)).collect() }
    }

    /// The mean distance of the pixels of either from the other.
    fn distance(&self, other: &Self) -> f64 {
        let one_way = |from: &Self, to: &Self| {
            from.pixels.iter().map(|at| f64::from(to.distances[*at])).sum::<f64>() / from.pixels.len() as f64
        };
        f64::midpoint(one_way(self, other), one_way(other, self))
    }
}

fn compare_shapes(readings: &mut [BoxReading], by_character: &BTreeMap<char, Vec<usize>>, x_height: f64) {
    let compared: Vec<usize> = by_character.values().flatten().copied().collect();
    let shapes: Vec<Shape> = compared.iter().map(|index| Shape::of(&readings[*index], x_height)).collect();
    let character = |at: usize| readings[compared[at]].place.character;
    // For each the distance from the nearest copy, and from the nearest other letter, with that.
    let mut own = vec![f64::MAX; compared.len()];
    let mut others = vec![(f64::MAX, ' '); compared.len()];
    for one in 0..compared.len() {
        for other in 0..one {
            let is_copy = character(one) == character(other);
            if !is_copy && are_alike(character(one), character(other)) {
                continue;
            }
            let far = shapes[one].distance(&shapes[other]);
            for (at, with) in [(one, other), (other, one)] {
                if is_copy {
                    own[at] = own[at].min(far);
                } else if far < others[at].0 {
                    others[at] = (far, character(with));
                }
            }
        }
    }
    let known: Vec<f64> = own.iter().copied().filter(|far| *far < f64::MAX).collect();
    let usual = quantile(&known, 0.5);
    for at in 0..compared.len() {
        let reading = &mut readings[compared[at]];
        if own[at] >= f64::MAX {
            continue;
        }
        if others[at].0 < LIKE_OTHER * own[at] && reading.place.character.is_alphanumeric() {
            reading.doubt(Doubt::LooksLike(others[at].1));
        } else if own[at] > OTHER_SHAPE.0.max(OTHER_SHAPE.1 * usual) {
            reading.doubt(Doubt::Shape);
        }
    }
}

fn are_alike(one: char, other: char) -> bool {
    let plain = |character: char| {
        ACCENTED.iter().find(|(accented, _)| accented.contains(character)).map_or(character, |(_, plain)| *plain)
    };
    let (one, other) = (plain(one), plain(other));
    one == other || ALIKE.iter().any(|group| group.contains(one) && group.contains(other))
}
