//! The ink of a page.

use super::dots::{DotLook, measure};
use super::guides::{GuideModel, without_guides};
use super::paper::darkness;
use super::printed::{Print, Printed, guide_places, pixels_of_disc};
use crate::own_hand::Refusal;
use crate::own_hand::page::{FlatPage, PageMap, Place, quantile};
use crate::own_hand::picture::{Plane, depths};
use crate::own_hand::sheet::{LATTICE_RADIUS, LabelFont, SheetPage, VOID_CIRCLE, box_origin};

/// Least darkness of ink, and how many times the noise it is at least.
const LEAST_INK: f64 = 0.16;
const OVER_NOISE: f64 = 5.0;
/// The share of the middles of strokes that are lighter than the level of the ink.
const LEVEL_RANK: f64 = 0.6;
/// Fewest pixels in the middles of strokes of a page with ink.
const LEAST_INK_PIXELS: usize = 200;
/// The distance over which the level of the ink is found, in mm, and how far it is from that of the page.
const LEVEL_REACH: f64 = 1.2;
const LEVELS: [f64; 2] = [0.45, 1.3];
/// Pixels along a side of one in which the level is kept.
const LEVEL_SIDE: usize = 4;
/// Pixels of which one is looked at for the noise.
const NOISE_STRIDE: usize = 37;
/// Radii of black dots that are tried, in mm: printers make them larger or smaller.
const DOT_RADII: [f64; 7] = [0.40, 0.43, 0.45, 0.47, 0.49, 0.51, 0.53];
/// The part of their excess that a scan in black and white has by itself.
const GAIN: f64 = 0.5;
/// How far around a black dot it is measured, in mm.
const DOT_REACH: f64 = 1.3;
/// Radii of guide dots.
const GUIDE_RADII: [f64; 2] = [0.15, 0.11];
/// How far around a guide dot there must be no ink for it to be measured, in mm.
const CLEAR: f64 = 0.4;
/// The radius within which a circle to drop a box is looked at, in mm, and how dark it then is, as a share of the ink.
const CIRCLE_REACH: f64 = 0.55;
const CROSSED: f64 = 0.45;

/// The ink of a page.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct InkPage {
    /// Which page.
    pub(in crate::own_hand) sheet: SheetPage,
    /// Where it is on the picture.
    pub(in crate::own_hand) map: PageMap,
    /// Darkness of the ink, without what is printed.
    pub(in crate::own_hand) ink: Plane,
    /// The level of the ink, for blocks of pixels.
    level: Plane,
    /// Rows and columns of boxes whose circle is filled.
    pub(in crate::own_hand) crossed: Vec<[usize; 2]>,
    /// The printed words and black dots.
    printed: Vec<bool>,
    /// How far the scanner put edges of ink outwards, in mm.
    pub(in crate::own_hand) gain: f64,
    /// What was measured.
    pub(in crate::own_hand) figures: InkFigures,
    /// The flat page without its light.
    pub(in crate::own_hand) flat: FlatPage,
}

/// Measurements of a page's ink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InkFigures {
    /// Standard deviation of the picture's blur, in mm.
    pub blur: f64,
    /// Radius of the printed black dots, in mm.
    pub dot_radius: f64,
    /// Noise of the paper's darkness.
    pub noise: f64,
    /// Darkness of the ink.
    pub level: f64,
    /// Darkness of the guides.
    pub guide: f64,
    /// Width of the pen, in mm.
    pub pen: f64,
}

