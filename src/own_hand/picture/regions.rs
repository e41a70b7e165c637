//! Connected regions of pixels.

/// The regions of some pixels: each pixel of one belongs to it with its eight neighbours.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct Regions {
    width: usize,
    /// For each pixel the number of its region, from 1; 0 for pixels of none.
    pub(in crate::own_hand) numbers: Vec<u32>,
    /// The regions, in the order of their first pixels. Number 1 is the first.
    pub(in crate::own_hand) all: Vec<Region>,
}

/// A region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::own_hand) struct Region {
    /// Its pixels.
    pub(in crate::own_hand) area: usize,
    /// First and last column and row.
    pub(in crate::own_hand) left: usize,
    pub(in crate::own_hand) top: usize,
    pub(in crate::own_hand) right: usize,
    pub(in crate::own_hand) bottom: usize,
}

impl Regions {
    /// The regions of the pixels for which `has` is true, on a plane of this size.
    pub(in crate::own_hand) fn of(width: usize, height: usize, has: impl Fn(usize) -> bool) -> Self {
        let mut numbers = vec![0_u32; width * height];
        // For each provisional number a number that is not greater, and stands for the same region.
        let mut parents: Vec<u32> = vec![0];
        for y in 0..height {
            for x in 0..width {
                let at = y * width + x;
                if !has(at) {
                    continue;
                }
                let above = y.checked_sub(1).map(|row| row * width);
                let left = x > 0;
                let neighbours = [
                    if left { numbers[at - 1] } else { 0 },
                    above.filter(|_| left).map_or(0, |row| numbers[row + x - 1]),
                    above.map_or(0, |row| numbers[row + x]),
                    above.filter(|_| x + 1 < width).map_or(0, |row| numbers[row + x + 1]),
                ];
                let mut number = 0;
                for neighbour in neighbours.into_iter().filter(|neighbour| *neighbour > 0) {
                    let root = root(&mut parents, neighbour);
                    if number == 0 {
                        number = root;
                    } else if root != number {
                        let (low, high) = (root.min(number), root.max(number));
                        parents[high as usize] = low;
                        number = low;
                    }
                }
                if number == 0 {
                    number = parents.len() as u32;
                    parents.push(number);
                }
                numbers[at] = number;
            }
        }
        let mut finals = vec![0_u32; parents.len()];
        let mut regions: Vec<Region> = Vec::new();
        for (at, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number > 0) {
            let root = root(&mut parents, *number) as usize;
            let (x, y) = (at % width, at / width);
            if finals[root] == 0 {
                regions.push(Region { area: 0, left: x, top: y, right: x, bottom: y });
                finals[root] = regions.len() as u32;
            }
            *number = finals[root];
            let region = &mut regions[finals[root] as usize - 1];
            region.area += 1;
            region.left = region.left.min(x);
            region.right = region.right.max(x);
            region.bottom = y;
        }
        Self { width, numbers, all: regions }
    }

    /// The region of a number, from 1.
    pub(in crate::own_hand) fn region(&self, number: u32) -> Region {
        number.checked_sub(1).and_then(|index| self.all.get(index as usize)).copied().unwrap_or_default()
    }

    /// The pixels of a region: their columns and rows.
    pub(in crate::own_hand) fn pixels(&self, number: u32) -> impl Iterator<Item = [usize; 2]> {
        let Region { left, top, right, bottom, area } = self.region(number);
        let rows = top..if area == 0 { top } else { bottom + 1 };
        let places = rows.flat_map(move |y| (left..=right).map(move |x| [x, y]));
        places.filter(move |[x, y]| self.numbers[y * self.width + x] == number)
    }
}

/// The least number of a region, to which the numbers on the way then lead directly.
fn root(parents: &mut [u32], number: u32) -> u32 {
    let mut root = number;
    while parents[root as usize] != root {
        root = parents[root as usize];
    }
    let mut at = number;
    while parents[at as usize] != root {
        at = std::mem::replace(&mut parents[at as usize], root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_that_meet_late_are_one() {
        let picture = ["#.#..", "#.#.#", ".#...", "....#"];
        let dark: Vec<bool> = picture.iter().flat_map(|row| row.chars().map(|pixel| pixel == '#')).collect();
        let regions = Regions::of(5, 4, |at| dark[at]);
        assert_eq!(regions.all.len(), 3, "{:?}", regions.all);
        assert_eq!(regions.region(1), Region { area: 5, left: 0, top: 0, right: 2, bottom: 2 });
        assert_eq!(regions.pixels(3).collect::<Vec<_>>(), [[4, 3]]);
        assert_eq!(regions.pixels(9).count(), 0);
    }
}
