//! A bounded cache of shaped words and lines, shared by all requests.
//!
//! The glyphs of a text depend only on the font, the shaping options and the characters, so all pages can share them.

use std::sync::{Arc, LazyLock};

use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use super::shaped_glyph::ShapedGlyph;

/// Bytes of all entries.
const CAPACITY: u64 = 40 << 20;
/// Bytes of an entry besides its text and glyphs: the key and the bookkeeping.
const ENTRY: usize = 128;
/// Expected number of entries: words of five letters.
const ENTRIES: usize = CAPACITY as usize / (ENTRY + 5 * (1 + size_of::<ShapedGlyph>()));

/// Bytes of the longest text that is cached: a line of a letter. Longer texts seldom come back.
const LONGEST: usize = 256;

/// Glyphs from left to right; their clusters count from the start of the text.
pub(super) type SharedGlyphs = Arc<[ShapedGlyph]>;

/// All that the glyphs of a text depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeKey<Text> {
    pub(super) options: ShapeOptions,
    pub(super) text: Text,
}

/// All that they depend on besides the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeOptions {
    /// Address of the font's file, which is static.
    pub(super) font: usize,
    /// ISO 15924 tag.
    pub(super) script: u32,
    pub(super) right_to_left: bool,
    pub(super) kerned: bool,
    /// Whether the last character is a soft hyphen that is written.
    pub(super) hyphen: bool,
}

impl Equivalent<ShapeKey<Box<str>>> for ShapeKey<&str> {
    fn equivalent(&self, key: &ShapeKey<Box<str>>) -> bool {
        self.options == key.options && *self.text == *key.text
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<ShapeKey<Box<str>>, SharedGlyphs> for Bytes {
    fn weight(&self, key: &ShapeKey<Box<str>>, glyphs: &SharedGlyphs) -> u64 {
        (ENTRY + key.text.len() + size_of_val(&**glyphs)) as u64
    }
}

static CACHE: LazyLock<Cache<ShapeKey<Box<str>>, SharedGlyphs, Bytes>> =
    LazyLock::new(|| Cache::with_weighter(ENTRIES, CAPACITY, Bytes));

/// The glyphs of `key`: from the cache, or made by `shape`.
///
/// # Errors
/// Those of `shape`.
pub(super) fn shaped<E>(
    key: ShapeKey<&str>,
    shape: impl FnOnce() -> Result<SharedGlyphs, E>,
) -> Result<SharedGlyphs, E> {
    if let Some(glyphs) = CACHE.get(&key) {
        return Ok(glyphs);
    }
    let glyphs = shape()?;
    if key.text.len() <= LONGEST {
        CACHE.insert(ShapeKey { options: key.options, text: key.text.into() }, Arc::clone(&glyphs));
    }
    Ok(glyphs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::GlyphId;

    #[test]
    fn a_text_is_shaped_once_with_the_same_options() {
        let glyph = ShapedGlyph { glyph: GlyphId(1), cluster: 0, safe_to_break: true, pen: 0, advance: 0, x: 0, y: 0 };
        let plain = ShapeOptions { font: 1, script: 2, right_to_left: false, kerned: true, hyphen: false };
        let mut count = 0;
        for options in [plain, plain, ShapeOptions { hyphen: true, ..plain }] {
            let found = shaped(ShapeKey { options, text: "once, in this test only" }, || {
                count += 1;
                Ok::<_, ()>(vec![glyph; 2].into())
            });
            assert_eq!(found.unwrap().len(), 2);
        }
        assert_eq!(count, 2);
    }
}
