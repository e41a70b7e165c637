//! Context of a job: its fonts, whether the client still waits, and where it reports its cost.

use super::cost::Cost;
use crate::catalogue::FontCatalogue;
use crate::work::IsWanted;

/// The fonts and the callbacks of a job.
#[derive(Clone, Copy)]
pub(super) struct JobControl<'a> {
    /// The fonts that were loaded when the job entered the queue.
    pub(super) catalogue: &'a FontCatalogue,
    /// Returns whether the page is still wanted. Each stage calls it often.
    pub(super) is_wanted: IsWanted<'a>,
    /// Receives the cost of the job once its layout has ended.
    pub(super) report_cost: &'a dyn Fn(Cost),
}

impl<'a> JobControl<'a> {
    /// Of a job that is never cancelled.
    pub(super) fn new(catalogue: &'a FontCatalogue) -> Self {
        Self { catalogue, is_wanted: &|| true, report_cost: &|_| () }
    }
}
