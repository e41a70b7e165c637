//! All stages of a page in order: lay out, compose, draw, encode.

use std::sync::Arc;

use super::bounds::{check_cost, layout_budget};
use super::control::JobControl;
use super::error::{RenderError, StartError};
use super::ink_contrast::{invisible_ink, preview_paper};
use super::press_warnings::press_warnings;
use super::rendered_file::{DrawnPages, FilePart, Preview, RenderedFile};
use super::specimen::{SHEET, specimen, specimen_sheet};
use super::stages::{Stage, StageTimes};
use super::watermark::watermark;
use crate::catalogue::{FontCatalogue, FontId};
use crate::clock::Clock;
use crate::encode::{
    OutputProfiles, PageColors, PageImage, PdfDocument, PdfFile, encode_pdf, encode_png, encode_png_on,
    encode_png_while,
};
use crate::geometry::{Point, Rect};
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStatus, Renderer};
use crate::layout::{PageLayout, lay_out_pages_within, lay_out_within};
use crate::mesh::MeshCache;
use crate::raster::{Coverage, crop, stamp};
use crate::scene::{RenderParams, compose_while};
use crate::spec::{CropBox, IgnoredOptions, OutputFormat, PdfColors, PressPlan, RenderSpec, Rgb};
use crate::units::{DevicePx, DeviceScale, Dpi, Mm, Px};
use crate::work::WorkMeter;

/// Largest number of pixels of strips in one band: an accumulator of 8 MiB. A dense A4 page at 300 DPI fits, and the
/// accumulator is still in a processor's caches when it is read.
pub const BAND_BUDGET: usize = 2 << 20;

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

/// The file format of the sheet of all fonts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// A picture with transparent paper.
    Png,
    /// One page, black on white.
    Pdf,
}

/// All that is needed to make a page, shared by all threads.
pub struct Engine {
    catalogue: Arc<FontCatalogue>,
    meshes: MeshCache,
    renderer: Renderer,
    profiles: OutputProfiles,
    /// Dates the files and times the stages.
    clock: Clock,
}

