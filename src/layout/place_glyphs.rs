//! From lines to pages: places every glyph, grouped by words.

use std::ops::Range;

use super::line_break::LineBreaker;
use super::page_layout::{PageLayout, PlacedGlyph, PlacedLine, PlacedRun, PlacedWord, WordText};
use super::placed_chunk::PlacedChunk;
use super::shape::shaped_characters;
use super::shaped_glyph::VariedGlyph;
use super::shaped_paragraph::{ChunkId, ShapedParagraph};
use super::shaped_text::{Chunk, ShapedText};
use super::text_frame::{TextFrame, TypesetText};
use super::words::{Word, words};
use super::{LayoutError, run::Run};
use crate::catalogue::{FontCatalogue, FontId, GlyphId};
use crate::geometry::{Point, Rect};
use crate::spec::{Alignment, FontSize};
use crate::units::{Degrees, FontUnits, Px};
use crate::variation::{LetterMap, Slope};

/// The pages of a typeset text at a size; at least one, without warnings.
pub(super) fn place_glyphs(
    frame: &mut TextFrame<'_, '_>,
    size: f64,
    typeset: &TypesetText,
) -> Result<Vec<PageLayout>, LayoutError> {
    let breaker = frame.line_breaker(size);
    let margins = frame.spec.margins;
    let is_auto = matches!(frame.spec.font_size, FontSize::Auto { .. });
    let blank = PageLayout {
        size: frame.spec.page.px(),
        font_size: Px::new(size),
        calculated_font_size: is_auto.then_some(size as u32),
        rules: frame.spec.drawn_rules(),
        ..PageLayout::default()
    };
    let mut pages = vec![blank; typeset.shifts.len().max(1)];
    let shifts = frame.vertical_shifts(typeset);
    let clean = frame.clean;
    let mut start = LineStart::default();
    let catalogue = frame.shaper.catalogue;
    for line in &typeset.lines {
        let (Some(page), Some(paragraph)) = (pages.get_mut(line.page), frame.paragraphs.get_mut(line.paragraph)) else {
            continue;
        };
        start = start.of_line(line.paragraph, line.first, paragraph);
        let sources = clean.get(line.paragraph).map(|paragraph| paragraph.sources.as_slice()).unwrap_or_default();
        let logical = paragraph.line(line.first, line.last, line.signs, frame.shaper)?;
        let shift = shifts.get(line.page).copied().unwrap_or(0.0);
        let breaker = LineBreaker { effects: line.effects, ..breaker.in_paragraph(paragraph) };
        let placed = breaker.place_chunks(paragraph, &logical);
        let (placed, saved) =
            if line.effects.tightens { tightened(paragraph, &breaker, placed) } else { (placed, 0.0) };
        let saved_at_start = match breaker.alignment {
            Alignment::Left | Alignment::Start => 0.0,
            Alignment::Center => saved / 2.0,
            Alignment::Right => saved,
        };
        let origin = Point::new(
            margins.left + Px::new(breaker.start(line.ink) + saved_at_start),
            margins.top + Px::new(line.baseline + shift),
        );
        let hyphen = paragraph.ends_in_hyphen(line.last);
        let middle = margins.left + Px::new(breaker.width / 2.0);
        let line = LinePlacer { paragraph, catalogue, breaker, origin, middle, hyphen, start, sources };
        line.place(&logical, &placed, page);
    }
    Ok(pages)
}

/// Most spaces with ink in one gap.
const MOST_SPACES: f64 = 1000.0;

/// Where a line starts in its paragraph.
#[derive(Clone, Copy, Default)]
struct LineStart {
    paragraph: usize,
    byte: usize,
    character: usize,
}

impl LineStart {
    /// The start of a line at this chunk, counted from that of an earlier line.
    fn of_line(self, index: usize, chunk: usize, paragraph: &ShapedParagraph) -> Self {
        let from = if self.paragraph == index { self } else { Self { paragraph: index, ..Self::default() } };
        let byte = paragraph.chunks().get(chunk).map_or(from.byte, |chunk| chunk.text.start);
        let between = paragraph.text.get(from.byte..byte).map_or(0, |text| text.chars().count());
        Self { byte, character: from.character + between, ..from }
    }
}

/// What was placed of a line.
#[derive(Default)]
struct LineSoFar {
    /// Its runs with their numbers in the paragraph.
    runs: Vec<(usize, PlacedRun)>,
    /// The right end of the last chunk and of its ink, whichever comes first, in px from the start of the line.
    end: Option<f64>,
}

