//! A page as a list of texts: its body, and its blocks.

use super::render_spec::{Block, BlockPage, GenerationKind, Margins, Overflow, RenderSpec};
use super::request_fields::TEXT_COLOR;
use super::rgb::Rgb;
use crate::geometry::Point;
use crate::units::{Degrees, Px};

/// Between the seeds of two blocks: the odd number nearest to 2³² divided by the golden ratio.
const SEED_STEP: u32 = 0x9E37_79B9;

/// The body or a block, as the specification of a page that has nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct PageText {
    /// The number of the block; `None` for the body.
    pub block: Option<usize>,
    /// The page of a block where the body takes several.
    pub page: BlockPage,
    /// The page with only this text, without blocks, artwork and back. The margins are those around the box.
    pub spec: RenderSpec,
    /// Rotation of all of it, clockwise on the page.
    pub rotation: Degrees,
    /// The centre of the rotation.
    pub centre: Point<Px>,
}

impl RenderSpec {
    /// Whether the page has a body: text between the margins.
    #[must_use]
    pub const fn has_body(&self) -> bool {
        self.blocks.is_empty() || !self.text.is_empty()
    }

    /// The body, if there is one, and then the blocks in their order.
    ///
    /// Block n has the seed of the request, changed by n. So a further block leaves the others as they are, and the
    /// first block of a page without body is drawn as a page.
    #[must_use]
    pub fn texts(&self) -> Vec<PageText> {
        let body = self.has_body().then(|| PageText {
            block: None,
            page: BlockPage::First,
            spec: self.without_blocks(),
            rotation: Degrees::ZERO,
            centre: Point::default(),
        });
        let blocks = self.blocks.iter().enumerate().map(|(number, block)| self.block_text(number, block));
        body.into_iter().chain(blocks).collect()
    }

    fn without_blocks(&self) -> Self {
        Self { blocks: Vec::new(), artwork: Vec::new(), back: None, ..self.clone() }
    }

    fn block_text(&self, number: usize, block: &Block) -> PageText {
        let area = block.area;
        let spec = Self {
            text: block.text.clone(),
            font: block.font,
            font_size: block.font_size,
            kind: GenerationKind::Standard,
            line_height: block.line_height,
            keep_lines: block.keep_lines,
            ruling: None,
            margins: Margins::around(area, self.page.px()),
            alignment: block.alignment,
            vertical_alignment: block.vertical_alignment,
            ink: block.ink,
            overflow: if self.overflow == Overflow::Paginate { Overflow::Error } else { self.overflow },
            seed: self.seed ^ (number as u32).wrapping_mul(SEED_STEP),
            ..self.without_blocks()
        };
        let middle = |from: Px, to: Px| from + Px::new((to - from).get() / 2.0);
        let centre = Point::new(middle(area.min.x, area.max.x), middle(area.min.y, area.max.y));
        PageText { block: Some(number), page: block.page, spec, rotation: block.rotation, centre }
    }

    /// The inks of the texts, each once, in the order of their first use; at least one.
    #[must_use]
    pub fn inks(&self) -> Vec<Rgb> {
        self.first_uses().into_iter().map(|(_, ink)| ink).collect()
    }

    /// The fields of the inks that are seen, each with its ink, where it is used first.
    #[must_use]
    pub fn ink_fields(&self) -> Vec<(String, Rgb)> {
        let writes = |block: &Option<usize>| block.is_some() || !self.text.is_empty();
        let uses = self.first_uses().into_iter().filter(|(block, _)| writes(block));
        uses.map(|(block, ink)| (field_of(block, TEXT_COLOR.name), ink)).collect()
    }

    /// Each ink, and the block that uses it first; `None` is the body.
    fn first_uses(&self) -> Vec<(Option<usize>, Rgb)> {
        let body = self.has_body().then_some((None, self.ink));
        let blocks = self.blocks.iter().enumerate().map(|(number, block)| (Some(number), block.ink));
        let mut uses: Vec<(Option<usize>, Rgb)> = Vec::new();
        for (block, ink) in body.into_iter().chain(blocks) {
            if uses.iter().all(|(_, known)| *known != ink) {
                uses.push((block, ink));
            }
        }
        uses
    }

    /// The ink of the lowest text.
    #[must_use]
    pub fn lowest_ink(&self) -> Rgb {
        self.blocks.first().filter(|_| !self.has_body()).map_or(self.ink, |block| block.ink)
    }

    /// Number of characters of all texts of the page.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.text.chars().count() + self.blocks.iter().map(|block| block.text.chars().count()).sum::<usize>()
    }
}

/// The name of a field of the body or of a block: `font_id`, or `blocks[2].font_id`.
#[must_use]
pub fn field_of(block: Option<usize>, name: &str) -> String {
    block.map_or_else(|| name.to_owned(), |number| format!("blocks[{number}].{name}"))
}
