//! Repeated requests: a request with an idempotency key is carried out once.
//!
//! Input: the client's key for a request, and the request itself as a [`Fingerprint`]. Output: whether it is the first
//! such request, in progress, or done, with what was kept of its answer.
//!
//! [`Access::begin`](super::Access::begin) begins an [`Attempt`]. What is kept of the answer (the seed of a page, the
//! number of a job) becomes durable in the same commit as the charge, so no crash makes a second one. An attempt that
//! ends without it may be made again at once. Nothing is kept of pictures and texts. Source of the protocol: IETF draft
//! "The Idempotency-Key HTTP Header Field", version 07.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::client::KeyId;

/// How long an answer can be asked for again.
pub(super) const KEPT: Duration = Duration::from_secs(24 * 3600);

/// How long it is known that a row of a job was charged. It is forgotten earlier if the job is deleted.
pub(super) const ROW_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The start of the names of rows; no hash of a client's key begins so.
const ROW: &str = "row/";

/// Longest idempotency key in bytes.
pub const LONGEST_IDEMPOTENCY_KEY: usize = 255;

/// A client's name for a request, of which the store keeps only the hash, or the name of a row of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(pub(super) String);

impl IdempotencyKey {
    /// Reads a key of 1 to [`LONGEST_IDEMPOTENCY_KEY`] visible ASCII characters; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_plain && text.len() <= LONGEST_IDEMPOTENCY_KEY).then(|| Self(hex::encode(Sha256::digest(text))))
    }

    /// The name of a row of a job.
    #[must_use]
    pub fn of_row(job: &str, number: u64) -> Self {
        Self(format!("{}{number}", Self::start_of_rows(job)))
    }

    /// The job and the number, if it is the name of a row.
    pub(super) fn row(&self) -> Option<(&str, &str)> {
        self.0.strip_prefix(ROW)?.rsplit_once('/')
    }

    /// How the names of all rows of a job start.
    pub(super) fn start_of_rows(job: &str) -> String {
        format!("{ROW}{job}/")
    }

    /// How long an answer is kept.
    pub(super) fn kept(&self) -> Duration {
        if self.0.starts_with(ROW) { ROW_KEPT } else { KEPT }
    }
}

/// The SHA-256 of a request, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub(super) String);

impl Fingerprint {
    /// The fingerprint of a request to `path` with a body of these parts.
    #[must_use]
    pub fn of(path: &str, body: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in std::iter::once(path.as_bytes()).chain(body.iter().copied()) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self(hex::encode(hash.finalize()))
    }
}

/// A request with its idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempted {
    pub(super) key_id: KeyId,
    pub(super) key: IdempotencyKey,
    pub(super) fingerprint: Fingerprint,
    /// Tells this attempt from others of the same request.
    pub(super) token: String,
}

impl Attempted {
    pub(super) fn new(key_id: KeyId, key: IdempotencyKey, fingerprint: Fingerprint) -> Self {
        Self { key_id, key, fingerprint, token: uuid::Uuid::new_v4().to_string() }
    }

    /// What a store knows of a done request of this name, as it concerns this one.
    pub(super) fn compared(&self, fingerprint: &str, answer: &str) -> Known {
        if fingerprint == self.fingerprint.0 { Known::Done(answer.to_owned()) } else { Known::OtherRequest }
    }
}

/// A request that was done, and what is kept of its answer: a word without spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) attempted: Attempted,
    pub(super) answer: String,
}

/// What a store knows of a request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing; from now on it is in progress.
    Nothing,
    Done(String),
    InProgress,
    OtherRequest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_visible_ascii() {
        for text in ["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", "\"quoted\"", &"k".repeat(255)] {
            assert!(IdempotencyKey::parse(text).is_some(), "{text}");
        }
        for text in ["", "two words", "tab\t", "é", &"k".repeat(256)] {
            assert!(IdempotencyKey::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_fingerprint_depends_on_every_byte_and_on_the_path() {
        let of = Fingerprint::of;
        assert_eq!(of("/generate", &[b"{}"]), of("/generate", &[b"{}"]));
        assert_ne!(of("/generate", &[b"{}"]), of("/generate", &[b"{ }"]));
        assert_ne!(of("/generate", &[b"/png{}"]), of("/generate/png", &[b"{}"]));
        assert_ne!(of("/jobs", &[b"ab", b"c"]), of("/jobs", &[b"a", b"bc"]));
    }
}
