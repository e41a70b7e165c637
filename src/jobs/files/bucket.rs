//! Files in a bucket of S3, or of a server that speaks its protocol.
//!
//! Endpoint, region and credentials come from the variables of AWS (`AWS_ENDPOINT_URL_S3`, `AWS_REGION`,
//! `AWS_ACCESS_KEY_ID` and so on). A file is whole as soon as it is there, since S3 shows an object when all of it has
//! arrived. Large files are uploaded in parts. Requests are repeated while the server is away, for a minute at most.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::buffered::BufWriter;
use object_store::client::SpawnedReqwestConnector;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt as _, RetryConfig};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

use super::stored::StoredObject;
use super::tail::Tail;
use crate::jobs::error::JobError;

/// How long a request is repeated. A row holds its place in the quota for five minutes.
const PATIENCE: Duration = Duration::from_secs(60);
/// The same where a client waits for a file.
const CLIENT_PATIENCE: Duration = Duration::from_secs(2);
/// How long the start waits for the bucket.
const CHECK: Duration = Duration::from_secs(5);
/// Files that are read at the same time.
const AT_A_TIME: usize = 16;
/// Bytes of a part of an upload, and parts on their way: S3 takes 10,000 parts, so that a file may have 80 GB.
const PART: usize = 8 << 20;
const PARTS: usize = 4;

/// The address of a bucket: `s3://bucket`, or `s3://bucket/prefix` for a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BucketAddress {
    bucket: String,
    /// Without slashes at its ends; may be empty.
    prefix: String,
}

