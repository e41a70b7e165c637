//! What a page would meet on its way to press and reader: found from specification and layout, before anything is
//! drawn.
//!
//! Input: a [`RenderSpec`](crate::spec::RenderSpec) and its [`PageLayout`](crate::layout::PageLayout)s. Output:
//! warnings for the client of the page, and [`Finding`]s. In order:
//!
//! 1. `mail_warnings` tells what a mail piece changed, `spec_warnings` which fields have no effect,
//!    `press_warnings` what a PDF does otherwise than asked, `ink_contrast` which ink white paper hides, and
//!    `text_warnings` which words were hardly meant (`literal_placeholder`; `suspicious_text` with `exported_value`, `markup` and `misread_text`).
//! 2. `target` finds what the page is checked against: its mail piece, or what its preset prints.
//! 3. `ink_areas` finds where the ink lies, `page_facts` how fine it is, and `findings` checks both; `artwork_findings`
//!    checks what lies under it. `of_warnings` makes findings of warnings and of texts that cannot be laid out, so that
//!    both say the same.
//!
//! All are pure functions. The module draws nothing and knows no files.

mod artwork_findings;
mod exported_value;
mod field_name;
mod finding;
mod findings;
mod ink_areas;
mod ink_contrast;
mod literal_placeholder;
mod mail_warnings;
mod markup;
mod misread_text;
mod of_warnings;
mod page_facts;
mod press_warnings;
mod spec_warnings;
mod suspicious_text;
mod target;
mod text_warnings;

pub(crate) use exported_value::{is_exported_value, is_nothing};
pub(crate) use field_name::letters;
pub use finding::{Finding, Measure, Severity, verdict};
pub use findings::{PlacedText, findings};
pub(crate) use ink_contrast::{invisible_inks, preview_paper};
pub(crate) use literal_placeholder::foreign_placeholder;
pub(crate) use mail_warnings::mail_warnings;
pub use of_warnings::{no_strokes, of_refusal, too_costly, too_many_pages};
pub use page_facts::{PageFacts, page_facts};
pub(crate) use spec_warnings::spec_warnings;
pub(crate) use suspicious_text::question_marks_in_word;
pub use target::Target;
pub(crate) use text_warnings::text_warnings;
