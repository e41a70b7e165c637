//! The generation request with its names and values in JSON; each field is checked alone.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::blocks::WantedBlock;
use super::effects::{Effects, InkFlow, NaturalVariation, WriterVariation};
use super::endpoint::Endpoint;
use super::field::{Field, FieldTable as _, FieldType};
use super::output_name::{OutputName, PngFormat};
use super::page::{PageFormat, PageSize};
use super::pdf_options::PdfOptions;
use super::pen::{PenKind, PenUse};
use super::placed_artwork::PlacedArtwork;
use super::preset::RequestPreset;
use super::press_plan::PressPlan;
use super::render_spec::{Block, FontSize, GenerationKind, Kerning, MailUse, Margins, OutputFormat, RenderSpec};
use super::representation::Representation;
use super::request_fields::{self as fields, RenderRequest};
use super::special_kinds::WantedSize;
use super::svg_options::SvgOptions;
use super::text_area::{beside_zones, raised};
use super::violation_collector::ViolationCollector;
use crate::catalogue::FontId;
use crate::units::{Degrees, Mm, Px};

impl RenderRequest {
    /// Reads every field of `members` that `endpoint` knows, and those that their preset sets, and reports their
    /// violations.
    pub(super) fn of(members: &Map<String, Value>, endpoint: Endpoint, collector: &mut ViolationCollector) -> Self {
        let (filled, preset_fields) = filled(members);
        let mut request = Self { preset_fields, ..Self::read(filled.as_ref(), collector) };
        let is_preview = endpoint == Endpoint::Preview;
        let is_implied = is_preview || !members.contains_key(fields::OUTPUT_FORMAT.name);
        if let Some(only) = endpoint.only_format().filter(|_| is_implied) {
            request.output_format = only;
        }
        if is_preview {
            request.shown_page = fields::SHOWN_PAGE.read(members, collector);
            request.places = fields::PLACES.read(members, collector);
            request.region = fields::REGION.read(members, collector);
        }
        request
    }

