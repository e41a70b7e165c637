//! Files of tests.

use std::fmt::Write as _;

/// A PDF of one page, of which nothing but the parts that a test is about is special.
pub(super) struct Pdf<'a> {
    /// Entries of the page.
    pub(super) page: &'a str,
    /// Its content.
    pub(super) content: &'a str,
    /// Entries of its resources.
    pub(super) resources: &'a str,
    /// Entries of the catalogue.
    pub(super) catalog: &'a str,
    /// Objects from number 6 on.
    pub(super) objects: &'a [&'a str],
    /// How often the page is there.
    pub(super) pages: usize,
}

impl Default for Pdf<'_> {
    fn default() -> Self {
        Self {
            page: "/MediaBox[0 0 144 72]",
            content: "0 0 0 1 k 0 0 72 36 re f",
            resources: "",
            catalog: "",
            objects: &[],
            pages: 1,
        }
    }
}

impl Pdf<'_> {
    /// The file.
    pub(super) fn file(&self) -> Vec<u8> {
        let Self { page, content, resources, catalog, objects, pages } = self;
        let kids = "3 0 R ".repeat(*pages);
        let mut all = vec![
            format!("<</Type/Catalog/Pages 2 0 R {catalog}>>"),
            format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>"),
            format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources 5 0 R {page}>>"),
            stream("", content),
            format!("<<{resources}>>"),
        ];
        all.extend(objects.iter().map(|object| (*object).to_owned()));
        let (mut file, mut table) = ("%PDF-1.6\n".to_owned(), String::new());
        for (number, object) in all.iter().enumerate() {
            writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
            writeln!(file, "{} 0 obj\n{object}\nendobj", number + 1).unwrap();
        }
        let (place, size) = (file.len(), all.len() + 1);
        writeln!(file, "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root 1 0 R>>").unwrap();
        writeln!(file, "startxref\n{place}\n%%EOF").unwrap();
        file.into_bytes()
    }
}

/// A stream with these entries.
pub(super) fn stream(entries: &str, content: &str) -> String {
    format!("<</Length {}{entries}>>stream\n{content}\nendstream", content.len())
}

/// An SVG of 40 × 20 mm with these elements.
pub(super) fn svg(elements: &str) -> Vec<u8> {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='40mm' height='20mm' \
         viewBox='0 0 400 200'>{elements}</svg>"
    )
    .into_bytes()
}
