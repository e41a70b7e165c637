//! A page as a list of writings: its body, and its blocks.

use super::render_spec::{Block, GenerationKind, Margins, Overflow, RenderSpec, Rgb};
use crate::geometry::Point;
use crate::units::{Degrees, Px};

/// Between the seeds of two blocks: the odd number nearest to 2³² divided by the golden ratio.
const SEED_STEP: u32 = 0x9E37_79B9;

/// The body or a block, as the specification of a page that has nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWriting {
    /// The number of the block; `None` for the body.
    pub block: Option<usize>,
    /// The page with only this text, without blocks. The margins are those around the box.
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
    pub fn writings(&self) -> Vec<PageWriting> {
        let body = self.has_body().then(|| PageWriting {
            block: None,
            spec: Self { blocks: Vec::new(), ..self.clone() },
            rotation: Degrees::ZERO,
            centre: Point::default(),
        });
        let blocks = self.blocks.iter().enumerate().map(|(number, block)| self.block_writing(number, block));
        body.into_iter().chain(blocks).collect()
    }

    fn block_writing(&self, number: usize, block: &Block) -> PageWriting {
        let (page, area) = (self.page.px(), block.area);
        let spec = Self {
            text: block.text.clone(),
            font: block.font,
            font_size: block.font_size,
            kind: GenerationKind::Standard,
            line_height: block.line_height,
            ruling: None,
            margins: Margins {
                left: area.min.x,
                right: page.width - area.max.x,
                top: area.min.y,
                bottom: page.height - area.max.y,
            },
            alignment: block.alignment,
            vertical_alignment: block.vertical_alignment,
            ink: block.ink,
            overflow: if self.overflow == Overflow::Paginate { Overflow::Error } else { self.overflow },
            seed: self.seed ^ (number as u32).wrapping_mul(SEED_STEP),
            blocks: Vec::new(),
            ..self.clone()
        };
        let middle = |from: Px, to: Px| from + Px::new((to - from).get() / 2.0);
        let centre = Point::new(middle(area.min.x, area.max.x), middle(area.min.y, area.max.y));
        PageWriting { block: Some(number), spec, rotation: block.rotation, centre }
    }

    /// The inks of the writings, each once, in the order of their first use.
    #[must_use]
    pub fn inks(&self) -> Vec<Rgb> {
        let body = self.has_body().then_some(self.ink);
        let mut inks: Vec<Rgb> = Vec::new();
        for ink in body.into_iter().chain(self.blocks.iter().map(|block| block.ink)) {
            if !inks.contains(&ink) {
                inks.push(ink);
            }
        }
        inks
    }

    /// Number of characters of all texts.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.text.chars().count() + self.blocks.iter().map(|block| block.text.chars().count()).sum::<usize>()
    }
}

impl PageWriting {
    /// The field of its text: `text`, or `blocks[2].text`.
    #[must_use]
    pub fn text_field(&self) -> String {
        self.block.map_or_else(|| "text".to_owned(), |number| format!("blocks[{number}].text"))
    }
}
