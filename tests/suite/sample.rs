//! How much of a long list a run tests: a sample, so that a change is checked soon, or all of it (`make test-all`).

/// Where this is set, tests go through whole lists.
const ALL: &str = "LONGHAND_TEST_ALL";

/// Whether this run tests all.
pub(crate) fn is_all() -> bool {
    std::env::var_os(ALL).is_some()
}

/// Every `step`th of these, or all.
pub(crate) fn every<T>(step: usize, items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().step_by(if is_all() { 1 } else { step }).collect()
}

/// What a sample has, or what all have.
pub(crate) fn either<T>(sample: T, all: T) -> T {
    if is_all() { all } else { sample }
}
