//! What the rows of a job become.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::encode::SheetPlan;
use crate::geometry::Size;
use crate::mail_merge::ROW;
use crate::spec::PageSize;

/// What the rows become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "JobOutput")]
pub struct Output {
    /// A file for each row, or one of all.
    pub form: Form,
    /// The name of a row's file without its ending, with `{row}` and columns.
    pub name: String,
    /// How rows are joined; for the form `pdf` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<PdfOutput>,
}

impl Default for Output {
    fn default() -> Self {
        Self { form: Form::default(), name: format!("{{{ROW}}}"), pdf: None }
    }
}

/// The form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobForm")]
pub enum Form {
    /// A file for each row.
    #[default]
    Files,
    /// Also a ZIP of them.
    Zip,
    /// Also one PDF of all rows, or several in a ZIP.
    Pdf,
}

/// How rows are joined into PDFs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "JobPdf")]
pub struct PdfOutput {
    /// Rows of one PDF. If there are more rows, the result is a ZIP of PDFs. By default all rows are in one.
    #[schemars(range(min = 1, max = 100_000))]
    pub rows_per_file: Option<u32>,
    /// On which pages rows begin.
    pub start_on: StartOn,
    /// Pages side by side on sheets, to be cut apart.
    pub impose: Option<Impose>,
}

/// How pages are placed on sheets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "JobSheets")]
pub struct Impose {
    /// The paper; it is turned if the pages need it.
    pub sheet: Sheet,
    /// Pages side by side.
    #[schemars(range(min = 1, max = 20))]
    pub columns: u8,
    /// Rows of pages, one above the other.
    #[schemars(range(min = 1, max = 20))]
    pub rows: u8,
    /// Distance of the pages in mm; what lies beyond their trim is shown as far as half of it.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    pub gap_mm: f64,
    /// Whether marks show where to cut.
    #[serde(default = "yes")]
    pub crop_marks: bool,
    /// Which page stands where.
    #[serde(default)]
    pub order: Order,
}

const fn yes() -> bool {
    true
}

/// The paper of sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobSheet")]
pub enum Sheet {
    /// 210 × 297 mm.
    A4,
    /// 297 × 420 mm.
    A3,
    /// 320 × 450 mm.
    Sra3,
    /// 8.5 × 11 in.
    Letter,
    /// 11 × 17 in.
    Tabloid,
    /// 12 × 18 in.
    Arch,
}

/// The order of pages on sheets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "JobSheetOrder")]
pub enum Order {
    /// Row by row, sheet by sheet.
    #[default]
    Rows,
    /// So that the piles that are cut, laid on each other from the top left, are in the order of the rows.
    CutAndStack,
}

impl Impose {
    /// The plan of the sheets.
    pub(super) fn plan(&self) -> SheetPlan {
        let page = |size: PageSize| {
            let Size { width, height } = size.portrait_mm();
            [width.get(), height.get()]
        };
        let sheet = match self.sheet {
            Sheet::A4 => page(PageSize::A4),
            Sheet::A3 => page(PageSize::A3),
            Sheet::Sra3 => [320.0, 450.0],
            Sheet::Letter => page(PageSize::Letter),
            Sheet::Tabloid => [279.4, 431.8],
            Sheet::Arch => [304.8, 457.2],
        };
        let tiles = [self.columns, self.rows].map(usize::from);
        SheetPlan { sheet, tiles, gap: self.gap_mm, has_marks: self.crop_marks }
    }

    /// The page at a tile of a sheet, of `count` pages.
    pub(super) fn page_at(&self, sheet: usize, tile: usize, count: usize) -> Option<usize> {
        let tiles = self.plan().count();
        let page = match self.order {
            Order::Rows => sheet * tiles + tile,
            Order::CutAndStack => tile * count.div_ceil(tiles) + sheet,
        };
        (page < count).then_some(page)
    }
}

/// On which pages of a PDF rows begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobStart")]
pub enum StartOn {
    /// On the page after the row before.
    #[default]
    Any,
    /// On odd pages, for printing on two sides: an empty page follows a row with an odd number of pages.
    Odd,
}

impl Output {
    /// Checks what no single member tells.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let refused = |field: &str, message: &str| Err((field.to_owned(), message.to_owned()));
        match self.pdf {
            Some(_) if self.form != Form::Pdf => refused("output.pdf", "it goes with an output.form of pdf alone"),
            Some(PdfOutput { rows_per_file: Some(0), .. }) => refused("output.pdf.rows_per_file", "use 1 or more"),
            Some(PdfOutput { impose: Some(impose), .. }) => {
                let is_within = |count: u8| (1..=20).contains(&count);
                match impose {
                    Impose { columns, .. } if !is_within(columns) => {
                        refused("output.pdf.impose.columns", "use 1 to 20")
                    }
                    Impose { rows, .. } if !is_within(rows) => refused("output.pdf.impose.rows", "use 1 to 20"),
                    Impose { gap_mm, .. } if !(0.0..=50.0).contains(&gap_mm) => {
                        refused("output.pdf.impose.gap_mm", "use 0 to 50")
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Checks whether pages of this trimmed size, in mm, have room on their sheets.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(crate) fn check_sheets(&self, page: [f64; 2]) -> Result<(), (String, String)> {
        let Some(impose) = self.pdf.and_then(|pdf| pdf.impose) else { return Ok(()) };
        impose.plan().fitting(page).map(drop).map_err(|[width, height]| {
            let message =
                format!("these pages need a sheet of {width:.0} × {height:.0} mm; take a larger one, or fewer pages");
            ("output.pdf.impose".to_owned(), message)
        })
    }

    /// The ending of the file of this many rows; none where each row has its own file.
    pub(super) fn ending(&self, rows: u64) -> Option<&'static str> {
        let most = self.pdf.unwrap_or_default().rows_per_file.map_or(u64::MAX, u64::from);
        match self.form {
            Form::Files => None,
            Form::Pdf if rows <= most => Some("pdf"),
            Form::Zip | Form::Pdf => Some("zip"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str) -> Output {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_pdf_of_more_rows_than_a_file_has_is_a_zip() {
        let pdf = output(r#"{"form": "pdf", "pdf": {"rows_per_file": 10}}"#);
        assert_eq!([10, 11].map(|rows| pdf.ending(rows)), [Some("pdf"), Some("zip")]);
        assert_eq!(output(r#"{"form": "pdf"}"#).ending(100_000), Some("pdf"));
        assert_eq!(output("{}").ending(1), None);
    }

    #[test]
    fn piles_that_are_cut_and_stacked_are_in_order() {
        let text = r#"{"sheet": "a3", "columns": 2, "rows": 1, "order": "cut_and_stack"}"#;
        let impose: Impose = serde_json::from_str(text).unwrap();
        let sheet = |sheet| [0, 1].map(|tile| impose.page_at(sheet, tile, 5));
        // Piles of pages 0 to 2 and 3 to 4.
        assert_eq!([0, 1, 2].map(sheet), [[Some(0), Some(3)], [Some(1), Some(4)], [Some(2), None]]);
        let rows = Impose { order: Order::Rows, ..impose };
        assert_eq!([0, 1].map(|tile| rows.page_at(2, tile, 5)), [Some(4), None]);
    }

    #[test]
    fn options_of_pdfs_go_with_pdfs() {
        for (text, field) in [
            (r#"{"form": "zip", "pdf": {}}"#, "output.pdf"),
            (r#"{"form": "pdf", "pdf": {"rows_per_file": 0}}"#, "output.pdf.rows_per_file"),
        ] {
            assert_eq!(output(text).check().unwrap_err().0, field);
        }
    }
}
