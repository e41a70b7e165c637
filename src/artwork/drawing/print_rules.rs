//! What PDF/X-1a:2001 lets content name (ISO 15930-1): colours of ink alone, nothing transparent, nothing newer than
//! PDF 1.3. What cannot be told is not allowed.

use lopdf::{Dictionary, Document, Object, Stream};

use super::super::error::LARGEST_DRAWING;

/// The most ink, as the sum of the four amounts.
pub(super) const MOST_INK: f32 = 3.0;
/// The same of four bytes.
const MOST_INK_BYTES: u32 = 3 * 255;
/// The most colour spaces and functions within one another.
const MOST_NESTED_COLORS: usize = 8;
/// Filters of images. LZW is not allowed (6.9), others are newer.
const FILTERS: [&[u8]; 6] =
    [b"ASCII85Decode", b"ASCIIHexDecode", b"CCITTFaxDecode", b"DCTDecode", b"FlateDecode", b"RunLengthDecode"];
/// Entries of no dictionary: colours of a device instead of ink, transparency, PostScript, pictures elsewhere.
const NEVER: [&[u8]; 9] =
    [b"DefaultCMYK", b"DefaultGray", b"DefaultRGB", b"Group", b"OPI", b"PS", b"SMaskInData", b"Subtype2", b"TR2"];
/// Values that are no name of a colour space.
const NO_SPACE: [&[u8]; 6] = [b"CalGray", b"CalRGB", b"DeviceN", b"DeviceRGB", b"ICCBased", b"Lab"];
/// Entries of graphics states that change no colour.
const PLAIN_STATE: [&[u8]; 13] =
    [b"Type", b"LW", b"LC", b"LJ", b"ML", b"D", b"RI", b"OP", b"op", b"OPM", b"FL", b"SA", b"AIS"];

/// The rules, for a document.
#[derive(Clone, Copy)]
pub(super) struct PrintRules<'a>(pub(super) &'a Document);

