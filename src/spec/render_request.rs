//! The generation request with its names and values in JSON; each field is checked alone.

use serde_json::{Map, Value};

use super::blocks::WantedBlock;
use super::effects::{Effects, InkFlow, NaturalVariation, RandomIndentation, WordRotation, WriterVariation};
use super::endpoint::Endpoint;
use super::mail_piece::MailPiece;
use super::output_name::OutputName;
use super::page::{Orientation, PageFormat, PageMeasures, PageSize, WantedPage};
use super::pdf_options::PdfOptions;
use super::press_plan::PressPlan;
use super::preview_region::PreviewRegion;
use super::render_spec::{
    Alignment, AutoSize, Block, FontSize, GenerationKind, Kerning, MailUse, Margins, OnFinding, OutputFormat, Overflow,
    RenderSpec, Rgb, VerticalAlignment,
};
use super::request_fields as fields;
use super::ruling::WantedRuling;
use super::special_kinds::WantedSize;
use super::svg_options::SvgOptions;
use super::text_area::{beside_zones, raised};
use super::violation_collector::ViolationCollector;
use crate::catalogue::FontId;
use crate::units::{Degrees, Dpi, Px};

/// A request, field by field as [`fields`] describes it; defaults are filled in. Fields that broke their constraint
/// hold the default, so it is valid only if the collector has no violation.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the contract has six flags, and this is the contract's shape")]
pub(super) struct RenderRequest {
    pub(super) text: String,
    pub(super) font_id: u16,
    pub(super) font_size: WantedSize,
    pub(super) max_auto_font_size: Option<u16>,
    pub(super) generation_type: GenerationKind,
    pub(super) page_size: WantedPage,
    pub(super) custom_page: Option<PageMeasures>,
    pub(super) orientation: Orientation,
    pub(super) mail_piece: Option<&'static MailPiece>,
    pub(super) output_format: OutputName,
    pub(super) pdf: Option<PdfOptions>,
    pub(super) svg: Option<SvgOptions>,
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
    pub(super) on_finding: OnFinding,
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
            custom_page: fields::CUSTOM_PAGE.read(members, collector),
            orientation: fields::ORIENTATION.read(members, collector),
            mail_piece: fields::MAIL_PIECE.read(members, collector),
            output_format: match endpoint.only_format() {
                Some(only) if !members.contains_key(fields::OUTPUT_FORMAT.name) => only,
                _ => fields::OUTPUT_FORMAT.read(members, collector),
            },
            pdf: fields::PDF.read(members, collector),
            svg: fields::SVG.read(members, collector),
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
            on_finding: fields::ON_FINDING.read(members, collector),
            blocks: fields::BLOCKS.read(members, collector),
            region: match endpoint {
                Endpoint::Preview => fields::REGION.read(members, collector),
                _ => None,
            },
        }
    }

    /// The specification of the request. `fresh_seed` is called if it names no seed.
    pub(super) fn into_spec(self, fresh_seed: impl FnOnce() -> u32) -> RenderSpec {
        let (page, asked) = (self.page(), self.margins());
        let margins = self.text_area().unwrap_or(asked);
        let ignored = &self.ignored_with_ruling;
        let ruling = self.ruling.map(|ruling| ruling.on_page(margins.top, ignored.clone()));
        RenderSpec {
            font: FontId::new(self.font_id).unwrap_or(FontId::DEFAULT),
            font_size: font_size(self.font_size, self.max_auto_font_size),
            kind: self.generation_type,
            page,
            output: match self.output_format {
                OutputName::Png => OutputFormat::Png,
                OutputName::Pdf => OutputFormat::Pdf(PressPlan::of(page, &self.pdf_options())),
                OutputName::Svg => OutputFormat::Svg(self.svg.unwrap_or_default()),
            },
            unused_options: self.unused_options(),
            dpi: self.dpi,
            line_height: self.line_height_multiplier,
            paragraph_spacing: self.line_break_spacing.map(px),
            ruling,
            margins,
            mail_piece: self.mail_piece.map(|piece| {
                let (_, raised) = raised(asked, piece, self.effects().natural_variation);
                MailUse { piece, raised }
            }),
            word_spacing: px(self.word_spacing),
            alignment: self.text_alignment,
            vertical_alignment: self.vertical_alignment,
            kerning: if self.kerning { Kerning::Pairs } else { Kerning::Off },
            ink: self.text_color.unwrap_or_default(),
            effects: self.effects(),
            overflow: self.overflow,
            on_finding: self.on_finding,
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

    /// The options of another format. Those of PDFs go with a PNG without a remark.
    fn unused_options(&self) -> Option<&'static str> {
        match self.output_format {
            OutputName::Svg => self.pdf.filter(|pdf| *pdf != PdfOptions::default()).map(|_| fields::PDF.name),
            OutputName::Png | OutputName::Pdf => {
                self.svg.filter(|svg| *svg != SvgOptions::default()).map(|_| fields::SVG.name)
            }
        }
    }

    /// The margins as asked for.
    fn margins(&self) -> Margins {
        Margins {
            left: px(self.margin_left),
            right: px(self.margin_right),
            top: px(self.margin_top),
            bottom: px(self.margin_bottom),
        }
    }

    /// The margins around the text: those asked for, or around what they and the mail piece leave free; `None` if that
    /// is nothing.
    pub(super) fn text_area(&self) -> Option<Margins> {
        let Some(piece) = self.mail_piece else { return Some(self.margins()) };
        let variation = self.effects().natural_variation;
        beside_zones(raised(self.margins(), piece, variation).0, piece, variation)
    }

    /// The PDF options, with the preset and bleed of the mail piece.
    fn pdf_options(&self) -> PdfOptions {
        let options = self.pdf.unwrap_or_default();
        self.mail_piece.map_or(options, |piece| PdfOptions {
            preset: piece.preset,
            bleed: options.bleed.or(piece.page.size.is_trimmed().then_some(piece.bleed)),
            ..options
        })
    }

    /// The sheet. Without `custom_page`, which `combinations` then refuses, a custom one is A4.
    pub(super) fn page(&self) -> PageFormat {
        if let Some(piece) = self.mail_piece {
            return piece.page;
        }
        let size = self.page_size.or(self.custom_page.map(PageSize::Custom)).unwrap_or_default();
        PageFormat { size, orientation: self.orientation }
    }

    pub(super) fn effects(&self) -> Effects {
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

/// The members of `names` that have a value other than null.
fn given(members: &Map<String, Value>, names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().filter(|name| members.get(*name).is_some_and(|value| !value.is_null())).collect()
}

/// A length of the request.
fn px(length: impl Into<f64>) -> Px {
    Px::new(length.into())
}
