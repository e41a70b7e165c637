//! The records of a page on the device: one buffer, filled by one upload.

use std::ops::Range;

use super::band::BandRecord;
use super::buffer::{OFFSET_ALIGNMENT, RecordBuffer, most_bound};
use super::error::GpuError;

/// Bytes that are bound for an empty section: more than any record, so that the binding is never too small.
const BOUND_FOR_EMPTY: u64 = 512;

/// The records of one kind, in the order of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// A [`BandRecord`] every [`BAND_STRIDE`](super::band::BAND_STRIDE) bytes: the portions of the drawn bands, then
    /// the bands of the finished page if drawn pixels are displaced.
    Bands,
    /// The effects of the page.
    Effects,
    /// The glyphs and joins.
    Instances,
    /// The maps of the instances, if letters vary.
    Letters,
    /// The corners of bent outlines, shared out among lanes.
    CornerRuns,
    /// Where the mesh of each number is among all segments.
    Meshes,
    /// Positions of the tile rows of the instances' boxes.
    TileRows,
    /// The strips of the drawn page.
    Strips,
    /// The strips of the finished page, if drawn pixels are displaced.
    LandingStrips,
    /// The lines of text at each row of page px, if the ink fades.
    InkRows,
    /// The losses of the ink, if it fades.
    InkLosses,
}

/// Number of sections.
const SECTIONS: usize = Section::InkLosses as usize + 1;

/// Where each section lies in the buffer, in bytes. An empty section has the first bytes of the buffer, whatever they
/// are.
type Places = [Range<u64>; SECTIONS];

/// The buffer of a page's records.
pub(super) struct PageRecords {
    buffer: RecordBuffer<u8>,
    places: Places,
    /// The largest section that a pass can bind, in bytes.
    bindable: u64,
}

impl PageRecords {
    /// An empty buffer that grows with the pages.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        use wgpu::BufferUsages as Usage;
        let usage = Usage::STORAGE | Usage::UNIFORM | Usage::COPY_DST;
        Self {
            buffer: RecordBuffer::new(device, "records", usage, device.limits().max_buffer_size),
            places: places(&[&[]; SECTIONS]).0,
            bindable: most_bound(device),
        }
    }

    /// Uploads the bytes of each section, which errors name so; the others are empty.
    ///
    /// # Errors
    /// When a section or all together are beyond the device's limits.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        contents: &[(Section, &'static str, &[u8])],
    ) -> Result<(), GpuError> {
        let mut bytes: [&[u8]; SECTIONS] = Default::default();
        for (section, what, content) in contents {
            let (needed, limit) = (content.len() as u64, self.bindable);
            if needed > limit {
                return Err(GpuError::TooLarge { what, needed, limit });
            }
            bytes[*section as usize] = content;
        }
        let (places, end) = places(&bytes);
        self.buffer.reserve(device, end as usize)?;
        self.places = places;
        let Some(size) = wgpu::BufferSize::new(end) else { return Ok(()) };
        let Some(mut upload) = queue.write_buffer_with(&self.buffer.buffer, 0, size) else {
            return Err(GpuError::Failed("no memory for the upload of a page".to_owned()));
        };
        for (place, content) in self.places.iter().zip(bytes).filter(|(_, content)| !content.is_empty()) {
            upload.slice(place.start as usize..place.end as usize).copy_from_slice(content);
        }
        Ok(())
    }

    /// The binding of a section.
    pub(super) fn binding(&self, section: Section) -> wgpu::BindingResource<'_> {
        let place = &self.places[section as usize];
        self.bound(place.start, place.end - place.start)
    }

    /// The uniform binding of one band's record. The dispatch sets the offset.
    pub(super) fn band_binding(&self) -> wgpu::BindingResource<'_> {
        self.bound(self.places[Section::Bands as usize].start, size_of::<BandRecord>() as u64)
    }

    /// A binding for a pass that reads nothing there.
    pub(super) fn unread_binding(&self) -> wgpu::BindingResource<'_> {
        self.bound(0, BOUND_FOR_EMPTY)
    }

    /// Bytes that the buffer takes on the device.
    pub(super) fn bytes(&self) -> u64 {
        self.buffer.buffer.size()
    }

    fn bound(&self, offset: u64, size: u64) -> wgpu::BindingResource<'_> {
        let size = wgpu::BufferSize::new(size);
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &self.buffer.buffer, offset, size })
    }
}

/// The place of each section with these bytes, and the end of the last one.
fn places(bytes: &[&[u8]; SECTIONS]) -> (Places, u64) {
    let mut end = 0_usize;
    let places = bytes.map(|content| {
        if content.is_empty() {
            return 0..BOUND_FOR_EMPTY;
        }
        let start = end.next_multiple_of(OFFSET_ALIGNMENT);
        end = start + content.len();
        start as u64..end as u64
    });
    (places, end.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT as usize) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{CornerRun, EffectsRecord, InkRow, Instance, StripRecord};
    use crate::variation::LetterMap;

    #[test]
    fn sections_follow_one_another_at_aligned_places_and_empty_ones_take_none() {
        let mut bytes: [&[u8]; SECTIONS] = Default::default();
        (bytes[0], bytes[2], bytes[10]) = (&[1; 256], &[2; 300], &[3; 6]);
        let (places, end) = places(&bytes);
        assert_eq!([&places[0], &places[2], &places[10]], [&(0..256), &(256..556), &(768..774)]);
        assert_eq!((places[1].clone(), end), (0..BOUND_FOR_EMPTY, 776));
    }

    #[test]
    fn no_record_is_larger_than_what_is_bound_for_an_empty_section() {
        let largest = [
            size_of::<BandRecord>(),
            size_of::<EffectsRecord>(),
            size_of::<Instance>(),
            size_of::<LetterMap>(),
            size_of::<CornerRun>(),
            size_of::<StripRecord>(),
            size_of::<InkRow>(),
        ];
        assert!(largest.into_iter().all(|bytes| bytes as u64 <= BOUND_FOR_EMPTY));
    }

    #[test]
    fn a_section_beyond_the_limit_is_refused_by_name() {
        let (device, queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let mut records = PageRecords::new(&device);
        records.bindable = 300;
        assert!(records.upload(&device, &queue, &[(Section::Strips, "strips", &[0; 300])]).is_ok());
        let refused = records.upload(&device, &queue, &[(Section::Letters, "letters", &[0; 304])]);
        assert!(matches!(refused, Err(GpuError::TooLarge { what: "letters", needed: 304, limit: 300 })));
    }
}
