//! Our hands among real writers: for each figure of a page, how often a hand of ours has more of it than a writer.
//!
//! The real figures are means of pages of 47 writers (IAM forms, 300 DPI): tenth percentile, median and ninetieth. The
//! chance that a page of ours has the higher value (AUC) is 0.5 where the two are alike, and near 0 or 1 where one could
//! tell them apart by this figure.

use longhand::catalogue::{FontFace, FontId};
use longhand::layout::PageLayout;
use longhand::mesh::MeshCache;

use super::writer_checks::{self, mean, sd, word_ink};
use super::writer_habits::{dots, white_before_marks, x_height_px};
use crate::layout::pages::CATALOGUE;
use crate::sample;

/// A figure and its unit, and the percentiles of writers.
struct Row {
    name: &'static str,
    real: [f64; 3],
}

/// The chances at which the two are alike.
const ALIKE: std::ops::RangeInclusive<f64> = 0.2..=0.8;
const ROWS: [Row; 4] = [
    Row { name: "white before full stops and commas, x-heights", real: [0.14, 0.57, 0.86] },
    Row { name: "height of dots above the baseline, x-heights", real: [1.17, 1.36, 1.76] },
    Row { name: "starts of lines, SD in x-heights", real: [0.22, 0.33, 0.95] },
    Row { name: "gaps between words, x-heights", real: [0.87, 1.42, 2.23] },
];

/// The share of writers below a value: straight lines between percentiles, and as steep beyond them.
fn share_below(value: f64, [low, middle, high]: [f64; 3]) -> f64 {
    let below = |from: f64, to: f64, start: f64| start + 0.4 * (value - from) / (to - from);
    if value < middle { below(low, middle, 0.1) } else { below(middle, high, 0.5) }.clamp(0.0, 1.0)
}

fn figures(face: &FontFace, pages: &[PageLayout], meshes: &MeshCache) -> [f64; 4] {
    let (mut white, mut heights, mut starts, mut gaps) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for page in pages {
        let x_height = x_height_px(page, face);
        white.extend(white_before_marks(page, face, meshes));
        heights.extend(dots(page, face, meshes));
        for line in &page.lines {
            let inks: Vec<[f64; 2]> =
                page.words[line.words.clone()].iter().map(|word| word_ink(word, meshes).0).collect();
            starts.push(inks[0][0] / x_height);
            gaps.extend(inks.windows(2).map(|pair| (pair[1][0] - pair[0][1]) / x_height));
        }
    }
    [mean(&white), mean(&heights), sd(&starts), mean(&gaps)]
}

#[test]
fn pages_are_among_those_of_writers() {
    // The hands whose strokes have one width: ordinary handwriting, no calligraphy.
    let faces = FontId::bundled().map(|font| CATALOGUE.face(font)).filter(|face| face.has_even_strokes());
    let faces = sample::every(2, faces);
    let meshes = MeshCache::default();
    let of_hands: Vec<[f64; 4]> = faces
        .into_iter()
        .map(|face| {
            let pages = [21, 22].map(|seed| writer_checks::page(face.id().get(), 1.0, seed, 2).1);
            let figures = figures(face, &pages, &meshes);
            println!("font {}: {figures:.3?}", face.id().get());
            figures
        })
        .collect();
    assert!(of_hands.len() > sample::either(20, 40), "{} hands", of_hands.len());
    let mut beyond = Vec::new();
    for (index, Row { name, real }) in ROWS.iter().enumerate() {
        // Capitals have no dots.
        let shown = of_hands.iter().map(|figures| figures[index]).filter(|figure| *figure > 0.0);
        let shares: Vec<f64> = shown.map(|figure| share_below(figure, *real)).collect();
        let said = format!("{name}: {:.2}", mean(&shares));
        println!("{said}");
        if !ALIKE.contains(&mean(&shares)) {
            beyond.push(said);
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}
