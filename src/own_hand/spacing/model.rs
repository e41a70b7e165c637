//! Explains gaps: by the room between outlines, by the bodies of letters, and by what is special to letters and pairs.
//!
//! gap(a, b) = mean + β₁·optical(a, b) + β₂·body(a, b) + right(a) + left(b) + pair(a, b). β is fitted by robust
//! regression; right, left and pair are small where few gaps were seen (ridge regression). For pairs that nobody wrote the
//! first terms say what the hand would do.

use std::collections::BTreeMap;

use super::observation::Observation;
use super::profile::Profiles;
use crate::own_hand::page::{least_squares, quantile};

/// Rooms, caps and shares of the optical gap that are tried.
const ROOMS: [f64; 6] = [0.15, 0.25, 0.35, 0.45, 0.6, 0.8];
const CAPS: [f64; 3] = [0.5, 0.8, 1.2];
const SHARES: [f64; 2] = [0.0, 0.4];
/// The most that either term counts.
const MOST_BETA: f64 = 1.1;
/// Penalty of β, for each gap.
const BETA_PENALTY: f64 = 0.0012;
/// Standard deviations of right and left, and of pairs, before any gap is seen, in x-heights.
const OF_LETTERS: f64 = 0.06;
const OF_PAIRS: f64 = 0.04;
/// Gaps farther than this from the median, in x-heights, are mistakes of the alignment.
const FAR: f64 = 0.9;
/// Fewest gaps of a model.
const FEWEST: usize = 40;

/// Room, cap and share of the optical gap.
type Optics = (f64, f64, f64);

/// The gaps of a hand, in x-heights between boxes of ink.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct GapModel {
    profiles: Profiles,
    optics: Optics,
    usual_optical: f64,
    beta: [f64; 2],
    mean: f64,
    right: BTreeMap<char, f64>,
    left: BTreeMap<char, f64>,
    pairs: BTreeMap<[char; 2], f64>,
    /// Standard deviation of one gap.
    pub(in crate::own_hand) spread: f64,
}

impl GapModel {
    /// Fits a model; `None` of too few gaps.
    pub(in crate::own_hand) fn fit(profiles: Profiles, observations: &[Observation]) -> Option<Self> {
        let body = |seen: &Observation| seen.gap + profiles.body_room(seen.pair[0], seen.pair[1]);
        let middle = quantile(&observations.iter().map(body).collect::<Vec<_>>(), 0.5);
        let seen: Vec<Observation> =
            observations.iter().filter(|seen| (body(seen) - middle).abs() < FAR).copied().collect();
        if seen.len() < FEWEST {
            return None;
        }
        let mut model = Self {
            profiles,
            optics: (0.4, 0.8, 0.4),
            usual_optical: 0.0,
            beta: [0.0; 2],
            mean: 0.0,
            right: BTreeMap::new(),
            left: BTreeMap::new(),
            pairs: BTreeMap::new(),
            spread: 0.13,
        };
        let mut best: Option<(f64, Optics, [f64; 2])> = None;
        for cap in CAPS {
            for share in SHARES {
                for room in ROOMS.into_iter().filter(|room| *room < 0.9 * cap) {
                    model.optics = (room, cap, share);
                    model.usual_optical = model.optical_of_common();
                    let (beta, error) = model.regress(&seen)?;
                    if best.is_none_or(|(least, ..)| error < least) {
                        best = Some((error, model.optics, beta));
                    }
                }
            }
        }
        (_, model.optics, model.beta) = best?;
        model.usual_optical = model.optical_of_common();
        model.fit_letters(&seen)?;
        Some(model)
    }

    /// The mean optical gap of three common pairs, for signs that have none.
    fn optical_of_common(&self) -> f64 {
        let pairs = [('n', 'o'), ('o', 'n'), ('n', 'n')];
        let gaps: Vec<f64> = pairs.iter().filter_map(|(a, b)| self.profiles.optical_gap(*a, *b, self.optics)).collect();
        gaps.iter().sum::<f64>() / gaps.len().max(1) as f64
    }

    /// What explains the gap of a pair.
    fn terms(&self, [before, after]: [char; 2]) -> [f64; 2] {
        let optical = self.profiles.optical_gap(before, after, self.optics).unwrap_or(self.usual_optical);
        [optical, -self.profiles.body_room(before, after)]
    }

