//! PDF files: all pages of a text, and their end.

use super::Engine;
use crate::catalogue::FontCatalogue;
use crate::encode::{InkImage, LayeredPage, PageColors, PageImage, PdfDocument, PdfFile, PdfPage, encode_pdf};
use crate::geometry::{Point, Size};
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::{DrawnPages, FilePart, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::preflight::spec_warnings;
use crate::scene::RenderParams;
use crate::spec::{OutputFormat, PressPlan, RenderSpec, TextLayer, Writing};
use crate::units::Px;
use crate::vector::{PathKind, VectorPage, text_words, vector_page};

impl Engine {
    /// Makes a PDF and gives each part away when it is ready: the first page with all bytes before it, each further
    /// page, and the end. A file of one page is one part.
    ///
    /// # Errors
    /// As [`generate`](Self::generate); [`RenderError::Abandoned`] once it is not wanted.
    pub(in crate::pipeline) fn generate_file(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF has parts".to_owned()));
        };
        let catalogue = &*self.catalogue_for(spec.font)?;
        let mut layouts = self.lay_out_all(spec, catalogue, times, control)?;
        refuse_errors(spec, &layouts, catalogue)?;
        let colors = PageColors::new(spec.ink, plan.colors, &self.profiles)?
            .with_inks(spec.drawn_rules().map(|rules| rules.color))?;
        let title = spec.file_stem();
        let mut file = PdfFile::new(self.document(spec, plan, &colors, &title), layouts.len(), spec.has_layers());
        let mut part = |file: &mut PdfFile<'_>, page: usize, layout: &PageLayout| {
            let page = self.page(spec, layout, page, catalogue, times, control)?;
            let mut bytes = Vec::new();
            times.time(Stage::Encode, &self.clock, || file.append_page(&page, &mut bytes));
            Ok::<_, RenderError>((bytes, *times))
        };
        let first = layouts.remove(0);
        let is_whole = layouts.is_empty();
        let (mut bytes, times) = part(&mut file, 0, &first)?;
        if is_whole {
            file.append_end(&mut bytes);
        }
        let PageLayout { size, calculated_font_size, mut warnings, .. } = first;
        warnings.extend(spec_warnings(spec));
        let [width, height] = Self::pixels(size, spec);
        let (seed, writing) = (spec.seed, spec.writing());
        let rendered_file = RenderedFile { bytes, width, height, calculated_font_size, seed, writing, warnings };
        give(FilePart::Start { rendered_file, is_whole, times });
        if is_whole {
            return Ok(());
        }
        for (page, layout) in (1..).zip(&layouts) {
            let (bytes, ..) = part(&mut file, page, layout)?;
            give(FilePart::Next(bytes));
        }
        let mut end = Vec::new();
        file.append_end(&mut end);
        give(FilePart::End(end));
        Ok(())
    }

    /// Draws the pages of one text for [`bind`](Self::bind). Packs each page before it draws the next.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub(in crate::pipeline) fn draw_pages(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
    ) -> Result<DrawnPages, RenderError> {
        let control = JobControl::default();
        let catalogue = &*self.catalogue_for(spec.font)?;
        let mut layouts = self.lay_out_all(spec, catalogue, times, &control)?;
        refuse_errors(spec, &layouts, catalogue)?;
        let mut pages = Vec::with_capacity(layouts.len());
        for (number, layout) in layouts.iter().enumerate() {
            pages.push(self.page(spec, layout, number, catalogue, times, &control)?);
        }
        let PageLayout { calculated_font_size, mut warnings, .. } = layouts.swap_remove(0);
        warnings.extend(spec_warnings(spec));
        Ok(DrawnPages { pages, calculated_font_size, warnings })
    }

    /// Makes one PDF of pages that were all drawn for the paper, resolution, ink and press options of `spec`.
    ///
    /// # Errors
    /// If the output of `spec` is no PDF, or lcms2 cannot use the profile.
    pub fn bind(&self, spec: &RenderSpec, pages: &[PdfPage], times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF is bound".to_owned()));
        };
        let colors =
            PageColors::new(spec.ink, plan.colors, &self.profiles)?.with_inks(pages.iter().flat_map(PdfPage::inks))?;
        let title = spec.file_stem();
        let document = self.document(spec, plan, &colors, &title);
        Ok(times.time(Stage::Encode, &self.clock, || encode_pdf(&document, pages)))
    }

    pub(super) fn document<'a>(
        &self,
        spec: &RenderSpec,
        plan: &'a PressPlan,
        colors: &'a PageColors<'a>,
        title: &'a str,
    ) -> PdfDocument<'a> {
        PdfDocument { plan, dpi: spec.dpi, colors, title, created: self.clock.timestamp() }
    }

    /// Page `number` of a file: outlined, or drawn and packed.
    pub(super) fn page(
        &self,
        spec: &RenderSpec,
        layout: &PageLayout,
        number: usize,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<PdfPage, RenderError> {
        let has_text = matches!(&spec.output, OutputFormat::Pdf(plan) if plan.text_layer == TextLayer::Invisible);
        let words = if has_text { text_words(layout) } else { Vec::new() };
        if spec.writing() == Writing::Outlines {
            let page = PdfPage::from(self.paths(spec, layout, number, catalogue, times, control)?);
            return Ok(PdfPage { words, ..page });
        }
        let params = RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number as u32);
        let coverage = self.draw(layout, &params, catalogue, times, control)?;
        let image = times.time(Stage::Encode, &self.clock, || PageImage::of_while(&coverage, control.is_wanted))?;
        if layout.rules.is_none() {
            return Ok(PdfPage { words, ..image.into() });
        }
        let images = vec![InkImage { image, ink: spec.ink, corner: Point::new(0, 0) }];
        Ok(PdfPage { words, ..LayeredPage { rules: layout.rules.clone(), images }.into() })
    }

    /// Page `number` of a file as paths.
    pub(super) fn paths(
        &self,
        spec: &RenderSpec,
        layout: &PageLayout,
        number: usize,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<VectorPage, RenderError> {
        let params = RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number as u32);
        let kind = if spec.writing() == Writing::Strokes { PathKind::Strokes } else { PathKind::Outlines };
        let composed = || vector_page(layout, &params, kind, catalogue, &self.meshes, control.is_wanted);
        Ok(times.time(Stage::Compose, &self.clock, composed)?)
    }

    /// Width and height of a page in whole device px of the request's resolution.
    pub(super) fn pixels(page: Size<Px>, spec: &RenderSpec) -> [u32; 2] {
        [page.width, page.height].map(|length| length.to_device(spec.dpi.scale()).get().round() as u32)
    }
}
