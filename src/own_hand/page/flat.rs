//! The page laid flat: the picture sampled at places of the page.

use super::Place;
use super::page_map::PageMap;
use crate::own_hand::picture::{Picture, Plane};
use crate::own_hand::sheet::{BOX_HEIGHT, BOX_WIDTH, COLUMNS, ORIGIN, ROWS};

/// Pixels per mm of the flat page, and those of one from a picture that has more than this.
const SCALE: f64 = 12.0;
const FINE_SCALE: f64 = 16.0;
const FINE_FROM: f64 = 15.0;
/// A picture with this many times the pixels of the flat page is sampled at four places of a pixel.
const SEVERAL_FROM: f64 = 1.15;
/// What is beside, above and below the boxes, in mm.
const MARGINS: [f64; 2] = [3.0, 2.5];
/// Pixels between two places at which the map is computed; between them it is linear. A page bends by less than a
/// hundredth of a pixel over this distance.
const STEP: usize = 8;

/// The page laid flat, from 3 mm left of the boxes and 2.5 mm above them.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct FlatPage {
    /// Light, 0 to 1 and more.
    pub(in crate::own_hand) light: Plane,
    /// Pixels per mm.
    pub(in crate::own_hand) scale: f64,
}

/// The place of the upper left corner.
const CORNER: Place = [ORIGIN[0] - MARGINS[0], ORIGIN[1] - MARGINS[1]];

impl FlatPage {
    /// Samples a picture.
    pub(in crate::own_hand) fn of(picture: &Picture, map: &PageMap) -> Self {
        let scale = if map.figures.scale < FINE_FROM { SCALE } else { FINE_SCALE };
        let size = [COLUMNS as f64 * BOX_WIDTH + 2.0 * MARGINS[0], ROWS as f64 * BOX_HEIGHT + 2.0 * MARGINS[1]];
        let [width, height] = size.map(|side| (side * scale) as usize);
        let place = |pixel: usize| (pixel as f64 + 0.5) / scale;
        let knots = [width, height].map(|side| side / STEP + 2);
        let grid: Vec<Place> = (0..knots[0] * knots[1])
            .map(|at| [at % knots[0] * STEP, at / knots[0] * STEP].map(place))
            .map(|[x, y]| map.at([CORNER[0] + x, CORNER[1] + y]))
            .collect();
        let mut light = Plane::new(width, height);
        let several = map.figures.scale > SEVERAL_FROM * scale;
        for y in 0..height {
            let (row, down) = (y / STEP, (y % STEP) as f64 / STEP as f64);
            for x in 0..width {
                let (column, across) = (x / STEP, (x % STEP) as f64 / STEP as f64);
                let knot = |row: usize, column: usize| grid[row * knots[0] + column];
                let corners =
                    [knot(row, column), knot(row, column + 1), knot(row + 1, column), knot(row + 1, column + 1)];
                let at = |across: f64, down: f64| {
                    [0, 1].map(|axis| {
                        let above = corners[0][axis] + across * (corners[1][axis] - corners[0][axis]);
                        let below = corners[2][axis] + across * (corners[3][axis] - corners[2][axis]);
                        above + down * (below - above)
                    })
                };
                light.values[y * width + x] = if several {
                    let quarter = 0.25 / STEP as f64;
                    let parts = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
                    let sum: f32 = parts
                        .iter()
                        .map(|(right, low)| picture.light_at(at(across + right * quarter, down + low * quarter)))
                        .sum();
                    0.25 * sum
                } else {
                    picture.light_at(at(across, down))
                };
            }
        }
        Self { light, scale }
    }

    /// The pixel at a place of the page, with a fraction.
    pub(in crate::own_hand) fn pixel(&self, place: Place) -> Place {
        [0, 1].map(|axis| (place[axis] - CORNER[axis]) * self.scale - 0.5)
    }

    /// The place of the page at a pixel.
    pub(in crate::own_hand) fn place(&self, pixel: Place) -> Place {
        [0, 1].map(|axis| (pixel[axis] + 0.5) / self.scale + CORNER[axis])
    }
}
