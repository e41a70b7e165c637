//! Fills a sheet with a font: each letter with its own size, width, slant and height, as a writer makes them.

use kurbo::Affine;
use tiny_skia::{FillRule, Mask, PathBuilder, Transform};

use crate::catalogue::{FontCatalogue, FontFace, OutlineCommand};
use crate::noise::{Purpose, Stream};
use crate::own_hand::letters::{Contour, signed_area};
use crate::own_hand::picture::{Plane, zero_contours};
use crate::own_hand::sheet::{BASELINE, BOX_WIDTH, COLUMNS, PAPER, SheetBox, SheetPage, X_HEIGHT, box_origin};

/// Pixels of the paper in a mm.
pub(super) const PIXELS: f64 = 14.0;
/// Pixels in a mm at which the true edges of a letter are found.
const FINE: f64 = 20.0;

/// A filled page.
#[derive(Clone)]
pub(super) struct FilledPage {
    pub(super) sheet: SheetPage,
    /// Coverage of the ink, 0 to 255, on the paper.
    pub(super) ink: Mask,
    pub(super) boxes: Vec<(SheetBox, Vec<Contour>)>,
    /// For each letter of each line: the line, the letter, left and right end of its ink in mm.
    pub(super) letters: Vec<(usize, char, [f64; 2])>,
}

/// How a letter differs: logarithms of height and width, rise in x-heights, and the tangent of its shear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    pub(super) height: f64,
    pub(super) width: f64,
    pub(super) rise: f64,
    pub(super) shear: f64,
}

/// How the writer's letters differ.
pub(super) struct Writer<'a> {
    face: &'a FontFace,
    strength: f64,
    /// Radius by which a pen of another width moves edges, in mm.
    draws: Stream,
}

impl<'a> Writer<'a> {
    pub(super) fn new(catalogue: &'a FontCatalogue, slug: &str, seed: u32, strength: f64) -> Self {
        let face = catalogue.faces().find(|face| face.slug() == slug).unwrap();
        Self { face, strength, draws: Stream::new(seed, Purpose::WriterLetters) }
    }

    fn mm(&self) -> f64 {
        X_HEIGHT / self.face.x_height().get()
    }

    /// How the letter of a key differs.
    fn life(&self, key: u64) -> Life {
        let draw = |index: u64, deviation: f64| {
            self.draws.normal(key * 16 + index).clamp(-2.0, 2.0) * deviation * self.strength
        };
        let height = draw(0, 0.055);
        let width = 0.3 * height + draw(1, 0.07);
        Life { height, width, rise: draw(2, 0.045), shear: draw(3, 2.0_f64.to_radians()) }
    }

    /// How the letter in a box differs.
    pub(super) fn life_in(&self, place: &SheetBox) -> Life {
        self.life(box_key(place))
    }

    /// A letter at an origin, in mm, y upwards, by the draws of a key.
    fn letter(&self, character: char, key: u64, origin: f64) -> Option<tiny_skia::Path> {
        let outline = self.face.outline(self.face.glyph_for(character)?)?;
        let Life { height, width, rise, shear } = self.life(key);
        let ink = outline.ink;
        let middle = f64::midpoint(ink.min.x.get(), ink.max.x.get()) * self.mm();
        let map = Affine::translate((origin + middle, rise * X_HEIGHT))
            * Affine::new([1.0, 0.0, shear, 1.0, 0.0, 0.0])
            * Affine::scale_non_uniform(width.exp(), height.exp())
            * Affine::translate((-middle, 0.0))
            * Affine::scale(self.mm());
        let mut path = PathBuilder::new();
        let at = |point: crate::geometry::Point<crate::units::FontUnits>| {
            let at = map * kurbo::Point::new(point.x.get(), point.y.get());
            (at.x as f32, at.y as f32)
        };
        for command in outline.commands {
            match command {
                OutlineCommand::MoveTo(to) => path.move_to(at(to).0, at(to).1),
                OutlineCommand::LineTo(to) => path.line_to(at(to).0, at(to).1),
                OutlineCommand::QuadTo(one, to) => path.quad_to(at(one).0, at(one).1, at(to).0, at(to).1),
                OutlineCommand::CubicTo(one, two, to) => {
                    path.cubic_to(at(one).0, at(one).1, at(two).0, at(two).1, at(to).0, at(to).1);
                }
                OutlineCommand::Close => path.close(),
            }
        }
        path.finish()
    }

