//! What to render: from an untrusted request to a specification that is valid by construction.
//!
//! Input: the JSON body, or the flags of `longhand render`, as a [`RenderRequest`]. Output: a [`RenderSpec`], or every
//! violation at once. Phases: `request` (wire names, JSON types) -> `validate` (ranges, combinations) -> `render_spec`.
//! After this module nothing is re-checked. It knows no fonts beyond their number, no layout and no HTTP status.

mod page;
mod render_spec;

pub use page::{Orientation, PageFormat, PageSize};
pub use render_spec::{
    Alignment, AutoSize, Effects, FontSize, GenerationKind, InkFlow, Kerning, Margins, NaturalVariation, OutputFormat,
    Overflow, RandomIndentation, RenderSpec, Rgb, WordRotation,
};
