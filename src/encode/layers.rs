//! Composes pages of several inks into one stream of RGBA rows.
//!
//! Each ink has its own coverage. The layers lie on one another, the last one on top, and are mixed as alpha mixes them
//! in sRGB: with 8-bit values, for a layer of ink c with coverage a over a pixel of colour C with alpha A,
//!
//! * A·(255 − a) is what the layer leaves of the pixel, in 255ths, and S = 255·a + A·(255 − a) is the sum of both;
//! * each channel becomes (255·a·c + A·(255 − a)·C) / S, and the alpha S / 255, both rounded half up.
//!
//! A pixel of a run that no ink covers has the colour of that run's ink; outside the runs it has that of the top layer.
//! Alpha is straight. On opaque paper each pixel begins as paper with alpha 255, and on artwork as that has it.
//!
//! No full page of pixels exists in memory: rows are composed and packed in parts of equal height, in parallel.

use std::ops::Range;

use miniz_oxide::deflate::core::TDEFLFlush;

use super::filtered_rows::{PART, Packer, append_rows_while, part_of};
use super::zlib_parts::append_zlib_in_parts;
use crate::artwork::Backdrop;
use crate::raster::Coverage;
use crate::spec::Rgb;
use crate::work::{IsWanted, Stopped};

/// How hard rows are packed: most pixels repeat the one before them.
const LEVEL: i32 = 2;
/// Bytes per pixel.
const RGBA: usize = 4;
/// The filter byte of every row: no filter.
const NO_FILTER: u8 = 0;

/// What lies under the inks of a picture; by default nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground<'a> {
    /// The colour of opaque paper.
    pub paper: Option<Rgb>,
    /// Artwork on the paper, of the size of the picture.
    pub backdrop: Option<&'a Backdrop>,
}

/// The coverage of a page by one ink.
#[derive(Clone, Copy, Debug)]
pub struct InkLayer<'a> {
    /// The coverage; all layers of a page have the same size.
    pub coverage: &'a Coverage,
    /// The ink.
    pub ink: Rgb,
}

