//! The requests of the benchmarks.

use crate::benchmark_scenes::{
    DENSE, EFFECTS, ENVELOPE, EVERY_EFFECT, INDEXED, LARGEST, OUTLINES, PDF, PDFX, ROTATED, SPARSE, SVG, VARIED, all,
    to_be_sized,
};

#[test]
fn every_page_of_the_benchmarks_is_valid_in_each_of_its_forms() {
    // A scene that is no valid request panics.
    assert_eq!(to_be_sized().len(), 4);
    for page in all() {
        let expected: &[&str] = match page.name {
            DENSE | EFFECTS | EVERY_EFFECT | SPARSE | ENVELOPE | LARGEST => &[INDEXED, PDF, PDFX, OUTLINES, SVG],
            ROTATED | VARIED => &[INDEXED],
            _ => &[],
        };
        let files: Vec<&str> = page.files.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, expected, "{}", page.name);
    }
}
