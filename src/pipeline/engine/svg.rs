//! SVG files: one page of paths.

use super::production::Production;
use crate::catalogue::{FontCatalogue, FontStrokes};
use crate::encode::encode_svg;
use crate::layout::PageLayout;
use crate::pipeline::error::RenderError;
use crate::pipeline::file_part::FilePart;
use crate::pipeline::stages::Stage;
use crate::spec::{OutputFormat, RenderSpec, Representation, SvgOptions};
use crate::units::{Mm, Px};
use crate::vector::weld;

impl Production<'_> {
    /// Makes the page as an SVG. A long file has several parts.
    pub(super) fn generate_svg(
        &mut self,
        spec: &RenderSpec,
        options: &SvgOptions,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let (clock, is_wanted) = (&self.engine.clock, self.control.is_wanted);
        let laid_out = self.prepare_page(spec)?;
        let mut page = self.paths(spec, laid_out.first_page(), 0)?;
        let pictures = self.svg_pictures(spec)?;
        if spec.representation() == Representation::Welded {
            page = self.timed(Stage::Compose, || weld(page, is_wanted))?;
        }
        let (before, started) = (*self.times, clock.monotonic());
        let until_now = || {
            let mut times = before;
            times.add(Stage::Encode, clock.monotonic().duration_since(started));
            times
        };
        let mut unsent = Some(laid_out.file);
        let mut give_part = |bytes, is_last| give(FilePart::of(&mut unsent, bytes, is_last, until_now()));
        let rest =
            encode_svg(&page, &pictures, spec.page.mm(), options, is_wanted, &mut |part| give_part(part, false))?;
        give_part(rest, true);
        *self.times = until_now();
        Ok(())
    }
}

/// The width of the pen, if the page has strokes: as the request says, or that of the font at its size.
pub(super) fn pen(spec: &RenderSpec, layout: &PageLayout, catalogue: &FontCatalogue) -> Option<Mm> {
    let OutputFormat::Svg(options) = &spec.output else { return None };
    let of_font = || {
        let ems = catalogue.face(spec.font).strokes().map_or(0.0, FontStrokes::pen_em);
        Px::new(ems * layout.font_size.get()).to_mm()
    };
    (options.paths == Representation::Strokes).then(|| options.stroke_width_mm.map_or_else(of_font, Mm::new))
}
