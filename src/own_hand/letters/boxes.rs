//! Gives ink to boxes, and traces it.

use std::collections::{BTreeMap, BTreeSet};

use super::{BoxReading, Contour, Doubt};
use crate::own_hand::ink::InkPage;
use crate::own_hand::page::Place;
use crate::own_hand::picture::{Plane, Region, Regions, zero_contours};
use crate::own_hand::sheet::{BASELINE, BOX_HEIGHT, BOX_WIDTH, COLUMNS, ORIGIN, ROWS, SheetBox, box_origin};

/// Areas, in tips of the pen. Smaller regions are dirt.
const LEAST_REGION: f64 = 0.25;
/// Smaller parts of letters with dots, and of others, are specks.
const LEAST_DOT: f64 = 0.55;
const LEAST_PART: f64 = 0.9;
/// Less ink is none.
const LEAST_INK: f64 = 0.45;
/// Smaller outlines are pores of pencil; those of a pen wider than this area of its tip, in mm², are loops that it nearly
/// fills.
const LEAST_CONTOUR: f64 = 0.18;
const WIDEST_PENCIL: f64 = 0.28;
/// A region crosses into another box with this share and this many tips of its area there.
const CROSSING: (f64, f64) = (0.25, 2.0);
/// How far a part may be from the rest of a letter, in mm, across and down.
const APART: [f64; 2] = [2.5, 5.0];
/// The blur before the outline is traced, in pixels.
const BLUR: f64 = 0.55;
/// Pixels around the ink of a box that are traced with it.
const MARGIN: usize = 4;
/// How far beyond its region the edge of ink may be, in pixels.
const EDGE: usize = 3;
/// The share of a region's pixels beside print that makes it doubtful.
const ON_PRINT: f64 = 0.04;
/// Ink lighter than this share of that of the page is faint.
const FAINT: f64 = 0.5;
/// Fewest black dots at the corners of a box, and least share of those around it.
const LEAST_DOTS: (usize, f64) = (2, 0.6);
/// Characters whose small parts belong to them.
const WITH_DOTS: &str = "ij.:;!?%\"“”=";
/// Characters of which a missing part is told.
const OF_TWO_PARTS: &str = "ij!?:;=\"";

/// Reads the boxes of a page; none of a page of lines.
pub(in crate::own_hand) fn read_boxes(page: &InkPage) -> Vec<BoxReading> {
    let (width, height) = (page.ink.width, page.ink.height);
    let regions = Regions::of(width, height, |at| page.is_connected(at));
    let (owned, crossing) = owners(page, &regions);
    let blurred = page.ink.blurred(BLUR);
    let tip = page.tip_area() / (page.flat.scale * page.flat.scale);
    let read = |place: SheetBox| {
        let mut reading = BoxReading { place, doubts: Vec::new(), contours: Vec::new(), tip };
        let own = [place.row, place.column];
        if page.crossed.contains(&own) {
            reading.doubt(Doubt::Dropped);
            return reading;
        }
        let kept = kept(page, &regions, owned.get(&own).map_or(&[], Vec::as_slice), place.character);
        let area: usize = kept.iter().map(|number| regions.region(*number).area).sum();
        if (area as f64) < LEAST_INK * page.tip_area() {
            reading.doubt(Doubt::Empty);
            return reading;
        }
        trace(page, &regions, &blurred, &kept, &mut reading);
        if crossing.contains(&own) {
            reading.doubt(Doubt::Crosses);
        }
        if reading.contours.is_empty() {
            reading.doubt(Doubt::Faint);
        }
        let (near, share) = page.map.dots_around(place.row, place.column);
        if near < LEAST_DOTS.0 || share < LEAST_DOTS.1 {
            reading.doubt(Doubt::Unplaced);
        }
        let wanted = usual_parts(place.character);
        if wanted.is_some_and(|wanted| kept.len() < wanted) && OF_TWO_PARTS.contains(place.character) {
            reading.doubt(Doubt::PartMissing);
        }
        if wanted.is_some_and(|wanted| kept.len() > wanted + 1) {
            reading.doubt(Doubt::Broken);
        }
        reading
    };
    page.sheet.boxes().map(read).collect()
}

/// The numbers of regions by the row and column of their box.
type RegionsOfBoxes = BTreeMap<[usize; 2], Vec<u32>>;

