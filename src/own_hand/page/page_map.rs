//! The map from the page to the picture, fitted to the black dots.

use super::dot_finder::{centre, find_dot};
use super::homography::Homography;
use super::linear::least_squares;
use super::mark_finder::{FoundMark, FoundMarks, find_marks};
use super::{Place, distance, quantile};
use crate::own_hand::Refusal;
use crate::own_hand::picture::Picture;
use crate::own_hand::sheet::{COLUMNS, MARK_SIDE, PAPER, ROWS, SheetPage, lattice, mark_corners};

/// Dots of a row.
const ACROSS: usize = COLUMNS + 1;
/// How far a dot may be from where its neighbours say, in mm: where few are known, and where more are.
const FIRST_WINDOW: f64 = 2.2;
const WINDOW: f64 = 1.3;
/// Rounds in which dots are looked for, each beside those that are known; in later ones also two away from them.
const ROUNDS: usize = 60;
const NEAR_ROUNDS: usize = 22;
/// The distance over which a neighbour counts for less, in mm.
const FADING: f64 = 18.0;
/// Degrees of the polynomials that find wrong dots, and how far dots may be from them, in mm.
const CHECKS: [(usize, f64); 2] = [(4, 1.2), (6, 0.6)];
/// The least dots of a map, and the degrees of its polynomial with many and with few dots.
const LEAST_DOTS: usize = 30;
const MANY_DOTS: usize = 90;
const DEGREES: [usize; 2] = [6, 3];

/// Where the places of a page are on a picture.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct PageMap {
    flat: Homography,
    /// What the paper's curl and the lens add to it, in pixels, along either axis.
    bends: [Vec<f64>; 2],
    degree: usize,
    /// For each black dot, row by row, whether it was found.
    seen: Vec<bool>,
    /// Width and height of the picture.
    picture: [usize; 2],
    /// What was measured.
    pub(in crate::own_hand) figures: MapFigures,
}

/// What is known of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapFigures {
    /// The page.
    pub page: SheetPage,
    /// Corner marks, of 4.
    pub marks: usize,
    /// Black dots, of 182.
    pub dots: usize,
    /// Pixels per mm.
    pub scale: f64,
    /// The median distance of dots from the map, in mm.
    pub residual: f64,
    /// The distance that 95 % of them do not exceed.
    pub residual_p95: f64,
}

impl PageMap {
    /// Finds the page of a picture.
    ///
    /// # Errors
    /// Fewer than three corner marks, two pages, or too few dots.
    pub(in crate::own_hand) fn find(picture: &Picture) -> Result<Self, Refusal> {
        let marks = page_marks(&find_marks(picture))?;
        let Some(page) = marks.first().map(|mark| mark.page) else { return Err(Refusal::NoMarks) };
        let from: Vec<Place> = marks.iter().flat_map(|mark| mark_corners(mark.corner)).collect();
        let to: Vec<Place> = marks.iter().flat_map(|mark| mark.corners).collect();
        let first = Homography::fit(&from, &to, &vec![1.0; to.len()]).ok_or(Refusal::NoMarks)?;
        let sides: Vec<f64> = marks
            .iter()
            .flat_map(|mark| (0..4).map(|at| distance(mark.corners[at], mark.corners[(at + 1) % 4]) / MARK_SIDE))
            .collect();
        let scale = quantile(&sides, 0.5);
        let dots = Lattice::grow(picture, &first, &marks).checked(picture, &first)?;
        let (mut from, mut to) = (Vec::new(), Vec::new());
        let mut seen = vec![false; dots.places.len()];
        for (index, (place, offset)) in dots.places.iter().zip(&dots.offsets).enumerate() {
            let Some(offset) = offset else { continue };
            let at = first.at([place[0] + offset[0], place[1] + offset[1]]);
            if let Some(centre) = centre(picture, at, scale) {
                seen[index] = true;
                from.push(*place);
                to.push(centre);
            }
        }
        if to.len() < LEAST_DOTS {
            return Err(Refusal::FewDots { found: to.len() });
        }
        let flat = Homography::fit(&from, &to, &vec![1.0; to.len()]).ok_or(Refusal::FewDots { found: to.len() })?;
        let rest: Vec<Place> = from
            .iter()
            .zip(&to)
            .map(|(from, to)| {
                let at = flat.at(*from);
                [to[0] - at[0], to[1] - at[1]]
            })
            .collect();
        let degree = DEGREES[usize::from(to.len() <= MANY_DOTS)];
        let fit = PolynomialFit::of(&from, &rest, degree, 0.15).ok_or(Refusal::FewDots { found: to.len() })?;
        let residuals: Vec<f64> = fit.residuals.iter().map(|residual| residual / scale).collect();
        let figures = MapFigures {
            page,
            marks: marks.len(),
            dots: to.len(),
            scale,
            residual: quantile(&residuals, 0.5),
            residual_p95: quantile(&residuals, 0.95),
        };
        Ok(Self { flat, bends: fit.coefficients, degree, seen, picture: picture.size(), figures })
    }

