//! What the paths of a page amount to, counted from its glyphs before any path is made.

use std::collections::HashMap;

use kurbo::Vec2;

use super::page::PathKind;
use crate::catalogue::{FontCatalogue, FontId, GlyphId, OutlineCommand};
use crate::geometry::{Point, is_turn};
use crate::layout::{PageLayout, PlacedGlyph};
use crate::scene::{OutlineMap, RenderParams};
use crate::units::FontUnits;
use crate::variation::LetterMap;

use super::strokes::LONGEST_CHORD;

/// The most corners of straight edges that follow an outline, per page px. Small letters show fewer than they have.
const MOST_CORNERS_PER_PX: f64 = 1.5;

/// Page px of a curve per straight edge of a welded word.
const STRAIGHT_PX: f64 = 8.0;

/// How many paths a page has, and how much is in them. The work of making them, and the length of a file with them,
/// grow with these numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VectorAmount {
    /// Glyphs with ink.
    pub glyphs: f64,
    /// Commands of the glyphs as the fonts have them, those of each glyph as often as it is on the page.
    pub commands: f64,
    /// The same, those of each glyph once.
    pub distinct_commands: f64,
    /// Edges of the outlines that are bent: each is moved, and cubics are fitted to it.
    pub bent_edges: f64,
    /// Edges of the outlines where curves become straight edges, without the effects.
    pub straight_edges: f64,
}

/// The commands of a glyph and their length.
#[derive(Clone, Copy, Debug, Default)]
struct GlyphAmount {
    commands: f64,
    /// Corners between straight edges. However small the letter is, they stay.
    sharp_corners: f64,
    length: FontUnits,
}

/// Counts the paths of a file, page by page.
pub struct PathCounter<'a> {
    kind: PathKind,
    catalogue: &'a FontCatalogue,
    known: HashMap<(FontId, GlyphId), GlyphAmount, foldhash::fast::FixedState>,
    /// What was added so far.
    pub amount: VectorAmount,
}

impl<'a> PathCounter<'a> {
    /// A counter of paths of a kind.
    #[must_use]
    pub fn new(kind: PathKind, catalogue: &'a FontCatalogue) -> Self {
        Self { kind, catalogue, known: HashMap::default(), amount: VectorAmount::default() }
    }

    /// Adds the paths of a layout. The scale of `params` has no effect.
    pub fn add(&mut self, layout: &PageLayout, params: &RenderParams) {
        let pen = params.pen.filter(|_| self.kind != PathKind::Strokes);
        let map = OutlineMap::of(&RenderParams { pen, ..*params }, layout.size);
        for word in &layout.words {
            for (position, glyph) in word.glyphs.iter().enumerate() {
                self.add_glyph(glyph, word.letters.get(position), &map);
            }
        }
    }

    fn add_glyph(&mut self, glyph: &PlacedGlyph, letter: Option<&LetterMap>, map: &OutlineMap) {
        let Self { kind, catalogue, known, amount } = self;
        let of_glyph = *known.entry((glyph.font, glyph.glyph)).or_insert_with(|| {
            let of_glyph = glyph_amount(glyph, *kind, catalogue);
            amount.distinct_commands += of_glyph.commands;
            of_glyph
        });
        if of_glyph.commands <= 0.0 {
            return;
        }
        let units_per_em = catalogue.face(glyph.font).units_per_em();
        let length = of_glyph.length.get() * glyph.em.get() / f64::from(units_per_em);
        let corners = of_glyph.commands.min(MOST_CORNERS_PER_PX * length).max(of_glyph.sharp_corners);
        amount.glyphs += 1.0;
        amount.commands += of_glyph.commands;
        amount.straight_edges += corners + length / STRAIGHT_PX;
        if map.bends(letter) {
            let pieces = match kind {
                PathKind::Strokes => length / LONGEST_CHORD,
                PathKind::Outlines | PathKind::ToWeld => {
                    let whole = map.key(glyph, letter, catalogue).detail.whole(units_per_em);
                    whole.map_or(0.0, |(_, piece)| of_glyph.length / piece)
                }
            };
            amount.bent_edges += corners + pieces;
        }
    }
}

fn glyph_amount(glyph: &PlacedGlyph, kind: PathKind, catalogue: &FontCatalogue) -> GlyphAmount {
    let face = catalogue.face(glyph.font);
    match kind {
        PathKind::Outlines | PathKind::ToWeld => {
            face.outline(glyph.glyph).map(|outline| amount_of(&outline.commands)).unwrap_or_default()
        }
        PathKind::Strokes => {
            let strokes = face.glyph_strokes(glyph.glyph).unwrap_or_default();
            amount_of(strokes.iter().flat_map(|stroke| &stroke.commands))
        }
    }
}

/// The number of commands, the corners between straight edges, and the length of the chords.
fn amount_of<'a>(commands: impl IntoIterator<Item = &'a OutlineCommand>) -> GlyphAmount {
    let mut at = Point::new(FontUnits::new(0.0), FontUnits::new(0.0));
    let (mut count, mut length, mut sharp_corners, mut before) = (0.0, 0.0, 0.0, None);
    for command in commands {
        count += 1.0;
        let to = match *command {
            OutlineCommand::MoveTo(to) => {
                (at, before) = (to, None);
                continue;
            }
            OutlineCommand::LineTo(to) | OutlineCommand::QuadTo(_, to) | OutlineCommand::CubicTo(_, _, to) => to,
            OutlineCommand::Close => continue,
        };
        let edge = Vec2::new((to.x - at.x).get(), (to.y - at.y).get());
        length += edge.hypot();
        let edge = matches!(command, OutlineCommand::LineTo(_)).then_some(edge);
        if before.zip(edge).is_some_and(|(before, edge)| is_turn(before, edge)) {
            sharp_corners += 1.0;
        }
        (at, before) = (to, edge);
    }
    GlyphAmount { commands: count, sharp_corners, length: FontUnits::new(length) }
}
