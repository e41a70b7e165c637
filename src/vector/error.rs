//! The reasons why a page has no outlines.

use thiserror::Error;

use crate::mesh::{MeshError, MeshKey};
use crate::work::Stopped;

/// Why a page has no outlines.
#[derive(Debug, Error)]
pub enum OutlineError {
    /// A glyph cannot be tessellated.
    #[error("{key:?}: {source}")]
    Mesh {
        /// The glyph.
        key: MeshKey,
        /// The error of the tessellator.
        source: MeshError,
    },
    /// The client does not want the page any more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
