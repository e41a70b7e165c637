//! Pictures under the writing of a page: artwork as image `XObject`s.
//!
//! On screen a JPEG stays as it is, and the matrix turns it upright; other artwork is packed, with its alpha as a soft
//! mask (ISO 32000-1, 11.6.5.3). PDF/X-1a has neither RGB nor transparency: there all artwork of a page is one picture of
//! ink amounts, on white. Where inks lie on it that are no outlines, they are mixed into it.

use std::ops::Range;
use std::sync::Arc;

use pdf_writer::types::Predictor;
use pdf_writer::{Chunk, Content, Filter, Name, Ref};
use sha2::{Digest as _, Sha256};

use super::boxes::{PageBoxes, add_box, number};
use super::document::PageColors;
use super::objects::PictureId;
use super::shapes::Shapes;
use crate::artwork::{Artwork, ArtworkError, Backdrop, Pixels, PlacedPixels};
use crate::encode::color::ProfileDefect;
use crate::encode::filtered_rows::append_rows_while;
use crate::encode::layers::InkLayer;
use crate::geometry::{Point, Rect};
use crate::spec::PlacedArtwork;
use crate::units::{DeviceScale, PT_PER_INCH, Pt, Px};
use crate::work::{IsWanted, Stopped};

/// Points per page px.
const PT_PER_PX: f64 = PT_PER_INCH / 300.0;
/// Full opacity.
const OPAQUE: u8 = u8::MAX;

/// The data of an image.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    id: PictureId,
    width: u32,
    height: u32,
    /// Channels per pixel: 1 grey, 3 RGB, 4 ink amounts.
    channels: u8,
    filter: PictureFilter,
    stream: Vec<u8>,
    /// The opacity of its pixels, if they are not opaque: its width and height, and a zlib stream of PNG rows.
    alpha: Option<(u32, u32, Vec<u8>)>,
}

/// How the data of an image is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureFilter {
    /// As a JPEG.
    Jpeg,
    /// As a zlib stream of PNG rows.
    Rows,
}

/// What artwork is in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// An image.
    Image(Arc<Picture>),
    /// A drawing.
    Shapes {
        /// The drawing.
        shapes: Arc<Shapes>,
        /// Its opacity, from 0 to 1.
        opacity: f32,
    },
}

impl Shown {
    /// Its identity, which its content, its kind and its opacity make.
    pub(super) fn id(&self) -> PictureId {
        match self {
            Self::Image(picture) => picture.id,
            Self::Shapes { shapes, opacity } => {
                Sha256::new().chain_update(shapes.id()).chain_update(opacity.to_be_bytes()).finalize().into()
            }
        }
    }

    /// Bytes in the file.
    #[must_use]
    pub fn packed_size(&self) -> usize {
        match self {
            Self::Image(picture) => picture.packed_size(),
            Self::Shapes { shapes, .. } => shapes.packed_size(),
        }
    }
}

/// Artwork at its place on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedPicture {
    /// What is shown.
    pub shown: Shown,
    /// Where the whole image lies, from the upper left corner of the trim.
    pub area: Rect<Px>,
    /// The part that is seen.
    pub window: Rect<Px>,
    /// How it is turned to be upright, as Exif counts.
    pub turn: u8,
}

impl Picture {
    /// Its identity, which its content and its kind make.
    pub(super) const fn id(&self) -> &PictureId {
        &self.id
    }

    /// Bytes in the file.
    fn packed_size(&self) -> usize {
        self.stream.len() + self.alpha.as_ref().map_or(0, |(.., stream)| stream.len())
    }

    /// Whether it has a soft mask.
    pub(super) const fn has_alpha(&self) -> bool {
        self.alpha.is_some()
    }

