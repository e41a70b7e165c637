//! A page of paths into an SVG file.
//!
//! Input: a [`VectorPage`], the exact size of the paper, and the options of the request. Output: the bytes of an
//! SVG 1.1 file in millimetres, in parts, with `<path>` in `<g>` alone: no transforms, styles or references, which
//! cutters and plotters often cannot read. Where the request asks for shared glyphs, `shared` defines each once, for
//! `<use>`. `path_data` writes the paths, and `picture` artwork, in `<image>` below them. Equal input gives equal
//! bytes.

mod path_data;
mod picture;
mod shared;

use std::fmt::Write as _;

use super::color::on_screen;
use crate::geometry::Size;
use crate::spec::{DrawnRules, Rgb, SvgGroups, SvgOptions};
use crate::units::Mm;
use crate::vector::{VectorPage, VectorText, VectorWord};
use crate::work::{IsWanted, Stopped};
use path_data::{STEPS_PER_MM, append_millimetres, path_data, whole_path_data};
pub use picture::SvgPicture;
use picture::append_picture;
use shared::SharedGlyphs;

/// Bytes after which a part of a file is given away.
const PART: usize = 1 << 20;

/// The colour of paper, with which fading ink is mixed.
const PAPER: Rgb = Rgb([255; 3]);

/// Writes the file of one page on paper of this size. `give` takes parts of about 1 MiB; the rest of the file
/// is returned. Paths are filled, or lines of the pen of their writing.
///
/// # Errors
/// When the file is no longer wanted.
pub fn encode_svg(
    page: &VectorPage,
    pictures: &[SvgPicture],
    paper: Size<Mm>,
    options: &SvgOptions,
    is_wanted: IsWanted<'_>,
    give: &mut dyn FnMut(Vec<u8>),
) -> Result<Vec<u8>, Stopped> {
    let [width, height] = [paper.width, paper.height].map(millimetres);
    let shared = SharedGlyphs::of(page, options.glyphs);
    let xlink =
        if shared.is_empty() && pictures.is_empty() { "" } else { " xmlns:xlink=\"http://www.w3.org/1999/xlink\"" };
    let has_layers = options.group_by == SvgGroups::Ink;
    let inkscape = if has_layers { " xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\"" } else { "" };
    let mut file = SvgFile { text: String::new(), shared, is_wanted, give };
    file.append(format_args!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"{xlink}{inkscape} version=\"1.1\" \
         width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\">\n"
    ));
    file.append_definitions()?;
    let mut layers = 0;
    let mut layer = |name: &str| {
        layers += 1;
        if has_layers { layer_attributes(layers, name) } else { String::new() }
    };
    for picture in pictures {
        append_picture(picture, &mut file.text);
    }
    if let Some(rules) = &page.rules {
        append_rules(rules, &layer("rules"), &mut file.text);
    }
    let brushes: Vec<Brush> = page.texts.iter().map(Brush::of).collect();
    let texts = || brushes.iter().zip(&page.texts);
    match options.group_by {
        SvgGroups::Line => {
            let lines = texts()
                .flat_map(|(brush, text)| text.lines.iter().map(move |line| (brush, text.words.get(line.clone()))));
            for (number, (brush, words)) in (1..).zip(lines) {
                file.append_group(&format!("line-{number}"), "", &[(brush, words.unwrap_or_default())])?;
            }
        }
        SvgGroups::Word => {
            let words = texts().flat_map(|(brush, text)| text.words.iter().map(move |word| (brush, word)));
            for (number, (brush, word)) in (1..).zip(words) {
                file.append_group(&format!("word-{number}"), "", &[(brush, std::slice::from_ref(word))])?;
            }
        }
        SvgGroups::Page | SvgGroups::Ink => {
            let mut inks: Vec<(Rgb, Vec<Part<'_>>)> = Vec::new();
            for (brush, text) in texts() {
                let part = (brush, text.words.as_slice());
                match inks.iter_mut().find(|(ink, _)| *ink == text.ink) {
                    Some((_, parts)) => parts.push(part),
                    None => inks.push((text.ink, vec![part])),
                }
            }
            let has_one = inks.len() == 1;
            for (number, (ink, parts)) in (1..).zip(inks) {
                let name = if ink == Rgb::default() { "black".to_owned() } else { hexadecimal(ink.0) };
                let id = match options.group_by {
                    SvgGroups::Ink => format!("ink-{number}"),
                    _ if has_one => "page".to_owned(),
                    _ => format!("page-{number}"),
                };
                file.append_group(&id, &layer(&name), &parts)?;
            }
        }
    }
    file.append(format_args!("</svg>\n"));
    Ok(file.text.into_bytes())
}

