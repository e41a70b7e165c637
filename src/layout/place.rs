//! From lines to pages: places every glyph and groups words.

use super::fit::{Column, Setting};
use super::galley::{Galley, Place};
use super::line_break::{Measure, Pen};
use super::page_layout::{PageLayout, PlacedGlyph, PlacedLine, PlacedRun, PlacedWord};
use super::shape::shaped_characters;
use super::strand::{Atom, Strand};
use super::varied::VariedGlyph;
use super::words::{Word, words};
use super::{LayoutError, run::Run};
use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::{Point, Rect};
use crate::spec::Alignment;
use crate::units::{Degrees, Px};
use crate::variation::Slope;

/// The pages of a setting at a size, at least one; without warnings.
pub(super) fn place(column: &mut Column<'_, '_>, size: f64, setting: &Setting) -> Result<Vec<PageLayout>, LayoutError> {
    let measure = column.measure(size);
    let margins = column.spec.margins;
    let blank = PageLayout {
        size: column.spec.page.px(),
        font_size: Px::new(size),
        calculated_font_size: None,
        words: Vec::new(),
        lines: Vec::new(),
        warnings: Vec::new(),
    };
    let mut pages = vec![blank; setting.shifts.len().max(1)];
    let catalogue = column.shaper.catalogue();
    for line in &setting.lines {
        let (Some(page), Some(galley)) = (pages.get_mut(line.page), column.galleys.get_mut(line.paragraph)) else {
            continue;
        };
        let logical = galley.line(line.first, line.last, column.shaper)?;
        let shift = setting.shifts.get(line.page).copied().unwrap_or(0.0);
        let measure = Measure { effects: line.effects, ..measure };
        let pens = measure.pens(galley, &logical);
        let (pens, saved) = if line.effects.tightens { tightened(galley, &measure, pens) } else { (pens, 0.0) };
        let centring = if measure.alignment == Alignment::Center { saved / 2.0 } else { 0.0 };
        let origin = Point::new(
            margins.left + Px::new(measure.start(line.ink) + centring),
            margins.top + Px::new(line.baseline + shift),
        );
        let hyphen = galley.ends_in_hyphen(line.last);
        let middle = margins.left + Px::new(measure.width / 2.0);
        LineWriter { galley, catalogue, measure, origin, middle, hyphen }.write(&logical, &pens, page);
    }
    Ok(pages)
}

/// Writes one line onto a page.
struct LineWriter<'a> {
    galley: &'a Galley,
    catalogue: &'a FontCatalogue,
    measure: Measure,
    /// The pen's start.
    origin: Point<Px>,
    /// Middle of the text area.
    middle: Px,
    /// Whether it ends in a written hyphen.
    hyphen: bool,
}

