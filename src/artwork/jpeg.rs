//! The segments of a JPEG (ITU T.81, B.1), for what decoders do not tell.

/// A byte that begins a marker; and those after it that do not: a stuffed zero, and restarts in a scan.
const MARKER: u8 = 0xFF;
const STUFFED: u8 = 0x00;
const RESTARTS: std::ops::RangeInclusive<u8> = 0xD0..=0xD7;
/// The start of an image, of a scan, and the end of the image.
const START: u8 = 0xD8;
const SCAN: u8 = 0xDA;
const END: u8 = 0xD9;

/// The number of components of the first frame; `None` where there is no frame.
pub(super) fn components(bytes: &[u8]) -> Option<u8> {
    // SOFn, except DHT, JPG and DAC, which have numbers among them.
    let is_frame = |marker: u8| matches!(marker, 0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF);
    let (_, after) = segments(bytes).find(|(marker, _)| is_frame(*marker))?;
    after.get(7).copied()
}

/// Whether the file has its end. Decoders make a picture of a part of a file, too.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    segments(bytes).any(|(marker, _)| marker == END)
}

/// Each marker, with the bytes after it.
fn segments(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        // A marker may begin with more of these bytes.
        let begin = rest.iter().position(|byte| *byte != MARKER).filter(|begin| *begin > 0)?;
        let (marker, after) = rest.get(begin..)?.split_first()?;
        let has_length = !matches!(*marker, 0x01 | START | END) && !RESTARTS.contains(marker);
        rest = if has_length { after_length(after) } else { after };
        if *marker == SCAN {
            rest = after_scan(rest);
        }
        Some((*marker, after))
    })
}

/// What is after a segment that begins with its length.
fn after_length(segment: &[u8]) -> &[u8] {
    let [high, low, ..] = segment else { return &[] };
    segment.get(usize::from(u16::from_be_bytes([*high, *low])).max(2)..).unwrap_or_default()
}

/// What is after the entropy-coded data of a scan.
fn after_scan(data: &[u8]) -> &[u8] {
    let is_marker = |pair: &[u8]| pair[0] == MARKER && pair[1] != STUFFED && !RESTARTS.contains(&pair[1]);
    data.windows(2).position(is_marker).and_then(|at| data.get(at..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_components_are_those_of_the_frame() {
        let header = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0xFF, 0xC0, 0xFF, 0xFF, 0xC2, 0, 17, 8, 0, 9, 0, 9, 4, 0];
        assert_eq!(components(&header), Some(4));
        for length in 0..header.len() - 1 {
            assert_eq!(components(&header[..length]), None, "{length}");
        }
    }

    #[test]
    fn an_end_inside_a_segment_or_a_scan_is_none() {
        let in_segment = [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0xFF, 0xD9];
        let scan = [0xFF, 0xDA, 0, 4, 0xFF, 0xD9, 7, 0xFF, 0, 0xD9, 0xFF, 0xD0, 9];
        let file = [&in_segment[..], &scan, &scan, &[0xFF, 0xD9]].concat();
        assert!(has_end(&file) && has_end(&[&file[..], b"more"].concat()));
        for length in 0..file.len() - 1 {
            assert!(!has_end(&file[..length]), "{length}");
        }
    }
}
