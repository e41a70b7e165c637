//! The generation request with its names and values in JSON; each field is checked alone.

use serde_json::{Map, Value};

use super::Endpoint;
use super::blocks::WantedBlock;
use super::output_name::OutputName;
use super::page::{Orientation, PageFormat, PageSize};
use super::pdf_options::PdfOptions;
use super::press_plan::PressPlan;
use super::preview_region::PreviewRegion;
use super::render_spec::{
    Alignment, AutoSize, Block, Effects, FontSize, GenerationKind, InkFlow, Kerning, Margins, NaturalVariation,
    OutputFormat, Overflow, RandomIndentation, RenderSpec, Rgb, VerticalAlignment, WordRotation, WriterVariation,
};
use super::request_fields as fields;
use super::ruling::WantedRuling;
use super::special_kinds::WantedSize;
use super::violation_collector::ViolationCollector;
use crate::catalogue::FontId;
use crate::units::{Degrees, Dpi, Px};

/// A request, field by field as [`fields`] describes it; defaults are filled in. Fields that broke their constraint
/// hold the default, so it is valid only if the collector has no violation.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the contract has six flags, and this is the contract's shape")]
pub(super) struct RenderRequest {
    pub(super) text: String,
    pub(super) font_id: u8,
    pub(super) font_size: WantedSize,
    pub(super) max_auto_font_size: Option<u16>,
    pub(super) generation_type: GenerationKind,
    pub(super) page_size: PageSize,
    pub(super) orientation: Orientation,
    pub(super) output_format: OutputName,
    pub(super) pdf: Option<PdfOptions>,
    pub(super) dpi: Dpi,
    pub(super) line_height_multiplier: f64,
    pub(super) line_break_spacing: Option<u16>,
    pub(super) ruling: Option<WantedRuling>,
    /// The fields that are given and have no effect with a ruling.
    pub(super) ignored_with_ruling: Vec<&'static str>,
    pub(super) margin_left: u16,
    pub(super) margin_right: u16,
    pub(super) margin_top: u16,
    pub(super) margin_bottom: u16,
    pub(super) word_spacing: u16,
    pub(super) enable_word_rotation: bool,
    pub(super) word_rotation_range: f64,
    pub(super) enable_natural_variation: bool,
    pub(super) natural_variation_alpha: u8,
    pub(super) natural_variation_sigma: u8,
    pub(super) enable_random_indentation: bool,
    pub(super) indentation_range: u8,
    pub(super) enable_ink_flow: bool,
    pub(super) ink_flow_intensity: f64,
    pub(super) enable_writer_variation: bool,
    pub(super) writer_variation_strength: f64,
    pub(super) text_alignment: Alignment,
    pub(super) vertical_alignment: VerticalAlignment,
    pub(super) kerning: bool,
    pub(super) text_color: Option<Rgb>,
    pub(super) seed: Option<u32>,
    pub(super) overflow: Overflow,
    pub(super) blocks: Option<Vec<WantedBlock>>,
    pub(super) region: Option<PreviewRegion>,
}

impl RenderRequest {
    /// Reads every field of `members` that `endpoint` knows, and reports their violations.
    pub(super) fn read(members: &Map<String, Value>, endpoint: Endpoint, collector: &mut ViolationCollector) -> Self {
        Self {
            text: match given(members, &[fields::TEXT.name, fields::BLOCKS.name]).as_slice() {
                [name] if *name == fields::BLOCKS.name && !members.contains_key(fields::TEXT.name) => String::new(),
                _ => fields::TEXT.read(members, collector),
            },
            font_id: fields::FONT_ID.read(members, collector),
            font_size: fields::FONT_SIZE.read(members, collector),
            max_auto_font_size: fields::MAX_AUTO_FONT_SIZE.read(members, collector),
            generation_type: fields::GENERATION_TYPE.read(members, collector),
            page_size: fields::PAGE_SIZE.read(members, collector),
            orientation: fields::ORIENTATION.read(members, collector),
            output_format: fields::OUTPUT_FORMAT.read(members, collector),
            pdf: fields::PDF.read(members, collector),
            dpi: fields::DPI.read(members, collector),
            line_height_multiplier: fields::LINE_HEIGHT_MULTIPLIER.read(members, collector),
            line_break_spacing: fields::LINE_BREAK_SPACING.read(members, collector),
            ruling: fields::RULING.read(members, collector),
            ignored_with_ruling: given(
                members,
                &[fields::LINE_HEIGHT_MULTIPLIER.name, fields::LINE_BREAK_SPACING.name],
            ),
            margin_left: fields::MARGIN_LEFT.read(members, collector),
            margin_right: fields::MARGIN_RIGHT.read(members, collector),
            margin_top: fields::MARGIN_TOP.read(members, collector),
            margin_bottom: fields::MARGIN_BOTTOM.read(members, collector),
            word_spacing: fields::WORD_SPACING.read(members, collector),
            enable_word_rotation: fields::ENABLE_WORD_ROTATION.read(members, collector),
            word_rotation_range: fields::WORD_ROTATION_RANGE.read(members, collector),
            enable_natural_variation: fields::ENABLE_NATURAL_VARIATION.read(members, collector),
            natural_variation_alpha: fields::NATURAL_VARIATION_ALPHA.read(members, collector),
            natural_variation_sigma: fields::NATURAL_VARIATION_SIGMA.read(members, collector),
            enable_random_indentation: fields::ENABLE_RANDOM_INDENTATION.read(members, collector),
            indentation_range: fields::INDENTATION_RANGE.read(members, collector),
            enable_ink_flow: fields::ENABLE_INK_FLOW.read(members, collector),
            ink_flow_intensity: fields::INK_FLOW_INTENSITY.read(members, collector),
            enable_writer_variation: fields::ENABLE_WRITER_VARIATION.read(members, collector),
            writer_variation_strength: fields::WRITER_VARIATION_STRENGTH.read(members, collector),
            text_alignment: fields::TEXT_ALIGNMENT.read(members, collector),
            vertical_alignment: fields::VERTICAL_ALIGNMENT.read(members, collector),
            kerning: fields::KERNING.read(members, collector),
            text_color: fields::TEXT_COLOR.read(members, collector),
            seed: fields::SEED.read(members, collector),
            overflow: fields::OVERFLOW.read(members, collector),
            blocks: fields::BLOCKS.read(members, collector),
            region: match endpoint {
                Endpoint::Generate => None,
                Endpoint::Preview => fields::REGION.read(members, collector),
            },
        }
    }

