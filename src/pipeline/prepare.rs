//! What comes before drawing, for every kind of request: whether the fonts are there, the layout, its cost, what is
//! refused, and what the client is warned of.

use super::control::JobControl;
use super::error::RenderError;
use super::laid_out::LaidOutFile;
use super::preflight::refuse_errors;
use super::strokes::{refuse_characters_without_strokes, refuse_fonts_without_strokes};
use super::writings::{lay_out_writings, refuse_missing_fonts};
use crate::catalogue::FontCatalogue;
use crate::preflight::{invisible_inks, mail_warnings, spec_warnings};
use crate::spec::RenderSpec;
use crate::units::DeviceScale;

/// Purpose of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// A page or file at full quality.
    File,
    /// A preview. It is shown in spite of errors.
    Preview,
    /// A report, which tells errors and warnings as findings.
    Report,
}

/// Lays a request out, to be drawn at `scale`.
///
/// # Errors
/// When a font is not loaded or has no strokes, a text cannot be written as asked, or the request costs too much. With
/// [`Aim::File`] also when the page has errors, and the request refuses such pages.
pub(super) fn prepare(
    spec: &RenderSpec,
    aim: Aim,
    scale: DeviceScale,
    catalogue: &FontCatalogue,
    control: &JobControl<'_>,
) -> Result<LaidOutFile, RenderError> {
    refuse_missing_fonts(spec, catalogue)?;
    refuse_fonts_without_strokes(spec, catalogue)?;
    let mut file = lay_out_writings(spec, scale, catalogue, control)?;
    refuse_characters_without_strokes(&file, catalogue)?;
    match aim {
        Aim::File => {
            refuse_errors(spec, &file, catalogue)?;
            file.warnings.extend(spec_warnings(spec));
        }
        Aim::Preview => {
            file.warnings.extend(mail_warnings(spec));
            file.warnings.extend(invisible_inks(spec));
        }
        Aim::Report => {}
    }
    Ok(file)
}
