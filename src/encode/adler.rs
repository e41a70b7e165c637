//! Adler-32 of bytes that mostly repeat, without looking at every byte.
//!
//! RFC 1950 (section 8) defines the checksum of bytes d₀ … dₗ₋₁ by two sums modulo 65521: A = 1 + Σ dᵢ and
//! B = ℓ + Σ (ℓ − i)·dᵢ. [`ByteSums`] holds ℓ, S = Σ dᵢ and T = Σ (ℓ − i)·dᵢ, which can be joined and repeated:
//!
//! * x followed by y: ℓ = ℓx + ℓy, S = Sx + Sy, T = Tx + ℓy·Sx + Ty, because each byte of x moves ℓy further from the
//!   end;
//! * k copies of x: ℓ = k·ℓx, S = k·Sx, T = k·Tx + ℓx·Sx·k(k − 1)/2, the first rule summed over the copies.

use simd_adler32::adler32;

const MODULUS: u64 = 65_521;

/// The sums of a sequence of bytes that Adler-32 needs, all modulo 65521.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteSums {
    length: u64,
    sum: u64,
    weighted: u64,
}

impl ByteSums {
    /// The sums of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let checksum = u64::from(adler32(&bytes));
        let (a, b) = (checksum & 0xFFFF, checksum >> 16);
        let length = bytes.len() as u64 % MODULUS;
        Self { length, sum: (a + MODULUS - 1) % MODULUS, weighted: (b + MODULUS - length) % MODULUS }
    }

    /// These bytes followed by `next`.
    pub(super) const fn then(self, next: Self) -> Self {
        Self {
            length: (self.length + next.length) % MODULUS,
            sum: (self.sum + next.sum) % MODULUS,
            weighted: (self.weighted + next.length * self.sum + next.weighted) % MODULUS,
        }
    }

    /// `count` copies of these bytes; `count` below 2³².
    pub(super) const fn repeated(self, count: u64) -> Self {
        let pairs = (count * count.saturating_sub(1) / 2) % MODULUS;
        let count = count % MODULUS;
        Self {
            length: count * self.length % MODULUS,
            sum: count * self.sum % MODULUS,
            weighted: (count * self.weighted + self.length * self.sum % MODULUS * pairs) % MODULUS,
        }
    }

    /// The sums of these bytes after `last_bytes` replaced the last byte, 0, of each pixel of `pixel_bytes`.
    ///
    /// With n bytes per pixel, pixel i of m ends n(m − 1 − i) bytes before the end, so its last byte weighs
    /// n(m − 1 − i) + 1.
    pub(super) const fn with_last_bytes(self, last_bytes: &LastBytes, pixels: u64, pixel_bytes: u64) -> Self {
        let from_the_end = pixels.saturating_sub(1) * last_bytes.sum + MODULUS - last_bytes.by_index % MODULUS;
        Self {
            length: self.length,
            sum: (self.sum + last_bytes.sum) % MODULUS,
            weighted: (self.weighted + pixel_bytes * from_the_end + last_bytes.sum) % MODULUS,
        }
    }

    /// The checksum as zlib stores it.
    pub(super) const fn adler32(self) -> u32 {
        let a = (1 + self.sum) % MODULUS;
        let b = (self.length + self.weighted) % MODULUS;
        (b as u32) << 16 | a as u32
    }
}

/// Σ bᵢ and Σ i·bᵢ of the last byte bᵢ of each pixel i of a row: numbers that are congruent to them modulo 65521.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastBytes {
    sum: u64,
    by_index: u64,
}

impl LastBytes {
    /// Adds the last bytes of the pixels from `start` on.
    pub(super) fn add(&mut self, start: u32, bytes: &[u8]) {
        let ByteSums { length, sum, weighted } = ByteSums::of(bytes);
        self.sum += sum;
        // Byte i of n weighs n - i.
        self.by_index += (u64::from(start) + length) * sum + MODULUS - weighted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// RFC 1950, section 9, byte by byte.
    fn naive(bytes: &[u8]) -> u32 {
        let (mut a, mut b) = (1_u32, 0_u32);
        for &byte in bytes {
            a = (a + u32::from(byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        b << 16 | a
    }

    #[test]
    fn known_checksums_come_out() {
        assert_eq!(ByteSums::of(b"").adler32(), 1);
        assert_eq!(ByteSums::of(b"Wikipedia").adler32(), 0x11E6_0398);
    }

    #[test]
    fn a_page_of_solid_pixels_has_the_checksum_of_its_bytes() {
        let rows = ByteSums::of(&[0]).then(ByteSums::of(&[255; 4]).repeated(3508)).repeated(1200);
        let row: Vec<u8> = std::iter::once(0).chain(std::iter::repeat_n(255, 4 * 3508)).collect();
        assert_eq!(rows.adler32(), naive(&row.repeat(1200)));
    }

    #[test]
    fn the_widest_solid_row_does_not_overflow() {
        let solid = vec![255; 20_000];
        let mut added = LastBytes::default();
        added.add(0, &solid);
        let paper = ByteSums::of(&[255, 255, 255, 0]).repeated(20_000);
        assert_eq!(paper.with_last_bytes(&added, 20_000, 4).adler32(), naive(&vec![255; 80_000]));
    }

    proptest! {
        #[test]
        fn repetition_equals_the_bytes_written_out(
            before in proptest::collection::vec(any::<u8>(), 0..40),
            pattern in proptest::collection::vec(any::<u8>(), 0..40),
            count in 0_usize..3000,
        ) {
            let sums = ByteSums::of(&before).then(ByteSums::of(&pattern).repeated(count as u64));
            prop_assert_eq!(sums.adler32(), naive(&[before, pattern.repeat(count)].concat()));
        }

        #[test]
        fn pixels_equal_their_bytes_written_out(
            prefix in proptest::collection::vec(any::<u8>(), 0..4),
            last_bytes in proptest::collection::vec(any::<u8>(), 0..600),
        ) {
            let bytes: Vec<u8> = last_bytes.iter().flat_map(|&byte| [prefix.as_slice(), &[byte]].concat()).collect();
            let count = last_bytes.len() as u64;
            let paper = ByteSums::of(&prefix).then(ByteSums::of(&[0])).repeated(count);
            let (left, right) = last_bytes.split_at(last_bytes.len() / 3);
            let mut added = LastBytes::default();
            added.add(0, left);
            added.add(left.len() as u32, right);
            let sums = paper.with_last_bytes(&added, count, prefix.len() as u64 + 1);
            prop_assert_eq!(sums.adler32(), naive(&bytes));
        }
    }
}