impl LineWriter<'_> {
    fn write(&self, logical: &[Place], pens: &[Pen], page: &mut PageLayout) {
        let first_word = page.words.len();
        let mut runs: Vec<(usize, PlacedRun)> = Vec::new();
        for word in words(self.galley, pens, self.measure.size) {
            let mut written = PlacedWord::default();
            for pen in word.pens {
                self.add_atom(pen, logical, &mut runs, &mut written);
            }
            if !written.glyphs.is_empty() {
                page.words.push(self.placed(&word, written));
            }
        }
        let words = first_word..page.words.len();
        let runs = runs.into_iter().map(|(_, run)| run).collect();
        page.lines.push(PlacedLine { baseline: self.origin.y, words, runs });
    }

    fn add_atom(&self, pen: &Pen, logical: &[Place], runs: &mut Vec<(usize, PlacedRun)>, word: &mut PlacedWord) {
        let Some((strand, atom)) = self.galley.at(pen.place) else { return };
        let Some(run) = self.galley.runs.get(atom.run) else { return };
        if runs.last().is_none_or(|(index, _)| *index != atom.run) {
            let text = self.text_of(atom.run, logical);
            runs.push((atom.run, self.open_run(run, text, self.origin.x + Px::new(pen.cell))));
        }
        let count = word.glyphs.len();
        let left = self.origin.x + Px::new(pen.text);
        let varied = strand.varied.get(atom.glyphs.clone()).unwrap_or_default();
        if varied.is_empty() {
            word.glyphs.extend(self.glyphs(strand, atom, run, left));
        } else {
            self.add_varied(strand, atom, varied, left, word);
        }
        if let Some((_, placed)) = runs.last_mut() {
            placed.glyph_count += word.glyphs.len() - count;
        }
    }

    /// What of a run was shaped for this line.
    fn text_of(&self, run: usize, logical: &[Place]) -> String {
        // Runs rise in logical order.
        let atom_at = |place: &Place| self.galley.at(*place).map(|(_, atom)| atom);
        let start = logical.partition_point(|place| atom_at(place).is_some_and(|atom| atom.run < run));
        let behind = logical.partition_point(|place| atom_at(place).is_some_and(|atom| atom.run <= run));
        let own = logical.get(start..behind).unwrap_or_default();
        let (Some(first), Some(last)) = (own.first().and_then(atom_at), own.last().and_then(atom_at)) else {
            return String::new();
        };
        let at_line_end = behind == logical.len();
        let end = if at_line_end { last.text.end } else { last.end };
        let hyphen = at_line_end && self.hyphen;
        let face = self.catalogue.face(self.galley.runs.get(run).map_or(FontId::DEFAULT, |run| run.font));
        shaped_characters(face, &self.galley.text, first.text.start..end, hyphen)
            .map(|(_, character)| character)
            .collect()
    }

    fn placed(&self, word: &Word<'_>, written: PlacedWord) -> PlacedWord {
        let effects = self.measure.effects;
        let centre = self.origin.x + Px::new(f64::midpoint(word.left, word.right));
        let rotation = effects.turns.map_or(Degrees::ZERO, |turns| turns.angle(word.start));
        let opens_sentence = opens_sentence(&self.galley.text, word.start);
        let placed = PlacedWord { pivot: Point::new(centre, self.origin.y), rotation, opens_sentence, ..written };
        if effects.slope == Slope::default() { placed } else { self.sloped(placed) }
    }

    /// A word moved and turned to where its line runs.
    fn sloped(&self, word: PlacedWord) -> PlacedWord {
        let (slope, half_width) = (self.measure.effects.slope, self.measure.width / 2.0);
        let along = ((word.pivot.x - self.middle).get() / half_width).clamp(-1.0, 1.0);
        let by = Point::new(Px::ZERO, Px::new(-slope.at(along) * self.measure.size));
        let angle = (slope.tangent(along) * self.measure.size / half_width).atan().to_degrees();
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

    /// Adds an atom's varied glyphs, whose pen is at `left`.
    fn add_varied(&self, strand: &Strand, atom: &Atom, varied: &[VariedGlyph], left: Px, word: &mut PlacedWord) {
        let Some(run) = self.galley.runs.get(atom.run) else { return };
        let (size, scale) = (self.measure.size, run.scale / f64::from(self.catalogue.face(run.font).units_per_em()));
        let start = varied.first().map_or(0.0, |glyph| glyph.pen);
        word.letters.reserve(varied.len());
        let px = |em: f64| Px::new(em * size);
        for (varied, glyph) in varied.iter().zip(strand.glyphs.get(atom.glyphs.clone()).unwrap_or_default()) {
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
            em: Px::new(self.measure.size * run.scale),
            origin: Point::new(left, self.origin.y),
            glyph_count: 0,
        }
    }

    fn glyphs(&self, strand: &Strand, atom: &Atom, run: &Run, left: Px) -> Vec<PlacedGlyph> {
        let face = self.catalogue.face(run.font);
        let em = Px::new(self.measure.size * run.scale);
        let px = |units: f64| Px::new(units * em.get() / f64::from(face.units_per_em()));
        let glyphs = strand.glyphs.get(atom.glyphs.clone()).unwrap_or_default();
        let start = glyphs.first().map_or(0, |glyph| glyph.pen);
        let placed = glyphs.iter().filter_map(|glyph| {
            let ink = face.ink(glyph.glyph)?;
            let origin = Point::new(left + px(f64::from(glyph.x - start)), self.origin.y - px(f64::from(glyph.y)));
            let ink = Rect {
                min: Point::new(px(ink.min.x.get()), -px(ink.max.y.get())),
                max: Point::new(px(ink.max.x.get()), -px(ink.min.y.get())),
            };
            Some(PlacedGlyph { font: run.font, glyph: glyph.glyph, em, origin, ink: ink.translated(origin) })
        });
        placed.collect()
    }
}

/// Where gaps begin to shrink, as a share of the text area, and by how much.
const TIGHT_FROM: f64 = 0.75;
const TIGHTER: f64 = 0.09;

/// The pens of a line whose gaps shrink in the last quarter of the text area, as writers see the edge come, and by how much
/// the line is shorter. Lines of two directions stay as they are.
fn tightened(galley: &Galley, measure: &Measure, mut pens: Vec<Pen>) -> (Vec<Pen>, f64) {
    let mut saved = 0.0;
    let mut end: Option<f64> = None;
    for pen in &mut pens {
        let Some((_, atom)) = galley.at(pen.place) else { continue };
        let gap = end.map_or(0.0, |end| pen.text - end).max(0.0);
        if pen.text > TIGHT_FROM * measure.width && !galley.is_bidirectional {
            saved += TIGHTER * gap;
        }
        end = Some(pen.text + atom.advance * measure.size);
        pen.cell -= saved;
        pen.text -= saved;
    }
    (pens, saved)
}

/// Whether a sentence begins at byte `start` of a paragraph: at its start, and behind a full stop, an exclamation or a question
/// mark, closing quotes and brackets between.
fn opens_sentence(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end();
    let ends = before.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»']);
    before.is_empty() || ends.ends_with(['.', '!', '?', '…', '。', '！', '？', '।'])
}
