//! Writes a design as a TrueType file.

use kurbo::{BezPath, PathEl, Shape as _};
use write_fonts::tables::cmap::Cmap;
use write_fonts::tables::glyf::{Contour, GlyfLocaBuilder, Glyph, SimpleGlyph};
use write_fonts::tables::head::Head;
use write_fonts::tables::hhea::Hhea;
use write_fonts::tables::hmtx::{Hmtx, LongMetric};
use write_fonts::tables::maxp::Maxp;
use write_fonts::tables::name::{Name, NameRecord};
use write_fonts::tables::os2::Os2;
use write_fonts::tables::post::Post;
use write_fonts::types::{FWord, Fixed, GlyphId, NameId, UfWord};
use write_fonts::{FontBuilder, OffsetMarker};

use super::design::Design;
use super::features::{GlyphNumbers, kerning, substitutions};
use super::{UNITS_PER_EM, X_HEIGHT};

/// How far quadratics may be from the cubics, in font units.
const TOLERANCE: f64 = 2.0;
/// Glyphs before those of the design: that of missing characters, and the space.
const FIRST: u16 = 2;
const NO_BREAK_SPACE: char = '\u{A0}';
/// The em's blank glyph for missing characters.
const MISSING_ADVANCE: f64 = 500.0;
/// US English on Windows (OpenType, "name").
const WINDOWS: [u16; 3] = [3, 1, 0x409];

/// Writes the file of a design with this family name. Equal designs give equal bytes.
///
/// # Errors
/// What `write-fonts` refuses; no design does so.
pub(in crate::own_hand) fn write_font(design: &Design, name: &str, slant: f64) -> Result<Vec<u8>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("the font cannot be written: {error}");
    let mut glyf = GlyfLocaBuilder::new();
    let blank = [MISSING_ADVANCE, design.space];
    let mut metrics: Vec<LongMetric> = blank.map(|advance| LongMetric::new(advance.round() as u16, 0)).to_vec();
    let mut whole: Option<kurbo::Rect> = None;
    let mut largest = [0_usize; 2];
    for _ in blank {
        glyf.add_glyph(&Glyph::Empty).map_err(|error| failed(&error))?;
    }
    for glyph in &design.glyphs {
        let mut path = BezPath::new();
        glyph.contours.iter().for_each(|contour| append_quadratics(contour, &mut path));
        let simple = SimpleGlyph::from_bezpath(&path).map_err(|error| failed(&format!("{error:?}")))?;
        largest[0] = largest[0].max(simple.contours.iter().map(Contour::len).sum());
        largest[1] = largest[1].max(simple.contours.len());
        metrics.push(LongMetric::new(glyph.advance.round() as u16, simple.bbox.x_min));
        let around = path.bounding_box();
        whole = Some(whole.map_or(around, |known| known.union(around)));
        glyf.add_glyph(&simple).map_err(|error| failed(&error))?;
    }
    let (glyf, loca, format) = glyf.build();
    let whole = whole.unwrap_or_default();
    let [top, bottom] = [whole.y1.ceil() as i16, whole.y0.floor() as i16];
    let number = |index: usize| GlyphId::new(u32::from(FIRST) + index as u32);
    let first_forms = design.glyphs.iter().enumerate().filter(|(_, glyph)| glyph.form == 0);
    let mappings = first_forms
        .map(|(index, glyph)| (glyph.character, number(index)))
        .chain([' ', NO_BREAK_SPACE].map(|space| (space, GlyphId::new(1))));
    let cmap = Cmap::from_mappings(mappings).map_err(|error| failed(&error))?;
    let count = metrics.len() as u16;
    let head = Head {
        font_revision: Fixed::from_f64(1.0),
        units_per_em: UNITS_PER_EM as u16,
        x_min: whole.x0.floor() as i16,
        y_min: bottom,
        x_max: whole.x1.ceil() as i16,
        y_max: top,
        lowest_rec_ppem: 8,
        index_to_loc_format: format as i16,
        ..Head::default()
    };
    let hhea = Hhea {
        ascender: FWord::new(top),
        descender: FWord::new(bottom),
        advance_width_max: UfWord::new(metrics.iter().map(|metric| metric.advance).max().unwrap_or_default()),
        min_left_side_bearing: FWord::new(metrics.iter().map(|metric| metric.side_bearing).min().unwrap_or_default()),
        x_max_extent: FWord::new(whole.x1.ceil() as i16),
        caret_slope_rise: 1,
        number_of_h_metrics: count,
        ..Hhea::default()
    };
    let maxp = limits(count, largest);
    let os2 = Os2 {
        us_weight_class: 400,
        us_width_class: 5,
        fs_type: 0,
        s_typo_ascender: top,
        s_typo_descender: bottom,
        us_win_ascent: top.max(0) as u16,
        us_win_descent: (-bottom).max(0) as u16,
        sx_height: Some(X_HEIGHT as i16),
        s_cap_height: Some(top),
        us_default_char: Some(0),
        us_break_char: Some(32),
        us_max_context: Some(2),
        ul_code_page_range_1: Some(1),
        ul_code_page_range_2: Some(0),
        ..Os2::default()
    };
    let post = Post { italic_angle: Fixed::from_f64(-slant.round()), ..Post::default() };
    let mut builder = FontBuilder::new();
    let mut add = || -> Result<(), write_fonts::BuilderError> {
        builder.add_table(&head)?.add_table(&hhea)?.add_table(&maxp)?.add_table(&os2)?.add_table(&post)?;
        builder.add_table(&cmap)?.add_table(&glyf)?.add_table(&loca)?;
        builder.add_table(&Hmtx::new(metrics.clone(), Vec::new()))?.add_table(&names(name))?;
        let numbers = GlyphNumbers::new(design, FIRST);
        if let Some(table) = substitutions(&numbers) {
            builder.add_table(&table)?;
        }
        if let Some(table) = kerning(&numbers) {
            builder.add_table(&table)?;
        }
        Ok(())
    };
    add().map_err(|error| failed(&error))?;
    Ok(builder.build())
}

