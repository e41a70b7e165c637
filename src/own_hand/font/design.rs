//! Glyphs with their bearings: of the letters that were written, and of those that are made of their parts.

use std::collections::BTreeMap;

use kurbo::{Affine, BezPath, Shape as _};
use unicode_normalization::char::decompose_canonical;

use super::accents::{ACCENTS, AccentKind, COMMA_ABOVE, COMMA_BELOW, WITH_APOSTROPHE, WITH_COMMA, composed_letters};
use super::curve::{fitted, mapped, point_count};
use super::forms::{Form, Forms, below};
use super::kerning::kerning;
use super::{UNITS_PER_EM, X_HEIGHT};
use crate::own_hand::letters::{Contour, bounds, signed_area};
use crate::own_hand::page::quantile;
use crate::own_hand::spacing::{GapModel, Joins};

/// Letters over which bearings are averaged: the common ones.
const COMMON: &str = "etaoinsrhldcumfpgwybvk";
/// Least advance, and least space, in font units.
const LEAST_ADVANCE: f64 = 80.0;
const LEAST_SPACE: f64 = 150.0;
/// Where what hangs below a letter begins.
const HANG: f64 = -12.0;
/// How far an accent may reach down into the body it stands over.
const INTO_BODY: f64 = 30.0;
/// How far the comma below is under a letter, and the turned one above it.
const COMMA_GAP: f64 = 70.0;
/// The width of a dash as a multiple of a shorter one.
const LONG_DASH: f64 = 1.6;

/// A glyph: an outline with the advance from its origin.
#[derive(Clone, Debug)]
pub(super) struct DesignGlyph {
    /// The character that it writes; of a form that of the letter.
    pub(super) character: char,
    /// 0 for the first form of its character.
    pub(super) form: usize,
    /// One closed path for each contour, in place.
    pub(super) contours: Vec<BezPath>,
    pub(super) advance: f64,
    /// The written letter that it is kerned like.
    pub(super) kerned_like: char,
}

impl DesignGlyph {
    fn bounds(&self) -> kurbo::Rect {
        let boxes = self.contours.iter().map(BezPath::bounding_box);
        boxes.reduce(|one, other| one.union(other)).unwrap_or_default()
    }

    /// The contours moved, with the advance and the kerning of this glyph, for another character.
    fn with(&self, character: char, contours: Vec<BezPath>) -> Self {
        Self { character, contours, ..self.clone() }
    }
}

/// A font before it is written.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct Design {
    /// Glyphs: the forms of a character follow each other.
    pub(super) glyphs: Vec<DesignGlyph>,
    pub(super) space: f64,
    /// Pairs of letters and their kerning.
    pub(super) kerning: BTreeMap<[char; 2], f64>,
    pub(in crate::own_hand) figures: DesignFigures,
}

/// What is known of a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::own_hand) struct DesignFigures {
    /// Written characters, and those composed of parts.
    pub(in crate::own_hand) written: usize,
    pub(in crate::own_hand) composed: usize,
    /// Glyphs with the further forms.
    pub(in crate::own_hand) glyphs: usize,
    /// Points of the cubics of a glyph: the median, and the 95th percentile.
    pub(in crate::own_hand) points: [f64; 2],
    pub(in crate::own_hand) kerning_pairs: usize,
    /// The share of the joins in the lines that the strokes of the forms close.
    pub(in crate::own_hand) closed_joins: f64,
    /// Accents that could not be taken from their letter.
    pub(in crate::own_hand) lost_accents: Vec<char>,
}

/// The room that gaps leave at either side of letters, in font units.
struct Bearings<'a> {
    gaps: &'a GapModel,
    common: Vec<char>,
    /// The mean gap of common letters.
    mean: f64,
}

impl<'a> Bearings<'a> {
    fn of(gaps: &'a GapModel) -> Self {
        let common: Vec<char> = COMMON.chars().filter(|letter| gaps.knows(*letter)).collect();
        let pairs = common.iter().flat_map(|before| common.iter().map(|after| gaps.gap(*before, *after)));
        let mean = pairs.sum::<f64>() / (common.len() * common.len()).max(1) as f64;
        Self { gaps, common, mean }
    }

