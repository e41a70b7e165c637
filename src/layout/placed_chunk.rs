//! Chunks in their places in a line, and their order from left to right.

use super::shaped_paragraph::{ChunkId, ShapedParagraph};

/// A chunk in its place in a line. Positions are in px from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedChunk {
    pub(super) id: ChunkId,
    /// Left end of the chunk with its spaces, on whichever side they are.
    pub(super) left: f64,
    /// Left end of its text.
    pub(super) text_left: f64,
}

/// The chunks of a line from left to right (UAX 9, rule L2: from the highest level down to the lowest odd one, every
/// sequence of chunks at that level or higher is reversed). Between two levels that occur, only an odd number of
/// reversals counts.
pub(super) fn visual_order(paragraph: &ShapedParagraph, logical: &[ChunkId]) -> Vec<ChunkId> {
    if !paragraph.is_bidirectional {
        return logical.to_vec();
    }
    let level_of = |id: &ChunkId| {
        let run = paragraph.at(*id).and_then(|(_, chunk)| paragraph.runs.get(chunk.run));
        run.map_or(0, |run| run.level)
    };
    let mut order: Vec<(u8, ChunkId)> = logical.iter().map(|id| (level_of(id), *id)).collect();
    let mut levels: Vec<u8> = order.iter().map(|(level, _)| *level).chain([0]).collect();
    levels.sort_unstable();
    levels.dedup();
    for pair in levels.windows(2).rev() {
        let &[below, level] = pair else { continue };
        if (level - below) % 2 == 0 {
            continue;
        }
        for span in order.chunk_by_mut(|a, b| (a.0 >= level) == (b.0 >= level)) {
            if span.first().is_some_and(|first| first.0 >= level) {
                span.reverse();
            }
        }
    }
    order.into_iter().map(|(_, id)| id).collect()
}
