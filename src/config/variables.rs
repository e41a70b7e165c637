//! Refuses environment variables that look like settings but are none.

use std::ffi::OsString;

use clap::{Args as _, Command};

use super::{Config, ConfigError};

/// The prefix of all settings.
const PREFIX: &str = "LONGHAND_";

/// Names with the prefix that are not settings, without it: arguments of commands, values of the examples in the
/// documentation, of the Compose files, and of the tests.
const OTHERS: [&str; 11] = [
    "CONFIG",
    "FAULTS",
    "KEY",
    "URL",
    "NVIDIA_ICD",
    "BINARY",
    "ORACLE_PYTHON",
    "SCREENSHOTS",
    "TEST_ALL",
    "TEST_GPU",
    "WRITE_WORD_GAPS",
];

/// Refuses an environment with an unknown `LONGHAND_…` variable, such as a misspelled one.
///
/// # Errors
/// There is such a variable; the error names it.
pub fn refuse_unknown_variables(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<(), ConfigError> {
    let command = Config::augment_args_for_update(Command::new("serve"));
    for (name, value) in environment {
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let is_setting = command.get_arguments().any(|setting| setting.get_env() == Some(&name));
        if !is_setting && !OTHERS.contains(&rest) && !is_from_kubernetes(rest, &value) {
            return Err(ConfigError::UnknownVariable { name: name.to_string_lossy().into_owned() });
        }
    }
    Ok(())
}

/// Whether Kubernetes sets this variable for a service called `longhand` or `longhand-…`, as for each service there is:
/// `LONGHAND_SERVICE_HOST=10.0.0.1`, `LONGHAND_PORT=tcp://10.0.0.1:80`, `LONGHAND_PORT_80_TCP_ADDR=10.0.0.1`.
fn is_from_kubernetes(rest: &str, value: &OsString) -> bool {
    let rest = format!("_{rest}");
    let is_address = || value.to_str().is_some_and(|value| value.contains("://"));
    ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT_"].iter().any(|part| rest.contains(part))
        || rest.ends_with("_PORT") && is_address()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, value: &str) -> Option<String> {
        refuse_unknown_variables([(name.into(), value.into())]).err().map(|error| error.to_string())
    }

    #[test]
    fn a_misspelled_variable_is_refused_by_name() {
        for name in ["LONGHAND_LISTN", "LONGHAND_", "LONGHAND_DRAIN", "LONGHAND_PORT", "LONGHAND_listen"] {
            assert!(refused(name, "9000").is_some_and(|message| message.contains(name)), "{name}");
        }
    }

    #[test]
    fn settings_and_variables_of_others_are_accepted() {
        for name in ["LONGHAND_LISTEN", "LONGHAND_GPUS", "LONGHAND_CONFIG", "LONGHAND_KEY", "PATH", "LONGHANDLE"] {
            assert_eq!(refused(name, "x"), None);
        }
        for (name, value) in [
            ("LONGHAND_SERVICE_HOST", "10.0.0.1"),
            ("LONGHAND_SERVICE_PORT_HTTP", "80"),
            ("LONGHAND_PORT", "tcp://10.0.0.1:80"),
            ("LONGHAND_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("LONGHAND_ADMIN_SERVICE_HOST", "10.0.0.1"),
            ("LONGHAND_ADMIN_PORT", "tcp://10.0.0.1:80"),
        ] {
            assert_eq!(refused(name, value), None, "Kubernetes sets it");
        }
    }
}
