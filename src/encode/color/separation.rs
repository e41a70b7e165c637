//! Ink amounts for sRGB colours: lcms2 for colours, the profile's own black ramp for greys.

use lcms2::{CIExyY, DisallowCache, Flags, Intent, PixelFormat, Profile, ThreadContext, Transform};
use parking_lot::Mutex;

/// Cyan, magenta, yellow and black, 255 for full ink.
pub(in crate::encode) type Cmyk = [u8; 4];

/// Largest sum of the four inks at one point, in 1/255 of an ink: 300 %.
const MOST_INK: u32 = 3 * 255;

/// The conversions into one profile.
pub(in crate::encode) struct Separation {
    cmyk_from_srgb: Transform<[u16; 3], [u16; 4], ThreadContext, DisallowCache>,
    /// Luminance relative to paper at each amount of black alone: from 1 downwards, never rising.
    luminance_of_black: Vec<f64>,
    /// The context of the transform. It must be dropped after it, and fields are dropped in order. The lock is never
    /// taken, but makes the type `Sync`.
    _context: Mutex<ThreadContext>,
}

impl Separation {
    /// The conversions into the CMYK profile with these bytes.
    pub(super) fn new(icc: &[u8]) -> Result<Self, lcms2::Error> {
        let context = ThreadContext::new();
        let cmyk = Profile::new_icc_context(&context, icc)?;
        let srgb = Profile::new_srgb_context(&context);
        // Without the optimisation every colour goes through the profile's own tables, not through a resampled one.
        let flags = Flags::NO_CACHE | Flags::BLACKPOINT_COMPENSATION | Flags::NO_OPTIMIZE;
        let cmyk_from_srgb = Transform::new_flags_context(
            &context,
            &srgb,
            PixelFormat::RGB_16,
            &cmyk,
            PixelFormat::CMYK_16,
            Intent::RelativeColorimetric,
            flags,
        )?;
        let luminance_of_black = black_ramp(&context, &cmyk)?;
        Ok(Self { cmyk_from_srgb, luminance_of_black, _context: Mutex::new(context) })
    }

    /// Ink amounts for each colour, red, green and blue from 0 to 1; relative colorimetric with black point
    /// compensation, at most 300 % in all.
    pub(super) fn separate(&self, colors: &[[f64; 3]]) -> Vec<Cmyk> {
        let of_channel = |value: f64| (value.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16;
        let source: Vec<[u16; 3]> = colors.iter().map(|color| color.map(of_channel)).collect();
        let mut inks = vec![[0; 4]; source.len()];
        self.cmyk_from_srgb.transform_pixels(&source, &mut inks);
        // 257 = 65535 / 255.
        inks.into_iter()
            .map(|ink: [u16; 4]| limited(ink.map(|amount| ((u32::from(amount) + 128) / 257) as u8)))
            .collect()
    }

    /// The amount of black alone that is as light as the grey whose three sRGB channels are `value`, 0 to 1.
    ///
    /// Black point compensation as for colours: the range from black to white becomes the range from full black to
    /// paper, linearly in luminance.
    pub(super) fn black(&self, value: f64) -> u8 {
        let darkest = self.luminance_of_black.last().copied().unwrap_or_default();
        let wanted = darkest + linear(value) * (1.0 - darkest);
        let distance = |amount: usize| self.luminance_of_black.get(amount).map_or(f64::MAX, |at| (at - wanted).abs());
        let lighter = self.luminance_of_black.partition_point(|at| *at > wanted);
        let nearest = if lighter > 0 && distance(lighter - 1) < distance(lighter) { lighter - 1 } else { lighter };
        nearest.min(255) as u8
    }
}

/// The conversion of pictures into one profile: through tables that lcms2 resamples, which takes some milliseconds once
/// and is many times as fast for each pixel.
pub(in crate::encode) struct PictureSeparation {
    transform: Transform<[u8; 3], [u8; 4], ThreadContext, DisallowCache>,
    /// As in [`Separation`].
    _context: Mutex<ThreadContext>,
}

impl PictureSeparation {
    /// The conversion into the CMYK profile with these bytes.
    pub(super) fn new(icc: &[u8]) -> Result<Self, lcms2::Error> {
        let context = ThreadContext::new();
        let cmyk = Profile::new_icc_context(&context, icc)?;
        let transform = Transform::new_flags_context(
            &context,
            &Profile::new_srgb_context(&context),
            PixelFormat::RGB_8,
            &cmyk,
            PixelFormat::CMYK_8,
            Intent::RelativeColorimetric,
            Flags::NO_CACHE | Flags::BLACKPOINT_COMPENSATION,
        )?;
        Ok(Self { transform, _context: Mutex::new(context) })
    }

