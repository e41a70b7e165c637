//! The `artwork` of a page: pictures under its writing.
//!
//! A picture is placed as two boxes on the page: where the whole picture lies, and the window through which it is seen.
//! Later stages know only these.

use std::sync::Arc;

use serde_json::Value;

use super::field::{FieldKind, FieldType, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Number, OneOf, OrNull};
use super::page::PageFormat;
use super::placed_artwork::{ArtworkFit, ArtworkPages, PlacedArtwork};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use crate::artwork::{Artwork, ArtworkFacts, ArtworkId};
use crate::geometry::{Point, Rect, Size};
use crate::units::{Mm, Px};

/// Most pictures of a page.
pub(super) const MOST_ARTWORK: usize = 8;
/// How far a picture may be from the page's upper left corner, and how large it may be, in mm.
const PLACE: Number = Number { min: -1000.0, max: 1000.0 };
const EXTENT: Number = Number { min: 1.0, max: 1000.0 };
/// The least that boxes have in common to overlap, in px: rounding errors are smaller.
const LEAST: f64 = 0.01;

field_table! {
    /// A picture as in the request.
    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct WantedArtwork {}

    /// The `id` of a picture that this key uploaded: the SHA-256 of its file.
    ID id: ArtworkName = ArtworkName, Required(None);
    /// Distance of the box's left edge from the page's left edge, in mm; negative reaches into the bleed. Null: 0.
    X_MM x_mm: OrNull<Number> = OrNull(PLACE), Default(None) in "mm";
    /// Distance of the box's upper edge from the page's upper edge, in mm; negative reaches into the bleed. Null: 0.
    Y_MM y_mm: OrNull<Number> = OrNull(PLACE), Default(None) in "mm";
    /// Width of the box, in mm. Null: as the height and the picture's shape want; without a height, that of the picture
    /// at 300 DPI, or the own width of an SVG or PDF. Without place and size, the box is the whole page and its bleed.
    WIDTH_MM width_mm: OrNull<Number> = OrNull(EXTENT), Default(None) in "mm";
    /// Height of the box, in mm. Null: as the width and the picture's shape want.
    HEIGHT_MM height_mm: OrNull<Number> = OrNull(EXTENT), Default(None) in "mm";
    /// How the picture fills the box. `contain`: all of it is seen. `cover`: it fills the box, and what is beyond is
    /// cut off. `stretch`: it takes the shape of the box. Null: `cover` on the whole page, `contain` in a box.
    FIT fit: OrNull<OneOf<ArtworkFit>> = OrNull(OneOf(ArtworkFit::NAMES)), Default(None);
    /// Opacity of the picture; 1 is as it is.
    OPACITY opacity: Number = Number { min: 0.05, max: 1.0 }, Default(1.0);
    /// The pages of a PDF that show it: all, the first, or those after the first.
    PAGES pages: OneOf<ArtworkPages> = OneOf(ArtworkPages::NAMES), Default(ArtworkPages::All);
}

impl WantedArtwork {
    /// The picture on a page with this bleed; `None` if no part of it is there.
    pub(super) fn placed(&self, page: PageFormat, bleed: Mm) -> Option<PlacedArtwork> {
        let artwork = Arc::clone(self.id.as_ref()?);
        let facts = artwork.facts();
        let own = own_size(facts);
        let sheet = sheet(page, bleed.to_px());
        let px = |length: f64| Mm::new(length).to_px();
        let size = match (self.width_mm.map(px), self.height_mm.map(px)) {
            (Some(width), Some(height)) => Some(Size { width, height }),
            (Some(width), None) => Some(Size { width, height: own.height * (width / own.width) }),
            (None, Some(height)) => Some(Size { width: own.width * (height / own.height), height }),
            (None, None) => (self.x_mm.is_some() || self.y_mm.is_some()).then_some(own),
        };
        let window = size.map_or(sheet, |Size { width, height }| {
            let min = Point::new(px(self.x_mm.unwrap_or_default()), px(self.y_mm.unwrap_or_default()));
            Rect { min, max: min + Point::new(width, height) }
        });
        let usual = if size.is_some() { ArtworkFit::Contain } else { ArtworkFit::Cover };
        let [across, down] = [window.width() / own.width, window.height() / own.height];
        let picture = match self.fit.unwrap_or(usual) {
            ArtworkFit::Stretch => window,
            ArtworkFit::Contain => centred(own, across.min(down), window),
            ArtworkFit::Cover => centred(own, across.max(down), window),
        };
        // What is seen of it.
        let window = common(common(picture, window)?, sheet)?;
        Some(PlacedArtwork { artwork, picture, window, opacity: self.opacity, pages: self.pages })
    }

