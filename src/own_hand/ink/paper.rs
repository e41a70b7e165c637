//! How dark the page is, whatever the light on it.

use crate::own_hand::page::FlatPage;
use crate::own_hand::picture::Plane;

/// Pixels per mm at which the light of the paper is found.
const PAPER_SCALE: f64 = 4.0;
/// The square that paper has everywhere free of ink: half its side in such pixels, 4.25 mm in all.
const REACH: usize = 8;
/// The blur of the paper's light, in such pixels. More would make ink of the edges of shadows.
const BLUR: f64 = 1.5;
/// Least light of paper: below it there is none.
const LEAST: f32 = 0.01;

/// The darkness of each pixel: 1 less the light as a share of the paper's. The paper's light is that of the page after a
/// closing, which fills what is darker and narrower than 4.25 mm, and keeps the edges of shadows.
pub(super) fn darkness(page: FlatPage) -> Plane {
    let side = (page.scale / PAPER_SCALE).round() as usize;
    let paper = page.light.shrunk(side).median().dilated(REACH).eroded(REACH).blurred(BLUR);
    let mut darkness = page.light;
    let width = darkness.width;
    for (at, value) in darkness.values.iter_mut().enumerate() {
        *value = 1.0 - *value / paper.at_grown(at % width, at / width, side).max(LEAST);
    }
    darkness
}