/// For each row and column the regions of ink, the largest first; and the boxes whose ink reaches into others.
fn owners(page: &InkPage, regions: &Regions) -> (RegionsOfBoxes, BTreeSet<[usize; 2]>) {
    let box_at = |at: usize| {
        let [x, y] = page.flat.place([(at % page.ink.width) as f64, (at / page.ink.width) as f64]);
        let (column, row) = ((x - ORIGIN[0]) / BOX_WIDTH, (y - ORIGIN[1]) / BOX_HEIGHT);
        let inside = (0.0..COLUMNS as f64).contains(&column) && (0.0..ROWS as f64).contains(&row);
        inside.then_some([row as usize, column as usize])
    };
    let mut areas: BTreeMap<(u32, [usize; 2]), usize> = BTreeMap::new();
    for (at, number) in regions.numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
        if let Some(own) = box_at(at) {
            *areas.entry((*number, own)).or_default() += 1;
        }
    }
    let mut by_region: BTreeMap<u32, Vec<(usize, [usize; 2])>> = BTreeMap::new();
    for ((number, own), area) in areas {
        by_region.entry(number).or_default().push((area, own));
    }
    let tip = page.tip_area();
    let mut owned: BTreeMap<[usize; 2], Vec<u32>> = BTreeMap::new();
    let mut crossing = BTreeSet::new();
    for (number, mut parts) in by_region {
        let area = regions.region(number).area as f64;
        parts.sort_by_key(|(part, own)| (std::cmp::Reverse(*part), *own));
        let Some((_, main)) = parts.first().copied().filter(|_| area >= LEAST_REGION * tip) else { continue };
        owned.entry(main).or_default().push(number);
        for (part, other) in parts.iter().skip(1) {
            if *part as f64 > (CROSSING.0 * area).max(CROSSING.1 * tip) {
                crossing.extend([main, *other]);
            }
        }
    }
    for numbers in owned.values_mut() {
        numbers.sort_by_key(|number| (std::cmp::Reverse(regions.region(*number).area), *number));
    }
    (owned, crossing)
}

/// The regions of a letter: the largest, and others near it that are no specks.
fn kept(page: &InkPage, regions: &Regions, owned: &[u32], character: char) -> Vec<u32> {
    let scale = page.flat.scale;
    let has_dots = WITH_DOTS.contains(character) || !character.is_ascii() && character.is_alphabetic();
    let least = if has_dots { LEAST_DOT } else { LEAST_PART } * page.tip_area();
    let mut kept: Vec<u32> = Vec::new();
    let mut around = Region::default();
    for number in owned {
        let region = regions.region(*number);
        if kept.is_empty() {
            around = region;
        } else {
            let gap = |low: usize, high: usize, from: usize, to: usize| {
                (low as f64 - to as f64).max(from as f64 - high as f64).max(0.0) / scale
            };
            let across = gap(region.left, region.right, around.left, around.right);
            let down = gap(region.top, region.bottom, around.top, around.bottom);
            if (region.area as f64) < least || across > APART[0] || down > APART[1] {
                continue;
            }
            around.left = around.left.min(region.left);
            around.right = around.right.max(region.right);
            around.top = around.top.min(region.top);
            around.bottom = around.bottom.max(region.bottom);
        }
        kept.push(*number);
    }
    kept
}