    /// The specification of the request. `fresh_seed` is called if it names no seed.
    pub(super) fn into_spec(self, fresh_seed: impl FnOnce() -> u32) -> RenderSpec {
        let (page, asked) = (self.page(), self.margins());
        let margins = self.text_area().unwrap_or(asked);
        let ruling = self.ruling.map(|ruling| ruling.on_page(margins.top, self.ignored_with_ruling()));
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
            png_format: self.png_format,
            unused_preset: self.preset.filter(|_| self.preset_fields.is_empty()),
            unused_parameters: self.unused_parameters(),
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
            paper: self.paper_color,
            effects: self.effects(),
            overflow: self.overflow,
            keep_lines: self.keeps_lines(),
            on_finding: self.on_finding,
            seed: self.seed.unwrap_or_else(fresh_seed),
            created: None,
            blocks: self.blocks.iter().flatten().map(|block| self.block(block)).collect(),
            artwork: self.placed_artwork(page),
            back: None,
            shown_page: self.shown_page.max(1),
            tells_places: self.places,
            region: self.region.map(|region| region.area().rect()),
            text: self.text,
        }
    }

    /// Whether the request leaves this field out and its preset sets it.
    fn is_of_preset(&self, field: &str) -> bool {
        self.preset_fields.contains(&field)
    }

    /// The fields that differ from their default and have no effect with a ruling.
    fn ignored_with_ruling(&self) -> Vec<&'static str> {
        let height = name_if_own(&fields::LINE_HEIGHT_MULTIPLIER, &self.line_height_multiplier);
        let height = height.filter(|field| !self.is_of_preset(field));
        let spacing = self.line_break_spacing.map(|_| fields::LINE_BREAK_SPACING.name);
        height.into_iter().chain(spacing).collect()
    }

    /// A block with what it takes from the request.
    fn block(&self, wanted: &WantedBlock) -> Block {
        let size = wanted.font_size.unwrap_or(self.font_size);
        Block {
            text: wanted.text.clone(),
            area: wanted.area().rect(),
            font: FontId::new(wanted.font_id.unwrap_or(self.font_id)).unwrap_or(FontId::DEFAULT),
            font_size: font_size(size, wanted.max_auto_font_size.or(self.max_auto_font_size)),
            alignment: wanted.text_alignment.unwrap_or(self.text_alignment),
            vertical_alignment: wanted.vertical_alignment.unwrap_or(self.vertical_alignment),
            ink: wanted.text_color.or(self.text_color).unwrap_or_default(),
            line_height: wanted.line_height_multiplier.unwrap_or(self.line_height_multiplier),
            keep_lines: wanted.keep_lines.unwrap_or(self.keeps_lines()),
            page: wanted.page,
            rotation: Degrees::new(wanted.rotation),
        }
    }

    /// The pictures on a page. The bleed is that of its PDF, so that a preview shows what the PDF does.
    fn placed_artwork(&self, page: PageFormat) -> Vec<PlacedArtwork> {
        let Some(artwork) = &self.artwork else { return Vec::new() };
        let bleed = self.bleed();
        artwork.iter().filter_map(|wanted| wanted.placed(page, bleed)).collect()
    }

    /// The bleed of the page's PDF.
    pub(super) fn bleed(&self) -> Mm {
        PressPlan::of(self.page(), &self.pdf_options()).bleed
    }

    /// Whether given lines stay whole. Those of an address do, unless the request says otherwise.
    fn keeps_lines(&self) -> bool {
        self.keep_lines.unwrap_or(self.generation_type == GenerationKind::Address)
    }

    /// The parameters of effects that are off, where the request sets them to something else than their defaults, each
    /// with the flag of its effect.
    fn unused_parameters(&self) -> Vec<(&'static str, &'static str)> {
        let rotation = (self.enable_word_rotation, fields::ENABLE_WORD_ROTATION.name);
        let natural = (self.enable_natural_variation, fields::ENABLE_NATURAL_VARIATION.name);
        let indentation = (self.enable_random_indentation, fields::ENABLE_RANDOM_INDENTATION.name);
        let flow = (self.enable_ink_flow, fields::ENABLE_INK_FLOW.name);
        let writer = (self.enable_writer_variation, fields::ENABLE_WRITER_VARIATION.name);
        let parameters = [
            (name_if_own(&fields::WORD_ROTATION_RANGE, &self.word_rotation_range), rotation),
            (name_if_own(&fields::NATURAL_VARIATION_ALPHA, &self.natural_variation_alpha), natural),
            (name_if_own(&fields::NATURAL_VARIATION_SIGMA, &self.natural_variation_sigma), natural),
            (name_if_own(&fields::INDENTATION_RANGE, &self.indentation_range), indentation),
            (name_if_own(&fields::INK_FLOW_INTENSITY, &self.ink_flow_intensity), flow),
            (name_if_own(&fields::WRITER_VARIATION_STRENGTH, &self.writer_variation_strength), writer),
        ];
        let unused = parameters.into_iter().filter(|(_, (is_on, _))| !is_on);
        unused.filter_map(|(own, (_, flag))| Some((own.filter(|field| !self.is_of_preset(field))?, flag))).collect()
    }

    /// The options of another format. Those of PDFs go with a PNG without a remark.
    fn unused_options(&self) -> Option<&'static str> {
        let of_pdf = self.pdf.filter(|pdf| *pdf != PdfOptions::default()).map(|_| fields::PDF.name);
        let of_svg = self.svg.filter(|svg| *svg != SvgOptions::default()).map(|_| fields::SVG.name);
        let of_png = (self.png_format != PngFormat::default()).then_some(fields::PNG_FORMAT.name);
        match self.output_format {
            OutputName::Svg => of_pdf.or(of_png),
            OutputName::Pdf => of_svg.or(of_png),
            OutputName::Png => of_svg,
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
        let mut options = self.pdf.unwrap_or_default();
        if let Some(piece) = self.mail_piece {
            options.preset = piece.preset;
            options.bleed_mm = options.bleed_mm.or(piece.page.size.is_trimmed().then_some(piece.bleed.get()));
        }
        options
    }

    /// The sheet. Without `custom_page`, which `combinations` then refuses, a custom one is A4.
    pub(super) fn page(&self) -> PageFormat {
        if let Some(piece) = self.mail_piece {
            return piece.page;
        }
        let size =
            self.page_size.or(self.custom_page.map(|page| PageSize::Custom(page.measures()))).unwrap_or_default();
        PageFormat { size, orientation: self.orientation }
    }

    /// Whether the file holds centre lines for a machine, which has a pen of its own.
    fn is_drawn_by_machine(&self) -> bool {
        self.output_format == OutputName::Svg && self.svg.is_some_and(|svg| svg.paths == Representation::Strokes)
    }

    pub(super) fn effects(&self) -> Effects {
        Effects {
            word_rotation: self.enable_word_rotation.then_some(Degrees::new(self.word_rotation_range)),
            natural_variation: self.enable_natural_variation.then_some(NaturalVariation {
                alpha: self.natural_variation_alpha,
                sigma: self.natural_variation_sigma,
            }),
            random_indentation: self.enable_random_indentation.then(|| px(self.indentation_range)),
            ink_flow: self.enable_ink_flow.then_some(InkFlow { intensity: self.ink_flow_intensity }),
            writer_variation: self
                .enable_writer_variation
                .then_some(WriterVariation { strength: self.writer_variation_strength }),
            pen: self.pen_use(),
        }
    }

    /// The pen. A preset sets none where a machine draws, and no strength of none.
    fn pen_use(&self) -> PenUse {
        let is_left_out = self.is_of_preset(fields::PEN.name) && self.is_drawn_by_machine();
        let kind = if is_left_out { PenKind::AsDesigned } else { self.pen };
        let has_no_strength = kind == PenKind::AsDesigned && self.is_of_preset(fields::PEN_STRENGTH.name);
        PenUse {
            kind,
            width: self.pen_width_mm.map(Mm::new),
            angle: self.pen_angle.map(Degrees::new),
            strength: if has_no_strength { PenUse::USUAL_STRENGTH } else { self.pen_strength },
        }
    }
}

