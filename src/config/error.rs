//! Errors of reading the configuration.

use std::path::PathBuf;

/// Why the configuration cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// The named file cannot be read.
    #[error("cannot read the configuration file {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: String,
    },
    /// The file is not TOML, has an unknown key or a bad value.
    #[error("{}: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, key and expected value.
        message: String,
    },
    /// A flag or a variable has an invalid value.
    #[error("{0}")]
    Argument(String),
    /// A variable looks like a setting, but is not one.
    #[error("{name} is no setting; `longhand serve --help` lists them")]
    UnknownVariable {
        /// The variable.
        name: String,
    },
}
