//! A job that is submitted, and the reasons for refusing it.

use std::sync::Arc;

use crate::pipeline::cost::Cost;

/// A client of the queue. Equal names share one turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(Arc<str>);

impl Tenant {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Tenant {
    fn from(name: &str) -> Self {
        Self(Arc::from(name))
    }
}

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// A page at full quality.
    Page,
    /// A preview: free, and so refused first.
    Preview,
    /// A row of a mailing that nobody waits for: runs in the gaps between pages.
    Background,
}

/// A tenant's request for a job, with its estimated cost.
#[derive(Clone, Debug)]
pub(super) struct JobRequest {
    pub(super) tenant: Tenant,
    pub(in crate::pipeline) kind: JobKind,
    pub(in crate::pipeline) cost: Cost,
    /// Pixels of the page in progress, inked or not. They bound its memory.
    pub(in crate::pipeline) pixels: Cost,
}

/// The reason for a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The queue is full.
    QueueFull,
    /// The queue is half full, and previews are refused first.
    PreviewsFirst,
    /// The tenant holds as much of the queue as is free.
    TenantShare,
    /// It would probably wait too long.
    TooLate,
    /// It has waited as long as it may.
    Expired,
}

impl RejectReason {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::QueueFull, Self::PreviewsFirst, Self::TenantShare, Self::TooLate, Self::Expired];

    /// The name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QueueFull => "queue_full",
            Self::PreviewsFirst => "previews_first",
            Self::TenantShare => "key_share",
            Self::TooLate => "too_late",
            Self::Expired => "expired",
        }
    }
}
