//! The story of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::artifact::{Artifact, DrawnPages, Preview};
use super::error::{RenderError, StartError};
use super::press_warnings::press_warnings;
use super::specimen::{SHEET, specimen, specimen_sheet};
use super::stages::{Stage, StageTimes};
use super::watermark::watermark;
use crate::catalogue::{FontCatalogue, FontId};
use crate::clock::{Clock, Utc};
use crate::encode::{OutputProfiles, PageColors, PageImage, PdfDocument, encode_pdf, encode_png};
use crate::geometry::Size;
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStanding, Renderer};
use crate::layout::{PageLayout, lay_out, lay_out_pages};
use crate::mesh::MeshCache;
use crate::raster::{Coverage, stamp};
use crate::scene::{Rendition, compose};
use crate::spec::{CropBox, IgnoredOptions, OutputFormat, PdfColors, PressPlan, RenderSpec, Rgb};
use crate::units::{DevicePx, DeviceScale, Dpi, Mm, Px};

/// Most pixels of strips that the device works on at once: an accumulator of 8 MiB, which a dense A4 page at 300 DPI does
/// not fill, and which is still in a processor's caches when it is read.
pub const BAND_BUDGET: usize = 2 << 20;

/// Most pages of a file, so that no text, however large its letters, keeps a thread for long.
const MOST_PAGES: usize = 200;

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

/// What kind of file a sheet of all hands is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// A picture with transparent paper.
    Png,
    /// One page, black on white.
    Pdf,
}

/// Everything a page is made with, shared by all threads.
pub struct Studio {
    catalogue: Arc<FontCatalogue>,
    meshes: MeshCache,
    renderer: Renderer,
    profiles: OutputProfiles,
    /// Dates the files and times the stages.
    clock: Clock,
    /// Watermarks by the preview's height: at most one for each page format.
    watermarks: Mutex<HashMap<u32, Arc<Coverage>>>,
}

