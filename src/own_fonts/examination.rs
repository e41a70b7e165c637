//! Measures a font's file and says what is wrong with it. It may crash, hang or take much memory on hostile files, so
//! [`Examiner`](super::Examiner) runs it in a process of its own.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    LARGEST_FILE, LetterPoints, ShapeFacts, covered_sets, needed_word_gap, shapes, slant_degrees, stroke_contrast,
    stroke_em,
};
use crate::catalogue::{Complexity, Context, FontCatalogue, FontFace, FontFile, FontId, FontParts, GlyphId, RawTables};
use crate::layout::{ShapeProbe, context_of};
use crate::mesh::{Detail, tessellate};
use crate::spec::Kerning;
use crate::units::DevicePx;
use crate::work::WorkMeter;

/// Changes whenever the same file may get another result, so that older results are not taken from the cache.
pub(super) const VERSION: u32 = 5;
/// Version of this program.
pub(super) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Most points of a glyph in the file, with its components.
const MOST_POINTS: u64 = 10_000;
/// Most segments of a glyph that is drawn. A page may have 10,000 of it. The heaviest glyph of the ninety fonts has 1,664.
const MOST_SEGMENTS: usize = 1_700;
/// Most contours of a glyph.
const MOST_CONTOURS: u64 = 2_000;
/// Deepest nesting of composite glyphs.
const DEEPEST: u8 = 8;
/// Units of an em (OpenType, `head`).
const UNITS_PER_EM: std::ops::RangeInclusive<u16> = 16..=16_384;
/// Largest coordinate: that of a signed 16-bit integer.
const LARGEST_COORDINATE: f64 = 32_767.0;
/// The most characters that are listed as not written.
const MOST_UNWRITTEN: usize = 100;
/// Steps of work for shaping and layout: a hundred times what the largest of the ninety fonts takes.
const BUDGET: u64 = 2_000_000_000;
/// The `fsType` bits that matter here (OpenType, OS/2).
const RESTRICTED: u16 = 0x0002;
const BITMAPS_ONLY: u16 = 0x0200;

/// The result of an examination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examination {
    /// Version of the examination.
    pub version: u32,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub sha256: String,
    /// Size of the file.
    pub bytes: u64,
    /// Why the service cannot use the font; empty if it can.
    pub problems: Vec<String>,
    /// Family name in the file.
    pub family: Option<String>,
    /// `fsType` of the file: what its maker allows.
    pub fs_type: u16,
    /// Version of the program whose examination took too much time or memory, or crashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off_by: Option<String>,
    /// The measurements, if the font can be used.
    pub measures: Option<Measures>,
}

/// Measurements of a font. Lengths are in ems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measures {
    /// Format of the outlines: `TrueType` or `CFF`.
    pub outlines: String,
    /// Font units in one em.
    pub units_per_em: u16,
    /// Number of glyphs.
    pub glyphs: u16,
    /// Number of characters.
    pub characters: usize,
    /// Characters of its cmap whose glyph is blank or draws something else; at most the first 100.
    pub unwritten: String,
    /// Characters of ASCII that it does not write.
    pub lacking_ascii: String,
    /// Character sets and scripts of which it has every letter.
    pub scripts: Vec<String>,
    /// Height of the letter x.
    pub x_height_em: f64,
    /// Width of the pen stroke.
    pub stroke_em: f64,
    /// How far strokes differ in width: see [`stroke_contrast`].
    pub contrast: f64,
    /// Extra word space that keeps words apart.
    pub added_word_gap_em: f64,
    /// Advance of the font's own word space.
    pub word_space_em: f64,
    /// Slant in degrees, positive to the right.
    pub slant_degrees: f64,
    /// Whether pair kerning moves letters.
    pub kerning: bool,
    /// Whether letters depend on their neighbours.
    pub alternates: bool,
    /// How far they do.
    pub context: Context,
    /// The share of neighbours in words whose ink overlaps.
    pub joins: f64,
    /// Points of the usual letters.
    pub letter_points: LetterPoints,
    /// The glyph with the most points.
    pub worst_glyph: WorstGlyph,
}

/// The glyph of a font with the most points, as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorstGlyph {
    /// Its index.
    pub glyph: u16,
    /// A character that it writes.
    pub character: Option<char>,
    /// Its points with those of its components, after simplification.
    pub points: u64,
}

impl Examination {
    /// The result for a file whose examination was cut off.
    pub(super) fn cut_off(sha256: &str, bytes: u64, problem: String) -> Self {
        Self {
            version: VERSION,
            sha256: sha256.to_owned(),
            bytes,
            problems: vec![problem],
            cut_off_by: Some(PROGRAM.to_owned()),
            ..Self::default()
        }
    }
}

