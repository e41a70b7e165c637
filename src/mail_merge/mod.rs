//! From a table and texts with placeholders to generation requests: a record is a row, and its cells stand in the texts
//! and in the name of its file.
//!
//! Input: the bytes of a CSV file or a workbook, or cells from elsewhere, and templates. Output: for each row its request
//! or why there is none, its name, and warnings. In order: `table_file` reads a file (`workbook_reader`, `workbook`,
//! `hidden_rows`; `delimiter`, `csv_text`) into a `table` of at most `most_cells`; `template` and `texts` are the texts;
//! `columns` finds placeholders without a column; `merged` fills a row (`shared_size`: one size for all), and warns with
//! `suspicious` and `single_quotes` of texts that were hardly meant (`row_warning`).
//!
//! `longhand batch` and the jobs of the service share it. It reads no file itself, prints nothing, and does not check
//! whether a request is valid.

mod columns;
mod csv_text;
pub(crate) mod delimiter;
mod hidden_rows;
mod merged;
mod most_cells;
mod row_warning;
mod shared_size;
mod single_quotes;
mod suspicious;
mod table;
mod table_file;
mod template;
mod texts;
mod workbook;
mod workbook_reader;

pub(crate) use columns::ColumnProblem;
pub(crate) use merged::{MailMerge, MergedRow, is_file_name};
pub(crate) use most_cells::{MOST_CELLS, TOO_MANY_CELLS};
pub use row_warning::RowWarning;
pub(crate) use shared_size::{RowSize, SharedSize};
pub(crate) use table::{Record, Table};
pub(crate) use table_file::{ReadTable, TableOptions, read_table};
pub(crate) use template::{ROW, Template};
pub(crate) use texts::{TextError, Texts};
pub use workbook_reader::WorkbookReader;
pub(crate) use workbook_reader::print_records;
