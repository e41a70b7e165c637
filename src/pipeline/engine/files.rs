//! Files in parts: PDFs page by page.

use super::Engine;
use super::svg::pen;
use crate::catalogue::FontCatalogue;
use crate::encode::{InkImage, LayeredPage, PageColors, PageImage, PdfDocument, PdfFile, PdfPage, encode_pdf};
use crate::geometry::{Point, Size};
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::laid_out::{LaidOutFile, LaidOutWriting, inked_window};
use crate::pipeline::layers::DrawnLayer;
use crate::pipeline::preflight::refuse_errors;
use crate::pipeline::rendered_file::{DrawnPages, FilePart, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::vector_estimate::path_kind;
use crate::pipeline::writings::Pages;
use crate::preflight::spec_warnings;
use crate::raster::{Coverage, crop};
use crate::scene::ComposeError;
use crate::scene::RenderParams;
use crate::spec::{OutputFormat, PressPlan, RenderSpec, TextLayer, Writing};
use crate::units::Px;
use crate::vector::{TextWord, VectorPage, VectorWriting, text_words, vector_writing};
use crate::work::Stopped;

impl Engine {
    /// Makes a PDF or an SVG and gives each part away when it is ready.
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
        match &spec.output {
            OutputFormat::Png => Err(RenderError::Failed("a PNG has no parts".to_owned())),
            OutputFormat::Pdf(plan) => self.generate_pdf(spec, plan, times, control, give),
            OutputFormat::Svg(options) => self.generate_svg(spec, options, times, control, give),
        }
    }

    /// Makes a PDF. Its parts are the first page with all bytes before it, each further page, and the end. A file of
    /// one page is one part.
    fn generate_pdf(
        &self,
        spec: &RenderSpec,
        plan: &PressPlan,
        times: &mut StageTimes,
        control: &JobControl<'_>,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let (scale, catalogue) = (spec.drawn_dpi().scale(), &*self.catalogue_of(spec, control)?);
        let laid_out = self.lay_out(spec, Pages::All, scale, catalogue, times, control)?;
        refuse_errors(spec, &laid_out, catalogue)?;
        let LaidOutFile { mut pages, calculated_font_size, blocks, mut warnings } = laid_out;
        let colors = PageColors::new(spec.lowest_ink(), plan.colors, &self.profiles)?
            .with_inks(spec.inks())?
            .with_inks(spec.drawn_rules().map(|rules| rules.color))?;
        let title = spec.file_stem();
        let mut file = PdfFile::new(self.document(spec, plan, &colors, &title), pages.len(), spec.has_layers());
        let mut part = |file: &mut PdfFile<'_>, page: usize, writings: &[LaidOutWriting]| {
            let page = self.page(spec, writings, page, catalogue, times, control)?;
            let mut bytes = Vec::new();
            times.time(Stage::Encode, &self.clock, || file.append_page(&page, &mut bytes));
            Ok::<_, RenderError>((bytes, *times))
        };
        let first = pages.remove(0);
        let is_whole = pages.is_empty();
        let (mut bytes, times) = part(&mut file, 0, &first)?;
        if is_whole {
            file.append_end(&mut bytes);
        }
        warnings.extend(spec_warnings(spec));
        let [width, height] = Self::pixels(spec.page.px(), spec);
        let (seed, writing) = (spec.seed, spec.writing());
        let rendered_file =
            RenderedFile { bytes, width, height, calculated_font_size, seed, writing, blocks, warnings };
        give(FilePart::Start { rendered_file, is_whole, times });
        if is_whole {
            return Ok(());
        }
        for (page, writings) in (1..).zip(&pages) {
            let (bytes, ..) = part(&mut file, page, writings)?;
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
        let (scale, catalogue) = (spec.drawn_dpi().scale(), &*self.catalogue_of(spec, &control)?);
        let laid_out = self.lay_out(spec, Pages::All, scale, catalogue, times, &control)?;
        refuse_errors(spec, &laid_out, catalogue)?;
        let LaidOutFile { pages: laid_out, calculated_font_size, mut warnings, .. } = laid_out;
        let mut pages = Vec::with_capacity(laid_out.len());
        for (number, writings) in laid_out.iter().enumerate() {
            pages.push(self.page(spec, writings, number, catalogue, times, &control)?);
        }
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
        let colors = PageColors::new(spec.lowest_ink(), plan.colors, &self.profiles)?
            .with_inks(pages.iter().flat_map(PdfPage::inks))?;
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
        writings: &[LaidOutWriting],
        number: usize,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<PdfPage, RenderError> {
        let has_text = matches!(&spec.output, OutputFormat::Pdf(plan) if plan.text_layer == TextLayer::Invisible);
        let words: Vec<TextWord> = if has_text {
            writings.iter().flat_map(|writing| text_words(&writing.layout)).collect()
        } else {
            Vec::new()
        };
        let scale = spec.drawn_dpi().scale();
        let params = |spec: &RenderSpec| RenderParams::of(spec, scale).on_page(number as u32);
        if spec.writing() == Writing::Outlines {
            let page = PdfPage::from(self.paths(spec, writings, number, catalogue, times, control)?);
            return Ok(PdfPage { words, ..page });
        }
        let layers = self.draw_inks(writings, params, catalogue, times, control)?;
        let rules = spec.drawn_rules();
        let pack = |coverage: &Coverage| PageImage::of_while(coverage, control.is_wanted);
        let packed = times.time(Stage::Encode, &self.clock, || {
            if let ([only], None) = (layers.as_slice(), &rules) {
                return Ok(pack(&only.coverage)?.into());
            }
            let mut images = Vec::with_capacity(layers.len());
            for (number, DrawnLayer { coverage, ink }) in layers.into_iter().enumerate() {
                if number == 0 {
                    images.push(InkImage { image: pack(&coverage)?, ink, corner: Point::new(0, 0) });
                } else if let Some(window) = inked_window(&coverage) {
                    images.push(InkImage { image: pack(&crop(coverage, window))?, ink, corner: window.min });
                }
            }
            Ok::<PdfPage, Stopped>(LayeredPage { rules, images }.into())
        });
        Ok(PdfPage { words, ..packed? })
    }

    /// Page `number` of a file as paths.
    pub(super) fn paths(
        &self,
        spec: &RenderSpec,
        writings: &[LaidOutWriting],
        number: usize,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<VectorPage, RenderError> {
        let kind = path_kind(spec.writing());
        let composed = || {
            let composed = |LaidOutWriting { spec, layout, .. }: &LaidOutWriting| {
                let params = RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number as u32);
                let writing = vector_writing(layout, &params, kind, catalogue, &self.meshes, control.is_wanted)?;
                Ok::<_, ComposeError>(VectorWriting { ink: spec.ink, pen: pen(spec, layout, catalogue), ..writing })
            };
            let writings = writings.iter().map(composed).collect::<Result<_, _>>()?;
            Ok::<_, ComposeError>(VectorPage { size: spec.page.px(), rules: spec.drawn_rules(), writings })
        };
        Ok(times.time(Stage::Compose, &self.clock, composed)?)
    }

    /// Width and height of a page in whole device px of the request's resolution.
    pub(super) fn pixels(page: Size<Px>, spec: &RenderSpec) -> [u32; 2] {
        [page.width, page.height].map(|length| length.to_device(spec.dpi.scale()).get().round() as u32)
    }
}
