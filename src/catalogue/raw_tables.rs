//! What the tables of a font say that no page needs: permissions, names, how complex its glyphs are.
//!
//! It reads a file before anything draws its glyphs, so it trusts no offset or count in it and takes time and memory in
//! proportion to the file.

use ttf_parser::{Face, RawFace, Tag};

/// Deepest nesting of composite glyphs that is followed; deeper ones count as this deep.
const DEEPEST: u8 = 32;

/// What drawing a glyph takes, with all its components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complexity {
    /// Points of all contours; saturates.
    pub points: u64,
    /// Contours; saturates.
    pub contours: u64,
    /// Levels of components below the glyph: 0 without components.
    pub depth: u8,
    /// Whether the glyph contains itself.
    pub is_cyclic: bool,
}

/// The tables of a font.
#[derive(Clone, Copy, Debug)]
pub struct RawTables<'a>(RawFace<'a>);

impl<'a> RawTables<'a> {
    /// The tables of a file; `None` if it has no table directory.
    #[must_use]
    pub fn parse(file: &'a [u8]) -> Option<Self> {
        RawFace::parse(file, 0).ok().map(Self)
    }

    /// Whether there is a table of this name.
    #[must_use]
    pub fn has(&self, name: [u8; 4]) -> bool {
        self.table(name).is_some()
    }

    /// The bytes of a table.
    fn table(&self, name: [u8; 4]) -> Option<&'a [u8]> {
        self.0.table(Tag::from_bytes(&name))
    }

    /// `fsType` of OS/2: what the licence allows by the font's own account.
    #[must_use]
    pub fn fs_type(&self) -> Option<u16> {
        u16_at(self.table(*b"OS/2")?, 8)
    }

    /// `unitsPerEm` of `head`.
    #[must_use]
    pub fn units_per_em(&self) -> Option<u16> {
        u16_at(self.table(*b"head")?, 18)
    }

    /// Whether the substitutions (GSUB) have contextual alternates or ligatures that are on by default.
    #[must_use]
    pub fn has_contextual_features(&self) -> bool {
        const FEATURES: [&[u8; 4]; 3] = [b"calt", b"clig", b"rclt"];
        let face = Face::parse(self.0.data, 0).ok();
        let features = face.iter().filter_map(|face| face.tables().gsub).flat_map(|table| table.features);
        features.into_iter().any(|feature| FEATURES.contains(&&feature.tag.to_bytes()))
    }

    /// A Unicode string of `name`, by its id (1 is the family, 13 the licence).
    #[must_use]
    pub fn name(&self, id: u16) -> Option<String> {
        let names = ttf_parser::name::Table::parse(self.table(*b"name")?)?.names;
        names.into_iter().filter(|name| name.name_id == id).find_map(|name| name.to_string())
    }

    /// How complex each glyph of `glyf` is, in glyph order; `None` for a font with other outlines.
    #[must_use]
    pub fn complexities(&self) -> Option<Vec<Complexity>> {
        let count = u16_at(self.table(*b"maxp")?, 4)?;
        let format = match u16_at(self.table(*b"head")?, 50)? {
            0 => ttf_parser::head::IndexToLocationFormat::Short,
            _ => ttf_parser::head::IndexToLocationFormat::Long,
        };
        let loca = ttf_parser::loca::Table::parse(count.try_into().ok()?, format, self.table(*b"loca")?)?;
        let mut glyphs = Glyphs { glyf: self.table(*b"glyf")?, loca, known: vec![State::New; count.into()] };
        Some((0..count).map(|glyph| glyphs.measure(glyph, 0)).collect())
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    /// Its components are being measured.
    Open,
    Known(Complexity),
}

struct Glyphs<'a> {
    glyf: &'a [u8],
    loca: ttf_parser::loca::Table<'a>,
    known: Vec<State>,
}

impl Glyphs<'_> {
    fn measure(&mut self, glyph: u16, level: u8) -> Complexity {
        let index = usize::from(glyph);
        match self.known.get(index) {
            Some(State::Known(known)) => return *known,
            Some(State::Open) => return Complexity { is_cyclic: true, ..Complexity::default() },
            Some(State::New) if level < DEEPEST => {}
            _ => return Complexity::default(),
        }
        self.known[index] = State::Open;
        let measured = self.measure_new(glyph, level).unwrap_or_default();
        self.known[index] = State::Known(measured);
        measured
    }

    fn measure_new(&mut self, glyph: u16, level: u8) -> Option<Complexity> {
        let data = self.glyf.get(self.loca.glyph_range(ttf_parser::GlyphId(glyph))?)?;
        let contours = u16_at(data, 0)? as i16;
        if let Ok(contours) = usize::try_from(contours) {
            let last = contours.checked_sub(1).and_then(|last| u16_at(data, 10 + 2 * last));
            let points = last.map_or(0, |last| u64::from(last) + 1);
            return Some(Complexity { points, contours: contours as u64, ..Complexity::default() });
        }
        let mut whole = Complexity::default();
        for component in components(data) {
            let part = self.measure(component, level + 1);
            whole.points = whole.points.saturating_add(part.points);
            whole.contours = whole.contours.saturating_add(part.contours);
            whole.depth = whole.depth.max(part.depth + 1);
            whole.is_cyclic |= part.is_cyclic;
        }
        Some(whole)
    }
}

/// The glyphs that a composite glyph is made of (OpenType, `glyf`, composite glyph description).
fn components(data: &[u8]) -> impl Iterator<Item = u16> {
    const ARGUMENTS_ARE_WORDS: u16 = 1;
    const HAS_SCALE: u16 = 8;
    const MORE: u16 = 0x20;
    const HAS_TWO_SCALES: u16 = 0x40;
    const HAS_MATRIX: u16 = 0x80;
    let mut at = Some(10);
    std::iter::from_fn(move || {
        let start = at?;
        let (flags, glyph) = (u16_at(data, start)?, u16_at(data, start + 2)?);
        let arguments = if flags & ARGUMENTS_ARE_WORDS == 0 { 2 } else { 4 };
        let transform = match flags {
            flags if flags & HAS_SCALE != 0 => 2,
            flags if flags & HAS_TWO_SCALES != 0 => 4,
            flags if flags & HAS_MATRIX != 0 => 8,
            _ => 0,
        };
        at = (flags & MORE != 0).then_some(start + 4 + arguments + transform);
        Some(glyph)
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, OutlineCommand};

    #[test]
    fn the_complexity_of_a_glyph_is_that_of_its_outline() {
        let catalogue = FontCatalogue::load().unwrap();
        for face in catalogue.faces().step_by(9) {
            let tables = RawTables::parse(face.bytes()).unwrap();
            assert_eq!((tables.units_per_em(), tables.fs_type()), (Some(face.units_per_em()), Some(0)));
            let complexities = tables.complexities().unwrap();
            assert_eq!(complexities.len(), usize::from(face.glyph_count()));
            for (glyph, complexity) in (0..).zip(complexities) {
                let outline = face.outline(crate::catalogue::GlyphId(glyph));
                let commands = outline.map(|outline| outline.commands).unwrap_or_default();
                let closed = commands.iter().filter(|command| matches!(command, OutlineCommand::Close)).count() as u64;
                // Contours of one point are in the file, not in the outline.
                assert!(closed <= complexity.contours, "{} {glyph}", face.name());
                assert!(!complexity.is_cyclic && complexity.depth <= 4, "{} {glyph} {complexity:?}", face.name());
            }
        }
    }
}
