//! Mail pieces: the paper, preset, safe distance and reserved zones that printing services and postal standards want.
//!
//! `mail_pieces.toml` is the table. A request names a piece; [`super::text_area`] keeps its text in what the piece
//! leaves free.

use std::sync::LazyLock;

use serde::Deserialize;

use super::page::{Orientation, PageFormat, PageSize};
use super::pdf_options::Preset;
use crate::geometry::{Point, Rect};
use crate::units::{Mm, Px};

/// The table. A test holds that it can be read.
const TABLE: &str = include_str!("mail_pieces.toml");

/// One side of a piece of mail.
#[derive(Clone, Debug, PartialEq)]
pub struct MailPiece {
    /// Its name in requests.
    pub name: String,
    /// The printing service or standard that it belongs to.
    pub provider: String,
    /// The sheet.
    pub page: PageFormat,
    /// The preset of its PDF.
    pub preset: Preset,
    /// The bleed of its press page.
    pub bleed: Mm,
    /// The distance from every edge of the trim that ink keeps.
    pub safe: Mm,
    /// The areas without ink.
    pub zones: Vec<ReservedZone>,
    /// Who says so.
    pub source: String,
    /// The day on which the source was read, `YYYY-MM-DD`.
    pub checked: String,
    /// Whether all figures are certain.
    pub verified: bool,
}

/// An area that stays free of ink.
#[derive(Clone, Debug, PartialEq)]
pub struct ReservedZone {
    /// What it is for.
    pub name: String,
    /// Where it is, in mm from the upper left corner of the trim, y down.
    pub area: Rect<Mm>,
}

impl ReservedZone {
    /// The zone on the page in 300-DPI px, not rounded.
    #[must_use]
    pub fn px(&self) -> Rect<Px> {
        self.area.map(|at| Point::new(at.x.to_px(), at.y.to_px()))
    }
}

impl MailPiece {
    /// Every piece, in the order of the table.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<MailPiece>> = LazyLock::new(|| read(TABLE).unwrap_or_default());
        &ALL
    }

    /// The piece called `name` in requests.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|piece| piece.name == name)
    }
}

/// The table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    piece: Vec<Row>,
}

/// One piece as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    provider: String,
    page: String,
    orientation: String,
    preset: String,
    bleed_mm: f64,
    safe_mm: f64,
    zones: Vec<ZoneRow>,
    source: String,
    checked: String,
    verified: bool,
}

/// One zone as it is written, in mm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ZoneRow {
    name: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The pieces of a table, or what is wrong with it.
fn read(table: &str) -> Result<Vec<MailPiece>, String> {
    let table: Table = toml::from_str(table).map_err(|error| error.to_string())?;
    table.piece.into_iter().map(piece).collect()
}

fn piece(row: Row) -> Result<MailPiece, String> {
    let orientation = Orientation::NAMES.iter().find(|(name, _)| *name == row.orientation);
    let (_, orientation) =
        *orientation.ok_or_else(|| format!("{}: no orientation is called {}", row.name, row.orientation))?;
    let size = PageSize::from_name(&row.page).ok_or_else(|| format!("{}: no page is called {}", row.name, row.page))?;
    let preset = Preset::NAMES.iter().find(|(name, _)| *name == row.preset);
    let (_, preset) = preset.ok_or_else(|| format!("{}: no preset is called {}", row.name, row.preset))?;
    let point = |x, y| Point::new(Mm::new(x), Mm::new(y));
    let zone = |zone: ZoneRow| ReservedZone {
        area: Rect { min: point(zone.x, zone.y), max: point(zone.x + zone.width, zone.y + zone.height) },
        name: zone.name,
    };
    Ok(MailPiece {
        name: row.name,
        provider: row.provider,
        page: PageFormat { size, orientation },
        preset: *preset,
        bleed: Mm::new(row.bleed_mm),
        safe: Mm::new(row.safe_mm),
        zones: row.zones.into_iter().map(zone).collect(),
        source: row.source,
        checked: row.checked,
        verified: row.verified,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_of_the_table_can_be_read() {
        let pieces = read(TABLE).unwrap();
        assert_eq!(pieces.len(), TABLE.matches("[[piece]]").count());
        assert!(pieces.len() >= 20);
        assert_eq!(pieces.iter().map(|piece| &piece.name).collect::<HashSet<_>>().len(), pieces.len());
        assert_eq!(MailPiece::all(), pieces);
    }

    #[test]
    fn zones_are_on_the_trim_and_the_safe_area_is_not_empty() {
        for piece in MailPiece::all() {
            let trim = piece.page.mm();
            for ReservedZone { name, area } in &piece.zones {
                let told = format!("{}: {name}: {area:?}", piece.name);
                assert!(area.min.x >= Mm::ZERO && area.min.y >= Mm::ZERO, "{told}");
                assert!(area.max.x.get() <= trim.width.get() + 1e-9, "{told}");
                assert!(area.max.y.get() <= trim.height.get() + 1e-9, "{told}");
                assert!(area.width() > Mm::new(10.0) && area.height() > Mm::new(10.0), "{told}");
            }
            assert!(piece.safe * 4.0 < trim.width.min(trim.height), "{}", piece.name);
            assert_eq!(piece.bleed > Mm::ZERO, piece.page.size.is_trimmed(), "{}", piece.name);
            assert_eq!(piece.checked.len(), "2026-01-31".len(), "{}", piece.name);
            assert!(!piece.source.is_empty());
        }
    }

    #[test]
    fn a_wrong_row_is_told() {
        let row = |page: &str, more: &str| {
            let row = format!(
                "[[piece]]\nname = 'x'\nprovider = 'y'\npage = '{page}'\norientation = 'portrait'\npreset = 'lob'\n\
                 bleed_mm = 0.0\nsafe_mm = 1.0\nzones = []\nsource = 's'\nchecked = 'c'\nverified = true\n{more}"
            );
            read(&row)
        };
        assert_eq!(row("a4", "").unwrap().len(), 1);
        assert_eq!(row("a9", "").unwrap_err(), "x: no page is called a9");
        assert!(row("a4", "colour = 'red'").unwrap_err().contains("unknown field `colour`"));
    }
}
