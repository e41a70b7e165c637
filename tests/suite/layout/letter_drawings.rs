//! Which of its drawings each letter of a varied page has.

use longhand::catalogue::FontId;
use longhand::layout::lay_out;
use longhand::spec::{Effects, RenderSpec, WriterVariation};

use super::pages::{CATALOGUE, spec};

#[test]
fn no_letter_of_a_varied_page_repeats_the_drawing_before_it() {
    let glyphs_of = |text: &str, font: u16, writer_variation: Option<WriterVariation>| -> Vec<u16> {
        let effects = Effects { writer_variation, ..Effects::default() };
        let page =
            lay_out(&RenderSpec { effects, font: FontId::new(font).unwrap(), ..spec(text) }, &CATALOGUE).unwrap();
        page.words.iter().flat_map(|word| &word.glyphs).map(|glyph| glyph.glyph.0).collect()
    };
    let glyphs = |font, variation| glyphs_of("eeee eee ee eeeee e eee", font, variation);
    let five = [4, 5, 6, 7, 9, 11, 24, 27, 28, 29, 30, 31, 34, 35, 37, 41, 43, 44, 45, 47, 89].map(|font| (font, 5));
    // Those whose fonts have no alternates of their own in running text.
    let three =
        [2, 8, 10, 13, 14, 15, 16, 21, 23, 25, 26, 32, 33, 38, 40, 42, 46, 48, 51, 60, 61, 74, 81, 82, 83, 85, 87]
            .map(|font| (font, 3));
    for (font, drawings) in five.into_iter().chain(three) {
        let (plain, varied) = (glyphs(font, None), glyphs(font, Some(WriterVariation { strength: 1.0 })));
        assert!(plain.iter().all(|glyph| *glyph == plain[0]), "{font}: {plain:?}");
        assert!(varied.windows(2).all(|pair| pair[0] != pair[1]), "{font}: {varied:?}");
        let count = varied.iter().collect::<std::collections::HashSet<_>>().len();
        assert_eq!(count, drawings, "{font}: {varied:?}");
    }
    // Those whose fonts have alternates, which the font itself gives in turn.
    for (font, drawings) in [(1, 5), (17, 7), (19, 5), (39, 2), (86, 7)] {
        let varied = glyphs(font, Some(WriterVariation { strength: 1.0 }));
        assert!(varied.windows(2).all(|pair| pair[0] != pair[1]), "{font}: {varied:?}");
        let count = varied.iter().collect::<std::collections::HashSet<_>>().len();
        assert_eq!(count, drawings, "{font}: {varied:?}");
    }
    // Those whose letters in words are forms of their own, between the glyphs of joins.
    for font in [12, 77, 78, 79, 80] {
        let text = "a nation stands on its trains and roads";
        let (plain, varied) = (None, Some(WriterVariation { strength: 1.0 }));
        let [plain, varied] = [plain, varied].map(|variation| glyphs_of(text, font, variation));
        let letters = text.chars().filter(|letter| *letter != ' ').count();
        let redrawn = plain.iter().zip(&varied).filter(|(plain, varied)| plain != varied).count();
        assert_eq!(plain.len(), varied.len());
        assert!(2 * redrawn > letters, "{font}: {redrawn} of {letters}");
    }
    // A hand without further drawings.
    assert_eq!(glyphs(3, Some(WriterVariation { strength: 1.0 })), glyphs(3, None));
}
