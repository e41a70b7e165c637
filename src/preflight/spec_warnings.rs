//! All warnings that need no layout: those about the mail piece and a PDF, and fields that have no effect in the format.

use super::mail_warnings::mail_warnings;
use super::press_warnings::press_warnings;
use crate::spec::{OutputFormat, RenderSpec, Representation, SvgGlyphs, SvgOptions};
use crate::units::Dpi;
use crate::warning::{Warning, WarningKind};

/// The warnings about a full page that follow from the specification alone.
pub(crate) fn spec_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let unused = spec.unused_options.map(|field| {
        let format = spec.output.name().name();
        Warning::about(
            WarningKind::NoEffect,
            field,
            &format!("these options have no effect, output_format is '{format}'"),
        )
    });
    let of_format = match &spec.output {
        OutputFormat::Png => Vec::new(),
        OutputFormat::Pdf(plan) => press_warnings(spec, plan),
        OutputFormat::Svg(options) => svg_warnings(spec, options),
    };
    mail_warnings(spec).into_iter().chain(unused).chain(of_format).collect()
}

fn svg_warnings(spec: &RenderSpec, options: &SvgOptions) -> Vec<Warning> {
    let dpi =
        (spec.dpi != Dpi::default()).then(|| Warning::no_effect("dpi", spec.dpi.get(), "an SVG has no resolution"));
    let tints = spec.effects.facts().find_map(|facts| facts.needs_tints);
    let tints = tints.filter(|_| options.paths != Representation::Outlines);
    let tints =
        tints.map(|field| Warning::no_effect(field, "it", &format!("{} paths have no tints", options.paths.name())));
    let width = options.stroke_width_mm.filter(|_| options.paths != Representation::Strokes);
    let width = width.map(|width| Warning::no_effect("svg.stroke_width_mm", width, "only strokes have a width"));
    let shared = (options.glyphs == SvgGlyphs::Shared && !spec.shares_glyphs())
        .then(|| Warning::no_effect("svg.glyphs", "'shared'", "it needs svg.paths 'outlines' that no effect bends"));
    [dpi, tints, width, shared].into_iter().flatten().collect()
}
