//! The colours of a page from paper to ink, one per coverage.

use super::output_profile::{OutputProfile, ProfileDefect};
use super::separation::Cmyk;
use crate::spec::Rgb;

/// Largest difference of the channels of a grey.
const LARGEST_TINT: u8 = 2;
const WHITE: Rgb = Rgb([255; 3]);

/// 256 colours, the first white paper, the last solid ink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ramp {
    /// sRGB, 255 for full light.
    Rgb(Vec<[u8; 3]>),
    /// Lightness of black ink alone, 255 for paper: `DeviceGray` in PDF.
    Gray(Vec<u8>),
    /// Ink amounts, 255 for full ink.
    Cmyk(Vec<Cmyk>),
}

/// A colour to fill with, each part from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FillColor {
    /// `DeviceGray`, 1 for paper.
    Gray(f32),
    /// `DeviceRGB`, 1 for full light.
    Rgb([f32; 3]),
    /// `DeviceCMYK`, 1 for full ink.
    Cmyk([f32; 4]),
}

impl FillColor {
    /// The device space of PDF.
    pub(in crate::encode) const fn space(&self) -> &'static str {
        match self {
            Self::Rgb(_) => "DeviceRGB",
            Self::Gray(_) => "DeviceGray",
            Self::Cmyk(_) => "DeviceCMYK",
        }
    }
}

impl Ramp {
    /// The device space of PDF.
    pub(in crate::encode) const fn space(&self) -> &'static str {
        match self {
            Self::Rgb(_) => "DeviceRGB",
            Self::Gray(_) => "DeviceGray",
            Self::Cmyk(_) => "DeviceCMYK",
        }
    }

    /// The colour at a coverage, rounded to four decimals, which keeps all 8-bit colours apart. A grey on screen is
    /// `DeviceGray` too.
    #[must_use]
    pub fn fill(&self, coverage: u8) -> FillColor {
        let part = |value: u8| (f64::from(value) / 255.0 * 1e4).round() as f32 / 1e4;
        let at = usize::from(coverage);
        match self {
            Self::Rgb(colors) => match colors.get(at).copied().unwrap_or_default() {
                [red, green, blue] if red == green && green == blue => FillColor::Gray(part(red)),
                color => FillColor::Rgb(color.map(part)),
            },
            Self::Gray(light) => FillColor::Gray(part(light.get(at).copied().unwrap_or_default())),
            Self::Cmyk(inks) => FillColor::Cmyk(inks.get(at).copied().unwrap_or_default().map(part)),
        }
    }

    /// The colours on screen: the coverage is alpha over white.
    #[must_use]
    pub fn rgb(ink: Rgb) -> Self {
        Self::Rgb(on_screen(ink, WHITE))
    }

    /// The same colours for print. A grey ink prints with black alone, as light as on screen. Other inks are converted
    /// through the profile. Paper has no ink at all.
    ///
    /// # Errors
    /// [`ProfileDefect::Unusable`] if lcms2 cannot use the profile.
    pub fn press(ink: Rgb, profile: &OutputProfile) -> Result<Self, ProfileDefect> {
        let separation = profile.separation()?;
        if is_gray(ink) {
            let light = |[red, green, blue]: [f64; 3]| 255 - separation.black((red + green + blue) / 3.0);
            return Ok(Self::Gray(paper_first(255, over_white(ink).map(light))));
        }
        let colors: Vec<[f64; 3]> = over_white(ink).collect();
        Ok(Self::Cmyk(paper_first([0; 4], separation.separate(&colors).into_iter())))
    }

    /// The ink amounts at a coverage; none of colours on screen.
    pub(in crate::encode) fn amounts(&self, coverage: u8) -> Cmyk {
        let at = usize::from(coverage);
        match self {
            Self::Rgb(_) => [0; 4],
            Self::Gray(light) => [0, 0, 0, 255 - light.get(at).copied().unwrap_or(u8::MAX)],
            Self::Cmyk(inks) => inks.get(at).copied().unwrap_or_default(),
        }
    }

    /// The colours as one table, colour after colour.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Rgb(colors) => colors.concat(),
            Self::Gray(colors) => colors.clone(),
            Self::Cmyk(colors) => colors.concat(),
        }
    }
}

/// The colours from `paper` to `ink`, one per coverage, as alpha mixes them in sRGB.
pub(in crate::encode) fn on_screen(ink: Rgb, paper: Rgb) -> Vec<[u8; 3]> {
    over(ink, paper).map(|color| color.map(|channel| (channel * 255.0).round() as u8)).collect()
}

