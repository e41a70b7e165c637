//! Artwork that was decoded, composed or packed before, for the next pages that show it.

use std::sync::Arc;

use parking_lot::Mutex;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::artwork::{Artwork, ArtworkError, ArtworkId, Backdrop, Pixels};
use crate::encode::{PlacedPicture, Shapes, ShapesFor};

/// Most bytes of decoded pictures, of backdrops of previews, of packed pictures, and of the shapes of drawings, of which one
/// takes at most 90 MiB.
const DECODED: u64 = 256 << 20;
const PREVIEWS: u64 = 64 << 20;
const PACKED: u64 = 128 << 20;
const SHAPES: u64 = 96 << 20;
/// Bytes of a usual decoded picture, backdrop and packed picture.
const USUAL: u64 = 8 << 20;

/// Bytes of memory of a value.
trait Bytes {
    fn bytes(&self) -> usize;
}

impl Bytes for Arc<Pixels> {
    fn bytes(&self) -> usize {
        self.size()
    }
}

impl Bytes for Arc<Backdrop> {
    fn bytes(&self) -> usize {
        self.width() as usize * self.height() as usize * 4
    }
}

impl Bytes for Arc<Shapes> {
    fn bytes(&self) -> usize {
        self.packed_size()
    }
}

impl Bytes for PlacedPicture {
    fn bytes(&self) -> usize {
        self.shown.packed_size()
    }
}

/// Weighs values by their memory.
#[derive(Clone)]
struct ByBytes;

impl<K, V: Bytes> Weighter<K, V> for ByBytes {
    fn weight(&self, _: &K, value: &V) -> u64 {
        value.bytes().max(1) as u64
    }
}

/// What is kept of artwork, each kind within its own bound of memory.
pub(super) struct ArtworkCache {
    pixels: Cache<ArtworkId, Arc<Pixels>, ByBytes>,
    /// Held while a picture is decoded, which may take half a gigabyte for a moment.
    decoding: Mutex<()>,
    previews: Cache<String, Arc<Backdrop>, ByBytes>,
    pictures: Cache<String, PlacedPicture, ByBytes>,
    shapes: Cache<(ArtworkId, ShapesFor), Arc<Shapes>, ByBytes>,
}

impl Default for ArtworkCache {
    fn default() -> Self {
        let items = |most: u64| usize::try_from(most / USUAL).unwrap_or(1);
        Self {
            pixels: Cache::with_weighter(items(DECODED), DECODED, ByBytes),
            decoding: Mutex::default(),
            previews: Cache::with_weighter(items(PREVIEWS), PREVIEWS, ByBytes),
            pictures: Cache::with_weighter(items(PACKED), PACKED, ByBytes),
            shapes: Cache::with_weighter(items(SHAPES), SHAPES, ByBytes),
        }
    }
}

impl ArtworkCache {
    /// The pixels of artwork.
    ///
    /// # Errors
    /// Its file cannot be read.
    pub(super) fn pixels(&self, artwork: &Artwork) -> Result<Arc<Pixels>, ArtworkError> {
        self.pixels.get_or_insert_with(&artwork.id(), || {
            let _decoding = self.decoding.lock();
            artwork.pixels().map(Arc::new)
        })
    }

    /// The backdrop of this name, composed.
    ///
    /// # Errors
    /// As `make`.
    pub(super) fn preview<E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Backdrop, E>,
    ) -> Result<Arc<Backdrop>, E> {
        self.previews.get_or_insert_with(name, || make().map(|made| Arc::new(made.composed())))
    }

    /// The picture of this name.
    ///
    /// # Errors
    /// As `make`.
    pub(super) fn picture<E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<PlacedPicture, E>,
    ) -> Result<PlacedPicture, E> {
        self.pictures.get_or_insert_with(name, make)
    }

    /// The shapes of a drawing, which all its places share; `None` if they cannot be read.
    pub(super) fn shapes(&self, drawing: &Artwork, aim: ShapesFor) -> Option<Arc<Shapes>> {
        self.shapes
            .get_or_insert_with(&(drawing.id(), aim), || Shapes::read(drawing, aim).map(Arc::new))
            .inspect_err(|error: &ArtworkError| tracing::warn!(%error, "a drawing is shown by its pixels"))
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_a_drawing_are_there_once_for_each_aim() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='96' height='48'><rect width='9' height='9'/></svg>";
        let (cache, drawing) = (ArtworkCache::default(), Artwork::read(svg.to_vec()).unwrap());
        let shapes = |aim: ShapesFor| cache.shapes(&drawing, aim).unwrap();
        let [one, other] = [shapes(ShapesFor::Screen), shapes(ShapesFor::Screen)];
        assert!(Arc::ptr_eq(&one, &other) && one != shapes(ShapesFor::Press));
        let picture = Pixels::clone(&drawing.pixels().unwrap()).png();
        assert!(cache.shapes(&Artwork::read(picture).unwrap(), ShapesFor::Screen).is_none());
    }
}
