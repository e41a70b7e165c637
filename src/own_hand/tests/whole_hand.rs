//! Whole hands: three pages of a font, photographed, become a font like it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::json;

use super::camera::{Camera, printed};
use super::catalogue;
use super::round_trip::assert_exact;
use super::writer::{FilledPage, Writer};
use crate::catalogue::{FontCatalogue, FontFace, FontFile, FontId, FontParts, GlyphId};
use crate::layout::lay_out;
use crate::own_hand::font::Forms;
use crate::own_hand::letters::BoxReading;
use crate::own_hand::page::quantile;
use crate::own_hand::sheet::SheetPage;
use crate::own_hand::spacing::{GapModel, Profiles};
use crate::own_hand::{Hand, HandError, HandRequest, make_hand};
use crate::spec::{Endpoint, parse_value};

/// A hand that was made of three pictures, with what was written.
pub(super) struct Made {
    pub(super) pages: Vec<FilledPage>,
    pictures: Vec<(String, Vec<u8>)>,
    pub(super) hand: Hand,
}

fn make(slug: &str, camera: &Camera) -> Made {
    let writer = Writer::new(catalogue(), slug, 7, 1.0);
    let pages: Vec<FilledPage> = SheetPage::ALL[..3].iter().map(|page| writer.fill(*page, |_| false)).collect();
    let picture = |page: &FilledPage| {
        let paper = printed(page, catalogue());
        let jpeg = camera.photograph(&paper, u32::from(page.sheet.number));
        (format!("page{}.jpg", page.sheet.number), jpeg)
    };
    let pictures: Vec<(String, Vec<u8>)> = pages.iter().map(picture).collect();
    let hand = make_hand(request(&pictures), catalogue()).unwrap_or_else(|error| panic!("{slug}: {error}"));
    // To look at a hand, name a folder.
    if let Ok(folder) = std::env::var("LONGHAND_HAND_PICTURES") {
        std::fs::write(format!("{folder}/{slug}.ttf"), &hand.font).unwrap();
        std::fs::write(format!("{folder}/{slug}.toml"), &hand.description).unwrap();
        std::fs::write(format!("{folder}/{slug}.png"), &hand.contact_sheet).unwrap();
        for (name, picture) in &pictures {
            std::fs::write(format!("{folder}/{slug}-{name}"), picture).unwrap();
        }
    }
    Made { pages, pictures, hand }
}

fn request(pictures: &[(String, Vec<u8>)]) -> HandRequest<'_> {
    HandRequest { pictures, name: "Founder".to_owned(), id: 1001, keep: Vec::new(), earlier: None }
}

/// A print hand from a telephone of 5 megapixels.
pub(super) fn kalam() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| make("kalam", &Camera { long: 2600, ..Camera::PHONE }))
}

/// A joined hand from a scanner at 200 dpi.
pub(super) fn dancing_script() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| make("dancing-script", &Camera { long: 2386, ..Camera::SCAN }))
}

pub(super) fn usable(hand: &Hand) -> Vec<&BoxReading> {
    hand.record.boxes.iter().filter(|reading| reading.is_good()).collect()
}

/// The catalogue with the font of a hand.
pub(super) fn with_font(hand: &Hand) -> FontCatalogue {
    let id = FontId::new(1001).unwrap();
    let parts = FontParts { variants: true, ..FontParts::plain(id, FontFile::keep(hand.font.clone())) };
    catalogue().with_operator_fonts([Arc::new(FontFace::of_operator(parts).unwrap())])
}

#[test]
fn every_box_is_read_from_a_telephone_and_from_a_scanner() {
    for (made, tolerances) in [(kalam(), [0.019, 0.008, 0.98]), (dancing_script(), [0.010, 0.003, 0.98])] {
        for page in &made.pages[..2] {
            let own = made.hand.record.boxes.iter().filter(|reading| reading.place.page == page.sheet);
            assert_exact(page, &own.cloned().collect::<Vec<_>>(), tolerances);
        }
    }
}

#[test]
fn few_good_letters_are_asked_for() {
    for made in [kalam(), dancing_script()] {
        let boxes = &made.hand.record.boxes;
        let asked = boxes.iter().filter(|reading| reading.is_filled() && !reading.is_good()).count();
        assert!(asked as f64 <= 0.08 * boxes.len() as f64, "{asked} of {}", boxes.len());
    }
}

