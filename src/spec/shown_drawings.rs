//! Which artwork a file shows as drawings.

use super::placed_artwork::PlacedArtwork;
use super::press_plan::PdfColors;
use super::render_spec::{OutputFormat, RenderSpec};
use super::representation::Representation;

impl RenderSpec {
    /// Whether the file shows artwork `number` as a drawing, not by its pixels. A file for a press does so with those that
    /// nothing else lies on: all other artwork is one picture below them.
    #[must_use]
    pub fn shows_drawing(&self, number: usize) -> bool {
        let OutputFormat::Pdf(plan) = &self.output else { return false };
        let Some([placed, above @ ..]) = self.artwork.get(number..) else { return false };
        if plan.colors == PdfColors::Rgb {
            return placed.artwork.facts().drawing.is_some();
        }
        plan.representation == Representation::Outlines
            && placed.is_printable_drawing()
            && above.iter().all(PlacedArtwork::is_printable_drawing)
    }
}
