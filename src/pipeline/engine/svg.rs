//! SVG files: one page of paths.

use super::Engine;
use crate::catalogue::{FontCatalogue, FontStrokes};
use crate::encode::encode_svg;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::laid_out::{LaidOutFile, LaidOutWriting};
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::RenderedFile;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::writings::{Pages, refuse_characters_without_strokes, refuse_fonts_without_strokes};
use crate::preflight::spec_warnings;
use crate::spec::{OutputFormat, RenderSpec, SvgOptions, SvgPaths, Writing};
use crate::units::{Mm, Px};
use crate::vector::weld;

impl Engine {
    /// Makes the page as an SVG.
    pub(super) fn generate_svg(
        &self,
        spec: &RenderSpec,
        options: &SvgOptions,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        let catalogue = &*self.catalogue_of(spec, control)?;
        refuse_fonts_without_strokes(spec, catalogue)?;
        let laid_out = self.lay_out(spec, Pages::One, spec.drawn_dpi().scale(), catalogue, times, control)?;
        refuse_characters_without_strokes(&laid_out, catalogue)?;
        refuse_errors(spec, &laid_out, catalogue)?;
        let LaidOutFile { pages, calculated_font_size, blocks, mut warnings } = laid_out;
        let writings = pages.first().map(Vec::as_slice).unwrap_or_default();
        let bytes = self.svg(spec, options, writings, catalogue, times, control)?;
        let [width, height] = Self::pixels(spec.page.px(), spec);
        warnings.extend(spec_warnings(spec));
        let (seed, writing) = (spec.seed, spec.writing());
        Ok(RenderedFile { bytes, width, height, calculated_font_size, seed, writing, blocks, warnings })
    }

    /// The bytes of the file with this page.
    pub(super) fn svg(
        &self,
        spec: &RenderSpec,
        options: &SvgOptions,
        writings: &[LaidOutWriting],
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<u8>, RenderError> {
        let page = self.paths(spec, writings, 0, catalogue, times, control)?;
        let writing = spec.writing();
        let page =
            if writing == Writing::Welded { times.time(Stage::Compose, &self.clock, || weld(page)) } else { page };
        let paper = spec.page.mm();
        Ok(times.time(Stage::Encode, &self.clock, || encode_svg(&page, paper, options.group_by)))
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
