//! Scenes on a real device: exact area, no dependence on bands, edges and repetition.

use std::sync::OnceLock;

use longhand::catalogue::{FontCatalogue, FontId};
use longhand::geometry::{Point, Rect, Size};
use longhand::gpu::Renderer;
use longhand::layout::{PageLayout, PlacedGlyph, PlacedWord};
use longhand::mesh::MeshCache;
use longhand::raster::Coverage;
use longhand::scene::{AccumulatorFormat, RenderParams, Scene, compose};
use longhand::spec::{InkFlow, NaturalVariation, PenKind, PenUse};
use longhand::units::{Degrees, DevicePx, DeviceScale, Dpi, FontUnits, Px};
use proptest::prelude::*;
use serde_json::json;

/// One device for all tests of this file; without an adapter they fail.
pub(crate) fn renderer() -> &'static Renderer {
    static RENDERER: OnceLock<Renderer> = OnceLock::new();
    RENDERER.get_or_init(|| Renderer::start().expect("GPU tests need a Vulkan adapter; `make test` installs lavapipe"))
}

fn catalogue() -> &'static FontCatalogue {
    static CATALOGUE: OnceLock<FontCatalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| FontCatalogue::load().unwrap())
}

/// A letter in a font at a size and place, turned.
#[derive(Clone, Debug)]
struct Letter {
    font: u16,
    character: char,
    em: f64,
    x: f64,
    y: f64,
    degrees: f64,
}

fn word(letter: &Letter) -> PlacedWord {
    let font = FontId::new(letter.font).unwrap();
    let face = catalogue().face(font);
    let glyph = face.glyph_for(letter.character).unwrap();
    let ink = face.ink(glyph).unwrap();
    let em = Px::new(letter.em);
    let origin = Point::new(Px::new(letter.x), Px::new(letter.y));
    let px = |units: FontUnits| units.to_px(em, face.units_per_em());
    let ink = Rect {
        min: Point::new(origin.x + px(ink.min.x), origin.y - px(ink.max.y)),
        max: Point::new(origin.x + px(ink.max.x), origin.y - px(ink.min.y)),
    };
    let glyph = PlacedGlyph { font, glyph, em, origin, ink };
    PlacedWord { pivot: origin, rotation: Degrees::new(letter.degrees), glyphs: vec![glyph], ..PlacedWord::default() }
}

fn page(width: f64, height: f64, letters: &[Letter]) -> PageLayout {
    PageLayout {
        size: Size { width: Px::new(width), height: Px::new(height) },
        font_size: Px::new(60.0),
        words: letters.iter().map(word).collect(),
        ..Default::default()
    }
}

fn scene(layout: &PageLayout, dpi: Dpi, band_budget: usize) -> Scene {
    scene_of(layout, &RenderParams::plain(dpi.scale()), band_budget)
}

fn scene_of(layout: &PageLayout, params: &RenderParams, band_budget: usize) -> Scene {
    compose(layout, params, catalogue(), &MeshCache::default(), band_budget).unwrap()
}

/// Any combination of effects, from weak to the strongest.
fn params() -> impl Strategy<Value = RenderParams> {
    let variation = prop::option::of((1..=100_u8, 0..=10_u8));
    let pen = prop::option::of((1..PenKind::NAMES.len(), 0.1..=2.0));
    (pen, variation, prop::option::of(0.01..=3.0), any::<u32>(), 0..3_u32, prop::bool::ANY).prop_map(
        |(pen, variation, intensity, seed, page, is_fine)| RenderParams {
            scale: if is_fine { Dpi::Dpi600 } else { Dpi::Dpi300 }.scale(),
            variation: variation.map(|(alpha, sigma)| NaturalVariation { alpha, sigma }),
            ink_flow: intensity.map(|intensity| InkFlow { intensity }),
            pen: pen.map(|(kind, strength)| PenUse { kind: PenKind::NAMES[kind].1, strength, ..PenUse::default() }),
            has_tone: pen.is_some(),
            seed,
            page,
            window: None,
        },
    )
}

fn draw(layout: &PageLayout, dpi: Dpi, band_budget: usize) -> Coverage {
    renderer().render(scene(layout, dpi, band_budget)).unwrap()
}

/// The page as one byte a pixel, row by row.
pub(crate) fn dense(coverage: &Coverage) -> Vec<u8> {
    let mut pixels = vec![0; (coverage.width() * coverage.height()) as usize];
    for y in 0..coverage.height() {
        for run in coverage.row(y) {
            let start = (y * coverage.width() + run.x) as usize;
            pixels[start..start + run.coverage.len()].copy_from_slice(run.coverage);
        }
    }
    pixels
}