/// The gaps of the pairs of the lines as they were written, in x-heights.
pub(super) fn true_gaps(page: &FilledPage, x_height: f64) -> (Vec<([char; 2], f64)>, Vec<f64>) {
    let (mut gaps, mut words) = (Vec::new(), Vec::new());
    for line in page.sheet.lines() {
        let letters: Vec<_> = page.letters.iter().filter(|(row, ..)| *row == line.row).collect();
        let mut written = line.text.chars();
        written.next();
        for pair in letters.windows(2) {
            let gap = (pair[1].2[0] - pair[0].2[1]) / x_height;
            if written.next() == Some(' ') {
                written.next();
                words.push(gap);
            } else {
                gaps.push(([pair[0].1, pair[1].1], gap));
            }
        }
    }
    (gaps, words)
}

#[test]
fn gaps_are_those_of_the_lines() {
    for (made, most) in [(kalam(), 0.03), (dancing_script(), 0.045)] {
        let record = &made.hand.record;
        assert!(record.refused_lines.is_empty(), "{:?}", record.refused_lines);
        let (gaps, words) = true_gaps(&made.pages[2], record.figures.x_height_mm);
        let word = quantile(&words, 0.5);
        assert!((record.figures.word_gap / word - 1.0).abs() < 0.05, "{} {word}", record.figures.word_gap);
        let profiles = Profiles::of(&usable(&made.hand), record.figures.x_height_mm);
        let model = GapModel::fit(profiles, &record.gaps).unwrap();
        let letters = |pair: &[char; 2]| pair.iter().all(|letter| letter.is_alphabetic());
        let mut by_pair: BTreeMap<[char; 2], Vec<f64>> = BTreeMap::new();
        for (pair, gap) in gaps.into_iter().filter(|(pair, _)| letters(pair)) {
            by_pair.entry(pair).or_default().push(gap);
        }
        let of = |from: &dyn Fn(&[char; 2], f64) -> f64| {
            let off: Vec<f64> = by_pair
                .iter()
                .flat_map(|(pair, gaps)| gaps.iter().map(move |gap| (pair, *gap)))
                .map(|(pair, gap)| from(pair, gap))
                .collect();
            let mean = off.iter().sum::<f64>() / off.len() as f64;
            // In ems, with the mean taken out.
            0.45 * (off.iter().map(|off| (off - mean).powi(2)).sum::<f64>() / off.len() as f64).sqrt()
        };
        let (explained, constant) = (of(&|pair, gap| model.gap(pair[0], pair[1]) - gap), of(&|_, gap| gap));
        assert!(explained <= most && explained < constant, "{explained} {constant}");
    }
}

#[test]
fn the_font_has_all_letters_and_few_points() {
    for made in [kalam(), dancing_script()] {
        let figures = &made.hand.record.figures;
        assert!(figures.points <= 45.0, "{figures:?}");
        let catalogue = with_font(&made.hand);
        let face = catalogue.face(FontId::new(1001).unwrap());
        let letters = ('!'..='~').chain('\u{C0}'..='\u{FF}').filter(|letter| !"×÷".contains(*letter));
        let missing: String = letters.filter(|letter| !face.has(*letter)).collect();
        assert_eq!(missing, "");
        assert!(face.drawings(face.glyph_for('e').unwrap()).len() == 5, "e has five forms");
        assert!(face.drawings(face.glyph_for('é').unwrap()).len() == 5, "é has five forms");
    }
}

#[test]
fn a_slanted_hand_keeps_its_slant_and_joins() {
    let (print, joined) = (&kalam().hand.record.figures, &dancing_script().hand.record.figures);
    assert!((print.slant_degrees - 13.0).abs() < 3.0, "{print:?}");
    assert!(print.joins < 0.1 && joined.joins > 0.5, "{print:?} {joined:?}");
    assert!(joined.closed_joins >= 0.95, "{joined:?}");
    assert!(kalam().hand.description.contains("print") && dancing_script().hand.description.contains("cursive"));
}

#[test]
fn equal_pictures_give_equal_bytes_and_a_record_gives_them_without_pictures() {
    let made = kalam();
    let with = |pictures: &'static [(String, Vec<u8>)]| {
        let kept = crate::own_hand::HandRecord::read(&made.hand.record.to_json().unwrap()).unwrap();
        make_hand(HandRequest { earlier: Some(kept), ..request(pictures) }, catalogue()).unwrap()
    };
    let rebuilt = with(&[]);
    assert!(rebuilt.font == made.hand.font, "the font of the record differs");
    assert!(rebuilt.contact_sheet == made.hand.contact_sheet && rebuilt.description == made.hand.description);
    // Page 1 has boxes; the others are read in the same way.
    let again = with(&made.pictures[..1]);
    assert!(again.font == made.hand.font && again.contact_sheet == made.hand.contact_sheet);
    assert_eq!(again.record.figures, made.hand.record.figures);
}

