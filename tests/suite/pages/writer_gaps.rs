//! White between the letters of a word, and around the signs that end a sentence.

use longhand::layout::PageLayout;
use longhand::mesh::MeshCache;

use super::writer::bent;
use super::writer_checks::word_ink;
use super::writer_habits::{page_of, sampled_fonts, x_height_px};

/// Words in which letters collide first: round and upright neighbours, and dots. Crossbars of t and f may reach others,
/// as those of writers do.
const WORDS: &str =
    "school alley will order are in jobs heroine lend Rhodesia inland bounds money usual rain pool been";
/// The distance of outlines, in x-heights, from which on letters are apart, and below which they touch.
const APART: f64 = 0.06;
const TOUCH: f64 = 0.02;
/// The most of letters that are apart in the font and touch on a page, as a share: some letters lean or bend to the
/// next.
const MOST: f64 = 0.04;

/// The least white before an exclamation or question mark, in x-heights: half of what the layout leaves at equal heights,
/// because letters lean.
const LEAST_BEFORE_SIGN: f64 = 0.1;

/// The least distance between points of two outlines.
pub(super) fn least_distance(one: &[[f64; 2]], other: &[[f64; 2]]) -> f64 {
    let to_other = |[x, y]: [f64; 2]| other.iter().map(move |to| (to[0] - x).hypot(to[1] - y));
    one.iter().copied().flat_map(to_other).fold(f64::MAX, f64::min)
}

/// The least distance between the outlines of each letter of a word and the next, in px: of each word of a page.
fn distances(page: &PageLayout, meshes: &MeshCache) -> Vec<Vec<f64>> {
    let mut outlines = bent(page, meshes).into_iter().map(|contours| contours.concat());
    let of_word = |letters: usize| outlines.by_ref().take(letters).collect::<Vec<_>>();
    let words: Vec<Vec<Vec<[f64; 2]>>> = page.words.iter().map(|word| word.glyphs.len()).map(of_word).collect();
    words.iter().map(|word| word.windows(2).map(|pair| least_distance(&pair[0], &pair[1])).collect()).collect()
}

#[test]
fn letters_that_the_font_has_apart_stay_apart() {
    let meshes = MeshCache::default();
    let mut beyond = Vec::new();
    for font in sampled_fonts() {
        let [mut apart, mut touching] = [0, 0];
        for seed in 1..=3 {
            let of = |strength: f64| {
                let (page, face) = page_of(WORDS, font, strength, seed);
                let x_height = x_height_px(&page, face);
                distances(&page, &meshes).into_iter().flatten().map(move |distance| distance / x_height)
            };
            let pairs: Vec<(f64, f64)> = of(1e-6).zip(of(1.0)).filter(|(font, _)| *font > APART).collect();
            apart += pairs.len();
            touching += pairs.iter().filter(|(_, varied)| *varied < TOUCH).count();
        }
        let share = touching as f64 / apart.max(1) as f64;
        println!("font {font}: {touching} of {apart}");
        if share > MOST {
            beyond.push(format!("font {font}: {touching} of {apart} letters touch the next"));
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

#[test]
fn exclamation_and_question_marks_stand_apart_from_their_word_and_farther_from_the_next() {
    const TEXT: &str = "Who came home? We like cake! Where? Thank you! Ask Tom! Will Jack? ";
    let meshes = MeshCache::default();
    let mut wrong = Vec::new();
    for font in sampled_fonts() {
        let (page, face) = page_of(&TEXT.repeat(4), font, 1.0, 3);
        let x_height = x_height_px(&page, face);
        let before: Vec<f64> =
            distances(&page, &meshes).iter().map(|word| word.last().map_or(f64::MAX, |last| last / x_height)).collect();
        let mut signs = 0;
        for line in &page.lines {
            for (index, pair) in line.words.clone().zip(page.words[line.words.clone()].windows(2)) {
                if !pair[0].text.characters.ends_with(['!', '?']) {
                    continue;
                }
                signs += 1;
                let [[_, end], [start, _]] = [&pair[0], &pair[1]].map(|word| word_ink(word, &meshes).0);
                let after = (start - end) / x_height;
                if before[index] < LEAST_BEFORE_SIGN || after < before[index] + 0.1 {
                    wrong.push(format!("font {font}: {:.3} before a sign, {after:.3} after it", before[index]));
                }
            }
        }
        assert!(signs > 15, "font {font} has {signs} signs");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