    /// Writes the image object. `mask` is the number of its soft mask.
    pub(super) fn write(&self, pdf: &mut Chunk, id: Ref, mask: Option<Ref>) {
        let mut image = pdf.image_xobject(id, &self.stream);
        image.width(self.width.cast_signed()).height(self.height.cast_signed()).bits_per_component(8);
        match self.channels {
            1 => image.color_space().device_gray(),
            4 => image.color_space().device_cmyk(),
            _ => image.color_space().device_rgb(),
        }
        if let Some(mask) = mask {
            image.s_mask(mask);
        }
        match self.filter {
            PictureFilter::Jpeg => drop(image.filter(Filter::DctDecode)),
            PictureFilter::Rows => {
                image.filter(Filter::FlateDecode);
                let mut parameters = image.decode_parms();
                parameters.predictor(Predictor::PngOptimum).colors(self.channels.into()).bits_per_component(8);
                parameters.columns(self.width.cast_signed());
            }
        }
    }

    /// Writes its soft mask, if it has one.
    pub(super) fn write_mask(&self, pdf: &mut Chunk, id: Ref) {
        let Some((width, height, stream)) = &self.alpha else { return };
        let mut image = pdf.image_xobject(id, stream);
        image.width(width.cast_signed()).height(height.cast_signed()).bits_per_component(8);
        image.color_space().device_gray();
        image.filter(Filter::FlateDecode);
        let mut parameters = image.decode_parms();
        parameters.predictor(Predictor::PngOptimum).colors(1).bits_per_component(8).columns(width.cast_signed());
    }
}

/// Paints an image or the form around a drawing, clipped to what is seen of it inside the bleed.
pub(super) fn paint_picture(content: &mut Content, boxes: &PageBoxes, placed: &PlacedPicture, name: Name<'_>) {
    let (left, top) = (boxes.trim.min.x.get(), boxes.trim.max.y.get());
    let on_sheet =
        |at: Point<Px>| Point::new(Pt::new(left + at.x.get() * PT_PER_PX), Pt::new(top - at.y.get() * PT_PER_PX));
    let (upper, lower) = (on_sheet(placed.window.min), on_sheet(placed.window.max));
    let window = Rect {
        min: Point::new(upper.x.max(boxes.bleed.min.x), lower.y.max(boxes.bleed.min.y)),
        max: Point::new(lower.x.min(boxes.bleed.max.x), upper.y.min(boxes.bleed.max.y)),
    };
    if window.min.x >= window.max.x || window.min.y >= window.max.y {
        return;
    }
    // Where a point of the image's unit square is on the sheet.
    let place = |x: f64, y: f64| {
        let [across, down] = upright(placed.turn, [x, 1.0 - y]);
        let at = Point::new(placed.area.width() * across, placed.area.height() * down);
        on_sheet(placed.area.min + at)
    };
    let (origin, right, up) = (place(0.0, 0.0), place(1.0, 0.0), place(0.0, 1.0));
    let [along, upwards] = [right, up].map(|end| [number(end.x - origin.x), number(end.y - origin.y)]);
    content.save_state();
    add_box(content, window).clip_nonzero().end_path();
    content.transform([along[0], along[1], upwards[0], upwards[1], number(origin.x), number(origin.y)]);
    content.x_object(name).restore_state();
}

/// Where a point of the picture in the file is in the upright picture. Both points are measured from the upper left
/// corner, in parts of the sides. `turn` is the orientation of Exif (2.32, 4.6.5).
const fn upright(turn: u8, [x, y]: [f64; 2]) -> [f64; 2] {
    match turn {
        2 => [1.0 - x, y],
        3 => [1.0 - x, 1.0 - y],
        4 => [x, 1.0 - y],
        5 => [y, x],
        6 => [1.0 - y, x],
        7 => [1.0 - y, 1.0 - x],
        8 => [y, 1.0 - x],
        _ => [x, y],
    }
}

