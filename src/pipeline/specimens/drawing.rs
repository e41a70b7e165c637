//! Specimens: a font by itself, all fonts on a sheet, and a client's words in all fonts.

use super::layouts::{SHEET, SpecimenWords, specimen, specimen_sheet, words_in_all_fonts};
use crate::catalogue::FontId;
use crate::encode::{Drawing, PageColors, PageImage, PdfDocument, encode_pdf, encode_png};
use crate::geometry::Size;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::Cost;
use crate::pipeline::engine::Engine;
use crate::pipeline::engine::production::Production;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::page_texts::refuse_missing_font;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::scene::RenderParams;
use crate::spec::{CropBox, IgnoredOptions, PdfColors, Preset, PressPlan, Representation, Rgb, TextLayer};
use crate::units::{Dpi, Mm};

/// The file format of the sheet of all fonts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// A picture with transparent paper.
    Png,
    /// One page, black on white.
    Pdf,
}

impl Engine {
    /// A PNG that shows a font: two lines in black, 1200 × 300 px. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen(&self, font: FontId, varies: bool, times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        self.produce(times, |production| production.specimen(font, varies))
    }

    /// One sheet (ISO A3 and longer with an operator's fonts, 300 DPI) with number, name and specimen of every font.
    /// Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen_sheet(&self, format: SheetFormat) -> Result<Vec<u8>, RenderError> {
        self.produce(&mut StageTimes::default(), |production| production.specimen_sheet(format))
    }
}

impl Production<'_> {
    /// A PNG that shows a font; see [`Engine::specimen`].
    pub(in crate::pipeline) fn specimen(&mut self, font: FontId, varies: bool) -> Result<Vec<u8>, RenderError> {
        let catalogue = self.control.catalogue;
        refuse_missing_font(catalogue, font, None)?;
        let layout = self.timed(Stage::LayOut, || specimen(font, varies, catalogue))?;
        self.black_png(&layout)
    }

    /// A PNG of these words in every font, in black: boxes of 480 × 120 px, three side by side, in the order of the
    /// list of fonts, row by row.
    pub(in crate::pipeline) fn specimen_words(&mut self, words: &SpecimenWords) -> Result<Vec<u8>, RenderError> {
        let JobControl { catalogue, is_wanted, report_cost } = self.control;
        let layout = self.timed(Stage::LayOut, || words_in_all_fonts(words, catalogue, is_wanted))?;
        report_cost(Cost::SPECIMEN_WORDS + Cost::of_meshes_in(&layout, &params(), catalogue));
        self.black_png(&layout)
    }

    fn black_png(&mut self, layout: &PageLayout) -> Result<Vec<u8>, RenderError> {
        let coverage = self.draw(layout, &params())?;
        Ok(self.timed(Stage::Encode, || encode_png(&coverage, Rgb::default(), params().scale)))
    }

    fn specimen_sheet(&mut self, format: SheetFormat) -> Result<Vec<u8>, RenderError> {
        let layout = specimen_sheet(self.control.catalogue)?;
        if format == SheetFormat::Png {
            return self.black_png(&layout);
        }
        let coverage = self.draw(&layout, &params())?;
        let plan = PressPlan {
            preset: Preset::Generic,
            trim: Size { height: SHEET.mm().height * (layout.size.height / SHEET.px().height), ..SHEET.mm() },
            bleed: Mm::ZERO,
            marks: None,
            crop_box: CropBox::Media,
            colors: PdfColors::Rgb,
            text_layer: TextLayer::None,
            representation: Representation::Image,
            ignored: IgnoredOptions::default(),
            refusal: None,
        };
        let colors = &PageColors::new(Rgb::default(), plan.colors, &self.engine.profiles)?;
        let (title, created) = ("Longhand: the ninety hands", self.engine.clock.timestamp());
        let document = PdfDocument { plan: &plan, dpi: Dpi::default(), colors, title, created };
        Ok(encode_pdf(&document, &[Drawing::Image(PageImage::of(&coverage)).into()]))
    }
}

/// Every specimen has the default resolution and no effects.
fn params() -> RenderParams {
    RenderParams::plain(Dpi::default().scale())
}