    fn mean_of(&self, gap: impl Fn(char) -> f64) -> f64 {
        let sum: f64 = self.common.iter().map(|letter| gap(*letter)).sum();
        (sum / self.common.len().max(1) as f64 - self.mean / 2.0) * X_HEIGHT
    }

    fn left(&self, letter: char) -> f64 {
        self.mean_of(|before| self.gaps.gap(before, letter))
    }

    fn right(&self, letter: char) -> f64 {
        self.mean_of(|after| self.gaps.gap(letter, after))
    }
}

impl Design {
    /// Draws a font of these forms. `word_gap` is the gap between words, in x-heights; `joins` says which letters are joined,
    /// by a pen of this width in font units.
    pub(in crate::own_hand) fn of(forms: &Forms, gaps: &GapModel, word_gap: f64, joins: (&Joins, f64)) -> Self {
        let bearings = Bearings::of(gaps);
        let sides: BTreeMap<char, [f64; 2]> =
            forms.characters().map(|letter| (letter, [bearings.left(letter), bearings.right(letter)])).collect();
        let mut design = Self {
            glyphs: Vec::new(),
            space: ((word_gap - bearings.mean) * X_HEIGHT).max(LEAST_SPACE),
            kerning: BTreeMap::new(),
            figures: DesignFigures::default(),
        };
        let mut counts = Vec::new();
        for (letter, [left, right]) in &sides {
            for (form, drawn) in forms.of_character(*letter).iter().enumerate() {
                let contours: Vec<BezPath> = drawn
                    .contours
                    .iter()
                    .map(|contour| mapped(&fitted(contour), Affine::translate((*left, 0.0))))
                    .filter(|path| path.elements().len() > 3)
                    .collect();
                counts.push(contours.iter().map(point_count).sum::<usize>() as f64);
                let advance = (left + drawn.width + right).max(LEAST_ADVANCE);
                design.glyphs.push(DesignGlyph { character: *letter, form, contours, advance, kerned_like: *letter });
            }
        }
        design.figures.written = sides.len();
        design.figures.points = [quantile(&counts, 0.5), quantile(&counts, 0.95)];
        design.compose(forms);
        design.add_signs();
        design.figures.composed = design.glyphs.iter().filter(|glyph| glyph.form == 0).count() - sides.len();
        design.figures.glyphs = design.glyphs.len();
        design.glyphs.sort_by_key(|glyph| (glyph.character, glyph.form));
        let kerning = kerning(forms, &sides, gaps, joins);
        (design.kerning, design.figures.closed_joins) = (kerning.pairs, kerning.closed);
        design.figures.kerning_pairs = design.kerning.len();
        design
    }

    fn has(&self, character: char) -> bool {
        self.glyphs.iter().any(|glyph| glyph.character == character)
    }

    fn forms_of(&self, character: char) -> Vec<DesignGlyph> {
        self.glyphs.iter().filter(|glyph| glyph.character == character).cloned().collect()
    }

    fn first(&self, character: char) -> Option<DesignGlyph> {
        self.glyphs.iter().find(|glyph| glyph.character == character).cloned()
    }

    fn add(&mut self, glyphs: Vec<DesignGlyph>) {
        if glyphs.first().is_some_and(|glyph| !self.has(glyph.character)) {
            self.glyphs.extend(glyphs);
        }
    }