/// A picture, or the pixels of a drawing, in a PDF for screens: a plain JPEG as it is, other artwork with at most the
/// resolution of `scale`. `pixels` decodes it.
///
/// # Errors
/// The file of the artwork cannot be read, or the picture is no longer wanted.
pub fn screen_picture(
    placed: &PlacedArtwork,
    scale: DeviceScale,
    pixels: impl FnOnce() -> Result<Arc<Pixels>, ArtworkError>,
    is_wanted: IsWanted<'_>,
) -> Result<PlacedPicture, ArtworkStopped> {
    let facts = placed.artwork.facts();
    if facts.plain_channels != 0 {
        let picture = jpeg(&placed.artwork, (placed.opacity * f64::from(OPAQUE)).round() as u8, is_wanted)?;
        let PlacedArtwork { picture: area, window, .. } = *placed;
        return Ok(PlacedPicture { shown: Shown::Image(Arc::new(picture)), area, window, turn: facts.turn });
    }
    let whole = placed.picture;
    // Px of the picture per px of the page.
    let finest = |own: u32, length: Px| (f64::from(own) / length.get()).min(scale.get());
    let [across, down] = [finest(facts.width, whole.width()), finest(facts.height, whole.height())];
    let (width, height) =
        ((whole.width().get() * across).round().max(1.0), (whole.height().get() * down).round().max(1.0));
    let [across, down] = [width / whole.width().get(), height / whole.height().get()];
    let seen = |at: Point<Px>, rounded: fn(f64) -> f64| {
        Point::new(rounded((at.x - whole.min.x).get() * across), rounded((at.y - whole.min.y).get() * down))
    };
    // Whole pixels around what is seen; a hundredth of one is no reason for another.
    let (min, max) =
        (seen(placed.window.min, |at| (at + 0.01).floor()), seen(placed.window.max, |at| (at - 0.01).ceil()));
    let (columns, rows) = ((max.x - min.x).max(1.0), (max.y - min.y).max(1.0));
    let all = Rect { min: Point::new(0.0, 0.0), max: Point::new(width, height) };
    let backdrop = Backdrop::new(
        &[PlacedPixels { pixels: pixels()?, picture: all, window: all, opacity: placed.opacity }],
        min,
        columns as u32,
        rows as u32,
    );
    let picture = rgb(&backdrop, is_wanted)?;
    let corner = |at: Point<f64>| whole.min + Point::new(Px::new(at.x / across), Px::new(at.y / down));
    let area = Rect { min: corner(min), max: corner(Point::new(min.x + columns, min.y + rows)) };
    Ok(PlacedPicture { shown: Shown::Image(Arc::new(picture)), area, window: placed.window, turn: 1 })
}

/// A drawing with these shapes, at its place.
#[must_use]
pub fn placed_shapes(placed: &PlacedArtwork, shapes: Arc<Shapes>) -> PlacedPicture {
    let shown = Shown::Shapes { shapes, opacity: placed.opacity as f32 };
    PlacedPicture { shown, area: placed.picture, window: placed.window, turn: 1 }
}

/// A JPEG as it is, of this opacity.
fn jpeg(artwork: &Artwork, opacity: u8, is_wanted: IsWanted<'_>) -> Result<Picture, ArtworkStopped> {
    let facts = artwork.facts();
    let is_turned = facts.turn > 4;
    let (width, height) = if is_turned { (facts.height, facts.width) } else { (facts.width, facts.height) };
    // A mask of one pixel is the opacity of all.
    let mut alpha = None;
    if opacity != OPAQUE {
        let mut stream = Vec::new();
        append_rows_while((1, 1), 1, |_| vec![opacity], is_wanted, &mut stream)?;
        alpha = Some((1, 1, stream));
    }
    let id = Sha256::digest(format!("{} {opacity}", artwork.id())).into();
    let stream = artwork.bytes()?;
    Ok(Picture { id, width, height, channels: facts.plain_channels, filter: PictureFilter::Jpeg, stream, alpha })
}

