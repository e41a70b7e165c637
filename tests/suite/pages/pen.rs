//! The pen: what it leaves alone, that it is the same at every resolution, and the device's outlines against the map in
//! Rust.

use longhand::encode::encode_png;
use longhand::layout::{PageLayout, PlacedGlyph, lay_out};
use longhand::mesh::{MeshCache, MeshKey};
use longhand::raster::Coverage;
use longhand::scene::{OutlineMap, RenderParams, WordRotation, compose, join_key};
use longhand::spec::{PenKind, RenderSpec};
use longhand::units::{DevicePx, DeviceScale, Dpi, Px};
use serde_json::{Value, json};

use super::rendered::{Pictures, render, spec as spec_of, with};
use super::writer::LETTER;
use crate::gpu::coverage::{dense, renderer};
use crate::layout::pages::CATALOGUE;
use crate::oracle::{ask, number};
use crate::sample;

/// Every pen.
fn pens() -> impl Iterator<Item = &'static str> {
    PenKind::NAMES.iter().map(|(name, _)| *name).filter(|name| *name != "as_designed")
}

fn request(font: u16, members: &Value) -> Value {
    let request = json!({"text": LETTER, "font_id": font, "page_size": "a5", "font_size": 64, "seed": 7,
                         "line_height_multiplier": 2, "overflow": "clip"});
    with(&request, members)
}

fn page(request: &Value) -> (RenderSpec, PageLayout) {
    let spec = spec_of(request);
    let layout = lay_out(&spec, &CATALOGUE).unwrap();
    (spec, layout)
}

fn draw(layout: &PageLayout, params: &RenderParams) -> Coverage {
    renderer().render(compose(layout, params, &CATALOGUE, &MeshCache::default(), usize::MAX).unwrap()).unwrap()
}

/// The page of a request at a scale; with solid ink unless `has_tone`.
fn drawn(request: &Value, scale: DeviceScale, has_tone: bool) -> Coverage {
    let (spec, layout) = page(request);
    draw(&layout, &RenderParams { has_tone, ..RenderParams::of(&spec, scale) })
}

#[test]
fn as_designed_and_no_strength_are_the_plain_page_to_the_byte() {
    for (font, variation) in [(81, false), (81, true), (53, true)] {
        let plain = request(font, &json!({"enable_writer_variation": variation, "enable_ink_flow": true}));
        let bytes = render(&plain).bytes;
        assert!(bytes == render(&with(&plain, &json!({"pen": "as_designed", "pen_strength": 1.5}))).bytes);
        assert!(bytes == render(&with(&plain, &json!({"pen": "gel", "pen_strength": 0}))).bytes);
        assert!(bytes != render(&with(&plain, &json!({"pen": "gel", "pen_strength": 0.1}))).bytes);
    }
}

#[test]
fn the_same_request_gives_the_same_bytes_and_each_pen_its_own() {
    let mut pages: Vec<Vec<u8>> = Vec::new();
    for pen in pens() {
        let of_pen = request(81, &json!({"pen": pen}));
        let page = render(&of_pen).bytes;
        assert!(page == render(&of_pen).bytes, "{pen}");
        assert!(page != render(&with(&of_pen, &json!({"seed": 8}))).bytes, "{pen}");
        assert!(!pages.contains(&page), "{pen} is like another pen");
        pages.push(page);
    }
}

/// A page as means over squares of `side` device px.
fn reduced(coverage: &Coverage, side: usize) -> Vec<f64> {
    let (pixels, width) = (dense(coverage), coverage.width() as usize);
    let [columns, rows] = [width / side, coverage.height() as usize / side];
    let square = |number: usize| {
        let (x, y) = (number % columns * side, number / columns * side);
        let of = |index: usize| f64::from(pixels[(y + index / side) * width + x + index % side]);
        (0..side * side).map(of).sum::<f64>() / (side * side) as f64
    };
    (0..columns * rows).map(square).collect()
}

/// Mean difference of two pages, of 255, over squares that have ink on both.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    let inked: Vec<f64> =
        one.iter().zip(other).filter(|(a, b)| **a > 1.0 && **b > 1.0).map(|(a, b)| (a - b).abs()).collect();
    assert!(inked.len() > 300);
    inked.iter().sum::<f64>() / inked.len() as f64
}