/// The name of a field, if its value is not the default.
fn name_if_own<K: FieldType>(field: &Field<K>, value: &K::Value) -> Option<&'static str>
where
    K::Value: PartialEq,
{
    (!field.is_default(value)).then_some(field.name)
}

/// The members with those that their preset sets, and the names of these.
fn filled(members: &Map<String, Value>) -> (Cow<'_, Map<String, Value>>, Vec<&'static str>) {
    let mut filled = Cow::Borrowed(members);
    let values = RequestPreset::of(members).map_or_else(Vec::new, RequestPreset::values);
    let left_out: Vec<_> = values.into_iter().filter(|(name, _)| !members.contains_key(*name)).collect();
    for (name, value) in &left_out {
        filled.to_mut().insert((*name).to_owned(), value.clone());
    }
    (filled, left_out.into_iter().map(|(name, _)| name).collect())
}

fn font_size(size: WantedSize, most: Option<u16>) -> FontSize {
    match size {
        WantedSize::Px(size) => FontSize::Fixed(px(size)),
        WantedSize::Auto => FontSize::Auto { max: most.unwrap_or(fields::LARGEST_AUTO_SIZE).into() },
    }
}

impl RenderSpec {
    /// The specification of a request that gives only these, with seed 0: everything else has its default.
    #[must_use]
    pub fn plain(text: &str, font: FontId, font_size: Px) -> Self {
        // Only the text is required, and it is given here.
        let defaults = RenderRequest::default().into_spec(|| 0);
        Self { text: text.to_owned(), font, font_size: FontSize::Fixed(font_size), ..defaults }
    }
}

/// A length of the request.
fn px(length: impl Into<f64>) -> Px {
    Px::new(length.into())
}
