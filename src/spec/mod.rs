//! From an untrusted request to a specification that is valid by construction.
//!
//! Input: the bytes of a body, or a JSON value. Output: a [`RenderSpec`], or all violations at once ([`parse_request`],
//! [`parse_value`]). In order:
//!
//! 1. `strict_json`: bytes to one JSON value.
//! 2. `render_request`: each field alone, by the tables in `request_fields`, `pdf_options`, `svg_options`,
//!    `custom_page`, `blocks`, `artwork`, `ruling` and `preview_region`; fields that are left out have the values of
//!    the `preset`.
//!    Of a sheet with two sides (`side_list`), `sides` reads each as a request.
//! 3. `combinations`: rules over several fields.
//! 4. `mail_piece` and `text_area`: the paper and the text area of a piece of mail.
//! 5. `render_spec`: the result, with its `placed_artwork` and `drawn_rules`, for a PDF with a `press_plan`, which tells a
//!    `provider` that refuses it.
//!
//! The same tables describe the interface ([`Endpoint::fields`]). `field`, `kinds` and `special_kinds` define the rows;
//! `known` has the fonts and the artwork that a request may name; `violation_collector` and `violation` report,
//! `wording`, `suggestion` and `meant` write the messages. After this module nothing is validated again. It knows fonts
//! by number and name only, no layout and no HTTP status.

mod artwork;
mod blocks;
mod combinations;
mod custom_page;
mod drawn_rules;
mod effects;
mod endpoint;
mod field;
mod field_table;
mod kinds;
mod known;
mod list;
mod mail_piece;
mod meant;
mod output_name;
mod page;
mod page_box;
mod page_texts;
mod parse;
mod pdf_options;
mod pen;
mod placed_artwork;
mod preset;
mod press_plan;
mod preview_region;
mod provider;
mod render_request;
mod render_spec;
mod representation;
mod request_fields;
mod rgb;
mod ruling;
mod shown_drawings;
mod side_list;
mod sides;
mod special_kinds;
mod strict_json;
mod suggestion;
mod svg_options;
mod text_area;
mod violation;
mod violation_collector;
mod wording;

pub use combinations::{ADDRESS_CHARACTERS, ADDRESS_LINES, is_newline};
pub use drawn_rules::DrawnRules;
pub use effects::{EffectFacts, Effects, InkFlow, NaturalVariation, WriterVariation};
pub use endpoint::{Endpoint, fields};
pub use field::{FieldDescription, FieldKind, ObjectDescription};
pub use known::Known;
pub use mail_piece::{MailPiece, ReservedZone};
pub use output_name::{FormatFacts, OutputName, PngFormat};
pub use page::{Orientation, PageFormat, PageMeasures, PageSize, PageUnit};
pub use page_texts::{PageText, field_of};
pub use parse::{parse_request, parse_request_for, parse_value, parse_value_for};
pub use pdf_options::{CropBox, LayoutProfile, Preset, PrintingCondition, Region, Standard, TextLayer};
pub use pen::{PenKind, PenUse};
pub use placed_artwork::{ArtworkFit, ArtworkPages, PlacedArtwork};
pub use preset::RequestPreset;
pub use press_plan::{CropMarks, IgnoredOptions, MARK_WIDTH, PdfColors, PressPlan};
pub use provider::ProviderRefusal;
pub use render_spec::{
    Alignment, Block, BlockPage, FontSize, GenerationKind, Kerning, MailUse, Margins, OnFinding, OutputFormat,
    Overflow, RaisedMargin, RenderSpec, Ruling, VerticalAlignment,
};
pub use representation::Representation;
pub use rgb::Rgb;
pub use sides::{SIDES_FIELD, side_name};
pub use strict_json::read_json;
pub(crate) use strict_json::read_json_by_item;
pub use svg_options::{SvgGlyphs, SvgGroups, SvgOptions};
pub use violation::{FileReading, PathSegment, RequestError, Violation, ViolationKind, Violations};
pub(crate) use wording::{alternatives, shortened};
