//! What is wrong with the artwork of a page: its resolution as it is placed, its edges at the trim, and the zones that
//! a mail piece keeps clear.

use super::finding::{Finding, Severity};
use super::ink_areas::in_mm;
use crate::geometry::{Point, Rect};
use crate::spec::{OutputFormat, PlacedArtwork, RenderSpec, ReservedZone};
use crate::units::{BASELINE_DPI, Mm, Px};

/// Pixels per inch below which a picture looks soft in print, and below which its pixels are seen.
const SOFT: f64 = 200.0;
const COARSE: f64 = 150.0;
/// How far a picture may miss an edge: no press and no reader sees more.
const TOLERANCE_MM: f64 = 0.1;
/// A picture that ends this near to the trim was meant to reach it.
const MEANT_MM: f64 = 1.0;

/// Everything that is found.
pub(super) fn artwork_findings(spec: &RenderSpec) -> Vec<Finding> {
    let of_each = spec.artwork.iter().enumerate().flat_map(|(number, placed)| {
        let field = format!("artwork[{number}]");
        let resolution = too_coarse(&field, placed, spec.shows_drawing(number));
        resolution.into_iter().chain(short_of_bleed(spec, &field, placed)).chain(in_zones(spec, &field, placed))
    });
    of_each.collect()
}

/// A picture, or a drawing that is shown by its pixels or has a picture in it, with too few pixels for its size.
fn too_coarse(field: &str, placed: &PlacedArtwork, is_vector: bool) -> Option<Finding> {
    let facts = placed.artwork.facts();
    let (width, height) = (placed.picture.width(), placed.picture.height());
    let dpi = |pixels: u32, length: Px| f64::from(pixels) * BASELINE_DPI / length.get();
    let of_pixels = dpi(facts.width, width).min(dpi(facts.height, height));
    let of_pixels = if is_vector { f64::INFINITY } else { of_pixels };
    let of_pictures = facts.drawing.and_then(|drawing| {
        let reduction = (drawing.width_mm / width.to_mm().get()).min(drawing.height_mm / height.to_mm().get());
        Some(drawing.least_dpi? * reduction)
    });
    let of_pictures = of_pictures.unwrap_or(f64::INFINITY);
    let actual = of_pixels.min(of_pictures);
    let severity = match actual {
        _ if actual < COARSE => Severity::Warning,
        _ if actual < SOFT => Severity::Info,
        _ => return None,
    };
    let (what, remedy) = if of_pictures <= of_pixels {
        ("a picture in the drawing has".to_owned(), "draw it with finer pictures, or make it smaller on the page")
    } else {
        let pixels = format!("the picture has {} × {} pixels, which are", facts.width, facts.height);
        (pixels, "upload it with more pixels, or make it smaller on the page")
    };
    let message = format!("{what} {actual:.0} DPI in this size; print wants {SOFT:.0} or more");
    let finding = Finding::new(severity, "artwork_resolution", field, message, remedy);
    Some(Finding { area: Some(in_mm(placed.window)), ..finding }.measured(actual, SOFT, "dpi"))
}

/// A picture that reaches an edge of the trim, but not the end of the bleed beyond it: where the cut is not exact,
/// paper shows. Tells the edge that misses most.
fn short_of_bleed(spec: &RenderSpec, field: &str, placed: &PlacedArtwork) -> Option<Finding> {
    let OutputFormat::Pdf(plan) = &spec.output else { return None };
    let bleed = plan.bleed.get();
    if bleed <= TOLERANCE_MM {
        return None;
    }
    let (page, window) = (spec.page.px(), placed.window);
    // How far the picture reaches beyond each edge of the trim.
    let edges = [
        ("left", -window.min.x),
        ("right", window.max.x - page.width),
        ("upper", -window.min.y),
        ("lower", window.max.y - page.height),
    ];
    let short = edges.into_iter().map(|(edge, beyond)| (edge, beyond.to_mm().get()));
    let short = short.filter(|(_, beyond)| *beyond > -MEANT_MM && *beyond < bleed - TOLERANCE_MM);
    let (edge, beyond) = short.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let missing = bleed - beyond;
    let message = format!(
        "the picture reaches the {edge} edge of the trim, and ends {missing:.2} mm before the end of the bleed"
    );
    let remedy =
        format!("let it reach {bleed:.2} mm beyond the edge, or leave out its place and size to fill the page");
    let finding = Finding::new(Severity::Warning, "artwork_bleed", field, message, remedy);
    Some(Finding { area: Some(in_mm(placed.window)), ..finding }.measured(beyond.max(0.0), bleed, "mm"))
}

