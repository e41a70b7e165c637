//! Longhand.
fn main() {}
