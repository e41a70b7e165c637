//! Decodes PNG and JPEG: to 8 bits per channel, upright, in sRGB.
//!
//! A profile in the file is converted relative colorimetrically. A file without one is sRGB.

use std::io::Cursor;

use image::codecs::png::PngEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder as _, ImageEncoder as _, ImageFormat, ImageReader, Limits};
use moxcms::{ColorProfile, DataColorSpace, Layout, RenderingIntent, TransformOptions};

use super::error::{ArtworkError, MOST_PIXELS, MOST_SIDE};
use super::facts::{ArtworkFacts, ArtworkKind};
use super::jpeg;

/// The most memory that a decoder may take, in bytes: 16 bits for each of four channels of the most pixels, twice.
const MOST_MEMORY: u64 = MOST_PIXELS * 16;
/// How far the colours of a profile may be from those of sRGB to be taken for it, in 255ths.
const SAME: u8 = 2;

/// A picture of 8 bits per channel in sRGB: three channels if it is opaque, or four with straight alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Row by row.
    pub(super) bytes: Vec<u8>,
}

impl Pixels {
    /// Bytes per pixel.
    pub(super) fn channels(&self) -> usize {
        self.bytes.len() / (self.width as usize * self.height as usize).max(1)
    }

    /// Bytes of memory.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The picture as a PNG.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let color = if self.channels() == 4 { ExtendedColorType::Rgba8 } else { ExtendedColorType::Rgb8 };
        let mut file = Vec::new();
        // A picture has pixels, and memory takes every byte.
        let _ = PngEncoder::new(&mut file).write_image(&self.bytes, self.width, self.height, color);
        file
    }

    /// The bytes of a row.
    pub(super) fn row(&self, y: u32) -> &[u8] {
        let length = self.width as usize * self.channels();
        self.bytes.get(y as usize * length..(y as usize + 1) * length).unwrap_or_default()
    }
}

/// A decoded file.
struct Decoded {
    pixels: Pixels,
    turn: Orientation,
    /// Whether the file has a profile other than sRGB.
    is_converted: bool,
}

/// The facts of a file.
///
/// # Errors
/// It is too large, in CMYK, or broken.
pub(super) fn examine(kind: ArtworkKind, bytes: &[u8]) -> Result<ArtworkFacts, ArtworkError> {
    let Decoded { pixels, turn, is_converted } = decoded(kind, bytes)?;
    let plain_channels = match jpeg::components(bytes) {
        Some(channels @ (1 | 3)) if kind == ArtworkKind::Jpeg && !is_converted => channels,
        _ => 0,
    };
    Ok(ArtworkFacts {
        kind,
        bytes: bytes.len() as u64,
        width: pixels.width,
        height: pixels.height,
        is_opaque: pixels.channels() == 3,
        turn: turn.to_exif(),
        plain_channels,
        drawing: None,
    })
}

/// The pixels of a file.
///
/// # Errors
/// As [`examine`].
pub(super) fn decode(kind: ArtworkKind, bytes: &[u8]) -> Result<Pixels, ArtworkError> {
    decoded(kind, bytes).map(|decoded| decoded.pixels)
}

fn decoded(kind: ArtworkKind, bytes: &[u8]) -> Result<Decoded, ArtworkError> {
    let broken = |error: &dyn std::fmt::Display| ArtworkError::Broken(error.to_string());
    if kind == ArtworkKind::Jpeg && jpeg::components(bytes) == Some(4) {
        return Err(ArtworkError::Cmyk);
    }
    if kind == ArtworkKind::Jpeg && !jpeg::has_end(bytes) {
        return Err(broken(&"the file ends within the picture"));
    }
    let format = if kind == ArtworkKind::Jpeg { ImageFormat::Jpeg } else { ImageFormat::Png };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| broken(&error))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS || width.max(height) > MOST_SIDE {
        return Err(ArtworkError::TooManyPixels { width, height });
    }
    let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // A profile that cannot be read is left out, as viewers do.
    let profile = decoder.icc_profile().ok().flatten().and_then(|icc| ColorProfile::new_from_slice(&icc).ok());
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| broken(&error))?;
    image.apply_orientation(turn);
    let has_alpha = image.color().has_alpha();
    let (width, height) = (image.width(), image.height());
    let mut bytes = if has_alpha { image.into_rgba8().into_raw() } else { image.into_rgb8().into_raw() };
    let profile = profile.filter(|profile| profile.color_space == DataColorSpace::Rgb && !is_srgb(profile));
    let is_converted = profile.as_ref().and_then(|profile| convert(profile, has_alpha, &mut bytes)).is_some();
    if has_alpha && bytes.as_chunks::<4>().0.iter().all(|[.., alpha]| *alpha == u8::MAX) {
        bytes = bytes.as_chunks::<4>().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    }
    Ok(Decoded { pixels: Pixels { width, height, bytes }, turn, is_converted })
}

/// Whether the colours of a profile are those of sRGB: on a lattice of five steps per channel.
fn is_srgb(profile: &ColorProfile) -> bool {
    const STEPS: [u8; 5] = [0, 64, 128, 191, 255];
    let colors: Vec<u8> = STEPS
        .into_iter()
        .flat_map(|red| STEPS.into_iter().flat_map(move |green| STEPS.map(|blue| [red, green, blue])))
        .flatten()
        .collect();
    let mut converted = colors.clone();
    convert(profile, false, &mut converted).is_none()
        || colors.iter().zip(&converted).all(|(one, other)| one.abs_diff(*other) <= SAME)
}

/// Converts pixels from a profile to sRGB, in place; `None` if the profile cannot be used.
fn convert(profile: &ColorProfile, has_alpha: bool, bytes: &mut Vec<u8>) -> Option<()> {
    let layout = if has_alpha { Layout::Rgba } else { Layout::Rgb };
    let options =
        TransformOptions { rendering_intent: RenderingIntent::RelativeColorimetric, ..TransformOptions::default() };
    let transform = profile.create_transform_8bit(layout, &ColorProfile::new_srgb(), layout, options).ok()?;
    let mut converted = vec![0; bytes.len()];
    transform.transform(bytes, &mut converted).ok()?;
    *bytes = converted;
    Some(())
}
