//! The table of the generation request: one row per field.
//!
//! Reading, the refusal of unknown names, and the description of the interface use this table.

use std::sync::LazyLock;

use super::blocks::BlockList;
use super::custom_page::CustomPageObject;
use super::field::{Absent, Field, FieldDescription};
use super::kinds::{Boolean, Integer, Number, OneOf, OneOfIntegers, OrNull, Text};
use super::output_name::OutputName;
use super::page::{NAMES as PAGE_SIZE_NAMES, Orientation, PageSize};
use super::preview_region::RegionObject;
use super::render_spec::{Alignment, GenerationKind, OnFinding, Overflow, VerticalAlignment};
use super::ruling::RulingKind;
use super::special_kinds::{
    Color, FontNumber, FontSizeOrAuto, MailPieceName, PageName, PdfObject, SvgObject, WantedSize,
};
use crate::catalogue::FontId;
use crate::units::Dpi;

/// `max_auto_font_size` when it is left out or null.
pub(super) const LARGEST_AUTO_SIZE: u16 = 200;

/// Each margin when it is left out, px: about 20 mm.
const DEFAULT_MARGIN: u16 = 240;
/// The range of each margin in px.
const MARGIN_RANGE: Integer<u16> = Integer { min: 0, max: 5000 };

pub(super) static TEXT: Field<Text> = Field {
    name: "text",
    kind: Text { min_length: 1, max_length: 10_000 },
    absent: Absent::Required(String::new()),
    meaning: "Text to write. A newline is a line break; two in a row make paragraph spacing.",
};

pub(super) static FONT_ID: Field<FontNumber> = Field {
    name: "font_id",
    kind: FontNumber,
    absent: Absent::Default(FontId::DEFAULT.get()),
    meaning: "Which of the fonts to write in: 1 to 90, or a font of the operator from 1001.",
};

pub(super) static FONT_SIZE: Field<FontSizeOrAuto> = Field {
    name: "font_size",
    kind: FontSizeOrAuto { min: 12, max: 400 },
    absent: Absent::Default(WantedSize::Auto),
    meaning: "Font size in pixels, or `auto` for the largest at which the text fits and no word is broken.",
};

pub(super) static MAX_AUTO_FONT_SIZE: Field<OrNull<Integer<u16>>> = Field {
    name: "max_auto_font_size",
    kind: OrNull(Integer { min: 20, max: 400 }),
    absent: Absent::Default(Some(LARGEST_AUTO_SIZE)),
    meaning: "Largest size that `auto` may choose; applies only when `font_size` is `auto`. Null: 200.",
};

pub(super) static GENERATION_TYPE: Field<OneOf<GenerationKind>> = Field {
    name: "generation_type",
    kind: OneOf(&[("standard", GenerationKind::Standard), ("address", GenerationKind::Address)]),
    absent: Absent::Default(GenerationKind::Standard),
    meaning: "`standard`: cards, letters, general text. `address`: an envelope address of at most 5 lines and 250 \
              characters with a manual `font_size`.",
};

pub(super) static PAGE_SIZE: Field<PageName> = Field {
    name: "page_size",
    kind: PageName(OneOf(PAGE_SIZE_NAMES)),
    absent: Absent::Default(Some(PageSize::A4)),
    meaning: "Page format; `custom` for the sides of `custom_page`.",
};

pub(super) static CUSTOM_PAGE: Field<OrNull<CustomPageObject>> = Field {
    name: "custom_page",
    kind: OrNull(CustomPageObject),
    absent: Absent::Default(None),
    meaning: "The sides of the page; required with `page_size` `custom`, and refused without.",
};

pub(super) static ORIENTATION: Field<OneOf<Orientation>> = Field {
    name: "orientation",
    kind: OneOf(&[("portrait", Orientation::Portrait), ("landscape", Orientation::Landscape)]),
    absent: Absent::Default(Orientation::Portrait),
    meaning: "`landscape` puts the longer side of the page across. A custom page is as given, or turned by `landscape` \
              if it is higher than wide.",
};

pub(super) static MAIL_PIECE: Field<OrNull<MailPieceName>> = Field {
    name: "mail_piece",
    kind: OrNull(MailPieceName),
    absent: Absent::Default(None),
    meaning: "The side of a piece of mail that the page is. It sets `page_size`, `orientation` and `pdf.preset`, raises \
              margins to its safe distance, and keeps the text out of its reserved zones. Null: none.",
};

