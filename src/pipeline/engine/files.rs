//! Files: PNGs in one piece, PDFs page by page.

use super::Engine;
use super::artwork::shows_artwork;
use super::layers::{DrawnLayer, as_inks, rules_layer};
use super::production::Production;
use super::svg::pen;
use crate::encode::{
    Drawing, Ground, InkImage, LayeredPage, PageColors, PageImage, PageKinds, PdfDocument, PdfFile, PdfPage,
    ProfileDefect, encode_layers_while, encode_pdf,
};
use crate::geometry::Point;
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::vector_estimate::path_kind;
use crate::pipeline::error::RenderError;
use crate::pipeline::file_part::FilePart;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutText, SheetPage, inked_window};
use crate::pipeline::rendered_file::{DrawnPages, RenderedFile};
use crate::pipeline::stages::Stage;
use crate::raster::{Coverage, crop, grained};
use crate::scene::{ComposeError, RenderParams};
use crate::spec::{OutputFormat, PressPlan, RenderSpec, Representation, TextLayer};
use crate::vector::{TextWord, VectorPage, VectorText, text_words, vector_text};
use crate::work::Stopped;

impl Engine {
    fn document<'a>(
        &self,
        spec: &RenderSpec,
        plan: &'a PressPlan,
        colors: &'a PageColors<'a>,
        title: &'a str,
    ) -> PdfDocument<'a> {
        let created = spec.created.unwrap_or_else(|| self.clock.timestamp());
        PdfDocument { plan, dpi: spec.dpi_of_sides(), colors, title, created }
    }

    /// The colours of all inks of a page.
    pub(super) fn colors(&self, spec: &RenderSpec, plan: &PressPlan) -> Result<PageColors<'_>, ProfileDefect> {
        let inks =
            spec.sides().flat_map(|side| side.inks().into_iter().chain(side.drawn_rules().map(|rules| rules.color)));
        PageColors::new(spec.lowest_ink(), plan.colors, &self.profiles)?.with_inks(inks)
    }
}

