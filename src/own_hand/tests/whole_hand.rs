//! Whole hands: three pages of a font, photographed, become a font like it.

use std::sync::OnceLock;

use super::camera::{Camera, printed};
use super::writer::Writer;
use crate::catalogue::FontCatalogue;
use crate::own_hand::sheet::SheetPage;
use crate::own_hand::{Hand, HandRequest, make_hand};

/// Pictures of the pages of a sheet that a font has filled.
fn pictures(catalogue: &FontCatalogue, slug: &str, camera: &Camera) -> Vec<(String, Vec<u8>)> {
    let writer = Writer::new(catalogue, slug, 7, 1.0);
    let picture = |page: &SheetPage| {
        let filled = writer.fill(*page, |_| false);
        let jpeg = camera.photograph(&printed(&filled, catalogue), u32::from(page.number));
        (format!("page{}.jpg", page.number), jpeg)
    };
    SheetPage::ALL[..3].iter().map(picture).collect()
}

fn request<'a>(pictures: &'a [(String, Vec<u8>)], name: &str) -> HandRequest<'a> {
    HandRequest { pictures, name: name.to_owned(), id: 1001, keep: Vec::new(), earlier: None }
}

fn catalogue() -> &'static FontCatalogue {
    static CATALOGUE: OnceLock<FontCatalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| FontCatalogue::load().unwrap())
}

/// Writes the files of a hand to the folder that a variable names, to be looked at.
fn keep_files(slug: &str, pictures: &[(String, Vec<u8>)], hand: &Hand) {
    let Ok(folder) = std::env::var("LONGHAND_HAND_PICTURES") else { return };
    for (name, bytes) in pictures {
        std::fs::write(format!("{folder}/{slug}-{name}"), bytes).unwrap();
    }
    std::fs::write(format!("{folder}/{slug}.ttf"), &hand.font).unwrap();
    std::fs::write(format!("{folder}/{slug}.toml"), &hand.description).unwrap();
    std::fs::write(format!("{folder}/{slug}.png"), &hand.contact_sheet).unwrap();
    std::fs::write(format!("{folder}/{slug}.json"), hand.record.to_json().unwrap()).unwrap();
}

#[test]
fn three_pictures_become_a_font() {
    for (slug, camera) in [("patrick-hand", Camera::SCAN), ("kalam", Camera::PHONE), ("dancing-script", Camera::SCAN)] {
        let clock = std::time::Instant::now();
        let pictures = pictures(catalogue(), slug, &camera);
        eprintln!("{slug}: pictures {:?}", clock.elapsed());
        let clock = std::time::Instant::now();
        let hand = make_hand(request(&pictures, slug), catalogue()).unwrap_or_else(|error| panic!("{slug}: {error}"));
        eprintln!("{slug}: hand {:?} {:?} {:?}", clock.elapsed(), hand.record.figures, hand.record.refused_lines);
        for reading in hand.record.boxes.iter().filter(|each| each.is_filled() && !each.is_good()) {
            eprintln!("  {}: {:?}", reading.name(), reading.doubts);
        }
        keep_files(slug, &pictures, &hand);
    }
}
