//! The artwork of a page, for each kind of file.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Engine;
use super::layers::{DrawnLayer, as_inks};
use super::production::Production;
use crate::artwork::{ArtworkError, Backdrop, PlacedPixels};
use crate::encode::{
    ArtworkStopped, MixedInks, PageColors, PlacedPicture, PressArtwork, ShapesFor, SvgPicture, placed_shapes,
    press_picture, screen_picture,
};
use crate::geometry::{Point, Rect};
use crate::pipeline::error::RenderError;
use crate::pipeline::stages::Stage;
use crate::spec::{ArtworkPages, PlacedArtwork, RenderSpec};
use crate::units::{DeviceScale, Dpi, Px};

/// An edge that is this near to a pixel's is that pixel's, in device px.
const NEAR: f64 = 0.01;

/// The pictures that page `number` shows, from 0, each with its number in the request.
fn shown(spec: &RenderSpec, number: usize) -> impl Iterator<Item = (usize, &PlacedArtwork)> {
    let is_shown = move |pages: ArtworkPages| match pages {
        ArtworkPages::All => true,
        ArtworkPages::First => number == 0,
        ArtworkPages::Following => number > 0,
    };
    spec.artwork.iter().enumerate().filter(move |(_, placed)| is_shown(placed.pages))
}

/// Whether page `number` shows artwork.
pub(super) fn shows_artwork(spec: &RenderSpec, number: usize) -> bool {
    shown(spec, number).next().is_some()
}

/// Whether a picture covers page `number`.
pub(super) fn is_covered(spec: &RenderSpec, number: usize) -> bool {
    shown(spec, number).any(|(_, placed)| placed.covers(spec.page.px()))
}

/// Artwork with its number in the request.
type Numbered<'a> = (usize, &'a PlacedArtwork);

/// Tells artwork of a page from others.
fn name_of<'a>(artwork: impl Iterator<Item = Numbered<'a>>) -> String {
    let mut name = String::new();
    for (_, PlacedArtwork { artwork, picture, window, opacity, .. }) in artwork {
        // Writing to a string does not fail.
        let _ = write!(name, "{} {picture:?} {window:?} {opacity};", artwork.id());
    }
    name
}

/// A box of device px.
type Region = Rect<f64>;

/// The smallest box of whole device px around boxes of the page.
fn region_of(boxes: impl Iterator<Item = Rect<Px>>, scale: DeviceScale) -> Option<Region> {
    let all = boxes.reduce(Rect::union)?;
    let device = |length: Px| length.to_device(scale).get();
    let (min, max) = (all.min, all.max);
    Some(Rect {
        min: Point::new((device(min.x) + NEAR).floor(), (device(min.y) + NEAR).floor()),
        max: Point::new((device(max.x) - NEAR).ceil(), (device(max.y) - NEAR).ceil()),
    })
}

/// The pixels of artwork, at `scale`, in a region.
fn backdrop<'a>(
    engine: &Engine,
    artwork: impl Iterator<Item = Numbered<'a>>,
    scale: DeviceScale,
    region: Region,
) -> Result<Backdrop, RenderError> {
    let device = |of: Rect<Px>| of.map(|at| Point::new(at.x.to_device(scale).get(), at.y.to_device(scale).get()));
    let mut placed = Vec::new();
    for (at, PlacedArtwork { artwork, picture, window, opacity, .. }) in artwork {
        let pixels = engine.artwork.pixels(artwork).map_err(|error| gone(at, &error))?;
        placed.push(PlacedPixels { pixels, picture: device(*picture), window: device(*window), opacity: *opacity });
    }
    let (width, height) = ((region.max.x - region.min.x) as u32, (region.max.y - region.min.y) as u32);
    Ok(Backdrop::new(&placed, region.min, width, height))
}

