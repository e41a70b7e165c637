//! Previews: pages of one width, with a watermark if wanted.

use super::artwork::is_covered;
use super::layers::{DrawnLayer, as_inks, layers_of, rules_layer};
use super::production::Production;
use crate::encode::{Ground, encode_layers_while};
use crate::geometry::{Point, Rect};
use crate::layout::PlacedWord;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutText, SheetPage, all_words};
use crate::pipeline::rendered_file::{Preview, PreviewMark, RenderedFile, WordPlace};
use crate::pipeline::stages::Stage;
use crate::pipeline::watermark::Watermark;
use crate::preflight::preview_paper;
use crate::raster::{Coverage, crop, stamp_inks};
use crate::scene::{RenderParams, Scene};
use crate::spec::{RenderSpec, Representation, Rgb};
use crate::units::{DevicePx, DeviceScale, Px};

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

impl Production<'_> {
    /// Makes the page that `spec` names, or a region of it, 1200 px wide, drawn at that size, with this mark.
    pub(in crate::pipeline) fn preview(
        &mut self,
        asked: &RenderSpec,
        mark: PreviewMark,
    ) -> Result<Preview, RenderError> {
        let (engine, shown, page_width) = (self.engine, asked.drawn(), asked.page.px().width);
        let scale = DeviceScale::fitting(shown.width(), DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let sheet = self.prepare(asked, Aim::Preview(scale))?;
        let (shown_number, page) = sheet.page(asked.shown_page.into()).ok_or_else(RenderError::without_page)?;
        let SheetPage { spec, number, texts } = page;
        let words = if asked.tells_places { word_places(texts) } else { Vec::new() };
        let hidden_rules = if asked.tells_places { spec.hidden_rules() } else { None };
        let window = window_of(shown, scale);
        let scenes = self.compose_texts(texts, |spec| RenderParams::of(spec, scale).within(window))?;
        let (drawn, mark) = match mark {
            PreviewMark::Nothing => (self.draw_scenes(scenes)?, None),
            PreviewMark::Watermark => {
                let watermark = engine.marks.watermark(spec.page.px(), all_words(texts), self.control.catalogue);
                let scale_of_marks = DeviceScale::fitting(watermark.size().width, page_width.to_device(scale));
                let (drawn, mark) = self.draw_with_marks(scenes, &watermark, scale_of_marks, window)?;
                (drawn, Some(mark))
            }
        };
        let backdrop = self.preview_backdrop(spec, number, scale, window)?;
        // Artwork that covers the page may be what makes an ink visible.
        let paper = if is_covered(spec, number) { None } else { preview_paper(&spec.inks(), spec.paper) };
        let ground = Ground { paper, backdrop: backdrop.as_deref() };
        let bytes = self.timed(Stage::Encode, || {
            let (inks, written): (Vec<Rgb>, Vec<Coverage>) =
                layers_of(texts, drawn).into_iter().map(|layer| (layer.ink, crop(layer.coverage, window))).unzip();
            let shown = match &mark {
                Some(mark) => stamp_inks(written, mark, engine.stamped.lock().pop().unwrap_or_default()),
                None => written,
            };
            let rules = rules_layer(spec, scale).map(|rules| (rules.ink, crop(rules.coverage, window)));
            let layers = rules.into_iter().chain(inks.into_iter().zip(shown));
            let mut layers: Vec<DrawnLayer> = layers.map(|(ink, coverage)| DrawnLayer { coverage, ink }).collect();
            let bytes = encode_layers_while(&as_inks(&layers), ground, spec.png_format, scale, &|| true);
            let marked = layers.pop().filter(|_| mark.is_some());
            engine.stamped.lock().extend(marked.map(|marked| marked.coverage.into_memory()));
            bytes
        })?;
        let file = sheet.file().ok_or_else(RenderError::without_page)?;
        let page = RenderedFile { bytes, representation: Representation::Image, ..file };
        Ok(Preview { page, width: window.width(), height: window.height(), number: shown_number, words, hidden_rules })
    }

    /// Draws the scenes of a preview, and its marks at `scale`. Returns both, the marks cut out by the window.
    fn draw_with_marks(
        &mut self,
        mut scenes: Vec<Scene>,
        watermark: &Watermark<'_>,
        scale: DeviceScale,
        window: Rect<u32>,
    ) -> Result<(Vec<Coverage>, Coverage), RenderError> {
        let (known, params) = (&self.engine.marks.drawn, &RenderParams::plain(scale).within(window));
        if let Some(marks) = known.get(watermark, params) {
            return Ok((self.draw_scenes(scenes)?, watermark.kept(&marks, params)));
        }
        scenes.push(self.compose(&watermark.layout(), params)?);
        // The last scene is that of the marks.
        let mut drawn = self.draw_scenes(scenes)?;
        let marks = drawn.pop().ok_or_else(|| RenderError::Failed("the marks were not drawn".to_owned()))?;
        let marks = crop(marks, window);
        let kept = watermark.kept(&marks, params);
        known.insert(watermark, params, &marks);
        Ok((drawn, kept))
    }
}

/// Where the words of the texts are, in the order of each text.
fn word_places(texts: &[LaidOutText]) -> Vec<WordPlace> {
    let of_text = |text: &LaidOutText| {
        let place = |word: &PlacedWord| {
            Some(WordPlace { block: text.block, source: word.text.source.clone(), ink: word.ink()? })
        };
        let mut places: Vec<WordPlace> = text.layout.words.iter().filter_map(place).collect();
        places.sort_by_key(|place| place.source.start);
        places
    };
    texts.iter().flat_map(of_text).collect()
}

/// The part of the page that a preview shows, in device px: 1200 px wide, and at least 1 px high.
fn window_of(shown: Rect<Px>, scale: DeviceScale) -> Rect<u32> {
    let device = |length: Px| length.to_device(scale).get().round() as u32;
    let min = Point::new(device(shown.min.x), device(shown.min.y));
    Rect { min, max: min + Point::new(PREVIEW_WIDTH, device(shown.height()).max(1)) }
}
