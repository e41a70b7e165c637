//! The layers of a page: rules at the bottom, then what is written in each ink.

use crate::encode::InkLayer;
use crate::geometry::{Point, Rect};
use crate::raster::{Coverage, filled_boxes};
use crate::spec::{DrawnRules, Rgb};
use crate::units::{DeviceScale, Px};

/// A layer of a page, drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnLayer {
    /// The coverage of the page.
    pub(super) coverage: Coverage,
    /// The ink.
    pub(super) ink: Rgb,
}

impl DrawnLayer {
    /// The layer of drawn rules, of the size of `page`. Their edges are rounded to whole device px, so all are sharp and
    /// of one thickness, at least 1 px.
    pub(super) fn of_rules(rules: &DrawnRules, page: &Coverage, scale: DeviceScale) -> Self {
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
        Self { coverage: filled_boxes(page.width(), page.height(), &boxes), ink: rules.color }
    }

    /// The layer, for an encoder.
    pub(super) const fn as_ink(&self) -> InkLayer<'_> {
        InkLayer { coverage: &self.coverage, ink: self.ink }
    }
}

/// All layers, for an encoder.
pub(super) fn as_inks(layers: &[DrawnLayer]) -> Vec<InkLayer<'_>> {
    layers.iter().map(DrawnLayer::as_ink).collect()
}
