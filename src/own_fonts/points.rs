//! How many points the usual letters of a font have.

use serde::{Deserialize, Serialize};

use crate::catalogue::FontFace;

/// Letters of more points than this are worth simplifying. The medians of the ninety fonts are at most 152.
const MANY: u64 = 300;
/// Most points of the middle one of the usual letters, as drawn. A page has up to 10,000 letters; with this many points
/// each, a file of their outlines has about 50 MB.
const MOST_AT_MEDIAN: u64 = 600;

/// Points of the usual letters: ASCII without the space, as far as the font has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterPoints {
    /// The median in the file.
    pub median: u64,
    /// The most in the file.
    pub most: u64,
    /// The letter that has them.
    pub character: Option<char>,
    /// The median of the outlines that are drawn, which are simplified where the file's have many points.
    pub drawn_median: u64,
}

impl LetterPoints {
    /// Counts the points of a font's letters.
    #[must_use]
    pub fn of(face: &FontFace) -> Self {
        let glyphs = ('!'..='~').filter_map(|letter| Some((letter, face.glyph_for(letter)?)));
        let mut counts: Vec<(u64, char)> =
            glyphs.clone().map(|(letter, glyph)| (face.segments_in_file(glyph) as u64, letter)).collect();
        let mut drawn: Vec<u64> =
            glyphs.map(|(_, glyph)| face.outline(glyph).map_or(0, |outline| outline.segments() as u64)).collect();
        counts.sort_unstable();
        drawn.sort_unstable();
        let middle = |count: usize| count / 2;
        Self {
            median: counts.get(middle(counts.len())).map_or(0, |(count, _)| *count),
            most: counts.last().map_or(0, |(count, _)| *count),
            character: counts.last().map(|(_, letter)| *letter),
            drawn_median: drawn.get(middle(drawn.len())).copied().unwrap_or_default(),
        }
    }

    /// Why the font cannot be used.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let Self { median, drawn_median, .. } = self;
        (*drawn_median > MOST_AT_MEDIAN).then(|| {
            format!(
                "its letters have {median} points (median), and {drawn_median} after simplification; {MOST_AT_MEDIAN} \
                 are allowed: simplify its outlines to about 100 points a letter"
            )
        })
    }

    /// Advice to the operator.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let Self { median, most, character, drawn_median } = self;
        (*median > MANY).then(|| {
            let character = character.map(|character| format!(" in {character}")).unwrap_or_default();
            format!(
                "its letters have {median} points (median; at most {most}{character}) and are drawn with \
                 {drawn_median}, so its pages take longer: simplify its outlines to about 100 points a letter"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontCatalogue;

    #[test]
    fn the_letters_of_the_ninety_fonts_have_few_points() {
        for face in FontCatalogue::load().unwrap().faces() {
            let points = LetterPoints::of(face);
            assert_eq!((points.problem(), points.warning()), (None, None), "font {}", face.id().get());
            assert!(points.median >= 3 && points.most >= points.median, "{points:?}");
        }
    }

    #[test]
    fn many_points_are_told_and_too_many_refused() {
        let many = LetterPoints { median: 900, most: 950, character: Some('~'), drawn_median: 441 };
        let warning = many.warning().unwrap();
        assert!(warning.contains("900 points (median; at most 950 in ~)") && warning.contains("simplify"), "{warning}");
        assert_eq!(many.problem(), None);
        let problem = LetterPoints { drawn_median: 601, ..many }.problem().unwrap();
        assert!(problem.contains("601 after simplification; 600 are allowed"), "{problem}");
    }
}