impl InkPage {
    /// Finds the ink of a page.
    ///
    /// # Errors
    /// There is hardly any ink.
    pub(in crate::own_hand) fn find(flat: FlatPage, map: PageMap, font: &LabelFont<'_>) -> Result<Self, Refusal> {
        let sheet = map.figures.page;
        let printed = Printed::of(&flat, sheet, font);
        let mut page = FlatPage { light: Plane { values: Vec::new(), ..flat.light }, scale: flat.scale };
        let mut dark = darkness(flat);
        let is_free = |at: usize| printed.pixels[at] == Print::Nothing;
        let free: Vec<f64> = (0..dark.values.len())
            .step_by(NOISE_STRIDE)
            .filter(|at| is_free(*at))
            .map(|at| f64::from(dark.values[at]))
            .collect();
        let paper = quantile(&free, 0.5);
        let noise = 1.48 * quantile(&free.iter().map(|value| (value - paper).abs()).collect::<Vec<_>>(), 0.5);
        dark.values.iter_mut().for_each(|value| *value -= paper as f32);
        let places: Vec<Place> = map.seen_dots().collect();
        let black = measure(&page, &dark.values, &places, (&DOT_RADII, DOT_REACH))
            .ok_or(Refusal::FewDots { found: places.len() })?;

        let threshold = LEAST_INK.max(OVER_NOISE * noise) as f32;
        let middles = Middles::of(&dark, page.scale, |at| dark.values[at] > threshold && is_free(at));
        if middles.0.len() < LEAST_INK_PIXELS {
            return Err(Refusal::NoInk);
        }
        let darkness_of = |at: usize| f64::from(dark.values[at]);
        let level = quantile(&middles.0.iter().map(|(at, _)| darkness_of(*at)).collect::<Vec<_>>(), LEVEL_RANK);
        let pen = middles.pen(page.scale, |at| darkness_of(at) > 0.6 * level);

        let near_ink =
            near_ink(&dark, &page, |at| is_free(at) && darkness_of(at) > (0.35 * level).max(f64::from(threshold)));
        let looks = guide_looks(&page, sheet, &dark, &near_ink);
        let model = GuideModel { ink: level, pen, threshold, looks };
        let crossed = crossed_boxes(&page, sheet, &dark, level);
        let ink = without_guides(&page, (sheet, &printed.pixels), &dark, &near_ink, &model);
        drop((dark, near_ink));

        let least = (0.3 * level).max(f64::from(threshold)) as f32;
        let middles = Middles::of(&ink, page.scale, |at| ink.values[at] > least);
        let levels = local_levels(&ink, &middles, (level, pen), page.scale);
        let half = (0.5 * level).max(4.0 * noise) as f32;
        let middles = Middles::of(&ink, page.scale, |at| ink.values[at] > half);
        let is_thick = |(_, depth): &&(usize, f32)| f64::from(*depth) > 0.3 * pen * page.scale * 0.5;
        let thick = Middles(middles.0.iter().filter(is_thick).copied().collect());
        let figures = InkFigures {
            blur: black.blur,
            dot_radius: black.radius,
            noise,
            level,
            guide: looks[0].map_or(0.0, |look| look.darkness),
            pen: if thick.0.is_empty() { pen } else { thick.pen(page.scale, |_| true) },
        };
        page.light.values = Vec::new();
        let printed = printed.pixels.iter().map(|print| matches!(print, Print::Words | Print::Dot)).collect();
        Ok(Self { sheet, map, ink, level: levels, crossed, printed, gain: 0.0, figures, flat: page })
    }

    /// Takes the gain of a scan in black and white out of the ink: its threshold makes what is dark wider, as it does the
    /// black dots of the sheet. Half of what these are too large may be the printer's, which the pen does not have.
    pub(in crate::own_hand) fn take_gain_out(&mut self) {
        self.gain = (GAIN * (self.figures.dot_radius - LATTICE_RADIUS)).max(0.0);
        self.figures.pen -= 2.0 * self.gain;
    }

    /// The level of the ink at a pixel.
    fn level_at(&self, at: usize) -> f32 {
        self.level.at_grown(at % self.ink.width, at / self.ink.width, LEVEL_SIDE)
    }

    /// Whether ink at a pixel connects what is beside it: darker than a share of the ink around it, and than noise.
    pub(in crate::own_hand) fn is_connected(&self, at: usize) -> bool {
        let (value, noise) = (self.ink.values[at], 4.0 * self.figures.noise as f32);
        let least = (0.36 * LEVELS[0] * self.figures.level) as f32;
        value > least.max(noise) && value > 0.36 * self.level_at(at)
    }

    /// The darkness at the edge of a stroke.
    pub(in crate::own_hand) fn edge_level(&self, at: usize) -> f32 {
        (0.5 * self.level_at(at)).max(4.5 * self.figures.noise as f32)
    }

    /// The darkness of a pixel as a share of the ink around it.
    pub(in crate::own_hand) fn coverage(&self, at: usize) -> f32 {
        (self.ink.values[at] / self.level_at(at)).clamp(0.0, 1.15)
    }

    /// Whether words or a black dot are printed at a pixel.
    pub(in crate::own_hand) fn is_printed(&self, at: usize) -> bool {
        self.printed[at]
    }

    /// The area of the tip of the pen, in pixels.
    pub(in crate::own_hand) fn tip_area(&self) -> f64 {
        std::f64::consts::FRAC_PI_4 * (self.figures.pen * self.flat.scale).powi(2)
    }
}

/// The pixels in the middle of strokes, with their distances from the strokes' edges.
struct Middles(Vec<(usize, f32)>);

