//! Specimens: a font by itself, all fonts on a sheet, and a client's words in all fonts.

use std::sync::Arc;

use super::layouts::{SHEET, SpecimenWords, specimen, specimen_sheet, words_in_all_fonts};
use crate::catalogue::FontId;
use crate::encode::{Drawing, PageColors, PageImage, PdfDocument, encode_pdf, encode_png};
use crate::geometry::Size;
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::Cost;
use crate::pipeline::engine::Engine;
use crate::pipeline::engine::production::Production;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::writings::refuse_missing_font;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::scene::RenderParams;
use crate::spec::{CropBox, IgnoredOptions, PdfColors, PdfWriting, Preset, PressPlan, Rgb, TextLayer};
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
        self.specimen_while(font, varies, times, &JobControl::default())
    }

    /// As [`specimen`](Self::specimen), with the fonts of the job, stopping when it is no longer wanted.
    pub(in crate::pipeline) fn specimen_while(
        &self,
        font: FontId,
        varies: bool,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<u8>, RenderError> {
        let mut production = Production::new(self, times, control);
        let catalogue = Arc::clone(&production.catalogue);
        refuse_missing_font(&catalogue, font, None)?;
        let layout = production.timed(Stage::LayOut, || specimen(font, varies, &catalogue))?;
        let scale = Dpi::default().scale();
        let coverage = production.draw(&layout, &RenderParams::plain(scale))?;
        Ok(production.timed(Stage::Encode, || encode_png(&coverage, Rgb::default(), scale)))
    }

    /// A PNG of these words in every font, in black: boxes of 480 × 120 px, three side by side, in the order of the
    /// list of fonts, row by row. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen_words(&self, words: &SpecimenWords, times: &mut StageTimes) -> Result<Vec<u8>, RenderError> {
        self.specimen_words_while(words, times, &JobControl::default())
    }

    /// As [`specimen_words`](Self::specimen_words), with the fonts of the job, stopping when it is no longer wanted.
    pub(in crate::pipeline) fn specimen_words_while(
        &self,
        words: &SpecimenWords,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<u8>, RenderError> {
        let mut production = Production::new(self, times, control);
        let catalogue = Arc::clone(&production.catalogue);
        let layout = production.timed(Stage::LayOut, || words_in_all_fonts(words, &catalogue, control.is_wanted))?;
        let (scale, params) = (Dpi::default().scale(), RenderParams::plain(Dpi::default().scale()));
        (control.report_cost)(Cost::SPECIMEN_WORDS + Cost::of_meshes_in(&layout, &params, &catalogue));
        let coverage = production.draw(&layout, &params)?;
        Ok(production.timed(Stage::Encode, || encode_png(&coverage, Rgb::default(), scale)))
    }

    /// One sheet (ISO A3 and longer with an operator's fonts, 300 DPI) with number, name and specimen of every font.
    /// Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn specimen_sheet(&self, format: SheetFormat) -> Result<Vec<u8>, RenderError> {
        let (dpi, mut times, control) = (Dpi::default(), StageTimes::default(), JobControl::default());
        let mut production = Production::new(self, &mut times, &control);
        let layout = specimen_sheet(&production.catalogue)?;
        let coverage = production.draw(&layout, &RenderParams::plain(dpi.scale()))?;
        let plan = PressPlan {
            preset: Preset::Generic,
            trim: Size { height: SHEET.mm().height * (layout.size.height / SHEET.px().height), ..SHEET.mm() },
            bleed: Mm::ZERO,
            marks: None,
            crop_box: CropBox::default(),
            colors: PdfColors::Rgb,
            text_layer: TextLayer::None,
            writing: PdfWriting::Image,
            ignored: IgnoredOptions::default(),
            refusal: None,
        };
        Ok(match format {
            SheetFormat::Png => encode_png(&coverage, Rgb::default(), dpi.scale()),
            SheetFormat::Pdf => {
                let colors = &PageColors::new(Rgb::default(), plan.colors, self.profiles())?;
                let (title, created) = ("Longhand: the ninety hands", self.clock().timestamp());
                encode_pdf(
                    &PdfDocument { plan: &plan, dpi, colors, title, created },
                    &[Drawing::Image(PageImage::of(&coverage)).into()],
                )
            }
        })
    }
}
