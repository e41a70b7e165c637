//! PNG files decode to the coverage they were made of, whatever its shape, and are small.

#![expect(clippy::expect_used, reason = "a shared step of these tests fails the test it is part of")]

use longhand::encode::{Ground, InkLayer, PixelLayout, append_zlib_while, encode_layers_while, encode_png};
use longhand::raster::{Coverage, Strip, TILE};
use longhand::spec::{PngFormat, Rgb};
use longhand::units::Dpi;
use proptest::prelude::*;

use super::corpus::{CORPUS, DENSE_A4, coverage_of};

const BLACK: Rgb = Rgb([0, 0, 0]);
const BLUE: Rgb = Rgb([20, 40, 160]);

/// All pixels of a page, row by row.
fn expand(coverage: &Coverage) -> Vec<u8> {
    let width = coverage.width() as usize;
    let mut pixels = vec![0; width * coverage.height() as usize];
    for y in 0..coverage.height() {
        for run in coverage.row(y) {
            let start = y as usize * width + run.x as usize;
            pixels[start..start + run.coverage.len()].copy_from_slice(run.coverage);
        }
    }
    pixels
}

/// Decodes a PNG with checksums verified: its header and its bytes.
fn decode(file: &[u8]) -> (png::Info<'static>, Vec<u8>) {
    let mut options = png::DecodeOptions::default();
    options.set_ignore_checksums(false);
    let mut reader = png::Decoder::new_with_options(std::io::Cursor::new(file), options).read_info().expect("a header");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let frame = reader.next_frame(&mut bytes).expect("a picture");
    bytes.truncate(frame.buffer_size());
    reader.finish().expect("an end");
    (reader.info().clone(), bytes)
}

fn rgba(ink: Rgb, pixels: &[u8]) -> Vec<u8> {
    let [red, green, blue] = ink.0;
    pixels.iter().flat_map(|&alpha| [red, green, blue, alpha]).collect()
}

/// Asserts that the PNG of `coverage` holds exactly its pixels, and returns the file.
fn assert_round_trip(coverage: &Coverage, ink: Rgb) -> Vec<u8> {
    let file = encode_png(coverage, ink, Dpi::Dpi300.scale());
    let (info, bytes) = decode(&file);
    assert_eq!((info.width, info.height), (coverage.width(), coverage.height()));
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    assert!(bytes == rgba(ink, &expand(coverage)), "other pixels came back");
    file
}

/// The stream with one byte a pixel, in a greyscale PNG.
fn grey_png(coverage: &Coverage) -> Vec<u8> {
    let mut stream = Vec::new();
    append_zlib_while(PixelLayout::Index, coverage, &|| true, &mut stream).expect("it is wanted");
    let mut file = Vec::new();
    let encoder = png::Encoder::new(&mut file, coverage.width(), coverage.height());
    let mut writer = encoder.write_header().expect("a header");
    writer.write_chunk(png::chunk::IDAT, &stream).expect("a stream");
    writer.finish().expect("an end");
    file
}

/// What a strip is filled with.
#[derive(Clone, Copy, Debug)]
enum Fill {
    Paper,
    Solid,
    Noise,
    Sparse,
    Runs,
}

fn filled(fill: Fill, count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let (mut left, mut value) = (0, 0);
    (0..count)
        .map(|_| match fill {
            Fill::Paper => 0,
            Fill::Solid => 255,
            Fill::Noise => random() as u8,
            Fill::Sparse => {
                if random() % 50 == 0 {
                    random() as u8
                } else {
                    0
                }
            }
            Fill::Runs => {
                if left == 0 {
                    (left, value) = (1 + random() % 90, [0, 255, 128, 1][random() as usize % 4]);
                }
                left -= 1;
                value
            }
        })
        .collect()
}

