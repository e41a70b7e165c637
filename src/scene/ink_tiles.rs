//! The tiles that the ink of each glyph touches.

use crate::geometry::{Rect, Size};
use crate::raster::TILE;

/// Growth of ink boxes, in device px, because rounding of coordinates may move an edge.
const ROUNDING_GROWTH: f64 = 1.0 / 64.0;
/// Growth to the right, in device px: what ends in one pixel may be subtracted in the next.
const ENDING_GROWTH: f64 = 1.0;

/// A box of whole tiles, inside the page's tile grid and not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileBox {
    /// First column of tiles.
    pub(super) left: u32,
    /// First row of tiles.
    pub(super) top: u32,
    /// One past the last column.
    pub(super) right: u32,
    /// One past the last row.
    pub(super) bottom: u32,
}

impl TileBox {
    /// All tiles of a page.
    pub(super) const fn of_page(page: Size<u32>) -> Self {
        Self { left: 0, top: 0, right: page.width.div_ceil(TILE), bottom: page.height.div_ceil(TILE) }
    }

    /// The tiles among these that a window (device px), grown by `growth` to each side, touches.
    pub(super) fn around(self, window: Rect<u32>, growth: f64) -> Self {
        let grown = [window.min.x, window.min.y, window.max.x, window.max.y].map(f64::from);
        let outwards = [-growth, -growth, growth, growth];
        Self::touched([0, 1, 2, 3].map(|edge| grown[edge] + outwards[edge]), self).unwrap_or_default()
    }

    /// The tiles among `drawn` that a box of ink (min x, min y, max x, max y in device px) touches; `None` if there are
    /// none.
    pub(super) fn touched([left, top, right, bottom]: [f64; 4], drawn: Self) -> Option<Self> {
        let end = |edge: f64| (edge / f64::from(TILE)).ceil().max(0.0) as u32;
        let (right, bottom) = (end(right).min(drawn.right), end(bottom).min(drawn.bottom));
        let tiles = Self { left: tile_at(left).max(drawn.left), top: tile_at(top).max(drawn.top), right, bottom };
        (tiles.left < tiles.right && tiles.top < tiles.bottom).then_some(tiles)
    }

    /// The smallest box around both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(super) const fn columns(self) -> usize {
        (self.right - self.left) as usize
    }

    pub(super) const fn rows(self) -> usize {
        (self.bottom - self.top) as usize
    }
}

/// Columns of tiles of one row: the first, and one past the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileRun {
    pub(super) left: u32,
    pub(super) right: u32,
}

impl TileRun {
    /// No tiles; the neutral element of joining runs.
    const NONE: Self = Self { left: u32::MAX, right: 0 };

    pub(super) const fn is_empty(self) -> bool {
        self.left >= self.right
    }
}

/// For each glyph, the box of its ink and, for each row of the box, the tiles that ink may touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct InkTiles {
    boxes: Vec<TileBox>,
    runs: Vec<TileRun>,
}

impl InkTiles {
    /// Reserves memory for this number of further glyphs, each three tiles high.
    pub(super) fn reserve(&mut self, glyphs: usize) {
        self.boxes.reserve(glyphs);
        self.runs.reserve(3 * glyphs);
    }