/// A backdrop in RGB, with its alpha.
fn rgb(backdrop: &Backdrop, is_wanted: IsWanted<'_>) -> Result<Picture, Stopped> {
    let (width, height) = (backdrop.width(), backdrop.height());
    let mut stream = Vec::new();
    let colors = |rows: Range<u32>| {
        backdrop.rows(rows).into_iter().flat_map(|[red, green, blue, _]| [red, green, blue]).collect::<Vec<u8>>()
    };
    append_rows_while((width, height), 3, colors, is_wanted, &mut stream)?;
    let opacities = |rows: Range<u32>| backdrop.rows(rows).into_iter().map(|[.., alpha]| alpha).collect::<Vec<_>>();
    let mut alpha = None;
    if !backdrop.is_opaque() {
        let mut packed = Vec::new();
        append_rows_while((width, height), 1, opacities, is_wanted, &mut packed)?;
        alpha = Some((width, height, packed));
    }
    let of_alpha = alpha.as_ref().map_or(&[][..], |(.., packed)| packed.as_slice());
    let id = Sha256::new().chain_update(&stream).chain_update(of_alpha).finalize().into();
    Ok(Picture { id, width, height, channels: 3, filter: PictureFilter::Rows, stream, alpha })
}

/// Artwork where it lies on a page.
#[derive(Clone, Copy, Debug)]
pub struct PressArtwork<'a> {
    /// The artwork.
    pub backdrop: &'a Backdrop,
    /// The place of its upper left corner on the page.
    pub origin: Point<Px>,
    /// Its px per px of the page.
    pub scale: DeviceScale,
}

/// Inks that are mixed into artwork; by default none.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixedInks<'a> {
    /// From the lowest to the top.
    pub layers: &'a [InkLayer<'a>],
    /// The upper left corner of the layers, in px of the backdrop.
    pub corner: Point<u32>,
}

/// Artwork on white, as the ink amounts of a press, with inks mixed into it.
///
/// # Errors
/// lcms2 cannot use the profile, or the picture is no longer wanted.
pub fn press_picture(
    artwork: PressArtwork<'_>,
    inks: MixedInks<'_>,
    colors: &PageColors<'_>,
    is_wanted: IsWanted<'_>,
) -> Result<PlacedPicture, ArtworkStopped> {
    let PressArtwork { backdrop, origin, scale } = artwork;
    let separation = colors.picture_separation()?;
    let (width, height) = (backdrop.width(), backdrop.height());
    let amounts = |rows: Range<u32>| {
        let mut amounts = separation.separate_pixels(&backdrop.rows(rows.clone()));
        for (y, line) in rows.zip(amounts.chunks_exact_mut(width as usize)) {
            let Some(y) = y.checked_sub(inks.corner.y) else { continue };
            for layer in inks.layers.iter().filter(|layer| y < layer.coverage.height()) {
                for run in layer.coverage.row(y) {
                    let under = line.get_mut((run.x + inks.corner.x) as usize..).unwrap_or_default();
                    for (pixel, coverage) in under.iter_mut().zip(run.coverage) {
                        *pixel = colors.ink_on(layer.ink, *coverage, *pixel);
                    }
                }
            }
        }
        amounts.into_flattened()
    };
    let mut stream = Vec::new();
    append_rows_while((width, height), 4, amounts, is_wanted, &mut stream)?;
    let id = Sha256::digest(&stream).into();
    let px = |pixels: u32| Px::new(f64::from(pixels) / scale.get());
    let area = Rect { min: origin, max: origin + Point::new(px(width), px(height)) };
    let picture = Picture { id, width, height, channels: 4, filter: PictureFilter::Rows, stream, alpha: None };
    Ok(PlacedPicture { shown: Shown::Image(Arc::new(picture)), area, window: area, turn: 1 })
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ArtworkStopped {
    /// The file of the artwork cannot be read.
    #[error(transparent)]
    Artwork(#[from] ArtworkError),
    /// The profile cannot be used.
    #[error(transparent)]
    Profile(#[from] ProfileDefect),
    /// It is no longer wanted.
    #[error("the picture is no longer wanted")]
    Stopped(Stopped),
}

impl From<Stopped> for ArtworkStopped {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
