//! Round trips: what is read of a filled page is what was written, to within the tolerances of each camera.

use super::camera::{Camera, printed};
use super::writer::{FilledPage, Writer};
use crate::catalogue::FontCatalogue;
use crate::own_hand::letters::{BoxReading, Contour};
use crate::own_hand::page::{distance, quantile};
use crate::own_hand::sheet::{SheetPage, X_HEIGHT};
use crate::own_hand::{PageReading, read_page};

/// An em, in mm, at the height of the printed guides.
const EM: f64 = X_HEIGHT / 0.45;
/// An error of more than this, in ems, anywhere makes a letter wrong.
const WRONG: f64 = 0.1;

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
    /// What 95 % of the letters are too high or too low at most, in ems: their centres of gravity.
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
    from.iter().flatten().map(nearest).collect()
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
        let middles = [&reading.contours, truth].map(|contours| middle_of_area(contours));
        baselines.push((middles[0] - middles[1]).abs() / EM);
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

/// The height of the centre of gravity of contours, in mm.
fn middle_of_area(contours: &[Contour]) -> f64 {
    let (mut area, mut moment) = (0.0, 0.0);
    for contour in contours {
        for (one, other) in contour.iter().zip(contour.iter().cycle().skip(1)) {
            let cross = one[0] * other[1] - other[0] * one[1];
            area += cross / 2.0;
            moment += cross * (one[1] + other[1]) / 6.0;
        }
    }
    moment / area
}

/// Fills a page in a font, photographs it and reads it.
pub(super) fn read(slug: &str, page: SheetPage, camera: &Camera) -> (FilledPage, PageReading) {
    let catalogue = FontCatalogue::load().unwrap();
    let filled = Writer::new(&catalogue, slug, 7, 1.0).fill(page, |_| false);
    let jpeg = camera.photograph(&printed(&filled, &catalogue), 3);
    if let Ok(folder) = std::env::var("LONGHAND_HAND_PICTURES") {
        std::fs::write(format!("{folder}/{slug}-{}-{}.jpg", page.number, camera.long), &jpeg).unwrap();
    }
    let reading = read_page(&jpeg, &catalogue).unwrap_or_else(|error| panic!("{slug} {camera:?}: {error}"));
    (filled, reading)
}

#[test]
fn letters_come_back_as_they_were_written() {
    let mut failures = Vec::new();
    for (slug, number, camera, [off, baseline], accepted) in [
        ("patrick-hand", 0, Camera::SCAN, [0.010, 0.003], 0.98),
        ("kalam", 1, Camera::PHONE, [0.019, 0.008], 0.98),
        ("caveat", 0, Camera::HARD, [0.023, 0.010], 0.95),
        ("kalam", 0, Camera::BLACK_AND_WHITE, [0.015, 0.004], 0.98),
    ] {
        let clock = std::time::Instant::now();
        let (page, reading) = read(slug, SheetPage::ALL[number], &camera);
        let score = score(&page, &reading.boxes);
        eprintln!("{slug} {:?} {:?} {:?} {:?}", clock.elapsed(), reading.map, reading.ink, score);
        let is_exact = score.off <= off && score.baseline <= baseline;
        let is_whole = score.accepted as f64 >= accepted * score.filled as f64;
        if !is_exact || !is_whole || score.wrong.len() > 1 || score.invented > 0 {
            failures.push(format!("{slug}: {score:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