impl FromStr for BucketAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (bucket, prefix) =
            text.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, ""))).unwrap_or_default();
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        // The rules of AWS for names of buckets, and dots, which other servers allow too.
        let is_name = (3..=63).contains(&bucket.len())
            && bucket.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte));
        if !is_name || prefix.starts_with('/') || ObjectPath::parse(prefix).is_err() {
            return Err("it is no bucket; write s3://bucket or s3://bucket/prefix: the endpoint stands in \
                        AWS_ENDPOINT_URL_S3, and the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                .to_owned());
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl TryFrom<String> for BucketAddress {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<BucketAddress> for String {
    fn from(address: BucketAddress) -> Self {
        address.to_string()
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(formatter, "s3://{}{slash}{}", self.bucket, self.prefix)
    }
}

/// A bucket, or the part of it under a prefix. Calls block.
#[derive(Debug)]
pub(in crate::jobs) struct Bucket {
    address: BucketAddress,
    store: Arc<dyn ObjectStore>,
    for_clients: Arc<dyn ObjectStore>,
    folder: PathBuf,
    handle: Handle,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Bucket {
    /// Opens the bucket, and looks whether it can be read: if not, that is logged, as it may answer later. Large entries of
    /// archives wait in `folder` until they are whole.
    ///
    /// # Errors
    /// The variables of AWS contradict each other, or the system starts no thread.
    pub(super) fn open(address: &BucketAddress, folder: &Path) -> Result<Self, JobError> {
        // A provider that was installed before serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let shown = PathBuf::from(address.to_string());
        let failed = JobError::file("use the bucket", &shown);
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).thread_name("longhand-bucket").enable_all().build().map_err(&failed)?;
        let handle = runtime.handle().clone();
        let builder = AmazonS3Builder::from_env().with_bucket_name(&address.bucket);
        let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
        let endpoint = endpoint.iter().find_map(|key| builder.get_config_value(key));
        // An operator who names an endpoint without TLS wants it so.
        let is_plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
        let builder = if is_plain { builder.with_allow_http(true) } else { builder };
        let patient = |retry_timeout| {
            // The time bounds it alone.
            let retry = RetryConfig { retry_timeout, max_retries: usize::MAX, ..RetryConfig::default() };
            let connector = SpawnedReqwestConnector::new(handle.clone());
            builder.clone().with_retry(retry).with_http_connector(connector).build()
        };
        let store = patient(PATIENCE).map_err(|error| failed(error.into()))?;
        let for_clients = patient(CLIENT_PATIENCE).map_err(|error| failed(error.into()))?;
        let bucket = Self {
            address: address.clone(),
            store: Arc::new(store),
            for_clients: Arc::new(for_clients),
            folder: folder.to_owned(),
            handle: handle.clone(),
            runtime: Some(runtime),
        };
        bucket.check();
        Ok(bucket)
    }

    /// Logs why the bucket cannot be read, if it cannot.
    fn check(&self) {
        let first = async { timeout(CHECK, self.store.list(Some(&self.path(""))).next()).await };
        let problem = match self.handle.block_on(first) {
            Ok(Some(Err(error))) => error.to_string(),
            Ok(_) => return,
            Err(_) => "it does not answer".to_owned(),
        };
        tracing::warn!(bucket = %self.address, problem, "the bucket of jobs cannot be read at present; jobs pause meanwhile");
    }

    /// Where an object is.
    fn path(&self, name: &str) -> ObjectPath {
        [self.address.prefix.as_str(), name].join("/").into()
    }

    /// A file, for a client.
    pub(super) fn object(&self, name: &str) -> StoredObject {
        StoredObject { store: Arc::clone(&self.for_clients), path: self.path(name) }
    }

    /// Whether there is a file of this name.
    pub(super) fn has(&self, name: &str) -> Result<bool, JobError> {
        match self.handle.block_on(self.for_clients.head(&self.path(name))) {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.failed("look for", name)(error)),
        }
    }

    /// Writes a file.
    pub(super) fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), JobError> {
        let put = self.handle.block_on(self.store.put(&self.path(name), bytes.into()));
        put.map(drop).map_err(self.failed("write", name))
    }

    /// Reads files, in this order.
    pub(super) fn read(&self, names: &[String]) -> io::Result<Vec<Vec<u8>>> {
        let read =
            async |path: ObjectPath| Ok::<_, object_store::Error>(self.store.get(&path).await?.bytes().await?.into());
        let reads = names.iter().map(|name| read(self.path(name)));
        let files = stream::iter(reads).buffered(AT_A_TIME).try_collect();
        Ok(self.handle.block_on(files)?)
    }

    /// Writes a file in parts, while `write` makes it.
    pub(super) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut Tail<Upload<'_>>) -> io::Result<()>,
    ) -> Result<(), JobError> {
        let writer =
            BufWriter::with_capacity(Arc::clone(&self.store), self.path(name), PART).with_max_concurrency(PARTS);
        let mut tail = Tail::new(Upload { writer, handle: &self.handle }, &self.folder);
        let written = write(&mut tail).and_then(|()| tail.flush());
        let mut upload = tail.into_inner();
        let ended = match written {
            Ok(()) => self.handle.block_on(upload.writer.shutdown()),
            Err(error) => {
                // If this fails too, a rule of the bucket deletes the parts.
                let _ = self.handle.block_on(upload.writer.abort());
                Err(error)
            }
        };
        ended.map_err(|error| JobError::file("write", &self.shown(name))(error))
    }

    /// Deletes all files of a job.
    pub(super) fn delete(&self, job: &str) -> Result<(), JobError> {
        let found = self.store.list(Some(&self.path(job))).map_ok(|object| object.location).boxed();
        let deleted = self.store.delete_stream(found).try_for_each(|_| std::future::ready(Ok(())));
        self.handle.block_on(deleted).map_err(self.failed("delete", job))
    }

    fn failed(&self, action: &'static str, name: &str) -> impl Fn(object_store::Error) -> JobError + use<> {
        let shown = self.shown(name);
        move |error| JobError::file(action, &shown)(error.into())
    }

    /// The address of a file, as people write it.
    fn shown(&self, name: &str) -> PathBuf {
        Path::new(&self.address.to_string()).join(name)
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The thread that drops the bucket may be one that must not block.
            runtime.shutdown_background();
        }
    }
}

/// A file on its way to the bucket.
pub(super) struct Upload<'a> {
    writer: BufWriter,
    handle: &'a Handle,
}

impl Write for Upload<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.handle.block_on(self.writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_bucket_and_perhaps_a_prefix() {
        for text in ["s3://letters", "s3://my.letters-2/a/b"] {
            assert_eq!(text.parse::<BucketAddress>().unwrap().to_string(), text);
        }
        assert_eq!("s3://letters/a/".parse::<BucketAddress>().unwrap().to_string(), "s3://letters/a");
        for text in
            ["", "letters", "s3://", "s3://ab", "s3://Letters", "https://letters", "s3://letters//a", "s3://a b"]
        {
            let refused = text.parse::<BucketAddress>().unwrap_err();
            assert!(refused.contains("s3://bucket/prefix"), "{text}: {refused}");
        }
    }
}
