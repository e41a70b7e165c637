//! Two CPU renderers among the crates, each used as its authors mean it: outlines are kept from page to page, and filled
//! glyph by glyph with anti-aliasing (one path would cancel where glyphs of opposite winding overlap).

use std::collections::HashMap;

use longhand::geometry::PathCommand;
use vello_cpu::kurbo;

use super::page::PeerPage;

/// tiny-skia 0.12, one thread.
#[derive(Default)]
pub(crate) struct TinySkia {
    pages: HashMap<&'static str, Page<Option<tiny_skia::Path>>>,
    pixmap: Option<tiny_skia::Pixmap>,
}

/// A page in the outlines of a renderer.
struct Page<Path> {
    size: [u32; 2],
    paths: Vec<Path>,
    places: Vec<(usize, [f64; 6])>,
}

impl<Path> Page<Path> {
    fn new(page: &PeerPage, path: impl Fn(&[PathCommand]) -> Path) -> Self {
        let paths = page.shapes.iter().map(|shape| path(shape)).collect();
        Self { size: page.size, paths, places: page.places.clone() }
    }
}

impl TinySkia {
    /// Tells it a page.
    pub(crate) fn learn(&mut self, name: &'static str, page: &PeerPage) {
        self.pages.insert(name, Page::new(page, skia_path));
    }

    /// Draws the page: its size, and its premultiplied RGBA pixels.
    pub(crate) fn draw(&mut self, name: &str) -> ([u32; 2], &[u8]) {
        let page = &self.pages[name];
        let [width, height] = page.size;
        let kept = self.pixmap.take().filter(|pixmap| (pixmap.width(), pixmap.height()) == (width, height));
        let pixmap = self.pixmap.insert(kept.unwrap_or_else(|| tiny_skia::Pixmap::new(width, height).unwrap()));
        pixmap.fill(tiny_skia::Color::TRANSPARENT);
        let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
        paint.set_color_rgba8(0, 0, 0, 255);
        for (number, map) in &page.places {
            let Some(path) = &page.paths[*number] else { continue };
            let [xx, yx, xy, yy, x, y] = map.map(|entry| entry as f32);
            let transform = tiny_skia::Transform::from_row(xx, yx, xy, yy, x, y);
            pixmap.fill_path(path, &paint, tiny_skia::FillRule::Winding, transform, None);
        }
        (page.size, pixmap.data())
    }
}

fn skia_path(commands: &[PathCommand]) -> Option<tiny_skia::Path> {
    let mut path = tiny_skia::PathBuilder::new();
    for command in commands {
        let near = |at: [f64; 2]| at.map(|coordinate| coordinate as f32);
        match *command {
            PathCommand::MoveTo(to) => {
                let [x, y] = near(to);
                path.move_to(x, y);
            }
            PathCommand::LineTo(to) => {
                let [x, y] = near(to);
                path.line_to(x, y);
            }
            PathCommand::CubicTo(first, second, to) => {
                let [[x1, y1], [x2, y2], [x, y]] = [first, second, to].map(near);
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathCommand::Close => path.close(),
        }
    }
    path.finish()
}

/// `vello_cpu` 0.3.
pub(crate) struct VelloCpu {
    pages: HashMap<&'static str, Page<kurbo::BezPath>>,
    resources: vello_cpu::Resources,
    context: vello_cpu::RenderContext,
    pixmap: vello_cpu::Pixmap,
}

impl VelloCpu {
    /// No pages yet. It draws with this many threads.
    pub(crate) fn new(threads: usize) -> Self {
        // Its own threads help the one that calls it.
        let num_threads = threads as u16 - 1;
        let settings = vello_cpu::RenderSettings { num_threads, ..vello_cpu::RenderSettings::default() };
        Self {
            pages: HashMap::new(),
            resources: vello_cpu::Resources::new(),
            context: vello_cpu::RenderContext::new_with(1, 1, settings),
            pixmap: vello_cpu::Pixmap::new(1, 1),
        }
    }

    /// Tells it a page.
    pub(crate) fn learn(&mut self, name: &'static str, page: &PeerPage) {
        let path = |shape: &[PathCommand]| shape.iter().map(|&command| kurbo::PathEl::from(command)).collect();
        self.pages.insert(name, Page::new(page, path));
    }

    /// Draws the page: its size, and its premultiplied RGBA pixels.
    pub(crate) fn draw(&mut self, name: &str) -> ([u32; 2], &[u8]) {
        let page = &self.pages[name];
        let [columns, rows] = page.size.map(|side| u16::try_from(side).unwrap());
        self.context.reset_and_resize(columns, rows);
        self.context.set_paint(vello_cpu::color::AlphaColor::from_rgba8(0, 0, 0, 255));
        for (number, map) in &page.places {
            self.context.set_transform(kurbo::Affine::new(*map));
            self.context.fill_path(&page.paths[*number]);
        }
        self.context.flush();
        if (self.pixmap.width(), self.pixmap.height()) != (columns, rows) {
            self.pixmap = vello_cpu::Pixmap::new(columns, rows);
        }
        self.context.render(&mut self.pixmap, &mut self.resources);
        (page.size, self.pixmap.data_as_u8_slice())
    }
}
