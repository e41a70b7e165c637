//! The goals for speed, and where the figures of a run stand.

use std::fmt::Write as _;

use super::comparison::{
    BLEND2D, ENCODER, ENCODER_INDEXED, FREETYPE, FREETYPE_INDEXED, OURS, PILLOW, PILLOW_FASTEST, SCIPY, SCIPY_FASTEST,
    SKIA, SKIA_PDF, TINY_SKIA, VELLO_CPU,
};
use super::measure::Figures;
use super::scenes::{
    BLANK, DENSE, EFFECTS, ELASTIC, EVERY_EFFECT, GRAINIEST, INDEXED, LARGEST, OUTLINES, PDF, PDFX, PENNED, ROTATED,
    SPARSE, SVG, VARIED,
};

/// A page and a program.
type Row = (&'static str, &'static str);

/// What is compared.
enum Measure {
    /// How many times as long the first takes as the second.
    Ratio(Row, Row),
    /// How long it takes, in ms.
    Milliseconds(Row),
    /// How much processor time it takes, in ms.
    Cpu(Row),
}

/// What the outcome should be.
enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// Only told.
    None,
}

/// Every goal, in the order of the table.
const GOALS: [(&str, Measure, Goal); 39] = {
    use Goal::{AtLeast, AtMost, None};
    use Measure::{Cpu, Milliseconds, Ratio};
    const DENSE_PNG: Row = (DENSE, OURS);
    [
        ("dense A4, FreeType : ours", Ratio((DENSE, FREETYPE), DENSE_PNG), None),
        ("dense A4, FreeType : ours, indexed", Ratio((DENSE, FREETYPE_INDEXED), (DENSE, INDEXED)), None),
        ("dense A4, Blend2D : ours", Ratio((DENSE, BLEND2D), DENSE_PNG), AtLeast(1.0)),
        ("dense A4, Skia : ours", Ratio((DENSE, SKIA), DENSE_PNG), AtLeast(1.0)),
        ("dense A4, vello_cpu : ours", Ratio((DENSE, VELLO_CPU), DENSE_PNG), AtLeast(1.0)),
        ("dense A4, tiny-skia : ours", Ratio((DENSE, TINY_SKIA), DENSE_PNG), AtLeast(1.0)),
        ("words rotated, FreeType : ours", Ratio((ROTATED, FREETYPE), (ROTATED, OURS)), AtLeast(1.0)),
        ("words rotated, Blend2D : ours", Ratio((ROTATED, BLEND2D), (ROTATED, OURS)), AtLeast(1.0)),
        ("writer variation, FreeType : ours", Ratio((VARIED, FREETYPE), (VARIED, OURS)), AtLeast(1.0)),
        ("writer variation, Blend2D : ours", Ratio((VARIED, BLEND2D), (VARIED, OURS)), AtLeast(1.0)),
        ("dense A4, PDF of outlines, Skia : ours", Ratio((DENSE, SKIA_PDF), (DENSE, OUTLINES)), AtLeast(1.0)),
        ("dense A4, Pillow : ours", Ratio((DENSE, PILLOW), DENSE_PNG), AtLeast(40.0)),
        ("dense A4, Pillow at its fastest : ours", Ratio((DENSE, PILLOW_FASTEST), DENSE_PNG), AtLeast(40.0)),
        ("sparse A4, FreeType : ours", Ratio((SPARSE, FREETYPE), (SPARSE, OURS)), None),
        ("sparse A4, Blend2D : ours", Ratio((SPARSE, BLEND2D), (SPARSE, OURS)), AtLeast(1.0)),
        ("elastic A4, Pillow + SciPy : ours", Ratio((ELASTIC, SCIPY), (ELASTIC, OURS)), AtLeast(150.0)),
        (
            "elastic A4, Pillow + SciPy at their fastest : ours",
            Ratio((ELASTIC, SCIPY_FASTEST), (ELASTIC, OURS)),
            AtLeast(150.0),
        ),
        ("all effects : plain", Ratio((EFFECTS, OURS), DENSE_PNG), AtMost(1.3)),
        ("pen and writer variation : plain", Ratio((PENNED, OURS), DENSE_PNG), AtMost(1.6)),
        ("alpha 100, sigma 0 : plain", Ratio((GRAINIEST, OURS), DENSE_PNG), AtMost(3.0)),
        ("A3 at 600 DPI with 10,000 characters : dense A4", Ratio((LARGEST, OURS), DENSE_PNG), AtMost(7.0)),
        ("blank A3 at 600 DPI : blank A6", Ratio((BLANK[1], OURS), (BLANK[0], OURS)), AtMost(2.0)),
        ("PDF : PNG, dense A4", Ratio((DENSE, PDF), DENSE_PNG), None),
        ("PDF/X-1a : PNG, dense A4", Ratio((DENSE, PDFX), DENSE_PNG), None),
        ("PDF of outlines : PDF, dense A4", Ratio((DENSE, OUTLINES), (DENSE, PDF)), None),
        ("PDF of outlines : PDF, all five effects", Ratio((EVERY_EFFECT, OUTLINES), (EVERY_EFFECT, PDF)), None),
        ("SVG : PNG, dense A4", Ratio((DENSE, SVG), DENSE_PNG), None),
        ("indexed : RGBA, dense A4", Ratio((DENSE, INDEXED), DENSE_PNG), None),
        ("dense A4, encoder alone, ms", Milliseconds((DENSE, ENCODER)), AtMost(6.0)),
        ("dense A4, encoder alone, processor ms a page", Cpu((DENSE, ENCODER)), None),
        ("dense A4, encoder alone, indexed, processor ms a page", Cpu((DENSE, ENCODER_INDEXED)), AtMost(0.5)),
        ("blank A3 at 600 DPI, encoder alone, ms", Milliseconds((BLANK[1], ENCODER)), AtMost(0.1)),
        ("dense A4, processor ms a page", Cpu(DENSE_PNG), AtMost(25.0)),
        ("dense A4 as PDF, processor ms a page", Cpu((DENSE, PDF)), None),
        ("dense A4 as PDF/X-1a, processor ms a page", Cpu((DENSE, PDFX)), None),
        ("all effects, processor ms a page", Cpu((EFFECTS, OURS)), None),
        ("elastic A4, processor ms a page", Cpu((ELASTIC, OURS)), None),
        ("sparse A4, processor ms a page", Cpu((SPARSE, OURS)), None),
        ("A3 at 600 DPI, processor ms a page", Cpu((LARGEST, OURS)), None),
    ]
};

