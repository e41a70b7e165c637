//! Estimates what a page costs: from its specification, and more exactly from its layout.
//!
//! Input: a [`RenderSpec`], later the layout of its texts. Output: a [`Cost`] in megapixels of inked strips, by which
//! the queue admits a job and `bounds` refuses it. `text_ink` estimates the ink of a text before its layout,
//! `outlines` adds rare and large outlines, `vector_estimate` is for files of paths. Nothing here draws or measures
//! time.

pub(super) mod bounds;
mod outlines;
mod text_ink;
pub(super) mod vector_estimate;

use super::prepare::laid_out::LaidOutText;
use crate::catalogue::{FontCatalogue, FontId, GlyphId};
use crate::geometry::Rect;
use crate::layout::{PageLayout, PlacedWord, least_paginated};
use crate::spec::{FontSize, Overflow, RenderSpec, Representation};
use crate::units::{Px, quantity};
use text_ink::TextInk;

/// Height that rounding to tiles adds to a line's strips, in device px.
const TILE_SEAM: f64 = 16.0;
/// Cost of laying out and drawing one character, without its pixels, in megapixels.
const CHARACTER: f64 = 0.001;
/// Cost of the outline of a glyph that is not cached, in megapixels.
const NEW_GLYPH: f64 = 0.04;
/// Distinct glyphs of a text that cost nothing, because a font's letters are soon cached.
const KNOWN_GLYPHS: usize = 256;
/// Cost of a page without writing, in megapixels.
const PAGE: f64 = 0.15;
/// Cost of a pixel of a page of several layers, in pixels.
const LAYERS: f64 = 0.5;
/// Cost of composing and packing a pixel of artwork, and of decoding one of its file, in pixels.
const ARTWORK: f64 = 4.0;
const ARTWORK_FILE: f64 = 1.0;
/// Cost of a step of the layout, in megapixels.
const STEP: f64 = 4e-6;
/// Cost of a letter of a file of paths, in megapixels: as the font has it, and bent. What welding it adds.
const PATH_LETTER: f64 = 0.006;
const BENT_LETTER: f64 = 0.05;
const WELDED_LETTER: f64 = 0.02;

quantity! {
    /// An amount of work in megapixels of inked strips: the time to lay out, draw and encode grows with them.
    ///
    /// Measured over formats, sizes, resolutions and fonts, the estimate of a page lies between 0.6 and 2.2 times its
    /// strips.
    Cost
}

impl Cost {
    /// Of the specimen of a font: all its pixels.
    pub(super) const SPECIMEN: Self = Self(0.36);

    /// Of a picture of words in all fonts: all its pixels.
    pub(super) const SPECIMEN_WORDS: Self = Self(5.2);

    /// The same with writer variation, if joins and normals of most letters are new. It is at most twice as much.
    pub(super) const VARIED_SPECIMEN_WORDS: Self = Self(200.0);

    /// More than any work.
    pub(super) const UNBOUNDED: Self = Self(f64::INFINITY);

    /// Highest cost of one request, at full quality or as a preview: about 3 s of one core.
    pub const MOST: Self = Self(350.0);

    /// Of a page at full quality, or of all pages of its file, estimated before it is laid out. At most
    /// [`MOST`](Self::MOST), because a request that costs more is refused.
    #[must_use]
    pub fn of_file(spec: &RenderSpec, catalogue: &FontCatalogue) -> Self {
        spec.sides().map(|side| Self::of_side(side, catalogue)).sum::<Self>().min(Self::MOST)
    }

    fn of_side(spec: &RenderSpec, catalogue: &FontCatalogue) -> Self {
        if spec.representation() != Representation::Image {
            return Self::of_unplaced_paths(spec);
        }
        Self::of_all(spec, catalogue, spec.drawn_dpi().scale().get())
    }

    /// Of a file of paths before it is laid out: of letters with as many points as those of rough hands.
    fn of_unplaced_paths(spec: &RenderSpec) -> Self {
        let of_letter = if spec.effects.bends_outlines() { BENT_LETTER } else { PATH_LETTER };
        let welded = if spec.representation() == Representation::Welded { WELDED_LETTER } else { 0.0 };
        let artwork = Self::of_artwork(spec, spec.dpi.scale().get());
        (Self(PAGE + spec.characters() as f64 * (of_letter + welded)) + artwork).min(Self::MOST)
    }