    /// Adds a glyph whose ink is in these boxes (min x, min y, max x, max y in device px), grown by `growth` to the
    /// left, up, to the right and down. Returns the box around its tiles among the `drawn` ones; `None` if there are
    /// none. Ink to the left of them counts as touching the first tiles, because its cover does.
    pub(super) fn push(&mut self, ink: &[[f64; 4]], growth: [f64; 4], drawn: TileBox) -> Option<TileBox> {
        let [to_left, up, to_right, down] = growth.map(|growth| growth + ROUNDING_GROWTH);
        let grown = |[left, top, right, bottom]: [f64; 4]| [left - to_left, top - up, right + to_right, bottom + down];
        let bounds = TileBox::touched(grown(around(ink)?), drawn)?;
        let first = self.runs.len();
        self.boxes.push(bounds);
        self.runs.resize(first + bounds.rows(), TileRun::NONE);
        let runs = &mut self.runs[first..];
        for [left, top, right, bottom] in ink.iter().copied().map(grown) {
            let rows = tile_at(top).max(bounds.top)..(tile_at(bottom) + 1).min(bounds.bottom);
            let left = tile_at(left).clamp(bounds.left, bounds.right - 1);
            let right = (tile_at(right + ENDING_GROWTH) + 1).clamp(left + 1, bounds.right);
            for row in rows {
                let run = &mut runs[(row - bounds.top) as usize];
                *run = TileRun { left: run.left.min(left), right: run.right.max(right) };
            }
        }
        Some(bounds)
    }

    /// The glyphs in the order of arrival, each with the runs of its box's rows from the top.
    pub(super) fn iter(&self) -> impl Iterator<Item = (TileBox, &[TileRun])> {
        let mut rest = self.runs.as_slice();
        self.boxes.iter().map(move |&bounds| {
            let (runs, others) = rest.split_at(bounds.rows());
            rest = others;
            (bounds, runs)
        })
    }

    /// The smallest box around all.
    pub(super) fn bounds(&self) -> Option<TileBox> {
        self.boxes.iter().copied().reduce(TileBox::union)
    }
}

/// The tile at a position in device px along an axis; the first one for positions before the page.
fn tile_at(place: f64) -> u32 {
    (place.max(0.0) / f64::from(TILE)) as u32
}

/// The smallest box around boxes of ink.
pub(super) fn around(ink: &[[f64; 4]]) -> Option<[f64; 4]> {
    ink.iter()
        .copied()
        .reduce(|one, other| [one[0].min(other[0]), one[1].min(other[1]), one[2].max(other[2]), one[3].max(other[3])])
}

#[cfg(test)]
impl InkTiles {
    /// Glyphs whose ink fills their boxes.
    pub(super) fn filling(boxes: &[TileBox]) -> Self {
        let runs = |tiles: &TileBox| vec![TileRun { left: tiles.left, right: tiles.right }; tiles.rows()];
        Self { boxes: boxes.to_vec(), runs: boxes.iter().flat_map(runs).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    const A_PAGE: TileBox = TileBox::of_page(Size { width: 100, height: 50 });

    fn touched(ink: [f64; 4], growth: f64) -> Option<TileBox> {
        InkTiles::default().push(&[ink], [growth; 4], A_PAGE)
    }

    /// The box of one glyph, and its runs as (first column, one past the last).
    fn pushed(ink: &[[f64; 4]], growth: f64) -> Option<(TileBox, Vec<(u32, u32)>)> {
        let mut tiles = InkTiles::default();
        let bounds = tiles.push(ink, [growth; 4], A_PAGE)?;
        let (_, runs) = tiles.iter().next().unwrap();
        Some((bounds, runs.iter().map(|run| if run.is_empty() { (0, 0) } else { (run.left, run.right) }).collect()))
    }

    #[test]
    fn an_ink_box_touches_whole_tiles() {
        let tiles = touched([17.0, 1.0, 31.0, 33.0], 0.0).unwrap();
        assert_eq!(tiles, TileBox { left: 1, top: 0, right: 2, bottom: 3 });
    }

    #[test]
    fn an_ink_box_on_a_tile_border_reaches_for_both_tiles() {
        let tiles = touched([16.0, 16.0, 32.0, 32.0], 0.0).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 3, bottom: 3 });
    }