/// Places the glyphs of one line on a page.
struct LinePlacer<'a> {
    paragraph: &'a ShapedParagraph,
    catalogue: &'a FontCatalogue,
    breaker: LineBreaker,
    /// The start of the line on its baseline.
    origin: Point<Px>,
    /// The middle of the text area.
    middle: Px,
    /// Whether it ends in a written hyphen.
    hyphen: bool,
    start: LineStart,
    /// For each character of the paragraph its position in the received text.
    sources: &'a [usize],
}

impl LinePlacer<'_> {
    fn place(&self, logical: &[ChunkId], placed: &[PlacedChunk], page: &mut PageLayout) {
        let first_word = page.words.len();
        let mut so_far = LineSoFar::default();
        for word in words(self.paragraph, placed, self.breaker.size) {
            let mut written = PlacedWord { text: self.text_of_word(&word, logical), ..PlacedWord::default() };
            for placed in word.chunks {
                self.add_chunk(placed, logical, &mut so_far, &mut written);
            }
            if !written.glyphs.is_empty() {
                page.words.push(self.placed_word(&word, written));
            }
        }
        let words = first_word..page.words.len();
        let runs = so_far.runs.into_iter().map(|(_, run)| run).collect();
        page.lines.push(PlacedLine { baseline: self.origin.y, words, runs });
    }

    fn add_chunk(&self, placed: &PlacedChunk, logical: &[ChunkId], so_far: &mut LineSoFar, word: &mut PlacedWord) {
        let Some((shaped, chunk)) = self.paragraph.at(placed.id) else { return };
        let Some(run) = self.paragraph.runs.get(chunk.run) else { return };
        if so_far.runs.last().is_none_or(|(index, _)| *index != chunk.run) {
            let text = self.text_of(chunk.run, logical);
            so_far.runs.push((chunk.run, self.open_run(run, text, self.origin.x + Px::new(placed.left))));
        }
        let count = word.glyphs.len();
        let left = self.origin.x + Px::new(placed.text_left);
        let (start, end) = (placed.text_left, placed.text_left + chunk.advance * self.breaker.size);
        let ink = chunk.ink.map(|ink| ink.at_size(self.breaker.size, placed.text_left));
        if let Some(gap) = so_far.end.replace(ink.map_or(end, |ink| ink.right.min(end))) {
            self.fill_gap(gap, ink.map_or(start, |ink| ink.left.max(start)), run, word);
        }
        let varied = shaped.varied.get(chunk.glyphs.clone()).unwrap_or_default();
        if varied.is_empty() {
            word.glyphs.extend(self.glyphs(shaped, chunk, run, left));
        } else {
            // Spaces with ink are not varied.
            word.letters.resize(word.glyphs.len(), LetterMap::default());
            self.add_varied(shaped, chunk, varied, left, word);
        }
        if let Some((_, run)) = so_far.runs.last_mut() {
            run.glyph_count += word.glyphs.len() - count;
        }
    }

    /// Fills the gap before a word with the word spaces of its font, if these have ink, so that the lines of ruled fonts
    /// go on. `start` and `end`: px from the start of the line.
    fn fill_gap(&self, start: f64, end: f64, run: &Run, word: &mut PlacedWord) {
        let face = self.catalogue.face(run.font);
        let Some((space, ink)) = face.inked_space().and_then(|space| Some((space, face.ink(space)?))) else { return };
        let em = self.breaker.size * run.scale;
        let px = |units: FontUnits| Px::new(units.get() * em / f64::from(face.units_per_em()));
        let (left, width) = (px(ink.min.x).get(), px(ink.max.x - ink.min.x).get());
        let count = ((end - start) / width - 1e-6).ceil();
        if !(1.0..=MOST_SPACES).contains(&count) {
            return;
        }
        let step = (end - start - width) / (count - 1.0).max(1.0);
        for number in 0..count as u32 {
            let origin = self.origin + Point::new(Px::new(start - left + f64::from(number) * step), Px::ZERO);
            word.glyphs.extend(self.glyph(space, run, origin));
        }
    }

    fn text_of_word(&self, word: &Word<'_>, logical: &[ChunkId]) -> WordText {
        let chunks = word.chunks.iter().filter_map(|placed| {
            let (_, chunk) = self.paragraph.at(placed.id)?;
            Some((placed.id, chunk, self.paragraph.runs.get(chunk.run)?))
        });
        let mut chunks: Vec<(ChunkId, &Chunk, &Run)> = chunks.collect();
        let right_to_left = chunks.iter().all(|(_, _, run)| run.is_right_to_left());
        if right_to_left {
            chunks.reverse();
        }
        let mut characters = String::new();
        for (id, chunk, run) in &chunks {
            let hyphen = self.hyphen && logical.last() == Some(id);
            let face = self.catalogue.face(run.font);
            let shaped = shaped_characters(face, &self.paragraph.text, chunk.text.clone(), hyphen);
            let shaped = shaped.map(|(_, character)| character);
            if run.is_right_to_left() && !right_to_left {
                characters.extend(shaped.collect::<Vec<char>>().into_iter().rev());
            } else {
                characters.extend(shaped);
            }
        }
        let last = chunks.iter().map(|(_, chunk, _)| *chunk).max_by_key(|chunk| chunk.end);
        let is_spaced = last.is_some_and(|chunk| chunk.text.end < chunk.end);
        let source = self.source_of(word.start..last.map_or(word.start, |chunk| chunk.text.end));
        WordText { characters, right_to_left, is_spaced, start: word.start, source }
    }

    /// The characters of the received text that bytes of the paragraph came from.
    fn source_of(&self, bytes: Range<usize>) -> Range<usize> {
        let count = |bytes: Range<usize>| self.paragraph.text.get(bytes).map(|text| text.chars().count());
        let own = count(self.start.byte..bytes.start).zip(count(bytes)).and_then(|(before, length)| {
            let first = self.start.character + before;
            self.sources.get(first..first + length)
        });
        let (first, last) = own.map_or((None, None), |own| (own.first(), own.last()));
        first.zip(last).map_or(0..0, |(first, last)| *first..last + 1)
    }

    /// The characters of a run that belong to this line.
    fn text_of(&self, run: usize, logical: &[ChunkId]) -> String {
        // Run indices are ascending in logical order.
        let chunk_at = |id: &ChunkId| self.paragraph.at(*id).map(|(_, chunk)| chunk);
        let start = logical.partition_point(|id| chunk_at(id).is_some_and(|chunk| chunk.run < run));
        let behind = logical.partition_point(|id| chunk_at(id).is_some_and(|chunk| chunk.run <= run));
        let own = logical.get(start..behind).unwrap_or_default();
        let face = self.catalogue.face(self.paragraph.runs.get(run).map_or(FontId::DEFAULT, |run| run.font));
        let characters = own.iter().filter_map(|id| Some((id, chunk_at(id)?))).flat_map(|(id, chunk)| {
            let is_last = logical.last() == Some(id);
            let bytes = chunk.text.start..if is_last { chunk.text.end } else { chunk.end };
            shaped_characters(face, &self.paragraph.text, bytes, is_last && self.hyphen)
        });
        characters.map(|(_, character)| character).collect()
    }

    fn placed_word(&self, word: &Word<'_>, written: PlacedWord) -> PlacedWord {
        let effects = self.breaker.effects;
        let centre = self.origin.x + Px::new(f64::midpoint(word.left, word.right));
        let rotation = effects.angles.map_or(Degrees::ZERO, |angles| angles.angle(word.start));
        let opens_sentence = opens_sentence(&self.paragraph.text, word.start);
        let (pivot, width) = (Point::new(centre, self.origin.y), Px::new(word.right - word.left));
        let placed = PlacedWord { pivot, width, rotation, opens_sentence, ..written };
        if effects.slope == Slope::default() { placed } else { self.sloped(placed) }
    }

    /// The word, moved and rotated to follow the slope of its line.
    fn sloped(&self, word: PlacedWord) -> PlacedWord {
        let (slope, half_width) = (self.breaker.effects.slope, self.breaker.width / 2.0);
        let along = ((word.pivot.x - self.middle).get() / half_width).clamp(-1.0, 1.0);
        let by = Point::new(Px::ZERO, Px::new(-slope.at(along) * self.breaker.size));
        let angle = (slope.tangent(along) * self.breaker.size / half_width).atan().to_degrees();
        let glyph =
            |glyph: PlacedGlyph| PlacedGlyph { origin: glyph.origin + by, ink: glyph.ink.translated(by), ..glyph };
        PlacedWord {
            pivot: word.pivot + by,
            // Degrees run clockwise on the page.
            rotation: Degrees::new(word.rotation.get() - angle),
            glyphs: word.glyphs.into_iter().map(glyph).collect(),
            ..word
        }
    }

    /// Adds the varied glyphs of a chunk whose left end is at `left`.
    fn add_varied(&self, shaped: &ShapedText, chunk: &Chunk, varied: &[VariedGlyph], left: Px, word: &mut PlacedWord) {
        let Some(run) = self.paragraph.runs.get(chunk.run) else { return };
        let (size, scale) = (self.breaker.size, run.scale / f64::from(self.catalogue.face(run.font).units_per_em()));
        let start = varied.first().map_or(0.0, |glyph| glyph.pen);
        word.letters.reserve(varied.len());
        let px = |em: f64| Px::new(em * size);
        for (varied, glyph) in varied.iter().zip(shaped.glyphs.get(chunk.glyphs.clone()).unwrap_or_default()) {
            let Some(ink) = varied.ink else { continue };
            let rise = px(f64::from(glyph.y) * scale);
            let origin = Point::new(left + px(varied.origin - start), self.origin.y - rise);
            let ink =
                Rect { min: Point::new(px(ink.left), -px(ink.top)), max: Point::new(px(ink.right), -px(ink.bottom)) };
            let em = Px::new(size * run.scale);
            let ink = ink.translated(origin);
            word.glyphs.push(PlacedGlyph { font: run.font, glyph: glyph.glyph, em, origin, ink });
            word.letters.push(varied.letter);
        }
    }

    fn open_run(&self, run: &Run, text: String, left: Px) -> PlacedRun {
        PlacedRun {
            text,
            font: run.font,
            script: run.script.as_iso15924_tag().to_be_bytes(),
            right_to_left: run.is_right_to_left(),
            em: Px::new(self.breaker.size * run.scale),
            origin: Point::new(left, self.origin.y),
            glyph_count: 0,
        }
    }

    fn glyphs(&self, shaped: &ShapedText, chunk: &Chunk, run: &Run, left: Px) -> Vec<PlacedGlyph> {
        let face = self.catalogue.face(run.font);
        let em = self.breaker.size * run.scale;
        let px = |units: i32| Px::new(f64::from(units) * em / f64::from(face.units_per_em()));
        let glyphs = shaped.glyphs.get(chunk.glyphs.clone()).unwrap_or_default();
        let start = glyphs.first().map_or(0, |glyph| glyph.pen);
        let placed = glyphs.iter().filter_map(|glyph| {
            let origin = Point::new(left + px(glyph.x - start), self.origin.y - px(glyph.y));
            self.glyph(glyph.glyph, run, origin)
        });
        placed.collect()
    }

    /// A glyph of a run at its origin; `None` for a blank one.
    fn glyph(&self, glyph: GlyphId, run: &Run, origin: Point<Px>) -> Option<PlacedGlyph> {
        let face = self.catalogue.face(run.font);
        let em = Px::new(self.breaker.size * run.scale);
        let px = |units: FontUnits| Px::new(units.get() * em.get() / f64::from(face.units_per_em()));
        let ink = face.ink(glyph)?;
        let ink =
            Rect { min: Point::new(px(ink.min.x), -px(ink.max.y)), max: Point::new(px(ink.max.x), -px(ink.min.y)) };
        Some(PlacedGlyph { font: run.font, glyph, em, origin, ink: ink.translated(origin) })
    }
}

