//! Routes of hands that clients make.

use axum::routing::{MethodFilter, on};

use super::route::{Operation, PLAIN, Route};
use crate::access::LimitedEndpoint;
use crate::http::handlers::hands;
use crate::http::openapi::hands as described;
use crate::http::openapi::headers::SHEET;
use crate::http::openapi::parameters;

/// Hands, from the sheet to print to the saved hand.
pub(super) static HANDS: [Route; 6] = [
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
];