    /// Composes letters with accents, in all forms of the letters.
    fn compose(&mut self, forms: &Forms) {
        for (letter, without_dot) in [('i', 'ı'), ('j', 'ȷ')] {
            let bare = self.forms_of(letter).into_iter().map(|glyph| {
                let contours = without_dots(&glyph.contours);
                glyph.with(without_dot, contours)
            });
            self.add(bare.collect());
        }
        let slant = forms.slant.to_radians().tan();
        let taken: BTreeMap<char, TakenAccent> = ACCENTS
            .into_iter()
            .filter_map(|accent| {
                let form = forms.of_character(accent.written[0]).first()?;
                let taken = TakenAccent::of(form, accent.kind, slant);
                if taken.is_none() {
                    self.figures.lost_accents.push(accent.written[0]);
                }
                Some((accent.mark, taken?))
            })
            .collect();
        let comma = self.first(',').map(|comma| (comma.contours.clone(), comma.bounds()));
        let apostrophe = self.first('’');
        for letter in composed_letters().filter(|letter| !self.has(*letter)).collect::<Vec<_>>() {
            let mut parts = Vec::new();
            decompose_canonical(letter, |part| parts.push(part));
            let [base, mark] = parts[..] else { continue };
            let bases = self.forms_of(match base {
                'i' if mark != '\u{328}' => 'ı',
                'j' => 'ȷ',
                other => other,
            });
            let with_mark = |glyph: DesignGlyph| -> Option<DesignGlyph> {
                let around = glyph.bounds();
                let more: Vec<BezPath> = if WITH_APOSTROPHE.contains(letter) {
                    let apostrophe = apostrophe.as_ref()?;
                    let by = around.x1 + 10.0 - apostrophe.bounds().x0;
                    let rise = around.y1 - apostrophe.bounds().y1;
                    moved(&apostrophe.contours, by, rise)
                } else if WITH_COMMA.contains(letter) || mark == COMMA_BELOW {
                    let (contours, own) = comma.as_ref()?;
                    let top = around.y0.min(0.0) - COMMA_GAP;
                    moved(contours, around.center().x - own.center().x, top - own.y1)
                } else if letter == COMMA_ABOVE {
                    let (contours, own) = comma.as_ref()?;
                    let turned = Affine::rotate_about(std::f64::consts::PI, own.center());
                    let upright: Vec<BezPath> = contours.iter().map(|path| mapped(path, turned)).collect();
                    moved(&upright, around.center().x - own.center().x, around.y1 + COMMA_GAP - own.y0)
                } else {
                    taken.get(&mark)?.on(around, slant)
                };
                let contours = glyph.contours.iter().cloned().chain(more).collect();
                Some(glyph.with(letter, contours))
            };
            self.add(bases.into_iter().map_while(with_mark).collect());
        }
    }

    /// Adds signs that are made of others.
    fn add_signs(&mut self) {
        let row = |glyph: &DesignGlyph, character: char, count: u32, share: f64| {
            let step = glyph.advance * share;
            let shifts = (0..count).map(|index| f64::from(index) * step);
            let contours = shifts.flat_map(|by| moved(&glyph.contours, by, 0.0)).collect();
            DesignGlyph { advance: glyph.advance + step * f64::from(count - 1), ..glyph.with(character, contours) }
        };
        for (from, character, count, share) in
            [('.', '…', 3, 1.0), (',', '„', 2, 0.8), ('<', '«', 2, 0.6), ('>', '»', 2, 0.6), (',', '‚', 1, 1.0)]
        {
            let made = self.first(from).map(|glyph| row(&glyph, character, count, share));
            self.add(made.into_iter().collect());
        }
        for (from, character) in [('!', '¡'), ('?', '¿')] {
            // Turned so that its upper end hangs as low as small letters are high.
            let made = self.first(from).map(|glyph| {
                let (around, middle) = (glyph.bounds(), kurbo::Point::new(glyph.bounds().center().x, 0.0));
                let turn = Affine::translate((0.0, X_HEIGHT.min(around.y1)))
                    * Affine::rotate_about(std::f64::consts::PI, middle);
                glyph.with(character, glyph.contours.iter().map(|path| mapped(path, turn)).collect())
            });
            self.add(made.into_iter().collect());
        }
        let long = self.first('–').map(|dash| {
            let stretch = Affine::scale_non_uniform(LONG_DASH, 1.0);
            let contours = dash.contours.iter().map(|path| mapped(path, stretch)).collect();
            DesignGlyph { advance: dash.advance * LONG_DASH, ..dash.with('—', contours) }
        });
        self.add(long.into_iter().collect());
        let middle_dot = self.first('.').map(|stop| {
            let contours = moved(&stop.contours, 0.0, 0.55 * X_HEIGHT - stop.bounds().center().y);
            stop.with('·', contours)
        });
        self.add(middle_dot.into_iter().collect());
        let Some(hyphen) = self.first('-') else { return };
        // The bar of a letter: its height as a share of the letter's, its turn in degrees, and whether it is at the left.
        for (from, character, height, turn, is_left) in [
            ('d', 'đ', 0.82, 0.0, false),
            ('h', 'ħ', 0.82, 0.0, true),
            ('t', 'ŧ', 0.38, 0.0, false),
            ('H', 'Ħ', 0.78, 0.0, false),
            ('T', 'Ŧ', 0.45, 0.0, false),
            ('D', 'Đ', 0.5, 0.0, true),
            ('D', 'Ð', 0.5, 0.0, true),
            ('L', 'Ł', 0.55, 25.0_f64, true),
        ] {
            let with_bar = |glyph: DesignGlyph| {
                let (around, bar) = (glyph.bounds(), hyphen.bounds());
                let x = if is_left { around.x0 + 0.12 * around.width() } else { around.center().x };
                let x = if character == 'đ' { around.x1 - 0.15 * around.width() } else { x };
                let to = kurbo::Point::new(x, around.y0.max(0.0) + height * (around.y1 - around.y0.max(0.0)));
                let place = Affine::translate(to.to_vec2() - bar.center().to_vec2())
                    * Affine::rotate_about(turn.to_radians(), bar.center());
                let more = hyphen.contours.iter().map(|path| mapped(path, place));
                let contours = glyph.contours.iter().cloned().chain(more).collect();
                glyph.with(character, contours)
            };
            let made = self.forms_of(from).into_iter().map(with_bar).collect();
            self.add(made);
        }
    }
}

