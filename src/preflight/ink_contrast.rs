//! Whether an ink can be seen on white paper, and the paper on which a preview shows an ink that cannot.

use crate::layout::{Warning, WarningKind};
use crate::spec::{RenderSpec, Rgb};

/// Contrast with white paper below which ink counts as invisible. Equal colours have a contrast of 1, black and white
/// 21 (WCAG 2.2, "contrast ratio").
const LEAST_CONTRAST: f64 = 1.3;
/// A dark grey, on which every such ink has a contrast above 6.
const DARK_PAPER: Rgb = Rgb([70, 74, 82]);

/// A warning for each ink that will not be seen on white paper.
pub(crate) fn invisible_inks(spec: &RenderSpec) -> Vec<Warning> {
    spec.ink_fields().into_iter().filter_map(|(field, ink)| invisible_ink(&field, ink)).collect()
}

fn invisible_ink(field: &str, ink: Rgb) -> Option<Warning> {
    let contrast = contrast_with_white(ink);
    let Rgb([red, green, blue]) = ink;
    (contrast < LEAST_CONTRAST).then(|| Warning {
        kind: WarningKind::InvisibleInk,
        message: format!(
            "{field}: [{red}, {green}, {blue}] can hardly be seen on white paper (contrast {contrast:.2} to 1); use a \
             darker ink"
        ),
    })
}

/// The paper of a preview: dark for inks that white paper does not show, else none.
pub(crate) fn preview_paper(inks: &[Rgb]) -> Option<Rgb> {
    inks.iter().all(|ink| contrast_with_white(*ink) < LEAST_CONTRAST).then_some(DARK_PAPER)
}

fn contrast_with_white(ink: Rgb) -> f64 {
    1.05 / (luminance(ink) + 0.05)
}

/// Relative luminance of an sRGB colour (WCAG 2.2).
fn luminance(Rgb(channels): Rgb) -> f64 {
    let [red, green, blue] = channels.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inks_that_white_paper_hides_are_named() {
        for ink in [[255, 255, 255], [250, 250, 250], [235, 235, 235], [255, 255, 0], [240, 248, 255]] {
            assert!(invisible_ink("text_color", Rgb(ink)).is_some(), "{ink:?}");
            let contrast = (luminance(Rgb(ink)) + 0.05) / (luminance(DARK_PAPER) + 0.05);
            assert!(contrast > 6.0, "{ink:?} on dark paper: {contrast}");
        }
        for ink in [[0, 0, 0], [20, 30, 120], [255, 0, 0], [150, 150, 150], [212, 175, 55], [255, 182, 193]] {
            assert_eq!((invisible_ink("text_color", Rgb(ink)), preview_paper(&[Rgb(ink)])), (None, None), "{ink:?}");
        }
        assert!((contrast_with_white(Rgb([0, 0, 0])) - 21.0).abs() < 1e-9);
    }
}