impl<'a> PrintRules<'a> {
    fn entry(self, of: &'a Dictionary, name: &[u8]) -> Option<&'a Object> {
        of.get_deref(name, self.0).ok()
    }

    fn resolved(self, value: &'a Object) -> Option<&'a Object> {
        self.0.dereference(value).ok().map(|(_, value)| value)
    }

    /// An object with all that lies in it, whether it is painted or not.
    pub(super) fn whole(self, object: &'a Object) -> bool {
        match object {
            Object::Name(name) => !NO_SPACE.contains(&name.as_slice()),
            Object::Array(items) => items.iter().all(|item| self.whole(item)),
            Object::Dictionary(entries) => self.members(entries),
            Object::Stream(stream) => has_known_filters(stream) && self.members(&stream.dict),
            _ => true,
        }
    }

    /// The entries of a dictionary, with all that lies in them.
    pub(super) fn members(self, entries: &'a Dictionary) -> bool {
        entries.iter().all(|(name, value)| {
            let is_allowed = match name.as_slice() {
                b"SMask" => value.as_name().is_ok_and(|mask| mask == b"None"),
                b"ca" | b"CA" => value.as_float().is_ok_and(|opacity| opacity >= 1.0),
                name => !NEVER.contains(&name),
            };
            is_allowed && self.whole(value)
        })
    }

    /// A colour space: grey, CMYK, or one that stands for them.
    pub(super) fn space(self, space: &'a Object, depth: usize) -> bool {
        if depth > MOST_NESTED_COLORS {
            return false;
        }
        if let Ok(name) = space.as_name() {
            return matches!(name, b"DeviceGray" | b"DeviceCMYK" | b"Pattern");
        }
        let Ok(parts) = space.as_array() else { return false };
        let below = |at: usize| {
            parts.get(at).and_then(|part| self.resolved(part)).is_some_and(|space| self.space(space, depth + 1))
        };
        match parts.first().and_then(|kind| kind.as_name().ok()) {
            Some(b"DeviceGray" | b"DeviceCMYK") => true,
            Some(b"Pattern") => parts.len() == 1 || below(1),
            Some(b"Separation") => parts.get(1).and_then(|ink| ink.as_name().ok()) != Some(b"All") && below(2),
            Some(b"Indexed" | b"I") => below(1) && self.has_light_palette(parts),
            _ => false,
        }
    }

    /// Whether every colour of an indexed space has no more ink than is allowed.
    fn has_light_palette(self, parts: &'a [Object]) -> bool {
        if !parts.get(1).and_then(|base| self.resolved(base)).is_some_and(is_cmyk) {
            return true;
        }
        match parts.get(3).and_then(|palette| self.resolved(palette)) {
            Some(Object::String(bytes, _)) => is_light(bytes),
            Some(Object::Stream(stream)) => {
                stream.get_plain_content_with_limit(LARGEST_DRAWING).is_ok_and(|bytes| is_light(&bytes))
            }
            _ => false,
        }
    }

    /// An image. The ink of one in CMYK is measured where it is no JPEG.
    pub(super) fn image(self, image: &'a Stream) -> bool {
        let entry = |name: &[u8]| self.entry(&image.dict, name);
        let is_newer = [b"SMask".as_slice(), b"SMaskInData"].iter().any(|name| image.dict.has(name));
        let Ok(filters) =
            image.filters().or_else(|error| if image.dict.has(b"Filter") { Err(error) } else { Ok(Vec::new()) })
        else {
            return false;
        };
        if is_newer || !filters.iter().all(|filter| FILTERS.contains(filter)) {
            return false;
        }
        if let Some(Object::Stream(mask)) = entry(b"Mask") {
            return self.image(mask) && self.has_ink_colors(image, &filters);
        }
        self.has_ink_colors(image, &filters)
    }

    fn has_ink_colors(self, image: &'a Stream, filters: &[&[u8]]) -> bool {
        let entry = |name: &[u8]| self.entry(&image.dict, name);
        if entry(b"ImageMask").is_some_and(|is_mask| matches!(is_mask, Object::Boolean(true))) {
            return true;
        }
        let bits = entry(b"BitsPerComponent").and_then(|bits| bits.as_i64().ok());
        let Some(space) = entry(b"ColorSpace") else { return false };
        if !self.space(space, 0) || bits.is_none_or(|bits| bits > 8) {
            return false;
        }
        if !is_cmyk(space) {
            return true;
        }
        let is_measurable = bits == Some(8)
            && !image.dict.has(b"Decode")
            && !filters.iter().any(|filter| matches!(*filter, b"DCTDecode" | b"CCITTFaxDecode"));
        is_measurable && image.get_plain_content_with_limit(8 * LARGEST_DRAWING).is_ok_and(|bytes| is_light(&bytes))
    }

    /// A graphics state: no transparency, no transfer functions, no halftones.
    pub(super) fn state(self, state: &'a Dictionary) -> bool {
        let is_allowed = |(name, value): (&Vec<u8>, &'a Object)| {
            let Some(value) = self.resolved(value) else { return false };
            let is_name = |wanted: &[&[u8]]| value.as_name().is_ok_and(|name| wanted.contains(&name));
            match name.as_slice() {
                b"ca" | b"CA" => value.as_float().is_ok_and(|opacity| opacity >= 1.0),
                b"BM" => is_name(&[b"Normal", b"Compatible"]),
                b"SMask" => is_name(&[b"None"]),
                other => PLAIN_STATE.contains(&other),
            }
        };
        state.iter().all(is_allowed)
    }

    /// A shading. The ink of one in CMYK is that of the ends of its functions.
    pub(super) fn shading(self, shading: &'a Object) -> bool {
        let dictionary = match shading {
            Object::Dictionary(entries) => entries,
            Object::Stream(stream) => &stream.dict,
            _ => return false,
        };
        let Some(space) = self.entry(dictionary, b"ColorSpace") else { return false };
        if !self.space(space, 0) || dictionary.has(b"Background") {
            return false;
        }
        !is_cmyk(space)
            || self.entry(dictionary, b"Function").is_some_and(|function| self.is_light_function(function, 0))
    }

    /// Whether a function is defined from 0 to 1.
    fn is_unit(self, domain: Option<&'a Vec<Object>>) -> bool {
        let number = |end: &'a Object| self.resolved(end).and_then(|end| end.as_float().ok());
        domain.is_some_and(|ends| ends.iter().filter_map(number).eq([0.0, 1.0]))
    }

    /// Whether a function goes from one light colour to another, or through several.
    fn is_light_function(self, function: &'a Object, depth: usize) -> bool {
        let Object::Dictionary(entries) = function else { return false };
        let items = |name: &[u8]| self.entry(entries, name).and_then(|items| items.as_array().ok());
        let kind = self.entry(entries, b"FunctionType").and_then(|kind| kind.as_i64().ok());
        let ink = |color: &Vec<Object>| color.iter().filter_map(|part| part.as_float().ok()).sum::<f32>();
        match kind {
            Some(2) => {
                self.is_unit(items(b"Domain"))
                    && [b"C0", b"C1"].iter().all(|end| items(*end).is_some_and(|color| ink(color) <= MOST_INK))
            }
            Some(3) if depth < MOST_NESTED_COLORS => items(b"Functions").is_some_and(|parts| {
                parts.iter().all(|part| self.resolved(part).is_some_and(|part| self.is_light_function(part, depth + 1)))
            }),
            _ => false,
        }
    }
}

/// Whether a stream is packed as PDF 1.3 packs, without LZW.
fn has_known_filters(stream: &Stream) -> bool {
    !stream.dict.has(b"Filter") || stream.filters().is_ok_and(|used| used.iter().all(|one| FILTERS.contains(one)))
}

/// Whether a colour space is CMYK itself.
fn is_cmyk(space: &Object) -> bool {
    let name = space.as_array().ok().and_then(|parts| parts.first()).unwrap_or(space);
    name.as_name().is_ok_and(|name| name == b"DeviceCMYK")
}

/// Whether no four bytes are more ink than is allowed.
fn is_light(bytes: &[u8]) -> bool {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .all(|pixel| pixel.iter().map(|amount| u32::from(*amount)).sum::<u32>() <= MOST_INK_BYTES)
}
