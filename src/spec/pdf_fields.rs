//! The table of the `pdf` object's members: names, ranges, defaults and descriptions.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::field::{Absent, Field, FieldDescription, FieldType as _};
use super::kinds::{Number, OneOf, OrNull};
use super::pdf_options::{
    CropBox, IccProfile, LayoutProfile, PdfOptions, PdfWriting, Preset, Region, Standard, TextLayer,
};
use super::violation_collector::ViolationCollector;
use crate::units::Mm;

pub(super) static PRESET: Field<OneOf<Preset>> = Field {
    name: "preset",
    kind: OneOf(&Preset::NAMES),
    absent: Absent::Default(Preset::Generic),
    meaning: "Whose rules the file follows. `generic`: standard PDF output. `lob`: strict preflight, PDF/X-1a, no crop \
              marks. `click2mail`: RGB without marks and slug, with postcard bleed.",
};

static STANDARD: Field<OneOf<Standard>> = Field {
    name: "standard",
    kind: OneOf(&[("pdf", Standard::Pdf), ("pdfx1a", Standard::PdfX1a)]),
    absent: Absent::Default(Standard::Pdf),
    meaning: "`pdf`: RGB on a white background. `pdfx1a`: CMYK PDF/X-1a:2001 without transparency.",
};

static ICC_PROFILE: Field<OneOf<IccProfile>> = Field {
    name: "icc_profile",
    kind: OneOf(&[
        ("auto", IccProfile::Auto),
        ("gracol_2013", IccProfile::Gracol2013),
        ("gracol_2006", IccProfile::Gracol2006),
        ("pso_coated_v3", IccProfile::PsoCoatedV3),
        ("iso_coated_v2", IccProfile::IsoCoatedV2),
    ]),
    absent: Absent::Default(IccProfile::Auto),
    meaning: "CMYK output intent, PDF/X-1a only. `auto` goes by region: `us` is `gracol_2013`, `eu` is \
              `pso_coated_v3`.",
};

static PROFILE: Field<OneOf<LayoutProfile>> = Field {
    name: "profile",
    kind: OneOf(&[
        ("auto", LayoutProfile::Auto),
        ("document", LayoutProfile::Document),
        ("press", LayoutProfile::Press),
    ]),
    absent: Absent::Default(LayoutProfile::Document),
    meaning: "Layout of a standard PDF. `document`: the page as it is. `press`: bleed and crop marks with the page \
              boxes to match. `auto`: `press` for trimmed products.",
};

static REGION: Field<OneOf<Region>> = Field {
    name: "region",
    kind: OneOf(&[("auto", Region::Auto), ("us", Region::Us), ("eu", Region::Eu)]),
    absent: Absent::Default(Region::Auto),
    meaning: "Conventions for bleed and crop marks. `auto` goes by page size: ISO sizes are `eu`, US sizes `us`.",
};

static BLEED_MM: Field<OrNull<Number>> = Field {
    name: "bleed_mm",
    kind: OrNull(Number { min: 0.0, max: 20.0 }),
    absent: Absent::Default(None),
    meaning: "Bleed in millimetres, such as 3.0 (EU) or 3.175 (US). Null: the default of preset, page size and region.",
};

static CROP_BOX: Field<OneOf<CropBox>> = Field {
    name: "crop_box",
    kind: OneOf(&[("media", CropBox::Media), ("bleed", CropBox::Bleed), ("trim", CropBox::Trim)]),
    absent: Absent::Default(CropBox::Media),
    meaning: "Which box becomes the CropBox of a standard PDF. `media` keeps crop marks visible in viewers.",
};

static WRITING: Field<OneOf<PdfWriting>> = Field {
    name: "writing",
    kind: OneOf(&[("image", PdfWriting::Image), ("outlines", PdfWriting::Outlines)]),
    absent: Absent::Default(PdfWriting::Image),
    meaning: "`image`: each page is one picture at `dpi`. `outlines`: the letters are filled paths, sharp at any \
              resolution and a tenth of the bytes; a page with what paths cannot show becomes an image, with a warning.",
};

static TEXT_LAYER: Field<OneOf<TextLayer>> = Field {
    name: "text_layer",
    kind: OneOf(&[("none", TextLayer::None), ("invisible", TextLayer::Invisible)]),
    absent: Absent::Default(TextLayer::None),
    meaning: "`none`: the file holds the writing alone. `invisible`: it also holds the text, unseen, for search, archives \
              and screen readers.",
};

static DESCRIPTIONS: LazyLock<Vec<FieldDescription>> = LazyLock::new(|| {
    vec![
        PRESET.describe(),
        STANDARD.describe(),
        ICC_PROFILE.describe(),
        PROFILE.describe(),
        REGION.describe(),
        BLEED_MM.describe(),
        CROP_BOX.describe(),
        WRITING.describe(),
        TEXT_LAYER.describe(),
    ]
});

/// The table, in the order of the contract.
pub(super) fn descriptions() -> &'static [FieldDescription] {
    &DESCRIPTIONS
}

/// Reads every known member.
pub(super) fn read(members: &Map<String, Value>, collector: &mut ViolationCollector) -> PdfOptions {
    PdfOptions {
        preset: PRESET.read(members, collector),
        // Only a standard or a profile that the client names can contradict the preset.
        standard: members.contains_key(STANDARD.name).then(|| STANDARD.read(members, collector)),
        icc_profile: ICC_PROFILE.read(members, collector),
        layout: members.contains_key(PROFILE.name).then(|| PROFILE.read(members, collector)),
        region: REGION.read(members, collector),
        bleed: BLEED_MM.read(members, collector).map(Mm::new),
        crop_box: CROP_BOX.read(members, collector),
        writing: WRITING.read(members, collector),
        text_layer: TEXT_LAYER.read(members, collector),
    }
}

/// The options in the form of a request.
pub(super) fn to_json(options: &PdfOptions) -> Value {
    json!({
        PRESET.name: PRESET.kind.to_json(&options.preset),
        STANDARD.name: STANDARD.kind.to_json(&options.standard.unwrap_or_default()),
        ICC_PROFILE.name: ICC_PROFILE.kind.to_json(&options.icc_profile),
        PROFILE.name: PROFILE.kind.to_json(&options.layout.unwrap_or_default()),
        REGION.name: REGION.kind.to_json(&options.region),
        BLEED_MM.name: BLEED_MM.kind.to_json(&options.bleed.map(Mm::get)),
        CROP_BOX.name: CROP_BOX.kind.to_json(&options.crop_box),
        WRITING.name: WRITING.kind.to_json(&options.writing),
        TEXT_LAYER.name: TEXT_LAYER.kind.to_json(&options.text_layer),
    })
}
