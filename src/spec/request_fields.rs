//! The table of the generation request: one row per field.
//!
//! Reading, the refusal of unknown names, and the description of the interface use this table.

use super::artwork::{MOST_ARTWORK, WantedArtwork};
use super::blocks::{MOST_BLOCKS, WantedBlock};
use super::custom_page::CustomPage;
use super::field::{Absent, Field, Object};
use super::field_table::field_table;
use super::kinds::{Boolean, Integer, Number, OneOf, OneOfIntegers, OrNull, Text};
use super::list::List;
use super::output_name::{OutputName, PngFormat};
use super::page::{NAMES as PAGE_SIZE_NAMES, Orientation, PageSize, WantedPage};
use super::pdf_options::PdfOptions;
use super::pen::{PenKind, PenUse};
use super::preset::RequestPreset;
use super::preview_region::PreviewRegion;
use super::render_spec::{Alignment, GenerationKind, OnFinding, Overflow, VerticalAlignment};
use super::ruling::RulingKind;
use super::special_kinds::{Color, FontNumber, FontSizeOrAuto, MailPieceName, WantedSize};
use super::svg_options::SvgOptions;
use crate::catalogue::FontId;
use crate::units::Dpi;

/// `max_auto_font_size` when it is left out or null.
pub(super) const LARGEST_AUTO_SIZE: u16 = 200;

/// `line_height_multiplier` when it is left out.
const DEFAULT_LINE_HEIGHT: f64 = 2.0;
/// Each margin when it is left out, px: about 20 mm.
const DEFAULT_MARGIN: u16 = 240;
/// The range of each margin in px.
const MARGIN_RANGE: Integer<u16> = Integer { min: 0, max: 5000 };