    /// β by regression with weights that fall with the distance, and the mean of capped squares of the rest.
    fn regress(&self, seen: &[Observation]) -> Option<([f64; 2], f64)> {
        let terms: Vec<[f64; 2]> = seen.iter().map(|seen| self.terms(seen.pair)).collect();
        let mut weights: Vec<f64> = seen.iter().map(|seen| seen.weight).collect();
        let mut beta = [0.0; 2];
        let mut rest: Vec<f64> = Vec::new();
        for _ in 0..4 {
            let sum: f64 = weights.iter().sum();
            let mean = |of: &dyn Fn(usize) -> f64| (0..seen.len()).map(|at| weights[at] * of(at)).sum::<f64>() / sum;
            let (gap, centre) = (mean(&|at| seen[at].gap), [0, 1].map(|axis| mean(&|at| terms[at][axis])));
            let rows: Vec<Vec<f64>> = terms.iter().map(|term| vec![term[0] - centre[0], term[1] - centre[1]]).collect();
            let values: Vec<f64> = seen.iter().map(|seen| seen.gap - gap).collect();
            let penalty = BETA_PENALTY * seen.len() as f64;
            let fit = least_squares(&rows, &values, &weights, &[penalty; 2])?;
            beta = [fit[0], fit[1]];
            if beta[0] < 0.0 || beta[1] < 0.0 {
                // The other term alone.
                let axis = usize::from(beta[0] < beta[1]);
                let one: Vec<Vec<f64>> = rows.iter().map(|row| vec![row[axis]]).collect();
                let alone = least_squares(&one, &values, &weights, &[penalty])?;
                beta = [0.0; 2];
                beta[axis] = alone[0];
            }
            beta = beta.map(|beta| beta.clamp(0.0, MOST_BETA));
            rest = rows.iter().zip(&values).map(|(row, value)| value - row[0] * beta[0] - row[1] * beta[1]).collect();
            let off: Vec<f64> = rest.iter().map(|rest| rest.abs()).collect();
            let usual = (1.48 * quantile(&off, 0.5)).max(0.06);
            weights = seen.iter().zip(&off).map(|(seen, off)| seen.weight / (off / (1.5 * usual)).max(1.0)).collect();
        }
        let sum: f64 = seen.iter().map(|seen| seen.weight).sum();
        let error = seen.iter().zip(&rest).map(|(seen, rest)| seen.weight * (rest * rest).min(0.16)).sum::<f64>() / sum;
        Some((beta, error))
    }

    /// Fits what is special to letters and pairs to what the terms leave.
    fn fit_letters(&mut self, seen: &[Observation]) -> Option<()> {
        let rest: Vec<f64> = seen
            .iter()
            .map(|seen| {
                let terms = self.terms(seen.pair);
                seen.gap - terms[0] * self.beta[0] - terms[1] * self.beta[1]
            })
            .collect();
        let sum: f64 = seen.iter().map(|seen| seen.weight).sum();
        self.mean = seen.iter().zip(&rest).map(|(seen, rest)| seen.weight * rest).sum::<f64>() / sum;
        let letters: std::collections::BTreeSet<char> = seen.iter().flat_map(|seen| seen.pair).collect();
        let letters: Vec<char> = letters.into_iter().collect();
        let pairs: std::collections::BTreeSet<[char; 2]> = seen.iter().map(|seen| seen.pair).collect();
        let pairs: Vec<[char; 2]> = pairs.into_iter().collect();
        let count = 2 * letters.len() + pairs.len();
        let rows: Vec<Vec<f64>> = seen
            .iter()
            .map(|seen| {
                let mut row = vec![0.0; count];
                let index = |letter: char| letters.binary_search(&letter).unwrap_or_default();
                row[index(seen.pair[0])] = 1.0;
                row[letters.len() + index(seen.pair[1])] = 1.0;
                row[2 * letters.len() + pairs.binary_search(&seen.pair).unwrap_or_default()] = 1.0;
                row
            })
            .collect();
        let mut found = vec![0.0; count];
        for _ in 0..4 {
            let explained = |row: &[f64]| row.iter().zip(&found).map(|(one, by)| one * by).sum::<f64>() + self.mean;
            let off: Vec<f64> = rows.iter().zip(&rest).map(|(row, rest)| rest - explained(row)).collect();
            let weights: Vec<f64> = seen
                .iter()
                .zip(&off)
                .map(|(seen, off)| seen.weight / (off.abs() / (2.0 * self.spread)).max(1.0))
                .collect();
            let sum: f64 = weights.iter().sum();
            let squares: f64 = weights.iter().zip(&off).map(|(weight, off)| weight * off * off).sum();
            self.spread = (squares / sum).sqrt().max(0.05);
            self.mean += weights.iter().zip(&off).map(|(weight, off)| weight * off).sum::<f64>() / sum;
            let values: Vec<f64> = rest.iter().map(|rest| rest - self.mean).collect();
            let penalty = |deviation: f64| (self.spread / deviation).powi(2);
            let penalties: Vec<f64> =
                (0..count).map(|at| penalty(if at < 2 * letters.len() { OF_LETTERS } else { OF_PAIRS })).collect();
            found = least_squares(&rows, &values, &weights, &penalties)?;
        }
        let (right, others) = found.split_at(letters.len());
        let (left, special) = others.split_at(letters.len());
        let of = |values: &[f64]| letters.iter().copied().zip(values.iter().copied()).collect();
        (self.right, self.left) = (of(right), of(left));
        self.pairs = pairs.into_iter().zip(special.iter().copied()).collect();
        Some(())
    }

    /// The gap between two letters.
    pub(in crate::own_hand) fn gap(&self, before: char, after: char) -> f64 {
        let terms = self.terms([before, after]);
        let of = |known: Option<&f64>| known.copied().unwrap_or_default();
        self.mean
            + terms[0] * self.beta[0]
            + terms[1] * self.beta[1]
            + of(self.right.get(&before))
            + of(self.left.get(&after))
            + of(self.pairs.get(&[before, after]))
    }

    /// Whether a letter was measured.
    pub(in crate::own_hand) fn knows(&self, character: char) -> bool {
        self.profiles.has(character)
    }
}
