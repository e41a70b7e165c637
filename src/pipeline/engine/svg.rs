//! SVG files: one page of paths.

use super::Engine;
use super::production::Production;
use crate::catalogue::{FontCatalogue, FontStrokes};
use crate::encode::encode_svg;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::LaidOutFile;
use crate::pipeline::rendered_file::{FilePart, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::spec::{OutputFormat, RenderSpec, SvgOptions, SvgPaths, Writing};
use crate::units::{Mm, Px};
use crate::vector::weld;

impl Engine {
    /// Makes the page as an SVG. A long file has several parts.
    pub(super) fn generate_svg(
        &self,
        spec: &RenderSpec,
        options: &SvgOptions,
        times: &mut StageTimes,
        control: &JobControl<'_>,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let mut production = Production::new(self, times, control);
        let LaidOutFile { pages, calculated_font_size, blocks, warnings } =
            production.prepare(spec, Aim::File, spec.drawn_dpi().scale())?;
        let writings = pages.first().map(Vec::as_slice).unwrap_or_default();
        let mut page = production.paths(spec, writings, 0)?;
        if spec.writing() == Writing::Welded {
            page = production.timed(Stage::Compose, || weld(page, control.is_wanted))?;
        }
        let [width, height] = Self::pixels(spec.page.px(), spec);
        let (seed, writing) = (spec.seed, spec.writing());
        let file =
            RenderedFile { bytes: Vec::new(), width, height, calculated_font_size, seed, writing, blocks, warnings };
        let (before, started) = (*times, self.clock.monotonic());
        let until_now = || {
            let mut times = before;
            times.add(Stage::Encode, self.clock.monotonic().duration_since(started));
            times
        };
        let mut unsent = Some(file);
        let mut give_part = |bytes, is_last| match unsent.take() {
            Some(file) => {
                let rendered_file = RenderedFile { bytes, ..file };
                give(FilePart::Start { rendered_file, is_whole: is_last, times: until_now() });
            }
            None => give(if is_last { FilePart::End(bytes) } else { FilePart::Next(bytes) }),
        };
        let rest = encode_svg(&page, spec.page.mm(), options, control.is_wanted, &mut |part| give_part(part, false))?;
        give_part(rest, true);
        *times = until_now();
        Ok(())
    }
}

/// The width of the pen, if the page has strokes: as the request says, or that of the font at its size.
pub(in crate::pipeline) fn pen(spec: &RenderSpec, layout: &PageLayout, catalogue: &FontCatalogue) -> Option<Mm> {
    let OutputFormat::Svg(options) = &spec.output else { return None };
    let of_font = || {
        let ems = catalogue.face(spec.font).strokes().map_or(0.0, FontStrokes::pen_em);
        Px::new(ems * layout.font_size.get()).to_mm()
    };
    (options.paths == SvgPaths::Strokes).then(|| options.stroke_width.unwrap_or_else(of_font))
}
