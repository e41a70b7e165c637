//! SVG files: one page of paths.

use super::Engine;
use crate::catalogue::{FontId, FontStrokes};
use crate::encode::encode_svg;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::file_warnings::file_warnings;
use crate::pipeline::rendered_file::RenderedFile;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::strokes::{refuse_characters, refuse_font};
use crate::spec::{RenderSpec, SvgOptions, SvgPaths, Writing};
use crate::units::{MM_PER_INCH, Mm, Px};
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
        if options.paths == SvgPaths::Strokes {
            refuse_font(&self.catalogue, spec.font)?;
        }
        let layout = self.lay_out_one(spec, spec.drawn_dpi().scale(), times, control)?;
        if options.paths == SvgPaths::Strokes {
            refuse_characters(&self.catalogue, &layout)?;
        }
        let page = self.paths(spec, &layout, 0, times, control)?;
        let writing = spec.writing();
        let page =
            if writing == Writing::Welded { times.time(Stage::Compose, &self.clock, || weld(page)) } else { page };
        let pen = (writing == Writing::Strokes)
            .then(|| options.stroke_width.unwrap_or_else(|| self.pen(spec.font, layout.font_size)));
        let paper = spec.page.mm();
        let bytes =
            times.time(Stage::Encode, &self.clock, || encode_svg(&page, paper, spec.ink, pen, options.group_by));
        let [width, height] = Self::pixels(layout.size, spec);
        let mut warnings = layout.warnings;
        warnings.extend(file_warnings(spec));
        let (calculated_font_size, seed) = (layout.calculated_font_size, spec.seed);
        Ok(RenderedFile { bytes, width, height, calculated_font_size, seed, writing, warnings })
    }

    /// The width of a font's pen at a size.
    fn pen(&self, font: FontId, em: Px) -> Mm {
        let ems = self.catalogue.face(font).strokes().map_or(0.0, FontStrokes::pen_em);
        Mm::new(ems * em.get() / 300.0 * MM_PER_INCH)
    }
}