fn letters() -> impl Strategy<Value = Vec<Letter>> {
    let letter = (1..=90_u16, "[A-Za-z0-9]", 12.0..400.0, -100.0..900.0, -100.0..900.0, -10.0..10.0).prop_map(
        |(font, letter, em, x, y, degrees)| Letter {
            font,
            character: letter.chars().next().unwrap(),
            em,
            x,
            y,
            degrees,
        },
    );
    prop::collection::vec(letter, 0..40)
}

const WHOLE_PAGE: usize = usize::MAX;

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_page_in_bands_has_the_bytes_of_the_page_in_one_piece(letters in letters(), budget in 0..200_000_usize) {
        let layout = page(800.0, 800.0, &letters);
        let whole = draw(&layout, Dpi::Dpi300, WHOLE_PAGE);
        prop_assert!(scene(&layout, Dpi::Dpi300, WHOLE_PAGE).bands.len() <= 1);
        prop_assert_eq!(whole, draw(&layout, Dpi::Dpi300, budget));
    }

    #[test]
    fn a_page_with_effects_has_the_same_bytes_in_bands(
        letters in letters(), params in params(), budget in 0..200_000_usize,
    ) {
        let layout = page(800.0, 800.0, &letters);
        let whole = renderer().render(scene_of(&layout, &params, WHOLE_PAGE)).unwrap();
        prop_assert_eq!(whole, renderer().render(scene_of(&layout, &params, budget)).unwrap());
    }

    #[test]
    fn a_page_of_varied_letters_has_the_same_bytes_in_bands(
        font in 1..=90_u16, strength in 0.1..2.0_f64, params in params(), budget in 0..200_000_usize,
    ) {
        let request = json!({"text": "Dear Ann, thank you for the lovely afternoon!", "font_id": font, "font_size": 60,
                             "page_size": "a6", "overflow": "clip", "enable_writer_variation": true,
                             "writer_variation_strength": strength, "enable_word_rotation": true});
        let layout = longhand::layout::lay_out(&crate::pages::rendered::spec(&request), catalogue()).unwrap();
        let whole = renderer().render(scene_of(&layout, &params, WHOLE_PAGE)).unwrap();
        prop_assert_eq!(whole, renderer().render(scene_of(&layout, &params, budget)).unwrap());
    }

    #[test]
    fn displaced_ink_is_not_cut_at_the_end_of_its_strips(letters in letters(), params in params()) {
        let layout = page(800.0, 800.0, &letters);
        let mut roomy = layout.clone();
        for glyph in roomy.words.iter_mut().flat_map(|word| &mut word.glyphs) {
            let room = Px::new(200.0);
            glyph.ink.min = Point::new(glyph.ink.min.x - room, glyph.ink.min.y - room);
            glyph.ink.max = Point::new(glyph.ink.max.x + room, glyph.ink.max.y + room);
        }
        let draw = |layout| dense(&renderer().render(scene_of(layout, &params, WHOLE_PAGE)).unwrap());
        let (tight, roomy) = (draw(&layout), draw(&roomy));
        // The frame of a glyph is another, so that its points are rounded otherwise.
        let width = if params.scale == Dpi::Dpi600.scale() { 1600 } else { 800 };
        for (at, (a, b)) in tight.iter().zip(&roomy).enumerate() {
            prop_assert!(a.abs_diff(*b) <= 3, "({}, {}): {a}, not {b}", at % width, at / width);
        }
    }

    #[test]
    fn strips_of_other_extent_hold_the_same_pixels(letters in letters(), x in 0.0..800.0, y in 0.0..800.0) {
        // A tiny speck elsewhere joins, splits and moves strips; what lies outside its own tiles must not change.
        let plain = dense(&draw(&page(800.0, 800.0, &letters), Dpi::Dpi300, WHOLE_PAGE));
        let mut joined = letters;
        joined.push(Letter { font: 1, character: 'i', em: 12.0, x, y, degrees: 0.0 });
        let with_speck = dense(&draw(&page(800.0, 800.0, &joined), Dpi::Dpi300, WHOLE_PAGE));
        for (at, (a, b)) in plain.iter().zip(&with_speck).enumerate() {
            let (column, row) = ((at % 800) as f64, (at / 800) as f64);
            let near = (column - x).abs() < 20.0 && (row - y).abs() < 20.0;
            prop_assert!(a == b || near, "pixel ({column}, {row}) changed from {a} to {b}");
        }
    }

    #[test]
    fn sums_in_halves_of_a_word_are_those_in_whole_words(letters in letters(), params in params()) {
        let scene = scene_of(&page(800.0, 800.0, &letters), &params, WHOLE_PAGE);
        let whole = Scene { accumulator: AccumulatorFormat::Whole, ..scene.clone() };
        prop_assert_eq!(renderer().render(scene).unwrap(), renderer().render(whole).unwrap());
    }

    #[test]
    fn the_tone_of_a_pen_lightens_ink_and_leaves_out_no_tile(letters in letters(), params in params(), is_whole: bool) {
        let pen = params.pen.or(Some(PenUse { kind: PenKind::Ballpoint, ..PenUse::default() }));
        let layout = page(800.0, 800.0, &letters);
        let [toned, solid] = [true, false].map(|has_tone| {
            let scene = scene_of(&layout, &RenderParams { pen, has_tone, ink_flow: None, ..params }, WHOLE_PAGE);
            let accumulator = if is_whole { AccumulatorFormat::Whole } else { scene.accumulator };
            dense(&renderer().render(Scene { accumulator, ..scene }).unwrap())
        });
        let width = if params.scale == Dpi::Dpi600.scale() { 1600 } else { 800 };
        let inks = |pixels: &[u8]| {
            let mut inks = vec![0; (width / 16) * (width / 16)];
            for (at, pixel) in pixels.iter().enumerate() {
                inks[at / width / 16 * (width / 16) + at % width / 16] += u32::from(*pixel);
            }
            inks
        };
        for (tile, (toned, solid)) in inks(&toned).into_iter().zip(inks(&solid)).enumerate() {
            prop_assert!(toned <= solid && (toned > 0 || solid < 1000), "tile {tile}: {toned} of {solid}");
        }
    }

    #[test]
    fn coverage_adds_up_to_the_area_of_the_mesh(
        font in 1..=90_u16, letter in "[A-Za-z]", em in 20.0..300.0, x in 400.0..401.0, y in 400.0..401.0, degrees in -10.0..10.0,
    ) {
        let letter = Letter { font, character: letter.chars().next().unwrap(), em, x, y, degrees };
        let layout = page(1200.0, 1200.0, &[letter]);
        let scene = scene(&layout, Dpi::Dpi300, WHOLE_PAGE);
        let unit = em / f64::from(catalogue().face(FontId::new(font).unwrap()).units_per_em());
        let area = scene.meshes[0].1.area() * unit * unit;
        let pixels = dense(&renderer().render(scene).unwrap());
        let ink: f64 = pixels.iter().map(|&byte| f64::from(byte) / 255.0).sum();
        let edge = pixels.iter().filter(|&&byte| byte != 0 && byte != 255).count() as f64;
        // Each partly covered pixel is rounded to 1/255; the errors are independent.
        prop_assert!((ink - area).abs() < 0.01 + edge.sqrt() * 4.0 / 255.0, "{ink} px of ink, {area} px of area");
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes_every_time() {
    let letters: Vec<_> = (0..26)
        .map(|i| Letter {
            font: 1 + u16::from(i) * 3,
            character: char::from(b'a' + i),
            em: 90.0,
            x: 10.0 + 27.3 * f64::from(i),
            y: 200.0,
            degrees: 3.0,
        })
        .collect();
    let layout = page(800.0, 400.0, &letters);
    let first = draw(&layout, Dpi::Dpi600, WHOLE_PAGE);
    for _ in 0..5 {
        assert_eq!(first, draw(&layout, Dpi::Dpi600, WHOLE_PAGE));
    }
}

#[test]
fn a_pile_of_letters_is_as_black_as_one_however_high() {
    let piled = |count: usize, format: Option<AccumulatorFormat>| {
        let letter = Letter { font: 35, character: 'H', em: 200.0, x: 100.3, y: 250.7, degrees: 2.0 };
        let scene = scene(&page(400.0, 400.0, &vec![letter; count]), Dpi::Dpi300, WHOLE_PAGE);
        let accumulator = format.unwrap_or(scene.accumulator);
        (scene.accumulator, dense(&renderer().render(Scene { accumulator, ..scene }).unwrap()))
    };
    let (_, one) = piled(1, None);
    assert!(one.iter().map(|&byte| u32::from(byte == 255)).sum::<u32>() > 1000);
    for (count, format) in
        [(60, AccumulatorFormat::Halves), (61, AccumulatorFormat::Whole), (500, AccumulatorFormat::Whole)]
    {
        let (chosen, pile) = piled(count, None);
        assert_eq!(chosen, format, "{count} letters");
        assert!(one.iter().zip(&pile).all(|(one, pile)| pile >= one), "{count} letters are paler than one");
        let most = |one: u8| (count as f64 * (f64::from(one) + 0.5)).round() as u32;
        assert!(
            one.iter().zip(&pile).all(|(&one, &pile)| u32::from(pile) <= most(one)),
            "{count} letters reach further"
        );
    }
    let (_, overflowing) = piled(500, Some(AccumulatorFormat::Halves));
    assert!(one.iter().zip(&overflowing).any(|(one, pile)| pile < one), "halves have room for 500 letters");
}

#[test]
fn a_blank_page_has_no_strips() {
    let coverage = draw(&page(800.0, 400.0, &[]), Dpi::Dpi300, WHOLE_PAGE);
    assert!(coverage.strips().is_empty());
    assert_eq!((coverage.width(), coverage.height()), (800, 400));
}

#[test]
fn ink_beyond_an_edge_is_cut_there_and_nowhere_else() {
    let letter = |x: f64, y: f64| Letter { font: 35, character: 'W', em: 200.0, x, y, degrees: 5.0 };
    let whole = dense(&draw(&page(960.0, 960.0, &[letter(400.0, 500.0)]), Dpi::Dpi300, WHOLE_PAGE));
    for (dx, dy) in [(448_i32, 0_i32), (0, 400), (-320, 0), (0, -320), (448, 400)] {
        // The window is the page moved by whole tiles, so that the letter crosses its edges.
        let moved = letter(400.0 - f64::from(dx), 500.0 - f64::from(dy));
        let window = dense(&draw(&page(480.0, 480.0, &[moved]), Dpi::Dpi300, WHOLE_PAGE));
        for y in 0..480 {
            for x in 0..480 {
                let (source_x, source_y) = (x + dx, y + dy);
                let inside = (0..960).contains(&source_x) && (0..960).contains(&source_y);
                let expected = if inside { whole[(source_y * 960 + source_x) as usize] } else { 0 };
                let got = window[(y * 480 + x) as usize];
                assert!(got.abs_diff(expected) <= 1, "({x}, {y}) of the window at ({dx}, {dy}): {got}, not {expected}");
            }
        }
    }
}

/// Two letters of one word, the second `advance` px after the first.
fn pair(font: u16, letters: [char; 2], em: f64, advance: f64) -> PageLayout {
    let at = |character, x| Letter { font, character, em, x, y: 200.0, degrees: 0.0 };
    let mut layout = page(400.0, 300.0, &[at(letters[0], 100.3), at(letters[1], 100.3 + advance)]);
    let second = layout.words.pop().unwrap();
    layout.words[0].glyphs.extend(second.glyphs);
    layout
}

#[test]
fn overlapping_neighbours_have_the_coverage_of_their_union() {
    for (font, letters, em, advance) in
        [(3, ['n', 'm'], 100.0, 30.0), (51, ['l', 'o'], 120.0, 20.0), (35, ['W', 'W'], 90.0, 11.0)]
    {
        let layout = pair(font, letters, em, advance);
        let fine = 16;
        let scale = DeviceScale::fitting(Px::new(1.0), DevicePx::new(f64::from(fine)));
        let fine_scene =
            compose(&layout, &RenderParams::plain(scale), catalogue(), &MeshCache::default(), WHOLE_PAGE).unwrap();
        let fine_pixels = dense(&renderer().render(fine_scene).unwrap());
        let coverage = dense(&draw(&layout, Dpi::Dpi300, WHOLE_PAGE));
        for y in 0..300_u32 {
            for x in 0..400_u32 {
                let sum: u32 = (0..fine * fine)
                    .map(|sub| (y * fine + sub / fine) * 400 * fine + x * fine + sub % fine)
                    .map(|at| u32::from(fine_pixels[at as usize]))
                    .sum();
                let expected = f64::from(sum) / f64::from(fine * fine);
                let got = f64::from(coverage[(y * 400 + x) as usize]);
                assert!((got - expected).abs() <= 6.0, "font {font} at ({x}, {y}): {got}, not {expected}");
            }
        }
    }
}

#[test]
fn only_overlapping_neighbours_are_joined() {
    let instances = |advance| scene(&pair(35, ['W', 'W'], 90.0, advance), Dpi::Dpi300, WHOLE_PAGE).instances.len();
    assert_eq!((instances(20.0), instances(200.0)), (3, 2));
}