#[test]
fn every_resolution_shows_the_same_line_and_ink() {
    for pen in sample::every(2, pens()) {
        for variation in [false, true] {
            let of_pen = request(81, &json!({"pen": pen, "enable_writer_variation": variation, "page_size": "a6"}));
            let usual = drawn(&of_pen, Dpi::Dpi300.scale(), true);
            let fine = reduced(&drawn(&of_pen, Dpi::Dpi600.scale(), true), 2);
            let apart = difference(&reduced(&usual, 1), &fine);
            assert!(apart <= 2.0, "{pen}: 600 DPI is {apart} of 255 off");
            // A preview has grain of its own pixels, so larger squares are compared.
            let half = drawn(&of_pen, DeviceScale::fitting(Px::new(2.0), DevicePx::new(1.0)), true);
            let columns = [usual.width() as usize / 16, half.width() as usize / 8];
            let (usual, half) = (reduced(&usual, 16), reduced(&half, 8));
            assert_eq!(columns[0], columns[1]);
            let apart = difference(&usual[..half.len().min(usual.len())], &half);
            assert!(apart <= 2.0, "{pen}: a preview is {apart} of 255 off");
        }
    }
    let other = request(81, &json!({"pen": "ballpoint", "seed": 9}));
    let [one, other] = [request(81, &json!({"pen": "ballpoint"})), other]
        .map(|request| reduced(&drawn(&request, Dpi::Dpi300.scale(), true), 1));
    assert!(difference(&one, &other) > 10.0, "another seed is not told apart");
}

/// Every glyph of a page as polygons bent by the map in Rust, in page px.
fn bent(layout: &PageLayout, params: &RenderParams) -> Vec<Vec<Vec<[f64; 2]>>> {
    let (map, meshes) = (OutlineMap::of(params, layout.size), MeshCache::default());
    let mut glyphs = Vec::new();
    for word in &layout.words {
        let rotation = WordRotation::of(word, Dpi::default().scale());
        let is_joined = |position: usize| {
            let key = map.key(&word.glyphs[position], word.letters.get(position), &CATALOGUE);
            join_key(key, word, position, &CATALOGUE).is_some()
        };
        for (position, glyph) in word.glyphs.iter().enumerate() {
            let letter = word.letters.get(position);
            let placement = rotation.placement(glyph, CATALOGUE.face(glyph.font).units_per_em());
            let is_joined = is_joined(position) || position > 0 && is_joined(position - 1);
            let bend = map.of_glyph(glyph, letter, is_joined, &placement, &CATALOGUE);
            let mesh = meshes.mesh(MeshKey::Glyph(map.key(glyph, letter, &CATALOGUE)), &CATALOGUE).unwrap();
            let (mut contours, mut end) = (Vec::<Vec<[f64; 2]>>::new(), None);
            for [from, to] in mesh.lines() {
                if end != Some(from) {
                    contours.push(Vec::new());
                }
                contours.last_mut().unwrap().push(bend.applied(&mesh, from));
                end = Some(to);
            }
            glyphs.push(contours);
        }
    }
    glyphs
}

#[test]
fn the_page_is_that_of_the_map_in_rust_filled_by_freetype() {
    let mut pictures = Pictures::new();
    for (font, pen, variation) in
        [(81, "ballpoint", true), (2, "gel", false), (12, "felt", true), (81, "broad", false), (53, "fountain", true)]
    {
        let (spec, layout) = page(&request(font, &json!({"pen": pen, "enable_writer_variation": variation})));
        let params = RenderParams { has_tone: false, ..RenderParams::of(&spec, Dpi::Dpi300.scale()) };
        let picture = pictures.add_bytes(&encode_png(&draw(&layout, &params), spec.ink, params.scale));
        let job = json!({"picture": picture, "glyphs": bent(&layout, &params)});
        let figures = ask("bent_outlines.py", &job);
        assert!(number(&figures, "inked") > 5_000.0);
        // Where a broad nib is thin, the sides of some strokes change places: the page has no ink there, FreeType has.
        let most = if pen == "broad" { 2.2 } else { 1.5 };
        assert!(number(&figures, "mean") <= most, "{pen} in font {font}: {figures}");
        // The outlines of another pen, of the mirrored pen and of another place in its field are told apart.
        let other = RenderParams { seed: params.seed + 1, ..params };
        let job = json!({"picture": picture, "glyphs": bent(&layout, &other)});
        let least = if font == 53 { 0.4 } else { 1.5 };
        let shifted = number(&ask("bent_outlines.py", &job), "mean");
        assert!(shifted > number(&figures, "mean") + least, "{pen}: another field is {shifted} off");
    }
}

