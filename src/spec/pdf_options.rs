//! The `pdf` object of a request: its members, their ranges and defaults. A `PressPlan` is made from them.

use super::field::ObjectFields;
use super::field_table::field_table;
use super::kinds::{Number, OneOf, OrNull};
use super::representation::Representation;
use crate::named::named;

field_table! {
    /// The `pdf` object, every value within its range. The plan resolves contradictions with a warning: a preset may
    /// overrule `standard`, and a page that is laid out without bleed ignores `bleed_mm`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct PdfOptions {}

    /// Whose rules the file follows. `generic`: standard PDF output. `lob`: strict preflight, PDF/X-1a, no crop marks.
    /// `click2mail`: RGB without marks and slug, with postcard bleed.
    PRESET preset: OneOf<Preset> = OneOf(Preset::NAMES), Default(Preset::Generic);
    /// `pdf`: RGB on a white background. `pdfx1a`: CMYK PDF/X-1a:2001 without transparency.
    STANDARD standard: OneOf<Standard> = OneOf(Standard::NAMES), Default(Standard::Pdf);
    /// CMYK output intent, PDF/X-1a only. `auto` goes by region: `us` is `gracol_2013`, `eu` is `pso_coated_v3`.
    ICC_PROFILE icc_profile: OneOf<Option<PrintingCondition>> = OneOf(&[
        ("auto", None),
        ("gracol_2013", Some(PrintingCondition::Gracol2013)),
        ("gracol_2006", Some(PrintingCondition::Gracol2006)),
        ("pso_coated_v3", Some(PrintingCondition::PsoCoatedV3)),
        ("iso_coated_v2", Some(PrintingCondition::IsoCoatedV2)),
    ]), Default(None);
    /// Layout of a standard PDF. `document`: the page as it is. `press`: bleed and crop marks with the page boxes to
    /// match. `auto`: `press` for trimmed products.
    PROFILE profile: OneOf<LayoutProfile> = OneOf(LayoutProfile::NAMES), Default(LayoutProfile::Document);
    /// Conventions for bleed and crop marks. `auto` goes by page size: ISO sizes are `eu`, US sizes `us`.
    REGION region: OneOf<Option<Region>> = OneOf(&[
        ("auto", None),
        ("us", Some(Region::Us)),
        ("eu", Some(Region::Eu)),
    ]), Default(None);
    /// Bleed in millimetres, such as 3.0 (EU) or 3.175 (US). Null: the default of preset, page size and region.
    BLEED_MM bleed_mm: OrNull<Number> = OrNull(Number { min: 0.0, max: 20.0 }), Default(None) in "mm";
    /// Which box becomes the `CropBox` of a standard PDF. `media` keeps crop marks visible in viewers.
    CROP_BOX crop_box: OneOf<CropBox> = OneOf(CropBox::NAMES), Default(CropBox::Media);
    /// `image`: each page is one picture at `dpi`. `outlines`: the letters are filled paths, sharp at any resolution
    /// and a tenth of the bytes; a page with what paths cannot show becomes an image, with a warning.
    WRITING writing: OneOf<Representation> = OneOf(&[
        ("image", Representation::Image),
        ("outlines", Representation::Outlines),
    ]), Default(Representation::Image);
    /// `none`: the file holds the writing alone. `invisible`: it also holds the text, unseen, for search, archives and
    /// screen readers.
    TEXT_LAYER text_layer: OneOf<TextLayer> = OneOf(TextLayer::NAMES), Default(TextLayer::None);
}

impl ObjectFields for PdfOptions {
    const SCHEMA: &'static str = "PdfOptions";
    const MEANING: &'static str = "PDF options; checked whenever they are there, used when `output_format` is `pdf`.";
    const EXPECTED: &'static str = "an object with PDF options";
}

named! {
    /// The printing service whose rules the file follows.
    #[derive(Default)]
    pub enum Preset {
        /// Standard output.
        #[default]
        Generic = "generic",
        /// Strict preflight: PDF/X-1a, no crop marks.
        Lob = "lob",
        /// Portal-friendly: RGB, no marks, no slug, postcard bleed.
        Click2mail = "click2mail",
    }

    /// The kind of PDF.
    #[derive(Default)]
    pub enum Standard {
        /// RGB on white.
        #[default]
        Pdf = "pdf",
        /// PDF/X-1a:2001, CMYK, no transparency.
        PdfX1a = "pdfx1a",
    }

    /// Whether a standard PDF is laid out for a press.
    #[derive(Default)]
    pub enum LayoutProfile {
        /// Press for trimmed products, else document.
        Auto = "auto",
        /// The page as it is.
        #[default]
        Document = "document",
        /// Bleed and crop marks.
        Press = "press",
    }

    /// Which box becomes the `CropBox` of a standard PDF.
    pub enum CropBox {
        /// The `MediaBox`: crop marks stay visible.
        Media = "media",
        /// The `BleedBox`.
        Bleed = "bleed",
        /// The `TrimBox`.
        Trim = "trim",
    }

    /// Whether a PDF has its text beside the writing.
    pub enum TextLayer {
        /// No text.
        None = "none",
        /// Text that is searched and not seen.
        Invisible = "invisible",
    }

    /// A characterised printing condition, which the output intent of a PDF/X-1a file names.
    pub enum PrintingCondition {
        /// `GRACoL` 2013 (CRPC6).
        Gracol2013 = "gracol_2013",
        /// `GRACoL` 2006 (TR006).
        Gracol2006 = "gracol_2006",
        /// PSO Coated v3 (FOGRA51).
        PsoCoatedV3 = "pso_coated_v3",
        /// ISO Coated v2 (FOGRA39).
        IsoCoatedV2 = "iso_coated_v2",
    }
}

/// The region of the print shop: conventions for bleed and marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// United States.
    Us,
    /// Europe.
    Eu,
}
