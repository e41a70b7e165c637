//! The beginning of every request, before anything is drawn.
//!
//! Input: a valid [`RenderSpec`] and the fonts. Output: a [`LaidOutSheet`] with the warnings for its client, or the
//! reason for refusing it. For each side in this order: are the fonts there (`page_texts`) and have they strokes where the page needs
//! them (`strokes`), the layout (`page_texts`), its cost, the errors that refuse a page (`preflight`), the warnings.
//! A `dry_run` ends here.

pub(super) mod dry_run;
pub(super) mod laid_out;
pub(super) mod page_texts;
pub(super) mod preflight;
mod strokes;

use std::cell::Cell;

use super::control::JobControl;
use super::cost::Cost;
use super::cost::bounds::check_sheet;
use super::error::RenderError;
use crate::preflight::{invisible_inks, mail_warnings, spec_warnings, text_warnings};
use crate::spec::{RenderSpec, side_name};
use crate::units::DeviceScale;
use laid_out::{LaidOutFile, LaidOutSheet};
use page_texts::{lay_out_texts, refuse_missing_fonts};
use preflight::refuse_errors;
use strokes::{refuse_characters_without_strokes, refuse_fonts_without_strokes};

/// Purpose of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// A page or file at full quality.
    File,
    /// A preview, drawn at this scale. It is shown in spite of errors.
    Preview(DeviceScale),
    /// A report, which tells errors and warnings as findings.
    Report,
}

impl Aim {
    /// The scale at which a side is drawn.
    fn scale(self, side: &RenderSpec) -> DeviceScale {
        match self {
            Self::Preview(scale) => scale,
            Self::File | Self::Report => side.drawn_dpi().scale(),
        }
    }
}

/// Lays a request out: its sides, if it has two, else its page.
///
/// # Errors
/// As [`prepare_side`], and if both sides are too much together.
pub(super) fn prepare<'a>(
    spec: &'a RenderSpec,
    aim: Aim,
    control: &JobControl<'_>,
) -> Result<LaidOutSheet<'a>, RenderError> {
    let cost = Cell::new(Cost::ZERO);
    let report_cost = |of_side| {
        cost.set(cost.get() + of_side);
        (control.report_cost)(cost.get());
    };
    let control = JobControl { report_cost: &report_cost, ..*control };
    let side = |(number, side): (usize, &'a RenderSpec)| {
        let laid_out = prepare_side(side, aim, &control);
        if spec.back.is_none() {
            return Ok((side, laid_out?));
        }
        Ok((side, laid_out.map_err(|error| error.inside(&side_name(number)))?))
    };
    let sides = spec.sides().enumerate().map(side).collect::<Result<_, RenderError>>()?;
    let sheet = LaidOutSheet { sides };
    check_sheet(&sheet, cost.get())?;
    Ok(sheet)
}

/// Lays one side out.
///
/// # Errors
/// When a font is not loaded or has no strokes, a text cannot be written as asked, or the request costs too much. With
/// [`Aim::File`] also when the page has errors, and the request refuses such pages.
pub(super) fn prepare_side(spec: &RenderSpec, aim: Aim, control: &JobControl<'_>) -> Result<LaidOutFile, RenderError> {
    let catalogue = control.catalogue;
    refuse_missing_fonts(spec, catalogue)?;
    refuse_fonts_without_strokes(spec, catalogue)?;
    let mut laid_out = lay_out_texts(spec, aim.scale(spec), control)?;
    refuse_characters_without_strokes(&laid_out, catalogue)?;
    laid_out.file.warnings.extend(text_warnings(spec));
    match aim {
        Aim::File => {
            refuse_errors(spec, &laid_out, catalogue)?;
            laid_out.file.warnings.extend(spec_warnings(spec));
        }
        Aim::Preview(_) => {
            laid_out.file.warnings.extend(mail_warnings(spec));
            laid_out.file.warnings.extend(invisible_inks(spec));
        }
        Aim::Report => {}
    }
    Ok(laid_out)
}