/// A picture under the zones of a mail piece. It may be white there, so that is no error.
fn in_zones(spec: &RenderSpec, field: &str, placed: &PlacedArtwork) -> Option<Finding> {
    let mail = spec.mail_piece.as_ref()?;
    let tolerance = Mm::new(TOLERANCE_MM).to_px();
    let covered = |zone: &ReservedZone| {
        let (zone, window) = (zone.px(), placed.window);
        let min = Point::new(window.min.x.max(zone.min.x), window.min.y.max(zone.min.y));
        let max = Point::new(window.max.x.min(zone.max.x), window.max.y.min(zone.max.y));
        (max.x - min.x > tolerance && max.y - min.y > tolerance).then_some(Rect { min, max })
    };
    let found: Vec<(&str, Rect<Px>)> =
        mail.piece.zones.iter().filter_map(|zone| Some((zone.name.as_str(), covered(zone)?))).collect();
    let area = found.iter().map(|(_, area)| *area).reduce(Rect::union)?;
    let names: Vec<String> = found.iter().map(|(name, _)| format!("'{name}'")).collect();
    let message =
        format!("the picture lies under {} of '{}', where nothing may be printed", names.join(", "), mail.piece.name);
    let remedy = "see that it is white there, or move it out of the zone";
    let finding = Finding::new(Severity::Warning, "artwork_zone", field, message, remedy);
    Some(Finding { area: Some(in_mm(area)), ..finding })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::artwork::{
        Artwork, ArtworkFacts, ArtworkId, ArtworkKind, DrawingFacts, FilePart, FindArtwork, KnownArtwork,
    };
    use crate::spec::{Endpoint, Known, parse_value_for};

    /// A picture of 1000 × 1000 px.
    struct Picture;

    /// A drawing of 50 × 50 mm with a picture of 300 DPI.
    struct Drawing;

    impl FindArtwork for Drawing {
        fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
            let part = FilePart::of(b"a");
            let (side, least_dpi) = (50.0, Some(300.0));
            let drawing = DrawingFacts {
                width_mm: side,
                height_mm: side,
                is_printable: true,
                least_dpi,
                pixels: part,
                page: part,
            };
            let facts = *Picture.find(id)?.facts();
            let facts =
                ArtworkFacts { kind: ArtworkKind::Pdf, width: 2400, height: 2400, drawing: Some(drawing), ..facts };
            Some(Arc::new(Artwork::kept_drawing(*id, facts, "a.png".into(), "a.pdf".into())))
        }
    }

    impl FindArtwork for Picture {
        fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
            let kind = ArtworkKind::Jpeg;
            let facts = ArtworkFacts {
                kind,
                bytes: 9,
                width: 1000,
                height: 1000,
                is_opaque: true,
                turn: 1,
                plain_channels: 3,
                drawing: None,
            };
            Some(Arc::new(Artwork::kept(*id, facts, "a.jpg".into())))
        }
    }

    /// The checks that find something in a picture, with their figures.
    fn found(artwork: Value, request: &Value) -> Vec<(&'static str, Severity, f64)> {
        found_in(Arc::new(Picture), artwork, request)
    }

    fn found_in(file: Arc<dyn FindArtwork>, mut artwork: Value, request: &Value) -> Vec<(&'static str, Severity, f64)> {
        artwork["id"] = ArtworkId::of(b"a").to_string().into();
        let mut all = json!({"text": "x", "output_format": "pdf", "page_size": "card_5x7", "artwork": [artwork]});
        all.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
        let known = Known { artwork: KnownArtwork::of(file), ..Known::default() };
        let spec = parse_value_for(known, &all, Endpoint::Generate, || 1).unwrap();
        let measured = |finding: Finding| {
            (
                finding.check,
                finding.severity,
                finding.measure.map_or(0.0, |measure| (measure.actual * 10.0).round() / 10.0),
            )
        };
        artwork_findings(&spec).into_iter().map(measured).collect()
    }

    #[test]
    fn few_pixels_are_told_by_their_resolution() {
        let at = |mm: f64| found(json!({"x_mm": 10, "y_mm": 10, "width_mm": mm}), &json!({}));
        // 1000 px on 5 in, on 6.5 in, and on 4.9 in.
        assert_eq!(at(127.0 / 1.02), []);
        assert_eq!(at(127.0 * 1.02), [("artwork_resolution", Severity::Info, 196.1)]);
        assert_eq!(at(25.4 * 8.0), [("artwork_resolution", Severity::Warning, 125.0)]);
    }

    #[test]
    fn pictures_in_a_drawing_are_told_by_their_resolution_in_its_size() {
        let at = |artwork: Value, more: &Value| found_in(Arc::new(Drawing), artwork, more);
        let wide = |mm: f64| json!({"x_mm": 5, "y_mm": 5, "width_mm": mm});
        assert_eq!(at(wide(50.0), &json!({})), []);
        assert_eq!(at(wide(90.0), &json!({})), [("artwork_resolution", Severity::Info, 166.7)]);
        let stretched = json!({"x_mm": 5, "y_mm": 5, "width_mm": 50, "height_mm": 120, "fit": "stretch"});
        assert_eq!(at(stretched, &json!({})), [("artwork_resolution", Severity::Warning, 125.0)]);
        // The pixels of the drawing are finer than the picture in it.
        let png = json!({"output_format": "png"});
        assert_eq!(at(wide(90.0), &png), [("artwork_resolution", Severity::Info, 166.7)]);
    }

    #[test]
    fn a_picture_that_ends_in_the_bleed_is_told_and_one_inside_the_page_is_not() {
        let press = || json!({"pdf": {"profile": "press", "bleed_mm": 3}});
        let bleeds = |artwork: Value, pdf: Value| {
            let all = found(artwork, &pdf);
            all.into_iter()
                .filter(|(check, ..)| *check == "artwork_bleed")
                .map(|(.., beyond)| beyond)
                .collect::<Vec<_>>()
        };
        let left = |x: f64| json!({"x_mm": x, "y_mm": 20, "width_mm": 50});
        assert_eq!(bleeds(left(0.0), press()), [0.0]);
        assert_eq!(bleeds(left(-2.0), press()), [2.0]);
        assert_eq!(bleeds(left(-3.0), press()), [] as [f64; 0]);
        assert_eq!(bleeds(left(5.0), press()), [] as [f64; 0]);
        assert_eq!(bleeds(json!({}), press()), [] as [f64; 0]);
        assert_eq!(bleeds(left(0.0), json!({})), [] as [f64; 0], "a document has no bleed");
    }

    #[test]
    fn a_picture_under_a_reserved_zone_is_told() {
        let known = Known { artwork: KnownArtwork::of(Arc::new(Picture)), ..Known::default() };
        let request = json!({"text": "x", "output_format": "pdf", "mail_piece": "lob_postcard_4x6_back",
                             "artwork": [{"id": ArtworkId::of(b"a").to_string()}]});
        let spec = parse_value_for(known, &request, Endpoint::Generate, || 1).unwrap();
        let found: Vec<&str> = artwork_findings(&spec).into_iter().map(|finding| finding.check).collect();
        assert!(found.contains(&"artwork_zone"), "{found:?}");
    }
}