    /// Of a preview `width` px wide.
    #[must_use]
    pub fn of_preview(spec: &RenderSpec, catalogue: &FontCatalogue, width: u32) -> Self {
        let scale = f64::from(width) / spec.drawn().width().get();
        spec.sides().map(|side| Self::of_all(side, catalogue, scale)).sum::<Self>().min(Self::MOST)
    }

    /// Of all texts of a page at `scale`.
    fn of_all(spec: &RenderSpec, catalogue: &FontCatalogue, scale: f64) -> Self {
        let each = spec.texts().into_iter().map(|text| Self::at_scale(&text.spec, catalogue, scale));
        (Self::of_layers(spec, scale) + each.sum()).min(Self::MOST)
    }

    /// Of composing the layers of a page, if it has several, and its artwork.
    fn of_layers(spec: &RenderSpec, scale: f64) -> Self {
        let layers = if spec.has_layers() { Self::of_all_pixels(spec, scale) * LAYERS } else { Self::ZERO };
        layers + Self::of_artwork(spec, scale)
    }

    /// Of decoding the artwork of a page, composing it at `scale` and packing it.
    pub(super) fn of_artwork(spec: &RenderSpec, scale: f64) -> Self {
        if spec.artwork.is_empty() {
            return Self::ZERO;
        }
        let files = spec.artwork.iter().map(|placed| placed.artwork.facts());
        let decoded: f64 = files.map(|facts| f64::from(facts.width) * f64::from(facts.height)).sum();
        Self::of_all_pixels(spec, scale) * ARTWORK + Self(decoded * ARTWORK_FILE / 1e6)
    }

    /// Of drawing and encoding the texts of all pages of a file at `scale`.
    pub(super) fn of_texts(spec: &RenderSpec, pages: &[Vec<LaidOutText>], scale: f64) -> Self {
        let all = || pages.iter().flatten();
        let body: Vec<&PageLayout> = all().filter(|text| text.block.is_none()).map(|text| &text.layout).collect();
        let of_body = all().find(|text| text.block.is_none()).map(|text| Self::of_layouts(&text.spec, &body, scale));
        let blocks = all().filter(|text| text.block.is_some());
        let of_blocks = blocks.map(|text| Self::of_layouts(&text.spec, &[&text.layout], scale));
        Self::of_layers(spec, scale) + of_body.into_iter().chain(of_blocks).sum()
    }

    /// Of all pixels of one page, or of its part that is drawn, at `scale` device px per px of the page. They bound its
    /// memory.
    pub(super) fn of_all_pixels(spec: &RenderSpec, scale: f64) -> Self {
        let drawn = spec.drawn();
        Self(drawn.width().get() * drawn.height().get() * scale * scale / 1e6)
    }

    /// Of steps that a layout took.
    pub(super) fn of_steps(steps: u64) -> Self {
        Self(steps as f64 * STEP)
    }

    /// Of drawing and encoding laid out pages at `scale`: each word counts as a box of ink.
    pub(super) fn of_layouts(spec: &RenderSpec, layouts: &[&PageLayout], scale: f64) -> Self {
        let page_pixels = Self::of_all_pixels(spec, scale).0 * 1e6;
        let mut glyphs: Vec<(FontId, GlyphId)> = Vec::new();
        let (mut strips, mut characters) = (0.0, 0);
        for layout in layouts {
            let of_words: f64 = layout.words.iter().map(|word| word_pixels(word, scale)).sum();
            strips += of_words.min(page_pixels);
            characters += layout.glyphs().count();
            glyphs.extend(layout.glyphs().map(|glyph| (glyph.font, glyph.glyph)));
        }
        glyphs.sort_unstable();
        glyphs.dedup();
        let new_glyphs = glyphs.len().saturating_sub(KNOWN_GLYPHS);
        let besides = characters as f64 * CHARACTER + new_glyphs as f64 * NEW_GLYPH + layouts.len() as f64 * PAGE;
        Self((strips / 1e6 + besides) * effects_factor(spec))
    }

