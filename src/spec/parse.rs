//! The entry points of this module: the bytes of a body, and a JSON value; with the fonts of the program, or with more.

use serde_json::Value;

use super::combinations;
use super::endpoint::Endpoint;
use super::field::refuse_unknown;
use super::known::Known;
use super::render_spec::RenderSpec;
use super::request_fields::RenderRequest;
use super::sides::{sheet, sides_of};
use super::strict_json::read_json;
use super::violation::{RequestError, ViolationKind, Violations};
use super::violation_collector::ViolationCollector;
use super::wording::shown;

/// Reads the body of a generation request, which may name the fonts of the program. `fresh_seed` is called only for a
/// valid request that names no seed.
///
/// # Errors
/// [`RequestError::Malformed`] with line and column if the body is not JSON, or names a member twice;
/// [`RequestError::Invalid`] with every violation otherwise.
pub fn parse_request(
    body: &[u8],
    endpoint: Endpoint,
    fresh_seed: impl FnOnce() -> u32,
) -> Result<RenderSpec, RequestError> {
    parse_request_for(Known::default(), body, endpoint, fresh_seed)
}

/// As [`parse_request`], with all that the request may name: an operator's fonts besides those of the program, and
/// artwork.
///
/// # Errors
/// As there.
pub fn parse_request_for(
    known: impl Into<Known>,
    body: &[u8],
    endpoint: Endpoint,
    fresh_seed: impl FnOnce() -> u32,
) -> Result<RenderSpec, RequestError> {
    let value = read_json(body)?;
    Ok(parse_value_for(known, &value, endpoint, fresh_seed)?)
}

/// Reads a generation request that is a JSON value already, as [`parse_request`] does.
///
/// # Errors
/// Every violation of the contract.
pub fn parse_value(
    body: &Value,
    endpoint: Endpoint,
    fresh_seed: impl FnOnce() -> u32,
) -> Result<RenderSpec, Violations> {
    parse_value_for(Known::default(), body, endpoint, fresh_seed)
}

/// As [`parse_value`], with all that the request may name: an operator's fonts besides those of the program, and
/// artwork.
///
/// # Errors
/// As there.
pub fn parse_value_for(
    known: impl Into<Known>,
    body: &Value,
    endpoint: Endpoint,
    fresh_seed: impl FnOnce() -> u32,
) -> Result<RenderSpec, Violations> {
    let known = known.into();
    let read = |body: &Value| {
        let mut collector = ViolationCollector::knowing(known.clone());
        let request = validate(body, endpoint, &mut collector);
        collector.conclude(request)
    };
    match sides_of(body, endpoint)? {
        None => Ok(read(body)?.into_spec(fresh_seed)),
        Some(sides) => sheet(&sides, endpoint, read, fresh_seed),
    }
}