field_table! {
    /// A request, field by field; defaults are filled in. Fields that broke their constraint hold the default, so it is
    /// valid only if the collector has no violation.
    #[derive(Debug)]
    pub(super) struct RenderRequest {
        /// The page that a preview shows; 0 in other requests.
        shown_page: u16,
        /// Whether a preview tells where its words are.
        places: bool,
        /// The part of the page that a preview shows.
        region: Option<PreviewRegion>,
        /// The fields that the request leaves out and its preset sets.
        preset_fields: Vec<&'static str>,
    }

    /// Text to write. A newline is a line break; two in a row make paragraph spacing.
    TEXT text: Text = Text, RequiredUnless(&["blocks", "artwork"], String::new());
    /// Sets fields that the request leaves out. `letter`, for writing that looks like a person's: `pen` `ballpoint`
    /// with a `pen_strength` of 1.4, `enable_writer_variation`, `enable_word_rotation` with a `word_rotation_range` of 1,
    /// and a `line_height_multiplier` of 1.5. Null: none.
    PRESET preset: OrNull<OneOf<RequestPreset>> = OrNull(OneOf(RequestPreset::NAMES)), Default(None);
    /// Which of the fonts to write in: 1 to 90, or a font of the operator from 1001.
    FONT_ID font_id: FontNumber = FontNumber, Default(FontId::DEFAULT.get());
    /// Font size in pixels, or `auto` for the largest at which the text fits and no word is broken.
    FONT_SIZE font_size: FontSizeOrAuto = FontSizeOrAuto, Default(WantedSize::Auto) in "px";
    /// Largest size that `auto` may choose; applies only when `font_size` is `auto`. Null: 200.
    MAX_AUTO_FONT_SIZE max_auto_font_size: OrNull<Integer<u16>> =
        OrNull(Integer { min: 20, max: 400 }), Default(Some(LARGEST_AUTO_SIZE)) in "px";
    /// `standard`: cards, letters, general text. `address`: an envelope address of at most 5 lines and 250 characters
    /// with a manual `font_size`.
    GENERATION_TYPE generation_type: OneOf<GenerationKind> = OneOf(GenerationKind::NAMES), Default(GenerationKind::Standard);
    /// Page format; `custom` for the sides of `custom_page`.
    PAGE_SIZE page_size: OneOf<WantedPage> = OneOf(PAGE_SIZE_NAMES), Default(Some(PageSize::A4));
    /// The sides of the page; required with `page_size` `custom`, and refused without.
    CUSTOM_PAGE custom_page: OrNull<Object<CustomPage>> = OrNull(Object::NEW), Default(None);
    /// `landscape` puts the longer side of the page across. A custom page is as given, or turned by `landscape` if it
    /// is higher than wide.
    ORIENTATION orientation: OneOf<Orientation> = OneOf(Orientation::NAMES), Default(Orientation::Portrait);
    /// The side of a piece of mail that the page is. It sets `page_size`, `orientation` and `pdf.preset`, raises
    /// margins to its safe distance, and keeps the text out of its reserved zones. Null: none.
    MAIL_PIECE mail_piece: OrNull<MailPieceName> = OrNull(MailPieceName), Default(None);
    /// `png`: a picture on a transparent background. `pdf`: a PDF on white. `svg`: paths alone, for plotters, cutters
    /// and designers. A preview is a picture of a page of any of them.
    OUTPUT_FORMAT output_format: OneOf<OutputName> = OneOf(OutputName::NAMES), Default(OutputName::Png);
    /// How a PNG keeps its pixels, which are the same. `rgba`: four bytes each. `indexed`: one byte each, with a palette of
    /// the ink at 256 opacities; files are smaller. Several inks or drawn rules need `rgba`, and get it.
    PNG_FORMAT png_format: OneOf<PngFormat> = OneOf(PngFormat::NAMES), Default(PngFormat::Rgba);
    /// PDF options; used only when `output_format` is `pdf`.
    PDF pdf: OrNull<Object<PdfOptions>> = OrNull(Object::NEW), Default(None);
    /// SVG options; used only when `output_format` is `svg`.
    SVG svg: OrNull<Object<SvgOptions>> = OrNull(Object::NEW), Default(None);
    /// Output resolution. All lengths of a request are pixels at 300 DPI, whatever the resolution.
    DPI dpi: OneOfIntegers<Dpi> = OneOfIntegers(&[(300, Dpi::Dpi300), (600, Dpi::Dpi600)]), Default(Dpi::Dpi300);
    /// Line height as a multiple of the font size.
    LINE_HEIGHT_MULTIPLIER line_height_multiplier: Number =
        Number { min: 0.5, max: 4.0 }, Default(DEFAULT_LINE_HEIGHT);
    /// Extra spacing between paragraphs, pixels at 300 DPI. Null: half a line.
    LINE_BREAK_SPACING line_break_spacing: OrNull<Integer<u16>> =
        OrNull(Integer { min: 0, max: 500 }), Default(None) in "px";
    /// Rules to write on, a name or an object. All baselines stand on rules, and `line_height_multiplier` and
    /// `line_break_spacing` have no effect. Null: none.
    RULING ruling: OrNull<RulingKind> = OrNull(RulingKind), Default(None);
    /// Left margin, pixels at 300 DPI (240 is about 20 mm).
    MARGIN_LEFT margin_left: Integer<u16> = MARGIN_RANGE, Default(DEFAULT_MARGIN) in "px";
    /// Right margin, pixels at 300 DPI (240 is about 20 mm).
    MARGIN_RIGHT margin_right: Integer<u16> = MARGIN_RANGE, Default(DEFAULT_MARGIN) in "px";
    /// Top margin, pixels at 300 DPI (240 is about 20 mm).
    MARGIN_TOP margin_top: Integer<u16> = MARGIN_RANGE, Default(DEFAULT_MARGIN) in "px";
    /// Bottom margin, pixels at 300 DPI (240 is about 20 mm).
    MARGIN_BOTTOM margin_bottom: Integer<u16> = MARGIN_RANGE, Default(DEFAULT_MARGIN) in "px";
    /// Extra space between words, pixels at 300 DPI.
    WORD_SPACING word_spacing: Integer<u16> = Integer { min: 0, max: 3000 }, Default(0) in "px";
    /// Turns each word by a slight random angle.
    ENABLE_WORD_ROTATION enable_word_rotation: Boolean = Boolean, Default(false);
    /// Largest angle of word rotation, degrees.
    WORD_ROTATION_RANGE word_rotation_range: Number = Number { min: 0.0, max: 10.0 }, Default(5.0) in "degrees";
    /// Deforms the ink elastically, so that no two letters are the same.
    ENABLE_NATURAL_VARIATION enable_natural_variation: Boolean = Boolean, Default(false);
    /// Intensity of the deformation, typically 10 to 40. High values go with a sigma of 3 or more.
    NATURAL_VARIATION_ALPHA natural_variation_alpha: Integer<u8> = Integer { min: 0, max: 100 }, Default(15);
    /// Smoothness of the deformation; below 3 it looks grainy.
    NATURAL_VARIATION_SIGMA natural_variation_sigma: Integer<u8> = Integer { min: 0, max: 10 }, Default(5);
    /// Indents each line by a random length.
    ENABLE_RANDOM_INDENTATION enable_random_indentation: Boolean = Boolean, Default(false);
    /// Largest random indentation, pixels at 300 DPI.
    INDENTATION_RANGE indentation_range: Integer<u8> = Integer { min: 0, max: 100 }, Default(20) in "px";
    /// Lets the ink fade along the writing.
    ENABLE_INK_FLOW enable_ink_flow: Boolean = Boolean, Default(false);
    /// Intensity of the fading: up to 1 a ballpoint or gel pen, above it a pen that runs dry.
    INK_FLOW_INTENSITY ink_flow_intensity: Number = Number { min: 0.0, max: 3.0 }, Default(1.0);
    /// Varies every letter, gap and line as one writer does.
    ENABLE_WRITER_VARIATION enable_writer_variation: Boolean = Boolean, Default(false);
    /// How much letters, gaps and lines vary; 1 is an average writer, 0.6 an even and 1.6 an uneven one.
    WRITER_VARIATION_STRENGTH writer_variation_strength: Number = Number { min: 0.0, max: 2.0 }, Default(1.0);
    /// What the page is written with. `as_designed`: solid ink in the outlines of the font. A pen gives strokes its
    /// width and its nib, lets them live along the way, and shades the ink; fonts with thick and thin strokes keep them.
    PEN pen: OneOf<PenKind> = OneOf(PenKind::NAMES), Default(PenKind::AsDesigned);
    /// Width of the pen's line in millimetres. Null: that of the pen, but at most 0.22 of the height of small letters.
    PEN_WIDTH_MM pen_width_mm: OrNull<Number> = OrNull(Number { min: 0.1, max: 3.0 }), Default(None) in "mm";
    /// How the nib of a felt, fountain or broad pen is held: the angle of its longer axis above the baseline, degrees.
    /// Null: that of the pen.
    PEN_ANGLE pen_angle: OrNull<Number> = OrNull(Number { min: -90.0, max: 90.0 }), Default(None) in "degrees";
    /// How much the pen's line varies in width and darkness; 0 is as designed.
    PEN_STRENGTH pen_strength: Number = Number { min: 0.0, max: 2.0 }, Default(PenUse::USUAL_STRENGTH);
    /// Alignment of the lines. Centred and right-aligned lines are placed by their ink. `start`: left, and right in
    /// paragraphs that run from right to left.
    TEXT_ALIGNMENT text_alignment: OneOf<Alignment> = OneOf(Alignment::NAMES), Default(Alignment::Start);
    /// Position of the lines between the top and bottom margins, by their ink; on each page.
    VERTICAL_ALIGNMENT vertical_alignment: OneOf<VerticalAlignment> = OneOf(VerticalAlignment::NAMES), Default(VerticalAlignment::Top);
    /// Adjusts the spacing of letter pairs; false gives uniform letter spacing.
    KERNING kerning: Boolean = Boolean, Default(true);
    /// Ink colour as [red, green, blue]. Null: black.
    TEXT_COLOR text_color: OrNull<Color> = OrNull(Color), Default(None);
    /// Red, green and blue of the paper, which is not printed: warnings about inks that it hides are of this paper, and a
    /// preview leaves it out. Null: white.
    PAPER_COLOR paper_color: OrNull<Color> = OrNull(Color), Default(None);
    /// Source of all randomness: the same seed and request give the same page. Null: a fresh random seed, told in the
    /// response.
    SEED seed: OrNull<Integer<u32>> = OrNull(Integer { min: 0, max: u32::MAX }), Default(None);
    /// Text that does not fit at the chosen size. `error`: refuse it, telling the largest size that fits. `shrink`: use
    /// that size. `clip`: cut the page, with a warning. `paginate`: more pages, PDF only.
    OVERFLOW overflow: OneOf<Overflow> = OneOf(Overflow::NAMES), Default(Overflow::Error);
    /// Whether given lines stay whole: a text with a line that would wrap is written at the largest size, up to
    /// `font_size`, at which no line wraps and the text fits. If its x-height would be below 1.5 mm, the lines wrap. Null:
    /// true for `generation_type` `address`, else false.
    KEEP_LINES keep_lines: OrNull<Boolean> = OrNull(Boolean), Default(None);
    /// A page in which preflight finds an error. `report`: make it; /preflight tells. `refuse`: refuse it, uncharged. A
    /// preview is made in any case.
    ON_FINDING on_finding: OneOf<OnFinding> = OneOf(OnFinding::NAMES), Default(OnFinding::Report);
    /// Texts in boxes of their own, beside `text` or instead of it. What a block leaves out it takes from the request.
    BLOCKS blocks: OrNull<List<WantedBlock>> =
        OrNull(List { most: MOST_BLOCKS, of: "blocks", object: Object::NEW }), Default(None);
    /// Pictures under the writing, the first at the bottom: a background, a logo. Each is uploaded once, to
    /// `/api/v1/artwork`.
    ARTWORK artwork: OrNull<List<WantedArtwork>> =
        OrNull(List { most: MOST_ARTWORK, of: "pictures", object: Object::NEW }), Default(None);
}

/// Whether a preview tells where its words are.
pub(super) static PLACES: Field<Boolean> = Field {
    name: "places",
    kind: Boolean,
    absent: Absent::Default(false),
    unit: None,
    meaning: "Whether the answer tells where each word of the shown page is.",
};

/// Part of the page to show, which only a preview has.
pub(super) static REGION: Field<OrNull<Object<PreviewRegion>>> = Field {
    name: "region",
    kind: OrNull(Object::NEW),
    absent: Absent::Default(None),
    unit: None,
    meaning: "The part of the page that the preview shows, 1200 px wide. Null: the whole page.",
};

/// The page to show, which only a preview has.
pub(super) static SHOWN_PAGE: Field<Integer<u16>> = Field {
    name: "page",
    kind: Integer { min: 1, max: u16::MAX },
    absent: Absent::Default(1),
    unit: None,
    meaning: "The page that the preview shows, from 1. Beyond the last it is the last.",
};
