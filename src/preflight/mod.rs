//! What a page would meet on its way to the reader: found from specification and layout, before anything is drawn.
//!
//! Input: a [`RenderSpec`](crate::spec::RenderSpec). Output: warnings for the client ([`spec_warnings`]). Parts:
//! `mail_warnings` tells what a mail piece changed, `file_warnings` which fields have no effect,
//! `press_warnings` what a PDF does otherwise than asked, `ink_contrast`
//! which ink white paper hides. The module draws nothing and knows no files.

mod file_warnings;
mod ink_contrast;
mod mail_warnings;
mod press_warnings;

pub(crate) use ink_contrast::{invisible_ink, preview_paper};
pub(crate) use mail_warnings::mail_warnings;

use crate::layout::Warning;
use crate::spec::RenderSpec;

/// The warnings that follow from the specification alone.
pub(crate) fn spec_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let mut warnings = mail_warnings(spec);
    warnings.extend(file_warnings::file_warnings(spec));
    warnings
}