    /// Where a place of the page is on the picture.
    #[must_use]
    pub(in crate::own_hand) fn at(&self, place: Place) -> Place {
        let flat = self.flat.at(place);
        let terms = polynomial(place, self.degree);
        [0, 1].map(|axis| flat[axis] + terms.iter().zip(&self.bends[axis]).map(|(term, by)| term * by).sum::<f64>())
    }

    /// Whether a place of the page is on the picture.
    pub(in crate::own_hand) fn is_on_picture(&self, place: Place) -> bool {
        let at = self.at(place);
        (0..2).all(|axis| at[axis] >= 0.0 && at[axis] <= self.picture[axis] as f64 - 1.0)
    }

    /// How many of the dots at the corners of a box were seen, and the share of those within one box around it.
    pub(in crate::own_hand) fn dots_around(&self, row: usize, column: usize) -> (usize, f64) {
        let seen = |rows: std::ops::RangeInclusive<usize>, columns: std::ops::RangeInclusive<usize>| {
            let places = rows.flat_map(|row| columns.clone().map(move |column| row * ACROSS + column));
            let all: Vec<bool> = places.map(|at| self.seen.get(at).copied().unwrap_or_default()).collect();
            (all.iter().filter(|seen| **seen).count(), all.len())
        };
        let (near, _) = seen(row..=row + 1, column..=column + 1);
        let (count, all) =
            seen(row.saturating_sub(1)..=(row + 2).min(ROWS), column.saturating_sub(1)..=(column + 2).min(COLUMNS));
        (near, count as f64 / all.max(1) as f64)
    }

    /// The black dots that were seen.
    pub(in crate::own_hand) fn seen_dots(&self) -> impl Iterator<Item = Place> {
        lattice().zip(&self.seen).filter(|(_, seen)| **seen).map(|(place, _)| place)
    }
}

/// The marks of the one page on the picture.
fn page_marks(found: &FoundMarks) -> Result<Vec<FoundMark>, Refusal> {
    let of = |page: SheetPage| found.marks.iter().filter(|mark| mark.page == page).copied().collect::<Vec<_>>();
    let mut pages: Vec<(SheetPage, Vec<FoundMark>)> =
        SheetPage::ALL.into_iter().map(|page| (page, of(page))).filter(|(_, marks)| !marks.is_empty()).collect();
    pages.sort_by_key(|(_, marks)| std::cmp::Reverse(marks.len()));
    let mut pages = pages.into_iter();
    match (pages.next(), pages.next()) {
        (None, _) if found.are_mirrored => Err(Refusal::Mirrored),
        (None, _) => Err(Refusal::NoMarks),
        (_, Some((_, second))) if second.len() >= 3 => Err(Refusal::TwoPages),
        (Some((page, marks)), _) if marks.len() < 3 => Err(Refusal::FewMarks { page, found: marks.len() }),
        (Some((_, marks)), _) => Ok(marks),
    }
}