impl Production<'_> {
    /// Makes the page at full quality, or all pages of its file.
    pub(in crate::pipeline) fn generate(&mut self, spec: &RenderSpec) -> Result<RenderedFile, RenderError> {
        let (mut whole, mut rest) = (None, Vec::new());
        self.generate_file(spec, &mut |part| match part {
            FilePart::Start(start, _) => whole = Some(start.rendered_file),
            FilePart::Next(bytes) | FilePart::End(bytes) => rest.push(bytes),
        })?;
        let mut whole = whole.ok_or_else(RenderError::without_page)?;
        whole.bytes.extend(rest.into_iter().flatten());
        Ok(whole)
    }

    /// Makes a file and gives each part away when it is ready.
    ///
    /// # Errors
    /// As [`Engine::generate`]; [`RenderError::Abandoned`] once it is not wanted.
    pub(in crate::pipeline) fn generate_file(
        &mut self,
        spec: &RenderSpec,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        match &spec.output {
            OutputFormat::Png => self.generate_png(spec, give),
            OutputFormat::Pdf(plan) => self.generate_pdf(spec, plan, give),
            OutputFormat::Svg(options) => self.generate_svg(spec, options, give),
        }
    }

    /// Makes a PNG, which is one part.
    fn generate_png(&mut self, spec: &RenderSpec, give: &mut dyn FnMut(FilePart)) -> Result<(), RenderError> {
        let (scale, is_wanted) = (spec.dpi.scale(), self.control.is_wanted);
        let laid_out = self.prepare_page(spec)?;
        let mut layers = self.draw_inks(laid_out.first_page(), |spec| RenderParams::of(spec, scale))?;
        let backdrop = self.picture_backdrop(spec, scale)?;
        let ground = Ground { paper: None, backdrop: backdrop.as_ref() };
        let bytes = self.timed(Stage::Encode, || {
            layers.splice(0..0, rules_layer(spec, scale));
            encode_layers_while(&as_inks(&layers), ground, spec.png_format, scale, is_wanted)
        })?;
        give(FilePart::of(&mut Some(laid_out.file), bytes, true, *self.times));
        Ok(())
    }

    /// Makes a PDF. Each page is a part, the first with all bytes before it, the last with the end of the file.
    fn generate_pdf(
        &mut self,
        spec: &RenderSpec,
        plan: &PressPlan,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let engine = self.engine;
        let sheet = self.prepare(spec, Aim::File)?;
        let (colors, title) = (engine.colors(spec, plan)?, spec.file_stem());
        let count = sheet.pages().count();
        let kinds = PageKinds {
            has_layers: spec.sides().any(|side| side.has_layers() || side.lowest_ink() != spec.lowest_ink()),
            has_drawings: spec.sides().any(|side| (0..side.artwork.len()).any(|at| side.shows_drawing(at))),
        };
        let mut pdf = PdfFile::new(engine.document(spec, plan, &colors, &title), count, kinds);
        let mut unsent = sheet.file();
        for (at, page) in (1..).zip(sheet.pages()) {
            let page = self.page(page, &colors)?;
            let is_last = at == count;
            let mut bytes = Vec::new();
            self.timed(Stage::Encode, || pdf.append_page(&page, &mut bytes));
            if is_last {
                pdf.append_end(&mut bytes);
            }
            give(FilePart::of(&mut unsent, bytes, is_last, *self.times));
        }
        Ok(())
    }

    /// Draws the pages of one text for [`bind`](Self::bind). Packs each page before it draws the next.
    ///
    /// # Errors
    /// As [`Engine::generate`].
    pub(in crate::pipeline) fn draw_pages(&mut self, spec: &RenderSpec) -> Result<DrawnPages, RenderError> {
        let sheet = self.prepare(spec, Aim::File)?;
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only pages of a PDF are drawn ahead".to_owned()));
        };
        let engine = self.engine;
        let colors = engine.colors(spec, plan)?;
        let pages = sheet.pages().map(|page| self.page(page, &colors)).collect::<Result<_, _>>()?;
        let file = sheet.file().ok_or_else(RenderError::without_page)?;
        Ok(DrawnPages { pages, calculated_font_size: file.calculated_font_size, warnings: file.warnings })
    }

    /// Makes one PDF of pages that were all drawn for the paper, resolution, ink and press options of `spec`.
    ///
    /// # Errors
    /// If the output of `spec` is no PDF, or lcms2 cannot use the profile.
    pub(in crate::pipeline) fn bind(&mut self, spec: &RenderSpec, pages: &[PdfPage]) -> Result<Vec<u8>, RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF is bound".to_owned()));
        };
        let (engine, title) = (self.engine, spec.file_stem());
        let colors = PageColors::new(spec.lowest_ink(), plan.colors, &engine.profiles)?
            .with_inks(pages.iter().flat_map(PdfPage::inks))?;
        let document = engine.document(spec, plan, &colors, &title);
        Ok(self.timed(Stage::Encode, || encode_pdf(&document, pages)))
    }

    /// A page of a file: outlined, or drawn and packed; with its artwork.
    fn page(
        &mut self,
        SheetPage { spec, number, texts }: SheetPage<'_>,
        colors: &PageColors<'_>,
    ) -> Result<PdfPage, RenderError> {
        let has_text = matches!(&spec.output, OutputFormat::Pdf(plan) if plan.text_layer == TextLayer::Invisible);
        let words: Vec<TextWord> =
            if has_text { texts.iter().flat_map(|text| text_words(&text.layout)).collect() } else { Vec::new() };
        let scale = spec.drawn_dpi().scale();
        let params = |spec: &RenderSpec| RenderParams::of(spec, scale).on_page(number as u32);
        let is_mixed = spec.is_for_press() && shows_artwork(spec, number);
        if spec.representation() == Representation::Outlines {
            let artwork =
                if is_mixed { self.press_pictures(spec, number, colors)? } else { self.screen_pictures(spec, number)? };
            return Ok(PdfPage { drawing: Drawing::Outlines(self.paths(spec, texts, number)?), words, artwork });
        }
        let mut layers = self.draw_inks(texts, params)?;
        if spec.prints_grain() {
            let seed = spec.seed.wrapping_add(number as u32);
            let grained = |layer: DrawnLayer| DrawnLayer { coverage: grained(layer.coverage, seed), ..layer };
            layers = self.timed(Stage::Encode, || layers.into_iter().map(grained).collect());
        }
        if is_mixed {
            layers.splice(0..0, rules_layer(spec, scale));
            let artwork = self.mixed_picture(spec, number, colors, &layers)?;
            let drawing = Drawing::Layers(LayeredPage { rules: None, images: Vec::new() });
            return Ok(PdfPage { drawing, words, artwork });
        }
        let artwork = self.screen_pictures(spec, number)?;
        let rules = spec.drawn_rules();
        let is_wanted = self.control.is_wanted;
        let pack = |coverage: &Coverage| PageImage::of_while(coverage, is_wanted);
        let drawing = self.timed(Stage::Encode, || {
            // The file has one ink for such pages: that of the front.
            if let ([only], None) = (layers.as_slice(), &rules)
                && only.ink == colors.ink()
            {
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
        Ok(PdfPage { drawing: drawing?, words, artwork })
    }

    /// Page `number` of a file as paths.
    pub(super) fn paths(
        &mut self,
        spec: &RenderSpec,
        texts: &[LaidOutText],
        number: usize,
    ) -> Result<VectorPage, RenderError> {
        let (kind, meshes) = (path_kind(spec.representation()), &self.engine.meshes);
        let JobControl { catalogue, is_wanted, .. } = self.control;
        let composed = || {
            let composed = |LaidOutText { spec, layout, .. }: &LaidOutText| {
                let params = RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number as u32);
                let text = vector_text(layout, &params, kind, catalogue, meshes, is_wanted)?;
                Ok::<_, ComposeError>(VectorText { ink: spec.ink, pen: pen(spec, layout, catalogue), ..text })
            };
            let texts = texts.iter().map(composed).collect::<Result<_, _>>()?;
            Ok::<_, ComposeError>(VectorPage { size: spec.page.px(), rules: spec.drawn_rules(), texts })
        };
        Ok(self.timed(Stage::Compose, composed)?)
    }
}
