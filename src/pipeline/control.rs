//! Context of a job: its fonts, whether the client still waits, and where it reports its cost.

use std::sync::Arc;

use super::cost::Cost;
use crate::catalogue::FontCatalogue;
use crate::work::IsWanted;

/// The fonts and the callbacks of a job. The default has the engine's fonts, and never cancels the job.
#[derive(Clone, Copy)]
pub(super) struct JobControl<'a> {
    /// The fonts that were loaded when the job entered the queue; `None` means those at present.
    pub(super) catalogue: Option<&'a Arc<FontCatalogue>>,
    /// Returns whether the page is still wanted. Each stage calls it often.
    pub(super) is_wanted: IsWanted<'a>,
    /// Receives the cost of the job once its layout has ended.
    pub(super) report_cost: &'a dyn Fn(Cost),
}

impl Default for JobControl<'_> {
    fn default() -> Self {
        Self { catalogue: None, is_wanted: &|| true, report_cost: &|_| () }
    }
}
