//! Routes of jobs.

use axum::routing::{MethodFilter, on};

use super::route::{Operation, PLAIN, Route};
use crate::access::LimitedEndpoint;
use crate::http::handlers::jobs;
use crate::http::openapi::headers::{ROWS, made, made_as};
use crate::http::openapi::{answers, parameters};
use crate::spec::OutputName;

/// Mailings that are made while nobody waits.
pub(super) static JOBS: [Route; 9] = [
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs", "jobs", |by| on(by, jobs::create::create))
        .with_job()
        .documented(Operation {
            id: "createJob",
            summary: "Make a mailing while nobody waits",
            description: "Up to 100,000 rows, each a page of the same request with its own texts. A bad template, a \
                placeholder without a column, or a first row that cannot be laid out is refused at once. Rows that are \
                made count toward the monthly quota.",
            success: "The job is accepted.",
            json: Some(("Job", answers::job_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs", "jobs", |by| on(by, jobs::read::list)).documented(Operation {
        id: "listJobs",
        summary: "List the jobs",
        description: "The jobs of the key, the latest first.",
        success: "The jobs.",
        json: Some(("JobList", answers::jobs_example)),
        ..PLAIN
    }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}", "job", |by| on(by, jobs::read::get)).documented(
        Operation {
            id: "readJob",
            summary: "Ask what became of a job",
            description: "State and counts.",
            parameters: &[parameters::job_id],
            success: "The job.",
            json: Some(("Job", answers::job_example)),
            files: &[],
        },
    ),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}", "job", |by| on(by, jobs::read::cancel))
        .by(MethodFilter::DELETE)
        .documented(Operation {
            id: "cancelJob",
            summary: "Cancel or delete a job",
            description: "A job that has not ended is cancelled; what is made stays until it expires. A job that has \
                ended is deleted, with its files.",
            parameters: &[parameters::job_id],
            success: "The job.",
            json: Some(("Job", answers::job_example)),
            files: &[],
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}/resume", "job", |by| on(by, jobs::read::resume))
        .by(MethodFilter::POST)
        .documented(Operation {
            id: "resumeJob",
            summary: "Continue a job that has paused",
            description: "A job that has not paused stays as it is.",
            parameters: &[parameters::job_id],
            success: "The job.",
            json: Some(("Job", answers::job_example)),
            files: &[],
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}/rows", "job_rows", |by| on(by, jobs::read::rows))
        .documented(Operation {
            id: "readJobRows",
            summary: "Ask what became of the rows",
            description: "Rows in order, after a row that is known already.",
            parameters: &[
                parameters::job_id,
                parameters::row_state,
                parameters::rows_after,
                parameters::most_rows,
                parameters::with_cells,
            ],
            success: "JSON Lines: an object of the schema `JobRow` on each line.",
            json: None,
            files: &[ROWS],
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}/events", "job_events", |by| on(by, jobs::read::events))
        .documented(Operation {
            id: "listJobEvents",
            summary: "List the events of a job",
            description: "The events of the job, with their attempts and the time of delivery.",
            parameters: &[parameters::job_id],
            success: "The events.",
            json: Some(("JobEventList", answers::events_example)),
            files: &[],
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}/result", "job_result", |by| on(by, jobs::files::result))
        .documented(Operation {
            id: "readJobResult",
            summary: "Fetch all files of a job",
            description: "Once its state is `completed` and if its `output.form` is not `files`. Parts of it can be \
                asked for with `Range`.",
            parameters: &[parameters::job_id],
            success: "A ZIP of the files of all rows; of the form `pdf` a PDF of all pages, or a ZIP of such PDFs.",
            json: None,
            files: const { &[made_as("application/zip"), made(OutputName::Pdf)] },
        }),
    Route::keyed(LimitedEndpoint::JobFiles, "/api/v1/jobs/{id}/files/{name}", "job_file", |by| {
        on(by, jobs::files::file)
    })
    .documented(Operation {
        id: "readJobFile",
        summary: "Fetch a file of a job",
        description: "As soon as it is made. Parts of it can be asked for with `Range`.",
        parameters: &[parameters::job_id, parameters::job_file],
        success: "The file.",
        json: None,
        files: const { &[made(OutputName::Png), made(OutputName::Pdf), made(OutputName::Svg)] },
    }),
];