prop_compose! {
    /// Pages with random strips, the last of a row possibly beyond the right edge.
    fn pages()(
        width in prop_oneof![1_u32..70, 1_u32..600, 1_u32..5000],
        height in 1_u32..90,
        candidates in proptest::collection::vec(
            (0_u32..6, 0_u32..320, 1_u32..40,
             prop_oneof![Just(Fill::Paper), Just(Fill::Solid), Just(Fill::Noise), Just(Fill::Sparse), Just(Fill::Runs)],
             any::<u32>()),
            0..12),
    ) -> Coverage {
        let (mut strips, mut bytes): (Vec<Strip>, Vec<u8>) = (Vec::new(), Vec::new());
        let mut candidates = candidates;
        candidates.sort_by_key(|&(row, column, ..)| (row, column));
        for (tile_row, column, tiles, fill, seed) in candidates {
            let free = strips.last().filter(|last| last.tile_row == tile_row).map_or(0, |last| last.x + last.width);
            let (x, strip_width) = ((column * TILE) % width.next_multiple_of(TILE), tiles * TILE);
            if x >= free && x < width && tile_row * TILE < height
                && strips.last().is_none_or(|last| (last.tile_row, last.x) < (tile_row, x)) {
                strips.push(Strip { tile_row, x, width: strip_width, offset: bytes.len() });
                bytes.extend(filled(fill, (strip_width * TILE) as usize, seed));
            }
        }
        Coverage::new(width, height, strips, bytes)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_page_comes_back_in_any_ink(
        coverage in pages(),
        ink in prop_oneof![Just(BLACK), Just(BLUE), Just(Rgb([255; 3])), any::<[u8; 3]>().prop_map(Rgb)],
    ) {
        assert_round_trip(&coverage, ink);
    }

    #[test]
    fn any_page_comes_back_with_one_byte_a_pixel(coverage in pages()) {
        let (_, bytes) = decode(&grey_png(&coverage));
        prop_assert!(bytes == expand(&coverage));
    }

    #[test]
    fn any_single_gap_and_any_short_row_come_back(gap in 0_usize..700, after in 0_usize..300, rows in 1_usize..4) {
        let row: Vec<u8> = [vec![0; gap], vec![200], vec![0; after]].concat();
        for ink in [BLACK, BLUE] {
            assert_round_trip(&coverage_of(row.len(), &row.repeat(rows)), ink);
        }
    }
}

#[test]
fn every_width_of_paper_comes_back_in_blocks_of_its_own() {
    // Tall enough that the paper between two inked rows gets a block of its own, at every length of the last match.
    for width in (1..200).chain([1200, 2480, 4961]) {
        let height = 66_048 / (4 * width + 1) + 40;
        let mut pixels = vec![0; width * height];
        pixels[0] = 9;
        pixels[width * height - 1] = 77;
        for ink in [BLACK, BLUE] {
            assert_round_trip(&coverage_of(width, &pixels), ink);
        }
    }
}

#[test]
fn ink_at_the_right_edge_does_not_leak_into_the_paper_below() {
    let mut pixels = vec![0; 300 * 900];
    pixels[299] = 255;
    for ink in [BLACK, BLUE] {
        assert_round_trip(&coverage_of(300, &pixels), ink);
    }
}

#[test]
fn blank_pages_come_back_near_the_least_size_deflate_allows() {
    let a3_at_600 = Coverage::new(7016, 9922, vec![], vec![]);
    for (ink, allowance) in [(BLACK, 1.01), (BLUE, 1.15)] {
        let file = assert_round_trip(&a3_at_600, ink);
        let least = 9922.0 * (1.0 + 4.0 * 7016.0) / 258.0 / 4.0;
        assert!((file.len() as f64) < allowance * least, "{} bytes, least possible {least}", file.len());
    }
}

#[test]
fn resolution_and_colour_space_are_stated() {
    for (dpi, per_metre) in [(Dpi::Dpi300, 11_811), (Dpi::Dpi600, 23_622)] {
        let (info, _) = decode(&encode_png(&Coverage::new(20, 20, vec![], vec![]), BLUE, dpi.scale()));
        let physical = info.pixel_dims.expect("pHYs");
        assert_eq!((physical.xppu, physical.yppu, physical.unit), (per_metre, per_metre, png::Unit::Meter));
        assert_eq!(info.srgb, Some(png::SrgbRenderingIntent::Perceptual));
    }
}

#[test]
fn an_indexed_picture_has_the_same_pixels_in_fewer_bytes() {
    for sample in [&DENSE_A4, &CORPUS[1], &CORPUS[12]] {
        let coverage = &sample.coverage();
        let encode = |ink, format| {
            encode_layers_while(&[InkLayer { coverage, ink }], Ground::default(), format, Dpi::Dpi300.scale(), &|| true)
                .unwrap()
        };
        for ink in [BLACK, BLUE] {
            let [rgba, indexed] = [PngFormat::Rgba, PngFormat::Indexed].map(|format| encode(ink, format));
            assert_eq!(rgba, encode_png(coverage, ink, Dpi::Dpi300.scale()));
            let (info, indices) = decode(&indexed);
            assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Indexed, png::BitDepth::Eight));
            let (colours, alphas) = (info.palette.unwrap(), info.trns.unwrap());
            let pixel = |&index: &u8| {
                let at = usize::from(index);
                [colours[3 * at], colours[3 * at + 1], colours[3 * at + 2], alphas[at]]
            };
            let pixels: Vec<u8> = indices.iter().flat_map(pixel).collect();
            assert!(pixels == decode(&rgba).1, "other pixels came back");
            assert!(indexed.len() * 10 <= rgba.len() * 7 + 20_000, "{} of {} bytes", indexed.len(), rgba.len());
        }
    }
    let layers = [BLACK, BLUE].map(|ink| (DENSE_A4.coverage(), ink));
    let layers: Vec<InkLayer<'_>> = layers.iter().map(|(coverage, ink)| InkLayer { coverage, ink: *ink }).collect();
    let [rgba, indexed] = [PngFormat::Rgba, PngFormat::Indexed]
        .map(|format| encode_layers_while(&layers, Ground::default(), format, Dpi::Dpi300.scale(), &|| true).unwrap());
    assert_eq!(rgba, indexed, "two inks have more colours than a palette");
}

#[test]
fn written_pages_come_back() {
    for sample in [&DENSE_A4, &CORPUS[1], &CORPUS[12]] {
        let coverage = sample.coverage();
        for ink in [BLACK, BLUE] {
            assert_round_trip(&coverage, ink);
        }
    }
}

#[test]
fn a_dense_page_is_two_fifths_smaller_than_the_fastest_general_encoding() {
    let coverage = DENSE_A4.coverage();
    let mut general = Vec::new();
    let mut encoder = png::Encoder::new(&mut general, coverage.width(), coverage.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fastest);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&rgba(BLACK, &expand(&coverage))).expect("a picture");
    writer.finish().expect("an end");
    let ours = encode_png(&coverage, BLACK, Dpi::Dpi300.scale()).len();
    assert!(5 * ours < 3 * general.len(), "{ours} bytes, against {}", general.len());
}
