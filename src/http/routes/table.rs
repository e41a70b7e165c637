//! The table of routes: one row per path.

use std::sync::{Arc, LazyLock};

use axum::extract::rejection::PathRejection;
use axum::extract::{MatchedPath, Path, Request};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::route::{LINKS, Operation, Route, SHARED, Work};
use crate::access::LimitedEndpoint;
use crate::http::errors::table::ApiError;
use crate::http::handlers::{hands, jobs, links, lists, pages, specimen, status, usage};
use crate::http::openapi::hands as described;
use crate::http::openapi::headers::{GUIDE, PICTURE, PREVIEW, ROWS, SHEET, made, made_as, page as page_file};
use crate::http::openapi::{self, answers, parameters};
use crate::http::{Service, page, reference};
use crate::spec::{Endpoint, OutputName, alternatives};

/// The route of one format alone: most generators of clients read one form of an answer per operation.
macro_rules! file_route {
    ($format:ident, $name:literal, $title:literal, $paper:literal) => {
        Route::post(
            concat!("/api/v1/generate/", $name),
            "generate",
            Endpoint::GenerateFile(OutputName::$format),
            |by| on(by, pages::generate),
        )
        .limited(LimitedEndpoint::Generate, Work::Charged)
        .documented(Operation {
            id: concat!("generate", stringify!($format)),
            summary: concat!("Generate a page as a ", $title),
            description: concat!(
                "As `/api/v1/generate` with `output_format` `",
                $name,
                "`, but the answer is always the file. It counts toward the same quota and the same rate limit."
            ),
            success: concat!("The ", $title, ": ", $paper, "."),
            files: const { &[page_file(OutputName::$format)] },
            ..PLAIN
        })
    };
}

/// An operation without parameters, JSON and files.
const PLAIN: Operation =
    Operation { id: "", summary: "", description: "", parameters: &[], success: "", json: None, files: &[] };