/// The black dots: where each is, in mm, from where the flat map of the marks expects it.
struct Lattice {
    places: Vec<Place>,
    offsets: Vec<Option<Place>>,
}

impl Lattice {
    /// Finds dots from the corners on, each where those beside it say.
    #[expect(clippy::needless_range_loop, reason = "the lattice changes in the loop over its dots")]
    fn grow(picture: &Picture, map: &Homography, marks: &[FoundMark]) -> Self {
        let places: Vec<Place> = lattice().collect();
        let mut lattice = Self { offsets: vec![None; places.len()], places };
        let last = lattice.places.len() - 1;
        for (corner, index) in [0, COLUMNS, last - COLUMNS, last].into_iter().enumerate() {
            if marks.iter().any(|mark| mark.corner == corner) {
                lattice.look(picture, map, index, [0.0; 2], FIRST_WINDOW);
            }
        }
        let mut tried = vec![usize::MAX; lattice.places.len()];
        for round in 0..ROUNDS {
            let mut is_more = false;
            for index in 0..lattice.places.len() {
                if lattice.offsets[index].is_some() {
                    continue;
                }
                let neighbours = lattice.neighbours(index);
                let nearest = neighbours.iter().map(|other| steps(*other, index)).min().unwrap_or(usize::MAX);
                let allowed = if round < NEAR_ROUNDS { 1 } else { 2 };
                // With the same neighbours the same place would be looked at again.
                if nearest > allowed || tried[index] == neighbours.len() {
                    continue;
                }
                tried[index] = neighbours.len();
                let (expected, window) = lattice.expected(index, &neighbours);
                is_more |= lattice.look(picture, map, index, expected, window);
            }
            if !is_more && round > NEAR_ROUNDS {
                break;
            }
        }
        lattice
    }

    fn look(&mut self, picture: &Picture, map: &Homography, index: usize, expected: Place, window: f64) -> bool {
        let place = self.places[index];
        let near = [place[0] + expected[0], place[1] + expected[1]];
        let found = find_dot(picture, &|place| map.at(place), near, window);
        let found = found.filter(|found| distance(*found, near) <= window);
        self.offsets[index] = found.map(|found| [found[0] - place[0], found[1] - place[1]]);
        found.is_some()
    }

    /// The known dots at most two rows and columns away.
    fn neighbours(&self, index: usize) -> Vec<usize> {
        let (row, column) = (index / ACROSS, index % ACROSS);
        let rows = row.saturating_sub(2)..=(row + 2).min(ROWS);
        let columns = column.saturating_sub(2)..=(column + 2).min(COLUMNS);
        let around = rows.flat_map(|row| columns.clone().map(move |column| row * ACROSS + column));
        around.filter(|other| self.offsets[*other].is_some()).collect()
    }

    /// Where neighbours say that a dot is: on the plane through their offsets, or at their mean if they are few.
    fn expected(&self, index: usize, neighbours: &[usize]) -> (Place, f64) {
        let place = self.places[index];
        let offset = |other: &usize| self.offsets[*other].unwrap_or_default();
        let count = neighbours.len().max(1) as f64;
        let mean = [0, 1].map(|axis| neighbours.iter().map(|other| offset(other)[axis]).sum::<f64>() / count);
        if neighbours.len() < 4 {
            return (mean, FIRST_WINDOW);
        }
        let far = |other: &usize| distance(self.places[*other], place);
        let weights: Vec<f64> = neighbours.iter().map(|other| (-far(other) / FADING).exp()).collect();
        let rows: Vec<Vec<f64>> = neighbours
            .iter()
            .map(|other| vec![1.0, self.places[*other][0] - place[0], self.places[*other][1] - place[1]])
            .collect();
        let on_plane = [0, 1].map(|axis| {
            let values: Vec<f64> = neighbours.iter().map(|other| offset(other)[axis]).collect();
            let fit = least_squares(&rows, &values, &weights, &[1e-9, 2.0, 2.0]);
            fit.and_then(|fit| fit.first().copied()).unwrap_or(mean[axis])
        });
        (on_plane, WINDOW)
    }

