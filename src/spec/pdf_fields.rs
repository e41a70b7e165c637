//! The table of the `pdf` object's members: names, ranges, defaults and descriptions.

use serde_json::{Map, Value};

use super::field::{ObjectDescription, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Number, OneOf, OrNull};
use super::pdf_options::{
    CropBox, IccProfile, LayoutProfile, PdfOptions, PdfRepresentation, Preset, Region, Standard, TextLayer,
};
use super::violation_collector::ViolationCollector;
use crate::units::Mm;

field_table! {
    /// The members of `pdf` as in the request.
    #[derive(Debug)]
    struct PdfFields {}

    /// Whose rules the file follows. `generic`: standard PDF output. `lob`: strict preflight, PDF/X-1a, no crop marks.
    /// `click2mail`: RGB without marks and slug, with postcard bleed.
    PRESET preset: OneOf<Preset> = OneOf(&Preset::NAMES), Default(Preset::Generic);
    /// `pdf`: RGB on a white background. `pdfx1a`: CMYK PDF/X-1a:2001 without transparency.
    STANDARD standard: OneOf<Standard> = OneOf(&[
        ("pdf", Standard::Pdf),
        ("pdfx1a", Standard::PdfX1a),
    ]), Default(Standard::Pdf);
    /// CMYK output intent, PDF/X-1a only. `auto` goes by region: `us` is `gracol_2013`, `eu` is `pso_coated_v3`.
    ICC_PROFILE icc_profile: OneOf<IccProfile> = OneOf(&[
        ("auto", IccProfile::Auto),
        ("gracol_2013", IccProfile::Gracol2013),
        ("gracol_2006", IccProfile::Gracol2006),
        ("pso_coated_v3", IccProfile::PsoCoatedV3),
        ("iso_coated_v2", IccProfile::IsoCoatedV2),
    ]), Default(IccProfile::Auto);
    /// Layout of a standard PDF. `document`: the page as it is. `press`: bleed and crop marks with the page boxes to
    /// match. `auto`: `press` for trimmed products.
    PROFILE profile: OneOf<LayoutProfile> = OneOf(&[
        ("auto", LayoutProfile::Auto),
        ("document", LayoutProfile::Document),
        ("press", LayoutProfile::Press),
    ]), Default(LayoutProfile::Document);
    /// Conventions for bleed and crop marks. `auto` goes by page size: ISO sizes are `eu`, US sizes `us`.
    REGION region: OneOf<Region> = OneOf(&[
        ("auto", Region::Auto),
        ("us", Region::Us),
        ("eu", Region::Eu),
    ]), Default(Region::Auto);
    /// Bleed in millimetres, such as 3.0 (EU) or 3.175 (US). Null: the default of preset, page size and region.
    BLEED_MM bleed_mm: OrNull<Number> = OrNull(Number { min: 0.0, max: 20.0 }), Default(None) in "mm";
    /// Which box becomes the CropBox of a standard PDF. `media` keeps crop marks visible in viewers.
    CROP_BOX crop_box: OneOf<CropBox> = OneOf(&[
        ("media", CropBox::Media),
        ("bleed", CropBox::Bleed),
        ("trim", CropBox::Trim),
    ]), Default(CropBox::Media);
    /// `image`: each page is one picture at `dpi`. `outlines`: the letters are filled paths, sharp at any resolution
    /// and a tenth of the bytes; a page with what paths cannot show becomes an image, with a warning.
    WRITING writing: OneOf<PdfRepresentation> = OneOf(&[
        ("image", PdfRepresentation::Image),
        ("outlines", PdfRepresentation::Outlines),
    ]), Default(PdfRepresentation::Image);
    /// `none`: the file holds the writing alone. `invisible`: it also holds the text, unseen, for search, archives and
    /// screen readers.
    TEXT_LAYER text_layer: OneOf<TextLayer> = OneOf(&[
        ("none", TextLayer::None),
        ("invisible", TextLayer::Invisible),
    ]), Default(TextLayer::None);
}

impl ObjectFields for PdfOptions {
    const OBJECT: ObjectDescription = ObjectDescription {
        schema: "PdfOptions",
        meaning: "PDF options; checked whenever they are there, used when `output_format` is `pdf`.",
        members: PdfFields::descriptions,
    };
    const EXPECTED: &'static str = "an object with PDF options";

    fn of(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Option<Self> {
        let read = PdfFields::read(members, collector);
        Some(Self {
            preset: read.preset,
            // Only a standard or a profile that the client names can contradict the preset.
            standard: members.contains_key(STANDARD.name).then_some(read.standard),
            icc_profile: read.icc_profile,
            layout: members.contains_key(PROFILE.name).then_some(read.profile),
            region: read.region,
            bleed: read.bleed_mm.map(Mm::new),
            crop_box: read.crop_box,
            writing: read.writing,
            text_layer: read.text_layer,
        })
    }
}
