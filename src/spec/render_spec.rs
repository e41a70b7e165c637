//! The valid specification of a page, which every later stage uses.

use super::effects::Effects;
use super::mail_piece::MailPiece;
use super::output_name::{OutputName, PngFormat};
use super::page::PageFormat;
use super::pen::PenKind;
use super::placed_artwork::PlacedArtwork;
use super::preset::RequestPreset;
use super::press_plan::{PdfColors, PressPlan};
use super::representation::Representation;
use super::rgb::Rgb;
use super::svg_options::{SvgGlyphs, SvgOptions};
use crate::catalogue::FontId;
use crate::clock::Timestamp;
use crate::geometry::{Point, Rect, Size};
use crate::named::named;
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
    /// How a PNG keeps its pixels.
    pub png_format: PngFormat,
    /// The preset, if the request gives every field that it sets.
    pub unused_preset: Option<RequestPreset>,
    /// The parameters of effects that are off, where they differ from their defaults, each with the flag of its effect.
    pub unused_parameters: Vec<(&'static str, &'static str)>,
    /// The field with options of another format, if any differs from its default.
    pub unused_options: Option<&'static str>,
    /// Output resolution.
    pub dpi: Dpi,
    /// Line pitch as a multiple of the font size, 0.5 to 4.
    pub line_height: f64,
    /// Extra distance between paragraphs; `None` is half a line pitch.
    pub paragraph_spacing: Option<Px>,
    /// The rules to write on. They decide the line pitch and the paragraph spacing.
    pub ruling: Option<Ruling>,
    /// Margins around the text area; those of a mail piece are outside its reserved zones.
    pub margins: Margins,
    /// The mail piece that the page is, if it is one.
    pub mail_piece: Option<MailUse>,
    /// Added to every space.
    pub word_spacing: Px,
    /// Alignment of lines between the margins.
    pub alignment: Alignment,
    /// Position of the lines between the top and bottom margins.
    pub vertical_alignment: VerticalAlignment,
    /// Whether letter pairs are kerned.
    pub kerning: Kerning,
    /// The ink of the page.
    pub ink: Rgb,
    /// The paper that it will be written on; `None` is white.
    pub paper: Option<Rgb>,
    /// Effects that make the page look written.
    pub effects: Effects,
    /// What to do with text that does not fit.
    pub overflow: Overflow,
    /// Whether the lines of the text, between its newlines, stay whole in a smaller size.
    pub keep_lines: bool,
    /// What to do if preflight finds an error.
    pub on_finding: OnFinding,
    /// Source of all randomness.
    pub seed: u32,
    /// When the file says that it was made; `None` is the time at which it is rendered.
    pub created: Option<Timestamp>,
    /// Texts in boxes of their own. With blocks, an empty `text` is no body.
    pub blocks: Vec<Block>,
    /// Pictures under the writing, the first at the bottom.
    pub artwork: Vec<PlacedArtwork>,
    /// The other side of the sheet. It has the same paper, resolution and PDF options, and no back.
    pub back: Option<Box<Self>>,
    /// The page that a preview shows, from 1. Beyond the last it is the last.
    pub shown_page: u16,
    /// Whether a preview tells where its words are.
    pub tells_places: bool,
    /// The part of the page that a preview shows; `None` is the whole page. A full page has none.
    pub region: Option<Rect<Px>>,
}

impl RenderSpec {
    /// The distance of two baselines at a font size in px.
    #[must_use]
    pub fn line_pitch(&self, font_size: f64) -> f64 {
        self.ruling.as_ref().map_or(font_size * self.line_height, |ruling| ruling.pitch.get())
    }

    /// Whether its pages have several layers: artwork, drawn rules, or several inks.
    #[must_use]
    pub fn has_layers(&self) -> bool {
        !self.artwork.is_empty()
            || self.ruling.as_ref().is_some_and(|ruling| ruling.drawn.is_some())
            || self.inks().len() > 1
    }

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
    pub fn representation(&self) -> Representation {
        match &self.output {
            OutputFormat::Pdf(plan)
                if plan.representation == Representation::Outlines && self.effects.hides_outlines().is_none() =>
            {
                Representation::Outlines
            }
            OutputFormat::Pdf(_) | OutputFormat::Png => Representation::Image,
            OutputFormat::Svg(options) => options.paths,
        }
    }

    /// The resolution at which the pages are drawn. Paths have none, and cost as much as at 300 DPI. Grain for a press
    /// takes 600.
    #[must_use]
    pub fn drawn_dpi(&self) -> Dpi {
        match self.representation() {
            Representation::Image if self.prints_grain() => Dpi::Dpi600,
            Representation::Image => self.dpi,
            Representation::Outlines | Representation::Welded | Representation::Strokes => Dpi::default(),
        }
    }

    /// Whether an SVG has each distinct letter once: that is asked for, and no effect bends the letters.
    #[must_use]
    pub fn shares_glyphs(&self) -> bool {
        let OutputFormat::Svg(options) = &self.output else { return false };
        options.glyphs == SvgGlyphs::Shared
            && self.representation() == Representation::Outlines
            && !self.effects.bends_outlines()
    }

    /// Whether the file has the inks of a printing press, which prints lighter ink as dots.
    #[must_use]
    pub fn is_for_press(&self) -> bool {
        matches!(&self.output, OutputFormat::Pdf(plan) if plan.colors != PdfColors::Rgb)
    }

