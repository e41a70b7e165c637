//! Another program that a test needs, such as a Redis server.

use std::process::{Child, Command};

/// A program that runs. Dropping it kills it.
pub(crate) struct Program(Child);

impl Program {
    /// Starts a program that `scripts/setup.sh test` installs.
    pub(crate) fn start(command: &mut Command) -> Self {
        let started = command.spawn();
        Self(started.unwrap_or_else(|error| panic!("{command:?}: {error}; scripts/setup.sh test installs it")))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