    /// The specification of the request. `fresh_seed` is called if it names no seed.
    pub(super) fn into_spec(self, fresh_seed: impl FnOnce() -> u32) -> RenderSpec {
        let page = PageFormat { size: self.page_size, orientation: self.orientation };
        let ignored = &self.ignored_with_ruling;
        let ruling = self.ruling.map(|ruling| ruling.on_page(px(self.margin_top), ignored.clone()));
        RenderSpec {
            font: FontId::new(self.font_id).unwrap_or(FontId::DEFAULT),
            font_size: font_size(self.font_size, self.max_auto_font_size),
            kind: self.generation_type,
            page,
            output: match self.output_format {
                OutputName::Png => OutputFormat::Png,
                OutputName::Pdf => OutputFormat::Pdf(PressPlan::of(page, &self.pdf.unwrap_or_default())),
            },
            dpi: self.dpi,
            line_height: self.line_height_multiplier,
            paragraph_spacing: self.line_break_spacing.map(px),
            ruling,
            margins: Margins {
                left: px(self.margin_left),
                right: px(self.margin_right),
                top: px(self.margin_top),
                bottom: px(self.margin_bottom),
            },
            word_spacing: px(self.word_spacing),
            alignment: self.text_alignment,
            vertical_alignment: self.vertical_alignment,
            kerning: if self.kerning { Kerning::Pairs } else { Kerning::Off },
            ink: self.text_color.unwrap_or_default(),
            effects: self.effects(),
            overflow: self.overflow,
            seed: self.seed.unwrap_or_else(fresh_seed),
            blocks: self.blocks.iter().flatten().map(|block| self.block(block)).collect(),
            region: self.region.map(PreviewRegion::rect),
            text: self.text,
        }
    }

    /// A block with what it takes from the request.
    fn block(&self, wanted: &WantedBlock) -> Block {
        let size = wanted.font_size.unwrap_or(self.font_size);
        Block {
            text: wanted.text.clone(),
            area: wanted.area(),
            font: FontId::new(wanted.font_id.unwrap_or(self.font_id)).unwrap_or(FontId::DEFAULT),
            font_size: font_size(size, wanted.max_auto_font_size.or(self.max_auto_font_size)),
            alignment: wanted.text_alignment.unwrap_or(self.text_alignment),
            vertical_alignment: wanted.vertical_alignment.unwrap_or(self.vertical_alignment),
            ink: wanted.text_color.or(self.text_color).unwrap_or_default(),
            line_height: wanted.line_height_multiplier.unwrap_or(self.line_height_multiplier),
            rotation: wanted.rotation(),
        }
    }

    fn effects(&self) -> Effects {
        Effects {
            word_rotation: self
                .enable_word_rotation
                .then(|| WordRotation { range: Degrees::new(self.word_rotation_range) }),
            natural_variation: self.enable_natural_variation.then_some(NaturalVariation {
                alpha: self.natural_variation_alpha,
                sigma: self.natural_variation_sigma,
            }),
            random_indentation: self
                .enable_random_indentation
                .then(|| RandomIndentation { range: px(self.indentation_range) }),
            ink_flow: self.enable_ink_flow.then_some(InkFlow { intensity: self.ink_flow_intensity }),
            writer_variation: self
                .enable_writer_variation
                .then_some(WriterVariation { strength: self.writer_variation_strength }),
        }
    }
}

fn font_size(size: WantedSize, most: Option<u16>) -> FontSize {
    match size {
        WantedSize::Px(size) => FontSize::Fixed(px(size)),
        WantedSize::Auto => FontSize::Auto(AutoSize { max: most.unwrap_or(fields::LARGEST_AUTO_SIZE).into() }),
    }
}

/// Those of `names` that have a value other than null.
fn given(members: &Map<String, Value>, names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().filter(|name| members.get(*name).is_some_and(|value| !value.is_null())).collect()
}

/// A length of the request.
fn px(length: impl Into<f64>) -> Px {
    Px::new(length.into())
}
