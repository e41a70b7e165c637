//! The running program, reached over sockets.

pub(crate) mod access;
pub(crate) mod admin;
pub(crate) mod bucket;
#[cfg(feature = "faults")]
pub(crate) mod faults;
pub(crate) mod fleet;
pub(crate) mod fleet_jobs;
pub(crate) mod fleet_tls;
pub(crate) mod fonts;
pub(crate) mod gpus;
pub(crate) mod hostile;
pub(crate) mod jobs;
pub(crate) mod log;
pub(crate) mod operations;
pub(crate) mod program;
pub(crate) mod server;
pub(crate) mod shutdown;
pub(crate) mod store;
pub(crate) mod traces;