impl Production<'_> {
    /// What lies under the writing of a picture of the page.
    pub(super) fn picture_backdrop(
        &mut self,
        spec: &RenderSpec,
        scale: DeviceScale,
    ) -> Result<Option<Backdrop>, RenderError> {
        if !shows_artwork(spec, 0) {
            return Ok(None);
        }
        let page = spec.page.px();
        let device = |length: Px| length.to_device(scale).get().round();
        let max = Point::new(device(page.width), device(page.height));
        let engine = self.engine;
        self.timed(Stage::Encode, || backdrop(engine, shown(spec, 0), scale, Rect { min: Point::new(0.0, 0.0), max }))
            .map(Some)
    }

    /// What lies under the writing of a preview of page `number`, of which `window` is drawn.
    pub(super) fn preview_backdrop(
        &mut self,
        spec: &RenderSpec,
        number: usize,
        scale: DeviceScale,
        window: Rect<u32>,
    ) -> Result<Option<Arc<Backdrop>>, RenderError> {
        if !shows_artwork(spec, number) {
            return Ok(None);
        }
        let name = format!("{}{} {window:?}", name_of(shown(spec, number)), scale.get());
        let region = window.map(|at| Point::new(f64::from(at.x), f64::from(at.y)));
        let engine = self.engine;
        self.timed(Stage::Encode, || {
            engine.artwork.preview(&name, || backdrop(engine, shown(spec, number), scale, region)).map(Some)
        })
    }

    /// The artwork of page `number` of a PDF for screens.
    pub(super) fn screen_pictures(
        &mut self,
        spec: &RenderSpec,
        number: usize,
    ) -> Result<Vec<PlacedPicture>, RenderError> {
        let scale = Dpi::Dpi600.scale();
        let is_wanted = self.control.is_wanted;
        let engine = self.engine;
        self.timed(Stage::Encode, || {
            let cache = &engine.artwork;
            let picture = |(at, placed): Numbered<'_>| {
                let PlacedArtwork { artwork, picture, window, opacity, .. } = placed;
                if let Some(drawing) = drawing(engine, placed, ShapesFor::Screen) {
                    return Ok(drawing);
                }
                let name = format!("screen {} {picture:?} {window:?} {opacity}", artwork.id());
                let make = || screen_picture(placed, scale, || cache.pixels(artwork), is_wanted);
                cache.picture(&name, make).map_err(|error| stopped(at, error))
            };
            shown(spec, number).map(picture).collect()
        })
    }

    /// The artwork of page `number` of a PDF for a press, on which outlines lie: one picture of all that is shown by its
    /// pixels, and the drawings on it.
    pub(super) fn press_pictures(
        &mut self,
        spec: &RenderSpec,
        number: usize,
        colors: &PageColors<'_>,
    ) -> Result<Vec<PlacedPicture>, RenderError> {
        let scale = spec.dpi.scale();
        let is_wanted = self.control.is_wanted;
        let engine = self.engine;
        self.timed(Stage::Encode, || {
            let drawings = press_drawings(engine, spec, number);
            let by_pixels = || shown(spec, number).filter(|(at, _)| drawings.is_empty() || !spec.shows_drawing(*at));
            let windows = by_pixels().map(|(_, placed)| placed.window);
            let Some(region) = region_of(windows, scale) else { return Ok(drawings) };
            let name = format!("press {:?} {}{}", colors.condition(), name_of(by_pixels()), scale.get());
            let make = || {
                let backdrop = &backdrop(engine, by_pixels(), scale, region)?;
                let artwork = PressArtwork { backdrop, origin: on_page(region.min, scale), scale };
                press_picture(artwork, MixedInks::default(), colors, is_wanted).map_err(|error| stopped(0, error))
            };
            let mut artwork = vec![engine.artwork.picture(&name, make)?];
            artwork.extend(drawings);
            Ok(artwork)
        })
    }

    /// The artwork of page `number` of a PDF for a press, with the inks of the page in it.
    pub(super) fn mixed_picture(
        &mut self,
        spec: &RenderSpec,
        number: usize,
        colors: &PageColors<'_>,
        layers: &[DrawnLayer],
    ) -> Result<Vec<PlacedPicture>, RenderError> {
        let (scale, page) = (spec.drawn_dpi().scale(), spec.page.px());
        let sheet = Rect { min: Point::default(), max: Point::new(page.width, page.height) };
        let windows = shown(spec, number).map(|(_, placed)| placed.window);
        let Some(region) = region_of(windows.chain([sheet]), scale) else { return Ok(Vec::new()) };
        let is_wanted = self.control.is_wanted;
        let engine = self.engine;
        self.timed(Stage::Encode, || {
            let backdrop = &backdrop(engine, shown(spec, number), scale, region)?;
            let artwork = PressArtwork { backdrop, origin: on_page(region.min, scale), scale };
            let layers = as_inks(layers);
            let corner = Point::new(-region.min.x as u32, -region.min.y as u32);
            let inks = MixedInks { layers: &layers, corner };
            Ok(vec![press_picture(artwork, inks, colors, is_wanted).map_err(|error| stopped(0, error))?])
        })
    }

    /// The artwork of an SVG.
    pub(super) fn svg_pictures(&mut self, spec: &RenderSpec) -> Result<Vec<SvgPicture>, RenderError> {
        let engine = self.engine;
        self.timed(Stage::Encode, || {
            let picture = |(at, placed): Numbered<'_>| {
                let PlacedArtwork { artwork, picture, window, opacity, .. } = placed;
                let file = || -> Result<_, ArtworkError> {
                    if artwork.facts().turn == 1 {
                        return Ok((artwork.facts().kind.media_type(), artwork.bytes()?));
                    }
                    // Few readers of SVG turn a picture.
                    Ok(("image/png", engine.artwork.pixels(artwork)?.png()))
                };
                let (media_type, bytes) = file().map_err(|error| gone(at, &error))?;
                Ok(SvgPicture { media_type, bytes, picture: *picture, window: *window, opacity: *opacity })
            };
            shown(spec, 0).map(picture).collect()
        })
    }
}

/// The drawings that page `number` of a PDF for a press shows as such; none if the shapes of one cannot be read.
fn press_drawings(engine: &Engine, spec: &RenderSpec, number: usize) -> Vec<PlacedPicture> {
    let drawings = shown(spec, number).filter(|(at, _)| spec.shows_drawing(*at));
    let drawings = drawings.map(|(_, placed)| drawing(engine, placed, ShapesFor::Press));
    drawings.collect::<Option<_>>().unwrap_or_default()
}

/// Artwork as a drawing at its place; `None` if it is none, or its shapes cannot be read.
fn drawing(engine: &Engine, placed: &PlacedArtwork, aim: ShapesFor) -> Option<PlacedPicture> {
    placed.artwork.facts().drawing?;
    Some(placed_shapes(placed, engine.artwork.shapes(&placed.artwork, aim)?))
}

/// The place on the page of a point of the device.
fn on_page(at: Point<f64>, scale: DeviceScale) -> Point<Px> {
    Point::new(Px::new(at.x / scale.get()), Px::new(at.y / scale.get()))
}

/// The error of artwork `number`, whose file cannot be read any more.
fn gone(number: usize, error: &ArtworkError) -> RenderError {
    let message = format!("the artwork is no longer there ({error}); upload it again");
    RenderError::Artwork { field: format!("artwork[{number}].id"), message }
}

fn stopped(number: usize, error: ArtworkStopped) -> RenderError {
    match error {
        ArtworkStopped::Artwork(error) => gone(number, &error),
        ArtworkStopped::Profile(defect) => defect.into(),
        ArtworkStopped::Stopped(stopped) => stopped.into(),
    }
}
