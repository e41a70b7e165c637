//! What a page will cost, told from its specification alone.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::geometry::Size;
use crate::spec::{FontSize, Margins, OutputFormat, Overflow, RenderSpec};
use crate::units::Px;

/// Advance of an average character in ems, over the hands and the Latin alphabet.
const ADVANCE: f64 = 0.45;
/// Height of the tiles that the ink of a line touches in ems, on average along the line.
const INK_HEIGHT: f64 = 0.36;
/// What rounding to tiles adds to the height of a line's strips, in device px.
const TILE_SEAM: f64 = 16.0;
/// What laying out and drawing one character costs besides its pixels, in megapixels.
const CHARACTER: f64 = 0.001;
/// What every page costs besides its writing, in megapixels.
const PAGE: f64 = 0.03;
/// By how much the elastic field makes a page dearer.
const VARIATION: f64 = 2.0;

/// An amount of work in megapixels of inked strips: the time to lay out, draw and encode grows with them.
///
/// Measured over formats, sizes, resolutions and hands, the estimate of a page lies between 0.7 and 2 times its strips.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Cost(f64);

impl Cost {
    /// No work.
    pub const NONE: Self = Self(0.0);

    /// Of the specimen of a hand: all its pixels.
    pub(super) const SPECIMEN: Self = Self(0.36);

    /// So many megapixels.
    #[must_use]
    pub const fn megapixels(megapixels: f64) -> Self {
        Self(megapixels)
    }

    /// In megapixels.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// More than any work.
    pub(super) const UNBOUNDED: Self = Self(f64::INFINITY);

    /// So many times as much.
    pub(super) const fn part(self, part: f64) -> Self {
        Self(self.0 * part)
    }

    /// The larger of two.
    pub(super) const fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// The smaller of two.
    pub(super) const fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// Of a page at full quality, or of all pages of its file.
    #[must_use]
    pub fn of_page(spec: &RenderSpec) -> Self {
        Self::at_scale(spec, spec.dpi.scale().get())
    }

    /// Of a preview `width` px wide.
    #[must_use]
    pub fn of_preview(spec: &RenderSpec, width: u32) -> Self {
        Self::at_scale(spec, f64::from(width) / spec.page.px().width.get())
    }

    /// At `scale` device px a px of the page.
    fn at_scale(spec: &RenderSpec, scale: f64) -> Self {
        let characters = spec.text.chars().count() as f64;
        let area = text_area(spec.page.px(), spec.margins);
        // A text of n ems of advance a character, on lines so many ems apart, fills the area at this size.
        let em_that_fills = (area / (ADVANCE * spec.line_height * characters)).sqrt();
        let em = match spec.font_size {
            FontSize::Auto(bounds) => em_that_fills.clamp(12.0, f64::from(bounds.max)),
            FontSize::Fixed(em) if spec.overflow == Overflow::Shrink => em_that_fills.clamp(12.0, em.get().max(12.0)),
            FontSize::Fixed(em) => em.get(),
        };
        let on_a_page = area / (ADVANCE * spec.line_height * em * em);
        let is_paginated = spec.overflow == Overflow::Paginate && matches!(spec.output, OutputFormat::Pdf(_));
        let (written, pages) = if is_paginated {
            (characters, (characters / on_a_page).ceil().max(1.0))
        } else {
            (characters.min(on_a_page), 1.0)
        };
        let strips = written * (ADVANCE * em * scale) * (INK_HEIGHT * em * scale + TILE_SEAM);
        let work = strips / 1e6 + characters * CHARACTER + pages * PAGE;
        Self(if spec.effects.natural_variation.is_some() { work * VARIATION } else { work })
    }
}

/// Square px between the margins.
fn text_area(page: Size<Px>, margins: Margins) -> f64 {
    let width = page.width - margins.left - margins.right;
    let height = page.height - margins.top - margins.bottom;
    (width.get() * height.get()).max(1.0)
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cost {
    type Output = Self;

    /// Never less than none.
    fn sub(self, other: Self) -> Self {
        Self((self.0 - other.0).max(0.0))
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::NONE, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontCatalogue;
    use crate::layout::lay_out_pages;
    use crate::mesh::MeshCache;
    use crate::scene::{Rendition, compose};
    use crate::spec::{Endpoint, parse_value};
    use serde_json::{Value, json};

    fn cost(request: &Value) -> f64 {
        Cost::of_page(&parse_value(request, Endpoint::Generate, || 1).unwrap()).get()
    }

    #[test]
    fn the_estimate_is_near_the_strips_that_a_page_has() {
        let (catalogue, meshes) = (FontCatalogue::load().unwrap(), MeshCache::default());
        let words = "The quick brown fox jumps over the lazy dog while seven wizards box ";
        let mut cases = 0;
        for (page, dpi) in [("card_5x7", 300), ("a4", 300), ("a4", 600), ("a3", 600)] {
            for (font, size, length) in [(1, json!("auto"), 200), (35, json!("auto"), 2000), (51, json!(60), 800)] {
                let text: String = words.chars().cycle().take(length).collect();
                let request = json!({"text": text.trim(), "font_size": size, "page_size": page, "dpi": dpi,
                                     "font_id": font, "overflow": "clip", "seed": 1});
                let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
                let layout = lay_out_pages(&spec, &catalogue).unwrap().swap_remove(0);
                let rendition = Rendition::of(&spec, spec.dpi.scale());
                let scene = compose(&layout, &rendition, &catalogue, &meshes, usize::MAX).unwrap();
                let besides = spec.text.chars().count() as f64 * CHARACTER + PAGE;
                let (estimate, strips) = (Cost::of_page(&spec).get() - besides, scene.drawn_pixels() as f64 / 1e6);
                let ratio = estimate / strips;
                assert!((0.6..2.2).contains(&ratio), "{request}: {estimate:.2} for {strips:.2} Mpx of strips");
                cases += 1;
            }
        }
        assert_eq!(cases, 12);
    }

    #[test]
    fn more_of_anything_costs_more() {
        let plain = json!({"text": "words and words", "font_size": 60});
        let with = |name: &str, value: Value| {
            let mut request = plain.clone();
            request[name] = value;
            cost(&request)
        };
        let least = cost(&plain);
        for (name, value) in [
            ("text", json!("words and words and words")),
            ("font_size", json!(80)),
            ("dpi", json!(600)),
            ("enable_natural_variation", json!(true)),
        ] {
            assert!(with(name, value) > least, "{name}");
        }
        assert!(
            with("text", json!("x".repeat(10_000))) < 1.5 * with("text", json!("x".repeat(9_000))),
            "a page is full"
        );
    }

    #[test]
    fn a_text_on_many_pages_costs_them_all() {
        let text = "words ".repeat(1600);
        let file = |overflow: &str| {
            let request = json!({"text": text.trim(), "font_size": 200, "output_format": "pdf", "overflow": overflow});
            cost(&request)
        };
        assert!(file("paginate") > 5.0 * file("clip"), "{} and {}", file("paginate"), file("clip"));
    }
}