/// Whether black ink alone can print it.
fn is_gray(Rgb(channels): Rgb) -> bool {
    let [least, most] = [channels.into_iter().min(), channels.into_iter().max()].map(Option::unwrap_or_default);
    most - least <= LARGEST_TINT
}

/// The ink over white at each coverage from 0 to 255, channels from 0 to 1, mixed as alpha mixes them in sRGB.
fn over_white(ink: Rgb) -> impl Iterator<Item = [f64; 3]> {
    over(ink, WHITE)
}

/// As [`over_white`], over any paper.
fn over(Rgb(ink): Rgb, Rgb(paper): Rgb) -> impl Iterator<Item = [f64; 3]> {
    (0..=255).map(move |coverage| {
        let coverage = f64::from(coverage) / 255.0;
        [0, 1, 2].map(|channel| {
            let [ink, paper] = [ink, paper].map(|color| f64::from(color[channel]) / 255.0);
            paper - coverage * (paper - ink)
        })
    })
}

fn paper_first<T>(paper: T, colors: impl Iterator<Item = T>) -> Vec<T> {
    std::iter::once(paper).chain(colors.skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::color::OutputProfiles;
    use crate::spec::PrintingCondition;

    fn press(ink: [u8; 3], condition: PrintingCondition) -> Ramp {
        Ramp::press(Rgb(ink), OutputProfiles::bundled().of(condition)).unwrap()
    }

    #[test]
    fn on_screen_the_ramp_is_the_ink_over_white() {
        let Ramp::Rgb(colors) = Ramp::rgb(Rgb([0, 100, 255])) else { panic!() };
        assert_eq!((colors.len(), colors[0], colors[51], colors[255]), (256, [255; 3], [204, 224, 255], [0, 100, 255]));
    }

    #[test]
    fn outlines_are_filled_with_the_colours_of_the_ramp() {
        assert_eq!(Ramp::rgb(Rgb([0; 3])).fill(255), FillColor::Gray(0.0));
        assert_eq!(Ramp::rgb(Rgb([0, 102, 255])).fill(255), FillColor::Rgb([0.0, 0.4, 1.0]));
        assert_eq!(Ramp::rgb(Rgb([0, 102, 255])).fill(0), FillColor::Gray(1.0));
        assert_eq!(press([0; 3], PrintingCondition::PsoCoatedV3).fill(255), FillColor::Gray(0.0));
        let FillColor::Cmyk(inks) = press([20, 30, 120], PrintingCondition::PsoCoatedV3).fill(255) else { panic!() };
        assert!(inks.iter().sum::<f32>() <= 3.0 && inks[0] > 0.5, "{inks:?}");
    }

    #[test]
    fn a_grey_ink_is_black_alone_and_as_light_as_it_looks() {
        for &(_, condition) in PrintingCondition::NAMES {
            for ink in [[0, 0, 0], [128, 128, 128], [130, 129, 128], [255, 255, 255]] {
                let Ramp::Gray(light) = press(ink, condition) else { panic!("{ink:?}") };
                assert!(light.len() == 256 && light[0] == 255 && light.is_sorted_by(|left, right| left >= right));
            }
            let Ramp::Gray(black) = press([0; 3], condition) else { panic!() };
            assert_eq!(black[255], 0, "pure black is 100 % K in {condition:?}");
            let Ramp::Gray(mid) = press([128; 3], condition) else { panic!() };
            let percent = f64::from(255 - mid[255]) / 2.55;
            assert!((58.0..66.0).contains(&percent), "sRGB 128 prints at {percent:.1} % K in {condition:?}");
            assert!(matches!(press([131, 129, 128], condition), Ramp::Cmyk(_)));
        }
    }

    #[test]
    fn a_coloured_ink_grows_from_no_ink_at_all_within_the_limit() {
        for &(_, condition) in PrintingCondition::NAMES {
            for ink in [[20, 30, 120], [200, 16, 46], [0, 0, 255], [0, 40, 0], [60, 0, 0], [3, 0, 0], [250, 255, 255]] {
                let Ramp::Cmyk(colors) = press(ink, condition) else { panic!("{ink:?}") };
                assert_eq!((colors.len(), colors[0]), (256, [0; 4]), "{ink:?} in {condition:?}");
                let sums: Vec<u32> = colors.iter().map(|color| color.iter().copied().map(u32::from).sum()).collect();
                assert!(sums.iter().all(|sum| *sum <= 765), "{ink:?} in {condition:?}: {sums:?}");
                let drops = sums.windows(2).map(|pair| pair[0].saturating_sub(pair[1])).max().unwrap();
                assert!(drops <= 12, "{ink:?} in {condition:?} drops by {drops}: {sums:?}");
            }
        }
    }
}