/// The pieces of ink that do not touch, of more than some pixels.
fn pieces(coverage: &Coverage) -> usize {
    let (pixels, width) = (dense(coverage), coverage.width() as usize);
    let mut seen = vec![false; pixels.len()];
    let mut count = 0;
    for start in 0..pixels.len() {
        let (mut open, mut size) = (vec![start], 0);
        while let Some(at) = open.pop() {
            if pixels[at] < 24 || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            size += 1;
            for step in [1, width - 1, width, width + 1] {
                open.extend(at.checked_sub(step).into_iter().chain(Some(at + step).filter(|at| *at < pixels.len())));
            }
        }
        count += usize::from(size > 4);
    }
    count
}

#[test]
fn no_pen_breaks_a_stroke() {
    for font in [2, 4, 11, 12, 28, 53, 81] {
        let plain = pieces(&drawn(&request(font, &json!({})), Dpi::Dpi300.scale(), false));
        for pen in pens() {
            let found = pieces(&drawn(&request(font, &json!({"pen": pen})), Dpi::Dpi300.scale(), false));
            // A broad nib parts hairlines of rough fonts in few places.
            let most = plain + 2 + if pen == "broad" { plain / 40 } else { 0 };
            assert!(found <= most, "{pen} in font {font}: {found} pieces, and {plain} as designed");
        }
    }
}

/// Mean squared difference of the ink of two letters across a word boundary less that inside a word, of full ink, at the
/// same distances. The ink of a letter is that of pixels which are wholly covered.
fn step_between_words(request: &Value) -> f64 {
    let (spec, layout) = page(request);
    let params = RenderParams::of(&spec, Dpi::Dpi300.scale());
    let solid = RenderParams { has_tone: false, ink_flow: None, ..params };
    let [shaded, solid] = [params, solid].map(|params| draw(&layout, &params));
    let (width, shaded, solid) = (shaded.width() as usize, dense(&shaded), dense(&solid));
    let ink = |glyph: &PlacedGlyph| {
        let [left, top, right, bottom] = [glyph.ink.min.x, glyph.ink.min.y, glyph.ink.max.x, glyph.ink.max.y]
            .map(|edge| edge.get().max(0.0) as usize);
        let covered = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
        let covered = covered.filter(|at| solid.get(*at) == Some(&255));
        let pixels: Vec<f64> = covered.map(|at| f64::from(shaded[at]) / 255.0).collect();
        let middle = (left + right) as f64 / 2.0;
        (pixels.len() > 15).then(|| (middle, pixels.iter().sum::<f64>() / pixels.len() as f64))
    };
    // For each range of distances, the squares inside words and across boundaries.
    let mut ranges: Vec<[Vec<f64>; 2]> = vec![Default::default(); 6];
    for line in &layout.lines {
        let words = &layout.words[line.words.clone()];
        let letters: Vec<(usize, (f64, f64))> = (0..)
            .zip(words)
            .flat_map(|(number, word)| word.glyphs.iter().filter_map(move |glyph| Some((number, ink(glyph)?))))
            .collect();
        for (first, (word, (x, one))) in letters.iter().enumerate() {
            for (other_word, (other_x, other)) in &letters[first + 1..] {
                let range = ((other_x - x - 40.0) / 20.0).floor();
                if (0.0..6.0).contains(&range) && other_word - word <= 1 {
                    ranges[range as usize][other_word - word].push((one - other).powi(2));
                }
            }
        }
    }
    let mean = |squares: &[f64]| squares.iter().sum::<f64>() / squares.len() as f64;
    let (mut sum, mut weight) = (0.0, 0.0);
    for [inside, across] in &ranges {
        let pairs = inside.len().min(across.len()) as f64;
        if pairs >= 10.0 {
            sum += pairs * (mean(across) - mean(inside)) / 2.0;
            weight += pairs;
        }
    }
    assert!(weight > 100.0, "{weight} pairs");
    sum / weight
}

/// The mean over pages of several seeds.
fn mean_step_between_words(members: &Value) -> f64 {
    let of_seed = |seed: u32| step_between_words(&with(&request(2, members), &json!({"seed": seed})));
    (1..=8).map(of_seed).sum::<f64>() / 8.0
}

