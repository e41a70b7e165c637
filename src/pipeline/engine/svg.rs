//! SVG files: one page of paths.

use super::Engine;
use crate::encode::encode_svg;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::RenderedFile;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::preflight::spec_warnings;
use crate::spec::{RenderSpec, SvgOptions, Writing};
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
        let catalogue = &*self.catalogue_for(spec.font)?;
        let layout = self.lay_out_one(spec, spec.drawn_dpi().scale(), catalogue, times, control)?;
        refuse_errors(spec, std::slice::from_ref(&layout), catalogue)?;
        let page = self.paths(spec, &layout, 0, catalogue, times, control)?;
        let writing = spec.writing();
        let page =
            if writing == Writing::Welded { times.time(Stage::Compose, &self.clock, || weld(page)) } else { page };
        let paper = spec.page.mm();
        let bytes = times.time(Stage::Encode, &self.clock, || encode_svg(&page, paper, spec.ink, options.group_by));
        let [width, height] = Self::pixels(layout.size, spec);
        let mut warnings = layout.warnings;
        warnings.extend(spec_warnings(spec));
        let (calculated_font_size, seed) = (layout.calculated_font_size, spec.seed);
        Ok(RenderedFile { bytes, width, height, calculated_font_size, seed, writing, warnings })
    }
}
