//! Whether an ink can be seen on its paper, and the paper on which a preview shows an ink that white paper hides.

use crate::spec::{RenderSpec, Rgb};
use crate::warning::{Warning, WarningKind};

/// Contrast with the paper below which ink counts as invisible. Equal colours have a contrast of 1, black and white
/// 21 (WCAG 2.2, "contrast ratio").
const LEAST_CONTRAST: f64 = 1.3;
const WHITE: Rgb = Rgb([255; 3]);
/// A dark grey, on which every such ink has a contrast above 6.
const DARK_PAPER: Rgb = Rgb([70, 74, 82]);

/// A warning for each ink that will not be seen on the paper of the request. On artwork that covers the page it may be
/// seen.
pub(crate) fn invisible_inks(spec: &RenderSpec) -> Vec<Warning> {
    if spec.artwork.iter().any(|placed| placed.covers(spec.page.px())) {
        return Vec::new();
    }
    spec.ink_fields().into_iter().filter_map(|(field, ink)| invisible_ink(&field, ink, spec.paper)).collect()
}

fn invisible_ink(field: &str, ink: Rgb, paper: Option<Rgb>) -> Option<Warning> {
    let contrast = contrast(ink, paper.unwrap_or(WHITE));
    let color = |Rgb([red, green, blue]): Rgb| format!("[{red}, {green}, {blue}]");
    let (on, remedy) = match paper {
        None => ("white paper".to_owned(), "use a darker ink"),
        Some(paper) => (format!("paper of the colour {}", color(paper)), "use a lighter or a darker ink"),
    };
    (contrast < LEAST_CONTRAST).then(|| {
        let ink = color(ink);
        let text = format!("{ink} can hardly be seen on {on} (contrast {contrast:.2} to 1); {remedy}");
        Warning::about(WarningKind::InvisibleInk, field, &text)
    })
}

/// The paper of a preview: none where the request names its colour, or white paper shows all inks; dark paper for inks that
/// white paper does not show; for both kinds together, the grey on which the faintest ink has the most contrast.
pub(crate) fn preview_paper(inks: &[Rgb], paper: Option<Rgb>) -> Option<Rgb> {
    let hidden = inks.iter().filter(|ink| contrast_with_white(**ink) < LEAST_CONTRAST).count();
    if hidden == 0 || paper.is_some() {
        return None;
    }
    if hidden == inks.len() {
        return Some(DARK_PAPER);
    }
    let least = |paper: &Rgb| inks.iter().map(|ink| contrast(*ink, *paper)).fold(f64::INFINITY, f64::min);
    let greys = (0..=u8::MAX).step_by(17).map(|shade| Rgb([shade; 3]));
    greys.max_by(|one, other| least(one).total_cmp(&least(other)))
}

fn contrast_with_white(ink: Rgb) -> f64 {
    contrast(ink, WHITE)
}

/// Contrast ratio of two colours, from 1 to 21 (WCAG 2.2).
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
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
            assert!(invisible_ink("text_color", Rgb(ink), None).is_some(), "{ink:?}");
            let contrast = contrast(Rgb(ink), DARK_PAPER);
            assert!(contrast > 6.0, "{ink:?} on dark paper: {contrast}");
            assert_eq!(preview_paper(&[Rgb(ink)], None), Some(DARK_PAPER));
        }
        for ink in [[0, 0, 0], [20, 30, 120], [255, 0, 0], [150, 150, 150], [212, 175, 55], [255, 182, 193]] {
            assert_eq!(
                (invisible_ink("text_color", Rgb(ink), None), preview_paper(&[Rgb(ink)], None)),
                (None, None),
                "{ink:?}"
            );
        }
        assert!((contrast_with_white(Rgb([0, 0, 0])) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn ink_is_compared_with_the_paper_of_the_request() {
        let (white, brown, kraft) = (Rgb([255; 3]), Rgb([110, 70, 40]), Some(Rgb([190, 150, 110])));
        assert_eq!((invisible_ink("text_color", white, kraft), preview_paper(&[white], kraft)), (None, None));
        let same = invisible_ink("text_color", brown, Some(brown)).unwrap();
        assert!(same.message.contains("on paper of the colour [110, 70, 40]"), "{}", same.message);
    }

    #[test]
    fn paper_of_a_preview_shows_white_and_dark_ink_together() {
        for dark in [[0, 0, 0], [20, 30, 120], [180, 20, 30]] {
            let inks = [Rgb([255; 3]), Rgb(dark)];
            let paper = preview_paper(&inks, None).unwrap();
            assert!(inks.iter().all(|ink| contrast(*ink, paper) > 2.5), "{dark:?} on {paper:?}");
        }
    }
}