/// Words, and how they are painted.
type Part<'a> = (&'a Brush, &'a [VectorWord]);

/// A file that is being written.
struct SvgFile<'a> {
    /// What was not given away.
    text: String,
    shared: SharedGlyphs,
    is_wanted: IsWanted<'a>,
    give: &'a mut dyn FnMut(Vec<u8>),
}

impl SvgFile<'_> {
    fn append(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }

    /// Appends the glyphs that the page repeats.
    fn append_definitions(&mut self) -> Result<(), Stopped> {
        if self.shared.is_empty() {
            return Ok(());
        }
        let definitions = self.shared.definitions();
        self.append(format_args!("<defs>\n"));
        for (name, glyph) in definitions {
            let data = whole_path_data(&glyph.path);
            self.append(format_args!("<path id=\"{name}\" d=\"{data}\"/>\n"));
            self.end_path()?;
        }
        self.append(format_args!("</defs>\n"));
        Ok(())
    }

    /// Appends a group of words with their brushes. It has the attributes of its layer, if it is one, and of solid ink
    /// of its first brush; paths that differ have their own.
    fn append_group(&mut self, id: &str, layer: &str, parts: &[Part<'_>]) -> Result<(), Stopped> {
        let Some((first, _)) = parts.first() else { return Ok(()) };
        self.append(format_args!("<g id=\"{id}\" {layer}{}>\n", first.attributes(u8::MAX)));
        for (brush, words) in parts {
            for path in words.iter().flat_map(|word| &word.paths) {
                let own = if path.ink == u8::MAX && brush == first {
                    String::new()
                } else {
                    format!("{} ", brush.attributes(path.ink))
                };
                match self.shared.placed(&path.shape) {
                    Some((name, map)) => {
                        self.append(format_args!("<use {own}xlink:href=\"#{name}\" transform=\"matrix({map})\"/>\n"));
                    }
                    None => self.append(format_args!("<path {own}d=\"{}\"/>\n", path_data(&path.shape.path()))),
                }
                self.end_path()?;
            }
        }
        self.append(format_args!("</g>\n"));
        Ok(())
    }

    /// Gives a part away if it is long enough.
    fn end_path(&mut self) -> Result<(), Stopped> {
        if self.text.len() >= PART {
            (self.give)(std::mem::take(&mut self.text).into_bytes());
        }
        if (self.is_wanted)() { Ok(()) } else { Err(Stopped::Unwanted) }
    }
}

/// How the paths of a text are painted.
#[derive(PartialEq)]
struct Brush {
    /// The colours of its ink by strength.
    colors: Vec<String>,
    /// The attributes of its pen; `None` where paths are filled.
    pen: Option<String>,
}

impl Brush {
    fn of(text: &VectorText) -> Self {
        let colors = on_screen(text.ink, PAPER).into_iter().map(hexadecimal).collect();
        let pen = text.pen.map(|width| {
            format!("stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", millimetres(width))
        });
        Self { colors, pen }
    }

    /// The attributes of a path with ink of this strength.
    fn attributes(&self, strength: u8) -> String {
        let color = self.colors.get(usize::from(strength)).map_or("", String::as_str);
        match &self.pen {
            None => format!("fill=\"{color}\""),
            Some(pen) => format!("fill=\"none\" stroke=\"{color}\" {pen}"),
        }
    }
}

/// What makes a group a layer for Inkscape, vpype and the plug-ins of pen plotters. They pause before a layer whose name
/// begins with a number, and draw the layers in the order of the numbers.
fn layer_attributes(number: usize, name: &str) -> String {
    format!("inkscape:groupmode=\"layer\" inkscape:label=\"{number} {name}\" ")
}

/// The drawn rules, as a group of their own below the writing.
fn append_rules(rules: &DrawnRules, layer: &str, file: &mut String) {
    let [left, right, thickness] = [rules.left, rules.right, rules.thickness].map(|length| millimetres(length.to_mm()));
    let color = hexadecimal(rules.color.0);
    let _ = writeln!(file, "<g id=\"rules\" {layer}fill=\"none\" stroke=\"{color}\" stroke-width=\"{thickness}\">");
    for height in &rules.heights {
        let _ = writeln!(file, "<path d=\"M{left} {0}H{right}\"/>", millimetres(height.to_mm()));
    }
    file.push_str("</g>\n");
}

/// A length to a thousandth of a millimetre.
fn millimetres(length: Mm) -> String {
    let mut text = String::new();
    append_millimetres((length.get() * STEPS_PER_MM).round() as i64, &mut text);
    text
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
