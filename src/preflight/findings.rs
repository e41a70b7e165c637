//! The checks of a page that is laid out, each a pure function of specification and layout.

use super::artwork_findings::artwork_findings;
use super::finding::{Finding, Severity};
use super::ink_areas::{in_mm, ink_areas};
use super::of_warnings::of_warning;
use super::page_facts::{PageFacts, page_facts};
use super::spec_warnings::spec_warnings;
use super::target::Target;
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Rect};
use crate::layout::PageLayout;
use crate::spec::{
    NaturalVariation, OutputFormat, PdfColors, Preset, PrintingCondition, RenderSpec, ReservedZone, field_of,
};
use crate::units::{Mm, Px};
use crate::warning::{Warning, WarningKind};

/// How far ink may pass a limit: no press is more exact, and hulls of varied letters are not.
const TOLERANCE_MM: f64 = 0.1;
/// Thinnest stroke that prints reliably, in pt: the "hairline" limit of print preflights.
const THINNEST_STROKE_PT: f64 = 0.25;
/// Smallest x-height that is easy to read, in mm.
const SMALLEST_X_HEIGHT_MM: f64 = 1.5;

/// The body or a block on a page, laid out.
#[derive(Clone, Copy, Debug)]
pub struct PlacedText<'a> {
    /// The page, from 1.
    pub page: usize,
    /// The number of the block; `None` for the body.
    pub block: Option<usize>,
    /// The page with it alone.
    pub layout: &'a PageLayout,
}

