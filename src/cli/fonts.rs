//! `longhand fonts`: the ninety hands, as a table or as the API's JSON.

use super::{Failure, output};
use crate::catalogue::{FontCatalogue, FontRecord};
use crate::http::FontList;

/// The arguments of `fonts`.
#[derive(clap::Args, Debug)]
pub(super) struct FontsCommand {
    /// Print JSON as GET /api/v1/fonts answers it
    #[arg(long)]
    json: bool,
}

impl FontsCommand {
    /// Prints the list.
    pub(super) fn run(self) -> Result<(), Failure> {
        let catalogue = FontCatalogue::load()?;
        if self.json {
            let list = serde_json::to_string_pretty(&FontList::of(&catalogue));
            output::print(&list.map_err(|error| Failure::Internal(error.to_string()))?)
        } else {
            output::print(&table(&catalogue))
        }
    }
}

fn table(catalogue: &FontCatalogue) -> String {
    let mut rows = vec![row(["ID", "NAME", "STYLE", "SLANT", "NEATNESS", "KERNS", "VARIES", "SCRIPTS"])];
    rows.extend(catalogue.faces().map(|face| {
        let FontRecord { id, name, style, slant, neatness, kerning, alternates, scripts, license: _ } = face.record();
        let (id, neatness, scripts) = (id.to_string(), neatness.to_string(), scripts.join(", "));
        row([&id, name, style, slant, &neatness, yes(*kerning), yes(*alternates), &scripts])
    }));
    rows.join("\n")
}

fn row([id, name, style, slant, neatness, kerning, alternates, scripts]: [&str; 8]) -> String {
    format!("{id:>2}  {name:<26}  {style:<9}  {slant:<8}  {neatness:<8}  {kerning:<5}  {alternates:<6}  {scripts}")
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "-" }
}
