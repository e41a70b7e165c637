//! Mixes two pages of one size, pixel by pixel.

use super::coverage::{Coverage, Strip, TILE};
use super::strip_union::union_of;

/// `page` with each pixel mixed of its own and that of `other` by `mix`, which leaves it as it is where `other` has no
/// ink.
pub(super) fn mixed(page: &Coverage, other: &Coverage, mix: impl Fn(u8, u8) -> u8, memory: Vec<u8>) -> Coverage {
    let strips = union_of(page.strips().iter().chain(other.strips()).copied().collect());
    let mut bytes = memory;
    bytes.resize(strips.last().map_or(0, |strip| strip.offset + strip.pixels()), 0);
    let (mut page_strips, mut other_strips) = (page.strips(), other.strips());
    for strip in &strips {
        let pixels = &mut bytes[strip.offset..][..strip.pixels()];
        let (own, others) = (strip.parts_of(&mut page_strips), strip.parts_of(&mut other_strips));
        match (own, others) {
            // Half of a page of small writing is marks on paper.
            ([], [whole]) => {
                for (pixel, &other) in pixels.iter_mut().zip(other.pixels_of(whole)) {
                    *pixel = mix(0, other);
                }
                continue;
            }
            ([whole], _) if whole.width == strip.width => pixels.copy_from_slice(page.pixels_of(whole)),
            _ => {
                // The memory may hold another page, and some of the strip may be in no part.
                pixels.fill(0);
                for part in own {
                    for (row, own) in strip.rows_in(part, pixels).zip(page.rows_of(part)) {
                        row.copy_from_slice(own);
                    }
                }
            }
        }
        for part in others {
            for (row, others) in strip.rows_in(part, pixels).zip(other.rows_of(part)) {
                mix_row(row, others, &mix);
            }
        }
    }
    Coverage::new(page.width(), page.height(), strips, bytes)
}

/// Mixes a row of one page into that of another, in blocks: most of a page has no ink.
fn mix_row(row: &mut [u8], other: &[u8], mix: impl Fn(u8, u8) -> u8) {
    let (row, other) = (row.as_chunks_mut::<BLOCK>().0, other.as_chunks::<BLOCK>().0);
    for (row, other) in row.iter_mut().zip(other) {
        if u128::from_ne_bytes(*other) != 0 {
            *row = std::array::from_fn(|pixel| mix(row[pixel], other[pixel]));
        }
    }
}

/// Pixels that are mixed together, or not at all: a row of a tile.
const BLOCK: usize = size_of::<u128>();
const _: () = assert!(BLOCK == TILE as usize);

/// A product of two bytes, or a mean of such products, divided by 255 and rounded.
pub(super) const fn rounded_255th(product: u16) -> u16 {
    let sum = product + 128;
    (sum + (sum >> 8)) >> 8
}

impl Strip {
    /// Removes the strips inside this one from the front of `strips`, and returns them. `strips` holds the strips of a
    /// page that no earlier strip contains.
    fn parts_of<'a>(&self, strips: &mut &'a [Self]) -> &'a [Self] {
        let is_part = |part: &&Self| part.tile_row == self.tile_row && part.x < self.x + self.width;
        let (parts, others) = strips.split_at(strips.iter().take_while(is_part).count());
        *strips = others;
        parts
    }

    /// The rows of a part among the pixels of this strip.
    fn rows_in<'a>(&self, part: &Self, pixels: &'a mut [u8]) -> impl Iterator<Item = &'a mut [u8]> {
        let (first, width) = ((part.x - self.x) as usize, part.width as usize);
        pixels.chunks_exact_mut(self.width as usize).map(move |row| &mut row[first..first + width])
    }
}
