//! Draws a page.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::util::TransformExt as _;
use hayro::hayro_syntax::Pdf;
use hayro::kurbo::Affine;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources};
use hayro::{RenderCache, RenderSettings, render_into};

use super::super::error::{ArtworkError, LARGEST_DRAWING, MOST_PIXELS, MOST_SIDE};
use super::super::raster::Pixels;
use super::PT_PER_INCH;

/// Pixels per inch.
const DPI: f64 = 600.0;
/// Pixels along the longer side of a drawing that is small: pages show an icon much larger than it says it is.
const LEAST_PIXELS: f64 = 2400.0;
/// How often the resolution is halved until the file is short enough.
const MOST_HALVINGS: u32 = 3;

/// A page as pixels.
pub(super) struct Drawn {
    pub(super) png: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) is_opaque: bool,
}

/// Draws the only page of a file; `size` is its width and height in pt.
///
/// # Errors
/// The page cannot be read, or its pixels take too many bytes.
pub(super) fn drawn(file: Vec<u8>, size: [f64; 2]) -> Result<Drawn, ArtworkError> {
    let pdf = Pdf::new(file).map_err(|error| ArtworkError::Broken(format!("{error:?}")))?;
    for halvings in 0..=MOST_HALVINGS {
        let pixels = rastered(&pdf, sides(size).map(|side| (side >> halvings).max(1)))?;
        let (png, is_opaque) = (pixels.png(), pixels.channels() == 3);
        if png.len() <= LARGEST_DRAWING {
            return Ok(Drawn { png, width: pixels.width, height: pixels.height, is_opaque });
        }
    }
    Err(ArtworkError::TooDetailed)
}

/// Width and height in px of a page of this size in pt.
fn sides(size: [f64; 2]) -> [u32; 2] {
    let [longer, area] = [size[0].max(size[1]), size[0] * size[1]];
    let wanted = (DPI / PT_PER_INCH).max(LEAST_PIXELS / longer);
    let most = (f64::from(MOST_SIDE) / longer).min((MOST_PIXELS as f64 / area).sqrt());
    // Rounded down, so that the product is within its limit.
    size.map(|side| ((side * wanted.min(most)) as u32).max(1))
}

/// The only page of a file, stretched to this many px.
fn rastered(pdf: &Pdf, [width, height]: [u32; 2]) -> Result<Pixels, ArtworkError> {
    let broken = |message: &str| ArtworkError::Broken(message.to_owned());
    let page = pdf.pages().first().ok_or(ArtworkError::NoPage)?;
    let sides = (u16::try_from(width), u16::try_from(height));
    let (Ok(across), Ok(down)) = sides else { return Err(broken("it is too large to be drawn")) };
    let (own_width, own_height) = page.render_dimensions();
    let scale =
        Affine::scale_non_uniform(f64::from(width) / f64::from(own_width), f64::from(height) / f64::from(own_height));
    let mut context = RenderContext::new(across, down);
    let transform = scale * page.initial_transform(true).to_kurbo();
    let (cache, settings) = (RenderCache::new(), RenderSettings { hinting: false, ..RenderSettings::default() });
    render_into(page, &cache, &InterpreterSettings::default(), &settings, &mut context, transform);
    context.flush();
    let mut pixmap = Pixmap::new(across, down);
    context.render_with(&mut pixmap, &mut Resources::default(), RasterizerSettings::default());
    drop(context);
    let bytes = straight(&pixmap);
    Ok(Pixels { width, height, bytes })
}

/// The pixels with straight alpha; three channels if all are opaque.
fn straight(pixmap: &Pixmap) -> Vec<u8> {
    let pixels = pixmap.data();
    if pixels.iter().all(|pixel| pixel.a == u8::MAX) {
        return pixels.iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    }
    let channel = |value: u8, alpha: u8| match u32::from(alpha) {
        0 => 0,
        alpha => ((u32::from(value) * 255 + alpha / 2) / alpha).min(255) as u8,
    };
    let pixel = |pixel: &hayro::vello_cpu::color::PremulRgba8| {
        [channel(pixel.r, pixel.a), channel(pixel.g, pixel.a), channel(pixel.b, pixel.a), pixel.a]
    };
    pixels.iter().flat_map(pixel).collect()
}
