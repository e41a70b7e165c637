//! Errors of reading the configuration.

use std::path::PathBuf;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// The file was asked for and cannot be read.
    #[error("cannot read the configuration file {}: {cause}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        cause: String,
    },
    /// The file is not TOML, has an unknown key or a bad value.
    #[error("{}: {message}", path.display())]
    Invalid {
        /// Which file.
        path: PathBuf,
        /// Line, key and expected value.
        message: String,
    },
    /// A flag or a variable has an invalid value.
    #[error("{0}")]
    Argument(String),
    /// A variable looks like a setting and is none.
    #[error("{name} is no setting; `longhand serve --help` lists them")]
    UnknownVariable {
        /// Which variable.
        name: String,
    },
}
