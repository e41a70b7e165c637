//! The layers of a page: rules at the bottom, then what is written in each ink.

use crate::encode::InkLayer;
use crate::geometry::{Point, Rect, Size};
use crate::pipeline::prepare::laid_out::LaidOutWriting;
use crate::raster::{Coverage, crop, filled_boxes, merge};
use crate::spec::{DrawnRules, RenderSpec, Rgb};
use crate::units::{DeviceScale, Px};

/// A layer of a page, drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnLayer {
    /// The coverage of the page.
    pub(in crate::pipeline) coverage: Coverage,
    /// The ink.
    pub(in crate::pipeline) ink: Rgb,
}

impl DrawnLayer {
    /// The layer of drawn rules, of the size of `page`. Their edges are rounded to whole device px, so all are sharp
    /// and of one thickness, at least 1 px.
    fn of_rules(rules: &DrawnRules, page: Size<u32>, scale: DeviceScale) -> Self {
        let device = |length: Px| length.to_device(scale).get();
        let thickness = device(rules.thickness).round().max(1.0);
        let boxes: Vec<Rect<u32>> = rules
            .heights
            .iter()
            .map(|height| {
                let top = (device(*height) - thickness / 2.0).round();
                let corner = |x: Px, y: f64| Point::new(device(x).round() as u32, y as u32);
                Rect { min: corner(rules.left, top), max: corner(rules.right, top + thickness) }
            })
            .collect();
        Self { coverage: filled_boxes(page.width, page.height, &boxes), ink: rules.color }
    }

    /// The layer, for an encoder.
    pub(super) const fn as_ink(&self) -> InkLayer<'_> {
        InkLayer { coverage: &self.coverage, ink: self.ink }
    }
}

/// The layers of a page, of the coverages of its writings: one for each ink, in the order of first use.
pub(super) fn layers_of(writings: &[LaidOutWriting], drawn: Vec<Coverage>) -> Vec<DrawnLayer> {
    let mut layers: Vec<DrawnLayer> = Vec::new();
    for (ink, coverage) in writings.iter().map(|writing| writing.spec.ink).zip(drawn) {
        match layers.iter_mut().find(|layer| layer.ink == ink) {
            Some(layer) => layer.coverage = merge(&layer.coverage, &coverage),
            None => layers.push(DrawnLayer { coverage, ink }),
        }
    }
    layers
}

/// Adds the drawn rules of a page below its layers.
pub(super) fn add_rules(spec: &RenderSpec, layers: &mut Vec<DrawnLayer>, scale: DeviceScale) {
    if let Some(rules) = spec.drawn_rules() {
        layers.insert(0, DrawnLayer::of_rules(&rules, whole_page(spec, scale), scale));
    }
}

/// As [`add_rules`], of the part of the page inside `window`.
pub(super) fn add_rules_in(spec: &RenderSpec, layers: &mut Vec<DrawnLayer>, window: Rect<u32>, scale: DeviceScale) {
    if let Some(rules) = spec.drawn_rules() {
        let DrawnLayer { coverage, ink } = DrawnLayer::of_rules(&rules, whole_page(spec, scale), scale);
        layers.insert(0, DrawnLayer { coverage: crop(coverage, window), ink });
    }
}

fn whole_page(spec: &RenderSpec, scale: DeviceScale) -> Size<u32> {
    let page = spec.page.px();
    let [width, height] = [page.width, page.height].map(|side| side.to_device(scale).get().round() as u32);
    Size { width, height }
}

/// All layers, for an encoder.
pub(super) fn as_inks(layers: &[DrawnLayer]) -> Vec<InkLayer<'_>> {
    layers.iter().map(DrawnLayer::as_ink).collect()
}