    /// At `scale` device px per px of the page.
    fn at_scale(spec: &RenderSpec, catalogue: &FontCatalogue, scale: f64) -> Self {
        let text = TextInk::of(&spec.text, catalogue.face(spec.font));
        let (page, margins) = (spec.page.px(), spec.margins);
        let height = (page.height - margins.top - margins.bottom).get().max(1.0);
        // Square px between the margins.
        let area = ((page.width - margins.left - margins.right).get() * height).max(1.0);
        let is_paginated = spec.overflow == Overflow::Paginate;
        // At this size the advances of the text times the line height fill the area.
        let em_that_fills = match &spec.ruling {
            Some(ruling) => area / (text.advance * ruling.pitch.get()),
            None => (area / (text.advance * spec.line_height)).sqrt(),
        };
        let em = match spec.font_size {
            FontSize::Auto { max } if is_paginated => {
                let face = catalogue.face(spec.font);
                em_that_fills.clamp(f64::from(least_paginated(face, max)), f64::from(max))
            }
            FontSize::Auto { max } => em_that_fills.clamp(12.0, f64::from(max)),
            FontSize::Fixed(em) if spec.overflow == Overflow::Shrink => em_that_fills.clamp(12.0, em.get().max(12.0)),
            FontSize::Fixed(em) => em.get(),
        };
        let pages_of_text = text.advance * em * spec.line_pitch(em) / area;
        let (part, pages) = if is_paginated {
            let lines = 1 + spec.text.bytes().filter(|byte| *byte == b'\n').count();
            let pages_of_lines = lines as f64 * spec.line_pitch(em) / height;
            (1.0, pages_of_text.max(pages_of_lines).ceil().max(1.0))
        } else {
            ((1.0 / pages_of_text).min(1.0), 1.0)
        };
        let em = em * scale;
        let strips = part * (text.ink_area * em * em + text.ink_width * em * TILE_SEAM);
        let strips = strips.min(pages * Self::of_all_pixels(spec, scale).0 * 1e6);
        let work = strips / 1e6 + text.characters as f64 * CHARACTER + pages * PAGE;
        Self(work * effects_factor(spec)).min(Self::MOST)
    }
}

/// The factor by which the effects of a request make its pages more expensive.
fn effects_factor(spec: &RenderSpec) -> f64 {
    spec.effects.facts().map(|facts| facts.cost).product()
}

