//! The parts of a file, which is made page by page.

use super::rendered_file::RenderedFile;
use super::stages::StageTimes;

/// The first part of a file, and its metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct FileStart {
    /// The bytes are those of the first part.
    pub rendered_file: RenderedFile,
    /// Whether it is the whole file.
    pub is_whole: bool,
}

/// Takes the parts of a file after the first.
pub trait PartSink: Send + Sync {
    /// Takes a part. Blocks while there is no room for it. Drops it if the client has disconnected.
    fn put(&self, part: FilePart);

    /// Whether further parts are wanted.
    fn is_wanted(&self) -> bool;
}

/// A part of a file. Files are made page by page.
#[derive(Debug)]
pub enum FilePart {
    /// The first page and all bytes before it, and the times of its stages.
    Start(FileStart, StageTimes),
    /// Another page.
    Next(Vec<u8>),
    /// The last page, and the end of the file.
    End(Vec<u8>),
}

impl FilePart {
    /// The next part of a file. The first one takes the facts of the file, which are `unsent` before it.
    pub(super) fn of(unsent: &mut Option<RenderedFile>, bytes: Vec<u8>, is_last: bool, times: StageTimes) -> Self {
        match unsent.take() {
            Some(file) => {
                let rendered_file = RenderedFile { bytes, ..file };
                Self::Start(FileStart { rendered_file, is_whole: is_last }, times)
            }
            None if is_last => Self::End(bytes),
            None => Self::Next(bytes),
        }
    }
}