    /// The lattice without dots that do not fit to the others, and with those that are found where the others say.
    fn checked(mut self, picture: &Picture, map: &Homography) -> Result<Self, Refusal> {
        for (degree, window) in CHECKS {
            let known: Vec<usize> = (0..self.places.len()).filter(|index| self.offsets[*index].is_some()).collect();
            if known.len() < LEAST_DOTS {
                return Err(Refusal::FewDots { found: known.len() });
            }
            let from: Vec<Place> = known.iter().map(|index| self.places[*index]).collect();
            let offsets: Vec<Place> = known.iter().map(|index| self.offsets[*index].unwrap_or_default()).collect();
            let fit = PolynomialFit::of(&from, &offsets, degree, 0.15);
            let fit = fit.ok_or(Refusal::FewDots { found: known.len() })?;
            for index in 0..self.places.len() {
                let expected = fit.at(self.places[index]);
                if self.offsets[index].is_none_or(|offset| distance(offset, expected) > window) {
                    self.look(picture, map, index, expected, window);
                }
            }
        }
        Ok(self)
    }
}

/// Rows and columns between two dots.
fn steps(one: usize, other: usize) -> usize {
    (one / ACROSS).abs_diff(other / ACROSS) + (one % ACROSS).abs_diff(other % ACROSS)
}

/// The terms of a polynomial in the place on the page.
fn polynomial([x, y]: Place, degree: usize) -> Vec<f64> {
    let scaled = [(x, PAPER[0]), (y, PAPER[1])].map(|(at, side)| 2.0 * at / side - 1.0);
    let powers = scaled.map(|at| std::iter::successors(Some(1.0), |power| Some(power * at)).take(degree + 1).collect());
    let [across, down]: [Vec<f64>; 2] = powers;
    let mut terms = Vec::with_capacity((degree + 1) * (degree + 2) / 2);
    for (power, x) in across.iter().enumerate() {
        terms.extend(down.iter().take(degree + 1 - power).map(|y| x * y));
    }
    terms
}

/// Polynomials fitted to vectors at places, without regard to a few that do not fit.
struct PolynomialFit {
    coefficients: [Vec<f64>; 2],
    degree: usize,
    residuals: Vec<f64>,
}

impl PolynomialFit {
    /// Fits with weights that fall beyond twice the usual distance, which is at least `least` (P. Huber, 1964), and end
    /// at six times it.
    fn of(places: &[Place], values: &[Place], degree: usize, least: f64) -> Option<Self> {
        let rows: Vec<Vec<f64>> = places.iter().map(|place| polynomial(*place, degree)).collect();
        let penalties = vec![1e-9; rows.first()?.len()];
        let mut weights = vec![1.0; places.len()];
        let mut fit = None;
        for _ in 0..6 {
            let of_axis = |axis: usize| {
                let values: Vec<f64> = values.iter().map(|value| value[axis]).collect();
                least_squares(&rows, &values, &weights, &penalties)
            };
            let coefficients = [of_axis(0)?, of_axis(1)?];
            let mut known = Self { coefficients, degree, residuals: Vec::new() };
            known.residuals = places.iter().zip(values).map(|(at, value)| distance(known.at(*at), *value)).collect();
            let usual = (1.48 * quantile(&known.residuals, 0.5)).max(least);
            let weight = |residual: &f64| {
                if *residual > 6.0 * usual { 0.0 } else { 1.0 / (residual / (2.0 * usual)).max(1.0).powi(2) }
            };
            weights = known.residuals.iter().map(weight).collect();
            fit = Some(known);
        }
        fit
    }

    fn at(&self, place: Place) -> Place {
        let terms = polynomial(place, self.degree);
        [0, 1].map(|axis| terms.iter().zip(&self.coefficients[axis]).map(|(term, by)| term * by).sum())
    }
}
