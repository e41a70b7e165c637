//! A file of a job, as a client is sent it.

use std::fmt;
use std::io::{self, SeekFrom};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;

use object_store::buffered::BufReader;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};

/// Bytes of a request to the bucket.
const PART: usize = 2 << 20;

/// A file of a job.
#[derive(Clone, Debug)]
pub(crate) enum StoredFile {
    /// In a folder of this machine.
    Path(PathBuf),
    /// In a bucket.
    Object(StoredObject),
}

/// A file in a bucket.
#[derive(Clone, Debug)]
pub(crate) struct StoredObject {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) path: ObjectPath,
}

impl StoredObject {
    /// What is known of the file without its bytes.
    ///
    /// # Errors
    /// There is none (`NotFound`), or the bucket does not answer.
    pub(crate) async fn facts(&self) -> io::Result<ObjectFacts> {
        Ok(ObjectFacts(self.store.head(&self.path).await?))
    }

    /// Reads the file of which these are the facts, from its start.
    pub(crate) fn reader(&self, facts: &ObjectFacts) -> ObjectReader {
        let reader = BufReader::with_capacity(Arc::clone(&self.store), &facts.0, PART);
        ObjectReader { reader: Mutex::new(reader), facts: facts.clone() }
    }
}

/// Size and time of a file in a bucket.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts(ObjectMeta);

impl ObjectFacts {
    /// Its size in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.0.size
    }

    /// When it was written.
    pub(crate) fn modified(&self) -> SystemTime {
        self.0.last_modified.into()
    }
}

/// Reads a file of a bucket in parts.
pub(crate) struct ObjectReader {
    /// Never locked: the lock lets the reader be shared.
    reader: Mutex<BufReader>,
    facts: ObjectFacts,
}

impl ObjectReader {
    /// What is known of the file.
    pub(crate) const fn facts(&self) -> &ObjectFacts {
        &self.facts
    }
}

impl fmt::Debug for ObjectReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ObjectReader").finish_non_exhaustive()
    }
}

impl AsyncRead for ObjectReader {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.get_mut().reader.get_mut()).poll_read(cx, out)
    }
}

impl AsyncSeek for ObjectReader {
    fn start_seek(self: Pin<&mut Self>, to: SeekFrom) -> io::Result<()> {
        Pin::new(self.get_mut().reader.get_mut()).start_seek(to)
    }

    fn poll_complete(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(self.get_mut().reader.get_mut()).poll_complete(cx)
    }
}
