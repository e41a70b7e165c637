//! SVG files: one page of paths.

use super::Engine;
use crate::catalogue::{FontCatalogue, FontStrokes};
use crate::encode::encode_svg;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::laid_out::LaidOutFile;
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::{FilePart, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::writings::{Pages, refuse_characters_without_strokes, refuse_fonts_without_strokes};
use crate::preflight::spec_warnings;
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
        let catalogue = &*self.catalogue_of(spec, control)?;
        refuse_fonts_without_strokes(spec, catalogue)?;
        let laid_out = self.lay_out(spec, Pages::One, spec.drawn_dpi().scale(), catalogue, times, control)?;
        refuse_characters_without_strokes(&laid_out, catalogue)?;
        refuse_errors(spec, &laid_out, catalogue)?;
        let LaidOutFile { pages, calculated_font_size, blocks, mut warnings } = laid_out;
        let writings = pages.first().map(Vec::as_slice).unwrap_or_default();
        let mut page = self.paths(spec, writings, 0, catalogue, times, control)?;
        if spec.writing() == Writing::Welded {
            page = times.time(Stage::Compose, &self.clock, || weld(page, control.is_wanted))?;
        }
        let [width, height] = Self::pixels(spec.page.px(), spec);
        warnings.extend(spec_warnings(spec));
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
pub(super) fn pen(spec: &RenderSpec, layout: &PageLayout, catalogue: &FontCatalogue) -> Option<Mm> {
    let OutputFormat::Svg(options) = &spec.output else { return None };
    let of_font = || {
        let ems = catalogue.face(spec.font).strokes().map_or(0.0, FontStrokes::pen_em);
        Px::new(ems * layout.font_size.get()).to_mm()
    };
    (options.paths == SvgPaths::Strokes).then(|| options.stroke_width.unwrap_or_else(of_font))
}
