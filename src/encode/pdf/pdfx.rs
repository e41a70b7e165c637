//! The requirements of PDF/X-1a:2001 (ISO 15930-1) beyond PDF 1.3.

use pdf_writer::types::{OutputIntentSubtype, TrappingStatus};
use pdf_writer::writers::{DocumentInfo, OutputIntent};
use pdf_writer::{Date, Filter, Finish as _, Name, Pdf, Ref, Str, TextStr};

use crate::clock::{Timestamp, utc_date};
use crate::encode::color::OutputProfile;
use crate::spec::PrintingCondition;

/// The registry of the conditions below.
const REGISTRY: &str = "http://www.color.org";

/// Identifier and description of a condition in the registry of characterisation data.
const fn registered(condition: PrintingCondition) -> (&'static str, &'static str) {
    match condition {
        PrintingCondition::Gracol2013 => ("CGATS21-2-CRPC6", "Universal Premium Coated, CGATS.21-2 (GRACoL 2013)"),
        PrintingCondition::Gracol2006 => ("CGATS TR 006", "GRACoL, US Grade 1 coated sheetfed"),
        PrintingCondition::PsoCoatedV3 => ("FOGRA51", "Offset, ISO 12647-2:2013, PS1 premium coated, 115 g/m2"),
        PrintingCondition::IsoCoatedV2 => ("FOGRA39", "Offset, ISO 12647-2:2004/Amd 1, paper type 1 or 2, 115 g/m2"),
    }
}

/// The keys with the kind and the date of the file (6.2 and 6.11). The time of day is always midnight.
pub(super) fn write_identification(info: &mut DocumentInfo<'_>, created: Timestamp) {
    let date = utc_date(created);
    let (year, month) = (date.year().unsigned_abs(), date.month().unsigned_abs());
    let day = Date::new(year).month(month).day(date.day().unsigned_abs());
    let created = day.hour(0).minute(0).second(0).utc_offset_hour(0);
    info.creation_date(created).modified_date(created);
    info.trapped(TrappingStatus::NotTrapped);
    info.pair(Name(b"GTS_PDFXVersion"), Str(b"PDF/X-1:2001"));
    info.pair(Name(b"GTS_PDFXConformance"), Str(b"PDF/X-1a:2001"));
}

/// The printing condition that the file is made for (6.4), with its profile.
pub(super) fn write_output_intent(mut intent: OutputIntent<'_>, profile: &OutputProfile, profile_id: Ref) {
    let (identifier, description) = registered(profile.condition);
    intent.subtype(OutputIntentSubtype::PDFX);
    intent.output_condition(TextStr(description));
    intent.output_condition_identifier(TextStr(identifier));
    intent.registry_name(TextStr(REGISTRY));
    intent.info(TextStr(&profile.origin));
    intent.dest_output_profile(profile_id);
}

/// The embedded profile.
pub(super) fn write_profile(pdf: &mut Pdf, id: Ref, profile: &OutputProfile) {
    pdf.icc_profile(id, profile.compressed()).n(4).filter(Filter::FlateDecode);
}

/// The registration colour: all inks of the press at once.
pub(super) fn write_registration_color(pdf: &mut Pdf, id: Ref) {
    let mut separation = pdf.color_space(id).separation(Name(b"All"));
    separation.alternate_color_space().device_cmyk();
    let mut tint = separation.tint_exponential();
    tint.domain([0.0, 1.0]).c0([0.0; 4]).c1([1.0; 4]).n(1.0);
    tint.finish();
}
