//! Which letters are joined, by what the lines show.

use std::collections::BTreeMap;

use super::observation::Observation;

/// The share of joined neighbours from which a hand is a joined one.
const JOINED_HAND: f64 = 0.5;

/// How often something was seen, and how often it was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    joined: usize,
    all: usize,
}

impl Counts {
    fn add(&mut self, is_joined: bool) {
        self.all += 1;
        self.joined += usize::from(is_joined);
    }

    fn is_joined(self) -> bool {
        2 * self.joined > self.all
    }
}

/// The joins of a hand.
#[derive(Clone, Debug, Default)]
pub(in crate::own_hand) struct Joins {
    whole: Counts,
    pairs: BTreeMap<[char; 2], Counts>,
    /// For each letter how often it was joined to what follows, and to what precedes it.
    after: BTreeMap<char, Counts>,
    before: BTreeMap<char, Counts>,
}

impl Joins {
    /// Counts the joins of letters.
    pub(in crate::own_hand) fn of(observations: &[Observation]) -> Self {
        let mut joins = Self::default();
        for Observation { pair, is_joined, .. } in observations {
            if pair.iter().all(|letter| letter.is_alphabetic()) {
                joins.whole.add(*is_joined);
                joins.pairs.entry(*pair).or_default().add(*is_joined);
                joins.after.entry(pair[0]).or_default().add(*is_joined);
                joins.before.entry(pair[1]).or_default().add(*is_joined);
            }
        }
        joins
    }

    /// The share of neighbours that are joined.
    pub(in crate::own_hand) fn share(&self) -> f64 {
        self.whole.joined as f64 / self.whole.all.max(1) as f64
    }

    /// Whether it is a joined hand.
    pub(in crate::own_hand) fn is_joined_hand(&self) -> bool {
        self.share() > JOINED_HAND
    }

    /// How often a pair was joined in the lines.
    pub(in crate::own_hand) fn written(&self, pair: [char; 2]) -> usize {
        self.pairs.get(&pair).map_or(0, |counts| counts.joined)
    }

    /// Whether a pair is joined: as it was written, or, of a pair that was not, as both letters are with others.
    pub(in crate::own_hand) fn joins(&self, pair: [char; 2]) -> bool {
        if !self.is_joined_hand() {
            return false;
        }
        let of_letter = |counts: &BTreeMap<char, Counts>, letter: char| {
            counts.get(&letter).map_or_else(|| letter.is_lowercase(), |counts| counts.is_joined())
        };
        let of_pair = self.pairs.get(&pair).map(|counts| counts.is_joined());
        of_pair.unwrap_or_else(|| of_letter(&self.after, pair[0]) && of_letter(&self.before, pair[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_was_not_written_joins_as_its_letters_do() {
        let seen = |pair: &str, is_joined: bool| {
            let pair: Vec<char> = pair.chars().collect();
            Observation { pair: [pair[0], pair[1]], gap: 0.0, weight: 1.0, is_joined }
        };
        let joins = Joins::of(&[
            seen("an", true),
            seen("no", true),
            seen("mo", true),
            seen("on", true),
            seen("Bo", false),
            seen("na", true),
            seen("a,", false),
        ]);
        assert!(joins.is_joined_hand() && (joins.share() - 5.0 / 6.0).abs() < 1e-9);
        assert!(joins.joins(['a', 'o']) && joins.joins(['a', 'n']));
        assert!(!joins.joins(['B', 'o']) && !joins.joins(['B', 'n']));
        assert!(!Joins::of(&[seen("an", false), seen("no", true)]).joins(['n', 'o']));
    }
}
