//! (opening)
