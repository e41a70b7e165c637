//! The cost of outlines beyond what the price of a character covers: making the meshes of rare glyphs and joins, and
//! bending and drawing outlines of many edges.

use super::Cost;
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Rect};
use crate::layout::PageLayout;
use crate::pipeline::prepare::laid_out::LaidOutText;
use crate::scene::{ExpectedRecords, OutlineDemand, OutlineMap, RenderParams};
use crate::spec::{RenderSpec, Representation};
use crate::units::DeviceScale;

// The first three prices are calibrated by `measure_prices` below, in a release build: one megapixel is 8.6 ms.

/// Cost of a record of a mesh that is made, in megapixels: finding the chords and resolving the overlaps.
const MADE_RECORD: f64 = 2e-4;
/// Cost of comparing two chords for normals, in megapixels: each chord is compared with all others.
const COMPARED_CHORDS: f64 = 2e-7;
/// Cost of a record that the device bends and adds, in megapixels.
const DRAWN_RECORD: f64 = 3.5e-6;
/// Part of the chords of two glyphs that the correction of their join has.
const CORRECTION: f64 = 0.15;
/// Cost of a glyph that its own price covers (see `NEW_GLYPH` in `cost`), in megapixels.
const USUAL_GLYPH: f64 = 0.04;
/// Cost of meshes that is free in each request, in megapixels: those of ordinary texts in one font, which are soon
/// cached. A text of 10,000 English letters has some 700 joins.
const KNOWN_MESHES: f64 = 60.0;

impl Cost {
    /// Of the meshes of all pages of a file that is drawn at `scale`, beyond what [`of_texts`](Self::of_texts)
    /// counts for each glyph. Files of paths have meshes where effects bend their outlines.
    pub(super) fn of_meshes(
        spec: &RenderSpec,
        pages: &[Vec<LaidOutText>],
        scale: DeviceScale,
        catalogue: &FontCatalogue,
    ) -> Self {
        let scale = match spec.representation() {
            Representation::Image => scale,
            Representation::Outlines | Representation::Welded if spec.effects.bends_outlines() => OutlineMap::scale(),
            Representation::Outlines | Representation::Welded | Representation::Strokes => return Self::ZERO,
        };
        let mut demand = OutlineDemand::default();
        for (page, texts) in (0..).zip(pages) {
            for LaidOutText { spec: of_text, layout, .. } in texts {
                let params = RenderParams::of(of_text, scale).on_page(page);
                demand.add(layout, &params, spec.drawn(), catalogue);
            }
        }
        Self::of_demand(&demand)
    }

    /// Of the meshes of one layout that is drawn with `params`, beyond those of usual texts.
    pub(in crate::pipeline) fn of_meshes_in(
        layout: &PageLayout,
        params: &RenderParams,
        catalogue: &FontCatalogue,
    ) -> Self {
        let drawn = Rect { min: Point::default(), max: Point::new(layout.size.width, layout.size.height) };
        let mut demand = OutlineDemand::default();
        demand.add(layout, params, drawn, catalogue);
        Self::of_demand(&demand)
    }

    fn of_demand(demand: &OutlineDemand) -> Self {
        let glyphs: f64 = demand.glyphs().map(|glyph| (of_glyph(glyph) - USUAL_GLYPH).max(0.0)).sum();
        let joins: f64 = demand.joins().map(of_join).sum();
        let meshes = (glyphs + joins - KNOWN_MESHES).max(0.0);
        Self::new(meshes + DRAWN_RECORD * demand.unusual_records)
    }
}

/// The cost of making the mesh of a glyph, in megapixels.
fn of_glyph(glyph: ExpectedRecords) -> f64 {
    let compared = glyph.chords_of_normals * (glyph.chords_of_normals + glyph.chords);
    MADE_RECORD * glyph.records + COMPARED_CHORDS * compared
}

