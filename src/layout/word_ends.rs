//! The left and right end of a varied word's ink, which the gaps between words are measured from.

use super::ink::Ink;
use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use crate::catalogue::FontFace;

/// Left and right end of a word's ink from its start, in ems of the chosen font. At each end, one of the two outer letters
/// reaches farthest.
pub(super) fn word_ends(
    glyphs: &[ShapedGlyph],
    varied: &[VariedGlyph],
    face: &FontFace,
    unit: f64,
) -> Option<[f64; 2]> {
    let start = varied.first()?.pen;
    let farthest = |[outer, inner]: [Option<(&ShapedGlyph, &VariedGlyph, Ink)>; 2], side: f64| {
        let far = outer.and_then(|(glyph, varied, _)| reach((glyph, varied), side, face, unit));
        // Its box tells whether the inner letter may reach farther; most do not.
        let most =
            |varied: &VariedGlyph, ink: Ink| side * (varied.origin + if side < 0.0 { ink.left } else { ink.right });
        let inner = inner.filter(|(_, varied, ink)| far.is_none_or(|far| most(varied, *ink) > far));
        let inner = inner.and_then(|(glyph, varied, _)| reach((glyph, varied), side, face, unit));
        far.into_iter().chain(inner).reduce(f64::max)
    };
    let mut letters = glyphs.iter().zip(varied).filter_map(|(glyph, varied)| Some((glyph, varied, varied.ink?)));
    let mut from_left = letters.clone();
    let left = -farthest([from_left.next(), from_left.next()], -1.0)?;
    let right = farthest([letters.next_back(), letters.next_back()], 1.0)?;
    Some([left, right].map(|end| end - start))
}

/// How far a letter's ink reaches to the right (`side` 1) or left (-1) from the left end of the run, in ems of the
/// chosen font: the corner of its convex hull that stretch and slant move farthest.
fn reach((glyph, varied): (&ShapedGlyph, &VariedGlyph), side: f64, face: &FontFace, unit: f64) -> Option<f64> {
    let direction = varied.letter.direction_along().map(|part| f64::from(part) * side);
    let at = face.hull(glyph.glyph)?.support_point(direction)?;
    let [x, _] = varied.letter.bend([at.x.get() as f32, at.y.get() as f32], [0.0; 2]);
    Some(side * (f64::from(x) * unit + varied.origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};
    use crate::layout::clean_text::Paragraph;
    use crate::layout::run::runs;
    use crate::layout::shape::Shaper;
    use crate::layout::varied::Variation;
    use crate::spec::Kerning;
    use crate::variation::Writer;
    use crate::work::WorkMeter;

    #[test]
    fn a_word_ends_where_one_of_its_two_outer_letters_does() {
        let (catalogue, work) = (FontCatalogue::load().unwrap(), WorkMeter::default());
        let mut shaper = Shaper::new(&catalogue, Kerning::Pairs, &work);
        // How often the outer and the inner letter reached farthest, at the left and at the right.
        let mut counts = [[0; 2]; 2];
        let texts = ["o jolly", "a Tj", "n ij", "m life", "o df", "fi", "o l"];
        for (font, text) in FontId::bundled().flat_map(|font| texts.map(|text| (font, text))) {
            let writer = Writer::new(u32::from(font.get()), 1.0).unwrap();
            let sources = (0..text.len()).collect();
            let paragraph = Paragraph { text: text.into(), sources, newlines_before: 0, number: 1 };
            let run = &runs(text, &[(0..text.len(), font)], font, &catalogue)[0];
            let face = catalogue.face(font);
            let unit = run.scale / f64::from(face.units_per_em());
            let mut glyphs = Vec::new();
            shaper.shape(text, run, 0..text.len(), false, &mut glyphs).unwrap();
            let mut varied = Vec::new();
            Variation::new(&writer, &paragraph).vary(text, run, face, &glyphs, None, &mut varied);
            let space = glyphs.iter().rposition(|glyph| text[glyph.cluster as usize..].starts_with(' '));
            let first = space.map_or(0, |space| space + 1);
            let (glyphs, varied) = (&glyphs[first..], &varied[first..]);
            let inked: Vec<_> = glyphs.iter().zip(varied).filter(|(_, varied)| varied.ink.is_some()).collect();
            if inked.is_empty() {
                assert_eq!(word_ends(glyphs, varied, face, unit), None);
                continue;
            }
            let ends = word_ends(glyphs, varied, face, unit).unwrap();
            for (end, side) in [(0, -1.0), (1, 1.0)] {
                let outer = |index: usize| if end == 0 { inked.get(index) } else { inked.iter().rev().nth(index) };
                let reaches = [0, 1].map(|index| outer(index).and_then(|letter| reach(*letter, side, face, unit)));
                let farthest = reaches.into_iter().flatten().reduce(f64::max).unwrap();
                let found = side * (ends[end] + varied[0].pen);
                assert!((found - farthest).abs() < 1e-9, "{text} in font {font:?}: {found} for {farthest}");
                counts[end][usize::from(reaches[1] > reaches[0])] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|count| *count > 10), "{counts:?}");
    }
}