/// Device px of the tiles that a word's ink may touch: of the word's box or of its glyphs' boxes, whichever is less.
fn word_pixels(word: &PlacedWord, scale: f64) -> f64 {
    let (sin, cos) = word.rotation.get().to_radians().sin_cos();
    let sin = sin.abs();
    let tiles = |ink: Rect<Px>| {
        let (width, height) = ((ink.max.x - ink.min.x).get() * scale, (ink.max.y - ink.min.y).get() * scale);
        (width * cos + height * sin + TILE_SEAM) * (height * cos + width * sin + TILE_SEAM)
    };
    let boxes = || word.glyphs.iter().map(|glyph| glyph.ink);
    let of_word = boxes().reduce(Rect::union).map_or(0.0, tiles);
    of_word.min(boxes().map(tiles).sum())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::bounds::layout_budget;
    use super::*;
    use crate::layout::lay_out_pages_within;
    use crate::mesh::MeshCache;
    use crate::scene::{RenderParams, compose};
    use crate::spec::{Endpoint, parse_value};
    use crate::work::WorkMeter;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

    fn cost(request: &Value) -> f64 {
        Cost::of_file(&parse_value(request, Endpoint::Generate, || 1).unwrap(), &CATALOGUE).get()
    }

    #[test]
    fn the_estimate_is_near_the_strips_that_a_page_has() {
        let (catalogue, meshes) = (&*CATALOGUE, MeshCache::default());
        let words = "The quick brown fox jumps over the lazy dog while seven wizards box ";
        let mut cases = 0;
        for (page, dpi) in [("card_5x7", 300), ("a4", 300), ("a4", 600), ("a3", 600)] {
            for (font, size, length) in [(1, json!("auto"), 200), (35, json!("auto"), 2000), (51, json!(60), 800)] {
                let text: String = words.chars().cycle().take(length).collect();
                let request = json!({"text": text.trim(), "font_size": size, "page_size": page, "dpi": dpi,
                                     "font_id": font, "overflow": "clip", "seed": 1});
                let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
                let layout = lay_out_pages_within(&spec, catalogue, &WorkMeter::default()).unwrap().swap_remove(0);
                let params = RenderParams::of(&spec, spec.dpi.scale());
                let scene = compose(&layout, &params, catalogue, &meshes, usize::MAX).unwrap();
                let besides = spec.text.chars().count() as f64 * CHARACTER + PAGE;
                let (estimate, strips) =
                    (Cost::of_file(&spec, catalogue).get() - besides, scene.drawn_pixels() as f64 / 1e6);
                let ratio = estimate / strips;
                assert!((0.6..2.2).contains(&ratio), "{request}: {estimate:.2} for {strips:.2} Mpx of strips");
                cases += 1;
            }
        }
        assert_eq!(cases, 12);
    }

    /// Such pages leave a worker to cards: see `fair_queue`.
    #[test]
    fn large_marks_on_one_letter_are_as_expensive_as_a_full_page() {
        let request = json!({"text": format!("o{}", "\u{338}".repeat(7_300)), "page_size": "a4", "dpi": 600, "font_id": 20,
                             "overflow": "clip", "font_size": 400, "enable_writer_variation": true});
        assert!(cost(&request) > 50.0, "{}", cost(&request));
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

    /// Fonts of every kind, narrow, wide, joined, and of other scripts.
    const FONTS: [u16; 12] = [1, 2, 7, 12, 31, 35, 51, 56, 77, 81, 88, 90];

    fn request() -> impl Strategy<Value = Value> {
        let pieces = ["W", "i", "words and more ", "\u{200B}", "\u{301}", "ש", "Ж", "東", "\n", " ", "MWB@", "ह", "f"];
        let text = prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..5).prop_map(|parts| parts.concat());
        let size = prop_oneof![Just(json!("auto")), (12_u32..=400).prop_map(|size| json!(size))];
        let page = prop::sample::select(vec!["a6", "card_5x7", "a4", "a3"]);
        let overflow = prop::sample::select(vec!["clip", "shrink", "paginate"]);
        let line_height = prop::sample::select(vec![0.5, 1.0, 2.0, 4.0]);
        let lengths = prop::sample::select(vec![20_usize, 400, 3_000, 9_900]);
        (text, size, page, overflow, line_height, lengths, prop::sample::select(FONTS.to_vec()), any::<[bool; 4]>())
            .prop_map(|(text, size, page, overflow, line_height, length, font, [fine, turned, varied, bent])| {
                let text: String = std::iter::once('a').chain(text.chars().cycle().take(length)).collect();
                json!({
                    "text": text, "font_size": size, "page_size": page, "overflow": overflow, "font_id": font,
                    "line_height_multiplier": line_height, "dpi": if fine { 600 } else { 300 }, "output_format": "pdf",
                    "margin_left": 60, "margin_right": 60, "margin_top": 60, "margin_bottom": 60,
                    "enable_word_rotation": turned, "enable_natural_variation": varied,
                    "natural_variation_sigma": if bent { 5 } else { 0 },
                })
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn the_estimate_is_never_below_a_third_of_the_cost(request in request()) {
            let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
            let work = WorkMeter::new(layout_budget(&spec), &|| true);
            let layouts = lay_out_pages_within(&spec, &CATALOGUE, &work);
            let scale = spec.dpi.scale().get();
            let drawing = layouts.map_or(Cost::ZERO, |layouts| Cost::of_layouts(&spec, &layouts.iter().collect::<Vec<_>>(), scale));
            let (estimate, cost) = (Cost::of_file(&spec, &CATALOGUE), Cost::of_steps(work.spent()) + drawing);
            let text = request["text"].as_str().unwrap();
            prop_assert!(3.0 * estimate.get() >= cost.min(Cost::MOST).get(),
                "{estimate:?} for {cost:?} of {} characters {text:.20}: {}", text.len(), request["font_id"]);
        }
    }
}
