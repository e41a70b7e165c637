//! Splits a page into bands, so that the accumulator stays within its budget, and bands into portions, so that another
//! page can be drawn between two.

use std::ops::Range;

use super::records::Instance;
use crate::raster::Strip;

/// Consecutive tile rows and the instances that draw into them. No pixel depends on where its band ends, so a page in
/// bands has the same bytes as in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// The tile rows.
    pub tile_rows: Range<u32>,
    /// The strips of those rows.
    pub strips: Range<usize>,
    /// Addresses of the strips' pixels.
    pub pixels: Range<usize>,
    /// The instances that touch those rows, in parts that are drawn one after another. At least one.
    pub portions: Vec<Portion>,
}

/// Consecutive instances of a band that are drawn in one dispatch. Sums do not depend on the order of instances, so a
/// band in portions has the same bytes as in one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Portion {
    /// The instances. Those between the first and the last that touch the band's rows are included.
    pub instances: Range<usize>,
    /// Their corner runs; none where outlines keep their shape.
    pub corner_runs: Range<usize>,
}

/// Splits the page between tile rows so that no band has more than `budget` pixels, unless a single tile row has.
pub(super) fn split(strips: &[Strip], instances: &[Instance], budget: usize) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    let mut first = 0;
    for row in strips.chunk_by(|a, b| a.tile_row == b.tile_row) {
        let strips = first..first + row.len();
        first = strips.end;
        let (Some(head), Some(tail)) = (row.first(), row.last()) else { continue };
        let pixels = head.offset..tail.offset + tail.pixels();
        match bands.last_mut() {
            Some(band) if pixels.end - band.pixels.start <= budget => {
                band.tile_rows.end = head.tile_row + 1;
                band.strips.end = strips.end;
                band.pixels.end = pixels.end;
            }
            _ => bands.push(Band { tile_rows: head.tile_row..head.tile_row + 1, strips, pixels, portions: Vec::new() }),
        }
    }
    for band in &mut bands {
        band.portions = vec![Portion { instances: touching(&band.tile_rows, instances), corner_runs: 0..0 }];
    }
    bands
}

/// Splits the portions of `bands` so that none has more than `most` corners, unless a single instance has. `corners`
/// has the number of corners of each instance.
pub(super) fn limit_corners(bands: &mut [Band], corners: &[u32], most: usize) {
    for band in bands {
        band.portions = band.portions.iter().flat_map(|portion| split_portion(portion, corners, most)).collect();
    }
}

fn split_portion(portion: &Portion, corners: &[u32], most: usize) -> Vec<Portion> {
    let mut portions: Vec<Portion> = Vec::new();
    let mut held = 0;
    for instance in portion.instances.clone() {
        let own = corners.get(instance).map_or(0, |corners| *corners as usize);
        match portions.last_mut() {
            Some(last) if held + own <= most => {
                last.instances.end = instance + 1;
                held += own;
            }
            _ => {
                portions.push(Portion { instances: instance..instance + 1, corner_runs: 0..0 });
                held = own;
            }
        }
    }
    if portions.is_empty() { vec![portion.clone()] } else { portions }
}

/// The shortest range of instances that includes all that touch `tile_rows`.
fn touching(tile_rows: &Range<u32>, instances: &[Instance]) -> Range<usize> {
    let touches = |instance: &Instance| {
        instance.tile_row < tile_rows.end && tile_rows.start < instance.tile_row + u32::from(instance.tile_rows)
    };
    match (instances.iter().position(touches), instances.iter().rposition(touches)) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable as _;

    fn strip(tile_row: u32, offset: usize) -> Strip {
        Strip { tile_row, x: 0, width: 16, offset }
    }

    fn instance(tile_row: u32, tile_rows: u16) -> Instance {
        Instance { tile_row, tile_rows, ..Instance::zeroed() }
    }

    fn portion(instances: Range<usize>) -> Portion {
        Portion { instances, corner_runs: 0..0 }
    }

    #[test]
    fn a_page_within_the_budget_is_one_band() {
        let bands = split(&[strip(0, 0), strip(1, 256)], &[instance(0, 2)], 512);
        let whole = Band { tile_rows: 0..2, strips: 0..2, pixels: 0..512, portions: vec![portion(0..1)] };
        assert_eq!(bands, [whole]);
    }

    #[test]
    fn a_page_above_the_budget_is_cut_between_tile_rows() {
        let instances = [instance(0, 1), instance(0, 2), instance(1, 1)];
        let bands = split(&[strip(0, 0), strip(1, 256)], &instances, 511);
        assert_eq!(bands.len(), 2);
        assert_eq!([&bands[0].portions, &bands[1].portions], [&[portion(0..2)], &[portion(1..3)]]);
        assert_eq!((bands[0].pixels.clone(), bands[1].pixels.clone()), (0..256, 256..512));
    }

    #[test]
    fn a_band_with_many_corners_is_cut_between_instances() {
        let mut bands = split(&[strip(0, 0)], &[instance(0, 1); 6], 512);
        limit_corners(&mut bands, &[3, 4, 5, 20, 1, 2], 8);
        assert_eq!(bands[0].portions, [0..2, 2..3, 3..4, 4..6].map(portion));
        limit_corners(&mut bands, &[3, 4, 5, 20, 1, 2], 6);
        assert_eq!(bands[0].portions, [0..1, 1..2, 2..3, 3..4, 4..6].map(portion));
    }

    #[test]
    fn empty_tile_rows_inside_a_band_cost_nothing() {
        let bands = split(&[strip(0, 0), strip(9, 256)], &[instance(0, 1), instance(9, 1)], 512);
        assert_eq!(bands.len(), 1);
        assert_eq!(bands[0].tile_rows, 0..10);
    }

    #[test]
    fn a_blank_page_has_no_bands() {
        assert!(split(&[], &[], 512).is_empty());
    }
}
