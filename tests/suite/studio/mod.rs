//! The studio in a real browser.

pub(crate) mod artwork;
pub(crate) mod links;
pub(crate) mod own_hand;
pub(crate) mod page;
pub(crate) mod shared;
pub(crate) mod tasks;
pub(crate) mod units;
