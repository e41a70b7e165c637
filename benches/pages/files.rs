//! What a PDF costs beside the PNG of the same page, turn by turn.

use std::fmt::Write as _;

use longhand::pipeline::{StageTimes, Studio};

use super::comparison::{Program, take_turns};
use super::scenes::Scene;

/// Makes every scene `rounds` times in turn as each kind of file; the result is a table for `RESULTS.md`.
pub(crate) fn run(scenes: &[Scene], studio: &Studio, rounds: usize) -> String {
    let mut table = "| page | file | median ms | CPU ms | KB | ms over PNG |\n|---|---|---|---|---|---|\n".to_owned();
    for scene in scenes {
        let mut programs: [Program<'_>; 3] = [
            ("PNG", Box::new(|| studio.generate(&scene.spec, &mut StageTimes::default()).unwrap().bytes)),
            ("PDF", Box::new(|| studio.generate(&scene.pdf, &mut StageTimes::default()).unwrap().bytes)),
            ("PDF/X-1a", Box::new(|| studio.generate(&scene.pdfx, &mut StageTimes::default()).unwrap().bytes)),
        ];
        let figures = take_turns(&mut programs, rounds);
        for figure in &figures {
            let _ = writeln!(
                table,
                "| {} | {} | {:.1} | {:.0} | {:.0} | {:+.1} |",
                scene.name,
                figure.program,
                figure.median_ms(),
                figure.cpu_ms(),
                figure.file_bytes as f64 / 1e3,
                figure.median_ms() - figures[0].median_ms(),
            );
        }
    }
    table
}