/// Every route. The text of [`no_such_path`] names them in this order.
pub(in crate::http) static ROUTES: [Route; 36] = [
    Route::post("/api/v1/generate", "generate", Endpoint::Generate, |by| on(by, pages::generate))
        .limited(LimitedEndpoint::Generate, Work::Charged)
        .documented(Operation {
            id: "generatePage",
            summary: "Generate a page",
            description: "Renders one page at full quality. `output_format` `png` answers JSON with a base64 picture, \
                or the picture itself if `Accept` prefers `image/png`; `pdf` and `svg` answer the file itself. Headers \
                of a file carry the other fields. A success counts toward the monthly quota; a failure does not.",
            parameters: &[],
            success: "The page.",
            json: Some(("Page", answers::page_example)),
            files: const { &[page_file(OutputName::Png), page_file(OutputName::Pdf), page_file(OutputName::Svg)] },
        }),
    file_route!(Png, "png", "PNG", "transparent paper"),
    file_route!(Pdf, "pdf", "PDF", "white paper"),
    file_route!(Svg, "svg", "SVG", "paths alone"),
    Route::post("/api/v1/preview", "preview", Endpoint::Preview, |by| on(by, pages::preview))
        .limited(LimitedEndpoint::Preview, Work::Free)
        .documented(Operation {
            id: "previewPage",
            summary: "Preview a page",
            description: "Renders the same page 1200 px wide, with a watermark if the operator leaves it on, for trying \
                parameters. `region` shows a part of it as wide. The answer is JSON with a base64 picture, or the picture itself if `Accept` \
                prefers `image/png`. Free: it does not count toward the quota. `width` and `height` are those of the \
                full page.",
            parameters: &[],
            success: "The preview.",
            json: Some(("Preview", answers::preview_example)),
            files: &[PREVIEW],
        }),
    Route::post("/api/v1/preflight", "preflight", Endpoint::Generate, |by| on(by, pages::preflight))
        .limited(LimitedEndpoint::Preview, Work::Free)
        .documented(Operation {
            id: "preflightPage",
            summary: "Check a page before it is made",
            description: "Takes the body of `/api/v1/generate`, lays the page out and draws nothing: what the file \
                will be, and what is wrong with it, measured against `mail_piece` or what `pdf.preset` prints. A text \
                that does not fit or cannot be written is a finding. Free: it does not count toward the quota. Counts \
                as a request to `/api/v1/preview`:",
            success: "The report.",
            json: Some(("PreflightReport", answers::preflight_example)),
            ..PLAIN
        }),
    Route::post(LINKS, "links", Endpoint::Preview, |by| on(by, links::create))
        .limited(LimitedEndpoint::Preview, Work::Free)
        .documented(Operation {
            id: "createLink",
            summary: "Make a link that shows a page without a key",
            description: "Takes the body of `/api/v1/preview`, which must be one that can be made. Whoever has the link \
                sees the preview of that page, and nothing else, until the link ends. The service keeps nothing: the link \
                holds the request, signed by the key, and ends with it. Where the operator allows links. Counts as a \
                request to `/api/v1/preview`:",
            parameters: &[parameters::link_days],
            success: "The link.",
            json: Some(("Link", answers::link_example)),
            files: &[],
        }),
    Route::get(SHARED, "shared", |by| on(by, links::show))
        .limited(LimitedEndpoint::Preview, Work::Free)
        .documented(Operation {
            id: "readShared",
            summary: "See the page of a link",
            description: "Send the `link` instead of a key: `Authorization: Bearer link_…`. The answer is that of \
                `/api/v1/preview`, and counts as one of the key that made the link:",
            parameters: &[parameters::link_page],
            success: "The preview.",
            json: Some(("Preview", answers::preview_example)),
            files: &[PREVIEW],
        }),
    Route::keyed(LimitedEndpoint::Fonts, "/api/v1/fonts", "fonts", |by| on(by, lists::fonts))
        .documented(Operation {
            id: "listFonts",
            summary: "List the fonts",
            description: "Every font with its `font_id`, character and measures.",
            success: "The fonts.",
            json: Some(("FontList", answers::fonts_example)),
            ..PLAIN
        }),
    Route::get("/api/v1/fonts/{id}/specimen.png", "specimen", |by| on(by, specimen::specimen))
        .limited(LimitedEndpoint::Fonts, Work::Kept)
        .documented(Operation {
            id: "readSpecimen",
            summary: "See a font",
            description: "A picture of the hand, for catalogues: two lines, the second in the script that sets the \
                hand apart. It may be kept for a day. Counts as a request to `/api/v1/fonts`:",
            parameters: &[parameters::font_id, parameters::variation],
            success: "The picture: black ink, transparent paper, 1200 × 300 px.",
            json: None,
            files: &[PICTURE],
        }),
    Route::get("/api/v1/fonts/specimens.png", "specimens", |by| on(by, specimen::words))
        .limited(LimitedEndpoint::Preview, Work::Free)
        .documented(Operation {
            id: "readSpecimens",
            summary: "See your words in every font",
            description: "A picture of your own words in every hand, to choose one by. Free: it does not count toward \
                the quota. It may be kept for a day. Counts as a request to `/api/v1/preview`:",
            parameters: &[parameters::words, parameters::variation],
            success: "The picture: black ink, transparent paper. Each font has a box of 480 × 120 px, three side by \
                side, in the order of `/api/v1/fonts`, row by row.",
            json: None,
            files: &[PICTURE],
        }),
    Route::keyed(LimitedEndpoint::Fonts, "/api/v1/mail-pieces", "mail_pieces", |by| on(by, lists::mail_pieces))
        .documented(Operation {
            id: "listMailPieces",
            summary: "List the mail pieces",
            description: "Every value of `mail_piece` with its paper, safe distance and reserved zones. Counts as a \
                request to `/api/v1/fonts`:",
            success: "The mail pieces.",
            json: Some(("MailPieceList", answers::mail_pieces_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Fonts, "/api/v1/mail-pieces/{file}", "mail_piece", |by| on(by, lists::guide))
        .documented(Operation {
            id: "readMailPieceGuide",
            summary: "See what a mail piece keeps clear",
            description: "A drawing of trim, bleed, safe area and reserved zones, to lay over a page. Counts as a \
                request to `/api/v1/fonts`:",
            parameters: &[parameters::mail_piece],
            success: "The guide, in true size: one unit is 1 mm, the origin is the upper left corner of the trim.",
            json: None,
            files: &[GUIDE],
        }),
    Route::keyed(LimitedEndpoint::Usage, "/api/v1/usage", "usage", |by| on(by, usage::usage))
        .documented(Operation {
            id: "readUsage",
            summary: "Ask what is left of the quota",
            description: "The monthly quota of the key that is sent, what is used of it, when it resets, and how many \
                requests the key may send in 60 seconds. Free.",
            success: "The usage.",
            json: Some(("Usage", answers::usage_example)),
            ..PLAIN
        }),
    Route::get("/api/v1/status", "status", |by| on(by, status::status)).documented(Operation {
        id: "readStatus",
        summary: "Ask how the service is",
        description: "Needs no key and is not limited.",
        success: "The state.",
        json: Some(("Status", answers::status_example)),
        ..PLAIN
    }),
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
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs", "jobs", |by| on(by, jobs::read::list))
        .documented(Operation {
            id: "listJobs",
            summary: "List the jobs",
            description: "The jobs of the key, the latest first.",
            success: "The jobs.",
            json: Some(("JobList", answers::jobs_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Jobs, "/api/v1/jobs/{id}", "job", |by| on(by, jobs::read::get))
        .documented(Operation {
            id: "readJob",
            summary: "Ask what became of a job",
            description: "State and counts.",
            parameters: &[parameters::job_id],
            success: "The job.",
            json: Some(("Job", answers::job_example)),
            files: &[],
        }),
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
    Route::keyed(LimitedEndpoint::JobFiles, "/api/v1/jobs/{id}/files/{name}", "job_file", |by| on(by, jobs::files::file))
        .documented(Operation {
            id: "readJobFile",
            summary: "Fetch a file of a job",
            description: "As soon as it is made. Parts of it can be asked for with `Range`.",
            parameters: &[parameters::job_id, parameters::job_file],
            success: "The file.",
            json: None,
            files: const { &[made(OutputName::Png), made(OutputName::Pdf), made(OutputName::Svg)] },
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands/sheet.pdf", "hand_sheet", |by| on(by, hands::sheet))
        .documented(Operation {
            id: "readHandSheet",
            summary: "Print a sheet for your own hand",
            description: "Three pages to print and to fill in about 15 minutes.",
            parameters: &[parameters::joined, parameters::quick, parameters::letter_paper],
            success: "The sheet.",
            json: None,
            files: &[SHEET],
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands/read", "hand", |by| on(by, hands::read))
        .with_hand()
        .documented(Operation {
            id: "readHand",
            summary: "Read pictures of a filled sheet",
            description: "Reports what was read, boxes in doubt, and a trial of the hand. Nothing is kept: send the \
                pictures again, or the `record` of the report, to keep boxes, to mend the hand with new pictures, or to \
                save it.",
            success: "The report; its `problem` says why there is no hand.",
            json: Some(("HandReport", described::report_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands", "hands", |by| on(by, hands::save))
        .with_hand()
        .documented(Operation {
            id: "saveHand",
            summary: "Save a hand",
            description: "Takes what `/api/v1/hands/read` takes, and saves the hand for this key alone: it can be written \
                in at once. With `font_id` it replaces that hand.",
            success: "The hand.",
            json: Some(("SavedHand", described::saved_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands", "hands", |by| on(by, hands::list))
        .documented(Operation {
            id: "listHands",
            summary: "List the hands of this key",
            description: "The hands that the key saved.",
            success: "The hands.",
            json: Some(("HandList", described::list_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands/{id}", "hand", |by| on(by, hands::get))
        .documented(Operation {
            id: "readSavedHand",
            summary: "Fetch a hand to mend it",
            description: "A saved hand with its record.",
            parameters: &[parameters::hand_id],
            success: "The hand.",
            json: Some(("HandWithRecord", described::record_example)),
            files: &[],
        }),
    Route::keyed(LimitedEndpoint::Hands, "/api/v1/hands/{id}", "hand", |by| on(by, hands::delete))
        .by(MethodFilter::DELETE)
        .documented(Operation {
            id: "deleteHand",
            summary: "Delete a hand",
            description: "Its files are removed at once. Requests with its number are refused from then on.",
            parameters: &[parameters::hand_id],
            success: "The hand that was deleted.",
            json: Some(("SavedHand", described::saved_example)),
            files: &[],
        }),
    Route::get("/", "page", |by| file(by, |request| page::PAGE.answer(request))),
    Route::get("/shared", "shared_page", |by| file(by, |request| page::SHARED.answer(request))),
    Route::get("/page/{name}", "page", |by| part(by, page::part)),
    Route::get("/openapi.json", "openapi", |by| file(by, |request| openapi::FILE.answer(request))),
    Route::get("/docs", "docs", |by| file(by, |request| reference::PAGE.answer(request))),
    Route::get("/docs/{name}", "docs", |by| part(by, reference::part)),
];

impl Route {
    /// The route that the router matched: that of the method, or the first of the path where it answers no such method.
    pub(in crate::http) fn of(request: &Request) -> Option<&'static Self> {
        let matched = request.extensions().get::<MatchedPath>()?;
        let method = MethodFilter::try_from(request.method().clone()).ok();
        let mut of_path = ROUTES.iter().filter(|route| route.path == matched.as_str());
        let first = of_path.clone().next();
        of_path.find(|route| Some(route.method) == method).or(first)
    }
}

/// Answers with one file.
fn file(by: MethodFilter, answer: fn(&HeaderMap) -> Response) -> MethodRouter<Arc<Service>> {
    on(by, async move |request: HeaderMap| answer(&request))
}

/// Answers with the file that `find` finds by its name.
fn part(by: MethodFilter, find: fn(&str, &HeaderMap) -> Option<Response>) -> MethodRouter<Arc<Service>> {
    on(by, async move |name: Result<Path<String>, PathRejection>, request: HeaderMap| {
        name.ok().and_then(|Path(name)| find(&name, &request)).ok_or_else(no_such_path)
    })
}

/// The service has no such path.
pub(super) fn no_such_path() -> ApiError {
    static MESSAGE: LazyLock<String> = LazyLock::new(|| {
        let (post, get) = (names_of(MethodFilter::POST), names_of(MethodFilter::GET));
        format!("no such path; POST {post}, GET {get} under /api/v1; see /docs")
    });
    ApiError::NotFound(&MESSAGE)
}

/// The paths directly under `/api/v1` that answer this method: `a, b or c`.
fn names_of(method: MethodFilter) -> String {
    let paths = ROUTES.iter().filter(|route| route.method == method).map(|route| route.path);
    let tails = paths.filter_map(|path| path.strip_prefix("/api/v1/")).filter(|tail| !tail.contains('/'));
    alternatives(&tails.map(str::to_owned).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_path_has_one_row_for_a_method() {
        let rows: BTreeSet<String> = ROUTES.iter().map(|route| format!("{:?} {}", route.method, route.path)).collect();
        assert_eq!(rows.len(), ROUTES.len());
    }

    #[test]
    fn the_message_about_an_unknown_path_names_the_others() {
        let expected = "no such path; POST generate, preview, preflight, links, jobs or hands, GET shared, fonts, \
                        mail-pieces, usage, status, jobs or hands under /api/v1; see /docs";
        assert!(matches!(no_such_path(), ApiError::NotFound(message) if message == expected));
    }
}
