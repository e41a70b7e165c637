//! What lies under the writing of a page: placed pictures, composed row by row.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::raster::Pixels;
use super::resample::Axis;
use crate::geometry::{Point, Rect};

/// A pixel with premultiplied alpha, each channel from 0 to 255.
type Premultiplied = [f32; 4];

/// A picture on a device.
#[derive(Clone, Debug)]
pub struct PlacedPixels {
    /// The picture.
    pub pixels: Arc<Pixels>,
    /// Where the whole picture lies, in device px.
    pub picture: Rect<f64>,
    /// The part of the device that shows it.
    pub window: Rect<f64>,
    /// Its opacity, from 0 to 1.
    pub opacity: f64,
}

/// Pictures on one another, the last on top, on a part of a device.
#[derive(Clone, Debug)]
pub struct Backdrop {
    width: u32,
    height: u32,
    layers: Vec<Layer>,
    /// All pixels, once they are composed.
    composed: Option<Vec<[u8; 4]>>,
}

/// A picture that is seen.
#[derive(Clone, Debug)]
struct Layer {
    pixels: Arc<Pixels>,
    /// Where it is seen.
    seen: Rect<u32>,
    across: Axis,
    down: Axis,
    opacity: f32,
}

impl Backdrop {
    /// These pictures on the part of the device of `width` × `height` px whose upper left corner is `origin`. Edges are
    /// rounded to whole px.
    #[must_use]
    pub fn new(placed: &[PlacedPixels], origin: Point<f64>, width: u32, height: u32) -> Self {
        let layers = placed.iter().filter_map(|placed| Layer::new(placed, origin, width, height)).collect();
        Self { width, height, layers, composed: None }
    }

    /// Width in px.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in px.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Whether one of the pictures covers all of it and is opaque.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        let all = Rect { min: Point::new(0, 0), max: Point::new(self.width, self.height) };
        let covers = |layer: &Layer| layer.seen == all && layer.opacity >= 1.0 && layer.pixels.channels() == 3;
        self.layers.iter().any(covers)
    }

    /// The same with all its pixels in memory, instead of the pictures.
    #[must_use]
    pub fn composed(self) -> Self {
        let composed = Some(self.rows(0..self.height));
        Self { layers: Vec::new(), composed, ..self }
    }

    /// The pixels of some rows: sRGB with straight alpha.
    #[must_use]
    pub fn rows(&self, rows: Range<u32>) -> Vec<[u8; 4]> {
        if let Some(composed) = &self.composed {
            let part = rows.start as usize * self.width as usize..rows.end as usize * self.width as usize;
            return composed.get(part).map(<[_]>::to_vec).unwrap_or_default();
        }
        let mut composed = vec![[0; 4]; self.width as usize * rows.len()];
        for layer in &self.layers {
            layer.compose(rows.clone(), self.width as usize, &mut composed);
        }
        composed
    }
}

impl Layer {
    fn new(placed: &PlacedPixels, origin: Point<f64>, width: u32, height: u32) -> Option<Self> {
        let rounded = |of: Rect<f64>| Rect {
            min: Point::new((of.min.x - origin.x).round(), (of.min.y - origin.y).round()),
            max: Point::new((of.max.x - origin.x).round(), (of.max.y - origin.y).round()),
        };
        let (picture, window) = (rounded(placed.picture), rounded(placed.window));
        let axis = |picture: Range<f64>, window: Range<f64>, device: u32, source: u32| {
            let picture = picture.start..picture.end.max(picture.start + 1.0);
            let start = picture.start.max(window.start).max(0.0);
            let end = picture.end.min(window.end).min(f64::from(device));
            let target = picture.end - picture.start;
            let axis = Axis::new(source, target, start - picture.start..end - picture.start);
            (start < end).then_some((start as u32..end as u32, axis))
        };
        let pixels = &placed.pixels;
        let (columns, across) = axis(picture.min.x..picture.max.x, window.min.x..window.max.x, width, pixels.width)?;
        let (rows, down) = axis(picture.min.y..picture.max.y, window.min.y..window.max.y, height, pixels.height)?;
        let seen = Rect { min: Point::new(columns.start, rows.start), max: Point::new(columns.end, rows.end) };
        Some(Self { pixels: Arc::clone(pixels), seen, across, down, opacity: placed.opacity as f32 })
    }

