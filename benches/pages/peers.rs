//! Two CPU renderers that draw the same glyphs at the same places into an RGBA PNG, each used as its authors mean it.
//!
//! Outlines are read once and kept, as a service would; the pixmap is made for each page. Both fill glyph by glyph
//! (one path would cancel where glyphs of opposite winding overlap) with anti-aliasing, then undo the
//! premultiplication, which PNG asks for, and encode with `png` at its fastest.

use std::collections::HashMap;

use longhand::catalogue::{FontCatalogue, FontId, GlyphId, OutlineCommand};
use longhand::layout::{PageLayout, PlacedGlyph, PlacedWord};
use longhand::spec::RenderSpec;
use longhand::units::DeviceScale;
use vello_cpu::kurbo;

/// Places font units on the device: the 2×3 matrix [a b c d e f] with x' = a·x + c·y + e, y' = b·x + d·y + f.
fn device_from_font(word: &PlacedWord, glyph: &PlacedGlyph, units_per_em: u16, scale: DeviceScale) -> [f64; 6] {
    let unit = glyph.em.get() / f64::from(units_per_em);
    let (sine, cosine) = word.rotation.get().to_radians().sin_cos();
    let arm = glyph.origin - word.pivot;
    let x = word.pivot.x.get() + cosine * arm.x.get() - sine * arm.y.get();
    let y = word.pivot.y.get() + sine * arm.x.get() + cosine * arm.y.get();
    [unit * cosine, unit * sine, unit * sine, -unit * cosine, x, y].map(|entry| entry * scale.get())
}

/// An RGBA PNG of straight-alpha pixels.
fn encode(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fastest);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    file
}

/// Width and height of the picture in device px.
fn device_size(layout: &PageLayout, scale: DeviceScale) -> (u32, u32) {
    let px = |length: longhand::units::Px| length.to_device(scale).get().round() as u32;
    (px(layout.size.width), px(layout.size.height))
}

/// tiny-skia 0.12 with outlines kept from page to page.
pub(crate) struct TinySkia<'a> {
    catalogue: &'a FontCatalogue,
    paths: HashMap<(FontId, GlyphId), Option<tiny_skia::Path>>,
}

impl<'a> TinySkia<'a> {
    /// No outlines yet.
    pub(crate) fn new(catalogue: &'a FontCatalogue) -> Self {
        Self { catalogue, paths: HashMap::new() }
    }

    /// The page as an RGBA PNG.
    pub(crate) fn draw(&mut self, spec: &RenderSpec, layout: &PageLayout) -> Vec<u8> {
        let scale = spec.dpi.scale();
        let (width, height) = device_size(layout, scale);
        let mut pixmap = tiny_skia::Pixmap::new(width, height).unwrap();
        let [red, green, blue] = spec.ink.0;
        let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
        paint.set_color_rgba8(red, green, blue, 255);
        for word in &layout.words {
            for glyph in &word.glyphs {
                let face = self.catalogue.face(glyph.font);
                let path = self
                    .paths
                    .entry((glyph.font, glyph.glyph))
                    .or_insert_with(|| face.outline(glyph.glyph).and_then(|outline| skia_path(&outline.commands)));
                let Some(path) = path else { continue };
                let placed = device_from_font(word, glyph, face.units_per_em(), scale).map(|entry| entry as f32);
                let transform =
                    tiny_skia::Transform::from_row(placed[0], placed[1], placed[2], placed[3], placed[4], placed[5]);
                pixmap.fill_path(path, &paint, tiny_skia::FillRule::Winding, transform, None);
            }
        }
        encode(width, height, &pixmap.take_demultiplied())
    }
}

fn skia_path(commands: &[OutlineCommand]) -> Option<tiny_skia::Path> {
    let mut path = tiny_skia::PathBuilder::new();
    for command in commands {
        match command {
            OutlineCommand::MoveTo(to) => path.move_to(to.x.get() as f32, to.y.get() as f32),
            OutlineCommand::LineTo(to) => path.line_to(to.x.get() as f32, to.y.get() as f32),
            OutlineCommand::QuadTo(control, to) => {
                path.quad_to(control.x.get() as f32, control.y.get() as f32, to.x.get() as f32, to.y.get() as f32);
            }
            OutlineCommand::CubicTo(first, second, to) => path.cubic_to(
                first.x.get() as f32,
                first.y.get() as f32,
                second.x.get() as f32,
                second.y.get() as f32,
                to.x.get() as f32,
                to.y.get() as f32,
            ),
            OutlineCommand::Close => path.close(),
        }
    }
    path.finish()
}

/// `vello_cpu` 0.3, one thread, with outlines and context kept from page to page.
pub(crate) struct VelloCpu<'a> {
    catalogue: &'a FontCatalogue,
    paths: HashMap<(FontId, GlyphId), kurbo::BezPath>,
    resources: vello_cpu::Resources,
    context: vello_cpu::RenderContext,
}

impl<'a> VelloCpu<'a> {
    /// No outlines yet.
    pub(crate) fn new(catalogue: &'a FontCatalogue) -> Self {
        Self {
            catalogue,
            paths: HashMap::new(),
            resources: vello_cpu::Resources::new(),
            context: vello_cpu::RenderContext::new(1, 1),
        }
    }

    /// The page as an RGBA PNG.
    pub(crate) fn draw(&mut self, spec: &RenderSpec, layout: &PageLayout) -> Vec<u8> {
        let scale = spec.dpi.scale();
        let (width, height) = device_size(layout, scale);
        let (columns, rows) = (u16::try_from(width).unwrap(), u16::try_from(height).unwrap());
        self.context.reset_and_resize(columns, rows);
        let [red, green, blue] = spec.ink.0;
        self.context.set_paint(vello_cpu::color::AlphaColor::from_rgba8(red, green, blue, 255));
        for word in &layout.words {
            for glyph in &word.glyphs {
                let face = self.catalogue.face(glyph.font);
                let path = self.paths.entry((glyph.font, glyph.glyph)).or_insert_with(|| {
                    face.outline(glyph.glyph).map(|outline| kurbo_path(&outline.commands)).unwrap_or_default()
                });
                let placed = device_from_font(word, glyph, face.units_per_em(), scale);
                self.context.set_transform(kurbo::Affine::new(placed));
                self.context.fill_path(path);
            }
        }
        self.context.flush();
        let mut pixmap = vello_cpu::Pixmap::new(columns, rows);
        self.context.render(&mut pixmap, &mut self.resources);
        encode(width, height, &pixmap.take_rgba8(vello_cpu::peniko::ImageAlphaType::Alpha))
    }
}

fn kurbo_path(commands: &[OutlineCommand]) -> kurbo::BezPath {
    let mut path = kurbo::BezPath::new();
    let point = |at: &longhand::geometry::Point<longhand::units::FontUnits>| kurbo::Point::new(at.x.get(), at.y.get());
    for command in commands {
        match command {
            OutlineCommand::MoveTo(to) => path.move_to(point(to)),
            OutlineCommand::LineTo(to) => path.line_to(point(to)),
            OutlineCommand::QuadTo(control, to) => path.quad_to(point(control), point(to)),
            OutlineCommand::CubicTo(first, second, to) => path.curve_to(point(first), point(second), point(to)),
            OutlineCommand::Close => path.close_path(),
        }
    }
    path
}