    /// Reports that no part of it would be on a page with this bleed.
    pub(super) fn check_inside(&self, page: PageFormat, bleed: Mm, collector: &mut ViolationCollector) {
        if self.id.is_none() || self.placed(page, bleed).is_some() {
            return;
        }
        let Size { width, height } = page.mm();
        let (name, extent, [edge, adjective]) = match self.x_mm {
            Some(x) if x <= -bleed.get() || x >= width.get() => (X_MM.name, width, ["left", "wide"]),
            _ => (Y_MM.name, height, ["upper", "high"]),
        };
        let message = format!(
            "no part of the box is on the page; {name} is measured from its {edge} edge, and the page is {:.1} mm \
             {adjective}",
            extent.get()
        );
        collector.report_at(name, ViolationKind::ValueError, message);
    }
}

/// The size that a picture has at 300 DPI, or a drawing by itself.
fn own_size(facts: &ArtworkFacts) -> Size<Px> {
    match facts.drawing {
        None => Size { width: Px::new(facts.width.into()), height: Px::new(facts.height.into()) },
        Some(drawing) => Size { width: Mm::new(drawing.width_mm).to_px(), height: Mm::new(drawing.height_mm).to_px() },
    }
}

/// The page and its bleed. Its right and lower edges are those in whole pixels or the exact ones, whichever are farther:
/// a PDF has the exact ones.
fn sheet(page: PageFormat, bleed: Px) -> Rect<Px> {
    let (px, mm) = (page.px(), page.mm());
    let (width, height) = (px.width.max(mm.width.to_px()), px.height.max(mm.height.to_px()));
    Rect { min: Point::new(-bleed, -bleed), max: Point::new(width + bleed, height + bleed) }
}

/// A picture of this size, scaled, in the middle of a box.
fn centred(own: Size<Px>, scale: f64, area: Rect<Px>) -> Rect<Px> {
    let (width, height) = (own.width * scale, own.height * scale);
    let min = Point::new(area.min.x + (area.width() - width) / 2.0, area.min.y + (area.height() - height) / 2.0);
    Rect { min, max: min + Point::new(width, height) }
}

/// What two boxes have in common, if it is more than an edge.
fn common(one: Rect<Px>, other: Rect<Px>) -> Option<Rect<Px>> {
    let min = Point::new(one.min.x.max(other.min.x), one.min.y.max(other.min.y));
    let max = Point::new(one.max.x.min(other.max.x), one.max.y.min(other.max.y));
    let least = Px::new(LEAST);
    (max.x - min.x > least && max.y - min.y > least).then_some(Rect { min, max })
}

impl ObjectFields for WantedArtwork {
    const SCHEMA: &'static str = "Artwork";
    const MEANING: &'static str =
        "A picture under the writing. Without place and size it covers the page and its bleed.";
    const EXPECTED: &'static str = "an object with the id of a picture, such as {\"id\": \"…\"}";
}

/// The id of a picture that the request may name.
#[derive(Debug)]
pub(super) struct ArtworkName;

