//! The corners of bent outlines, shared out among the lanes of the device.
//!
//! Input: the instances of a scene and the lengths of their meshes. Output: runs of corners of about equal length. A
//! lane that bends a run loads the record of its letter once, so runs are long; and no run is much longer than others,
//! as lanes that run in lockstep wait for the longest.

use super::bands::Band;
use super::records::CornerRun;

/// Most corners of a run; a glyph has 50 to 200. llvmpipe ends the loops of a lane after 65,536 iterations, so one lane
/// cannot take any glyph.
const LONGEST: u32 = 64;

/// The runs of all instances, in the order of the instances; `corners` has the number of corners of each. Sets the
/// range of runs of each portion.
pub(super) fn corner_runs(corners: &[u32], bands: &mut [Band]) -> Vec<CornerRun> {
    let mut runs = Vec::new();
    let mut first_of_instance = Vec::new();
    for (instance, &corners) in (0..).zip(corners) {
        first_of_instance.push(runs.len());
        let length = corners.div_ceil(corners.div_ceil(LONGEST).max(1)).max(1);
        let run = |first: u32| CornerRun { instance, first, end: (first + length).min(corners), padding: 0 };
        runs.extend((0..corners).step_by(length as usize).map(run));
    }
    first_of_instance.push(runs.len());
    for portion in bands.iter_mut().flat_map(|band| &mut band.portions) {
        portion.corner_runs = first_of_instance[portion.instances.start]..first_of_instance[portion.instances.end];
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Portion;

    #[test]
    fn runs_hold_every_corner_once_and_have_about_one_length() {
        let corners = [0, 1, 63, 64, 65, 194, 0, 200];
        let portion = |instances| Portion { instances, corner_runs: 0..0 };
        let band = |portions| Band { tile_rows: 0..1, strips: 0..1, pixels: 0..0, portions };
        let mut bands =
            [band(vec![portion(0..8)]), band(vec![portion(0..0)]), band([4..5, 5..6].map(portion).to_vec())];
        let runs = corner_runs(&corners, &mut bands);
        let of = |number: u32| -> Vec<u32> {
            runs.iter().filter(|run| run.instance == number).flat_map(|run| run.first..run.end).collect()
        };
        for (number, count) in (0..).zip(corners) {
            assert_eq!(of(number), (0..count).collect::<Vec<_>>());
        }
        let lengths = |number: u32| -> Vec<u32> {
            runs.iter().filter(|run| run.instance == number).map(|run| run.end - run.first).collect()
        };
        assert_eq!(
            [lengths(2), lengths(3), lengths(4), lengths(5)],
            [vec![63], vec![64], vec![33, 32], vec![49, 49, 49, 47]]
        );
        assert_eq!(bands[0].portions[0].corner_runs, 0..runs.len());
        assert!(bands[1].portions[0].corner_runs.is_empty());
        for (portion, instance, length) in [(0, 4, 2), (1, 5, 4)] {
            let of_portion = &runs[bands[2].portions[portion].corner_runs.clone()];
            assert!(of_portion.iter().all(|run| run.instance == instance));
            assert_eq!(of_portion.len(), length);
        }
    }
}