pub(super) static OUTPUT_FORMAT: Field<OneOf<OutputName>> = Field {
    name: OutputName::FIELD,
    kind: OneOf(&[
        (OutputName::Png.name(), OutputName::Png),
        (OutputName::Pdf.name(), OutputName::Pdf),
        (OutputName::Svg.name(), OutputName::Svg),
    ]),
    absent: Absent::Default(OutputName::Png),
    meaning: "`png`: a picture on a transparent background. `pdf`: a PDF on white. `svg`: paths alone, for plotters, \
              cutters and designers. A preview is always `png`.",
};

pub(super) static PDF: Field<OrNull<PdfObject>> = Field {
    name: "pdf",
    kind: OrNull(PdfObject),
    absent: Absent::Default(None),
    meaning: "PDF options; used only when `output_format` is `pdf`.",
};

pub(super) static SVG: Field<OrNull<SvgObject>> = Field {
    name: "svg",
    kind: OrNull(SvgObject),
    absent: Absent::Default(None),
    meaning: "SVG options; used only when `output_format` is `svg`.",
};

pub(super) static DPI: Field<OneOfIntegers<Dpi>> = Field {
    name: "dpi",
    kind: OneOfIntegers(&[(300, Dpi::Dpi300), (600, Dpi::Dpi600)]),
    absent: Absent::Default(Dpi::Dpi300),
    meaning: "Output resolution. All lengths of a request are pixels at 300 DPI, whatever the resolution.",
};

pub(super) static LINE_HEIGHT_MULTIPLIER: Field<Number> = Field {
    name: "line_height_multiplier",
    kind: Number { min: 0.5, max: 4.0 },
    absent: Absent::Default(2.0),
    meaning: "Line height as a multiple of the font size.",
};

pub(super) static LINE_BREAK_SPACING: Field<OrNull<Integer<u16>>> = Field {
    name: "line_break_spacing",
    kind: OrNull(Integer { min: 0, max: 500 }),
    absent: Absent::Default(None),
    meaning: "Extra spacing between paragraphs, pixels at 300 DPI. Null: half a line.",
};

pub(super) static RULING: Field<OrNull<RulingKind>> = Field {
    name: "ruling",
    kind: OrNull(RulingKind),
    absent: Absent::Default(None),
    meaning: "Rules to write on, a name or an object. All baselines stand on rules, and `line_height_multiplier` and \
              `line_break_spacing` have no effect. Null: none.",
};

pub(super) static MARGIN_LEFT: Field<Integer<u16>> = Field {
    name: "margin_left",
    kind: MARGIN_RANGE,
    absent: Absent::Default(DEFAULT_MARGIN),
    meaning: "Left margin, pixels at 300 DPI (240 is about 20 mm).",
};

pub(super) static MARGIN_RIGHT: Field<Integer<u16>> = Field {
    name: "margin_right",
    kind: MARGIN_RANGE,
    absent: Absent::Default(DEFAULT_MARGIN),
    meaning: "Right margin, pixels at 300 DPI (240 is about 20 mm).",
};

pub(super) static MARGIN_TOP: Field<Integer<u16>> = Field {
    name: "margin_top",
    kind: MARGIN_RANGE,
    absent: Absent::Default(DEFAULT_MARGIN),
    meaning: "Top margin, pixels at 300 DPI (240 is about 20 mm).",
};

pub(super) static MARGIN_BOTTOM: Field<Integer<u16>> = Field {
    name: "margin_bottom",
    kind: MARGIN_RANGE,
    absent: Absent::Default(DEFAULT_MARGIN),
    meaning: "Bottom margin, pixels at 300 DPI (240 is about 20 mm).",
};

pub(super) static WORD_SPACING: Field<Integer<u16>> = Field {
    name: "word_spacing",
    kind: Integer { min: 0, max: 3000 },
    absent: Absent::Default(0),
    meaning: "Extra space between words, pixels at 300 DPI.",
};

pub(super) static ENABLE_WORD_ROTATION: Field<Boolean> = Field {
    name: "enable_word_rotation",
    kind: Boolean,
    absent: Absent::Default(false),
    meaning: "Turns each word by a slight random angle.",
};