impl FieldType for ArtworkName {
    type Value = Option<Arc<Artwork>>;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Self::Value> {
        let Some(text) = input.as_str() else {
            return collector.unexpected(ViolationKind::StringType, "the id of a picture", input, None);
        };
        let id: Result<ArtworkId, _> = text.parse();
        let found = id.ok().and_then(|id| collector.artwork.find(&id));
        if found.is_none() {
            let message = "no artwork of this key has this id; GET /api/v1/artwork lists those there are, and POST \
                           uploads one";
            collector.report(ViolationKind::LiteralError, message);
        }
        found.map(Some)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Text { min_length: ArtworkId::LENGTH, max_length: ArtworkId::LENGTH }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::artwork::{ArtworkKind, DrawingFacts, FilePart, FindArtwork, KnownArtwork};
    use crate::spec::{Endpoint, Known, RenderSpec, Violations, parse_value_for};

    /// A picture of 400 × 200 px.
    struct Picture;

    impl FindArtwork for Picture {
        fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
            let facts = ArtworkFacts {
                kind: ArtworkKind::Png,
                bytes: 9,
                width: 400,
                height: 200,
                is_opaque: true,
                turn: 1,
                plain_channels: 0,
                drawing: None,
            };
            if *id == ArtworkId::of(b"drawing") {
                let part = FilePart::of(b"");
                let drawing = DrawingFacts {
                    width_mm: 30.0,
                    height_mm: 12.0,
                    is_printable: true,
                    least_dpi: None,
                    pixels: part,
                    page: part,
                };
                let facts = ArtworkFacts { kind: ArtworkKind::Svg, drawing: Some(drawing), ..facts };
                return Some(Arc::new(Artwork::kept_drawing(*id, facts, "a.png".into(), "a.pdf".into())));
            }
            (*id == ArtworkId::of(b"a")).then(|| Arc::new(Artwork::kept(*id, facts, "a.png".into())))
        }
    }

    fn parse(artwork: &Value, pdf: &Value) -> Result<RenderSpec, Violations> {
        let known = Known { artwork: KnownArtwork::of(Arc::new(Picture)), ..Known::default() };
        let request = json!({"text": "x", "page_size": "custom", "pdf": pdf, "artwork": artwork,
                             "custom_page": {"width": 4, "height": 6, "unit": "in", "trimmed": true}});
        parse_value_for(known, &request, Endpoint::Generate, || 1)
    }

    /// Where the only picture lies and is seen, in mm: left, top, right and bottom of both.
    fn boxes(artwork: &Value, pdf: &Value) -> [[f64; 4]; 2] {
        let mut artwork = artwork.clone();
        artwork["id"] = ArtworkId::of(b"a").to_string().into();
        let spec = parse(&json!([artwork]), pdf).unwrap();
        let mm = |at: Px| (at.to_mm().get() * 100.0).round() / 100.0;
        [spec.artwork[0].picture, spec.artwork[0].window]
            .map(|area| [mm(area.min.x), mm(area.min.y), mm(area.max.x), mm(area.max.y)])
    }

    #[test]
    fn a_picture_lies_where_the_request_says() {
        let none = json!(null);
        let press = json!({"profile": "press", "bleed_mm": 5});
        // The page is 101.6 × 152.4 mm. The picture is as high and 2 : 1, and its middle is seen.
        assert_eq!(boxes(&json!({}), &none), [[-101.6, 0.0, 203.2, 152.4], [0.0, 0.0, 101.6, 152.4]]);
        assert_eq!(boxes(&json!({}), &press), [[-111.6, -5.0, 213.2, 157.4], [-5.0, -5.0, 106.6, 157.4]]);
        let contained = [[0.0, 50.8, 101.6, 101.6]; 2];
        assert_eq!(boxes(&json!({"fit": "contain"}), &none), contained);
        assert_eq!(boxes(&json!({"fit": "stretch"}), &none), [[0.0, 0.0, 101.6, 152.4]; 2]);
        // 400 px at 300 DPI.
        assert_eq!(boxes(&json!({"x_mm": 10}), &none), [[10.0, 0.0, 43.87, 16.93]; 2]);
        assert_eq!(boxes(&json!({"x_mm": 10, "y_mm": 20, "width_mm": 40}), &none), [[10.0, 20.0, 50.0, 40.0]; 2]);
        assert_eq!(boxes(&json!({"height_mm": 10}), &none), [[0.0, 0.0, 20.0, 10.0]; 2]);
        let square = json!({"x_mm": 10, "y_mm": 10, "width_mm": 40, "height_mm": 40});
        assert_eq!(boxes(&square, &none), [[10.0, 20.0, 50.0, 40.0]; 2]);
        let mut cover = square;
        cover["fit"] = "cover".into();
        assert_eq!(boxes(&cover, &none), [[-10.0, 10.0, 70.0, 50.0], [10.0, 10.0, 50.0, 50.0]]);
        let beyond = json!({"x_mm": -10, "y_mm": -10, "width_mm": 40});
        assert_eq!(boxes(&beyond, &press), [[-10.0, -10.0, 30.0, 10.0], [-5.0, -5.0, 30.0, 10.0]]);
    }

