//! What a job asks and reports while it runs: whether the client still waits, and its cost.

use super::cost::Cost;
use crate::work::IsWanted;

/// The callbacks of a job. The default never cancels it.
#[derive(Clone, Copy)]
pub(super) struct JobControl<'a> {
    /// Returns whether the page is still wanted. Each stage calls it often.
    pub(super) is_wanted: IsWanted<'a>,
    /// Receives the cost of the job once its layout has ended.
    pub(super) report_cost: &'a dyn Fn(Cost),
}

impl Default for JobControl<'_> {
    fn default() -> Self {
        Self { is_wanted: &|| true, report_cost: &|_| () }
    }
}
