//! A bounded cache of the shapes of words and lines, shared by all requests.
//!
//! A shape depends only on the font, the shaping options and the characters, so pages can share it. A shard has two
//! generations: when the young one is full, it becomes the old one, and the old one is dropped. An entry that is used
//! again becomes young again.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::shaped_glyph::ShapedGlyph;

/// Locks that share the load of all threads.
const SHARDS: usize = 16;

/// Glyphs of one generation of one shard; 32 of these make at most some 40 MB with their keys.
const GLYPHS_A_GENERATION: usize = 1 << 15;

/// Bytes of the longest text that is kept: a line of a letter. Longer ones seldom come back.
const LONGEST: usize = 256;

/// All that a shape depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PieceKey<'a> {
    /// Address of the font's file, which is static.
    pub(super) font: usize,
    /// ISO 15924 tag.
    pub(super) script: u32,
    pub(super) right_to_left: bool,
    pub(super) kerned: bool,
    /// Whether the last character is a soft hyphen that is written.
    pub(super) hyphen: bool,
    pub(super) text: &'a str,
}

/// The glyphs of a piece, their clusters counted from its start.
pub(super) type Piece = Arc<[ShapedGlyph]>;

struct Kept {
    key: PieceKey<'static>,
    text: Box<str>,
    piece: Piece,
}

impl Kept {
    fn is_of(&self, key: &PieceKey<'_>) -> bool {
        *self.text == *key.text && self.key == PieceKey { text: "", ..*key }
    }
}

/// By the hash of their keys; of two keys with one hash the later stays.
#[derive(Default)]
struct Shard {
    young: HashMap<u64, Kept>,
    old: HashMap<u64, Kept>,
    glyphs: usize,
}

static CACHE: LazyLock<[Mutex<Shard>; SHARDS]> = LazyLock::new(|| std::array::from_fn(|_| Mutex::default()));

/// The shape of `key`: as kept, or as `shape` makes it.
///
/// # Errors
/// Those of `shape`.
pub(super) fn piece<E>(key: &PieceKey<'_>, shape: impl FnOnce() -> Result<Piece, E>) -> Result<Piece, E> {
    if key.text.len() > LONGEST {
        return shape();
    }
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let hash = hasher.finish();
    let Some(shard) = CACHE.get(hash as usize % SHARDS) else { return shape() };
    let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(piece) = lock().find(hash, key) {
        return Ok(piece);
    }
    let piece = shape()?;
    lock().keep(hash, Kept { key: PieceKey { text: "", ..*key }, text: key.text.into(), piece: Arc::clone(&piece) });
    Ok(piece)
}

impl Shard {
    fn find(&mut self, hash: u64, key: &PieceKey<'_>) -> Option<Piece> {
        if let Some(kept) = self.young.get(&hash).filter(|kept| kept.is_of(key)) {
            return Some(Arc::clone(&kept.piece));
        }
        let kept = self.old.remove(&hash).filter(|kept| kept.is_of(key))?;
        let piece = Arc::clone(&kept.piece);
        self.keep(hash, kept);
        Some(piece)
    }

    fn keep(&mut self, hash: u64, kept: Kept) {
        if self.glyphs > GLYPHS_A_GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.glyphs = 0;
        }
        // A piece without glyphs takes room as well.
        self.glyphs += kept.piece.len() + 1;
        self.young.insert(hash, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::GlyphId;

    fn key(text: &str) -> PieceKey<'_> {
        PieceKey { font: 1, script: 2, right_to_left: false, kerned: true, hyphen: false, text }
    }

    fn kept(text: &str, glyphs: usize) -> Kept {
        let glyph = ShapedGlyph { glyph: GlyphId(1), cluster: 0, safe_to_break: true, pen: 0, advance: 0, x: 0, y: 0 };
        Kept { key: PieceKey { text: "", ..key("") }, text: text.into(), piece: vec![glyph; glyphs].into() }
    }

    #[test]
    fn a_piece_is_shaped_once() {
        let mut shaped = 0;
        for _ in 0..3 {
            let found = piece(&key("once, in this test only"), || {
                shaped += 1;
                Ok::<_, ()>(kept("", 2).piece)
            });
            assert_eq!(found.unwrap().len(), 2);
        }
        assert_eq!(shaped, 1);
    }

    #[test]
    fn another_text_of_the_same_hash_is_not_taken_for_it() {
        let mut shard = Shard::default();
        shard.keep(7, kept("this", 1));
        assert!(shard.find(7, &key("this")).is_some() && shard.find(7, &key("that")).is_none());
        assert!(shard.find(7, &PieceKey { hyphen: true, ..key("this") }).is_none());
    }

    #[test]
    fn a_shard_forgets_what_is_not_asked_for_and_stays_bounded() {
        let mut shard = Shard::default();
        for hash in 0..1000_u64 {
            shard.keep(hash, kept(&hash.to_string(), 999));
            assert!(shard.find(0, &key("0")).is_some(), "what is asked for stays");
            assert!(shard.young.len() + shard.old.len() <= 2 * (GLYPHS_A_GENERATION / 1000 + 3));
        }
        assert!(shard.find(1, &key("1")).is_none());
    }
}
