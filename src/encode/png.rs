//! The PNG file around the stream (PNG, third edition): signature and chunks.

use super::color::on_screen;
use super::layers::{InkLayer, append_layers_while};
use super::pixel_layout::PixelLayout;
use super::sparse_zlib::append_zlib_while;
use crate::raster::Coverage;
use crate::spec::Rgb;
use crate::units::DeviceScale;
use crate::work::{IsWanted, Stopped};

/// The first eight bytes of every PNG (5.2).
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// 8 bits per sample, colour type 6 (RGBA), the only compression and filter method, no interlace (11.2.1).
const RGBA_8_BIT: [u8; 5] = [8, 6, 0, 0, 0];
/// The same with colour type 3: indices into a palette.
const PALETTE_8_BIT: [u8; 5] = [8, 3, 0, 0, 0];
/// `sRGB`: perceptual rendering intent (11.3.2.5).
const PERCEPTUAL: u8 = 0;
/// `pHYs`: the unit is the metre (11.3.4.3).
const PER_METRE: u8 = 1;

/// The page as an 8-bit RGBA PNG. Every pixel has the colour of the ink, also outside the ink, and its coverage as
/// straight alpha. `pHYs` gives the physical size of a page drawn at `scale`.
///
/// Time and memory grow with the ink and, by one bit per 130 bytes of pixels, with the page. Both sides of the page
/// must be at least 1 px.
#[must_use]
pub fn encode_png(coverage: &Coverage, ink: Rgb, scale: DeviceScale) -> Vec<u8> {
    // It is always wanted, so it never stops.
    encode_png_while(coverage, ink, scale, &|| true).unwrap_or_default()
}

/// As [`encode_png`], while the picture is wanted.
///
/// # Errors
/// The picture is no longer wanted.
pub fn encode_png_while(
    coverage: &Coverage,
    ink: Rgb,
    scale: DeviceScale,
    is_wanted: IsWanted<'_>,
) -> Result<Vec<u8>, Stopped> {
    let picture = Picture { header: RGBA_8_BIT, palette: Vec::new(), layout: PixelLayout::InkAlpha(ink.0) };
    picture.encode_while(coverage, scale, is_wanted)
}

/// The page on opaque `paper`, as a PNG with a palette from paper to ink.
#[must_use]
pub fn encode_png_on(paper: Rgb, coverage: &Coverage, ink: Rgb, scale: DeviceScale) -> Vec<u8> {
    let picture =
        Picture { header: PALETTE_8_BIT, palette: on_screen(ink, paper).concat(), layout: PixelLayout::Index };
    // It is always wanted, so it never stops.
    picture.encode_while(coverage, scale, &|| true).unwrap_or_default()
}

/// As [`encode_png_while`], of a page with several inks, from the lowest to the top one, at least one. With `paper` the
/// page is opaque.
///
/// # Errors
/// The picture is no longer wanted.
pub fn encode_layers_while(
    layers: &[InkLayer<'_>],
    paper: Option<Rgb>,
    scale: DeviceScale,
    is_wanted: IsWanted<'_>,
) -> Result<Vec<u8>, Stopped> {
    match (layers, paper) {
        ([], _) => Ok(Vec::new()),
        ([InkLayer { coverage, ink }], None) => encode_png_while(coverage, *ink, scale, is_wanted),
        ([InkLayer { coverage, ink }], Some(paper)) => Ok(encode_png_on(paper, coverage, *ink, scale)),
        ([first, ..], _) => {
            let append = |body: &mut Vec<u8>| append_layers_while(layers, paper, is_wanted, body);
            encode_file(first.coverage, (RGBA_8_BIT, &[]), scale, append)
        }
    }
}

/// How pixels are stored.
struct Picture {
    /// The end of `IHDR`, after width and height.
    header: [u8; 5],
    /// Red, green and blue of each index; empty without a palette.
    palette: Vec<u8>,
    layout: PixelLayout,
}

impl Picture {
    fn encode_while(
        &self,
        coverage: &Coverage,
        scale: DeviceScale,
        is_wanted: IsWanted<'_>,
    ) -> Result<Vec<u8>, Stopped> {
        let append = |body: &mut Vec<u8>| append_zlib_while(self.layout, coverage, is_wanted, body);
        encode_file(coverage, (self.header, &self.palette), scale, append)
    }
}

/// The file of a page of this size, with the end of its `IHDR` and its palette. `append` appends the stream of its
/// rows.
fn encode_file(
    page: &Coverage,
    (header, palette): ([u8; 5], &[u8]),
    scale: DeviceScale,
    append: impl FnOnce(&mut Vec<u8>) -> Result<(), Stopped>,
) -> Result<Vec<u8>, Stopped> {
    let mut file = Vec::with_capacity(likely_size(page));
    file.extend_from_slice(&SIGNATURE);
    push_chunk(&mut file, *b"IHDR", |body| {
        body.extend_from_slice(&page.width().to_be_bytes());
        body.extend_from_slice(&page.height().to_be_bytes());
        body.extend_from_slice(&header);
    });
    push_chunk(&mut file, *b"sRGB", |body| body.push(PERCEPTUAL));
    push_chunk(&mut file, *b"pHYs", |body| {
        body.extend_from_slice(&scale.pixels_per_metre().to_be_bytes());
        body.extend_from_slice(&scale.pixels_per_metre().to_be_bytes());
        body.push(PER_METRE);
    });
    if !palette.is_empty() {
        push_chunk(&mut file, *b"PLTE", |body| body.extend_from_slice(palette));
    }
    let mut outcome = Ok(());
    push_chunk(&mut file, *b"IDAT", |body| outcome = append(body));
    outcome?;
    push_chunk(&mut file, *b"IEND", |_| {});
    Ok(file)
}

/// Bytes that suffice for most pages, so that the file is allocated once: a third of a byte per pixel of strips and a
/// thousandth of a byte per byte of paper.
fn likely_size(coverage: &Coverage) -> usize {
    let page_bytes = coverage.width() as usize * coverage.height() as usize * 4;
    1024 + coverage.strip_pixels() / 3 + page_bytes / 800
}

/// Appends a chunk: length, type, body, CRC-32 of type and body (5.3). `append_body` appends the body.
fn push_chunk(file: &mut Vec<u8>, kind: [u8; 4], append_body: impl FnOnce(&mut Vec<u8>)) {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&kind);
    append_body(file);
    let (length_field, checked) = file[start..].split_at_mut(4);
    let length = checked.len() - kind.len();
    length_field.copy_from_slice(&(length as u32).to_be_bytes());
    let crc = crc32fast::hash(checked);
    file.extend_from_slice(&crc.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_chunk_has_the_published_bytes() {
        let mut file = Vec::new();
        push_chunk(&mut file, *b"IEND", |_| {});
        assert_eq!(file, [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82]);
    }

    #[test]
    fn the_length_counts_the_body_alone() {
        let mut file = vec![1, 2, 3];
        push_chunk(&mut file, *b"sRGB", |body| body.push(PERCEPTUAL));
        assert_eq!(file[3..12], [0, 0, 0, 1, b's', b'R', b'G', b'B', 0]);
        assert_eq!(file.len(), 16);
    }
}
