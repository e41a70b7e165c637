//! Kerning, and the choice of forms for programs that choose them by features of the font.
//!
//! `rand` (OpenType, feature registry) offers the forms of each letter for a random choice. `calt` gives each letter the
//! form after that of the letter before it, so programs without `rand` vary letters too. Longhand chooses forms by itself.

use std::collections::BTreeMap;

use write_fonts::tables::gpos::{
    Class1Record, Class2Record, Gpos, PairPos, PairPosFormat2, PositionLookup, PositionLookupList, ValueRecord,
};
use write_fonts::tables::gsub::{
    AlternateSet, AlternateSubst, AlternateSubstFormat1, Gsub, SingleSubst, SingleSubstFormat2, SubstitutionLookup,
    SubstitutionLookupList,
};
use write_fonts::tables::layout::{
    ChainedSequenceContext, ChainedSequenceContextFormat3, CoverageTable, Feature, FeatureList, FeatureRecord, LangSys,
    Lookup, LookupFlag, Script, ScriptList, ScriptRecord, SequenceLookupRecord,
};
use write_fonts::types::{GlyphId16, Tag};

use super::design::Design;

/// The glyphs of a design's letters, in its order.
pub(super) struct GlyphNumbers<'a> {
    design: &'a Design,
    /// The number of the first glyph.
    first: u16,
}

impl<'a> GlyphNumbers<'a> {
    pub(super) const fn new(design: &'a Design, first: u16) -> Self {
        Self { design, first }
    }

    fn at(&self, index: usize) -> GlyphId16 {
        GlyphId16::new(self.first + index as u16)
    }

    /// The glyphs of each character with several forms.
    fn forms(&self) -> Vec<Vec<GlyphId16>> {
        let mut start = 0;
        let of_character = |glyphs: &[super::design::DesignGlyph]| {
            let forms: Vec<GlyphId16> = (start..start + glyphs.len()).map(|index| self.at(index)).collect();
            start += glyphs.len();
            forms
        };
        let all = self.design.glyphs.chunk_by(|one, other| one.character == other.character).map(of_character);
        all.filter(|forms| forms.len() > 1).collect()
    }
}

fn coverage(mut glyphs: Vec<GlyphId16>) -> CoverageTable {
    glyphs.sort();
    glyphs.into_iter().collect()
}

/// The scripts of a table whose features are all on.
fn scripts(features: u16) -> ScriptList {
    let script = || Script::new(Some(LangSys::new((0..features).collect())), Vec::new());
    let tags = [*b"DFLT", *b"latn"];
    ScriptList::new(tags.map(|tag| ScriptRecord::new(Tag::new(&tag), script())).to_vec())
}

fn feature(tag: [u8; 4], lookup: u16) -> FeatureRecord {
    FeatureRecord::new(Tag::new(&tag), Feature::new(None, vec![lookup]))
}

/// The forms of letters; `None` of a font without any.
pub(super) fn substitutions(numbers: &GlyphNumbers<'_>) -> Option<Gsub> {
    let forms = numbers.forms();
    let most = forms.iter().map(Vec::len).max()?;
    let flag = LookupFlag::empty();
    let first = || coverage(forms.iter().map(|forms| forms[0]).collect());
    let sets = forms.iter().map(|forms| AlternateSet::new(forms.clone())).collect();
    let alternates = AlternateSubst::Format1(AlternateSubstFormat1::new(first(), sets));
    let random = SubstitutionLookup::Alternate(Lookup::new(flag, vec![alternates]));
    // After a letter in form `n` the next one has form `n + 1`, or its first if it has no such.
    let rotations = (0..most - 1).map(|form| {
        let before: Vec<GlyphId16> = forms.iter().filter_map(|forms| forms.get(form).copied()).collect();
        let after: Vec<GlyphId16> = forms.iter().filter(|forms| forms.len() > form + 1).map(|forms| forms[0]).collect();
        let record = SequenceLookupRecord::new(0, 2 + form as u16);
        ChainedSequenceContextFormat3::new(vec![coverage(before)], vec![coverage(after)], Vec::new(), vec![record])
    });
    let rotations: Vec<ChainedSequenceContext> = rotations.map(ChainedSequenceContext::Format3).collect();
    let rotate = SubstitutionLookup::ChainContextual(Lookup::new(flag, rotations).into_concrete());
    let to_form = (1..most).map(|form| {
        let with: BTreeMap<GlyphId16, GlyphId16> =
            forms.iter().filter_map(|forms| Some((forms[0], *forms.get(form)?))).collect();
        let single = SingleSubstFormat2::new(with.keys().copied().collect(), with.values().copied().collect());
        SubstitutionLookup::Single(Lookup::new(flag, vec![SingleSubst::Format2(single)]))
    });
    let lookups: Vec<SubstitutionLookup> = [random, rotate].into_iter().chain(to_form).collect();
    let features = FeatureList::new(vec![feature(*b"calt", 1), feature(*b"rand", 0)]);
    Some(Gsub::new(scripts(2), features, SubstitutionLookupList::new(lookups)))
}

/// Kerning by letter, the same for all of its forms and with all accents; `None` of a font without any.
pub(super) fn kerning(numbers: &GlyphNumbers<'_>) -> Option<Gpos> {
    let design = numbers.design;
    let classes = |side: usize| -> Vec<char> {
        let letters: std::collections::BTreeSet<char> = design.kerning.keys().map(|pair| pair[side]).collect();
        letters.into_iter().collect()
    };
    let [before, after] = [classes(0), classes(1)];
    if before.is_empty() {
        return None;
    }
    let of_class = |letters: &[char]| -> Vec<(GlyphId16, u16)> {
        let each = design.glyphs.iter().enumerate();
        each.filter_map(|(index, glyph)| {
            let class = letters.binary_search(&glyph.kerned_like).ok()?;
            Some((numbers.at(index), class as u16 + 1))
        })
        .collect()
    };
    let glyphs = of_class(&before).into_iter().map(|(glyph, _)| glyph).collect();
    let value = |before: Option<&char>, after: Option<&char>| {
        let pair = before.zip(after).map(|(before, after)| [*before, *after]);
        let by = pair.and_then(|pair| design.kerning.get(&pair)).copied().unwrap_or_default();
        Class2Record::new(ValueRecord::new().with_x_advance(by as i16), ValueRecord::new())
    };
    let row = |letter: Option<&char>| {
        Class1Record::new(
            std::iter::once(None).chain(after.iter().map(Some)).map(|other| value(letter, other)).collect(),
        )
    };
    let rows = std::iter::once(None).chain(before.iter().map(Some)).map(row).collect();
    let pairs = PairPosFormat2::new(
        coverage(glyphs),
        of_class(&before).into_iter().collect(),
        of_class(&after).into_iter().collect(),
        rows,
    );
    let lookup = PositionLookup::Pair(Lookup::new(LookupFlag::empty(), vec![PairPos::Format2(pairs)]));
    let features = FeatureList::new(vec![feature(*b"kern", 0)]);
    Some(Gpos::new(scripts(1), features, PositionLookupList::new(vec![lookup])))
}