    /// Ink amounts for pixels with straight alpha, on white paper; otherwise as [`Separation::separate`].
    pub(in crate::encode) fn separate_pixels(&self, pixels: &[[u8; 4]]) -> Vec<Cmyk> {
        let on_white = |&[red, green, blue, alpha]: &[u8; 4]| {
            let mixed = |channel: u8| {
                let sum = u32::from(channel) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
                ((sum + 127) / 255) as u8
            };
            [mixed(red), mixed(green), mixed(blue)]
        };
        let source: Vec<[u8; 3]> = pixels.iter().map(on_white).collect();
        let mut inks = vec![[0; 4]; source.len()];
        self.transform.transform_pixels(&source, &mut inks);
        for (ink, source) in inks.iter_mut().zip(&source) {
            // Paper has no ink.
            *ink = if *source == [u8::MAX; 3] { [0; 4] } else { limited(*ink) };
        }
        inks
    }
}

/// The luminance relative to paper at each of the 256 amounts of black.
fn black_ramp(context: &ThreadContext, cmyk: &Profile<ThreadContext>) -> Result<Vec<f64>, lcms2::Error> {
    let lab = Profile::new_lab4_context(context, CIExyY::d50())?;
    let lab_from_cmyk: Transform<[u8; 4], [f64; 3], ThreadContext, DisallowCache> = Transform::new_flags_context(
        context,
        cmyk,
        PixelFormat::CMYK_8,
        &lab,
        PixelFormat::Lab_DBL,
        Intent::RelativeColorimetric,
        Flags::NO_CACHE | Flags::NO_OPTIMIZE,
    )?;
    let amounts: Vec<[u8; 4]> = (0..=255).map(|black| [0, 0, 0, black]).collect();
    let mut colors = vec![[0.0; 3]; amounts.len()];
    lab_from_cmyk.transform_pixels(&amounts, &mut colors);
    let mut least = f64::MAX;
    let never_rising = |[lightness, _, _]: [f64; 3]| {
        least = least.min(luminance(lightness));
        least
    };
    Ok(colors.into_iter().map(never_rising).collect())
}

/// CIE 1976 lightness to luminance, white being 1 (CIE 15:2004, 8.2.1).
fn luminance(lightness: f64) -> f64 {
    if lightness > 8.0 { ((lightness + 16.0) / 116.0).powi(3) } else { lightness / 903.3 }
}

/// An sRGB channel, 0 to 1, to linear light (IEC 61966-2-1).
fn linear(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The same ink with cyan, magenta and yellow reduced in proportion until the sum is within [`MOST_INK`].
fn limited([cyan, magenta, yellow, black]: Cmyk) -> Cmyk {
    let colored: u32 = [cyan, magenta, yellow].into_iter().map(u32::from).sum();
    let room = MOST_INK - u32::from(black);
    if colored <= room {
        return [cyan, magenta, yellow, black];
    }
    let [cyan, magenta, yellow] = [cyan, magenta, yellow].map(|amount| (u32::from(amount) * room / colored) as u8);
    [cyan, magenta, yellow, black]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_full_inks_are_taken_down_to_three_hundred_percent() {
        let [cyan, magenta, yellow, black] = limited([255; 4]);
        assert_eq!([cyan, magenta, yellow, black], [170, 170, 170, 255]);
    }

    #[test]
    fn mid_grey_has_the_luminance_of_the_standard() {
        // IEC 61966-2-1: 128 is 21.586 % of white; CIE lightness 50 is 18.42 %.
        assert!((linear(128.0 / 255.0) - 0.215_86).abs() < 1e-5);
        assert!((luminance(50.0) - 0.184_19).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn no_ink_exceeds_the_limit_and_none_below_it_changes(ink in any::<[u8; 4]>()) {
            let sum = |ink: Cmyk| ink.into_iter().map(u32::from).sum::<u32>();
            prop_assert!(sum(limited(ink)) <= MOST_INK);
            prop_assert!(sum(limited(ink)) + 3 > sum(ink).min(MOST_INK));
            prop_assert!(sum(ink) > MOST_INK || limited(ink) == ink);
        }
    }
}
