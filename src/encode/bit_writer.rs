//! Packs bits into bytes, least significant bit first, as deflate requires (RFC 1951, section 3.1.1).

#![expect(clippy::inline_always, reason = "only inlined functions are compiled for the processor's instructions")]

/// Most bits of one write. They fit the buffer after a partly filled byte.
const LONGEST: u32 = 56;

/// A string of up to 56 bits; the first to be written is the least significant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    value: u64,
    count: u32,
}

impl Bits {
    /// No bits.
    pub(super) const NONE: Self = Self { value: 0, count: 0 };

    /// The lowest `count` bits of `value`; the others must be 0, and `count` at most 56.
    pub(super) const fn new(value: u64, count: u32) -> Self {
        debug_assert!(count <= LONGEST && value >> count == 0, "stray bits");
        Self { value, count }
    }

    /// These bits followed by `next`; together at most 56.
    pub(super) const fn then(self, next: Self) -> Self {
        Self::new(self.value | next.value << self.count, self.count + next.count)
    }
}

/// The same bits in as few strings as possible.
pub(super) fn joined(strings: &[Bits]) -> Vec<Bits> {
    let mut joined: Vec<Bits> = Vec::new();
    for &bits in strings {
        match joined.last_mut() {
            Some(last) if last.count + bits.count <= LONGEST => *last = last.then(bits),
            _ => joined.push(bits),
        }
    }
    joined
}

/// Bytes gathered before they are appended to the vector.
const GATHERED: usize = 1 << 12;

/// Appends bits to a byte vector.
///
/// Every push stores a whole 64-bit word, of which only the complete bytes count, so that no branch depends on the
/// number of bits. Such a branch would be mispredicted at every fourth symbol.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    gathered: Gathered,
    place: Place,
}

type Gathered = [u8; GATHERED + 8];

/// Where the next bits go.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Gathered complete bytes, fewer than [`GATHERED`].
    complete: usize,
    /// The bits after them. Bits above `filled` are 0.
    buffer: u64,
    /// Bits in `buffer`, below 8.
    filled: u32,
}

impl Place {
    #[inline(always)]
    fn push(&mut self, bits: Bits, gathered: &mut Gathered) {
        let buffer = self.buffer | bits.value << self.filled;
        let filled = self.filled + bits.count;
        gathered[self.complete..self.complete + 8].copy_from_slice(&buffer.to_le_bytes());
        // At most 7 + 56 bits: the shift by whole bytes stays below 64.
        self.buffer = buffer >> (filled & !7);
        self.filled = filled & 7;
        self.complete += (filled / 8) as usize;
    }
}

impl<'a> BitWriter<'a> {
    /// A writer that appends to `bytes`.
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, gathered: [0; GATHERED + 8], place: Place::default() }
    }

    /// Appends `bits`.
    #[inline]
    pub(super) fn push(&mut self, bits: Bits) {
        self.place.push(bits, &mut self.gathered);
        if self.place.complete >= GATHERED {
            self.append_gathered();
        }
    }

    /// Appends strings until one is an error, which it returns. Faster than single calls, because the state stays in
    /// registers.
    #[inline(always)]
    pub(super) fn push_until<E>(&mut self, strings: impl Iterator<Item = Result<Bits, E>>) -> Option<E> {
        let mut place = self.place;
        let mut error = None;
        for bits in strings {
            match bits {
                Ok(bits) => place.push(bits, &mut self.gathered),
                Err(end) => {
                    error = Some(end);
                    break;
                }
            }
            if place.complete >= GATHERED {
                self.bytes.extend_from_slice(&self.gathered[..place.complete]);
                place.complete = 0;
            }
        }
        self.place = place;
        error
    }

    #[cold]
    fn append_gathered(&mut self) {
        self.bytes.extend_from_slice(&self.gathered[..self.place.complete]);
        self.place.complete = 0;
    }

    /// Appends `times` copies of `bits`, several at a time. `bits` must not be empty.
    pub(super) fn push_repeated(&mut self, bits: Bits, mut times: u64) {
        let at_once = u64::from(LONGEST / bits.count.max(1));
        let copies = |count| (0..count).fold(Bits::NONE, |word: Bits, _| word.then(bits));
        if matches!(bits.count, 1 | 2 | 4 | 8) {
            let a_byte = u64::from(8 / bits.count);
            self.push_bytes(copies(a_byte).value as u8, times / a_byte);
            times %= a_byte;
        }
        if times >= at_once {
            let word = copies(at_once);
            for _ in 0..times / at_once {
                self.push(word);
            }
        }
        self.push(copies(times % at_once));
    }

    /// Appends `count` copies of the eight bits of `byte`. All bytes between the first and the last are equal, so they
    /// are filled at once.
    fn push_bytes(&mut self, byte: u8, count: u64) {
        if count > 0 {
            self.push(Bits::new(u64::from(byte), 8));
            self.append_gathered();
            self.bytes.resize(self.bytes.len() + (count - 1) as usize, byte.rotate_left(self.place.filled));
        }
    }

    /// Fills the last byte with zero bits and appends `trailer`.
    pub(super) fn finish(mut self, trailer: &[u8]) {
        self.push(Bits::new(0, (8 - self.place.filled) % 8));
        self.append_gathered();
        self.bytes.extend_from_slice(trailer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(strings: &[Bits]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        for &bits in strings {
            writer.push(bits);
        }
        writer.finish(&[]);
        bytes
    }

    #[test]
    fn the_first_bit_is_the_lowest_of_the_first_byte() {
        assert_eq!(written(&[Bits::new(1, 1), Bits::new(0b10, 2), Bits::new(0b1_1111, 5), Bits::new(1, 1)]), [0xFD, 1]);
    }

    #[test]
    fn the_trailer_starts_on_a_byte_boundary() {
        let mut bytes = vec![7];
        let mut writer = BitWriter::new(&mut bytes);
        writer.push(Bits::new(0b101, 3));
        writer.finish(&[9]);
        assert_eq!(bytes, [7, 0b101, 9]);
    }

    proptest! {
        #[test]
        fn every_bit_lands_in_its_place(strings in proptest::collection::vec((any::<u64>(), 0_u32..=56), 0..1000)) {
            let strings: Vec<Bits> =
                strings.iter().map(|&(value, count)| Bits::new(value & ((1 << count) - 1), count)).collect();
            let bits: Vec<bool> =
                strings.iter().flat_map(|bits| (0..bits.count).map(|place| bits.value >> place & 1 == 1)).collect();
            let expected: Vec<u8> = bits
                .chunks(8)
                .map(|byte| (0..).zip(byte).map(|(place, &bit)| u8::from(bit) << place).sum())
                .collect();
            prop_assert_eq!(written(&strings), expected.as_slice());
            prop_assert_eq!(written(&joined(&strings)), expected.as_slice());
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            let (before, after) = strings.split_at(strings.len() / 3);
            let ended = before.iter().copied().map(Ok).chain([Err(7)]).chain(after.iter().copied().map(Ok));
            prop_assert_eq!(writer.push_until(ended), Some(7));
            prop_assert_eq!(writer.push_until(after.iter().copied().map(Ok::<Bits, u32>)), None);
            writer.finish(&[]);
            prop_assert_eq!(bytes, expected);
        }

        #[test]
        fn repetition_equals_pushing_one_by_one(value in any::<u64>(), count in 1_u32..=56, times in 0_usize..200) {
            let bits = Bits::new(value & ((1 << count) - 1), count);
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            writer.push_repeated(bits, times as u64);
            writer.finish(&[]);
            prop_assert_eq!(bytes, written(&vec![bits; times]));
        }
    }
}
