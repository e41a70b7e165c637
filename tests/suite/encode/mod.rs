//! PNG files: against decoders that others wrote, the training of the codes, and viewers.

pub(crate) mod corpus;
pub(crate) mod files;
pub(crate) mod training;
pub(crate) mod viewers;
