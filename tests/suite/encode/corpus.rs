//! Pages of writing for the encoder: real glyphs with exact area coverage, as the renderer makes them, but drawn here
//! on the CPU by a few lines that know nothing of layout. They train the encoder's code and measure its output.

#![expect(clippy::expect_used, clippy::panic, reason = "a page that cannot be drawn fails the test that needs it")]
#![expect(clippy::many_single_char_names, reason = "the control points of curves have no better names")]

use std::path::Path;

use longhand::raster::{Coverage, Strip, TILE};
use ttf_parser::{Face, OutlineBuilder};

const TEXT: &str = "Dear Margaret, thank you so much for the lovely weekend by the sea. We have talked of little \
    else since we came home; Tom still asks when the boat will sail again, and Alice keeps 23 shells on her window \
    sill. Could you send us your recipe for plum cake? Yours never fails, mine always does. The garden is quite dry \
    now (no rain since 14 June!), but the roses bloom as if they knew nothing about it. With love from all of us, \
    Elizabeth & Jack. ";

/// A page of writing.
pub(crate) struct Sample {
    /// Short name for reports.
    pub(crate) name: &'static str,
    /// File name in fonts/ttf.
    font: &'static str,
    /// Device px an em.
    size: f32,
    /// Page in device px; a tenth of the width is margin on each side.
    page: (usize, usize),
    /// How many characters to write; what does not fit is left out.
    characters: usize,
    /// Whether ink runs dry along the line.
    fading: bool,
}

/// A full A4 page of 1,500 characters at 300 DPI.
pub(crate) const DENSE_A4: Sample = sample("dense A4", "caveat", 60.0, (2480, 3508), 1500);

/// A small page for tests that look at every bit.
pub(crate) const SMALL: Sample = sample("small", "caveat", 36.0, (1240, 1748), 800);

/// The corpus: fonts thick and thin, joined and not; small and large; 300 and 600 DPI; a quarter with fading ink.
pub(crate) const CORPUS: [Sample; 16] = [
    sample("caveat", "caveat", 60.0, (2480, 3508), 1000),
    sample("caveat 600 dpi", "caveat", 120.0, (2480, 3508), 400),
    sample("caveat large", "caveat", 120.0, (1748, 2480), 200),
    SMALL,
    sample("patrick hand", "patrick-hand", 60.0, (1748, 2480), 600),
    sample("kalam", "kalam", 50.0, (1748, 2480), 600),
    sample("dancing script", "dancing-script", 80.0, (1748, 2480), 400),
    sample("homemade apple", "homemade-apple", 56.0, (1748, 2480), 400),
    sample("reenie beanie 600 dpi", "reenie-beanie", 130.0, (2480, 3508), 600),
    sample("rock salt", "rock-salt", 40.0, (1748, 2480), 500),
    sample("great vibes 600 dpi", "great-vibes", 160.0, (2480, 3508), 400),
    sample("permanent marker", "permanent-marker", 60.0, (1748, 2480), 400),
    fading("fading caveat", "caveat", 60.0, (1748, 2480), 600),
    fading("fading kalam 600 dpi", "kalam", 100.0, (2480, 3508), 400),
    fading("fading indie flower", "indie-flower", 60.0, (1748, 2480), 600),
    fading("fading tangerine", "tangerine", 90.0, (1748, 2480), 500),
];

const fn sample(name: &'static str, font: &'static str, size: f32, page: (usize, usize), characters: usize) -> Sample {
    Sample { name, font, size, page, characters, fading: false }
}

const fn fading(name: &'static str, font: &'static str, size: f32, page: (usize, usize), characters: usize) -> Sample {
    Sample { fading: true, ..sample(name, font, size, page, characters) }
}

impl Sample {
    /// The page's pixels, row by row.
    pub(crate) fn draw(&self) -> Vec<u8> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts/ttf").join(self.font).with_extension("ttf");
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let face = Face::parse(&bytes, 0).expect("a font of ours");
        let scale = self.size / f32::from(face.units_per_em());
        let advance = |character: char| {
            let glyph = face.glyph_index(character).unwrap_or_default();
            f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) * scale
        };
        let (width, height) = self.page;
        let margin = width as f32 / 10.0;
        let mut page = Accumulator { width, height, areas: vec![0.0; width * height + 2] };
        let text: String = TEXT.chars().cycle().take(self.characters).collect();
        let (mut x, mut baseline) = (margin, margin + self.size);
        for word in text.split_inclusive(' ') {
            if x + word.trim_end().chars().map(advance).sum::<f32>() > width as f32 - margin {
                x = margin;
                baseline += 2.0 * self.size;
            }
            if baseline > height as f32 - margin {
                break;
            }
            for character in word.chars() {
                if let Some(glyph) = face.glyph_index(character) {
                    let (start, current) = ((0.0, 0.0), (0.0, 0.0));
                    face.outline_glyph(glyph, &mut Pen { page: &mut page, x, baseline, scale, start, current });
                }
                x += advance(character);
            }
        }
        let mut pixels = page.coverage();
        if self.fading {
            fade(&mut pixels, width);
        }
        pixels
    }

    /// The page as the encoder gets it.
    pub(crate) fn coverage(&self) -> Coverage {
        coverage_of(self.page.0, &self.draw())
    }
}

