//! `longhand jobs`: lists, shows, cancels and resumes the jobs of a running service.
//!
//! Input: a parsed command, the address of the service and a key. Output: text, or the service's JSON. The service decides
//! everything.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::service::Service;
use super::{Failure, limit_process, output};
use crate::mail_merge::print_records;

/// List, show, cancel and resume the jobs of a service.
#[derive(Debug, Args)]
pub(super) struct JobsCommand {
    /// What to do.
    #[command(subcommand)]
    action: JobsAction,
    /// The service, such as `https://hand.example`
    #[arg(long, global = true, env = "LONGHAND_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// API key of the service
    #[arg(long, global = true, env = "LONGHAND_KEY", hide_env_values = true, value_name = "KEY", default_value = "")]
    key: String,
    /// Print the service's JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum JobsAction {
    /// List the jobs of the key, latest first
    List,
    /// Show a job
    Show {
        /// The number of the job
        id: String,
    },
    /// Cancel a job; what is made stays until it expires
    Cancel {
        /// The number of the job
        id: String,
    },
    /// Continue a job that has paused
    Resume {
        /// The number of the job
        id: String,
    },
    /// Read a workbook from standard input and print its records, in a process with limits
    #[command(hide = true)]
    ReadWorkbook,
}

/// Most memory of the process that reads a workbook, in bytes of address space. The program itself and its threads have
/// about 200 MiB.
const MEMORY: u64 = 3 << 29;
/// Most processor time of it, in seconds. A workbook of 100,000 rows and 20 columns takes a tenth of it.
const SECONDS: u64 = 20;

impl JobsCommand {
    /// Asks the service and prints its answer.
    pub(super) fn run(self) -> Result<(), Failure> {
        let service = Service::new(&self.server, &self.key);
        let answer = match &self.action {
            JobsAction::ReadWorkbook => return read_workbook(),
            JobsAction::List => service.get("/jobs"),
            JobsAction::Show { id } => service.get(&job(id)?),
            JobsAction::Cancel { id } => service.delete(&job(id)?),
            JobsAction::Resume { id } => service.post(&format!("{}/resume", job(id)?)),
        }?;
        if self.json {
            return output::print(&answer.to_string());
        }
        match answer.get("jobs").and_then(Value::as_array) {
            Some(jobs) if jobs.is_empty() => output::print("The key has no jobs."),
            Some(jobs) => jobs.iter().try_for_each(|job| output::print(&line(job))),
            None => output::print(&line(&answer)),
        }
    }
}

/// Limits this process, and reads a workbook.
fn read_workbook() -> Result<(), Failure> {
    limit_process(MEMORY, SECONDS)?;
    let printed = print_records(&mut std::io::stdin().lock(), &mut std::io::stdout().lock());
    printed.map_err(Failure::internal("the workbook"))
}

/// The path of a job, whose number is a UUID.
fn job(id: &str) -> Result<String, Failure> {
    let number = uuid::Uuid::parse_str(id);
    let number = number.map_err(|_| Failure::Usage(format!("{id} is no number of a job; `jobs list` shows them")))?;
    Ok(format!("/jobs/{number}"))
}

/// A job on one line, with why it has paused.
fn line(job: &Value) -> String {
    let text = |name: &str| job.get(name).and_then(Value::as_str).unwrap_or_default();
    let count = |name: &str| job.get(name).and_then(Value::as_u64).unwrap_or_default();
    let (id, state, created) = (text("id"), text("state"), text("created_at"));
    let (made, rows, failed) = (count("made"), count("rows"), count("failed"));
    let left = job.get("seconds_left").and_then(Value::as_u64).map(|seconds| format!(", {seconds} s left"));
    let message = job.get("message").and_then(Value::as_str).map(|message| format!("; {message}"));
    let more = left.or(message).unwrap_or_default();
    format!("{id}  {created}  {state:9}  {made} of {rows} made, {failed} failed{more}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_job_is_a_line_that_says_why_it_has_paused() {
        let job = json!({"id": "7", "state": "paused", "created_at": "2026-11-27T00:00:00Z", "made": 5, "rows": 9,
                         "failed": 1, "message": "the monthly quota is used up"});
        let expected = "7  2026-11-27T00:00:00Z  paused     5 of 9 made, 1 failed; the monthly quota is used up";
        assert_eq!(line(&job), expected);
        let running = json!({"id": "7", "state": "running", "rows": 9, "seconds_left": 3});
        assert!(line(&running).ends_with("running    0 of 9 made, 0 failed, 3 s left"), "{}", line(&running));
    }

    #[test]
    fn what_is_no_number_of_a_job_is_no_part_of_a_path() {
        assert!(matches!(job("../keys"), Err(Failure::Usage(_))));
        let number = "3F2B8A54-6c1d-4e7f-9a0b-5d8c7e6f1a2b";
        assert_eq!(job(number).unwrap(), format!("/jobs/{}", number.to_lowercase()));
    }
}
