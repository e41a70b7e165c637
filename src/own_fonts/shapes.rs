//! The effects of shaping on the letters of a font: kerning, alternates, joins.

use crate::catalogue::{FontCatalogue, FontFace, FontId};
use crate::layout::{LayoutError, ShapeProbe};
use crate::mesh::{Detail, GlyphKey, JoinKey, MeshCache, MeshKey};
use crate::spec::Kerning;
use crate::units::DevicePx;
use crate::work::WorkMeter;

/// Most glyphs of one character. Emoji sequences aside, scripts need five at most.
pub(super) const MOST_GLYPHS: usize = 64;

/// Frequent words of English, in which joined writing joins letters, and alternates show.
const WORDS: &str = "the and hello letter happy birthday moon committee assess bubble quick brown jumps over lazy from \
                     with this have word much lovely minimum Mississippi";

/// The kerning and contexts of a font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeFacts {
    /// Whether pair kerning moves some pair of letters.
    pub kerning: bool,
    /// Whether a letter has another shape beside others than alone.
    pub alternates: bool,
    /// The share of neighbours in words whose ink overlaps: 0 for print, about 1 for joined writing.
    pub joins: f64,
}

impl ShapeFacts {
    /// Measures a font of the catalogue.
    ///
    /// # Errors
    /// The font cannot be shaped with, or the budget of work is spent.
    pub fn of(catalogue: &FontCatalogue, font: FontId, work: &WorkMeter<'_>) -> Result<Self, LayoutError> {
        let mut kerned = ShapeProbe::new(catalogue, font, Kerning::Pairs, work);
        let mut plain = ShapeProbe::new(catalogue, font, Kerning::Off, work);
        let (mut kerning, mut alternates) = (false, false);
        let letters = || ('A'..='Z').chain('a'..='z');
        for first in letters() {
            for second in letters() {
                let pair = format!("{first}{second}");
                kerning = kerning || kerned.glyphs(&pair)? != plain.glyphs(&pair)?;
            }
        }
        let face = catalogue.face(font);
        let meshes = MeshCache::new(64 << 10);
        let (mut pairs, mut joined) = (0_u32, 0_u32);
        for word in WORDS.split(' ') {
            let (glyphs, _) = kerned.glyphs(word)?;
            let mut alone = Vec::new();
            for letter in word.chars() {
                alone.extend(kerned.glyphs(letter.encode_utf8(&mut [0; 4]))?.0);
            }
            alternates |=
                glyphs.len() == alone.len() && glyphs.iter().zip(&alone).any(|(here, there)| here.0 != there.0);
            for pair in glyphs.windows(2) {
                let [(first, from), (second, to)] = pair else { continue };
                pairs += 1;
                joined += u32::from(overlap(face, [*first, *second], to - from, &meshes, catalogue));
            }
        }
        Ok(Self { kerning, alternates, joins: f64::from(joined) / f64::from(pairs.max(1)) })
    }
}

/// Whether the ink of two glyphs overlaps, the second so many font units right of the first.
fn overlap(
    face: &FontFace,
    [first, second]: [crate::catalogue::GlyphId; 2],
    distance: i32,
    meshes: &MeshCache,
    catalogue: &FontCatalogue,
) -> bool {
    let detail = Detail::for_em(DevicePx::new(60.0));
    let offset = [(f64::from(distance) * JoinKey::STEPS) as i32, 0];
    let key = JoinKey { first: GlyphKey::new(face, first, detail), second, offset };
    meshes.mesh(MeshKey::Join(key), catalogue).is_ok_and(|join| !join.is_empty())
}
