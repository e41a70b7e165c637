//! The target of a check: the mail piece of a page, or the product that its preset prints on this page.

use crate::spec::{MailPiece, OutputFormat, PdfColors, Preset, RenderSpec};
use crate::units::Mm;

/// The rules that a page should keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The mail piece, the preset or the standard.
    pub name: &'static str,
    /// The distance from the trim that ink keeps.
    pub safe: Mm,
}

impl Target {
    /// That of a page; `None` if it is meant for nobody in particular.
    #[must_use]
    pub fn of(spec: &RenderSpec) -> Option<Self> {
        if let Some(mail) = &spec.mail_piece {
            return Some(Self { name: &mail.piece.name, safe: mail.piece.safe });
        }
        let OutputFormat::Pdf(plan) = &spec.output else { return None };
        match (plan.preset, plan.colors) {
            (Preset::Generic, PdfColors::Rgb) => None,
            (Preset::Generic, PdfColors::PdfX1a(_)) => Some(Self { name: "pdfx1a", safe: Mm::ZERO }),
            (preset @ (Preset::Lob | Preset::Click2mail), _) => {
                let is_product = |piece: &&MailPiece| piece.preset == preset && piece.page.size == spec.page.size;
                let safe = MailPiece::all().iter().find(is_product).map_or(Mm::ZERO, |piece| piece.safe);
                Some(Self { name: preset.name(), safe })
            }
        }
    }
}
