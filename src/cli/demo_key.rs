//! The key for a first try: created once, kept in the data directory, printed on every start.

use std::path::Path;

use super::Failure;
use super::atomic_file::{self, Readers};
use crate::access::{Access, ApiKey, AuthError};

const FILE_NAME: &str = "demo-key";
const KEY_NAME: &str = "demo";

/// The demo key of `data_dir`: the one kept there if it still opens, or a new one if the store has no key at all.
/// `None` if other keys exist or the demo key was revoked, because a server in use gets no new key without a command.
///
/// # Errors
/// The store or the file cannot be read or written.
pub(super) fn find_or_create(access: &Access, data_dir: &Path) -> Result<Option<ApiKey>, Failure> {
    let file = data_dir.join(FILE_NAME);
    if let Some(key) = kept(&file)? {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(Failure::internal("cannot look the demo key up"))?;
        match runtime.block_on(access.authenticate(&key)) {
            Ok(_) => return Ok(Some(key)),
            Err(AuthError::Unknown) => {}
            Err(AuthError::Store(error)) => return Err(error.into()),
        }
    }
    let keys = access.keys();
    if !keys.list()?.is_empty() {
        return Ok(None);
    }
    let key = keys.create(KEY_NAME, None)?.key;
    let line = format!("{}\n", key.reveal());
    atomic_file::replace(&file, line.as_bytes(), Readers::OwnerOnly).map_err(Failure::io("write", &file))?;
    Ok(Some(key))
}

fn kept(file: &Path) -> Result<Option<ApiKey>, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(ApiKey::parse(text.trim()).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::io("read", file)(error)),
    }
}
