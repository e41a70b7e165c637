//! Drawn pixels moved by a grainy field, on a real device: compared with the same interpolation on the CPU.

use longhand::catalogue::FontId;
use longhand::gpu::Renderer;
use longhand::layout::lay_out;
use longhand::mesh::MeshCache;
use longhand::raster::Coverage;
use longhand::scene::{RenderParams, Scene, compose};
use longhand::spec::{FontSize, NaturalVariation, Overflow, RenderSpec};
use longhand::units::{Dpi, Px};
use rstest::rstest;

use super::coverage::{dense, renderer};
use crate::layout::pages::{CATALOGUE, spec};

/// Pixels per band, as in the service.
const BAND: usize = 1 << 20;

/// A page of broad strokes, which are mostly solid ink.
fn scene(dpi: Dpi, variation: Option<NaturalVariation>) -> Scene {
    let page = RenderSpec {
        font: FontId::new(35).unwrap(),
        font_size: FontSize::Fixed(Px::new(300.0)),
        line_height: 1.0,
        overflow: Overflow::Clip,
        ..spec(&"MWHEN ".repeat(24))
    };
    let layout = lay_out(&page, &CATALOGUE).unwrap();
    let params = RenderParams { variation, seed: 3, ..RenderParams::plain(dpi.scale()) };
    compose(&layout, &params, &CATALOGUE, &MeshCache::default(), BAND).unwrap()
}

fn draw(renderer: &Renderer, scene: Scene) -> Coverage {
    renderer.render(scene).unwrap()
}

/// A texel component, from -1 to 1.
fn component(bits: u16) -> f64 {
    f64::from(bits.cast_signed()) / f64::from(i16::MAX)
}

/// The pixels of `plain`, a page, moved as the effects of `scene` say, bilinear between pixels.
fn moved(plain: &[u8], scene: &Scene) -> Vec<f64> {
    let (record, field) = (&scene.effects.record, scene.effects.field.unwrap());
    let [width, height] = [scene.size.width as usize, scene.size.height as usize];
    let [step, largest] = [record.lattice_step, record.largest_displacement].map(f64::from);
    let nearest =
        |centre: f64, axis: usize| (centre * step + f64::from(record.lattice_offset[axis]) + 0.5).floor() as usize;
    let room = |centre: f64, size: usize| centre.min(size as f64 - centre).clamp(0.0, largest);
    let pixel = |x: usize, y: usize| f64::from(plain[y.min(height - 1) * width + x.min(width - 1)]);
    let mut pixels = Vec::with_capacity(plain.len());
    for y in 0..height {
        for x in 0..width {
            let (across, down) = (x as f64 + 0.5, y as f64 + 0.5);
            let texel = field.texel([nearest(across, 0), nearest(down, 1)]);
            let from_x = x as f64 - component(texel as u16) * room(across, width);
            let from_y = y as f64 - component((texel >> 16) as u16) * room(down, height);
            let (from_x, from_y) = (from_x.clamp(0.0, width as f64 - 1.0), from_y.clamp(0.0, height as f64 - 1.0));
            let (left, top) = (from_x as usize, from_y as usize);
            let between = |row: usize| {
                let before = pixel(left, row);
                before + (pixel(left + 1, row) - before) * from_x.fract()
            };
            pixels.push(between(top) + (between(top + 1) - between(top)) * from_y.fract());
        }
    }
    pixels
}

#[rstest]
#[case(Dpi::Dpi300, 4, 0)]
#[case(Dpi::Dpi300, 8, 0)]
#[case(Dpi::Dpi300, 8, 1)]
#[case(Dpi::Dpi600, 8, 0)]
#[case(Dpi::Dpi600, 11, 1)]
fn grain_moves_each_pixel_to_within_one_level(#[case] dpi: Dpi, #[case] alpha: u8, #[case] sigma: u8) {
    let grainy = scene(dpi, Some(NaturalVariation { alpha, sigma }));
    assert!(grainy.effects.warp.as_ref().is_some_and(|warp| !warp.in_whole_px), "interpolated");
    let plain = dense(&draw(renderer(), scene(dpi, None)));
    assert!(plain.iter().filter(|&&pixel| pixel > 254).count() > 500_000, "solid ink");
    let expected = moved(&plain, &grainy);
    let drawn = dense(&draw(renderer(), grainy));
    let differences = drawn.iter().zip(&expected).map(|(&drawn, &expected)| (f64::from(drawn) - expected).abs());
    let holes = drawn.iter().zip(&expected).filter(|(drawn, expected)| **drawn < 200 && **expected > 250.0).count();
    let inked = expected.iter().filter(|&&expected| expected > 0.5).count();
    // Half a level of rounding, and a twentieth for the precision of positions on the device.
    let off = differences.clone().filter(|difference| *difference > 0.55).count();
    let most = differences.fold(0.0, f64::max);
    println!("{holes} holes, {off} of {inked} inked pixels off, by {most} at most");
    assert_eq!(holes, 0, "white holes in solid ink");
    assert!(most <= 1.0, "off by {most} levels");
    assert!(off * 1000 < inked, "{off} of {inked} inked pixels are rounded wrongly");
}