impl Middles {
    /// Those of the pixels for which `inside` is true.
    fn of(plane: &Plane, scale: f64, inside: impl Fn(usize) -> bool) -> Self {
        let depths = depths(plane.width, plane.height, inside);
        let least = 1.2_f32.max((0.06 * scale) as f32);
        let (width, height) = (plane.width, plane.height);
        let is_middle = |at: usize| {
            let depth = depths.values[at];
            let (x, y) = (at % width, at / width);
            depth > least
                && x > 0
                && y > 0
                && x + 1 < width
                && y + 1 < height
                && [at - width - 1, at - 1, at + width - 1]
                    .iter()
                    .all(|row| depths.values[*row..*row + 3].iter().all(|other| *other <= depth))
        };
        Self((0..plane.values.len()).filter(|at| is_middle(*at)).map(|at| (at, depths.values[at])).collect())
    }

    /// The width of the pen, in mm: depths reach one pixel beyond the edge of what is inside.
    fn pen(&self, scale: f64, of: impl Fn(usize) -> bool) -> f64 {
        let depths: Vec<f64> = self.0.iter().filter(|(at, _)| of(*at)).map(|(_, depth)| f64::from(*depth)).collect();
        (2.0 * quantile(&depths, 0.5) - 1.0) / scale
    }
}

/// 1 at pixels near those for which `is_ink` is true.
fn near_ink(dark: &Plane, page: &FlatPage, is_ink: impl Fn(usize) -> bool) -> Plane {
    let mut ink = Plane::new(dark.width, dark.height);
    for (at, value) in ink.values.iter_mut().enumerate() {
        *value = if is_ink(at) { 1.0 } else { 0.0 };
    }
    ink.dilated((CLEAR * page.scale) as usize)
}

/// How dark guide dots and how blurred they are, from those without ink around them: the dark ones, and the fine ones.
fn guide_looks(page: &FlatPage, sheet: SheetPage, dark: &Plane, near_ink: &Plane) -> [Option<DotLook>; 2] {
    let guides = guide_places(sheet);
    [(true, GUIDE_RADII[0]), (false, GUIDE_RADII[1])].map(|(bold, radius)| {
        let is_clear =
            |place: &Place| pixels_of_disc(page, *place, radius).iter().all(|(at, _)| near_ink.values[*at] < 0.5);
        let of_kind = guides.iter().filter(|(_, _, is_bold)| *is_bold == bold).map(|(place, ..)| *place);
        let clear: Vec<Place> = of_kind.step_by(5).filter(is_clear).collect();
        measure(page, &dark.values, &clear, (&[radius], CLEAR))
    })
}

/// Rows and columns of the boxes whose circle is filled.
fn crossed_boxes(page: &FlatPage, sheet: SheetPage, dark: &Plane, level: f64) -> Vec<[usize; 2]> {
    let is_crossed = |[row, column]: &[usize; 2]| {
        let (origin, ([x, y], _)) = (box_origin(*row, *column), VOID_CIRCLE);
        let pixels = pixels_of_disc(page, [origin[0] + x, origin[1] + y], CIRCLE_REACH);
        let sum: f64 = pixels.iter().map(|(at, _)| f64::from(dark.values[*at])).sum();
        sum > CROSSED * level * pixels.len() as f64
    };
    sheet.boxes().map(|each| [each.row, each.column]).filter(is_crossed).collect()
}

/// The level of the ink around each block of pixels: the mean in the middles of strokes nearby, or else that of the page.
fn local_levels(ink: &Plane, middles: &Middles, (level, pen): (f64, f64), scale: f64) -> Plane {
    let mut sums = Plane::new(ink.width.div_ceil(LEVEL_SIDE), ink.height.div_ceil(LEVEL_SIDE));
    let mut counts = sums.clone();
    let share = 1.0 / (LEVEL_SIDE * LEVEL_SIDE) as f32;
    for (at, depth) in &middles.0 {
        if f64::from(*depth) > 0.35 * pen * scale * 0.5 {
            let block = at / ink.width / LEVEL_SIDE * sums.width + at % ink.width / LEVEL_SIDE;
            sums.values[block] += share * ink.values[*at];
            counts.values[block] += share;
        }
    }
    let blur = LEVEL_REACH * scale / LEVEL_SIDE as f64;
    let (sums, counts) = (sums.blurred(blur), counts.blurred(blur));
    // As much of the page's level as a few pixels nearby would have.
    let own = 0.0006_f32;
    let [least, most] = LEVELS.map(|share| (share * level) as f32);
    let values = sums.values.iter().zip(&counts.values);
    let values = values.map(|(sum, count)| ((sum + own * level as f32) / (count + own)).clamp(least, most));
    Plane { width: sums.width, height: sums.height, values: values.collect() }
}
