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
    let preset = spec.unused_preset.map(|preset| {
        let name = format!("'{}'", preset.name());
        Warning::no_effect(
            "preset",
            name,
            "the request gives every field that it sets; leave out those that it should set",
        )
    });
    let parameters =
        spec.unused_parameters.iter().map(|(field, flag)| Warning::no_effect(field, "it", &format!("{flag} is false")));
    let of_format = match &spec.output {
        OutputFormat::Png => Vec::new(),
        OutputFormat::Pdf(plan) => press_warnings(spec, plan),
        OutputFormat::Svg(options) => svg_warnings(spec, options),
    };
    mail_warnings(spec)
        .into_iter()
        .chain(preset)
        .chain(parameters)
        .chain(unused)
        .chain(of_format)
        .chain(pen_warnings(spec))
        .collect()
}

/// Fields of the pen that have no effect, and effects that have none beside a pen.
fn pen_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let (pen, flow) = (spec.effects.pen, spec.effects.ink_flow);
    let mut warnings: Vec<Warning> =
        pen.without_effect().into_iter().map(|(field, why)| Warning::no_effect(field, "it", why)).collect();
    if pen.in_use().is_some() {
        let is_drawn_by_machine = spec.representation() == Representation::Strokes;
        let name = format!("'{}'", pen.kind.name());
        warnings.extend(
            is_drawn_by_machine.then(|| Warning::no_effect("pen", name, "centre lines are drawn by the machine's pen")),
        );
        warnings.extend(flow.filter(|flow| flow.intensity > 0.0 && !flow.fades(pen.in_use())).map(|flow| {
            let why = "up to 1 the tone of the pen takes its place; above 1 the pen also runs dry";
            Warning::no_effect("ink_flow_intensity", flow.intensity, why)
        }));
        let is_flat = spec.representation() != Representation::Image || spec.is_for_press();
        warnings.extend(
            flow.filter(|flow| is_flat && flow.fades(pen.in_use())).map(|_| {
                Warning::no_effect("enable_ink_flow", "it", "a pen's ink is solid in outlines and for a press")
            }),
        );
    }
    warnings
}

fn svg_warnings(spec: &RenderSpec, options: &SvgOptions) -> Vec<Warning> {
    let dpi =
        (spec.dpi != Dpi::default()).then(|| Warning::no_effect("dpi", spec.dpi.get(), "an SVG has no resolution"));
    let tints = spec.effects.facts().find_map(|facts| facts.needs_tints);
    let has_pen = spec.effects.pen.in_use().is_some();
    let tints = tints.filter(|_| options.paths != Representation::Outlines && !has_pen);
    let tints =
        tints.map(|field| Warning::no_effect(field, "it", &format!("{} paths have no tints", options.paths.name())));
    let width = options.stroke_width_mm.filter(|_| options.paths != Representation::Strokes);
    let width = width.map(|width| Warning::no_effect("svg.stroke_width_mm", width, "only strokes have a width"));
    let shared = (options.glyphs == SvgGlyphs::Shared && !spec.shares_glyphs())
        .then(|| Warning::no_effect("svg.glyphs", "'shared'", "it needs svg.paths 'outlines' that no effect bends"));
    [dpi, tints, width, shared].into_iter().flatten().collect()
}
