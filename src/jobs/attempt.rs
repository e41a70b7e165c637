//! Makes one row: reserves, renders, writes its file, charges.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use sha2::{Digest as _, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::database::TriedRow;
use super::definition::Prepared;
use super::size::JobSize;
use super::summary::{Outcome, PauseReason, RowProblem, RowState};
use super::{Jobs, MadeRow, RowError, RowRenderer, RowRequest};
use crate::access::{AuthError, Begun, Fingerprint, IdempotencyKey, KeyId, QuotaError};
use crate::clock::Timestamp;
use crate::mail_merge::{MergedRow, Record, RowWarning};

/// Wait before a row is tried again.
const LATER: Duration = Duration::from_secs(1);
/// What the access to charges keeps of a row.
const MADE: &str = "made";
/// The type of a row's error that is not one of its request.
const ROW: &str = "row";

/// The error type of a row that made this program panic.
const FAULT: &str = "fault";

/// A row whose turn it is.
pub(super) struct PickedRow {
    pub(super) job: String,
    pub(super) key: KeyId,
    pub(super) created: Timestamp,
    pub(super) prepared: Arc<Prepared>,
    pub(super) size: JobSize,
    pub(super) record: Record,
}

/// What became of a row in progress.
pub(super) enum Tried {
    Done(TriedRow),
    /// It is to be tried again.
    Later {
        job: String,
        record: Record,
    },
    Paused {
        job: String,
        number: u64,
        reason: PauseReason,
    },
}

impl Jobs {
    /// Makes a row, and charges for it. If the program panics, the row fails.
    pub(super) async fn attempt(self: Arc<Self>, renderer: &dyn RowRenderer, picked: PickedRow) -> Tried {
        let (job, number, size) = (picked.job.clone(), picked.record.number as u64, picked.size);
        let tried = AssertUnwindSafe(self.try_row(renderer, picked)).catch_unwind().await;
        tried.unwrap_or_else(|_| {
            tracing::error!(job, number, "this program panicked at a row");
            let message = "the service has a fault at this row; its operator finds it in the log".to_owned();
            let error = RowProblem { r#type: FAULT.to_owned(), message };
            Tried::Done(TriedRow::failed(job, number, size, error, Vec::new()))
        })
    }

    async fn try_row(self: Arc<Self>, renderer: &dyn RowRenderer, picked: PickedRow) -> Tried {
        let PickedRow { job, key, created, prepared, size, record } = picked;
        let MergedRow { number, request, name, mut warnings } = prepared.row(&record, size.exactly());
        let number = number as u64;
        let failed = |r#type: &str, message: String, warnings| {
            let error = RowProblem { r#type: r#type.to_owned(), message };
            Tried::Done(TriedRow::failed(job.clone(), number, size, error, warnings))
        };
        let request = match request {
            Ok(request) => request,
            Err(message) => return failed(ROW, message, warnings),
        };
        let row = RowRequest { request: &request, largest: size.largest(), key: &key, created };
        let is_laid_out = prepared.is_dry_run() || size.is_sought();
        let made = if is_laid_out {
            renderer.lay_out(row).await.map_err(Trouble::Row)
        } else {
            self.make(renderer, row, &job, number).await
        };
        match made {
            Ok(row) => {
                RowWarning::add_of_page(&mut warnings, row.warnings);
                let file = !is_laid_out;
                let outcome = Outcome {
                    bytes: file.then_some(row.bytes.len() as u64),
                    pages: Some(row.pages as u64),
                    sha256: file.then(|| hex::encode(Sha256::digest(&row.bytes))),
                    seed: Some(row.seed),
                    calculated_font_size: row.calculated_font_size.or(size.exactly()),
                    error: None,
                    warnings,
                };
                let name = file.then_some(name);
                let state = if size.is_sought() { RowState::Waiting } else { RowState::Made };
                Tried::Done(TriedRow { job, number, state, name, outcome, size })
            }
            Err(Trouble::Row(RowError::Failed { kind, message })) => failed(&kind, message, warnings),
            Err(Trouble::Row(RowError::Later(reason))) => {
                tracing::debug!(job, number, reason, "a row is tried again");
                sleep(LATER).await;
                Tried::Later { job, record }
            }
            Err(Trouble::Pause(reason)) => Tried::Paused { job, number, reason },
        }
    }

    /// Reserves, renders, writes the file, and charges, unless the row was charged before.
    async fn make(
        self: Arc<Self>,
        renderer: &dyn RowRenderer,
        row: RowRequest<'_>,
        job: &str,
        number: u64,
    ) -> Result<MadeRow, Trouble> {
        let client = self.access.client(row.key).await.map_err(|error| match error {
            AuthError::Unknown => Trouble::Pause(PauseReason::Key),
            AuthError::Store(error) => Trouble::later(&error),
        })?;
        let fingerprint = Fingerprint::of(job, &[&number.to_be_bytes()]);
        let begun = self.access.begin(&client, IdempotencyKey::of_row(job, number), fingerprint).await;
        let payment = match begun.map_err(|error| Trouble::later(&error))? {
            Begun::Done(_) => None,
            Begun::First(attempt) => {
                let reservation = self.access.reserve(&client).await.map_err(|error| match error {
                    QuotaError::Exhausted { in_progress: 0, .. } => Trouble::Pause(PauseReason::Quota),
                    error => Trouble::later(&error),
                })?;
                Some(reservation.answering(attempt, MADE))
            }
            Begun::InProgress | Begun::OtherRequest => {
                return Err(Trouble::Row(RowError::Later("the row is in progress elsewhere".to_owned())));
            }
        };
        let made = renderer.make(row).await.map_err(Trouble::Row)?;
        let (jobs, key, id) = (Arc::clone(&self), row.key.clone(), job.to_owned());
        let made = spawn_blocking(move || jobs.write(&key, &id, number, made)).await;
        let made = made.map_err(|error| Trouble::later(&error))??;
        if let Some(reservation) = payment {
            reservation.charge().await.map_err(|error| {
                self.forget_bytes(made.bytes.len() as u64);
                Trouble::later(&error)
            })?;
        }
        Ok(made)
    }

    /// Writes the file of a row, if there is room for it and the job of this key was not deleted meanwhile.
    fn write(&self, key: &KeyId, job: &str, number: u64, made: MadeRow) -> Result<MadeRow, Trouble> {
        let length = made.bytes.len() as u64;
        let used = self.bytes.fetch_add(length, Ordering::Relaxed);
        let written = if used.saturating_add(length) > self.options.most_bytes {
            Err(PauseReason::Space)
        } else {
            self.files.write_row(job, number, &made.bytes).map_err(|error| {
                tracing::warn!(job, number, %error, "the file of a row cannot be written");
                PauseReason::Disk
            })
        };
        let written = written.map_err(Trouble::Pause).and_then(|()| {
            // Nobody can fetch it, and so it is not charged.
            if self.forget_if_deleted(key, job) { Err(Trouble::later(&"the job was deleted")) } else { Ok(()) }
        });
        if written.is_err() {
            self.forget_bytes(length);
        }
        written.map(|()| made)
    }

    /// Subtracts the length of a file that is not kept from the bytes of all jobs. The sum may have been read anew since the
    /// length was added, so it stops at zero.
    fn forget_bytes(&self, length: u64) {
        let less = |bytes: u64| Some(bytes.saturating_sub(length));
        let _ = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Why a row is not made now.
enum Trouble {
    Row(RowError),
    Pause(PauseReason),
}

impl Trouble {
    fn later(error: &impl ToString) -> Self {
        Self::Row(RowError::Later(error.to_string()))
    }
}
