//! Cuts rows of one sign to their lines, so that they do not wrap and do not set the size of the page.

use std::ops::Range;

use super::error::LayoutError;
use super::line_break::{Line, LineSearch};
use super::rows::{Row, SignCounter};
use super::shape::Shaper;
use super::shaped_paragraph::ShapedParagraph;

impl ShapedParagraph {
    /// Makes a chunk of each sign of a row, so that lines can cut it.
    pub(super) fn refine_rows(&mut self, shaper: &Shaper<'_>) {
        let rows: Vec<Range<usize>> =
            self.rows.iter().filter(|row| !row.is_spaced).map(|row| row.bytes.clone()).collect();
        for bytes in rows.into_iter().rev() {
            let first = self.chunks().partition_point(|chunk| chunk.text.end <= bytes.start);
            let behind = self.chunks().partition_point(|chunk| chunk.text.start < bytes.end);
            self.refine(first..behind, shaper);
        }
    }

    /// The rows of a line from chunk `first` to chunk `last`, each with its chunks there.
    fn rows_of_line(&self, first: usize, last: usize) -> impl Iterator<Item = (&Row, Range<usize>)> {
        let chunks = self.chunks();
        let before = move |byte| chunks.partition_point(|chunk| chunk.text.start < byte).clamp(first, last + 1);
        let start = chunks.get(first).map_or(0, |chunk| chunk.text.start);
        let end = chunks.get(last).map_or(0, |chunk| chunk.end);
        let next = self.rows.partition_point(|row| row.bytes.end <= start);
        let behind = self.rows.partition_point(|row| row.bytes.start < end);
        let rows = self.rows.get(next..behind).unwrap_or_default().iter();
        rows.map(move |row| (row, before(row.bytes.start)..before(row.bytes.end)))
            .filter(|(_, chunks)| !chunks.is_empty())
    }

    /// The chunks of a line that are written, as ranges without gaps, where it cuts its rows to `signs`. The last sign of
    /// a row stays, with the spaces after it.
    pub(super) fn parts(&self, first: usize, last: usize, signs: Option<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = first;
        if let Some(signs) = signs {
            for (_, row) in self.rows_of_line(first, last).filter(|(_, row)| row.len() > signs) {
                parts.push(start..row.start + signs.saturating_sub(1));
                start = row.end - 1;
            }
        }
        parts.push(start..last + 1);
        parts
    }
}

impl LineSearch<'_, '_> {
    /// The line from chunk `first` on with its rows cut: up to the end of the paragraph, or else up to the end of the
    /// word with a row that does not fit, if no line of its own has room for it. `None` where no row has to be cut, or
    /// where too little of it would be left on this line. `uncut` is the line without cuts.
    pub(super) fn with_cut_rows(&mut self, first: usize, uncut: Option<Line>) -> Result<Option<Line>, LayoutError> {
        let Some(end) = self.paragraph.chunks().len().checked_sub(1) else { return Ok(None) };
        if self.paragraph.rows.is_empty() || uncut.is_some_and(|line| line.last == end) {
            return Ok(None);
        }
        let fewest = self.paragraph.rows_of_line(first, end).map(|(row, _)| row.least_before_words).max();
        if let Some(line) = self.cut_to_line(first, end, fewest.unwrap_or_default())? {
            return Ok(Some(line));
        }
        let next = uncut.map_or(first, |line| line.last + 1);
        let chunks = self.paragraph.chunks().iter().skip(next);
        let last = next + chunks.take_while(|chunk| chunk.break_after.breaks_word()).count();
        let last = last.min(end);
        // A line to write on that would become short gets a line of its own.
        let bound = |row: &Row| if next > first { row.least_after_words } else { row.least };
        let Some(fewest) = self.paragraph.rows_of_line(next, last).map(|(row, _)| bound(row)).max() else {
            return Ok(None);
        };
        // A line to write on stays beside its label.
        let is_labelled = self.ends_in_colon(first, next);
        if !is_labelled && self.longest(next, &[last])?.is_some() {
            return Ok(None);
        }
        self.cut_to_line(first, last, fewest)
    }