/// The cost of making the join of two glyphs, in megapixels.
fn of_join([first, second]: [ExpectedRecords; 2]) -> f64 {
    let chords = first.chords + second.chords;
    let has_normals = first.chords_of_normals > 0.0;
    MADE_RECORD * chords + if has_normals { COMPARED_CHORDS * CORRECTION * chords * chords } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::clock::Clock;
    use crate::layout::lay_out;
    use crate::mesh::MeshCache;
    use crate::scene::compose;
    use crate::spec::{Endpoint, parse_value};

    const MEGAPIXEL_MS: f64 = 8.6;

    const SENTENCE: &str = "Quick zephyrs blow, vexing daft Jim; seven wizards box the lazy dog & fox. ";

    fn page(text: &str, font: u32, members: &Value) -> RenderSpec {
        let mut request = json!({"text": text, "font_id": font, "font_size": 40, "page_size": "a3", "dpi": 600,
                                 "overflow": "clip", "seed": 1});
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        parse_value(&request, Endpoint::Generate, || 1).unwrap()
    }

    fn demand(spec: &RenderSpec, catalogue: &FontCatalogue) -> OutlineDemand {
        let (layout, scale) = (lay_out(spec, catalogue).unwrap(), spec.dpi.scale());
        let mut demand = OutlineDemand::default();
        demand.add(&layout, &RenderParams::of(spec, scale), spec.drawn(), catalogue);
        demand
    }

    /// Words of all pairs of these letters.
    fn pairs(letters: &str) -> String {
        let of = |first: char| letters.chars().flat_map(move |second| [first, second]).collect::<String>();
        letters.chars().map(of).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn prose_costs_nothing_beyond_its_letters_and_rare_neighbours_do() {
        let catalogue = FontCatalogue::load().unwrap();
        let varied = json!({"enable_writer_variation": true});
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for font in [1, 7, 35, 61] {
            let cost = |text: &str| Cost::of_demand(&demand(&page(text, font, &varied), &catalogue)).get();
            let prose = cost(&SENTENCE.repeat(120));
            assert!(prose < 10.0, "font {font}: {prose}");
        }
        let few = Cost::of_demand(&demand(&page(&pairs(&letters[..20]), 61, &varied), &catalogue)).get();
        let many = Cost::of_demand(&demand(&page(&pairs(letters), 61, &varied), &catalogue)).get();
        assert!(few < 10.0 && many > 60.0, "{few} and {many}");
    }

    #[test]
    fn all_texts_of_a_page_share_what_is_free() {
        let catalogue = FontCatalogue::load().unwrap();
        let varied = json!({"enable_writer_variation": true});
        let of = |font: u32| demand(&page(&pairs("abcdefghijklmnopqrst"), font, &varied), &catalogue);
        let mut both = OutlineDemand::default();
        let mut alone = 0.0;
        for font in [8, 41, 55, 61] {
            alone += Cost::of_demand(&of(font)).get();
            let spec = page(&pairs("abcdefghijklmnopqrst"), font, &varied);
            let layout = lay_out(&spec, &catalogue).unwrap();
            both.add(&layout, &RenderParams::of(&spec, spec.dpi.scale()), spec.drawn(), &catalogue);
        }
        assert!(Cost::of_demand(&both).get() > alone, "{both:?}");
    }

    #[test]
    #[ignore = "prints times beside prices: cargo test --release --lib measure_prices -- --ignored --nocapture"]
    #[expect(clippy::print_stdout, reason = "the figures are what it is for")]
    fn measure_prices() {
        let (catalogue, clock) = (FontCatalogue::load().unwrap(), Clock::system());
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for font in [1, 8, 41, 55, 61, 65, 71] {
            for members in [json!({}), json!({"enable_writer_variation": true})] {
                let spec = page(&pairs(letters), font, &members);
                let demand = demand(&spec, &catalogue);
                let price = demand.glyphs().map(of_glyph).sum::<f64>() + demand.joins().map(of_join).sum::<f64>();
                let (layout, params) = (lay_out(&spec, &catalogue).unwrap(), RenderParams::of(&spec, spec.dpi.scale()));
                let meshes = MeshCache::default();
                let compose_ms = || {
                    let started = clock.monotonic();
                    compose(&layout, &params, &catalogue, &meshes, usize::MAX).unwrap();
                    (clock.monotonic() - started).as_secs_f64() * 1e3
                };
                // The second time, all meshes are cached.
                let (first, second) = (compose_ms(), compose_ms());
                let (joins, paid) = (demand.joins().count(), price * MEGAPIXEL_MS);
                println!(
                    "font {font:2} {members:32}: {joins} joins, {:6.0} ms for {paid:6.0} ms ({:.2})",
                    first - second,
                    paid / (first - second)
                );
            }
        }
    }
}
