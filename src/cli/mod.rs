//! (opening)

pub mod keys;