    /// Fills a page. Boxes for which `is_left` is true stay empty.
    pub(super) fn fill(&self, sheet: SheetPage, is_left: impl Fn(&SheetBox) -> bool) -> FilledPage {
        let size = PAPER.map(|side| (side * PIXELS) as u32);
        let mut ink = Mask::new(size[0], size[1]).unwrap();
        let (mut boxes, mut letters) = (Vec::new(), Vec::new());
        let on_paper = |[x, y]: [f64; 2]| {
            let scale = PIXELS as f32;
            Transform::from_row(scale, 0.0, 0.0, -scale, x as f32 * scale, y as f32 * scale)
        };
        for each in sheet.boxes().filter(|each| !is_left(each)) {
            let key = box_key(&each);
            let Some(ink_box) = self.face.glyph_for(each.character).and_then(|glyph| self.face.ink(glyph)) else {
                continue;
            };
            let middle = f64::midpoint(ink_box.min.x.get(), ink_box.max.x.get()) * self.mm();
            let place = BOX_WIDTH / 2.0 + 0.2 + (0.6 * self.draws.normal(key * 16 + 9)).clamp(-1.5, 1.5);
            let Some(path) = self.letter(each.character, key, place - middle) else { continue };
            let [x, y] = box_origin(each.row, each.column);
            ink.fill_path(&path, FillRule::Winding, true, on_paper([x, y + BASELINE]));
            boxes.push((each, true_edges(&path)));
        }
        for line in sheet.lines() {
            let [left, top] = box_origin(line.row, 0);
            let advance = |character: char| f64::from(self.face.advance(character).unwrap_or_default()) * self.mm();
            let whole: f64 = line.text.chars().map(advance).sum();
            let squeeze = ((COLUMNS as f64 * BOX_WIDTH - 4.0) / whole).min(1.0);
            let mut x = left + 2.0;
            for (index, character) in line.text.chars().enumerate() {
                let key = (100_000 + line.row * 100 + index) as u64;
                let noise = 0.03 * X_HEIGHT * self.strength * self.draws.normal(key * 16 + 11);
                if let Some(path) = self.letter(character, key, x + noise) {
                    ink.fill_path(&path, FillRule::Winding, true, on_paper([0.0, top + BASELINE]));
                    let around = path.compute_tight_bounds().unwrap();
                    letters.push((line.row, character, [around.left().into(), around.right().into()]));
                }
                x += advance(character) * squeeze;
            }
        }
        FilledPage { sheet, ink, boxes, letters }
    }
}

/// The key of the draws of a box.
fn box_key(place: &SheetBox) -> u64 {
    (place.page.index() * 1000 + place.row * 20 + place.column) as u64
}

/// The edges of a filled path: those of overlapping contours lie within it, so it is drawn and traced.
fn true_edges(path: &tiny_skia::Path) -> Vec<Contour> {
    let bounds = path.bounds();
    let margin = 0.3;
    let (left, top) = (f64::from(bounds.left()) - margin, f64::from(bounds.top()) - margin);
    let size = [bounds.width(), bounds.height()].map(|side| ((f64::from(side) + 2.0 * margin) * FINE) as u32 + 1);
    let mut mask = Mask::new(size[0], size[1]).unwrap();
    let scale = FINE as f32;
    let place = Transform::from_row(scale, 0.0, 0.0, scale, -left as f32 * scale, -top as f32 * scale);
    mask.fill_path(path, FillRule::Winding, true, place);
    let values = mask.data().iter().map(|value| f32::from(*value) / 255.0 - 0.5).collect();
    let drawn = Plane { width: size[0] as usize, height: size[1] as usize, values };
    let to_mm = |[x, y]: [f64; 2]| [(x + 0.5) / FINE + left, (y + 0.5) / FINE + top];
    let traced = zero_contours(&drawn).into_iter().map(|contour| contour.into_iter().map(to_mm).collect());
    traced.filter(|contour: &Contour| signed_area(contour).abs() > 1e-3).collect()
}
