//! The members of a request's `pdf` object. A `PressPlan` is made from them.

use crate::units::Mm;

/// The `pdf` object, every value within its range. The plan resolves contradictions with a warning: a preset may
/// overrule `standard`, and a page that is laid out without bleed ignores `bleed_mm`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PdfOptions {
    /// `preset`.
    pub preset: Preset,
    /// `standard`; `None` leaves it to the preset.
    pub standard: Option<Standard>,
    /// `icc_profile`.
    pub icc_profile: IccProfile,
    /// `profile`; `None` leaves it to the preset.
    pub layout: Option<LayoutProfile>,
    /// `region`.
    pub region: Region,
    /// `bleed_mm`, 0 to 20; `None` is the default of preset, page and region.
    pub bleed: Option<Mm>,
    /// `crop_box`.
    pub crop_box: CropBox,
    /// `writing`.
    pub writing: PdfRepresentation,
    /// `text_layer`.
    pub text_layer: TextLayer,
}

/// The printing service whose rules the file follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Standard output.
    #[default]
    Generic,
    /// Strict preflight: PDF/X-1a, no crop marks.
    Lob,
    /// Portal-friendly: RGB, no marks, no slug, postcard bleed.
    Click2mail,
}

impl Preset {
    /// Every preset by its wire name.
    pub(super) const NAMES: [(&str, Self); 3] =
        [("generic", Self::Generic), ("lob", Self::Lob), ("click2mail", Self::Click2mail)];

    /// The wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Lob => "lob",
            Self::Click2mail => "click2mail",
        }
    }
}

/// The kind of PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standard {
    /// RGB on white.
    #[default]
    Pdf,
    /// PDF/X-1a:2001, CMYK, no transparency.
    PdfX1a,
}

/// The output intent of a PDF/X-1a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IccProfile {
    /// By region.
    #[default]
    Auto,
    /// `GRACoL` 2013 (CRPC6).
    Gracol2013,
    /// `GRACoL` 2006 (TR006).
    Gracol2006,
    /// PSO Coated v3 (FOGRA51).
    PsoCoatedV3,
    /// ISO Coated v2 (FOGRA39).
    IsoCoatedV2,
}

/// Whether a standard PDF is laid out for a press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayoutProfile {
    /// Press for trimmed products, else document.
    Auto,
    /// The page as it is.
    #[default]
    Document,
    /// Bleed and crop marks.
    Press,
}

/// The region of the print shop: conventions for bleed and marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Region {
    /// By page size.
    #[default]
    Auto,
    /// United States.
    Us,
    /// Europe.
    Eu,
}

/// Which box becomes the `CropBox` of a standard PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CropBox {
    /// The `MediaBox`: crop marks stay visible.
    #[default]
    Media,
    /// The `BleedBox`.
    Bleed,
    /// The `TrimBox`.
    Trim,
}

/// How a PDF is to carry the writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PdfRepresentation {
    /// One image per page, at the resolution of the request.
    #[default]
    Image,
    /// Filled paths, sharp at any resolution.
    Outlines,
}

/// Whether a PDF has its text beside the writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextLayer {
    /// No text.
    #[default]
    None,
    /// Text that is searched and not seen.
    Invisible,
}
