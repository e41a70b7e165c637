//! Unites letters that overlap, so that a blade cuts every edge once and nothing falls apart.

use i_overlay::core::fill_rule::FillRule;
use kurbo::PathEl;
use rayon::prelude::*;

use super::boundary::{Contour, boundary, box_of, intersect, off_grid, on_grid};
use super::page::{Shape, VectorPage, VectorPath, VectorText, VectorWord};
use super::threads::in_own_threads;
use crate::geometry::{PathCommand, polygons};
use crate::units::MM_PER_INCH;
use crate::work::{IsWanted, Stopped};

/// Steps of the grid on which edges are united, per page px: 1000 per mm. Files have the same grid, so they add no
/// rounding, which could make edges cross again.
const STEPS_PER_PX: f64 = 1000.0 * MM_PER_INCH / 300.0;
/// Largest deviation of straight edges from curves, in steps: 0.01 mm.
const TOLERANCE: f64 = 10.0;
/// Specks and gaps of a smaller area are left out, in square steps: those of squares of 0.02 mm.
const LEAST_AREA: u64 = 400;

/// The page with one path per word: straight edges within 0.02 mm of the outlines that neither overlap nor cross. Solid
/// ink. Words of a text that meet, such as those of narrow lines, are one path, which stands for the first of them.
/// Words are welded in parallel.
///
/// # Errors
/// When the page is no longer wanted.
pub fn weld(page: VectorPage, is_wanted: IsWanted<'_>) -> Result<VectorPage, Stopped> {
    let welded = |text: VectorText| {
        let words = text.words.par_iter().map(|word| united_letters(word, is_wanted));
        let words = in_own_threads(|| words.collect::<Result<Vec<_>, _>>())?;
        let words = united_words(words, is_wanted)?;
        Ok(VectorText { words: words.iter().map(|contours| word_of(contours)).collect(), ..text })
    };
    let texts = page.texts.into_iter().map(welded).collect::<Result<_, _>>()?;
    Ok(VectorPage { texts, ..page })
}

/// The boundary of the letters of a word.
fn united_letters(word: &VectorWord, is_wanted: IsWanted<'_>) -> Result<Vec<Contour>, Stopped> {
    // Contours of letters may run either way, and would cancel out where such letters overlap; those of unions all run
    // one way.
    let mut letters: Vec<Contour> = Vec::new();
    for path in &word.paths {
        if !is_wanted() {
            return Err(Stopped::Unwanted);
        }
        letters.extend(united(&flattened(&path.shape)));
    }
    Ok(united(&letters))
}

/// The boundaries of words. Those of words that meet are united in the place of the first, and the others are empty.
fn united_words(mut words: Vec<Vec<Contour>>, is_wanted: IsWanted<'_>) -> Result<Vec<Vec<Contour>>, Stopped> {
    let box_around = |word: &Vec<Contour>| box_of(word.iter().flatten().map(|point| off_grid(*point, 1.0)));
    let mut boxes: Vec<[f64; 4]> = words.iter().map(box_around).collect();
    for at in 1..words.len() {
        if !is_wanted() {
            return Err(Stopped::Unwanted);
        }
        // No two words before it meet.
        let meets = |before: &usize| {
            let [one, other] = [boxes[*before], boxes[at]];
            let boxes_meet = (0..2).all(|axis| one[axis] <= other[axis + 2] && other[axis] <= one[axis + 2]);
            boxes_meet && intersect(&words[*before], &words[at])
        };
        let group: Vec<usize> = (0..at).filter(meets).chain([at]).collect();
        if group.len() > 1 {
            let contours: Vec<Contour> = group.iter().flat_map(|word| std::mem::take(&mut words[*word])).collect();
            words[group[0]] = united(&contours);
            for word in group {
                boxes[word] = box_around(&words[word]);
            }
        }
    }
    Ok(words)
}

fn word_of(contours: &[Contour]) -> VectorWord {
    let mut path = Vec::new();
    for contour in contours {
        let mut ends = contour.iter().map(|point| off_grid(*point, STEPS_PER_PX));
        path.extend(ends.next().map(PathCommand::MoveTo));
        path.extend(ends.map(PathCommand::LineTo));
        path.push(PathCommand::Close);
    }
    let path = (!path.is_empty()).then_some(VectorPath { shape: Shape::Free(path), ink: u8::MAX });
    VectorWord { paths: path.into_iter().collect() }
}

