//! The requests of the benchmarks.

use crate::benchmark_scenes::{
    DENSE, EFFECTS, ENVELOPE, EVERY_EFFECT, LARGEST, OUTLINES, PDF, PDFX, SPARSE, SVG, all, to_be_sized,
};

#[test]
fn every_page_of_the_benchmarks_is_valid_in_each_of_its_forms() {
    // A scene that is no valid request panics.
    assert_eq!(to_be_sized().len(), 4);
    for page in all() {
        let has_files = [DENSE, EFFECTS, EVERY_EFFECT, SPARSE, ENVELOPE, LARGEST].contains(&page.name);
        let expected: &[&str] = if has_files { &[PDF, PDFX, OUTLINES, SVG] } else { &[] };
        let files: Vec<&str> = page.files.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, expected, "{}", page.name);
    }
}
