//! The finished page and its metadata.

use super::stages::StageTimes;
use crate::encode::PageImage;
use crate::layout::Warning;

/// A file, and what its client is told beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFile {
    /// The file: PNG or PDF, as the specification says.
    pub bytes: Vec<u8>,
    /// Width in device px; of a PDF the width of each page's image.
    pub width: u32,
    /// Height in device px.
    pub height: u32,
    /// The size that was chosen, in 300-DPI px, where the client asked for `auto`.
    pub calculated_font_size: Option<u32>,
    /// The seed that the page was made from.
    pub seed: u32,
    /// What the client should know.
    pub warnings: Vec<Warning>,
}

/// The first part of a file, and what its client is told beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStart {
    /// The bytes are those of the first part.
    pub rendered_file: RenderedFile,
    /// Whether it is all of the file.
    pub is_whole: bool,
}

/// Takes the parts of a file behind the first.
pub trait PartSink: Send + Sync {
    /// Takes a part. Blocks while there is no room for it, and drops it if the client has gone away.
    fn put(&self, part: FilePart);

    /// Whether further parts are wanted.
    fn is_wanted(&self) -> bool;
}

/// A part of a file that is made page by page.
#[derive(Debug)]
pub enum FilePart {
    /// The first page, and all that stands before it.
    Start {
        /// The bytes are those of this part.
        rendered_file: RenderedFile,
        /// Whether there is nothing more: the file has one page.
        is_whole: bool,
        /// How long the stages of the first page took.
        times: StageTimes,
    },
    /// Another page.
    Next(Vec<u8>),
    /// The end of the file.
    End(Vec<u8>),
}

/// The pages of one text, packed and not yet in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPages {
    /// The pages in order, at least one.
    pub images: Vec<PageImage>,
    /// The size that was chosen, in 300-DPI px, where the client asked for `auto`.
    pub calculated_font_size: Option<u32>,
    /// What the client should know.
    pub warnings: Vec<Warning>,
}

/// A page made small and watermarked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The file is the preview's; width and height are those of the page at full size.
    pub page: RenderedFile,
    /// Width of the preview in px: 1200.
    pub width: u32,
    /// Height of the preview in px.
    pub height: u32,
}