impl Studio {
    /// A studio on the most capable adapters.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(catalogue: Arc<FontCatalogue>, profiles: OutputProfiles, clock: Clock) -> Result<Self, StartError> {
        Self::open_with(DeviceOptions::default(), catalogue, profiles, clock)
    }

    /// As [`open`](Self::open), with devices chosen and treated as `device` says.
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
            watermarks: Mutex::default(),
        })
    }

    /// Makes the page at full quality. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked, or the device fails.
    pub fn generate(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Artifact, RenderError> {
        self.generate_while(spec, times, &|| true)
    }

    /// As [`generate`](Self::generate), asking before each page of a file whether it is still wanted.
    pub(super) fn generate_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Artifact, RenderError> {
        match &spec.output {
            OutputFormat::Png => self.generate_png(spec, times),
            OutputFormat::Pdf(_) => self.generate_pdf(spec, times, is_wanted),
        }
    }

    fn generate_png(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Artifact, RenderError> {
        let layout = times.time(Stage::LayOut, &self.clock, || lay_out(spec, &self.catalogue))?;
        let scale = spec.dpi.scale();
        let coverage = self.draw(&layout, &Rendition::of(spec, scale), times)?;
        Ok(Artifact {
            bytes: times.time(Stage::Encode, &self.clock, || encode_png(&coverage, spec.ink, scale)),
            width: coverage.width(),
            height: coverage.height(),
            calculated_font_size: layout.calculated_font_size,
            seed: spec.seed,
            warnings: layout.warnings,
        })
    }

    fn generate_pdf(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Artifact, RenderError> {
        let drawn = self.draw_pages(spec, times, is_wanted)?;
        let bytes = self.bind(spec, &drawn.images, times)?;
        Ok(Artifact {
            bytes,
            width: drawn.images.first().map_or(0, PageImage::width),
            height: drawn.images.first().map_or(0, PageImage::height),
            calculated_font_size: drawn.calculated_font_size,
            seed: spec.seed,
            warnings: drawn.warnings,
        })
    }

    /// The pages of one text for a file to be bound: one after the other, each packed before the next is drawn, after
    /// asking whether the file is still wanted.
    ///
    /// # Errors
    /// As [`generate`](Self::generate); [`RenderError::Abandoned`] once it is not.
    pub(super) fn draw_pages(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<DrawnPages, RenderError> {
        let mut layouts = times.time(Stage::LayOut, &self.clock, || lay_out_pages(spec, &self.catalogue))?;
        if layouts.len() > MOST_PAGES {
            return Err(RenderError::TooManyPages { needed: layouts.len(), most: MOST_PAGES });
        }
        let mut images = Vec::with_capacity(layouts.len());
        for (page, layout) in (0..).zip(&layouts) {
            if !is_wanted() {
                return Err(RenderError::Abandoned);
            }
            let rendition = Rendition::of(spec, spec.dpi.scale()).on_page(page);
            let coverage = self.draw(layout, &rendition, times)?;
            images.push(times.time(Stage::Encode, &self.clock, || PageImage::of(&coverage)));
        }
        let PageLayout { calculated_font_size, mut warnings, .. } = layouts.swap_remove(0);
        if let OutputFormat::Pdf(plan) = &spec.output {
            warnings.extend(press_warnings(&plan.ignored));
        }
        Ok(DrawnPages { images, calculated_font_size, warnings })
    }

    /// One PDF of pages that were all drawn for the paper, resolution, ink and press options of `spec`.
    ///
    /// # Errors
    /// `spec` asks for no PDF, or lcms2 cannot use the profile.
    pub fn bind(&self, spec: &RenderSpec, pages: &[PageImage], times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        let OutputFormat::Pdf(plan) = &spec.output else {
            return Err(RenderError::Failed("only a PDF is bound".to_owned()));
        };
        let document = PdfDocument {
            plan,
            dpi: spec.dpi,
            colors: &PageColors::new(spec.ink, plan.colors, &self.profiles)?,
            title: &spec.file_stem(),
            created: Utc::containing(self.clock.now()),
            pages,
        };
        Ok(times.time(Stage::Encode, &self.clock, || encode_pdf(&document)))
    }

    /// Makes the same page 1200 px wide, drawn at that size, with a watermark. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Preview, RenderError> {
        let layout = times.time(Stage::LayOut, &self.clock, || lay_out(spec, &self.catalogue))?;
        let scale = DeviceScale::fitting(layout.size.width, DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let writing = self.draw(&layout, &Rendition::of(spec, scale), times)?;
        let marked = stamp(&writing, &*self.watermark_for(&writing, times)?);
        let full = |length: Px| length.to_device(spec.dpi.scale()).get().round() as u32;
        Ok(Preview {
            page: Artifact {
                bytes: times.time(Stage::Encode, &self.clock, || encode_png(&marked, spec.ink, scale)),
                width: full(layout.size.width),
                height: full(layout.size.height),
                calculated_font_size: layout.calculated_font_size,
                seed: spec.seed,
                warnings: layout.warnings,
            },
            width: marked.width(),
            height: marked.height(),
        })
    }

    /// The mark for a preview, drawn when its height is met for the first time.
    fn watermark_for(&self, writing: &Coverage, times: &mut StageTimes) -> Result<Arc<Coverage>, RenderError> {
        let drawn = || self.watermarks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mark) = drawn().get(&writing.height()) {
            return Ok(Arc::clone(mark));
        }
        let [width, height] = [writing.width(), writing.height()].map(|length| Px::new(f64::from(length)));
        let layout = watermark(Size { width, height }, &self.catalogue);
        let actual_size = DeviceScale::fitting(Px::new(1.0), DevicePx::new(1.0));
        let mark = Arc::new(self.draw(&layout, &Rendition::plain(actual_size), times)?);
        drawn().insert(writing.height(), Arc::clone(&mark));
        Ok(mark)
    }

    /// A PNG that shows a hand: two lines in black, 1200 × 300 px. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen(&self, font: FontId, times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        let layout = times.time(Stage::LayOut, &self.clock, || specimen(font, &self.catalogue))?;
        let scale = Dpi::default().scale();
        let coverage = self.draw(&layout, &Rendition::plain(scale), times)?;
        Ok(times.time(Stage::Encode, &self.clock, || encode_png(&coverage, Rgb::default(), scale)))
    }

    /// One sheet (ISO A3, 300 DPI) with number, name and specimen of every hand. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen_sheet(&self, format: SheetFormat) -> Result<Vec<u8>, RenderError> {
        let (layout, dpi) = (specimen_sheet(&self.catalogue)?, Dpi::default());
        let coverage = self.draw(&layout, &Rendition::plain(dpi.scale()), &mut StageTimes::default())?;
        let plan = PressPlan {
            trim: SHEET.mm(),
            bleed: Mm::ZERO,
            marks: None,
            crop_box: CropBox::default(),
            colors: PdfColors::Rgb,
            ignored: IgnoredOptions::default(),
        };
        Ok(match format {
            SheetFormat::Png => encode_png(&coverage, Rgb::default(), dpi.scale()),
            SheetFormat::Pdf => encode_pdf(&PdfDocument {
                plan: &plan,
                dpi,
                colors: &PageColors::new(Rgb::default(), plan.colors, &self.profiles)?,
                title: "Longhand: the ninety hands",
                created: Utc::containing(self.clock.now()),
                pages: &[PageImage::of(&coverage)],
            }),
        })
    }

    fn draw(
        &self,
        layout: &PageLayout,
        rendition: &Rendition,
        times: &mut StageTimes,
    ) -> Result<Coverage, RenderError> {
        let scene = times.time(Stage::Compose, &self.clock, || {
            compose(layout, rendition, &self.catalogue, &self.meshes, BAND_BUDGET)
        })?;
        Ok(times.time(Stage::Draw, &self.clock, || self.renderer.render(scene))?)
    }

    /// What the stages are timed with.
    pub(super) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The devices that draw; at least one.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStanding> {
        self.renderer.devices()
    }

    /// How the devices are, taken together.
    #[must_use]
    pub fn device_health(&self) -> DeviceHealth {
        self.renderer.health()
    }
}
