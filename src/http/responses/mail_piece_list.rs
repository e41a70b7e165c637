//! The list of mail pieces, for `GET /api/v1/mail-pieces` and `longhand mail-pieces --json`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::geometry::Rect;
use crate::spec::{MailPiece, Orientation};
use crate::units::Mm;

/// All mail pieces.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MailPieceList {
    /// The mail pieces, each service or standard together.
    mail_pieces: Vec<MailPieceEntry>,
    /// Number of mail pieces.
    total: usize,
}

/// One side of a piece of mail. Lengths are millimetres.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "MailPiece")]
struct MailPieceEntry {
    /// The value of `mail_piece`.
    name: &'static str,
    /// The printing service or standard.
    provider: &'static str,
    /// The `page_size` that it sets.
    page_size: &'static str,
    /// The `orientation` that it sets.
    orientation: &'static str,
    /// The `pdf.preset` that it sets.
    preset: &'static str,
    /// Width of the trim.
    width_mm: f64,
    /// Height of the trim.
    height_mm: f64,
    /// Bleed around the trim in a press page.
    bleed_mm: f64,
    /// Distance from the trim that ink keeps.
    safe_mm: f64,
    /// Areas that stay free of ink.
    zones: Vec<ZoneEntry>,
    /// Who says so.
    source: &'static str,
    /// The day on which the source was read.
    checked: &'static str,
    /// Whether all figures are certain. A page for one that is not comes with a warning.
    verified: bool,
}

/// An area without ink, in millimetres from the upper left corner of the trim, y down.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "ReservedZone")]
struct ZoneEntry {
    /// What it is for.
    name: &'static str,
    /// Where it is.
    #[serde(flatten)]
    area: AreaMm,
}

/// A box on the page, in millimetres from the upper left corner of the trim, y down.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
pub(super) struct AreaMm {
    /// Left edge.
    pub(in crate::http) x: f64,
    /// Upper edge.
    pub(in crate::http) y: f64,
    /// Extent to the right.
    pub(in crate::http) width: f64,
    /// Extent downwards.
    pub(in crate::http) height: f64,
}

impl MailPieceList {
    /// All pieces of the table.
    #[must_use]
    pub fn all() -> Self {
        let mail_pieces: Vec<MailPieceEntry> = MailPiece::all().iter().map(MailPieceEntry::of).collect();
        Self { total: mail_pieces.len(), mail_pieces }
    }
}

impl MailPieceEntry {
    fn of(piece: &'static MailPiece) -> Self {
        let trim = piece.page.mm();
        Self {
            name: &piece.name,
            provider: &piece.provider,
            page_size: piece.page.size.name(),
            orientation: match piece.page.orientation {
                Orientation::Portrait => "portrait",
                Orientation::Landscape => "landscape",
            },
            preset: piece.preset.name(),
            width_mm: to_thousandths(trim.width),
            height_mm: to_thousandths(trim.height),
            bleed_mm: to_thousandths(piece.bleed),
            safe_mm: to_thousandths(piece.safe),
            zones: piece.zones.iter().map(|zone| ZoneEntry { name: &zone.name, area: zone.area.into() }).collect(),
            source: &piece.source,
            checked: &piece.checked,
            verified: piece.verified,
        }
    }
}

impl From<Rect<Mm>> for AreaMm {
    fn from(area: Rect<Mm>) -> Self {
        Self {
            x: to_thousandths(area.min.x),
            y: to_thousandths(area.min.y),
            width: to_thousandths(area.width()),
            height: to_thousandths(area.height()),
        }
    }
}

/// Micrometres are finer than any paper.
pub(super) fn to_thousandths(length: Mm) -> f64 {
    thousandths(length.get())
}

/// The nearest multiple of a thousandth.
pub(super) fn thousandths(figure: f64) -> f64 {
    (figure * 1000.0).round() / 1000.0
}
