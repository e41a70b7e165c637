//! Which of its drawings a letter is written as.

const MOST_DRAWINGS: usize = 8;

/// Which of its drawings a letter has, for each number of drawings: never that of the occurrence before, and without a
/// period where there are more than two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawing([u8; MOST_DRAWINGS - 1]);

impl Drawing {
    /// The most drawings of a letter that are told apart.
    pub const MOST: usize = MOST_DRAWINGS;
    /// The first drawing.
    pub(super) const FIRST: Self = Self([0; MOST_DRAWINGS - 1]);

    /// The drawing among `count`, from 0; the first where there is but one.
    #[must_use]
    pub fn among(self, count: usize) -> usize {
        let index = count.min(MOST_DRAWINGS).checked_sub(2);
        index.and_then(|index| self.0.get(index)).map_or(0, |drawing| usize::from(*drawing))
    }

    /// The drawing after this one in the text, by a uniform number in [0, 1).
    pub(super) fn next(before: Option<Self>, unit: f64) -> Self {
        Self(std::array::from_fn(|index| {
            let count = index as u8 + 2;
            let step = |choices: u8| (unit * f64::from(choices)) as u8;
            before.map_or_else(|| step(count), |Self(last)| (last[index] + 1 + step(count - 1)) % count)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Purpose, Stream};

    #[test]
    fn a_drawing_never_follows_itself_and_all_are_as_frequent() {
        let stream = Stream::new(3, Purpose::WriterDrawings);
        for count in 2..=MOST_DRAWINGS {
            let mut before = None;
            let drawings: Vec<usize> = (0..4000)
                .map(|key| {
                    let next = Drawing::next(before, stream.unit(key));
                    before = Some(next);
                    next.among(count)
                })
                .collect();
            assert!(drawings.windows(2).all(|pair| pair[0] != pair[1]), "{count}");
            for drawing in 0..count {
                let share = drawings.iter().filter(|other| **other == drawing).count() as f64 / 4000.0;
                assert!((share * count as f64 - 1.0).abs() < 0.1, "{drawing} of {count}: {share}");
            }
            let periods = (1..200).filter(|period| drawings.windows(period + 1).all(|part| part[0] == part[*period]));
            assert_eq!(periods.count(), if count == 2 { 99 } else { 0 }, "{count}");
        }
        assert_eq!((Drawing::default().among(5), Drawing::default().among(1), Drawing::default().among(9)), (0, 0, 0));
    }
}
