//! The numbers of the objects, in the order of the file.

use pdf_writer::Ref;

use crate::spec::{PdfColors, PressPlan, Representation};

/// Identifies artwork in a file.
pub(super) type PictureId = [u8; 32];

/// The numbers that are known before the first page.
pub(super) struct Objects {
    pub(super) catalog: Ref,
    pub(super) page_tree: Ref,
    pub(super) info: Ref,
    pub(super) shared: Shared,
    pub(super) registration: Option<Ref>,
    pub(super) profile: Option<Ref>,
    /// Each page, and its image or, in a file of pages with content of their own, that.
    pub(super) pages: Vec<(Ref, Ref)>,
    /// The number after these.
    pub(super) next: Ref,
}

/// What the pages of a file share.
#[derive(Clone, Copy)]
pub(super) enum Shared {
    /// Pages of one image each: their content stream, and the palette of the images.
    Images { content: Ref, palette: Ref },
    /// Pages with content of their own, such as outlines: their resources, which end the file.
    Resources { resources: Ref },
}

impl Objects {
    /// Those of a file of `pages` pages, of which any has layers or none.
    pub(super) fn of(plan: &PressPlan, pages: usize, has_layers: bool) -> Self {
        let mut next = Ref::new(1);
        let is_pdfx = matches!(plan.colors, PdfColors::PdfX1a(_));
        let (catalog, page_tree, info) = (next.bump(), next.bump(), next.bump());
        let shared = if plan.representation == Representation::Image && !has_layers {
            Shared::Images { content: next.bump(), palette: next.bump() }
        } else {
            Shared::Resources { resources: next.bump() }
        };
        Self {
            catalog,
            page_tree,
            info,
            shared,
            registration: (is_pdfx && plan.marks.is_some()).then(|| next.bump()),
            profile: is_pdfx.then(|| next.bump()),
            pages: (0..pages).map(|_| (next.bump(), next.bump())).collect(),
            next,
        }
    }
}