impl Engine {
    /// An engine on the most capable adapters.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(catalogue: Arc<FontCatalogue>, profiles: OutputProfiles, clock: Clock) -> Result<Self, StartError> {
        Self::open_with(DeviceOptions::default(), catalogue, profiles, clock)
    }

    /// As [`open`](Self::open), with options for the devices.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        device: DeviceOptions,
        catalogue: Arc<FontCatalogue>,
        profiles: OutputProfiles,
        clock: Clock,
    ) -> Result<Self, StartError> {
        Ok(Self {
            catalogue,
            meshes: MeshCache::default(),
            renderer: Renderer::start_with(device, &clock)?,
            profiles,
            clock,
        })
    }

    /// Makes the page at full quality, or all pages of its file. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked or costs too much, or the device fails.
    pub fn generate(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<RenderedFile, RenderError> {
        self.generate_while(spec, times, &JobControl::default())
    }

    /// As [`generate`](Self::generate), stopping when it is no longer wanted.
    pub(super) fn generate_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        match &spec.output {
            OutputFormat::Png => self.generate_png(spec, times, control),
            OutputFormat::Pdf(_) => {
                let (mut whole, mut rest) = (None, Vec::new());
                self.generate_file(spec, times, control, &mut |part| match part {
                    FilePart::Start { rendered_file, .. } => whole = Some(rendered_file),
                    FilePart::Next(bytes) | FilePart::End(bytes) => rest.push(bytes),
                })?;
                let mut whole = whole.ok_or_else(|| RenderError::Failed("a file without a page".to_owned()))?;
                whole.bytes.extend(rest.into_iter().flatten());
                Ok(whole)
            }
        }
    }

    fn generate_png(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        let scale = spec.dpi.scale();
        let layout = self.lay_out_one(spec, scale, times, control)?;
        let coverage = self.draw(&layout, &RenderParams::of(spec, scale), times, control)?;
        Ok(RenderedFile {
            bytes: times
                .time(Stage::Encode, &self.clock, || encode_png_while(&coverage, spec.ink, scale, control.is_wanted))?,
            width: coverage.width(),
            height: coverage.height(),
            calculated_font_size: layout.calculated_font_size,
            seed: spec.seed,
            warnings: layout.warnings,
        })
    }

    /// Makes a PDF and gives each part away when it is ready: the first page with all bytes before it, each further
    /// page, and the end. A file of one page is one part.
    ///
    /// # Errors
    /// As [`generate`](Self::generate); [`RenderError::Abandoned`] once it is not wanted.
    pub(super) fn generate_file(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
        give: &mut dyn FnMut(FilePart),
    ) -> Result<(), RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF has parts".to_owned()));
        };
        let mut layouts = self.lay_out_all(spec, times, control)?;
        let colors = PageColors::new(spec.ink, plan.colors, &self.profiles)?;
        let title = spec.file_stem();
        let mut file = PdfFile::new(self.document(spec, plan, &colors, &title), layouts.len());
        let mut part = |file: &mut PdfFile<'_>, page: usize, layout: &PageLayout| {
            let image = self.page_image(spec, layout, page, times, control)?;
            let mut bytes = Vec::new();
            times.time(Stage::Encode, &self.clock, || file.append_page(&image, &mut bytes));
            Ok::<_, RenderError>((bytes, image.width(), image.height(), *times))
        };
        let first = layouts.remove(0);
        let is_whole = layouts.is_empty();
        let (mut bytes, width, height, times) = part(&mut file, 0, &first)?;
        if is_whole {
            file.append_end(&mut bytes);
        }
        let PageLayout { calculated_font_size, mut warnings, .. } = first;
        warnings.extend(press_warnings(plan, spec.ink));
        let rendered_file = RenderedFile { bytes, width, height, calculated_font_size, seed: spec.seed, warnings };
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
    pub(super) fn draw_pages(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<DrawnPages, RenderError> {
        let control = JobControl::default();
        let mut layouts = self.lay_out_all(spec, times, &control)?;
        let mut images = Vec::with_capacity(layouts.len());
        for (page, layout) in layouts.iter().enumerate() {
            images.push(self.page_image(spec, layout, page, times, &control)?);
        }
        let PageLayout { calculated_font_size, mut warnings, .. } = layouts.swap_remove(0);
        if let OutputFormat::Pdf(plan) = &spec.output {
            warnings.extend(press_warnings(plan, spec.ink));
        }
        Ok(DrawnPages { images, calculated_font_size, warnings })
    }

    /// Makes one PDF of pages that were all drawn for the paper, resolution, ink and press options of `spec`.
    ///
    /// # Errors
    /// If the output of `spec` is no PDF, or lcms2 cannot use the profile.
    pub fn bind(&self, spec: &RenderSpec, pages: &[PageImage], times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF is bound".to_owned()));
        };
        let colors = PageColors::new(spec.ink, plan.colors, &self.profiles)?;
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

    /// Draws and packs page `page` of a file.
    fn page_image(
        &self,
        spec: &RenderSpec,
        layout: &PageLayout,
        page: usize,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<PageImage, RenderError> {
        let params = RenderParams::of(spec, spec.dpi.scale()).on_page(page as u32);
        let coverage = self.draw(layout, &params, times, control)?;
        Ok(times.time(Stage::Encode, &self.clock, || PageImage::of_while(&coverage, control.is_wanted))?)
    }

    /// Makes the same page, or the region that `spec` names, 1200 px wide, drawn at that size, with a watermark. Blocks
    /// while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Preview, RenderError> {
        self.preview_while(spec, times, &JobControl::default())
    }

    /// As [`preview`](Self::preview), stopping when it is no longer wanted.
    pub(super) fn preview_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Preview, RenderError> {
        let shown = spec.drawn();
        let scale = DeviceScale::fitting(shown.width(), DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let layout = self.lay_out_one(spec, scale, times, control)?;
        let window = window_of(shown, scale);
        let writing = self.draw(&layout, &RenderParams::of(spec, scale).within(window), times, control)?;
        let marks = watermark(&layout, &self.catalogue);
        let scale_of_marks = DeviceScale::fitting(marks.size.width, layout.size.width.to_device(scale));
        let mark = self.draw(&marks, &RenderParams::plain(scale_of_marks).within(window), times, control)?;
        let marked = stamp(&crop(&writing, window), &crop(&mark, window));
        let PageLayout { calculated_font_size, mut warnings, size, .. } = layout;
        warnings.extend(invisible_ink(spec.ink));
        let full = |length: Px| length.to_device(spec.dpi.scale()).get().round() as u32;
        Ok(Preview {
            page: RenderedFile {
                bytes: times.time(Stage::Encode, &self.clock, || match preview_paper(spec.ink) {
                    Some(paper) => encode_png_on(paper, &marked, spec.ink, scale),
                    None => encode_png(&marked, spec.ink, scale),
                }),
                width: full(size.width),
                height: full(size.height),
                calculated_font_size,
                seed: spec.seed,
                warnings,
            },
            width: marked.width(),
            height: marked.height(),
        })
    }

    /// Lays a text out on one page, to be drawn at `scale`.
    fn lay_out_one(
        &self,
        spec: &RenderSpec,
        scale: DeviceScale,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<PageLayout, RenderError> {
        let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
        let layout = times.time(Stage::LayOut, &self.clock, || lay_out_within(spec, &self.catalogue, &work));
        let page = layout.as_ref().map(std::slice::from_ref).unwrap_or_default();
        check_cost(spec, page, scale, &work, control)?;
        Ok(layout?)
    }

    /// Lays a text out on all pages of a file, at least one.
    fn lay_out_all(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<PageLayout>, RenderError> {
        let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
        let layouts = times.time(Stage::LayOut, &self.clock, || lay_out_pages_within(spec, &self.catalogue, &work));
        check_cost(spec, layouts.as_deref().unwrap_or_default(), spec.dpi.scale(), &work, control)?;
        Ok(layouts?)
    }

    /// A PNG that shows a font: two lines in black, 1200 × 300 px. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen(&self, font: FontId, varies: bool, times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        let layout = times.time(Stage::LayOut, &self.clock, || specimen(font, varies, &self.catalogue))?;
        let scale = Dpi::default().scale();
        let coverage = self.draw(&layout, &RenderParams::plain(scale), times, &JobControl::default())?;
        Ok(times.time(Stage::Encode, &self.clock, || encode_png(&coverage, Rgb::default(), scale)))
    }

    /// One sheet (ISO A3, 300 DPI) with number, name and specimen of every font. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen_sheet(&self, format: SheetFormat) -> Result<Vec<u8>, RenderError> {
        let (layout, dpi) = (specimen_sheet(&self.catalogue)?, Dpi::default());
        let params = RenderParams::plain(dpi.scale());
        let coverage = self.draw(&layout, &params, &mut StageTimes::default(), &JobControl::default())?;
        let plan = PressPlan {
            trim: SHEET.mm(),
            bleed: Mm::ZERO,
            marks: None,
            crop_box: CropBox::default(),
            colors: PdfColors::Rgb,
            ignored: IgnoredOptions::default(),
            refusal: None,
        };
        Ok(match format {
            SheetFormat::Png => encode_png(&coverage, Rgb::default(), dpi.scale()),
            SheetFormat::Pdf => {
                let colors = &PageColors::new(Rgb::default(), plan.colors, &self.profiles)?;
                let (title, created) = ("Longhand: the ninety hands", self.clock.timestamp());
                encode_pdf(&PdfDocument { plan: &plan, dpi, colors, title, created }, &[PageImage::of(&coverage)])
            }
        })
    }

    fn draw(
        &self,
        layout: &PageLayout,
        params: &RenderParams,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Coverage, RenderError> {
        let scene = times.time(Stage::Compose, &self.clock, || {
            compose_while(layout, params, &self.catalogue, &self.meshes, BAND_BUDGET, control.is_wanted)
        })?;
        Ok(times.time(Stage::Draw, &self.clock, || self.renderer.render_while(scene, control.is_wanted))?)
    }

    /// The fonts.
    pub(super) fn catalogue(&self) -> &FontCatalogue {
        &self.catalogue
    }

    /// The clock that times the stages.
    pub(super) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The devices that draw; at least one.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStatus> {
        self.renderer.devices()
    }

    /// The health of all devices together.
    #[must_use]
    pub fn device_health(&self) -> DeviceHealth {
        self.renderer.health()
    }
}

/// The part of the page that a preview shows, in device px: 1200 px wide, and at least 1 px high.
fn window_of(shown: Rect<Px>, scale: DeviceScale) -> Rect<u32> {
    let device = |length: Px| length.to_device(scale).get().round() as u32;
    let min = Point::new(device(shown.min.x), device(shown.min.y));
    Rect { min, max: min + Point::new(PREVIEW_WIDTH, device(shown.height()).max(1)) }
}