    /// Whether the chunk before `next` is on the line and ends in a colon.
    fn ends_in_colon(&self, first: usize, next: usize) -> bool {
        let label = next.checked_sub(1).filter(|before| *before >= first);
        let label = label.and_then(|before| self.paragraph.chunks().get(before));
        label.is_some_and(|chunk| self.paragraph.text.get(chunk.text.clone()).is_some_and(|text| text.ends_with(':')))
    }

    /// The line from chunk `first` to chunk `last` with its rows cut to as many signs as it has room for; `None` where
    /// that are fewer than `fewest`.
    fn cut_to_line(&mut self, first: usize, last: usize, fewest: usize) -> Result<Option<Line>, LayoutError> {
        let longest = self.paragraph.rows_of_line(first, last).map(|(_, chunks)| chunks.len()).max().unwrap_or(0);
        if longest <= fewest || self.is_hopeless(first, last, fewest)? {
            return Ok(None);
        }
        let mut signs = self.signs_about(first, last).clamp(fewest, longest - 1);
        // With the shapes of the whole paragraph; the line's own may need a little more room.
        while signs + 1 < longest && self.fits_roughly(first, last, Some(signs + 1))? {
            signs += 1;
        }
        for signs in (fewest..=signs).rev() {
            if let Some(line) = self.line_that_fits(first, last, Some(signs))? {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Whether a line is surely too wide even with `fewest` signs of its rows.
    fn is_hopeless(&self, first: usize, last: usize, fewest: usize) -> Result<bool, LayoutError> {
        let limit = self.breaker.limit(self.paragraph);
        let (mut pen, mut signs) = (0.0, SignCounter::new(&self.paragraph.rows));
        for chunk in self.paragraph.chunks().get(first..=last).unwrap_or_default() {
            self.shaper.work.spend(1)?;
            if signs.next(&chunk.text).is_some_and(|(_, number)| number > fewest) {
                continue;
            }
            pen += chunk.advance * self.breaker.size;
            if pen > limit {
                return Ok(true);
            }
            pen += self.breaker.spaces(chunk);
        }
        Ok(false)
    }

    /// About how many signs of its rows a line has room for, by advances alone.
    fn signs_about(&self, first: usize, last: usize) -> usize {
        let breaker = self.breaker;
        let rows: Vec<Range<usize>> = self.paragraph.rows_of_line(first, last).map(|(_, chunks)| chunks).collect();
        let chunks = self.paragraph.chunks();
        let widths = |range: Range<usize>| -> f64 {
            let chunks = chunks.get(range).unwrap_or_default().iter();
            chunks.map(|chunk| chunk.advance * breaker.size + breaker.spaces(chunk)).sum()
        };
        let hanging = chunks.get(last).map_or(0.0, |chunk| breaker.spaces(chunk));
        // The last sign of a row stays with the spaces after it.
        let of_row = |row: &Range<usize>| (widths(row.start..row.end - 1) / (row.len() - 1).max(1) as f64, row.len());
        let rows: Vec<(f64, usize)> = rows.iter().map(of_row).collect();
        let all = widths(first..last + 1) - hanging;
        let width = |signs: usize| -> f64 {
            let left_out = rows.iter().map(|(sign, count)| sign * count.saturating_sub(signs) as f64);
            all - left_out.sum::<f64>()
        };
        let (mut fitting, mut beyond) = (0, rows.iter().map(|(_, count)| *count).max().unwrap_or_default());
        while fitting + 1 < beyond {
            let middle = usize::midpoint(fitting, beyond);
            if width(middle) <= breaker.width {
                fitting = middle;
            } else {
                beyond = middle;
            }
        }
        fitting
    }
}
