//! The layers of a page: rules at the bottom, then what is written in each ink.

use crate::encode::InkLayer;
use crate::geometry::{Point, Rect};
use crate::pipeline::prepare::laid_out::LaidOutText;
use crate::raster::{Coverage, filled_boxes, merge};
use crate::spec::{RenderSpec, Rgb};
use crate::units::{DeviceScale, Px};

/// A layer of a page, drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnLayer {
    /// The coverage of the page.
    pub(in crate::pipeline) coverage: Coverage,
    /// The ink.
    pub(in crate::pipeline) ink: Rgb,
}

/// The layers of a page, of the coverages of its texts: one for each ink, in the order of first use.
pub(super) fn layers_of(texts: &[LaidOutText], drawn: Vec<Coverage>) -> Vec<DrawnLayer> {
    let mut layers: Vec<DrawnLayer> = Vec::new();
    for (ink, coverage) in texts.iter().map(|text| text.spec.ink).zip(drawn) {
        match layers.iter_mut().find(|layer| layer.ink == ink) {
            Some(layer) => layer.coverage = merge(&layer.coverage, &coverage),
            None => layers.push(DrawnLayer { coverage, ink }),
        }
    }
    layers
}

/// The lowest layer: the drawn rules of the whole page, if it has some. Their edges are rounded to whole device px, so
/// all are sharp and of one thickness, at least 1 px.
pub(super) fn rules_layer(spec: &RenderSpec, scale: DeviceScale) -> Option<DrawnLayer> {
    let (rules, page) = (spec.drawn_rules()?, spec.page.px());
    let device = |length: Px| length.to_device(scale).get();
    let pixels = |length: Px| device(length).round() as u32;
    let thickness = device(rules.thickness).round().max(1.0);
    let of_height = |height: &Px| {
        let top = (device(*height) - thickness / 2.0).round();
        let corner = |x: Px, y: f64| Point::new(pixels(x), y as u32);
        Rect { min: corner(rules.left, top), max: corner(rules.right, top + thickness) }
    };
    let boxes: Vec<Rect<u32>> = rules.heights.iter().map(of_height).collect();
    Some(DrawnLayer { coverage: filled_boxes(pixels(page.width), pixels(page.height), &boxes), ink: rules.color })
}

/// All layers, for an encoder.
pub(super) fn as_inks(layers: &[DrawnLayer]) -> Vec<InkLayer<'_>> {
    layers.iter().map(|DrawnLayer { coverage, ink }| InkLayer { coverage, ink: *ink }).collect()
}
