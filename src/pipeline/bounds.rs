//! Limits on what one request may cost: steps of its layout, number of pages, drawing.
//!
//! Layout steps are limited while the layout runs. The cost of drawing and encoding is known after the layout, and
//! limited before they begin.

use super::control::JobControl;
use super::cost::Cost;
use super::error::RenderError;
use super::laid_out::LaidOutWriting;
use crate::catalogue::FontCatalogue;
use crate::spec::{RenderSpec, field_of};
use crate::units::{DeviceScale, Dpi};
use crate::work::WorkMeter;

/// Most pages of a file.
const MOST_PAGES: usize = 200;
/// Steps that an expensive layout takes: a fixed number, and a number per byte. Usual texts take a fifth.
const LAYOUT_STEPS: u64 = 16_000;
const LAYOUT_STEPS_PER_BYTE: u64 = 120;

/// Steps that laying out the text may take before it counts as too costly: three times those of an expensive layout.
pub(super) fn layout_budget(spec: &RenderSpec) -> u64 {
    let bytes = spec.text.len() + spec.blocks.iter().map(|block| block.text.len()).sum::<usize>();
    let writings = spec.blocks.len() as u64 + 1;
    3 * (LAYOUT_STEPS * writings + LAYOUT_STEPS_PER_BYTE * bytes as u64)
}

/// Reports the cost of a layout, and of drawing its pages; of the layout alone if there are no pages.
///
/// # Errors
/// [`RenderError::TooManyPages`], and [`RenderError::TooCostly`] if drawing them costs more than one request may.
pub(super) fn check_cost(
    spec: &RenderSpec,
    pages: &[Vec<LaidOutWriting>],
    scale: DeviceScale,
    catalogue: &FontCatalogue,
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
    let cost = Cost::of_writings(spec, pages, scale.get()) + Cost::of_outlines(spec, pages, scale, catalogue);
    (control.report_cost)(of_layout + cost);
    if cost > Cost::MOST {
        return Err(RenderError::TooCostly {
            field: field_of(spec.blocks.first().filter(|_| !spec.has_body()).map(|_| 0), "font_size"),
            message: format!(
                "{} of this size cost {:.0} times what one request may; use a smaller font_size, a shorter text{} or \
                 fewer effects",
                if pages.len() == 1 { "a page".to_owned() } else { format!("{} pages", pages.len()) },
                (cost.get() / Cost::MOST.get()).ceil(),
                if spec.dpi == Dpi::default() { "" } else { ", dpi 300" },
            ),
        });
    }
    Ok(())
}
