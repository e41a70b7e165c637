//! The PNG file of a page: the chunks of the `png` package around our own zlib stream.

use png::{BitDepth, ColorType, Encoder, EncodingError, PixelDimensions, SrgbRenderingIntent, Unit, chunk};

use super::color::on_screen;
use super::layers::{Ground, InkLayer, append_layers_while};
use super::pixel_layout::PixelLayout;
use super::sparse_zlib::append_zlib_while;
use crate::raster::Coverage;
use crate::spec::{PngFormat, Rgb};
use crate::units::DeviceScale;
use crate::work::{IsWanted, Stopped};

/// The page as an 8-bit RGBA PNG. Every pixel has the colour of the ink, also outside the ink, and its coverage as
/// straight alpha. `pHYs` gives the physical size of a page drawn at `scale`.
///
/// Time and memory grow with the ink and, by one bit per 130 bytes of pixels, with the page. Both sides of the page
/// must be at least 1 px.
#[must_use]
pub fn encode_png(coverage: &Coverage, ink: Rgb, scale: DeviceScale) -> Vec<u8> {
    // It is always wanted, so it never stops.
    encode_layers_while(&[InkLayer { coverage, ink }], Ground::default(), PngFormat::Rgba, scale, &|| true)
        .unwrap_or_default()
}

/// As [`encode_png`], of a page with several inks, from the lowest to the top one, at least one, while the picture is
/// wanted. With paper the page is opaque; that of one ink has a palette from paper to ink. Without, a page of one ink
/// has the same pixels in either `format`; one of several inks, or on artwork, has more colours than a palette, and is
/// RGBA.
///
/// # Errors
/// The picture is no longer wanted.
pub fn encode_layers_while(
    layers: &[InkLayer<'_>],
    ground: Ground<'_>,
    format: PngFormat,
    scale: DeviceScale,
    is_wanted: IsWanted<'_>,
) -> Result<Vec<u8>, Stopped> {
    match layers {
        [] => Ok(Vec::new()),
        [InkLayer { coverage, ink }] if ground.backdrop.is_none() => {
            let palette = match (ground.paper, format) {
                (Some(paper), _) => Some(Palette { colours: on_screen(*ink, paper).concat(), alphas: None }),
                (None, PngFormat::Indexed) => Some(Palette::of_opacities(*ink)),
                (None, PngFormat::Rgba) => None,
            };
            let layout = if palette.is_some() { PixelLayout::Index } else { PixelLayout::InkAlpha(ink.0) };
            encode_file(coverage, scale, palette, |stream| append_zlib_while(layout, coverage, is_wanted, stream))
        }
        [first, ..] => {
            encode_file(first.coverage, scale, None, |stream| append_layers_while(layers, ground, is_wanted, stream))
        }
    }
}

/// The colours of a page with one byte a pixel, its coverage.
#[derive(Clone)]
struct Palette {
    /// Red, green and blue of each.
    colours: Vec<u8>,
    /// The opacity of each, if they are not opaque.
    alphas: Option<Vec<u8>>,
}

impl Palette {
    /// The ink at every opacity.
    fn of_opacities(ink: Rgb) -> Self {
        Self { colours: ink.0.repeat(256), alphas: Some((0..=255).collect()) }
    }
}

/// The file of a page of this size. `append` appends the zlib stream of its rows.
fn encode_file(
    page: &Coverage,
    scale: DeviceScale,
    palette: Option<Palette>,
    append: impl FnOnce(&mut Vec<u8>) -> Result<(), Stopped>,
) -> Result<Vec<u8>, Stopped> {
    let mut stream = Vec::with_capacity(likely_size(page));
    append(&mut stream)?;
    #[expect(clippy::expect_used, reason = "a page has pixels, and memory takes every byte")]
    Ok(framed(page, scale, palette, &stream).expect("a file in memory"))
}

/// The file with this stream of rows, in one `IDAT` chunk. The `png` package computes the checksums.
fn framed(
    page: &Coverage,
    scale: DeviceScale,
    palette: Option<Palette>,
    stream: &[u8],
) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::with_capacity(stream.len() + MOST_FRAMING);
    let mut encoder = Encoder::new(&mut file, page.width(), page.height());
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(if palette.is_some() { ColorType::Indexed } else { ColorType::Rgba });
    if let Some(Palette { colours, alphas }) = palette {
        encoder.set_palette(colours);
        if let Some(alphas) = alphas {
            encoder.set_trns(alphas);
        }
    }
    let per_metre = scale.pixels_per_metre();
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_chunk(chunk::IDAT, stream)?;
    writer.finish()?;
    Ok(file)
}

/// Bytes of the signature and of all chunks except the body of `IDAT`, with a palette of 256 colours and opacities.
const MOST_FRAMING: usize = 1280;

/// Bytes that suffice for most pages, so that the file is allocated once: a third of a byte per pixel of strips and a
/// thousandth of a byte per byte of paper.
fn likely_size(coverage: &Coverage) -> usize {
    let page_bytes = coverage.width() as usize * coverage.height() as usize * 4;
    1024 + coverage.strip_pixels() / 3 + page_bytes / 800
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Dpi;

    #[test]
    fn a_file_is_allocated_once() {
        for palette in [None, Some(Palette::of_opacities(Rgb::default()))] {
            let page = Coverage::new(1, 1, vec![], vec![]);
            let file = framed(&page, Dpi::Dpi300.scale(), palette, &[0; 5000]).unwrap();
            assert!(file.len() <= 5000 + MOST_FRAMING && file.capacity() == 5000 + MOST_FRAMING);
        }
    }
}
