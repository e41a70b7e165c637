//! What a job asks and reports while it runs: whether the client still waits, and its cost.

use super::cost::Cost;
use crate::work::IsWanted;

/// How whoever ordered a page follows its making. The default wants it to the end.
#[derive(Clone, Copy)]
pub(super) struct JobControl<'a> {
    /// Whether the page is still wanted; asked several times in each stage.
    pub(super) is_wanted: IsWanted<'a>,
    /// Told once what the page costs, when it is laid out or could not be.
    pub(super) tell_cost: &'a dyn Fn(Cost),
}

impl Default for JobControl<'_> {
    fn default() -> Self {
        Self { is_wanted: &|| true, tell_cost: &|_| () }
    }
}