/// Checks each field, and then their combinations.
fn validate(body: &Value, endpoint: Endpoint, collector: &mut ViolationCollector) -> RenderRequest {
    let Some(members) = body.as_object() else {
        let message = format!("The body should be an object with at least 'text', got {}", shown(body));
        collector.report(ViolationKind::ModelType, message);
        return RenderRequest::default();
    };
    let request = RenderRequest::of(members, endpoint, collector);
    combinations::check(&request, members, endpoint, collector);
    refuse_unknown(members, endpoint.fields(), collector);
    request
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::effects::{Effects, InkFlow, NaturalVariation, WriterVariation};
    use crate::spec::field::FieldTable as _;
    use crate::spec::page::{Orientation, PageFormat, PageSize};
    use crate::spec::pdf_options::{
        CropBox, LayoutProfile, PdfOptions, Preset, PrintingCondition, Region, Standard, TextLayer,
    };
    use crate::spec::pen::PenUse;
    use crate::spec::press_plan::PressPlan;
    use crate::spec::render_spec::OutputFormat;
    use crate::spec::representation::Representation;
    use crate::units::{Degrees, Px};

    /// The specification of `body`.
    fn contract_spec(body: &Value) -> RenderSpec {
        let mut collector = ViolationCollector::default();
        let request = validate(body, Endpoint::Generate, &mut collector);
        collector.conclude(request).unwrap().into_spec(|| 7)
    }

    #[test]
    fn an_effect_that_is_on_carries_its_parameters() {
        let defaults = json!({"text": "x", "enable_word_rotation": true, "enable_natural_variation": true,
                              "enable_random_indentation": true, "enable_ink_flow": true,
                              "enable_writer_variation": true});
        let expected = Effects {
            word_rotation: Some(Degrees::new(5.0)),
            natural_variation: Some(NaturalVariation { alpha: 15, sigma: 5 }),
            random_indentation: Some(Px::new(20.0)),
            ink_flow: Some(InkFlow { intensity: 1.0 }),
            pen: PenUse::default(),
            writer_variation: Some(WriterVariation { strength: 1.0 }),
        };
        assert_eq!(contract_spec(&defaults).effects, expected);

        let given = json!({"text": "x", "enable_word_rotation": true, "word_rotation_range": 2.5,
                           "enable_natural_variation": true, "natural_variation_alpha": 40,
                           "natural_variation_sigma": 3, "enable_random_indentation": true, "indentation_range": 100,
                           "enable_ink_flow": true, "ink_flow_intensity": -0.0,
                           "enable_writer_variation": true, "writer_variation_strength": 1.6});
        let effects = contract_spec(&given).effects;
        let expected = Effects {
            word_rotation: Some(Degrees::new(2.5)),
            natural_variation: Some(NaturalVariation { alpha: 40, sigma: 3 }),
            random_indentation: Some(Px::new(100.0)),
            ink_flow: Some(InkFlow { intensity: 0.0 }),
            pen: PenUse::default(),
            writer_variation: Some(WriterVariation { strength: 1.6 }),
        };
        assert_eq!(effects, expected);
        assert!(effects.ink_flow.unwrap().intensity.is_sign_positive());
    }

    #[test]
    fn an_effect_that_is_off_is_absent_though_it_has_parameters() {
        let body = json!({"text": "x", "enable_ink_flow": false, "ink_flow_intensity": 3, "word_rotation_range": 1});
        assert_eq!(contract_spec(&body).effects, Effects::default());
    }

    #[test]
    fn a_pdf_without_options_has_the_default_ones() {
        let options = PdfOptions {
            preset: Preset::Generic,
            standard: Standard::Pdf,
            icc_profile: None,
            profile: LayoutProfile::Document,
            region: None,
            bleed_mm: None,
            crop_box: CropBox::Media,
            writing: Representation::Image,
            text_layer: TextLayer::None,
        };
        let expected = OutputFormat::Pdf(PressPlan::of(PageFormat::default(), &options));
        for pdf in [json!(null), json!({}), json!({"bleed_mm": null})] {
            assert_eq!(contract_spec(&json!({"text": "x", "output_format": "pdf", "pdf": pdf})).output, expected);
        }
        assert_eq!(contract_spec(&json!({"text": "x", "output_format": "pdf"})).output, expected);
    }

    #[test]
    fn every_pdf_option_arrives() {
        let pdf = json!({"preset": "lob", "standard": "pdfx1a", "icc_profile": "iso_coated_v2", "profile": "press",
                         "region": "eu", "bleed_mm": 3.5, "crop_box": "trim", "writing": "outlines", "text_layer": "invisible"});
        let expected = PdfOptions {
            preset: Preset::Lob,
            standard: Standard::PdfX1a,
            icc_profile: Some(PrintingCondition::IsoCoatedV2),
            profile: LayoutProfile::Press,
            region: Some(Region::Eu),
            bleed_mm: Some(3.5),
            crop_box: CropBox::Trim,
            writing: Representation::Outlines,
            text_layer: TextLayer::Invisible,
        };
        let mut collector = ViolationCollector::default();
        assert_eq!(PdfOptions::read(pdf.as_object().unwrap(), &mut collector), expected);
        let body = json!({"text": "x", "output_format": "pdf", "pdf": pdf, "page_size": "dl",
                          "orientation": "landscape"});
        let page = PageFormat { size: PageSize::Dl, orientation: Orientation::Landscape };
        assert_eq!(contract_spec(&body).output, OutputFormat::Pdf(PressPlan::of(page, &expected)));
        assert_eq!(contract_spec(&json!({"text": "x", "pdf": pdf})).output, OutputFormat::Png);
    }
}