/// Every goal beside what came of it, by the shortest turns of each program; those whose pages were not drawn are left
/// out. The other columns say how far to trust it.
pub(crate) fn table(figures: &[Figures]) -> String {
    let mut table =
        "| what | goal | minima | reached | medians | processor time |\n|---|---|---|---|---|---|\n".to_owned();
    for (what, measure, goal) in &GOALS {
        let Some([outcome, median, cpu]) = outcome(measure, figures) else { continue };
        let (goal, reached) = match goal {
            Goal::AtLeast(least) => (format!("≥ {least}"), verdict(outcome >= *least)),
            Goal::AtMost(most) => (format!("≤ {most}"), verdict(outcome <= *most)),
            Goal::None => (String::new(), ""),
        };
        let _ = writeln!(table, "| {what} | {goal} | {outcome:.2} | {reached} | {median:.2} | {cpu:.2} |");
    }
    table
}

const fn verdict(is_reached: bool) -> &'static str {
    if is_reached { "yes" } else { "no" }
}

/// By the shortest turns, by the medians and by processor time.
fn outcome(measure: &Measure, figures: &[Figures]) -> Option<[f64; 3]> {
    let times = |(page, program): Row| {
        let row = figures.iter().find(|row| row.page == page && row.program == program)?;
        Some([row.minimum_ms(), row.median_ms(), row.cpu_ms()])
    };
    match *measure {
        Measure::Ratio(one, other) => {
            let (one, other) = (times(one)?, times(other)?);
            Some(std::array::from_fn(|kind| one[kind] / other[kind]))
        }
        Measure::Milliseconds(row) => times(row),
        Measure::Cpu(row) => times(row).map(|[_, _, cpu]| [cpu; 3]),
    }
}