pub(super) static WORD_ROTATION_RANGE: Field<Number> = Field {
    name: "word_rotation_range",
    kind: Number { min: 0.0, max: 10.0 },
    absent: Absent::Default(5.0),
    meaning: "Largest angle of word rotation, degrees.",
};

pub(super) static ENABLE_NATURAL_VARIATION: Field<Boolean> = Field {
    name: "enable_natural_variation",
    kind: Boolean,
    absent: Absent::Default(false),
    meaning: "Deforms the ink elastically, so that no two letters are the same.",
};

pub(super) static NATURAL_VARIATION_ALPHA: Field<Integer<u8>> = Field {
    name: "natural_variation_alpha",
    kind: Integer { min: 0, max: 100 },
    absent: Absent::Default(15),
    meaning: "Intensity of the deformation, typically 10 to 40. High values go with a sigma of 3 or more.",
};

pub(super) static NATURAL_VARIATION_SIGMA: Field<Integer<u8>> = Field {
    name: "natural_variation_sigma",
    kind: Integer { min: 0, max: 10 },
    absent: Absent::Default(5),
    meaning: "Smoothness of the deformation; below 3 it looks grainy.",
};

pub(super) static ENABLE_RANDOM_INDENTATION: Field<Boolean> = Field {
    name: "enable_random_indentation",
    kind: Boolean,
    absent: Absent::Default(false),
    meaning: "Indents each line by a random length.",
};

pub(super) static INDENTATION_RANGE: Field<Integer<u8>> = Field {
    name: "indentation_range",
    kind: Integer { min: 0, max: 100 },
    absent: Absent::Default(20),
    meaning: "Largest random indentation, pixels at 300 DPI.",
};

pub(super) static ENABLE_INK_FLOW: Field<Boolean> = Field {
    name: "enable_ink_flow",
    kind: Boolean,
    absent: Absent::Default(false),
    meaning: "Lets the ink fade along the writing.",
};

pub(super) static INK_FLOW_INTENSITY: Field<Number> = Field {
    name: "ink_flow_intensity",
    kind: Number { min: 0.0, max: 3.0 },
    absent: Absent::Default(1.0),
    meaning: "Intensity of the fading: up to 1 a ballpoint or gel pen, above it a pen that runs dry.",
};

pub(super) static ENABLE_WRITER_VARIATION: Field<Boolean> = Field {
    name: "enable_writer_variation",
    kind: Boolean,
    absent: Absent::Default(false),
    meaning: "Varies every letter, gap and line as one writer does.",
};

pub(super) static WRITER_VARIATION_STRENGTH: Field<Number> = Field {
    name: "writer_variation_strength",
    kind: Number { min: 0.0, max: 2.0 },
    absent: Absent::Default(1.0),
    meaning: "How much letters, gaps and lines vary; 1 is an average writer, 0.6 an even and 1.6 an uneven one.",
};

pub(super) static TEXT_ALIGNMENT: Field<OneOf<Alignment>> = Field {
    name: "text_alignment",
    kind: OneOf(&[("left", Alignment::Left), ("center", Alignment::Center), ("right", Alignment::Right)]),
    absent: Absent::Default(Alignment::Left),
    meaning: "Alignment of the lines. Centred and right-aligned lines are placed by their ink.",
};

pub(super) static VERTICAL_ALIGNMENT: Field<OneOf<VerticalAlignment>> = Field {
    name: "vertical_alignment",
    kind: OneOf(&[
        ("top", VerticalAlignment::Top),
        ("center", VerticalAlignment::Center),
        ("bottom", VerticalAlignment::Bottom),
    ]),
    absent: Absent::Default(VerticalAlignment::Top),
    meaning: "Position of the lines between the top and bottom margins, by their ink; on each page.",
};

pub(super) static KERNING: Field<Boolean> = Field {
    name: "kerning",
    kind: Boolean,
    absent: Absent::Default(true),
    meaning: "Adjusts the spacing of letter pairs; false gives uniform letter spacing.",
};

pub(super) static TEXT_COLOR: Field<OrNull<Color>> = Field {
    name: "text_color",
    kind: OrNull(Color),
    absent: Absent::Default(None),
    meaning: "Ink colour as [red, green, blue]. Null: black.",
};