/// From this share of the text area on, gaps are narrower by this share, as writers squeeze words near the edge.
const TIGHT_FROM: f64 = 0.75;
const TIGHTER: f64 = 0.09;

/// The chunks of a line with narrower gaps in the last quarter of the text area, and by how much its ink is shorter.
/// Bidirectional lines are not changed.
fn tightened(
    paragraph: &ShapedParagraph,
    breaker: &LineBreaker,
    mut placed: Vec<PlacedChunk>,
) -> (Vec<PlacedChunk>, f64) {
    let (mut saved, mut saved_by_ink) = (0.0, 0.0);
    let mut end: Option<f64> = None;
    for placed in &mut placed {
        let Some((_, chunk)) = paragraph.at(placed.id) else { continue };
        let gap = end.map_or(0.0, |end| placed.text_left - end).max(0.0);
        if placed.text_left > TIGHT_FROM * breaker.width && !paragraph.is_bidirectional {
            saved += TIGHTER * gap;
        }
        end = Some(placed.text_left + chunk.advance * breaker.size);
        placed.left -= saved;
        placed.text_left -= saved;
        if chunk.ink.is_some() {
            saved_by_ink = saved;
        }
    }
    (placed, saved_by_ink)
}

/// Whether a sentence begins at byte `start` of a paragraph: at the start of the paragraph, or after a full stop,
/// exclamation mark or question mark and any closing quotes and brackets.
fn opens_sentence(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end();
    let ends = before.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»']);
    before.is_empty() || ends.ends_with(['.', '!', '?', '…', '。', '！', '？', '।'])
}