/// Traces the regions of a letter, and looks at their surroundings.
fn trace(page: &InkPage, regions: &Regions, blurred: &Plane, kept: &[u32], reading: &mut BoxReading) {
    let all = kept.iter().map(|number| regions.region(*number));
    let whole = all.fold(None, |known: Option<Region>, region| {
        let known = known.unwrap_or(region);
        Some(Region {
            area: known.area + region.area,
            left: known.left.min(region.left),
            top: known.top.min(region.top),
            right: known.right.max(region.right),
            bottom: known.bottom.max(region.bottom),
        })
    });
    let Some(whole) = whole else { return };
    let (width, height) = (page.ink.width, page.ink.height);
    let (left, top) = (whole.left.saturating_sub(MARGIN), whole.top.saturating_sub(MARGIN));
    let size = [(whole.right + MARGIN + 1).min(width) - left, (whole.bottom + MARGIN + 1).min(height) - top];
    let at = |index: usize| (top + index / size[0]) * width + left + index % size[0];
    let mut own = Plane::new(size[0], size[1]);
    for (index, value) in own.values.iter_mut().enumerate() {
        *value = if kept.contains(&regions.numbers[at(index)]) { 1.0 } else { 0.0 };
    }
    let near = own.dilated(EDGE);
    let mut field = Plane::new(size[0], size[1]);
    let (mut beside_print, mut darknesses) = (0, Vec::new());
    for (index, value) in field.values.iter_mut().enumerate() {
        let at = at(index);
        let (is_own, number) = (own.values[index] > 0.5, regions.numbers[at]);
        let edge = page.edge_level(at);
        *value = if near.values[index] > 0.5 && (is_own || number == 0) { blurred.values[at] - edge } else { -edge };
        if is_own {
            darknesses.push(f64::from(page.ink.values[at]));
            let around = [at, at.saturating_sub(1), at + 1, at.saturating_sub(width), at + width];
            beside_print += usize::from(around.iter().any(|at| page.is_printed((*at).min(width * height - 1))));
        }
    }
    let [x, y] = box_origin(reading.place.row, reading.place.column);
    let to_box = |pixel: Place| {
        let place = page.flat.place([pixel[0] + left as f64, pixel[1] + top as f64]);
        // To a thousandth of a mm, as records keep it.
        [place[0] - x, y + BASELINE - place[1]].map(|length| (length * 1000.0).round() / 1000.0)
    };
    let contours = zero_contours(&field).into_iter();
    let contours: Vec<Contour> = contours.map(|contour| contour.into_iter().map(to_box).collect()).collect();
    let large = |contour: &Contour| super::signed_area(contour).abs() >= LEAST_CONTOUR * reading.tip.min(WIDEST_PENCIL);
    reading.contours = contours.into_iter().filter(large).map(|contour| inset(contour, page.gain)).collect();
    if crate::own_hand::page::quantile(&darknesses, 0.85) < FAINT * page.figures.level {
        reading.doubt(Doubt::Faint);
    }
    if beside_print as f64 > ON_PRINT * whole.area as f64 {
        reading.doubt(Doubt::OnPrint);
    }
    if is_beyond_picture(page, [left, top], size) {
        reading.doubt(Doubt::Outside);
    }
}

/// A contour whose ink has edges a length further inside: each point moves along the normal of its neighbours.
fn inset(contour: Contour, by: f64) -> Contour {
    if by <= 0.0 {
        return contour;
    }
    let count = contour.len();
    let moved = |index: usize| {
        let [before, own, after] = [count - 1, 0, 1].map(|step| contour[(index + step) % count]);
        let along = [after[0] - before[0], after[1] - before[1]];
        let length = along[0].hypot(along[1]).max(1e-9);
        // Ink is on the right of its contours: outer ones have a negative area.
        let inside = [along[1] / length, -along[0] / length];
        [0, 1].map(|axis| ((own[axis] + by * inside[axis]) * 1000.0).round() / 1000.0)
    };
    (0..count).map(moved).collect()
}

/// Whether a corner of a part of the page is beyond the picture.
fn is_beyond_picture(page: &InkPage, [left, top]: [usize; 2], [width, height]: [usize; 2]) -> bool {
    let corners = [[left, top], [left + width, top], [left, top + height], [left + width, top + height]];
    corners.into_iter().any(|corner| !page.map.is_on_picture(page.flat.place(corner.map(|at| at as f64))))
}

/// How many parts a character has; `None` where hands differ.
fn usual_parts(character: char) -> Option<usize> {
    match character {
        'i' | 'j' | '!' | '?' | ':' | ';' | '=' | '"' | '“' | '”' => Some(2),
        '%' => Some(3),
        _ if character.is_ascii_alphanumeric() => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_hand::letters::signed_area;

    #[test]
    fn an_inset_makes_ink_smaller_and_its_holes_larger() {
        let circle = |turn: f64| -> Contour {
            let angle = |step: u32| turn * std::f64::consts::TAU * f64::from(step) / 360.0;
            (0..360).map(|step| [2.0 * angle(step).cos(), 2.0 * angle(step).sin()]).collect()
        };
        let radius = |contour: Contour| (signed_area(&inset(contour, 0.05)).abs() / std::f64::consts::PI).sqrt();
        assert!((radius(circle(-1.0)) - 1.95).abs() < 2e-3, "ink is clockwise");
        assert!((radius(circle(1.0)) - 2.05).abs() < 2e-3, "holes are not");
        assert_eq!(inset(circle(1.0), 0.0), circle(1.0));
    }
}