    /// Lays its part of some rows, `width` px wide, on those that are composed.
    fn compose(&self, rows: Range<u32>, width: usize, composed: &mut [[u8; 4]]) {
        let seen = rows.start.max(self.seen.min.y)..rows.end.min(self.seen.max.y);
        if seen.is_empty() {
            return;
        }
        // The rows of the source that the current row needs, from row `first` on.
        let (mut scaled, mut first) = (VecDeque::<Vec<Premultiplied>>::new(), 0);
        let mut line = vec![[0.0; 4]; self.across.len()];
        for y in seen {
            let (start, weights) = self.down.taps((y - self.seen.min.y) as usize);
            scaled.drain(..scaled.len().min((start - first) as usize));
            first = start;
            while scaled.len() < weights.len() {
                scaled.push_back(self.across(first + scaled.len() as u32));
            }
            line.fill([0.0; 4]);
            for (source, weight) in scaled.iter().zip(weights) {
                for (sum, pixel) in line.iter_mut().zip(source) {
                    (0..4).for_each(|channel| sum[channel] += weight * pixel[channel]);
                }
            }
            let from = (y - rows.start) as usize * width + self.seen.min.x as usize;
            let under = composed.get_mut(from..from + line.len()).unwrap_or_default();
            for (pixel, above) in under.iter_mut().zip(&line) {
                *pixel = laid_on(*pixel, *above, self.opacity);
            }
        }
    }

    /// A row of the source, scaled across.
    fn across(&self, y: u32) -> Vec<Premultiplied> {
        let row = self.pixels.row(y);
        let pixels: Vec<Premultiplied> = if self.pixels.channels() == 4 {
            let premultiplied = |[red, green, blue, alpha]: &[u8; 4]| {
                let part = f32::from(*alpha) / 255.0;
                [f32::from(*red) * part, f32::from(*green) * part, f32::from(*blue) * part, f32::from(*alpha)]
            };
            row.as_chunks::<4>().0.iter().map(premultiplied).collect()
        } else {
            let opaque = |[red, green, blue]: &[u8; 3]| [f32::from(*red), f32::from(*green), f32::from(*blue), 255.0];
            row.as_chunks::<3>().0.iter().map(opaque).collect()
        };
        let mean = |at: usize| {
            let (start, weights) = self.across.taps(at);
            let mut sum = [0.0; 4];
            for (pixel, weight) in pixels.iter().skip(start as usize).zip(weights) {
                (0..4).for_each(|channel| sum[channel] += weight * pixel[channel]);
            }
            sum
        };
        (0..self.across.len()).map(mean).collect()
    }
}

/// Lays a pixel of this opacity on another, which has straight alpha. The kernel overshoots at edges, so values are
/// limited.
fn laid_on(under: [u8; 4], above: Premultiplied, opacity: f32) -> [u8; 4] {
    let byte = |value: f32| value.round().clamp(0.0, 255.0) as u8;
    let own = above[3].clamp(0.0, 255.0);
    let alpha = own * opacity;
    // The part of the lower pixel's alpha that shows through.
    let left = (255.0 - alpha) / 255.0 * f32::from(under[3]);
    let whole = alpha + left;
    if whole < 0.5 {
        return under;
    }
    let channel = |at: usize| {
        let above = above[at].clamp(0.0, own) * opacity;
        byte((above * 255.0 + left * f32::from(under[at])) / whole)
    };
    [channel(0), channel(1), channel(2), byte(whole)]
}
