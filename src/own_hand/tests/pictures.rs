//! Pictures that are turned, bad or broken.

use std::io::Cursor;
use std::sync::OnceLock;

use image::{DynamicImage, ImageFormat, imageops};

use super::camera::{Camera, printed};
use super::catalogue;
use super::writer::Writer;
use crate::own_hand::page::PageMap;
use crate::own_hand::picture::{Picture, Plane};
use crate::own_hand::sheet::{LATTICE_RADIUS, SheetPage};
use crate::own_hand::{PictureError, PictureRefusal, Refusal, read_page};

/// The paper of a page with letters in it.
fn paper() -> &'static [Plane; 3] {
    static PAPER: OnceLock<[Plane; 3]> = OnceLock::new();
    PAPER.get_or_init(|| {
        let page = Writer::new(catalogue(), "patrick-hand", 2, 1.0).fill(SheetPage::ALL[1], |each| each.row > 5);
        printed(&page, catalogue())
    })
}

/// A telephone of a quarter of the pixels.
const SMALL: Camera = Camera { long: 2400, ..Camera::PHONE };

fn refusal(camera: &Camera) -> PictureRefusal {
    read_page(&camera.photograph(paper(), 5), catalogue()).map(|page| (page.map, page.ink)).unwrap_err()
}

fn small_picture() -> &'static DynamicImage {
    static PICTURE: OnceLock<DynamicImage> = OnceLock::new();
    PICTURE.get_or_init(|| image::load_from_memory(&SMALL.photograph(paper(), 5)).unwrap())
}

fn jpeg(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

fn map_of(bytes: &[u8]) -> Result<PageMap, Refusal> {
    PageMap::find(&Picture::read(bytes).unwrap())
}

#[test]
fn a_page_is_found_however_the_picture_is_turned() {
    let turned =
        [small_picture().clone(), small_picture().rotate90(), small_picture().rotate180(), small_picture().rotate270()];
    for (index, picture) in turned.iter().enumerate() {
        let map = map_of(&jpeg(picture)).unwrap();
        assert_eq!(
            (map.figures.page, map.figures.marks, map.figures.dots),
            (SheetPage::ALL[1], 4, 182),
            "turn {index}"
        );
        assert!(map.figures.residual < 0.02 && map.figures.residual_p95 < LATTICE_RADIUS / 4.0, "{:?}", map.figures);
    }
}

#[test]
fn three_marks_are_enough_and_two_are_not() {
    let mut picture = small_picture().to_rgb8();
    let map = map_of(&jpeg(small_picture())).unwrap();
    let mut cover = |mark: [f64; 2]| {
        let [x, y] = map.at(mark).map(|at| at as i64);
        let finger = image::RgbImage::from_pixel(140, 140, image::Rgb([190, 140, 110]));
        imageops::replace(&mut picture, &finger, x - 70, y - 70);
        map_of(&jpeg(&DynamicImage::ImageRgb8(picture.clone())))
    };
    let found = cover([14.0, 277.0]).unwrap();
    assert!(found.figures.marks == 3 && found.figures.dots >= 179, "{:?}", found.figures);
    assert!(matches!(cover([196.0, 20.0]), Err(Refusal::FewMarks { found: 2, .. })));
}

#[test]
fn a_bad_picture_is_refused_with_its_measure_and_the_remedy() {
    // A millimetre has 7 pixels.
    let blurred = refusal(&Camera { blur: 1.6, sharpening: 0.0, ..SMALL });
    assert!(
        matches!(blurred, PictureRefusal::Refused(Refusal::Blurred { blur }) if (blur - 0.23).abs() < 0.04),
        "{blurred:?}"
    );
    assert!(blurred.to_string().contains("hold still"), "{blurred}");
    let small = refusal(&Camera { long: 1600, ..Camera::PHONE });
    assert!(matches!(small, PictureRefusal::Refused(Refusal::Coarse { scale }) if scale < 5.5), "{small:?}");
    let moved = refusal(&Camera { motion: 6, ..SMALL });
    assert!(matches!(moved, PictureRefusal::Refused(Refusal::Blurred { .. })), "{moved:?}");
}

#[test]
fn a_picture_of_something_else_is_refused() {
    let blank = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(900, 1200, image::Rgb([240; 3])));
    assert_eq!(map_of(&jpeg(&blank)).map(|map| map.figures), Err(Refusal::NoMarks));
    assert_eq!(map_of(&jpeg(&small_picture().fliph())).map(|map| map.figures), Err(Refusal::Mirrored));
    let half = small_picture().crop_imm(0, 0, small_picture().width(), small_picture().height() / 2);
    assert!(matches!(map_of(&jpeg(&half)), Err(Refusal::FewMarks { found: 2, .. })));
}

#[test]
fn a_broken_file_is_an_error_and_no_crash() {
    let whole = jpeg(&small_picture().crop_imm(100, 100, 500, 500));
    let read = |bytes: &[u8]| Picture::read(bytes).map(|picture| picture.size());
    assert_eq!(read(&whole), Ok([500, 500]));
    for length in [0, 2, 20, 200] {
        assert!(read(&whole[..length]).is_err(), "{length}");
    }
    // A decoder may show what there is of a file that ends early; it must not crash.
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut broken = whole.clone();
        broken[at] ^= 0x5A;
        let _ = read(&broken);
        let _ = read(&whole[..at]);
    }
    assert!(matches!(read(b"\0\0\0\x18ftypheic"), Err(PictureError::UnknownFormat(hint)) if hint.contains("HEIC")));
    let tiny = jpeg(&small_picture().crop_imm(0, 0, 300, 500));
    assert_eq!(read(&tiny), Err(PictureError::TooSmall { width: 300, height: 500 }));
}

/// A PNG of 60,000 × 60,000 pixels has a head of 33 bytes, and must cost no memory.
#[test]
fn a_picture_of_too_many_pixels_is_refused_by_its_head() {
    let mut png = Vec::new();
    image::DynamicImage::new_luma8(8, 8).write_to(&mut Cursor::new(&mut png), ImageFormat::Png).unwrap();
    png[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
    let checksum = crc32fast::hash(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    let read = Picture::read(&png).map(|picture| picture.size());
    assert!(matches!(read, Err(PictureError::TooLarge { width: 60_000, .. } | PictureError::Broken(_))), "{read:?}");
}
