//! The image of a page: its coverage as indices into the ramp from paper to ink.

use pdf_writer::types::Predictor;
use pdf_writer::{Chunk, Filter, Ref};

use crate::encode::pixel_layout::PixelLayout;
use crate::encode::sparse_zlib::append_zlib_while;
use crate::raster::Coverage;
use crate::work::{IsWanted, Stopped};

/// A page's coverage, packed: a zlib stream of PNG rows, one byte per pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageImage {
    /// Width in device px.
    pub(super) width: u32,
    /// Height in device px.
    pub(super) height: u32,
    stream: Vec<u8>,
}

impl PageImage {
    /// Packs a page directly from its strips.
    #[must_use]
    pub fn of(coverage: &Coverage) -> Self {
        // It is always wanted, so it never stops.
        Self::of_while(coverage, &|| true).unwrap_or_default()
    }

    /// As [`of`](Self::of), while the page is wanted.
    ///
    /// # Errors
    /// The page is no longer wanted.
    pub fn of_while(coverage: &Coverage, is_wanted: IsWanted<'_>) -> Result<Self, Stopped> {
        let mut stream = Vec::with_capacity(1024 + coverage.strip_pixels() / 3);
        append_zlib_while(PixelLayout::Index, coverage, is_wanted, &mut stream)?;
        Ok(Self { width: coverage.width(), height: coverage.height(), stream })
    }

    /// Bytes of the packed stream.
    pub(super) const fn packed_size(&self) -> usize {
        self.stream.len()
    }

    /// Identifies the page: size and CRC-32 of the packed stream, and the Adler-32 of its rows, which the stream ends
    /// with. A digest of all its bytes would take as long as packing them.
    pub(super) fn fingerprint(&self) -> Vec<u8> {
        let rows = self.stream.last_chunk::<4>().copied().unwrap_or_default();
        [(self.stream.len() as u64).to_be_bytes().as_slice(), &crc32fast::hash(&self.stream).to_be_bytes(), &rows]
            .concat()
    }

    /// Writes the coverage as a soft mask (ISO 32000-1, 11.6.5.3).
    pub(super) fn write_as_mask(&self, pdf: &mut Chunk, id: Ref) {
        let mut image = pdf.image_xobject(id, &self.stream);
        image.width(self.width.cast_signed()).height(self.height.cast_signed());
        image.color_space().device_gray();
        image.bits_per_component(8).filter(Filter::FlateDecode);
        let mut parameters = image.decode_parms();
        parameters.predictor(Predictor::PngOptimum).colors(1).bits_per_component(8);
        parameters.columns(self.width.cast_signed());
    }

    /// Writes the image object with colours in the space `colors`. Of a `masked` image, pixels without ink are not
    /// painted.
    pub(super) fn write(&self, pdf: &mut Chunk, id: Ref, colors: Ref, masked: bool) {
        let mut image = pdf.image_xobject(id, &self.stream);
        image.width(self.width.cast_signed()).height(self.height.cast_signed());
        image.pair(pdf_writer::Name(b"ColorSpace"), colors);
        image.bits_per_component(8).filter(Filter::FlateDecode);
        if masked {
            image.color_mask([0, 0]);
        }
        let mut parameters = image.decode_parms();
        parameters.predictor(Predictor::PngOptimum).colors(1).bits_per_component(8);
        parameters.columns(self.width.cast_signed());
    }
}