pub(super) static SEED: Field<OrNull<Integer<u32>>> = Field {
    name: "seed",
    kind: OrNull(Integer { min: 0, max: u32::MAX }),
    absent: Absent::Default(None),
    meaning: "Source of all randomness: the same seed and request give the same page. Null: a fresh random seed, \
              told in the response.",
};

pub(super) static OVERFLOW: Field<OneOf<Overflow>> = Field {
    name: "overflow",
    kind: OneOf(&[
        ("error", Overflow::Error),
        ("shrink", Overflow::Shrink),
        ("clip", Overflow::Clip),
        ("paginate", Overflow::Paginate),
    ]),
    absent: Absent::Default(Overflow::Error),
    meaning: "Text that does not fit at the chosen size. `error`: refuse it, telling the largest size that fits. \
              `shrink`: use that size. `clip`: cut the page, with a warning. `paginate`: more pages, PDF only.",
};

pub(super) static ON_FINDING: Field<OneOf<OnFinding>> = Field {
    name: "on_finding",
    kind: OneOf(&[("report", OnFinding::Report), ("refuse", OnFinding::Refuse)]),
    absent: Absent::Default(OnFinding::Report),
    meaning: "A page in which preflight finds an error. `report`: make it; /preflight tells. `refuse`: refuse it, \
              uncharged. A preview is made in any case.",
};

pub(super) static BLOCKS: Field<OrNull<BlockList>> = Field {
    name: "blocks",
    kind: OrNull(BlockList),
    absent: Absent::Default(None),
    meaning: "Texts in boxes of their own on the first page, beside `text` or instead of it. What a block leaves out it \
              takes from the request.",
};

pub(super) static REGION: Field<OrNull<RegionObject>> = Field {
    name: "region",
    kind: OrNull(RegionObject),
    absent: Absent::Default(None),
    meaning: "The part of the page that the preview shows, 1200 px wide. Null: the whole page.",
};

static DESCRIPTIONS: LazyLock<Vec<FieldDescription>> = LazyLock::new(|| {
    vec![
        TEXT.describe(),
        FONT_ID.describe(),
        FONT_SIZE.describe(),
        MAX_AUTO_FONT_SIZE.describe(),
        GENERATION_TYPE.describe(),
        PAGE_SIZE.describe(),
        CUSTOM_PAGE.describe(),
        ORIENTATION.describe(),
        MAIL_PIECE.describe(),
        OUTPUT_FORMAT.describe(),
        PDF.describe(),
        SVG.describe(),
        DPI.describe(),
        LINE_HEIGHT_MULTIPLIER.describe(),
        LINE_BREAK_SPACING.describe(),
        RULING.describe(),
        MARGIN_LEFT.describe(),
        MARGIN_RIGHT.describe(),
        MARGIN_TOP.describe(),
        MARGIN_BOTTOM.describe(),
        WORD_SPACING.describe(),
        ENABLE_WORD_ROTATION.describe(),
        WORD_ROTATION_RANGE.describe(),
        ENABLE_NATURAL_VARIATION.describe(),
        NATURAL_VARIATION_ALPHA.describe(),
        NATURAL_VARIATION_SIGMA.describe(),
        ENABLE_RANDOM_INDENTATION.describe(),
        INDENTATION_RANGE.describe(),
        ENABLE_INK_FLOW.describe(),
        INK_FLOW_INTENSITY.describe(),
        ENABLE_WRITER_VARIATION.describe(),
        WRITER_VARIATION_STRENGTH.describe(),
        TEXT_ALIGNMENT.describe(),
        VERTICAL_ALIGNMENT.describe(),
        KERNING.describe(),
        TEXT_COLOR.describe(),
        SEED.describe(),
        OVERFLOW.describe(),
        ON_FINDING.describe(),
        BLOCKS.describe(),
    ]
});

static OF_PREVIEW: LazyLock<Vec<FieldDescription>> = LazyLock::new(|| {
    let mut rows = DESCRIPTIONS.clone();
    rows.push(REGION.describe());
    rows
});

/// Every field of a generation request, in the order of the contract.
#[must_use]
pub fn fields() -> &'static [FieldDescription] {
    &DESCRIPTIONS
}

/// Every field of a preview request: all fields of a generation request, and the part of the page to show.
#[must_use]
pub fn preview_fields() -> &'static [FieldDescription] {
    &OF_PREVIEW
}