/// What the largest glyph takes: its points and contours.
fn limits(count: u16, largest: [usize; 2]) -> Maxp {
    Maxp {
        max_points: Some(largest[0] as u16),
        max_contours: Some(largest[1] as u16),
        max_composite_points: Some(0),
        max_composite_contours: Some(0),
        max_zones: Some(1),
        max_twilight_points: Some(0),
        max_storage: Some(0),
        max_function_defs: Some(0),
        max_instruction_defs: Some(0),
        max_stack_elements: Some(0),
        max_size_of_instructions: Some(0),
        max_component_elements: Some(0),
        max_component_depth: Some(0),
        ..Maxp::new(count)
    }
}

fn names(family: &str) -> Name {
    let plain: String = family.chars().filter(char::is_ascii_alphanumeric).collect();
    let texts = [
        (NameId::FAMILY_NAME, family.to_owned()),
        (NameId::SUBFAMILY_NAME, "Regular".to_owned()),
        (NameId::UNIQUE_ID, format!("Longhand {family}")),
        (NameId::FULL_NAME, family.to_owned()),
        (NameId::VERSION_STRING, "Version 1.000".to_owned()),
        (NameId::POSTSCRIPT_NAME, format!("{}-Regular", if plain.is_empty() { "Hand" } else { &plain })),
    ];
    let [platform, encoding, language] = WINDOWS;
    let record = |(id, text)| NameRecord::new(platform, encoding, language, id, OffsetMarker::new(text));
    Name::new(texts.map(record).to_vec())
}

/// Appends a contour of lines and cubics with quadratics in place of these.
fn append_quadratics(contour: &BezPath, path: &mut BezPath) {
    let mut last = kurbo::Point::ZERO;
    for element in contour.elements() {
        match *element {
            PathEl::MoveTo(to) => path.move_to(to),
            PathEl::LineTo(to) => path.line_to(to),
            PathEl::QuadTo(control, to) => path.quad_to(control, to),
            PathEl::CurveTo(one, two, to) => {
                let cubic = kurbo::CubicBez::new(last, one, two, to);
                match cubic.approx_spline(TOLERANCE) {
                    Some(spline) => spline.to_quads().for_each(|quad| path.quad_to(quad.p1, quad.p2)),
                    None => cubic.to_quads(TOLERANCE).for_each(|(_, _, quad)| path.quad_to(quad.p1, quad.p2)),
                }
            }
            PathEl::ClosePath => path.close_path(),
        }
        last = element.end_point().unwrap_or(last);
    }
}
