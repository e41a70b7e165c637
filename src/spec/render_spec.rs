//! The valid specification of a page, which every later stage uses.

use super::page::PageFormat;
use super::pdf_options::PdfWriting;
use super::press_plan::PressPlan;
use super::svg_options::{SvgOptions, SvgPaths};
use super::writing::Writing;
use crate::catalogue::FontId;
use crate::geometry::{Point, Rect};
use crate::units::{Degrees, Dpi, Px};

/// One page to write. All lengths are 300-DPI pixels; every value is inside the contract's range.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSpec {
    /// The text as received: 1 to 10,000 Unicode scalar values, not yet normalised.
    pub text: String,
    /// The font to write in.
    pub font: FontId,
    /// Font size, or how to find it.
    pub font_size: FontSize,
    /// Standard text or an envelope address.
    pub kind: GenerationKind,
    /// The sheet.
    pub page: PageFormat,
    /// PNG, PDF or SVG.
    pub output: OutputFormat,
    /// The field with options of another format, if any differs from its default.
    pub unused_options: Option<&'static str>,
    /// Output resolution.
    pub dpi: Dpi,
    /// Line pitch as a multiple of the font size, 0.5 to 4.
    pub line_height: f64,
    /// Extra distance between paragraphs; `None` is half a line pitch.
    pub paragraph_spacing: Option<Px>,
    /// Margins around the text area.
    pub margins: Margins,
    /// Added to every space.
    pub word_spacing: Px,
    /// Alignment of lines between the margins.
    pub alignment: Alignment,
    /// Whether letter pairs are kerned.
    pub kerning: Kerning,
    /// The ink of the page.
    pub ink: Rgb,
    /// Effects that make the page look written.
    pub effects: Effects,
    /// What to do with text that does not fit.
    pub overflow: Overflow,
    /// Source of all randomness.
    pub seed: u32,
    /// The part of the page that a preview shows; `None` is the whole page. A full page has none.
    pub region: Option<Rect<Px>>,
}

impl RenderSpec {
    /// The part of the page that is drawn.
    #[must_use]
    pub fn drawn(&self) -> Rect<Px> {
        let page = self.page.px();
        self.region.unwrap_or(Rect { min: Point::default(), max: Point::new(page.width, page.height) })
    }

    /// The file name of this page, without extension: `handwriting_a4_300dpi`.
    #[must_use]
    pub fn file_stem(&self) -> String {
        format!("handwriting_{}_{}dpi", self.page.size.name(), self.dpi.get())
    }

    /// How the file carries the writing: as outlines where the request asks for them and they can show it.
    #[must_use]
    pub fn writing(&self) -> Writing {
        match &self.output {
            OutputFormat::Pdf(plan)
                if plan.writing == PdfWriting::Outlines && self.effects.hides_outlines().is_none() =>
            {
                Writing::Outlines
            }
            OutputFormat::Pdf(_) | OutputFormat::Png => Writing::Image,
            OutputFormat::Svg(options) => match options.paths {
                SvgPaths::Outlines => Writing::Outlines,
                SvgPaths::Welded => Writing::Welded,
                SvgPaths::Strokes => Writing::Strokes,
            },
        }
    }

    /// The resolution at which the pages are drawn. Paths have none, and cost as much as at 300 DPI.
    #[must_use]
    pub fn drawn_dpi(&self) -> Dpi {
        match self.writing() {
            Writing::Image => self.dpi,
            Writing::Outlines | Writing::Welded | Writing::Strokes => Dpi::default(),
        }
    }

    /// Whether making the file needs a device that draws.
    #[must_use]
    pub fn needs_device(&self) -> bool {
        self.writing() == Writing::Image
    }
}

/// `output_format`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum OutputFormat {
    /// Transparent RGBA picture.
    #[default]
    Png,
    /// Print file with these options.
    Pdf(PressPlan),
    /// Paths alone.
    Svg(SvgOptions),
}

/// The size of one em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FontSize {
    /// As requested: 12 to 400 px.
    Fixed(Px),
    /// The largest whole size that fits.
    Auto(AutoSize),
}

/// Bounds of the automatic font size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoSize {
    /// Largest size that may be chosen, 20 to 400 px (`max_auto_font_size`). The smallest is always 12.
    pub max: u32,
}

/// `generation_type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GenerationKind {
    /// Cards, letters, general text.
    #[default]
    Standard,
    /// An envelope address: at most 5 lines and 250 characters, manual size.
    Address,
}

/// White paper around the text area. Left + right is less than the page's width, top + bottom than its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// `margin_left`.
    pub left: Px,
    /// `margin_right`.
    pub right: Px,
    /// `margin_top`.
    pub top: Px,
    /// `margin_bottom`.
    pub bottom: Px,
}

/// `text_alignment`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// Lines start at the left margin.
    #[default]
    Left,
    /// Each line's ink is centred between the margins.
    Center,
}

/// `kerning`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kerning {
    /// The font's letter pairs are adjusted.
    #[default]
    Pairs,
    /// Uniform letter spacing; every other OpenType feature stays on.
    Off,
}

/// An sRGB colour, 8 bits per channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

/// The effects that are on. `None` is off. A parameter without its flag is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effects {
    /// `enable_word_rotation`.
    pub word_rotation: Option<WordRotation>,
    /// `enable_natural_variation`.
    pub natural_variation: Option<NaturalVariation>,
    /// `enable_random_indentation`.
    pub random_indentation: Option<RandomIndentation>,
    /// `enable_ink_flow`.
    pub ink_flow: Option<InkFlow>,
    /// `enable_writer_variation`.
    pub writer_variation: Option<WriterVariation>,
}

impl Effects {
    /// The field of an effect that outlines cannot show, and why.
    #[must_use]
    pub fn hides_outlines(&self) -> Option<(&'static str, &'static str)> {
        let grain = self.natural_variation.filter(|variation| variation.is_grain());
        grain.map(|_| ("natural_variation_sigma", "below 2 the ink is grain; use a sigma of 2 or more"))
    }
}

/// Rotates each word about the centre of its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordRotation {
    /// Largest angle either way, 0 to 10.
    pub range: Degrees,
}

/// Elastic distortion of the ink (Simard, Steinkraus, Platt 2003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaturalVariation {
    /// Intensity, 0 to 100.
    pub alpha: u8,
    /// Standard deviation of the smoothing Gaussian in 300-DPI px, 0 to 10.
    pub sigma: u8,
}

impl NaturalVariation {
    /// Up to this sigma the field is grain.
    const SMOOTHEST_GRAIN: u8 = 1;

    /// Whether it displaces pixels by themselves, as grain. Above, outlines can follow it.
    #[must_use]
    pub const fn is_grain(self) -> bool {
        self.alpha > 0 && self.sigma <= Self::SMOOTHEST_GRAIN
    }
}

/// Indents each line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomIndentation {
    /// Largest indentation, 0 to 100 px.
    pub range: Px,
}

/// Ink that fades along the writing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InkFlow {
    /// 0 (identity) to 3.
    pub intensity: f64,
}

/// Varies letters, gaps and lines like one writer's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriterVariation {
    /// Factor of all standard deviations, 0 (identity) to 2.
    pub strength: f64,
}

/// `overflow`: what to do with text that does not fit at the chosen size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// Refuse, and name the largest size that fits.
    #[default]
    Error,
    /// Write at the largest size that fits.
    Shrink,
    /// Cut the page, with a warning that counts the loss.
    Clip,
    /// More pages (PDF only).
    Paginate,
}