/// Why a font with this `fsType` may not be used unless its operator has checked the licence.
#[must_use]
pub const fn embedding_problem(fs_type: u16) -> Option<&'static str> {
    if fs_type & 0x000F == RESTRICTED {
        Some("its fsType (0x0002, restricted) says that documents may not contain it")
    } else if fs_type & BITMAPS_ONLY != 0 {
        Some("its fsType (0x0200, bitmaps only) says that documents may not contain its outlines")
    } else {
        None
    }
}

/// Examines the bytes of a font's file.
#[must_use]
pub fn examine(bytes: Vec<u8>) -> Examination {
    let size = bytes.len() as u64;
    let file = FontFile::keep(bytes);
    let tables = RawTables::parse(file.bytes);
    let text = |name: String| name.chars().filter(|each| !each.is_control()).take(100).collect();
    let mut examination = Examination {
        version: VERSION,
        sha256: file.sha256(),
        bytes: size,
        family: tables.and_then(|tables| tables.name(16).or_else(|| tables.name(1))).map(text),
        fs_type: tables.and_then(|tables| tables.fs_type()).unwrap_or_default(),
        ..Examination::default()
    };
    let Some(tables) = tables.filter(|_| size <= LARGEST_FILE) else {
        examination.problems = vec![if size > LARGEST_FILE {
            format!("the file has {size} bytes; {LARGEST_FILE} are allowed")
        } else {
            "it is no TrueType or OpenType font: it has no table directory".to_owned()
        }];
        return examination;
    };
    examination.problems = defects(&tables);
    if examination.problems.is_empty() {
        match measure(file, &tables) {
            Ok(measures) => examination.measures = Some(measures),
            Err(problem) => examination.problems.push(problem),
        }
    }
    examination
}

/// Defects that the tables show, before any glyph is drawn.
fn defects(tables: &RawTables<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    for table in [b"head", b"maxp", b"hhea", b"hmtx", b"cmap"] {
        if !tables.has(*table) {
            problems.push(format!("it has no table \"{}\"", String::from_utf8_lossy(table)));
        }
    }
    if !tables.has(*b"glyf") && !tables.has(*b"CFF ") && !tables.has(*b"CFF2") {
        problems.push("it has no outlines (glyf or CFF): coloured and bitmap letters cannot be written".to_owned());
    }
    if let Some(units) = tables.units_per_em().filter(|units| !UNITS_PER_EM.contains(units)) {
        problems.push(format!("its em has {units} units; 16 to 16384 are allowed"));
    }
    let complexities = tables.complexities().unwrap_or_default();
    let first = |is_bad: &dyn Fn(&Complexity) -> bool| complexities.iter().position(is_bad);
    if let Some(glyph) = first(&|glyph| glyph.is_cyclic) {
        problems.push(format!("glyph {glyph} contains itself"));
    }
    if let Some(glyph) = first(&|glyph| glyph.depth > DEEPEST) {
        problems.push(format!("the components of glyph {glyph} are nested deeper than {DEEPEST} levels"));
    }
    let points: fn(&Complexity) -> u64 = |glyph| glyph.points;
    let contours = |glyph: &Complexity| glyph.contours;
    for (name, count, most) in [("points", points, MOST_POINTS), ("contours", contours, MOST_CONTOURS)] {
        let worst = complexities.iter().map(count).enumerate().max_by_key(|(_, count)| *count);
        if let Some((glyph, count)) = worst.filter(|(_, count)| *count > most) {
            problems.push(format!("glyph {glyph} has {count} {name}; {most} are allowed"));
        }
    }
    problems
}

