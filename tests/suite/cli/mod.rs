//! The commands of the program, each run as a process.

pub(crate) mod batch;
pub(crate) mod batch_exports;
pub(crate) mod batch_mailing;
pub(crate) mod batch_service;
pub(crate) mod commands;
pub(crate) mod doctor;
pub(crate) mod hand;
pub(crate) mod render;
pub(crate) mod serve;
