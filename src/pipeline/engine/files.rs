//! Files in parts: PDFs page by page.

use super::Engine;
use super::layers::DrawnLayer;
use super::production::Production;
use super::svg::pen;
use crate::encode::{Drawing, InkImage, LayeredPage, PageColors, PageImage, PdfDocument, PdfFile, PdfPage, encode_pdf};
use crate::geometry::{Point, Size};
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::vector_estimate::path_kind;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutFile, LaidOutWriting, inked_window};
use crate::pipeline::rendered_file::{DrawnPages, FilePart, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
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
        let mut production = Production::new(self, times, control);
        let LaidOutFile { mut pages, calculated_font_size, blocks, warnings } =
            production.prepare(spec, Aim::File, spec.drawn_dpi().scale())?;
        let colors = PageColors::new(spec.lowest_ink(), plan.colors, &self.profiles)?
            .with_inks(spec.inks())?
            .with_inks(spec.drawn_rules().map(|rules| rules.color))?;
        let title = spec.file_stem();
        let mut file = PdfFile::new(self.document(spec, plan, &colors, &title), pages.len(), spec.has_layers());
        let mut part = |file: &mut PdfFile<'_>, page: usize, writings: &[LaidOutWriting]| {
            let page = production.page(spec, writings, page)?;
            let mut bytes = Vec::new();
            production.timed(Stage::Encode, || file.append_page(&page, &mut bytes));
            Ok::<_, RenderError>((bytes, *production.times))
        };
        let first = pages.remove(0);
        let is_whole = pages.is_empty();
        let (mut bytes, times) = part(&mut file, 0, &first)?;
        if is_whole {
            file.append_end(&mut bytes);
        }
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
        let mut production = Production::new(self, times, &control);
        let LaidOutFile { pages, calculated_font_size, warnings, .. } =
            production.prepare(spec, Aim::File, spec.drawn_dpi().scale())?;
        let pages = pages.iter().enumerate().map(|(number, writings)| production.page(spec, writings, number));
        let pages = pages.collect::<Result<_, _>>()?;
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

    fn document<'a>(
        &self,
        spec: &RenderSpec,
        plan: &'a PressPlan,
        colors: &'a PageColors<'a>,
        title: &'a str,
    ) -> PdfDocument<'a> {
        PdfDocument { plan, dpi: spec.dpi, colors, title, created: self.clock.timestamp() }
    }

    /// Width and height of a page in whole device px of the request's resolution.
    pub(in crate::pipeline) fn pixels(page: Size<Px>, spec: &RenderSpec) -> [u32; 2] {
        [page.width, page.height].map(|length| length.to_device(spec.dpi.scale()).get().round() as u32)
    }
}

impl Production<'_> {
    /// Page `number` of a file: outlined, or drawn and packed.
    fn page(&mut self, spec: &RenderSpec, writings: &[LaidOutWriting], number: usize) -> Result<PdfPage, RenderError> {
        let has_text = matches!(&spec.output, OutputFormat::Pdf(plan) if plan.text_layer == TextLayer::Invisible);
        let words: Vec<TextWord> = if has_text {
            writings.iter().flat_map(|writing| text_words(&writing.layout)).collect()
        } else {
            Vec::new()
        };
        let scale = spec.drawn_dpi().scale();
        let params = |spec: &RenderSpec| RenderParams::of(spec, scale).on_page(number as u32);
        if spec.writing() == Writing::Outlines {
            return Ok(PdfPage { drawing: Drawing::Outlines(self.paths(spec, writings, number)?), words });
        }
        let layers = self.draw_inks(writings, params)?;
        let rules = spec.drawn_rules();
        let is_wanted = self.control.is_wanted;
        let pack = |coverage: &Coverage| PageImage::of_while(coverage, is_wanted);
        let drawing = self.timed(Stage::Encode, || {
            if let ([only], None) = (layers.as_slice(), &rules) {
                return Ok(Drawing::Image(pack(&only.coverage)?));
            }
            let mut images = Vec::with_capacity(layers.len());
            for (number, DrawnLayer { coverage, ink }) in layers.into_iter().enumerate() {
                if number == 0 {
                    images.push(InkImage { image: pack(&coverage)?, ink, corner: Point::new(0, 0) });
                } else if let Some(window) = inked_window(&coverage) {
                    images.push(InkImage { image: pack(&crop(coverage, window))?, ink, corner: window.min });
                }
            }
            Ok::<_, Stopped>(Drawing::Layers(LayeredPage { rules, images }))
        });
        Ok(PdfPage { drawing: drawing?, words })
    }

    /// Page `number` of a file as paths.
    pub(in crate::pipeline) fn paths(
        &mut self,
        spec: &RenderSpec,
        writings: &[LaidOutWriting],
        number: usize,
    ) -> Result<VectorPage, RenderError> {
        let (kind, meshes, is_wanted) = (path_kind(spec.writing()), &self.engine.meshes, self.control.is_wanted);
        let catalogue = &*self.catalogue;
        let composed = || {
            let composed = |LaidOutWriting { spec, layout, .. }: &LaidOutWriting| {
                let params = RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number as u32);
                let writing = vector_writing(layout, &params, kind, catalogue, meshes, is_wanted)?;
                Ok::<_, ComposeError>(VectorWriting { ink: spec.ink, pen: pen(spec, layout, catalogue), ..writing })
            };
            let writings = writings.iter().map(composed).collect::<Result<_, _>>()?;
            Ok::<_, ComposeError>(VectorPage { size: spec.page.px(), rules: spec.drawn_rules(), writings })
        };
        Ok(self.times.time(Stage::Compose, &self.engine.clock, composed)?)
    }
}