#[test]
fn words_do_not_differ_from_one_another_more_than_their_parts() {
    for pen in sample::every(2, pens()) {
        for variation in [false, true] {
            let of_pen = json!({"pen": pen, "enable_ink_flow": true, "enable_writer_variation": variation});
            let step = mean_step_between_words(&of_pen);
            assert!(step <= 0.0015, "{pen}: {step}");
        }
    }
    // Ink flow without a pen and without varied letters is seen to differ from word to word.
    let step = mean_step_between_words(&json!({"enable_ink_flow": true}));
    assert!(step > 0.0015, "{step}");
}

#[test]
fn a_font_of_thick_and_thin_strokes_keeps_them_and_takes_the_ink() {
    let ink = |members: &Value, has_tone: bool| {
        let page = drawn(&request(53, members), Dpi::Dpi300.scale(), has_tone);
        dense(&page).into_iter().map(f64::from).sum::<f64>()
    };
    let plain = ink(&json!({}), false);
    for pen in ["ballpoint", "broad"] {
        let solid = ink(&json!({"pen": pen, "pen_width_mm": 2}), false);
        assert!((solid / plain - 1.0).abs() < 0.02, "{pen}: {solid} of {plain}");
        assert!(ink(&json!({"pen": pen}), true) < 0.95 * plain, "{pen}");
    }
}

/// The fields of the warnings `no_effect` of a request.
fn without_effect(members: &Value) -> Vec<String> {
    let file = render(&request(81, members));
    let found = file.warnings.iter().filter(|warning| warning.kind.name() == "no_effect");
    found.map(|warning| warning.field.clone()).collect()
}

#[test]
fn fields_without_effect_are_told() {
    for (members, expected) in [
        (json!({"pen": "ballpoint", "pen_width_mm": 0.4, "pen_strength": 2}), vec![]),
        (json!({"pen": "ballpoint", "pen_angle": 30}), vec!["pen_angle"]),
        (json!({"pen": "felt", "pen_angle": 30}), vec![]),
        (json!({"pen_width_mm": 0.4, "pen_strength": 2}), vec!["pen_width_mm", "pen_strength"]),
        (json!({"pen": "gel", "enable_ink_flow": true}), vec!["ink_flow_intensity"]),
        (json!({"pen": "gel", "enable_ink_flow": true, "ink_flow_intensity": 2}), vec![]),
        (json!({"pen": "broad", "font_id": 53, "pen_width_mm": 1, "pen_angle": 1}), vec!["pen_width_mm", "pen_angle"]),
        (json!({"pen": "gel", "output_format": "svg", "svg": {"paths": "strokes"}}), vec!["pen"]),
    ] {
        assert_eq!(without_effect(&members), expected, "{members}");
    }
}

#[test]
fn outlines_carry_the_pen_in_solid_ink() {
    let svg = |members: &Value| {
        let file = render(&request(81, &with(&json!({"output_format": "svg"}), members)));
        String::from_utf8(file.bytes).unwrap()
    };
    let (plain, gel) = (svg(&json!({})), svg(&json!({"pen": "gel", "enable_ink_flow": true, "ink_flow_intensity": 3})));
    assert_ne!(plain, gel);
    assert!(!gel.contains("opacity") && gel.matches("fill=\"").count() <= plain.matches("fill=\"").count());
    assert_ne!(gel, svg(&json!({"pen": "felt"})));
    // A machine draws its own line.
    let strokes = json!({"svg": {"paths": "strokes"}});
    assert_eq!(svg(&strokes), svg(&with(&strokes, &json!({"pen": "gel"}))));
}

#[test]
fn ink_for_a_press_is_solid() {
    let ink = |members: &Value| {
        let spec = spec_of(&request(81, members));
        RenderParams::of(&spec, Dpi::Dpi300.scale()).has_tone
    };
    let pdf = |standard: &str| json!({"pen": "gel", "output_format": "pdf", "pdf": {"standard": standard}});
    assert!(ink(&pdf("pdf")) && !ink(&pdf("pdfx1a")) && ink(&json!({"pen": "gel"})));
    // A pencil is grain of solid pixels, at 600 DPI.
    let pencil = spec_of(&request(81, &with(&pdf("pdfx1a"), &json!({"pen": "pencil"}))));
    assert!(pencil.prints_grain() && pencil.drawn_dpi() == Dpi::Dpi600);
    let outlined = json!({"pen": "pencil", "pdf": {"standard": "pdfx1a", "writing": "outlines"}});
    assert!(!spec_of(&request(81, &with(&pdf("pdfx1a"), &outlined))).prints_grain());
}
