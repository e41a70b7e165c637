//! What a page consists of, counted from its scene: the least work there is for each stage.

use std::fmt::Write as _;
use std::mem::size_of;

use longhand::encode::encode_png;
use longhand::raster::{Coverage, TILE};
use longhand::scene::{Instance, StripRecord, TileRow};
use longhand::spec::RenderSpec;

/// Counts of one page.
pub(crate) struct Work {
    page: &'static str,
    counts: [usize; COUNTS.len()],
}

const COUNTS: [&str; 13] = [
    "characters",
    "glyphs and joins",
    "distinct meshes",
    "segments, or corners where bent",
    "pixels that lines cross",
    "tiles",
    "pixels of strips",
    "pixels with ink",
    "pixels unlike the one before",
    "bytes uploaded",
    "bytes of accumulator",
    "bytes read back",
    "bytes of PNG",
];

impl Work {
    /// Counts what `scene` has, and what came of it.
    pub(crate) fn of(
        page: &'static str,
        spec: &RenderSpec,
        scene: &longhand::scene::Scene,
        coverage: &Coverage,
    ) -> Self {
        let uploaded = size_of::<Instance>() * scene.instances.len()
            + size_of::<TileRow>() * scene.tile_rows.len()
            + size_of::<StripRecord>() * scene.strips.len();
        let pixels = scene.drawn_pixels();
        let (mut inked, mut changes) = (0, 0);
        for run in (0..coverage.height()).flat_map(|y| coverage.row(y)) {
            inked += run.coverage.iter().filter(|&&pixel| pixel > 0).count();
            changes += run.coverage.windows(2).filter(|pair| pair[0] != pair[1]).count();
        }
        let counts = [
            spec.text.chars().count(),
            scene.instances.len(),
            scene.meshes.len(),
            outline_records(scene),
            crossed_pixels(scene),
            pixels / (TILE * TILE) as usize,
            pixels,
            inked,
            changes,
            uploaded,
            pixels * size_of::<i32>(),
            scene.finished_pixels(),
            encode_png(coverage, spec.ink, spec.dpi.scale()).len(),
        ];
        Self { page, counts }
    }
}

/// A column a page, and what each count is of the first page's.
pub(crate) fn table(pages: &[Work]) -> String {
    let Some(first) = pages.first() else { return String::new() };
    let mut table = "| what there is of it |".to_owned();
    for page in pages {
        let _ = write!(table, " {} |", page.page);
    }
    let _ = writeln!(table, "\n|---|{}", "---|".repeat(pages.len()));
    for (index, what) in COUNTS.iter().enumerate() {
        let _ = write!(table, "| {what} |");
        for page in pages {
            let count = page.counts[index];
            let ratio = count as f64 / first.counts[index].max(1) as f64;
            let _ = write!(table, " {count} ({ratio:.2}) |");
        }
        table.push('\n');
    }
    table
}

/// Outline records that the device reads: segments, or corners of bent outlines.
fn outline_records(scene: &longhand::scene::Scene) -> usize {
    scene.instances.iter().map(|instance| scene.meshes[instance.mesh as usize].1.record_count()).sum()
}

/// Pixels that the outlines cross, each line counted by itself: the steps of `accumulate` or `bend`.
/// Outlines that are bent are counted as they lie before.
fn crossed_pixels(scene: &longhand::scene::Scene) -> usize {
    let mut pixels = 0;
    for instance in &scene.instances {
        let [xx, yx, xy, yy] = instance.matrix.map(f64::from);
        let [left, top] = instance.translation.map(f64::from);
        let place = |x: f32, y: f32| {
            let (x, y) = (f64::from(x), f64::from(y));
            [xx * x + xy * y + left, yx * x + yy * y + top]
        };
        for [[x0, y0, ..], [x1, y1, ..]] in scene.meshes[instance.mesh as usize].1.lines() {
            let (start, end) = (place(x0, y0), place(x1, y1));
            let borders = |axis: usize| (end[axis].floor() - start[axis].floor()).abs() as usize;
            pixels += 1 + borders(0) + borders(1);
        }
    }
    pixels
}
