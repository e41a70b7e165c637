//! The command line: commands, each a thin layer over the library.
//!
//! `serve` runs the service, `render` writes one page offline, `preflight` checks one, `batch` makes many, `keys`
//! administers API keys, `jobs` asks a service for its jobs, `fonts` lists the fonts, makes specimens and checks an
//! operator's fonts (`operator_fonts` loads them, `reload` again), `hand` makes a font of a person's hand, `mail-pieces`
//! lists the mail pieces and draws their guides, `health` asks a running
//! server for its status, `doctor` examines the machine, `openapi` prints the description of the interface. Helpers:
//! `failure` (exit codes), `field_flags` (request fields as flags), `request_input`, `file_format`, `text_input` and
//! `local_artwork` (names of output files, texts, pictures), `atomic_file`, `demo_key`, `logging`, `output`, `signals`.
//! A command takes parsed arguments, prints its result on standard output and returns. Remarks and failures go to
//! standard error. Commands do not render or decide by themselves.

mod artwork_facts;
mod atomic_file;
mod batch;
mod demo_key;
mod doctor;
mod failure;
mod field_flags;
mod file_format;
mod fonts;
mod hand;
mod health;
mod jobs;
pub mod keys;
mod local_artwork;
mod logging;
mod mail_pieces;
mod operator_fonts;
mod output;
mod preflight;
mod reload;
mod render;
mod request_input;
mod serve;
mod service;
mod signals;
mod text_input;

use std::path::PathBuf;

use clap::Parser;
use rlimit::Resource;

pub use failure::Failure;

use crate::clock::Clock;
use crate::config::{Config, GivenSettings, masked};
use crate::http::openapi;

/// Turns text into handwriting on the GPU.
#[derive(Parser, Debug)]
#[command(name = "longhand", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Serve the HTTP API
    Serve(serve::ServeCommand),
    /// Serve on this machine for a first look: as `serve --demo-key`
    Demo(serve::ServeCommand),
    /// Write one page to a file
    Render(Box<render::RenderCommand>),
    /// Check a page before it is made, and say what is wrong with it
    Preflight(Box<preflight::PreflightCommand>),
    /// Write many pages, from a CSV file and a template or from a file of requests
    Batch(Box<batch::BatchCommand>),
    /// Create, list, change and revoke API keys
    Keys(keys::KeysCommand),
    /// List, show, cancel and resume the jobs of a service
    Jobs(jobs::JobsCommand),
    /// List the fonts, or draw a sheet of them
    Fonts(fonts::FontsCommand),
    /// Make a font of your hand: print a sheet, fill it, photograph it
    Hand(hand::HandCommand),
    /// Examine a picture of a request in this process, under limits
    #[command(hide = true)]
    ArtworkFacts,
    /// List the mail pieces, or draw the guide of one
    MailPieces(mail_pieces::MailPiecesCommand),
    /// Ask a running server how it is
    Health(health::HealthCommand),
    /// Say what this machine has, what is missing, and how to get it
    Doctor(doctor::DoctorCommand),
    /// Print the description of the HTTP API (`OpenAPI` 3.1)
    Openapi,
}

/// Runs the program with the process's arguments, and returns its exit code, which follows sysexits.h.
#[must_use]
pub fn run() -> u8 {
    let result = match Cli::try_parse() {
        Ok(cli) => match cli.command {
            Command::Serve(command) => command.run(),
            Command::Demo(command) => command.with_demo_key().run(),
            Command::Render(command) => command.run(),
            Command::Preflight(command) => command.run(),
            Command::Batch(command) => command.run(),
            Command::Keys(command) => administer_keys(command),
            Command::Jobs(command) => command.run(),
            Command::Fonts(command) => command.run(),
            Command::Hand(command) => command.run(),
            Command::ArtworkFacts => artwork_facts::run(),
            Command::MailPieces(command) => command.run(),
            Command::Health(command) => command.run(),
            Command::Doctor(command) => command.run(),
            Command::Openapi => output::print(openapi::text()),
        },
        Err(error) => return refuse_arguments(&error),
    };
    match result {
        Ok(()) => 0,
        Err(failure) => {
            output::note(&failure.to_string());
            failure.exit_code()
        }
    }
}

/// The configuration for commands without most of the server's flags: its variables, its file and the defaults.
fn configured() -> Result<Config, Failure> {
    let file = std::env::var_os("LONGHAND_CONFIG").map(PathBuf::from);
    Ok(GivenSettings::from_variables()?.over(Config::from_file(file.as_deref())?)?)
}

/// Where this program is, which runs itself to read hostile files.
fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(Failure::internal("the path of this program is unknown"))
}

/// Limits the memory of this process, in bytes of address space, and its processor time, in seconds, before it reads what may
/// be hostile.
fn limit_process(memory: u64, seconds: u64) -> Result<(), Failure> {
    for (resource, most) in [(Resource::AS, memory), (Resource::CPU, seconds), (Resource::CORE, 0)] {
        resource.set(most, most).map_err(Failure::internal("the process cannot be limited"))?;
    }
    Ok(())
}

fn administer_keys(command: keys::KeysCommand) -> Result<(), Failure> {
    // As in `serve`: a flag takes precedence over the same setting elsewhere, and a store over any directory.
    let config = configured()?;
    let data_dir = command.data_dir.clone().unwrap_or(config.data_dir);
    let store = command.store.clone().or(config.store);
    let place = store.as_ref().map_or(keys::KeyPlace::Folder(&data_dir), keys::KeyPlace::Fleet);
    command.run(place, &Clock::system(), &mut std::io::stdout().lock())
}

/// Prints clap's message: help and version are answers, everything else is a usage error, which repeats no password.
fn refuse_arguments(error: &clap::Error) -> u8 {
    let message = error.to_string();
    let masked = masked(&message);
    if error.use_stderr() && masked != message {
        output::note(masked.trim_end());
    } else {
        // Without a terminal there is nowhere to report a failure.
        let _ = error.print();
    }
    if error.use_stderr() { failure::USAGE } else { 0 }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_commands_and_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
