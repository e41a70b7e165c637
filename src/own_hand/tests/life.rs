//! How far a writer's letters differ: the figures of a hand are those with which its pages were filled.

use super::catalogue;
use super::whole_hand::{Made, dancing_script, kalam, true_gaps, usable};
use super::writer::{Life, Writer};
use crate::own_hand::letters::BoxReading;
use crate::own_hand::manner::manner;
use crate::own_hand::page::quantile;
use crate::own_hand::sheet::{SheetPage, X_HEIGHT};
use crate::variation::Manner;

/// How far the figures of letters may be off.
const TOLERANCE: f64 = 0.1;

/// Asserts that the figures of a hand's letters are the deviations of the draws for its boxes.
fn assert_alive(writer: &Writer<'_>, boxes: &[&BoxReading], found: &Manner) {
    let deviation = |of: &dyn Fn(&Life) -> f64, has: &dyn Fn(char) -> bool| {
        let (mut squares, mut free) = (0.0, 0);
        for letter in
            ('A'..='z').filter(|letter| letter.is_ascii_alphabetic() && !"ij".contains(*letter) && has(*letter))
        {
            let copies = boxes.iter().filter(|reading| reading.place.character == letter);
            let copies: Vec<f64> = copies.map(|reading| of(&writer.life_in(&reading.place))).collect();
            let mean = copies.iter().sum::<f64>() / copies.len().max(1) as f64;
            squares += copies.iter().map(|copy| (copy - mean).powi(2)).sum::<f64>();
            free += copies.len().saturating_sub(1);
        }
        (squares / f64::from(u32::try_from(free).unwrap())).sqrt()
    };
    let all = |_: char| true;
    let average = Manner::DEVIATIONS;
    for (name, found, truth) in [
        ("height", found.height * average.height, deviation(&|life| life.height, &all)),
        ("width", found.width * average.width, deviation(&|life| life.width, &all)),
        ("slant", found.slant * average.slant, deviation(&|life| life.shear.atan().to_degrees(), &all)),
        ("baseline", found.baseline * average.baseline, deviation(&|life| life.rise, &|it| !"fgjpqyzJQ".contains(it))),
    ] {
        assert!((found / truth - 1.0).abs() <= TOLERANCE, "{name}: {found} {truth}");
    }
}

#[test]
fn letters_that_differ_more_have_larger_figures() {
    for strength in [0.6, 1.0, 1.6] {
        let writer = Writer::new(catalogue(), "patrick-hand", 7, strength);
        let filled = SheetPage::ALL[..2].iter().flat_map(|page| writer.fill(*page, |_| false).boxes);
        let reading = |(place, contours)| BoxReading { place, doubts: Vec::new(), contours, tip: 0.1 };
        let boxes: Vec<BoxReading> = filled.map(reading).collect();
        let boxes: Vec<&BoxReading> = boxes.iter().collect();
        assert_alive(&writer, &boxes, &manner(&boxes, X_HEIGHT, 0.1, &[]));
    }
}

#[test]
fn figures_of_pictures_are_those_of_the_writer() {
    for (made, slug) in [(kalam(), "kalam"), (dancing_script(), "dancing-script")] {
        let Made { pages, hand, .. } = made;
        let (writer, record) = (Writer::new(catalogue(), slug, 7, 1.0), &hand.record);
        assert_alive(&writer, &usable(hand), &record.figures.writer);
        let (_, words) = true_gaps(&pages[2], record.figures.x_height_mm);
        let logarithms: Vec<f64> = words.iter().map(|gap| gap.ln()).collect();
        let middle = quantile(&logarithms, 0.5);
        let off: Vec<f64> = logarithms.iter().map(|gap| (gap - middle).abs()).collect();
        let (found, truth) =
            (record.figures.writer.word_gap * Manner::DEVIATIONS.word_gap, 1.4826 * quantile(&off, 0.5));
        assert!((found / truth - 1.0).abs() <= TOLERANCE, "{slug}: word gap {found} {truth}");
        let told: toml::Table = hand.description.parse().unwrap();
        assert_eq!(told["writer"]["height"].as_float(), Some(record.figures.writer.height));
    }
}
