//! The table of routes: one row per path. Those of jobs, hands and artwork are in modules of their own.

use std::sync::{Arc, LazyLock};

use axum::extract::rejection::PathRejection;
use axum::extract::{MatchedPath, Path, Request};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::artwork_routes::ARTWORK;
use super::hand_routes::HANDS;
use super::job_routes::JOBS;
use super::route::{LINKS, Operation, PLAIN, Route, SHARED, Work};
use crate::access::LimitedEndpoint;
use crate::http::errors::table::ApiError;
use crate::http::handlers::{links, lists, pages, specimen, status, usage};
use crate::http::openapi::headers::{GUIDE, PICTURE, PREVIEW, page as page_file};
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

/// Every route. The text of [`no_such_path`] names them in this order.
pub(in crate::http) fn routes() -> impl Iterator<Item = &'static Route> + Clone {
    PAGES.iter().chain(&JOBS).chain(&HANDS).chain(&ARTWORK).chain(&SITE)
}

/// Pages, and what there is to make them of.
static PAGES: [Route; 15] = [
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
            description: "Takes the body of `/api/v1/preview`, and refuses what a preview refuses. People who have the \
                link see the preview of that page, and nothing else, until the link ends. The service keeps nothing: the \
                link holds the request, signed by the key. Revoking or rotating the key ends the link. Only where the \
                operator allows links. Counts as a request to `/api/v1/preview`:",
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
];

/// The studio, the reference, and the description of the API.
static SITE: [Route; 6] = [
    Route::get("/", "page", |by| file(by, |request| page::PAGE.answer(request))),
    Route::get("/shared", "shared_page", |by| file(by, |request| page::SHARED.answer(request))),
    Route::get("/page/{*path}", "page", |by| part(by, page::part)),
    Route::get("/openapi.json", "openapi", |by| file(by, |request| openapi::FILE.answer(request))),
    Route::get("/docs", "docs", |by| file(by, |request| reference::PAGE.answer(request))),
    Route::get("/docs/{name}", "docs", |by| part(by, reference::part)),
];

impl Route {
    /// The route that the router matched: that of the method, or the first of the path where it answers no such method.
    pub(in crate::http) fn of(request: &Request) -> Option<&'static Self> {
        let matched = request.extensions().get::<MatchedPath>()?;
        let method = MethodFilter::try_from(request.method().clone()).ok();
        let mut of_path = routes().filter(|route| route.path == matched.as_str());
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
    let paths = routes().filter(|route| route.method == method).map(|route| route.path);
    let tails = paths.filter_map(|path| path.strip_prefix("/api/v1/")).filter(|tail| !tail.contains('/'));
    alternatives(&tails.map(str::to_owned).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_path_has_one_row_for_a_method() {
        let rows: BTreeSet<String> = routes().map(|route| format!("{:?} {}", route.method, route.path)).collect();
        assert_eq!(rows.len(), routes().count());
    }

    #[test]
    fn the_message_about_an_unknown_path_names_the_others() {
        let expected = "no such path; POST generate, preview, preflight, links, jobs, hands or artwork, GET shared, \
                        fonts, mail-pieces, usage, status, jobs, hands or artwork under /api/v1; see /docs";
        assert!(matches!(no_such_path(), ApiError::NotFound(message) if message == expected));
    }
}
