//! Limits on what one request may cost: steps of its layout, number of pages, drawing.
//!
//! Layout steps are limited while the layout runs. The cost of drawing and encoding is known after the layout, and
//! limited before they begin.

use super::Cost;
use super::vector_estimate::VectorEstimate;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::laid_out::{LaidOutSheet, LaidOutText};
use crate::spec::{OutputFormat, RenderSpec, Representation, SIDES_FIELD, SvgGlyphs, SvgOptions, field_of};
use crate::units::{DeviceScale, Dpi};
use crate::work::WorkMeter;

/// Most pages of a file.
const MOST_PAGES: usize = 200;
/// Longest file of paths, in bytes.
const LONGEST_FILE: u64 = 60_000_000;
/// Steps that an expensive layout takes: a fixed number, and a number per byte. Usual texts take a fifth.
const LAYOUT_STEPS: u64 = 16_000;
const LAYOUT_STEPS_PER_BYTE: u64 = 120;

/// Steps that laying out the text may take before it counts as too costly: three times those of an expensive layout.
pub(in crate::pipeline) fn layout_budget(spec: &RenderSpec) -> u64 {
    let bytes = spec.text.len() + spec.blocks.iter().map(|block| block.text.len()).sum::<usize>();
    let texts = spec.blocks.len() as u64 + 1;
    3 * (LAYOUT_STEPS * texts + LAYOUT_STEPS_PER_BYTE * bytes as u64)
}

/// Reports the cost of a layout, and of drawing its pages; of the layout alone if there are no pages.
///
/// # Errors
/// [`RenderError::TooManyPages`], and [`RenderError::TooCostly`] if drawing them costs more than one request may.
pub(in crate::pipeline) fn check_cost(
    spec: &RenderSpec,
    pages: &[Vec<LaidOutText>],
    scale: DeviceScale,
    work: &WorkMeter<'_>,
    control: &JobControl<'_>,
) -> Result<(), RenderError> {
    let of_layout = Cost::of_steps(work.spent());
    if pages.is_empty() {
        (control.report_cost)(of_layout);
        return Ok(());
    }
    if pages.len() > MOST_PAGES {
        (control.report_cost)(of_layout);
        return Err(RenderError::TooManyPages { needed: pages.len(), most: MOST_PAGES });
    }
    let of_files = match spec.representation() {
        Representation::Image => Cost::of_texts(spec, pages, scale.get()),
        Representation::Outlines | Representation::Welded | Representation::Strokes => {
            let estimate = VectorEstimate::of(spec, pages, control.catalogue);
            refuse_long_file(spec, estimate.bytes)?;
            estimate.cost + Cost::of_artwork(spec, spec.dpi.scale().get())
        }
    };
    let cost = of_files + Cost::of_meshes(spec, pages, scale, control.catalogue);
    (control.report_cost)(of_layout + cost);
    if cost > Cost::MOST {
        return Err(RenderError::TooCostly {
            field: first_field(spec, "font_size"),
            message: format!(
                "{} of this size cost {:.0} times what one request may; use a smaller font_size, a shorter text{} or \
                 fewer effects",
                if pages.len() == 1 { "a page".to_owned() } else { format!("{} pages", pages.len()) },
                (cost.get() / Cost::MOST.get()).ceil(),
                if spec.dpi == Dpi::default() || spec.representation() != Representation::Image {
                    ""
                } else {
                    ", dpi 300"
                },
            ),
        });
    }
    Ok(())
}

/// Refuses a sheet whose two sides, each within the limits, are too much together.
///
/// # Errors
/// [`RenderError::TooManyPages`] and [`RenderError::TooCostly`].
pub(in crate::pipeline) fn check_sheet(sheet: &LaidOutSheet<'_>, cost: Cost) -> Result<(), RenderError> {
    let pages = sheet.pages().count();
    if pages > MOST_PAGES {
        return Err(RenderError::TooManyPages { needed: pages, most: MOST_PAGES });
    }
    if sheet.sides.len() < 2 || cost <= Cost::MOST {
        return Ok(());
    }
    let times = cost.get() / Cost::MOST.get();
    let message = format!(
        "both sides together cost {times:.1} times what one request may; use smaller sizes, shorter texts or fewer effects"
    );
    Err(RenderError::TooCostly { field: SIDES_FIELD.to_owned(), message })
}

/// Refuses a file of paths that would be too long.
fn refuse_long_file(spec: &RenderSpec, bytes: u64) -> Result<(), RenderError> {
    if bytes <= LONGEST_FILE {
        return Ok(());
    }
    let (megabytes, most) = (bytes / 1_000_000, LONGEST_FILE / 1_000_000);
    let shared = match &spec.output {
        OutputFormat::Svg(SvgOptions { paths: Representation::Outlines, glyphs: SvgGlyphs::Paths, .. })
            if !spec.effects.bends_outlines() =>
        {
            ", svg.glyphs 'shared'"
        }
        _ => "",
    };
    let message = format!(
        "the paths of these letters fill about {megabytes} MB, a file may have {most} MB; use a shorter text{shared} or a \
         font with fewer points"
    );
    Err(RenderError::TooCostly { field: first_field(spec, "text"), message })
}

/// A field of the body, or of the first block if there is no body.
fn first_field(spec: &RenderSpec, name: &str) -> String {
    field_of(spec.blocks.first().filter(|_| !spec.has_body()).map(|_| 0), name)
}