/// The strips of a page given in full: in each row of tiles, every run of tiles with ink.
pub(crate) fn coverage_of(width: usize, pixels: &[u8]) -> Coverage {
    let tile = TILE as usize;
    let height = pixels.len() / width;
    let (mut strips, mut bytes) = (Vec::new(), Vec::new());
    for tile_row in 0..height.div_ceil(tile) {
        let rows = || tile_row * tile..(tile_row + 1) * tile;
        let pixel = |x: usize, y: usize| if x < width && y < height { pixels[y * width + x] } else { 0 };
        let inked: Vec<bool> = (0..width.div_ceil(tile))
            .map(|column| rows().any(|y| (column * tile..(column + 1) * tile).any(|x| pixel(x, y) > 0)))
            .collect();
        let mut column = 0;
        for run in inked.chunk_by(|left, right| left == right) {
            if run[0] {
                let (x, end) = (column * tile, (column + run.len()) * tile);
                let (tile_row, offset) = (tile_row as u32, bytes.len());
                strips.push(Strip { tile_row, x: x as u32, width: (end - x) as u32, offset });
                bytes.extend(rows().flat_map(|y| (x..end).map(move |x| pixel(x, y))));
            }
            column += run.len();
        }
    }
    Coverage::new(width as u32, height as u32, strips, bytes)
}

/// A smooth loss of ink along each line with grain on it, between 0.35 and 1.
fn fade(pixels: &mut [u8], width: usize) {
    for (index, pixel) in pixels.iter_mut().enumerate().filter(|(_, pixel)| **pixel > 0) {
        let (x, y) = ((index % width) as f32, (index / width) as f32);
        let dip = 0.75 + 0.2 * (x / 170.0 + y / 90.0).sin();
        let grain = ((index as u32).wrapping_mul(0x9E37_79B1) >> 24) as f32 / 255.0 * 0.1 - 0.05;
        *pixel = (f32::from(*pixel) * (dip + grain).clamp(0.35, 1.0)).round() as u8;
    }
}

/// Signed areas of outline segments: pixel by pixel the change of coverage from left to right.
struct Accumulator {
    width: usize,
    height: usize,
    areas: Vec<f32>,
}

impl Accumulator {
    fn line(&mut self, from: (f32, f32), to: (f32, f32)) {
        let ((direction, top), bottom) = if from.1 < to.1 { ((1.0, from), to) } else { ((-1.0, to), from) };
        if top.1 >= bottom.1 {
            return;
        }
        let slope = (bottom.0 - top.0) / (bottom.1 - top.1);
        let last = (bottom.1.ceil().max(0.0) as usize).min(self.height);
        for row in top.1.floor().max(0.0) as usize..last {
            let start = top.1.max(row as f32);
            let end = bottom.1.min(row as f32 + 1.0);
            let at = |y: f32| top.0 + (y - top.1) * slope;
            self.span(row, direction * (end - start), at(start), at(end));
        }
    }

    /// A piece of a segment inside one row that covers `height` of it, between `from` and `to` in x.
    fn span(&mut self, row: usize, height: f32, from: f32, to: f32) {
        let inside = |x: f32| x.clamp(0.0, self.width as f32 - 1.0);
        let (left, right) = (inside(from.min(to)), inside(from.max(to)));
        // Mean over the piece of what lies between it and `edge`, right of it.
        let reach = |edge: f32| {
            if edge >= right {
                edge - 0.5 * (left + right)
            } else {
                (edge - left).max(0.0).powi(2) / (2.0 * (right - left))
            }
        };
        let mut before = 0.0;
        for column in left as usize..=right as usize + 1 {
            let covered = reach(column as f32 + 1.0) - reach(column as f32).max(0.0);
            self.areas[row * self.width + column] += height * (covered - before);
            before = covered;
        }
    }

    fn coverage(&self) -> Vec<u8> {
        let rows = self.areas[..self.width * self.height].chunks(self.width);
        rows.flat_map(|row| {
            row.iter().scan(0.0_f32, |sum, area| {
                *sum += area;
                Some((sum.abs().min(1.0) * 255.0).round() as u8)
            })
        })
        .collect()
    }
}

/// Flattens an outline into the page: font units, y up, to device px, y down.
struct Pen<'a> {
    page: &'a mut Accumulator,
    x: f32,
    baseline: f32,
    scale: f32,
    start: (f32, f32),
    current: (f32, f32),
}

impl Pen<'_> {
    fn on_page(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.baseline - y * self.scale)
    }

    fn line_on_page(&mut self, to: (f32, f32)) {
        self.page.line(self.current, to);
        self.current = to;
    }

    fn curve(&mut self, at: impl Fn(f32) -> (f32, f32)) {
        for step in 1_u8..=10 {
            self.line_on_page(at(f32::from(step) / 10.0));
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.on_page(x, y);
        self.current = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.on_page(x, y);
        self.line_on_page(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b, c) = (self.current, self.on_page(x1, y1), self.on_page(x, y));
        let mix = |t: f32, a: f32, b: f32, c: f32| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        self.curve(|t| (mix(t, a.0, b.0, c.0), mix(t, a.1, b.1, c.1)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.current, self.on_page(x1, y1), self.on_page(x2, y2), self.on_page(x, y));
        let mix = |t: f32, a: f32, b: f32, c: f32, d: f32| {
            let s = 1.0 - t;
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        self.curve(|t| (mix(t, a.0, b.0, c.0, d.0), mix(t, a.1, b.1, c.1, d.1)));
    }

    fn close(&mut self) {
        self.line_on_page(self.start);
    }
}