/// Appends the zlib stream of an RGBA PNG without interlacing: `layers` from the lowest to the top, on `ground`. Rows
/// have filter 0, those with a backdrop filter 1.
///
/// # Errors
/// The stream is no longer wanted. `bytes` then has a part of it.
pub(super) fn append_layers_while(
    layers: &[InkLayer<'_>],
    ground: Ground<'_>,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<(), Stopped> {
    let height = layers.first().map_or(0, |layer| layer.coverage.height());
    if let Some(backdrop) = ground.backdrop {
        let rows = |rows: Range<u32>| composed_rows(layers, ground.paper, backdrop, rows).into_flattened();
        return append_rows_while((backdrop.width(), height), RGBA, rows, is_wanted, bytes);
    }
    let write = |part: usize| {
        let (rows, flush) = part_of(part, height);
        let (mut packer, mut row, last) = (Packer::new(LEVEL), Vec::new(), rows.end - 1);
        for y in rows {
            compose_row(layers, ground.paper, y, &mut row);
            packer.pack(&row, if y == last { flush } else { TDEFLFlush::None });
        }
        packer.finish()
    };
    append_zlib_in_parts(height.div_ceil(PART) as usize, 1, write, is_wanted, bytes)
}

/// Composes rows on artwork.
fn composed_rows(
    layers: &[InkLayer<'_>],
    paper: Option<Rgb>,
    backdrop: &Backdrop,
    rows: Range<u32>,
) -> Vec<[u8; RGBA]> {
    let width = backdrop.width() as usize;
    let mut pixels = backdrop.rows(rows.clone());
    if let Some(Rgb([red, green, blue])) = paper {
        for pixel in &mut pixels {
            let [on_red, on_green, on_blue, alpha] = *pixel;
            *pixel = [red, green, blue, u8::MAX];
            mix(pixel, Rgb([on_red, on_green, on_blue]), alpha);
        }
    }
    for (y, line) in rows.zip(pixels.chunks_exact_mut(width)) {
        mix_row(layers, y, line);
    }
    pixels
}

/// Composes row `y`: the filter byte and its pixels.
fn compose_row(layers: &[InkLayer<'_>], paper: Option<Rgb>, y: u32, row: &mut Vec<u8>) {
    let (width, top) = layers.last().map_or((0, Rgb::default()), |layer| (layer.coverage.width(), layer.ink));
    let Rgb([red, green, blue]) = paper.unwrap_or(top);
    let alpha = if paper.is_some() { 255 } else { 0 };
    row.clear();
    row.push(NO_FILTER);
    row.extend(std::iter::repeat_n([red, green, blue, alpha], width as usize).flatten());
    let pixels = row[1..].as_chunks_mut::<RGBA>().0;
    mix_row(layers, y, pixels);
}

/// Lays the inks of row `y` on its pixels.
fn mix_row(layers: &[InkLayer<'_>], y: u32, pixels: &mut [[u8; RGBA]]) {
    for layer in layers {
        for run in layer.coverage.row(y) {
            for (pixel, &coverage) in pixels[run.x as usize..].iter_mut().zip(run.coverage) {
                mix(pixel, layer.ink, coverage);
            }
        }
    }
}

/// Lays ink of this coverage on a pixel.
fn mix(pixel: &mut [u8; RGBA], Rgb(ink): Rgb, coverage: u8) {
    let [red, green, blue, alpha] = *pixel;
    *pixel = match (coverage, alpha) {
        (0, 1..) => return,
        (0 | 255, _) | (_, 0) => [ink[0], ink[1], ink[2], coverage],
        _ => {
            let above = u32::from(coverage) * 255;
            let below = u32::from(alpha) * (255 - u32::from(coverage));
            let sum = above + below;
            let channel =
                |ink: u8, under: u8| ((above * u32::from(ink) + below * u32::from(under) + sum / 2) / sum) as u8;
            let alpha = ((sum + 127) / 255) as u8;
            [channel(ink[0], red), channel(ink[1], green), channel(ink[2], blue), alpha]
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Strip;
    use proptest::prelude::*;

    const RED: Rgb = Rgb([200, 10, 20]);
    const BLUE: Rgb = Rgb([10, 20, 200]);

    fn page(x: u32, width: u32, height: u32, coverage: u8) -> Coverage {
        let strips = vec![Strip { tile_row: 0, x, width: 16, offset: 0 }];
        Coverage::new(width, height, strips, vec![coverage; 256])
    }

    fn rows(layers: &[InkLayer<'_>], paper: Option<Rgb>) -> Vec<u8> {
        let mut stream = Vec::new();
        append_layers_while(layers, Ground { paper, backdrop: None }, &|| true, &mut stream).unwrap();
        miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap()
    }

    #[test]
    fn layers_that_do_not_touch_keep_their_own_inks() {
        let (left, right) = (page(0, 40, 600, 90), page(16, 40, 600, 200));
        let layers = [InkLayer { coverage: &left, ink: RED }, InkLayer { coverage: &right, ink: BLUE }];
        let bytes = rows(&layers, None);
        let row = |y: usize| &bytes[y * 161 + 1..(y + 1) * 161];
        assert_eq!(bytes.len(), 600 * 161);
        assert_eq!(
            (&row(3)[..4], &row(3)[64..68], &row(3)[128..132]),
            (&[200, 10, 20, 90][..], &[10, 20, 200, 200][..], &[10, 20, 200, 0][..])
        );
        assert_eq!(row(599), [10, 20, 200, 0].repeat(40));
    }

    #[test]
    fn one_layer_is_the_picture_of_one_ink() {
        let only = page(16, 40, 20, 77);
        let layers = [InkLayer { coverage: &only, ink: RED }];
        let mut sparse = Vec::new();
        let layout = crate::encode::PixelLayout::InkAlpha(RED.0);
        crate::encode::append_zlib_while(layout, &only, &|| true, &mut sparse).unwrap();
        assert_eq!(rows(&layers, None), miniz_oxide::inflate::decompress_to_vec_zlib(&sparse).unwrap());
    }

    proptest! {
        #[test]
        fn a_mix_is_the_exact_one_rounded(pixel: [u8; 4], ink: [u8; 3], coverage: u8) {
            let mut mixed = pixel;
            mix(&mut mixed, Rgb(ink), coverage);
            let (a, under) = (f64::from(coverage) / 255.0, f64::from(pixel[3]) / 255.0);
            let alpha = a + under * (1.0 - a);
            prop_assert!((f64::from(mixed[3]) - 255.0 * alpha).abs() <= 0.5 + 1e-9);
            for channel in 0..3 {
                let exact = (a * f64::from(ink[channel]) + under * (1.0 - a) * f64::from(pixel[channel])) / alpha;
                prop_assert!(alpha == 0.0 || (f64::from(mixed[channel]) - exact).abs() <= 0.5 + 1e-9);
            }
        }
    }
}
