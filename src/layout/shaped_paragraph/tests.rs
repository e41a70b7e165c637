//! Lines assembled from a shaped paragraph equal lines that are shaped at once.

use super::*;
use crate::catalogue::FontCatalogue;
use crate::layout::effects::LineEffects;
use crate::layout::line_break::{LineBreaker, MeasuredBy};
use crate::spec::{Alignment, Kerning};
use crate::work::WorkMeter;

const TEXT: &str = "now in tttt hello all egg too see bee zoo off Anna Otto EE LL mmm, nn-nn 11 22 100 a a a a b b the the \
    the that this. AVATAR To you, Mr. Wolf: The quick brown fox jumps over the lazy dog - 1/2 of 1234567890 times. \
    Off the office affinity fjord, waffle; happy birthday, grandmother! We met (twice) in Yverdon & Tokyo. Zwölf \
    Boxkämpfer jagen Viktor quer über den großen Sylter Deich, à la façon de señor Núñez: çà et là. letter \
    committee assess book moon llama vroom bubble aa ee oo nnn ttt eee sss Mississippi banana assessed";

/// The glyphs of a line and their positions in ems.
fn placed(paragraph: &ShapedParagraph, line: &[ChunkId], shaper: &Shaper<'_>) -> Vec<(u16, f64, f64)> {
    let (word_spacing, width, alignment) = (0.0, 1.0, Alignment::Left);
    let effects = LineEffects::default();
    let by = MeasuredBy::TextAndLine;
    let breaker = LineBreaker { size: 1.0, word_spacing, width, alignment, by, effects };
    let mut placed = Vec::new();
    for chunk_place in breaker.place_chunks(paragraph, line) {
        let (source, chunk) = paragraph.at(chunk_place.id).unwrap();
        let run = &paragraph.runs[chunk.run];
        let unit = run.scale / f64::from(shaper.catalogue().face(run.font).units_per_em());
        let glyphs = &source.glyphs[chunk.glyphs.clone()];
        placed.extend(glyphs.iter().map(|each| {
            (each.glyph.0, chunk_place.text_left + f64::from(each.x - glyphs[0].pen) * unit, f64::from(each.y) * unit)
        }));
    }
    placed
}

/// Whether the assembled line equals the line shaped at once.
fn agrees(paragraph: &mut ShapedParagraph, first: usize, last: usize, shaper: &mut Shaper<'_>) -> bool {
    let together = paragraph.line(first, last, shaper).unwrap();
    let together = placed(paragraph, &together, shaper);
    let [start, end] = [paragraph.chunks()[first].text.start, paragraph.chunks()[last].text.end];
    let whole = paragraph.shape(start..end, false, ShapingMode::Whole, shaper).unwrap();
    let alone: Vec<ChunkId> =
        (0..whole.chunks.len()).map(|chunk| ChunkId { text: paragraph.texts.len(), chunk }).collect();
    paragraph.texts.push(whole);
    let alone = placed(paragraph, &alone, shaper);
    paragraph.texts.pop();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    together.len() == alone.len()
        && together.iter().zip(&alone).all(|(a, b)| a.0 == b.0 && near(a.1, b.1) && near(a.2, b.2))
}

#[test]
fn lines_put_together_are_the_lines_shaped_at_once() {
    let catalogue = FontCatalogue::load().unwrap();
    let (mut cuts, mut random) = (0, 1_u32);
    for font in FontId::bundled() {
        let work = WorkMeter::default();
        let mut shaper = Shaper::new(&catalogue, Kerning::Pairs, &work);
        let mut fonts = FontFallback::new(&catalogue, font);
        let mut paragraph = ShapedParagraph::new(TEXT.to_owned(), font, None, &mut fonts, &mut shaper).unwrap();
        let mut failed = 0;
        for refined in [false, true] {
            if refined {
                paragraph.refine(0..paragraph.chunks().len(), &shaper);
            }
            let chunks = paragraph.chunks().len();
            for _ in 0..300 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let first = random as usize / 7 % chunks;
                let last = (first + (random >> 24) as usize % 30).min(chunks - 1);
                failed += usize::from(!agrees(&mut paragraph, first, last, &mut shaper));
                cuts += 1;
            }
        }
        assert_eq!(failed, 0, "font {}", font.get());
    }
    assert_eq!(cuts, 90 * 600);
}
