//! Round trips: what is read of a filled page is what was written, to within the tolerances of each camera.

use super::camera::{Camera, printed};
use super::catalogue;
use super::writer::{FilledPage, Writer};
use crate::own_hand::letters::{BoxReading, Contour};
use crate::own_hand::page::{distance, quantile};
use crate::own_hand::sheet::{SheetPage, X_HEIGHT};
use crate::own_hand::{PageReading, read_page};

/// An em, in mm, at the height of the printed guides.
const EM: f64 = X_HEIGHT / 0.45;
/// An error of more than this, in ems, anywhere makes a letter wrong.
const WRONG: f64 = 0.1;

/// Points of a contour, of which there are twelve in a mm, of which one is looked at: every one by `make test-hands`.
const STRIDE: usize = if cfg!(debug_assertions) { 3 } else { 1 };

/// How well boxes were read.
#[derive(Debug)]
pub(super) struct Score {
    pub(super) filled: usize,
    pub(super) accepted: usize,
    pub(super) wrong: Vec<String>,
    pub(super) doubtful: Vec<String>,
    /// Empty boxes that were taken for letters.
    pub(super) invented: usize,
    /// Of each accepted letter that which 95 % of its edge is off at most, in ems; the median over letters.
    pub(super) off: f64,
    pub(super) off_worst: f64,
    /// What 95 % of the letters are too high or too low at most, in ems.
    pub(super) baseline: f64,
}

/// Distances of the points of contours from the lines of others, in ems.
fn distances(from: &[Contour], to: &[Contour]) -> Vec<f64> {
    let edges: Vec<[[f64; 2]; 2]> = to
        .iter()
        .flat_map(|contour| contour.iter().zip(contour.iter().cycle().skip(1)).map(|(one, other)| [*one, *other]))
        .collect();
    let nearest = |point: &[f64; 2]| {
        let far = |[one, other]: &[[f64; 2]; 2]| {
            let along = [other[0] - one[0], other[1] - one[1]];
            let length = along[0] * along[0] + along[1] * along[1];
            let share = ((point[0] - one[0]) * along[0] + (point[1] - one[1]) * along[1]) / length.max(1e-12);
            let share = share.clamp(0.0, 1.0);
            distance(*point, [one[0] + share * along[0], one[1] + share * along[1]])
        };
        edges.iter().map(far).fold(f64::MAX, f64::min) / EM
    };
    from.iter().flatten().step_by(STRIDE).map(nearest).collect()
}

pub(super) fn score(page: &FilledPage, readings: &[BoxReading]) -> Score {
    let mut score = Score {
        filled: page.boxes.len(),
        accepted: 0,
        wrong: Vec::new(),
        doubtful: Vec::new(),
        invented: 0,
        off: 0.0,
        off_worst: 0.0,
        baseline: 0.0,
    };
    let (mut off, mut baselines) = (Vec::new(), Vec::new());
    for reading in readings {
        let truth = page.boxes.iter().find(|(place, _)| *place == reading.place);
        let Some((_, truth)) = truth else {
            score.invented += usize::from(reading.is_good());
            continue;
        };
        if !reading.is_good() {
            score.doubtful.push(format!("{}: {:?}", reading.name(), reading.doubts));
            continue;
        }
        score.accepted += 1;
        let there = distances(&reading.contours, truth);
        let back = distances(truth, &reading.contours);
        off.push(quantile(&there, 0.95));
        baselines.push(rise(&reading.contours, truth).abs());
        let most = there.iter().chain(&back).copied().fold(0.0, f64::max);
        if most > WRONG {
            score.wrong.push(format!("{}: {most:.3}", reading.name()));
        }
    }
    score.off = quantile(&off, 0.5);
    score.off_worst = quantile(&off, 0.95);
    score.baseline = quantile(&baselines, 0.95);
    score
}

/// How much too high contours are: the shift that brings their points onto the lines of the others, by the distances along
/// the normals of these (least squares), in ems.
fn rise(from: &[Contour], to: &[Contour]) -> f64 {
    let edges = || to.iter().flat_map(|contour| contour.iter().zip(contour.iter().cycle().skip(1)));
    let (mut squares, mut products) = ([[0.0; 2]; 2], [0.0; 2]);
    for point in from.iter().flatten().step_by(STRIDE) {
        let off = |(one, other): (&[f64; 2], &[f64; 2])| {
            let along = [other[0] - one[0], other[1] - one[1]];
            let length = along[0].hypot(along[1]).max(1e-9);
            let share = ((point[0] - one[0]) * along[0] + (point[1] - one[1]) * along[1]) / (length * length);
            let at = [0, 1].map(|axis| one[axis] + share.clamp(0.0, 1.0) * along[axis]);
            (distance(*point, at), [along[1] / length, -along[0] / length], at)
        };
        let Some((far, normal, at)) = edges().map(off).min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        // Where an edge is far away, it is no edge of the same stroke.
        if far < 0.2 {
            let by = (point[0] - at[0]) * normal[0] + (point[1] - at[1]) * normal[1];
            for axis in 0..2 {
                products[axis] += by * normal[axis];
                (0..2).for_each(|other| squares[axis][other] += normal[axis] * normal[other]);
            }
        }
    }
    let determinant = squares[0][0] * squares[1][1] - squares[0][1] * squares[1][0];
    (squares[0][0] * products[1] - squares[1][0] * products[0]) / determinant / EM
}

