//! All warnings that need no layout: those about the mail piece and a PDF, and fields that have no effect in the format.

use super::mail_warnings::mail_warnings;
use super::press_warnings::{no_effect, press_warnings};
use crate::spec::{OutputFormat, RenderSpec, Representation, SvgGlyphs, SvgOptions};
use crate::units::Dpi;
use crate::warning::Warning;

/// The warnings about a full page that follow from the specification alone.
pub(crate) fn spec_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let unused = spec.unused_options.map(|field| {
        let format = spec.output.name().name();
        no_effect(field, &format!("these options have no effect, output_format is '{format}'"))
    });
    let of_format = match &spec.output {
        OutputFormat::Png => Vec::new(),
        OutputFormat::Pdf(plan) => press_warnings(spec, plan),
        OutputFormat::Svg(options) => svg_warnings(spec, options),
    };
    mail_warnings(spec).into_iter().chain(unused).chain(of_format).collect()
}

fn svg_warnings(spec: &RenderSpec, options: &SvgOptions) -> Vec<Warning> {
    let dpi = (spec.dpi != Dpi::default())
        .then(|| no_effect("dpi", &format!("{} has no effect, an SVG has no resolution", spec.dpi.get())));
    let tints = spec.effects.facts().find_map(|facts| facts.needs_tints);
    let tints = tints.filter(|_| spec.representation() != Representation::Outlines);
    let tints = tints.map(|field| {
        no_effect(field, &format!("it has no effect, {} paths have no tints", spec.representation().name()))
    });
    let width = options.stroke_width_mm.filter(|_| options.paths != Representation::Strokes);
    let width = width
        .map(|width| no_effect("svg.stroke_width_mm", &format!("{width} has no effect, only strokes have a width")));
    let shared = (options.glyphs == SvgGlyphs::Shared && !spec.shares_glyphs())
        .then(|| no_effect("svg.glyphs", "'shared' has no effect, it needs svg.paths 'outlines' that no effect bends"));
    [dpi, tints, width, shared].into_iter().flatten().collect()
}
