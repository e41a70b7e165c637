//! SVG files: one page of paths.

use super::Engine;
use crate::catalogue::{FontCatalogue, FontFace, FontStrokes};
use crate::encode::encode_svg;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::RenderedFile;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::strokes::{refuse_characters, refuse_font};
use crate::preflight::spec_warnings;
use crate::spec::{RenderSpec, SvgOptions, SvgPaths, Writing};
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
        let catalogue = &*self.catalogue_for(spec.font)?;
        if options.paths == SvgPaths::Strokes {
            refuse_font(catalogue, spec.font)?;
        }
        let layout = self.lay_out_one(spec, spec.drawn_dpi().scale(), catalogue, times, control)?;
        if options.paths == SvgPaths::Strokes {
            refuse_characters(catalogue, &layout)?;
        }
        refuse_errors(spec, std::slice::from_ref(&layout), catalogue)?;
        let bytes = self.svg(spec, options, &layout, catalogue, times, control)?;
        let [width, height] = Self::pixels(layout.size, spec);
        let mut warnings = layout.warnings;
        warnings.extend(spec_warnings(spec));
        let (calculated_font_size, seed, writing) = (layout.calculated_font_size, spec.seed, spec.writing());
        Ok(RenderedFile { bytes, width, height, calculated_font_size, seed, writing, warnings })
    }

    /// The bytes of the file with this page.
    pub(super) fn svg(
        &self,
        spec: &RenderSpec,
        options: &SvgOptions,
        layout: &PageLayout,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<u8>, RenderError> {
        let page = self.paths(spec, layout, 0, catalogue, times, control)?;
        let writing = spec.writing();
        let page =
            if writing == Writing::Welded { times.time(Stage::Compose, &self.clock, || weld(page)) } else { page };
        let pen = (writing == Writing::Strokes)
            .then(|| options.stroke_width.unwrap_or_else(|| pen(catalogue.face(spec.font), layout.font_size)));
        let paper = spec.page.mm();
        Ok(times.time(Stage::Encode, &self.clock, || encode_svg(&page, paper, spec.ink, pen, options.group_by)))
    }
}

/// The width of a font's pen at a size.
fn pen(face: &FontFace, em: Px) -> Mm {
    let ems = face.strokes().map_or(0.0, FontStrokes::pen_em);
    Px::new(ems * em.get()).to_mm()
}
