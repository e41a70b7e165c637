//! A glyph's ink as a closed boundary that can be summed exactly.
//!
//! Input: an [`Outline`](crate::catalogue::Outline) as the type designer drew it, contours overlapping as they please.
//! Output: a [`GlyphMesh`]: straight segments in font units that bound the glyph's non-zero fill once, without
//! overlap, all turning the same way. Phases: `detail` (how close chords must be to curves, and how
//! long they may be) -> `samples` (curves to
//! points) -> `chords` (the fewest that stay close to them) -> `tessellate` (lyon) -> `boundary` (the edges of the
//! triangles that no neighbour shares) -> `slices` (how far it reaches); `join` does the same for the overlap of two
//! neighbouring glyphs; `normals` says which way strokes grow; `cache` keeps all.
//!
//! Signed areas of such a boundary add up to exact coverage; those of the raw outline do not, wherever it overlaps
//! itself. This is the only module that names lyon. It knows neither positions on the page nor the device.

mod boundary;
mod cache;
mod chords;
mod detail;
mod join;
mod normals;
mod samples;
mod slices;
mod tessellate;
mod vector;

pub use boundary::{GlyphMesh, Normals, Segment};
pub use cache::{GlyphKey, JoinKey, MeshCache, MeshKey};
pub use detail::Detail;
pub use tessellate::{MeshError, tessellate};
