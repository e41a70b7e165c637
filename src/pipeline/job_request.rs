//! A job that is submitted, and the reasons for refusing it.

use std::sync::Arc;

use super::cost::Cost;

/// Who work is done for: those of equal names share one turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenant(Arc<str>);

impl From<&str> for Tenant {
    fn from(name: &str) -> Self {
        Self(Arc::from(name))
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page at full quality.
    Page,
    /// A preview: free, and so the first to go.
    Preview,
}

/// Who asks for what, and what it will cost.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) tenant: Tenant,
    pub(super) kind: Kind,
    pub(super) cost: Cost,
    /// Pixels of the page that are worked on at a time, inked or not: they bound the memory that it takes.
    pub(super) pixels: Cost,
}

/// Why work was turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The queue is full.
    QueueFull,
    /// The queue is half full: previews go first.
    PreviewsFirst,
    /// The tenant holds as much of the queue as is free.
    TenantShare,
    /// It would likely wait too long.
    TooLate,
    /// It has waited as long as it may.
    Expired,
}

impl Shed {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::QueueFull, Self::PreviewsFirst, Self::TenantShare, Self::TooLate, Self::Expired];

    /// As metrics call it.
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
