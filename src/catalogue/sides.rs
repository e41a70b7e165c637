//! The left and right end of a glyph's ink at each height, which tell how much white is between two glyphs.

use kurbo::{ParamCurve as _, PathSeg, Point};

use super::outline::Outline;

/// Bands of heights in an em.
const BANDS_PER_EM: f64 = 40.0;
/// Straight parts of a curve.
const PARTS_OF_CURVE: u8 = 8;

/// The ends of a glyph's ink in bands of heights, the lowest first, in font units from its origin. Bands without ink
/// have infinite ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sides {
    /// The number of the lowest band with ink, from the baseline.
    first: i32,
    /// The right end in each band, from the lowest with ink to the highest.
    rights: Box<[f32]>,
    /// The left end in each band and those above and below it, from one band lower to one higher.
    lefts: Box<[f32]>,
}

impl Sides {
    pub(super) fn of(outline: &Outline, units_per_em: u16) -> Self {
        let height = f64::from(units_per_em) / BANDS_PER_EM;
        let band = |y: f64| (y / height).floor() as i32;
        let [first, last] = [outline.ink.min.y, outline.ink.max.y].map(|y| band(y.get()));
        let count = (last - first + 1) as usize;
        let mut rights = vec![f32::NEG_INFINITY; count];
        let mut lefts = vec![f32::INFINITY; count + 2];
        let mut add = |from: Point, to: Point| {
            let [low, high] = if from.y < to.y { [from, to] } else { [to, from] };
            let run = (high.x - low.x) / (high.y - low.y).max(f64::MIN_POSITIVE);
            for number in band(low.y).max(first)..=band(high.y).min(last) {
                let at = |y: f64| low.x + run * (y.clamp(low.y, high.y) - low.y);
                let bottom = f64::from(number) * height;
                let edges = if low.y < high.y { [at(bottom), at(bottom + height)] } else { [low.x, high.x] };
                let index = (number - first) as usize;
                if let (Some(right), Some(lefts)) = (rights.get_mut(index), lefts.get_mut(index..index + 3)) {
                    *right = right.max(edges[0].max(edges[1]) as f32);
                    for left in lefts {
                        *left = left.min(edges[0].min(edges[1]) as f32);
                    }
                }
            }
        };
        for edge in outline.edges() {
            let parts = if matches!(edge, PathSeg::Line(_)) { 1 } else { PARTS_OF_CURVE };
            let at = |part: u8| edge.eval(f64::from(part) / f64::from(parts));
            for part in 0..parts {
                add(at(part), at(part + 1));
            }
        }
        Self { first, rights: rights.into(), lefts: lefts.into() }
    }

    /// The greater right end of each pair of bands, with the height between both, in font units from the origin, y up.
    pub fn rights(&self, units_per_em: u16) -> impl Iterator<Item = [f64; 2]> {
        let ends = self.rights.chunks(2).map(|ends| ends.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        with_heights(ends, f64::from(self.first) + 1.0, units_per_em)
    }

    /// The left ends of every second band and of those above and below it, with the height of its middle: the least of
    /// the three bands.
    pub fn lefts(&self, units_per_em: u16) -> impl Iterator<Item = [f64; 2]> {
        with_heights(self.lefts.iter().copied().step_by(2), f64::from(self.first) - 0.5, units_per_em)
    }

    /// The least white along the line to another glyph, whose origin is `distance` to the right, in font units; below
    /// zero where they overlap. Ink of neighbouring bands counts as of one height, so that white along a slope counts
    /// too. `None` where no ink of one is beside ink of the other.
    #[must_use]
    pub fn white_before(&self, next: &Self, distance: f64) -> Option<f64> {
        let above = self.first - (next.first - 1);
        let [own, other] = [-above, above].map(|bands| bands.max(0) as usize);
        let beside = self.rights.iter().skip(own).zip(next.lefts.iter().skip(other));
        let white = beside.map(|(right, left)| left - right).fold(f32::INFINITY, f32::min);
        white.is_finite().then_some(f64::from(white) + distance)
    }
}

/// Ends that are two bands apart with their heights, from that of the first, in bands.
fn with_heights(ends: impl Iterator<Item = f32>, first: f64, units_per_em: u16) -> impl Iterator<Item = [f64; 2]> {
    let band = f64::from(units_per_em) / BANDS_PER_EM;
    let heights = (0_u32..).map(move |index| (first + 2.0 * f64::from(index)) * band);
    ends.zip(heights).filter(|(end, _)| end.is_finite()).map(|(end, height)| [f64::from(end), height])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::OutlineCommand;
    use crate::geometry::Point as OutlinePoint;
    use crate::units::FontUnits;

    fn of(corners: &[[f64; 2]]) -> Sides {
        let at = |[x, y]: [f64; 2]| OutlinePoint::new(FontUnits::new(x), FontUnits::new(y));
        let lines = corners[1..].iter().chain(&corners[..1]).map(|corner| OutlineCommand::LineTo(at(*corner)));
        let commands = std::iter::once(OutlineCommand::MoveTo(at(corners[0]))).chain(lines);
        Sides::of(&Outline::new(commands.chain([OutlineCommand::Close]).collect()).unwrap(), 1000)
    }

    #[test]
    fn white_is_between_ink_of_one_height() {
        let low = of(&[[0.0, 0.0], [100.0, 0.0], [100.0, 300.0], [0.0, 300.0]]);
        let high = of(&[[0.0, 500.0], [100.0, 500.0], [100.0, 700.0], [0.0, 700.0]]);
        assert_eq!(low.white_before(&low, 150.0), Some(50.0));
        assert_eq!(low.white_before(&low, 80.0), Some(-20.0));
        assert_eq!(low.white_before(&high, 80.0), None);
        assert_eq!(high.white_before(&low, 80.0), None);
    }

    #[test]
    fn slanted_letters_have_white_where_their_boxes_overlap() {
        let slanted = of(&[[0.0, 0.0], [50.0, 0.0], [250.0, 600.0], [200.0, 600.0]]);
        let white = slanted.white_before(&slanted, 120.0).unwrap();
        // 70 beside each other, and two bands of 25 less along the slope of a third.
        assert!((50.0..=70.0).contains(&white), "{white}");
    }

    #[test]
    fn ends_have_the_heights_of_their_bands() {
        let corners = [
            [10.0, -20.0],
            [100.0, -20.0],
            [100.0, 5.0],
            [60.0, 5.0],
            [60.0, 45.0],
            [40.0, 45.0],
            [40.0, 5.0],
            [10.0, 5.0],
        ];
        let foot = of(&corners);
        // Bands are 25 high.
        assert_eq!(foot.rights(1000).collect::<Vec<_>>(), vec![[100.0, 0.0], [60.0, 50.0]]);
        assert_eq!(foot.lefts(1000).collect::<Vec<_>>(), vec![[10.0, -37.5], [10.0, 12.5], [40.0, 62.5]]);
        assert_eq!(Sides::default().rights(1000).count() + Sides::default().lefts(1000).count(), 0);
    }

    #[test]
    fn a_blank_glyph_has_white_to_no_other() {
        let stem = of(&[[0.0, 0.0], [50.0, 0.0], [50.0, 600.0], [0.0, 600.0]]);
        assert_eq!(Sides::default().white_before(&stem, 9.0), None);
        assert_eq!(stem.white_before(&Sides::default(), 9.0), None);
    }
}
