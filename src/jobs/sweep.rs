//! Deletes jobs that are over.

use std::sync::atomic::Ordering;

use super::Jobs;
use crate::access::KeyId;

impl Jobs {
    /// Deletes the jobs that are over for long enough.
    pub(super) fn sweep(&self) {
        let keep = i64::try_from(self.options.keep.as_secs()).unwrap_or(i64::MAX);
        match self.database.delete_ended_before(self.now().saturating_sub(keep)) {
            Err(error) => tracing::warn!(%error, "jobs that are over cannot be deleted at present"),
            Ok(deleted) => self.forget(&deleted),
        }
    }

    /// Deletes what was written of a job of this key if the job was deleted meanwhile. Tells whether it was.
    pub(super) fn forget_if_deleted(&self, key: &KeyId, id: &str) -> bool {
        // While the database cannot be read, nothing is known to be deleted.
        if !matches!(self.database.get(key, id), Ok(None)) {
            return false;
        }
        self.forget(&[(id.to_owned(), key.clone())]);
        true
    }

    /// Deletes what is left of jobs of these keys that are no longer in the database.
    pub(super) fn forget(&self, deleted: &[(String, KeyId)]) {
        if !deleted.is_empty()
            && let Ok(bytes) = self.database.bytes()
        {
            self.bytes.store(bytes, Ordering::Relaxed);
        }
        for (id, key) in deleted {
            // Files that stay are deleted at the next start.
            let files = self.files.delete(id);
            if let Err(error) = files.and_then(|()| Ok(self.access.forget_rows(key, id)?)) {
                tracing::warn!(job = id, %error, "what is left of a job cannot be deleted at present");
            }
        }
    }
}
