//! The font that is made of a hand is nearest to the font that filled its sheet.

use kurbo::{BezPath, PathEl};

use super::catalogue;
use super::whole_hand::{dancing_script, kalam, with_font};
use crate::catalogue::{FontFace, FontId, OutlineCommand};
use crate::own_hand::picture::{Plane, covered, depths};

/// Letters that are compared; pixels of an x-height; width, height and depth of a letter in x-heights.
const LETTERS: &str = "aeghnorstdbk";
const PIXELS: f64 = 12.0;
const SIDES: [f64; 2] = [5.0, 4.5];
const BELOW: f64 = 1.5;

/// The Latin letters of this font are those of Kalam with bolder strokes.
const BOLD_KALAM: &str = "solitreo";

/// A letter on pixels: how far each is covered, and its distance from what is inked, in x-heights.
struct Letter {
    ink: Plane,
    far: Plane,
}

impl Letter {
    fn of(face: &FontFace, letter: char) -> Self {
        let outline = face.outline(face.glyph_for(letter).unwrap()).unwrap();
        let middle = f64::midpoint(outline.ink.min.x.get(), outline.ink.max.x.get());
        let unit = PIXELS / face.x_height().get();
        let at = |point: crate::geometry::Point<crate::units::FontUnits>| {
            kurbo::Point::new(
                (point.x.get() - middle) * unit + 0.5 * SIDES[0] * PIXELS,
                (SIDES[1] - BELOW) * PIXELS - point.y.get() * unit,
            )
        };
        let path: BezPath = outline
            .commands
            .into_iter()
            .map(|command| match command {
                OutlineCommand::MoveTo(to) => PathEl::MoveTo(at(to)),
                OutlineCommand::LineTo(to) => PathEl::LineTo(at(to)),
                OutlineCommand::QuadTo(one, to) => PathEl::QuadTo(at(one), at(to)),
                OutlineCommand::CubicTo(one, two, to) => PathEl::CurveTo(at(one), at(two), at(to)),
                OutlineCommand::Close => PathEl::ClosePath,
            })
            .collect();
        let mut polygons: Vec<Vec<[f64; 2]>> = Vec::new();
        kurbo::flatten(&path, 0.05, |element| match element {
            PathEl::MoveTo(to) => polygons.push(vec![[to.x, to.y]]),
            PathEl::LineTo(to) => polygons.last_mut().unwrap().push([to.x, to.y]),
            _ => {}
        });
        let size = SIDES.map(|side| (side * PIXELS) as usize);
        let ink = covered(&polygons, size, |point| point);
        let far = depths(size[0], size[1], |at| ink.values[at] < 0.5);
        Self { ink, far }
    }

    /// The mean distance of the ink of either from the other's.
    fn distance(&self, other: &Self) -> f64 {
        let one_way = |from: &Self, to: &Self| {
            let (mut sum, mut ink) = (0.0, 1e-9);
            for (own, far) in from.ink.values.iter().zip(&to.far.values) {
                sum += f64::from(own * far.min(PIXELS as f32)) / PIXELS;
                ink += f64::from(*own);
            }
            sum / ink
        };
        f64::midpoint(one_way(self, other), one_way(other, self))
    }
}

#[test]
fn a_hand_is_nearest_to_its_own_font() {
    let letters = |face: &FontFace| -> Vec<Letter> { LETTERS.chars().map(|letter| Letter::of(face, letter)).collect() };
    let fonts: Vec<(&str, Vec<Letter>)> = catalogue().faces().map(|face| (face.slug(), letters(face))).collect();
    for (made, slug) in [(kalam(), "kalam"), (dancing_script(), "dancing-script")] {
        let own = letters(with_font(&made.hand).face(FontId::new(1001).unwrap()));
        let distance = |others: &[Letter]| {
            own.iter().zip(others).map(|(own, other)| own.distance(other)).sum::<f64>() / own.len() as f64
        };
        let mut far: Vec<(f64, &str)> = fonts.iter().map(|(slug, letters)| (distance(letters), *slug)).collect();
        far.retain(|(_, slug)| *slug != BOLD_KALAM);
        far.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(far[0].1 == slug && far[0].0 < 0.8 * far[1].0, "{:?}", &far[..3]);
    }
}
