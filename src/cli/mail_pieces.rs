//! `longhand mail-pieces`: the mail pieces, as a table or as the API's JSON, and the guide of one.

use std::path::PathBuf;

use super::{Failure, atomic_file, output};
use crate::http::{MailPieceList, mail_piece_guide};
use crate::spec::MailPiece;

/// The arguments of `mail-pieces`.
#[derive(clap::Args, Debug)]
pub(super) struct MailPiecesCommand {
    /// Print JSON as GET /api/v1/mail-pieces answers it
    #[arg(long)]
    json: bool,
    /// The piece whose guide is written
    #[arg(requires = "output", conflicts_with = "json")]
    name: Option<String>,
    /// File for the guide: an SVG in true size with trim, bleed, safe area and reserved zones
    #[arg(short, long, value_name = "FILE", requires = "name")]
    output: Option<PathBuf>,
}

impl MailPiecesCommand {
    /// Prints the list, or writes the guide.
    pub(super) fn run(self) -> Result<(), Failure> {
        if let (Some(name), Some(file)) = (&self.name, &self.output) {
            let piece = MailPiece::from_name(name).ok_or_else(|| {
                Failure::Usage(format!("{name}: no mail piece has that name; longhand mail-pieces lists them"))
            })?;
            return atomic_file::write(file, mail_piece_guide(piece).as_bytes());
        }
        output::print_result(self.json, &MailPieceList::all(), &table())
    }
}

fn table() -> String {
    let mut rows = vec![row(["NAME", "PROVIDER", "TRIM MM", "SAFE MM", "VERIFIED", "ZONES"])];
    rows.extend(MailPiece::all().iter().map(|piece| {
        let trim = piece.page.mm();
        let zones: Vec<&str> = piece.zones.iter().map(|zone| zone.name.as_str()).collect();
        row([
            &piece.name,
            &piece.provider,
            &format!("{:.1} x {:.1}", trim.width.get(), trim.height.get()),
            &format!("{:.2}", piece.safe.get()),
            if piece.verified { "yes" } else { "-" },
            &if zones.is_empty() { "-".to_owned() } else { zones.join(", ") },
        ])
    }));
    rows.join("\n")
}

fn row([name, provider, trim, safe, verified, zones]: [&str; 6]) -> String {
    format!("{name:<31}  {provider:<10}  {trim:>13}  {safe:>7}  {verified:<8}  {zones}")
}