    #[test]
    fn a_displaced_ink_box_reaches_for_the_tiles_around_it() {
        let tiles = touched([17.0, 17.0, 31.0, 31.0], 2.0).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 3, bottom: 3 });
    }

    #[test]
    fn ink_reaches_to_each_side_as_far_as_it_is_displaced_there() {
        let grown = |growth| InkTiles::default().push(&[[17.0, 17.0, 31.0, 31.0]], growth, A_PAGE).unwrap();
        let tile = TileBox { left: 1, top: 1, right: 2, bottom: 2 };
        assert_eq!(grown([0.0; 4]), tile);
        assert_eq!(grown([2.0, 0.0, 0.0, 0.0]), TileBox { left: 0, ..tile });
        assert_eq!(grown([0.0, 2.0, 0.0, 0.0]), TileBox { top: 0, ..tile });
        assert_eq!(grown([0.0, 0.0, 2.0, 0.0]), TileBox { right: 3, ..tile });
        assert_eq!(grown([0.0, 0.0, 0.0, 2.0]), TileBox { bottom: 3, ..tile });
    }

    #[test]
    fn ink_beyond_the_page_is_cut_at_its_edge() {
        let tiles = touched([-40.0, -40.0, 1000.0, 1000.0], 0.0).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 7, bottom: 4 });
        assert_eq!(touched([200.0, 0.0, 210.0, 10.0], 0.0), None);
        assert_eq!(touched([-20.0, 0.0, -10.0, 10.0], 0.0), None);
    }

    #[test]
    fn a_window_cuts_ink_as_the_page_does() {
        let window = Rect { min: Point::new(40, 20), max: Point::new(70, 30) };
        assert_eq!(A_PAGE.around(window, 0.0), TileBox { left: 2, top: 1, right: 5, bottom: 2 });
        let drawn = A_PAGE.around(window, 10.0);
        assert_eq!(drawn, TileBox { left: 1, top: 0, right: 5, bottom: 3 });
        let mut tiles = InkTiles::default();
        assert_eq!(tiles.push(&[[2.0, 2.0, 100.0, 49.0]], [0.0; 4], drawn), Some(drawn));
        assert_eq!(tiles.push(&[[2.0, 2.0, 9.0, 9.0]], [0.0; 4], drawn), None);
    }

    #[test]
    fn a_row_holds_what_the_ink_at_its_height_touches() {
        let stem_over_foot = [[33.0, 2.0, 40.0, 15.0], [20.0, 34.0, 70.0, 40.0]];
        let bounds = TileBox { left: 1, top: 0, right: 5, bottom: 3 };
        assert_eq!(pushed(&stem_over_foot, 0.0), Some((bounds, vec![(2, 3), (0, 0), (1, 5)])));
        assert_eq!(pushed(&stem_over_foot, 2.5), Some((bounds, vec![(1, 3), (1, 5), (1, 5)])));
    }

    #[test]
    fn the_pixel_behind_the_last_may_be_another_tiles() {
        let ink = [[33.0, 17.0, 47.5, 31.0], [70.0, 17.0, 71.0, 18.0]];
        assert_eq!(pushed(&ink[..1], 0.0).unwrap().1, [(2, 3)], "there is none outside of the box");
        assert_eq!(pushed(&ink, 0.0).unwrap().1, [(2, 5)]);
        let high = [[33.0, 17.0, 47.5, 31.0], [70.0, 40.0, 71.0, 41.0]];
        assert_eq!(pushed(&high, 0.0).unwrap().1, [(2, 4), (4, 5)]);
        let displaced = [[35.0, 19.0, 46.2, 29.0], [70.0, 40.0, 71.0, 41.0]];
        assert_eq!(pushed(&displaced, 1.0).unwrap().1, [(2, 4), (4, 5)], "wherever it is displaced to");
    }

    #[test]
    fn ink_beside_the_page_touches_its_nearest_tile() {
        let around = [-40.0, 2.0, -20.0, 9.0];
        assert_eq!(pushed(&[around], 0.0), None);
        assert_eq!(pushed(&[around, [3.0, 18.0, 4.0, 19.0]], 0.0).unwrap().1, [(0, 1), (0, 1)]);
        assert_eq!(pushed(&[[3.0, 18.0, 4.0, 19.0], [110.0, 2.0, 120.0, 9.0]], 0.0).unwrap().1, [(6, 7), (0, 1)]);
    }
}