#[test]
fn a_new_picture_mends_boxes_and_keep_uses_one_in_doubt() {
    let made = kalam();
    let mut broken = made.hand.record.clone();
    for reading in broken.boxes.iter_mut().filter(|reading| reading.place.character == 'Q') {
        reading.doubts = vec![crate::own_hand::Doubt::Faint];
    }
    let with = |pictures: &'static [(String, Vec<u8>)], keep: Vec<[usize; 3]>| {
        make_hand(HandRequest { keep, earlier: Some(broken.clone()), ..request(pictures) }, catalogue())
    };
    let Err(HandError::MissingLetters(missing)) = with(&[], Vec::new()) else { panic!("Q was used") };
    assert!(missing.len() == 1 && missing[0].0 == 'Q' && missing[0].1.len() == 3, "{missing:?}");
    let told = HandError::MissingLetters(missing).to_string();
    assert!(told.contains("page 1, row 4, box 4: faint") && told.contains("--keep"), "{told}");
    assert!(with(&[], vec![[1, 4, 4]]).is_ok());
    assert!(matches!(with(&[], vec![[1, 4, 14]]), Err(HandError::NothingToKeep([1, 4, 14]))));
    let mended = with(&made.pictures[..1], Vec::new()).unwrap();
    let good = mended.record.boxes.iter().filter(|reading| reading.place.character == 'Q' && reading.is_good());
    assert_eq!(good.count(), 2);
}

#[test]
fn a_page_that_is_missing_is_named() {
    let made = kalam();
    let error = make_hand(request(&made.pictures[..1]), catalogue()).unwrap_err();
    assert!(matches!(error, HandError::MissingPage(3)), "{error}");
}

/// The glyphs of a text in the font of a hand, at this seed and strength of writer variation.
fn glyphs(catalogue: &FontCatalogue, text: &str, seed: u32, strength: f64) -> Vec<(GlyphId, f64)> {
    let request = json!({
        "text": text, "font_id": 1001, "font_size": 40, "page_size": "a4", "seed": seed,
        "enable_writer_variation": strength > 0.0, "writer_variation_strength": strength.max(0.1)
    });
    let spec = parse_value(&request, Endpoint::Generate, || 1);
    // The reader of requests knows the fonts of the program alone.
    let mut spec = spec.or_else(|_| {
        let mut plain = request.clone();
        plain["font_id"] = json!(1);
        parse_value(&plain, Endpoint::Generate, || 1)
    });
    if let Ok(spec) = &mut spec {
        spec.font = FontId::new(1001).unwrap();
    }
    let layout = lay_out(&spec.unwrap(), catalogue).unwrap();
    layout.glyphs().map(|glyph| (glyph.glyph, glyph.origin.x.get())).collect()
}

#[test]
fn forms_are_chosen_by_the_seed_and_never_twice_in_a_row() {
    let catalogue = with_font(&kalam().hand);
    let text = "e ".repeat(60);
    for strength in [0.0, 0.5] {
        let chosen = |seed: u32| -> Vec<u16> {
            glyphs(&catalogue, &text, seed, strength).into_iter().map(|(glyph, _)| glyph.0).collect()
        };
        let (one, same, other) = (chosen(1), chosen(1), chosen(2));
        assert!(one.len() == 60 && one == same && one != other);
        assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "{one:?}");
        let forms: std::collections::BTreeSet<u16> = one.iter().copied().collect();
        assert_eq!(forms.len(), 5, "{one:?}");
        let has_period = |period: &usize| one.windows(period + 1).all(|part| part[0] == part[*period]);
        assert!((1..30).all(|period| !has_period(&period)), "{one:?}");
    }
}

#[test]
fn a_form_has_its_own_advance() {
    let catalogue = with_font(&kalam().hand);
    let face = catalogue.face(FontId::new(1001).unwrap());
    let placed = glyphs(&catalogue, "nnnnnnnnnnnnnnnn", 3, 0.0);
    let unit = 40.0 / f64::from(face.units_per_em());
    // Pairs of n are kerned alike in all forms.
    let beyond = |pair: &[(GlyphId, f64)]| (pair[1].1 - pair[0].1) / unit - f64::from(face.advance_of(pair[0].0));
    let kerning: Vec<f64> = placed.windows(2).map(beyond).collect();
    let (least, most) =
        kerning.iter().fold((f64::MAX, f64::MIN), |(least, most), step| (least.min(*step), most.max(*step)));
    assert!(most - least < 0.5, "{kerning:?}");
}

#[test]
fn all_forms_are_on_one_scale() {
    let made = kalam();
    let usable = usable(&made.hand);
    let forms = Forms::of(&usable, made.hand.record.figures.x_height_mm);
    assert!((forms.slant - made.hand.record.figures.slant_degrees).abs() < 0.1);
}
