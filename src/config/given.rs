//! The settings that flags and environment variables give.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::{Config, ConfigError, masked};

/// Flags and `LONGHAND_…` variables as clap read them, to apply over a file. A command flattens this.
#[derive(Clone, Debug)]
pub struct GivenSettings(ArgMatches);

impl GivenSettings {
    /// The variables alone, for commands that lack most flags.
    ///
    /// # Errors
    /// A variable has an invalid value.
    pub fn from_variables() -> Result<Self, ConfigError> {
        let command = Self::augment_args(Command::new("longhand").no_binary_name(true));
        command.try_get_matches_from(std::iter::empty::<&str>()).map(Self).map_err(|error| invalid(&error))
    }

    /// Applies these settings to those of a file.
    ///
    /// # Errors
    /// A setting has an invalid value.
    pub fn over(self, mut file: Config) -> Result<Config, ConfigError> {
        file.update_from_arg_matches(&self.0).map_err(|error| invalid(&error))?;
        Ok(file)
    }
}

fn invalid(error: &clap::Error) -> ConfigError {
    ConfigError::Argument(masked(error.to_string().trim_end()))
}

impl FromArgMatches for GivenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for GivenSettings {
    /// No flag is required: the file or the default fills the gaps.
    fn augment_args(command: Command) -> Command {
        Config::augment_args_for_update(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Config::augment_args_for_update(command)
    }
}