    #[test]
    fn a_drawing_has_its_own_size() {
        let id = ArtworkId::of(b"drawing").to_string();
        let spec = parse(&json!([{"id": id, "x_mm": 10}, {"id": id, "height_mm": 6}]), &json!(null)).unwrap();
        let sizes: Vec<[u32; 2]> = spec
            .artwork
            .iter()
            .map(|placed| {
                [placed.picture.width(), placed.picture.height()].map(|side| side.to_mm().get().round() as u32)
            })
            .collect();
        assert_eq!(sizes, [[30, 12], [15, 6]]);
    }

    #[test]
    fn a_press_shows_the_drawings_that_it_may_with_nothing_else_above_them() {
        let shown = |artwork: Value, pdf: Value| {
            let mut artwork = artwork;
            for item in artwork.as_array_mut().unwrap() {
                item["id"] = ArtworkId::of(item["id"].as_str().unwrap().as_bytes()).to_string().into();
            }
            let known = Known { artwork: KnownArtwork::of(Arc::new(Picture)), ..Known::default() };
            let request =
                json!({"text": "x", "output_format": "pdf", "page_size": "a6", "pdf": pdf, "artwork": artwork});
            let spec = parse_value_for(known, &request, Endpoint::Generate, || 1).unwrap();
            (0..spec.artwork.len()).map(|at| spec.shows_drawing(at)).collect::<Vec<_>>()
        };
        let drawing = || json!({"id": "drawing"});
        let pale = json!({"id": "drawing", "opacity": 0.5});
        let all = json!([drawing(), {"id": "a"}, drawing(), drawing()]);
        let press = json!({"standard": "pdfx1a", "writing": "outlines"});
        assert_eq!(shown(all.clone(), json!({})), [true, false, true, true]);
        assert_eq!(shown(all.clone(), press.clone()), [false, false, true, true]);
        assert_eq!(shown(all, json!({"standard": "pdfx1a", "writing": "image"})), [false; 4]);
        assert_eq!(shown(json!([drawing(), pale]), press), [false, false]);
    }

    #[test]
    fn a_background_covers_its_page_and_a_logo_does_not() {
        let covers = |members: Value| {
            let mut artwork = members;
            artwork["id"] = ArtworkId::of(b"a").to_string().into();
            let spec = parse(&json!([artwork]), &json!(null)).unwrap();
            spec.artwork[0].covers(spec.page.px())
        };
        assert!(covers(json!({})) && covers(json!({"x_mm": -1, "width_mm": 400})));
        assert!(!covers(json!({"fit": "contain"})) && !covers(json!({"x_mm": 1, "width_mm": 400})));
    }

    #[test]
    fn what_cannot_be_placed_is_named() {
        let id = ArtworkId::of(b"a").to_string();
        let refused = |artwork: Value| parse(&artwork, &json!(null)).unwrap_err().to_string();
        for (artwork, said) in [
            (json!([]), "artwork: Array should have at least 1 item"),
            (json!([{"id": ArtworkId::of(b"b").to_string()}]), "artwork[0].id: no artwork of this key"),
            (json!([{"id": "logo.png"}]), "artwork[0].id: no artwork of this key"),
            (json!([{}]), "artwork[0].id: Field required"),
            (json!([{"id": id, "x_mm": 102, "width_mm": 40}]), "artwork[0].x_mm: no part of the box is on the page"),
            (json!([{"id": id, "y_mm": -20, "width_mm": 40}]), "artwork[0].y_mm: no part of the box is on the page"),
            (json!([{"id": id, "opacity": 0}]), "artwork[0].opacity: Input should be greater"),
            (json!([{"id": id, "fit": "fill"}]), "artwork[0].fit: Input should be"),
            (json!("a"), "artwork: Input should be an array of pictures"),
        ] {
            let message = refused(artwork.clone());
            assert!(message.contains(said), "{artwork}: {message}");
        }
    }
}
