//! The ink of glyphs as closed boundaries whose signed areas can be summed exactly.
//!
//! Input: an [`Outline`](crate::catalogue::Outline) from a font, whose contours may overlap. Output: a [`GlyphMesh`]:
//! straight segments in font units that bound the glyph's non-zero fill once, without overlap, all in the same
//! direction. In order:
//!
//! 1. `detail`: the deviation of chords from curves (0.02 device px for the largest em of a size class, two classes per
//!    octave; up to 0.05 px where a gentle field bends the outline), and the length of pieces.
//! 2. `samples`: curves become points. `chords`: the fewest chords that stay within the tolerance.
//! 3. `tessellate`: lyon's tessellator resolves the overlaps of a glyph with itself. `boundary`: the edges that no two
//!    triangles share.
//! 4. `slices`: the extent of the ink at each height.
//!
//! `join` computes the correction for the overlap of two neighbouring glyphs. `normals` adds the direction in which
//! strokes grow. `path` cuts outlines that are to be bent into short pieces. `cache` keeps meshes and joins.
//!
//! The signed areas of such boundaries add up to exact coverage; those of a raw outline that overlaps itself do not.
//! This is the only module that uses lyon. It knows neither positions on the page nor the device.

mod boundary;
mod cache;
mod chords;
mod detail;
mod join;
mod normals;
mod path;
mod samples;
mod slices;
mod tessellate;
mod vector;

pub use boundary::GlyphMesh;
pub use cache::{GlyphKey, JoinKey, MeshCache, MeshKey};
pub use detail::Detail;
pub use path::Vertex;
#[cfg(test)]
pub(crate) use path::{BEGINS, END_STEP, NORMAL_STEPS, STARTS};
pub use tessellate::{MeshError, tessellate};
