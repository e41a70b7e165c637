//! From set lines to pages: every glyph at its place, words gathered.

use super::fit::{Column, Setting};
use super::galley::{Galley, Place};
use super::line_break::Measure;
use super::page_layout::{PageLayout, PlacedGlyph, PlacedLine, PlacedRun, PlacedWord};
use super::shape::shaped_characters;
use super::strand::{Atom, Strand};
use super::{LayoutError, run::Run};
use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::{Point, Rect};
use crate::units::{Degrees, Px};

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
        let origin =
            Point::new(margins.left + Px::new(measure.start(line.ink)), margins.top + Px::new(line.baseline + shift));
        let hyphen = galley.ends_in_hyphen(line.last);
        LineWriter { galley, catalogue, measure, origin, hyphen }.write(&logical, page);
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
    /// Whether it ends in a written hyphen.
    hyphen: bool,
}

/// A word while it is gathered: its glyphs and the ends of its baseline.
struct OpenWord {
    glyphs: Vec<PlacedGlyph>,
    left: Px,
    right: Px,
}

impl LineWriter<'_> {
    fn write(&self, logical: &[Place], page: &mut PageLayout) {
        let first_word = page.words.len();
        let mut runs: Vec<(usize, PlacedRun)> = Vec::new();
        let mut word: Option<OpenWord> = None;
        for pen in self.measure.pens(self.galley, logical) {
            let Some((strand, atom)) = self.galley.at(pen.place) else { continue };
            let Some(run) = self.galley.runs.get(atom.run) else { continue };
            let left = self.origin.x + Px::new(pen.text);
            let right = left + Px::new(atom.advance * self.measure.size);
            // Spaces stand behind the text in reading direction: before the word on the page where that is leftwards.
            let spaced = atom.text.end < atom.end;
            if spaced && run.is_right_to_left() {
                page.words.extend(word.take().and_then(|word| self.close(word)));
            }
            if runs.last().is_none_or(|(index, _)| *index != atom.run) {
                let text = self.text_of(atom.run, logical);
                runs.push((atom.run, self.open_run(run, text, self.origin.x + Px::new(pen.cell))));
            }
            let glyphs = self.glyphs(strand, atom, run, left);
            if let Some((_, placed)) = runs.last_mut() {
                placed.glyph_count += glyphs.len();
            }
            let open = word.get_or_insert(OpenWord { glyphs: Vec::new(), left, right });
            open.glyphs.extend(glyphs);
            open.right = right;
            if spaced && !run.is_right_to_left() {
                page.words.extend(word.take().and_then(|word| self.close(word)));
            }
        }
        page.words.extend(word.take().and_then(|word| self.close(word)));
        let words = first_word..page.words.len();
        let runs = runs.into_iter().map(|(_, run)| run).collect();
        page.lines.push(PlacedLine { baseline: self.origin.y, words, runs });
    }

    /// What of a run was shaped for this line.
    fn text_of(&self, run: usize, logical: &[Place]) -> String {
        let atoms = logical.iter().filter_map(|place| Some(self.galley.at(*place)?.1));
        let mut own = atoms.filter(|atom| atom.run == run);
        let Some(first) = own.next() else { return String::new() };
        let last = own.next_back().unwrap_or(first);
        let at_line_end = logical.last().and_then(|place| self.galley.at(*place)).is_some_and(|(_, end)| end == last);
        let end = if at_line_end { last.text.end } else { last.end };
        let hyphen = at_line_end && self.hyphen;
        let face = self.catalogue.face(self.galley.runs.get(run).map_or(FontId::DEFAULT, |run| run.font));
        shaped_characters(face, &self.galley.text, first.text.start..end, hyphen)
            .map(|(_, character)| character)
            .collect()
    }

    fn close(&self, word: OpenWord) -> Option<PlacedWord> {
        let pivot = Point::new((word.left + word.right) / 2.0, self.origin.y);
        (!word.glyphs.is_empty()).then_some(PlacedWord { pivot, rotation: Degrees::ZERO, glyphs: word.glyphs })
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