    /// Whether its shades are grain of solid ink: those of a pencil in an image for a press.
    #[must_use]
    pub fn prints_grain(&self) -> bool {
        let is_pencil = self.effects.pen.in_use().is_some_and(|pen| pen.kind == PenKind::Pencil);
        is_pencil && self.is_for_press() && self.representation() == Representation::Image
    }

    /// Whether making the file needs a device that draws.
    #[must_use]
    pub fn needs_device(&self) -> bool {
        self.representation() == Representation::Image
    }
}

/// `mail_piece`, and what it changed.
#[derive(Clone, Debug, PartialEq)]
pub struct MailUse {
    /// The piece.
    pub piece: &'static MailPiece,
    /// The margins that were smaller than its safe distance.
    pub raised: Vec<RaisedMargin>,
}

/// A margin that was smaller than a mail piece allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaisedMargin {
    /// The field.
    pub field: &'static str,
    /// As asked for.
    pub asked: Px,
    /// As the piece wants it.
    pub raised: Px,
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

impl OutputFormat {
    /// The format without its options.
    #[must_use]
    pub const fn name(&self) -> OutputName {
        match self {
            Self::Png => OutputName::Png,
            Self::Pdf(_) => OutputName::Pdf,
            Self::Svg(_) => OutputName::Svg,
        }
    }
}

/// The size of one em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FontSize {
    /// As requested: 12 to 400 px.
    Fixed(Px),
    /// The largest whole size that fits.
    Auto {
        /// Largest size that may be chosen, 20 to 400 px (`max_auto_font_size`). The smallest is always 12.
        max: u32,
    },
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

impl Margins {
    /// Those around a box of a page.
    pub(super) fn around(Rect { min, max }: Rect<Px>, page: Size<Px>) -> Self {
        Self { left: min.x, right: page.width - max.x, top: min.y, bottom: page.height - max.y }
    }

    /// The box between them.
    pub(super) fn area(self, page: Size<Px>) -> Rect<Px> {
        Rect {
            min: Point::new(self.left, self.top),
            max: Point::new(page.width - self.right, page.height - self.bottom),
        }
    }
}

/// A text in a box of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The text as received.
    pub text: String,
    /// The box, before the rotation.
    pub area: Rect<Px>,
    /// The font to write in.
    pub font: FontId,
    /// Font size, or how to find it.
    pub font_size: FontSize,
    /// Alignment of lines in the box.
    pub alignment: Alignment,
    /// Position of the lines in the box.
    pub vertical_alignment: VerticalAlignment,
    /// The ink.
    pub ink: Rgb,
    /// Line pitch as a multiple of the font size.
    pub line_height: f64,
    /// Whether the lines of the text, between its newlines, stay whole in a smaller size.
    pub keep_lines: bool,
    /// Its page where the text takes several.
    pub page: BlockPage,
    /// Rotation about the centre of the box, clockwise on the page.
    pub rotation: Degrees,
}

/// The lines on which a page is written, and whether they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Distance of two rules.
    pub pitch: Px,
    /// Distance of the first rule from the page's upper edge.
    pub first_baseline: Px,
    /// The colour in which the rules are drawn; `None` where they are not drawn.
    pub drawn: Option<Rgb>,
    /// Fields of the request that have no effect because of the ruling.
    pub ignored: Vec<&'static str>,
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

named! {
    /// `generation_type`.
    #[derive(Default)]
    pub enum GenerationKind {
        /// Cards, letters, general text.
        #[default]
        Standard = "standard",
        /// An envelope address: at most 5 lines and 250 characters, manual size.
        Address = "address",
    }

    /// `text_alignment`.
    #[derive(Default)]
    pub enum Alignment {
        /// Lines start at the left margin.
        Left = "left",
        /// Each line's ink is centred between the margins.
        Center = "center",
        /// Each line's ink ends at the right margin.
        Right = "right",
        /// Left in paragraphs that run from left to right, and right in those from right to left.
        #[default]
        Start = "start",
    }

    /// `page` of a block where the body takes several.
    #[derive(Default)]
    pub enum BlockPage {
        /// The first.
        #[default]
        First = "first",
        /// The last.
        Last = "last",
    }

    /// `vertical_alignment`: the position of a page's ink, from the top of its highest ink to the bottom of its lowest.
    #[derive(Default)]
    pub enum VerticalAlignment {
        /// The first baseline is one ink ascent of the font below the top margin.
        #[default]
        Top = "top",
        /// The ink is centred between the margins.
        Center = "center",
        /// The ink ends at the bottom margin.
        Bottom = "bottom",
    }

    /// `on_finding`: what to do with a page in which preflight finds an error.
    #[derive(Default)]
    pub enum OnFinding {
        /// Make it.
        #[default]
        Report = "report",
        /// Refuse it.
        Refuse = "refuse",
    }

    /// `overflow`: what to do with text that does not fit at the chosen size.
    #[derive(Default)]
    pub enum Overflow {
        /// Refuse, and name the largest size that fits.
        #[default]
        Error = "error",
        /// Write at the largest size that fits.
        Shrink = "shrink",
        /// Cut the page, with a warning that counts the loss.
        Clip = "clip",
        /// More pages (PDF only).
        Paginate = "paginate",
    }
}