/// Everything there is to say about a file that is laid out, the worst first. `warnings` are those of the layout.
#[must_use]
pub fn findings(
    spec: &RenderSpec,
    texts: &[PlacedText<'_>],
    warnings: &[Warning],
    catalogue: &FontCatalogue,
) -> Vec<Finding> {
    // The x-height is measured here, for sizes of every origin.
    let mut found: Vec<Finding> =
        warnings.iter().filter(|warning| warning.kind != WarningKind::SmallWriting).map(of_warning).collect();
    found.extend(spec_warnings(spec).iter().map(of_warning));
    found.extend(output_condition(spec));
    found.extend(artwork_findings(spec));
    let reach = spec.effects.natural_variation.map_or(Px::ZERO, NaturalVariation::reach);
    for PlacedText { page, block, layout } in texts {
        let ink = ink_areas(layout, reach, catalogue);
        let fine = too_fine(spec, *block, &page_facts(&[layout], spec.effects.pen, catalogue));
        let on_page = outside_safe_area(spec, *block, &ink).into_iter().chain(in_zones(spec, *block, &ink)).chain(fine);
        found.extend(on_page.map(|finding| Finding { page: Some(*page), ..finding }));
    }
    found.sort_by_key(|finding| finding.severity);
    found
}

/// Ink nearer to an edge of the trim than the target allows, or beyond it; for each edge the nearest.
fn outside_safe_area(spec: &RenderSpec, block: Option<usize>, ink: &[Rect<Px>]) -> Vec<Finding> {
    let Some(all) = ink.iter().copied().reduce(Rect::union) else { return Vec::new() };
    let target = Target::of(spec);
    let required = target.as_ref().map_or(Mm::ZERO, |target| target.safe);
    let page = spec.page.px();
    let sides = [
        ("margin_left", "x", "left", all.min.x),
        ("margin_right", "x", "right", page.width - all.max.x),
        ("margin_top", "y", "upper", all.min.y),
        ("margin_bottom", "y", "lower", page.height - all.max.y),
    ];
    let near = sides.into_iter().filter(|(.., distance)| distance.to_mm().get() < required.get() - TOLERANCE_MM);
    near.map(|(margin, side, edge, distance)| {
        let (actual, required) = (distance.to_mm().get(), required.get());
        let severity = match &target {
            Some(_) if spec.mail_piece.is_none() && actual >= 0.0 => Severity::Warning,
            _ => Severity::Error,
        };
        let message = if actual < 0.0 {
            format!("ink is {:.2} mm beyond the {edge} edge and will be cut off", -actual)
        } else {
            let name = target.as_ref().map_or("the page", |target| target.name);
            format!("ink is {actual:.2} mm from the {edge} edge; '{name}' keeps {required:.2} mm clear")
        };
        let px = |length: f64| Mm::new(length).to_px().get().ceil();
        let (field, remedy) = if block.is_none() {
            (margin.to_owned(), format!("use a {margin} of {} px or more", px(required)))
        } else {
            let by = px(required - actual);
            (field_of(block, side), format!("move the box {by} px or more away from this edge, or shrink it"))
        };
        let finding = Finding::new(severity, "safe_area", field, message, remedy).measured(actual, required, "mm");
        Finding { area: Some(in_mm(all)), ..finding }
    })
    .collect()
}

/// Ink in a reserved zone, with a box around what is in it.
fn in_zones(spec: &RenderSpec, block: Option<usize>, ink: &[Rect<Px>]) -> Vec<Finding> {
    let Some(mail) = &spec.mail_piece else { return Vec::new() };
    let found = mail.piece.zones.iter().filter_map(|zone| Some((zone, covered(zone, ink)?)));
    found
        .map(|(ReservedZone { name, .. }, area)| {
            let message = format!("ink is in the zone '{name}' of '{}', which stays free of ink", mail.piece.name);
            let (field, remedy) = match block {
                None => ("text".to_owned(), "move this text out of the zone"),
                Some(number) => (format!("blocks[{number}]"), "move this box out of the zone, or shrink it"),
            };
            let finding = Finding::new(Severity::Error, "reserved_zone", &field, message, remedy);
            Finding { area: Some(in_mm(area)), ..finding }
        })
        .collect()
}

/// A box around the ink in a zone.
fn covered(zone: &ReservedZone, ink: &[Rect<Px>]) -> Option<Rect<Px>> {
    let zone = zone.px();
    let tolerance = Mm::new(TOLERANCE_MM).to_px();
    let inside = |ink: &Rect<Px>| {
        let min = Point::new(ink.min.x.max(zone.min.x), ink.min.y.max(zone.min.y));
        let max = Point::new(ink.max.x.min(zone.max.x), ink.max.y.min(zone.max.y));
        (max.x - min.x > tolerance && max.y - min.y > tolerance).then_some(Rect { min, max })
    };
    ink.iter().filter_map(inside).reduce(Rect::union)
}

/// Strokes and letters that are too small for a press or a reader.
fn too_fine(spec: &RenderSpec, block: Option<usize>, facts: &PageFacts) -> Vec<Finding> {
    let severity = if Target::of(spec).is_some() { Severity::Warning } else { Severity::Info };
    let below = |check, (required, unit), actual: Option<f64>, [what, then, remedy]: [&str; 3]| {
        let actual = actual.filter(|actual| *actual < required)?;
        let message = format!("the {what} is {actual:.2} {unit}; below {required} {unit} it {then}");
        let finding = Finding::new(severity, check, field_of(block, "font_size"), message, remedy);
        Some(finding.measured(actual, required, unit))
    };
    let remedy = "use a larger font_size, or a font with a broader stroke";
    let of_stroke = ["thinnest stroke", "may break up", remedy];
    let of_height = ["x-height", "is hard to read", "use a larger font_size"];
    let stroke = below("stroke_width", (THINNEST_STROKE_PT, "pt"), facts.thinnest_stroke_pt, of_stroke);
    let x_height = below("x_height", (SMALLEST_X_HEIGHT_MM, "mm"), facts.x_height_mm, of_height);
    stroke.into_iter().chain(x_height).collect()
}

/// Lob prefers other printing conditions than the newest one, which is the default.
fn output_condition(spec: &RenderSpec) -> Option<Finding> {
    let OutputFormat::Pdf(plan) = &spec.output else { return None };
    let newest = plan.colors == PdfColors::PdfX1a(PrintingCondition::Gracol2013);
    (plan.preset == Preset::Lob && newest).then(|| {
        let message = "the output intent is GRACoL 2013; Lob prefers SWOP v2 or GRACoL 2006";
        let remedy = "use pdf.icc_profile 'gracol_2006'";
        Finding::new(Severity::Info, "output_condition", "pdf.icc_profile", message, remedy)
    })
}
