//! A page as the peers are given it.

use std::collections::HashMap;
use std::path::PathBuf;

use longhand::catalogue::FontCatalogue;
use longhand::geometry::PathCommand;
use longhand::layout::PageLayout;
use longhand::mesh::MeshCache;
use longhand::scene::RenderParams;
use longhand::spec::RenderSpec;
use longhand::vector::{PathKind, Shape, vector_text};

/// Outlines and their places, in black.
pub(crate) struct PeerPage {
    /// Width and height in device px.
    pub(crate) size: [u32; 2],
    /// Device px per inch.
    pub(super) dpi: f64,
    /// Each outline once.
    pub(super) shapes: Vec<Vec<PathCommand>>,
    /// The number of a shape, and the map that takes its points (x, y) to device px, y down: (ax + cy + e, bx + dy + f).
    pub(super) places: Vec<(usize, [f64; 6])>,
    /// The same as glyphs of fonts, if that is what they are and no word is rotated.
    pub(super) runs: Option<Vec<GlyphRun>>,
}

/// Glyphs of a font at one size.
pub(super) struct GlyphRun {
    /// The file of the font.
    pub(super) file: PathBuf,
    /// In device px.
    pub(super) em: f64,
    /// The number of each glyph, and where its origin is, in device px.
    pub(super) glyphs: Vec<(u16, [f64; 2])>,
}

impl PeerPage {
    /// The page of this layout.
    pub(crate) fn of(spec: &RenderSpec, layout: &PageLayout, catalogue: &FontCatalogue) -> Self {
        assert_eq!(spec.ink.0, [0; 3], "the peers draw in black");
        let scale = spec.dpi.scale();
        let params = RenderParams::of(spec, scale);
        let meshes = MeshCache::default();
        let text = vector_text(layout, &params, PathKind::Outlines, catalogue, &meshes, &|| true).unwrap();
        let (mut shapes, mut places, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        let mut repeats = true;
        for path in text.paths() {
            match &path.shape {
                Shape::Placed { glyph, map } => {
                    let number = *known.entry(glyph.id).or_insert_with(|| {
                        shapes.push(glyph.path.clone());
                        shapes.len() - 1
                    });
                    repeats &= map[1] == 0.0 && map[2] == 0.0;
                    places.push((number, map.map(|entry| entry * scale.get())));
                }
                Shape::Free(path) => {
                    repeats = false;
                    shapes.push(path.clone());
                    places.push((shapes.len() - 1, [scale.get(), 0.0, 0.0, scale.get(), 0.0, 0.0]));
                }
            }
        }
        let size = [layout.size.width, layout.size.height].map(|length| length.to_device(scale).get().round() as u32);
        let runs = repeats.then(|| glyph_runs(layout, scale.get(), catalogue));
        Self { size, dpi: 300.0 * scale.get(), shapes, places, runs }
    }

    /// Each place with the points of its shape in device px.
    pub(super) fn placed(&self) -> impl Iterator<Item = Vec<PathCommand>> {
        self.places.iter().map(|(number, [a, b, c, d, e, f])| {
            let place = |[x, y]: [f64; 2]| [a * x + c * y + e, b * x + d * y + f];
            self.shapes[*number].iter().map(|command| command.mapped(place)).collect()
        })
    }
}

/// The glyphs of a layout, those of each font and size together.
fn glyph_runs(layout: &PageLayout, scale: f64, catalogue: &FontCatalogue) -> Vec<GlyphRun> {
    let mut runs: Vec<GlyphRun> = Vec::new();
    for glyph in layout.words.iter().flat_map(|word| &word.glyphs) {
        let (file, em) = (super::font_file(catalogue, glyph.font), glyph.em.get() * scale);
        let place = (glyph.glyph.0, [glyph.origin.x.get() * scale, glyph.origin.y.get() * scale]);
        match runs.iter_mut().find(|run| run.file == file && run.em.to_bits() == em.to_bits()) {
            Some(run) => run.glyphs.push(place),
            None => runs.push(GlyphRun { file, em, glyphs: vec![place] }),
        }
    }
    runs
}

/// A command as a letter and its numbers, as scripts read it.
pub(super) fn letter_and_numbers(command: &PathCommand) -> (char, Vec<f64>) {
    match *command {
        PathCommand::MoveTo(to) => ('M', to.to_vec()),
        PathCommand::LineTo(to) => ('L', to.to_vec()),
        PathCommand::CubicTo(first, second, to) => ('C', [first, second, to].concat()),
        PathCommand::Close => ('Z', Vec::new()),
    }
}