/// The boundary of the non-zero fill.
fn united(contours: &[Contour]) -> Vec<Contour> {
    boundary(contours, FillRule::NonZero, LEAST_AREA)
}

/// The contours of a shape as polygons on the grid.
fn flattened(shape: &Shape) -> Vec<Contour> {
    let path = shape.path().into_iter().map(PathEl::from);
    let on_grid = |contour: Vec<[f64; 2]>| contour.into_iter().map(|point| on_grid(point, STEPS_PER_PX)).collect();
    polygons(path, TOLERANCE / STEPS_PER_PX).into_iter().map(on_grid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64, top: f64, side: f64, is_reversed: bool) -> VectorPath {
        let (right, bottom) = (left + side, top + side);
        let mut corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        if is_reversed {
            corners.reverse();
        }
        let mut path = vec![PathCommand::MoveTo(corners[0])];
        path.extend(corners[1..].iter().copied().map(PathCommand::LineTo));
        path.push(PathCommand::Close);
        VectorPath { shape: Shape::Free(path), ink: 100 }
    }

    fn contours(paths: Vec<VectorPath>) -> Vec<Vec<[f64; 2]>> {
        let word = word_of(&united_letters(&VectorWord { paths }, &|| true).unwrap());
        let mut contours = Vec::new();
        for command in word.paths[0].shape.path() {
            match command {
                PathCommand::MoveTo(to) => contours.push(vec![to]),
                PathCommand::LineTo(to) => contours.last_mut().unwrap().push(to),
                PathCommand::CubicTo(..) => panic!("a curve"),
                PathCommand::Close => {}
            }
        }
        contours
    }

    fn area(contour: &[[f64; 2]]) -> f64 {
        let next = contour.iter().cycle().skip(1);
        contour.iter().zip(next).map(|([a, b], [c, d])| (a * d - b * c) / 2.0).sum()
    }

    #[test]
    fn letters_that_overlap_become_one_contour_whichever_way_they_run() {
        for is_reversed in [false, true] {
            let found = contours(vec![square(0.0, 0.0, 10.0, false), square(5.0, 5.0, 10.0, is_reversed)]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!((area(&found[0]).abs() - 175.0).abs() < 0.1, "{found:?}");
        }
    }

    #[test]
    fn a_counter_stays_open_and_runs_against_its_outline() {
        let mut letter = square(0.0, 0.0, 10.0, false);
        if let (Shape::Free(path), Shape::Free(counter)) = (&mut letter.shape, square(2.0, 2.0, 6.0, true).shape) {
            path.extend(counter);
        }
        let found = contours(vec![letter, square(20.0, 0.0, 5.0, true)]);
        let mut areas: Vec<f64> = found.iter().map(|contour| area(contour)).collect();
        areas.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        assert!(areas[0].signum() == areas[2].signum() && areas[1].signum() != areas[2].signum(), "{areas:?}");
        for (found, expected) in areas.iter().zip([25.0, 36.0, 100.0]) {
            assert!((found.abs() - expected).abs() < 0.1, "{areas:?}");
        }
    }

    #[test]
    fn words_that_meet_are_one_path_and_others_stay() {
        let word = |left: f64, top: f64| VectorWord { paths: vec![square(left, top, 10.0, false)] };
        // The third meets the second, and with it the first; the fourth has a common box with them, and no edge.
        let words = vec![word(0.0, 0.0), word(18.0, 0.0), word(9.0, 9.0), word(30.0, 30.0)];
        let page = VectorPage { texts: vec![VectorText { words, ..VectorText::default() }], ..VectorPage::default() };
        let page = weld(page, &|| true).unwrap();
        let paths: Vec<usize> = page.texts[0].words.iter().map(|word| word.paths.len()).collect();
        assert_eq!(paths, [1, 0, 0, 1]);
        let Shape::Free(path) = &page.texts[0].words[0].paths[0].shape else { panic!("a glyph") };
        assert_eq!(path.iter().filter(|command| **command == PathCommand::Close).count(), 1);
    }

    #[test]
    fn specks_are_left_out() {
        assert_eq!(contours(vec![square(0.0, 0.0, 10.0, false), square(30.0, 0.0, 0.1, false)]).len(), 1);
    }
}