fn moved(contours: &[BezPath], across: f64, up: f64) -> Vec<BezPath> {
    contours.iter().map(|path| mapped(path, Affine::translate((across, up)))).collect()
}

/// The contours of an i or j without what stands over its stem.
fn without_dots(contours: &[BezPath]) -> Vec<BezPath> {
    let main = contours.iter().map(BezPath::bounding_box).max_by(|a, b| a.height().total_cmp(&b.height()));
    let top = main.map_or(f64::MAX, |around| around.y1 - 20.0);
    contours.iter().filter(|path| path.bounding_box().y0 < top).cloned().collect()
}

/// An accent taken from its letter.
struct TakenAccent {
    contours: Vec<BezPath>,
    kind: AccentKind,
    /// Its middle or end from that of the letter's body, both along the slant.
    across: f64,
    /// Top of the letter's body.
    top: f64,
}

impl TakenAccent {
    fn of(form: &Form, kind: AccentKind, slant: f64) -> Option<Self> {
        let main = form.contours.iter().min_by(|a, b| signed_area(a).total_cmp(&signed_area(b)))?;
        let body = bounds([main]);
        let parts: Vec<Contour> = match kind {
            AccentKind::Above => {
                let is_above = |contour: &&Contour| bounds([*contour]).bottom > body.top - INTO_BODY;
                form.contours.iter().filter(is_above).cloned().collect()
            }
            AccentKind::Below | AccentKind::BelowEnd => below(&form.contours, HANG),
        };
        let own = (!parts.is_empty()).then(|| bounds(&parts))?;
        let across = if kind == AccentKind::BelowEnd {
            own.right - body.right
        } else {
            let ([x, y], [body_x, body_y]) = (own.middle(), body.middle());
            x - body_x - slant * (y - body_y)
        };
        Some(Self { contours: parts.iter().map(fitted).collect(), kind, across, top: body.top })
    }

    /// The accent on a letter with this box.
    fn on(&self, letter: kurbo::Rect, slant: f64) -> Vec<BezPath> {
        let own = self.contours.iter().map(BezPath::bounding_box).reduce(|one, other| one.union(other));
        let own = own.unwrap_or_default();
        match self.kind {
            AccentKind::Above => {
                let rise = letter.y1 - self.top;
                let y = own.center().y + rise;
                let x = letter.center().x + slant * (y - letter.center().y) + self.across;
                moved(&self.contours, x - own.center().x, rise)
            }
            AccentKind::Below => {
                let fall = letter.y0.clamp(-0.5 * UNITS_PER_EM, 0.0);
                let fall = if fall > -60.0 { 0.0 } else { fall };
                let x = letter.center().x + slant * (own.center().y - letter.center().y) + self.across;
                moved(&self.contours, x - own.center().x, fall)
            }
            AccentKind::BelowEnd => moved(&self.contours, letter.x1 + self.across - own.x1, 0.0),
        }
    }
}
