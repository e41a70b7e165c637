//! The rules that a page shows under its writing.

use super::render_spec::RenderSpec;
use super::rgb::Rgb;
use crate::units::Px;

/// Width of a drawn rule: 0.17 mm, as on writing paper.
const RULE_THICKNESS: Px = Px::new(2.0);

/// The rules that a page shows. All are horizontal and equally long.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnRules {
    /// Distance of the middle of each rule from the page's top edge, ascending.
    pub heights: Vec<Px>,
    /// Their left ends.
    pub left: Px,
    /// Their right ends.
    pub right: Px,
    /// Their width across.
    pub thickness: Px,
    /// Their colour.
    pub color: Rgb,
}

impl RenderSpec {
    /// The rules that each page shows under its writing: between the margins, from the first rule downwards. `None`
    /// where they are not drawn.
    #[must_use]
    pub fn drawn_rules(&self) -> Option<DrawnRules> {
        self.rules(self.ruling.as_ref()?.drawn?)
    }

    /// The rules that the writing stands on where they are not drawn, as they would be drawn in its ink.
    #[must_use]
    pub fn hidden_rules(&self) -> Option<DrawnRules> {
        if self.ruling.as_ref()?.drawn.is_some() { None } else { self.rules(self.ink) }
    }

    fn rules(&self, color: Rgb) -> Option<DrawnRules> {
        let ruling = self.ruling.as_ref()?;
        let area = self.margins.area(self.page.px());
        let half = RULE_THICKNESS.get() / 2.0;
        let [top, bottom] = [area.min.y.get() + half, area.max.y.get() - half];
        let (first, pitch) = (ruling.first_baseline.get(), ruling.pitch.get());
        // Negative where the first rule is below the text area; then the cast gives 0.
        let count = ((bottom - first) / pitch).floor() + 1.0;
        let heights = (0..count as u32).map(|number| first + f64::from(number) * pitch);
        let heights = heights.filter(|height| *height >= top).map(Px::new).collect();
        Some(DrawnRules { heights, left: area.min.x, right: area.max.x, thickness: RULE_THICKNESS, color })
    }
}
