//! `longhand hand sheet`: the sheet to print and fill.

use std::path::PathBuf;

use crate::catalogue::FontCatalogue;
use crate::cli::{Failure, atomic_file, output};
use crate::own_hand::{SheetDescription, SheetForm, draw_sheet};

/// The arguments of `hand sheet`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(clap::Args, Debug)]
pub(super) struct SheetCommand {
    /// File for the sheet, a PDF
    #[arg(value_name = "FILE", required_unless_present = "layout")]
    output: Option<PathBuf>,
    /// For a joined hand: with ticks where strokes lead out of letters
    #[arg(long)]
    joined: bool,
    /// On Letter paper instead of A4
    #[arg(long)]
    letter: bool,
    /// Two pages instead of three: fewer copies of each letter, and no letters with accents
    #[arg(long)]
    quick: bool,
    /// Print the places of marks, boxes and lines in mm as JSON
    #[arg(long)]
    layout: bool,
}

impl SheetCommand {
    /// Writes the sheet, prints its layout, or both.
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { output: file, joined, letter, quick, layout } = self;
        let form = SheetForm { joined, quick, letter };
        if let Some(file) = file {
            atomic_file::write(&file, &draw_sheet(form, &FontCatalogue::load()?))?;
        }
        if layout {
            let text = serde_json::to_string_pretty(&SheetDescription::of(form));
            output::print(&text.map_err(Failure::internal("no JSON"))?)?;
        }
        Ok(())
    }
}