/// Draws and shapes everything in the font, and measures it.
fn measure(file: FontFile, tables: &RawTables<'_>) -> Result<Measures, String> {
    let own = |error: &dyn std::fmt::Display| format!("it cannot be examined: {error}");
    let bundled = FontCatalogue::load().map_err(|error| own(&error))?;
    let id = FontId::new(*crate::catalogue::OPERATOR_IDS.start()).unwrap_or(FontId::DEFAULT);
    let with = |context| {
        let font = FontParts { context, ..FontParts::plain(id, file) };
        FontFace::of_operator(font).map(|face| Arc::new(bundled.with_operator_fonts([Arc::new(face)])))
    };
    let catalogue = with(Context::default()).map_err(|error| match error {
        crate::catalogue::CatalogueError::BrokenFont { reason, .. } => reason,
        error => error.to_string(),
    })?;
    let face = catalogue.face(id);
    let worst_glyph = draw_all(face)?;
    let letter_points = LetterPoints::of(face);
    if let Some(problem) = letter_points.problem() {
        return Err(problem);
    }
    let work = WorkMeter::new(BUDGET, &|| true);
    shape_all(&catalogue, id, &work)?;
    let facts = ShapeFacts::of(&catalogue, id, &work).map_err(|error| own(&error))?;
    // Whole lines are right for every font, and slower. Alternates may look as far as their rules say.
    let context = if facts.alternates || tables.has_contextual_features() {
        Ok(Context::Line)
    } else {
        context_of(id, &work, |context| with(context).unwrap_or_else(|_| Arc::clone(&catalogue)))
    };
    let em = f64::from(face.units_per_em());
    let stroke_em = stroke_em(face).map_err(|error| own(&error))?;
    if stroke_em <= 0.0 {
        return Err("its letters have no strokes that can be measured".to_owned());
    }
    Ok(Measures {
        outlines: if tables.has(*b"glyf") { "TrueType" } else { "CFF" }.to_owned(),
        units_per_em: face.units_per_em(),
        glyphs: face.glyph_count(),
        characters: face.characters().len(),
        unwritten: face.characters().unwritten().iter().take(MOST_UNWRITTEN).collect(),
        lacking_ascii: ('!'..='~').filter(|character| !face.characters().draws(*character)).collect(),
        scripts: covered_sets(face.characters()),
        x_height_em: rounded(face.x_height().get() / em),
        stroke_em: rounded(stroke_em),
        contrast: rounded(stroke_contrast(face).map_err(|error| own(&error))?),
        // Lines of paper go on through spaces, so words need not keep apart.
        added_word_gap_em: match face.inked_space() {
            Some(_) => 0.0,
            None => rounded(needed_word_gap(&catalogue, id, &work).map_err(|error| own(&error))?),
        },
        word_space_em: rounded(face.word_space_em()),
        slant_degrees: slant_degrees(face).map_err(|error| own(&error))?.round() + 0.0,
        kerning: facts.kerning,
        alternates: facts.alternates,
        context: context.map_err(|error| own(&error))?,
        joins: rounded(facts.joins),
        letter_points,
        worst_glyph,
    })
}

fn rounded(em: f64) -> f64 {
    (em * 1000.0).round() / 1000.0
}

/// Outlines and tessellates every glyph. Returns the one with the most points.
fn draw_all(face: &FontFace) -> Result<WorstGlyph, String> {
    let mut worst = WorstGlyph::default();
    let tolerance = Detail::for_em(DevicePx::new(60.0)).tolerance(face.units_per_em());
    for glyph in 0..face.glyph_count() {
        let in_file = face.segments_in_file(GlyphId(glyph)) as u64;
        if in_file > MOST_POINTS {
            return Err(format!("glyph {glyph} has {in_file} points; {MOST_POINTS} are allowed"));
        }
        let Some(outline) = face.outline(GlyphId(glyph)) else { continue };
        let segments = outline.segments();
        if segments > MOST_SEGMENTS {
            return Err(format!(
                "glyph {glyph} has {in_file} points, and {segments} after simplification; {MOST_SEGMENTS} are allowed: \
                 simplify its outline"
            ));
        }
        let ink = outline.ink;
        let edges = [ink.min.x, ink.min.y, ink.max.x, ink.max.y].map(|edge| edge.get().abs());
        // An edge that is no number is not within bounds either.
        if !edges.into_iter().all(|edge| edge <= LARGEST_COORDINATE) {
            return Err(format!("glyph {glyph} reaches beyond ±32767 units"));
        }
        tessellate(&outline, tolerance).map_err(|error| format!("glyph {glyph} cannot be drawn: {error}"))?;
        if segments as u64 > worst.points {
            worst = WorstGlyph { glyph, character: None, points: segments as u64 };
        }
    }
    let is_worst = |character: &char| face.glyph_for(*character) == Some(GlyphId(worst.glyph));
    worst.character = ('!'..=char::MAX).filter(|character| face.has(*character)).find(is_worst);
    Ok(worst)
}

/// Shapes every character by itself.
fn shape_all(catalogue: &FontCatalogue, font: FontId, work: &WorkMeter<'_>) -> Result<(), String> {
    let face = catalogue.face(font);
    let mut probe = ShapeProbe::new(catalogue, font, Kerning::Pairs, work);
    for character in ('!'..=char::MAX).filter(|character| face.has(*character)) {
        let point = u32::from(character);
        let shaped = probe.glyphs(character.encode_utf8(&mut [0; 4]));
        let (glyphs, _) = shaped.map_err(|error| format!("U+{point:04X} cannot be shaped: {error}"))?;
        if glyphs.len() > shapes::MOST_GLYPHS {
            let (count, most) = (glyphs.len(), shapes::MOST_GLYPHS);
            return Err(format!("its rules (GSUB) make {count} glyphs of U+{point:04X}; {most} are allowed"));
        }
    }
    Ok(())
}
