//! The lines of a PNG, which PDFs have as well.

/// Lines without the filters of PNG (ISO/IEC 15948, 9.2), each of which the byte before its line names.
pub(super) fn unfiltered(data: &[u8], line: usize, pixel: usize) -> Vec<u8> {
    let mut lines: Vec<u8> = Vec::with_capacity(data.len());
    let mut above = vec![0_u8; line];
    for filtered in data.chunks(line + 1) {
        let Some((filter, bytes)) = filtered.split_first() else { continue };
        let mut own: Vec<u8> = Vec::with_capacity(line);
        for (at, byte) in bytes.iter().enumerate() {
            let left = at.checked_sub(pixel).map_or(0, |at| own[at]);
            let corner = at.checked_sub(pixel).map_or(0, |at| above[at]);
            let up = above[at];
            let guess = match filter {
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => 0,
            };
            own.push(byte.wrapping_add(guess));
        }
        own.resize(line, 0);
        lines.extend_from_slice(&own);
        above = own;
    }
    lines
}

/// The neighbour that is nearest to left + up − corner.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let far = |value: i16| (a + b - c - value).abs();
    if far(a) <= far(b) && far(a) <= far(c) {
        left
    } else if far(b) <= far(c) {
        up
    } else {
        corner
    }
}