/// Fills a page in a font, photographs it and reads it.
fn read(slug: &str, page: SheetPage, camera: &Camera) -> (FilledPage, PageReading) {
    let catalogue = catalogue();
    let filled = Writer::new(catalogue, slug, 7, 1.0).fill(page, |each| each.row == 5 && each.column == 3);
    let jpeg = camera.photograph(&printed(&filled, catalogue), 3);
    let reading = read_page(&jpeg, catalogue).unwrap_or_else(|error| panic!("{slug} {camera:?}: {error}"));
    (filled, reading)
}

/// Asserts that what was read of a page is what was written: the 95th percentile of errors, in the median of the letters,
/// the baseline, both in ems, and the share of boxes that are accepted.
pub(super) fn assert_exact(page: &FilledPage, boxes: &[BoxReading], [off, baseline, accepted]: [f64; 3]) {
    let score = score(page, boxes);
    assert!(score.off <= off && score.baseline <= baseline, "{score:?}");
    assert!(score.accepted as f64 >= accepted * score.filled as f64, "{score:?}");
    // 0.1 % of letters may be wrong: none of a page.
    assert!(score.wrong.is_empty() && score.invented == 0, "{score:?}");
}

#[test]
#[ignore = "`make test-hands` runs it, as part of all hands"]
fn letters_come_back_from_a_telephone_held_askew() {
    let (page, reading) = read("caveat", SheetPage::ALL[0], &Camera::HARD);
    assert_exact(&page, &reading.boxes, [0.023, 0.010, 0.95]);
    assert!(reading.map.marks >= 3 && reading.map.dots == 182, "{:?}", reading.map);
}

#[test]
fn letters_come_back_from_black_and_white() {
    let (page, reading) = read("kalam", SheetPage::ALL[3], &Camera::BLACK_AND_WHITE);
    assert_exact(&page, &reading.boxes, [0.015, 0.004, 0.98]);
}

/// Hands with pens of 0.2 to 1 mm; the last two are joined.
const HANDS: [&str; 8] = [
    "waiting-for-the-sunrise",
    "patrick-hand",
    "architects-daughter",
    "kalam",
    "caveat",
    "permanent-marker",
    "dancing-script",
    "sacramento",
];

#[test]
#[expect(clippy::print_stdout, reason = "it shows what it measured")]
#[ignore = "eight hands before four cameras: `make test-hands` runs it"]
fn every_hand_comes_back_from_every_camera() {
    // To look at some alone, such as "telephone, kalam", name them.
    let wanted = std::env::var("LONGHAND_HANDS").unwrap_or_default();
    for (name, camera, [off, baseline, least]) in [
        ("scan", &Camera::SCAN, [0.010, 0.003, 0.98]),
        ("telephone", &Camera::PHONE, [0.019, 0.008, 0.98]),
        ("hard", &Camera::HARD, [0.023, 0.010, 0.95]),
        ("black and white", &Camera::BLACK_AND_WHITE, [0.015, 0.004, 0.98]),
    ] {
        let scores: Vec<(&str, Score)> = HANDS
            .into_iter()
            .filter(|slug| format!("{name}, {slug}").contains(&wanted))
            .flat_map(|slug| [0, 1].map(|page| (slug, read(slug, SheetPage::ALL[page], camera))))
            .map(|(slug, (page, reading))| (slug, score(&page, &reading.boxes)))
            .collect();
        for (slug, score) in &scores {
            println!(
                "{name}, {slug}: off {:.4}, baseline {:.4}, accepted {} of {}, wrong {:?}",
                score.off, score.baseline, score.accepted, score.filled, score.wrong
            );
        }
        if scores.is_empty() && !wanted.is_empty() {
            continue;
        }
        let median =
            |of: &dyn Fn(&Score) -> f64| quantile(&scores.iter().map(|(_, own)| of(own)).collect::<Vec<_>>(), 0.5);
        let sum = |of: &dyn Fn(&Score) -> usize| scores.iter().map(|(_, own)| of(own)).sum::<usize>() as f64;
        assert!(median(&|own| own.off) <= off && median(&|own| own.baseline) <= baseline, "{name}");
        assert!(sum(&|own| own.accepted) >= least * sum(&|own| own.filled), "{name}");
        assert!(sum(&|own| own.wrong.len()) <= 0.001 * sum(&|own| own.accepted), "{name}");
        assert!(sum(&|own| own.invented) < 0.5, "{name}");
    }
}
