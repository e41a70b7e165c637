//! The repository itself: imports, documents, dependencies, deployment files, requests of the benchmarks.

pub(crate) mod architecture;
pub(crate) mod benchmarks;
pub(crate) mod deployment;
pub(crate) mod docs;
pub(crate) mod release;
pub(crate) mod supply_chain;
