//! The schemas of requests for hands, and their answers.

use serde_json::{Value, json};

use super::schema::{Schemas, reference, request_schemas};
use crate::catalogue::OPERATOR_IDS;
use crate::hands::{BoxReport, HandReport, KeptHand, MOST_HANDS, PictureReport, Problem, ProblemKind};
use crate::http::handlers::hands::body::{HandPart, MOST_FILES};
use crate::http::handlers::hands::{HandList, HandWithRecord};

/// Adds the schemas of requests and answers.
pub(super) fn describe(schemas: &mut Schemas) {
    for (name, schema) in request_schemas::<HandPart>() {
        schemas.insert(&name, schema);
    }
    schemas.add::<HandReport>();
    schemas.add::<HandList>();
    schemas.add::<HandWithRecord>();
}

/// The body of a request for a hand.
pub(super) fn request() -> Value {
    json!({
        "required": true,
        "description": "At most 64 MiB in parts: `pictures` of a filled sheet, the `record` of a hand, or a record with \
                        pictures that mend it; and `hand`, what is said of it. Pictures are JPEG, PNG, or the PDF of a \
                        scanner, in any order; of two of a page the later one counts.",
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "hand": reference("HandRequest"),
                        "pictures": {
                            "type": "array",
                            "maxItems": MOST_FILES,
                            "items": {"type": "string", "format": "binary"},
                        },
                        "record": {"type": "string", "description": "The `record` of a report or of a saved hand."},
                    },
                    "additionalProperties": false,
                },
                "encoding": {"hand": {"contentType": "application/json"}},
                "example": {"hand": {"name": "Ann", "keep": [[1, 2, 3]]}, "record": "{\"version\":1}"},
            },
        },
    })
}

/// A report of a page with a letter in doubt, without a picture of the others.
pub(in crate::http) fn report_example() -> Value {
    let picture = PictureReport {
        name: "page1.jpg".to_owned(),
        page: Some(1),
        refused: None,
        remarks: vec!["7.6 pixels per mm; 8 or more read thin strokes better".to_owned()],
        px_per_mm: Some(7.612),
        blur_mm: Some(0.082),
        pen_mm: Some(0.431),
    };
    let doubt = BoxReport {
        page: 1,
        row: 2,
        column: 3,
        character: "p".to_owned(),
        doubts: vec!["looks like q".to_owned()],
        kept: false,
        good_copies: 2,
        ink: "M5.10 10.20L5.32 10.24L5.30 17.02Z".to_owned(),
    };
    let problem = Problem {
        kind: ProblemKind::MissingPage,
        message: "page 3 is missing; take a picture of it as well".to_owned(),
        letters: Vec::new(),
    };
    let report = HandReport {
        pictures: vec![picture],
        problem: Some(problem),
        doubts: vec![doubt],
        refused_lines: Vec::new(),
        figures: None,
        trial_svg: None,
        trial_problem: None,
        record: None,
    };
    serde_json::to_value(report).unwrap_or_default()
}

fn saved() -> KeptHand {
    KeptHand { font_id: *OPERATOR_IDS.end(), name: "Ann".to_owned() }
}

/// A saved hand.
pub(in crate::http) fn saved_example() -> Value {
    serde_json::to_value(saved()).unwrap_or_default()
}

/// The hands of a key.
pub(in crate::http) fn list_example() -> Value {
    serde_json::to_value(HandList { hands: vec![saved()], most: MOST_HANDS }).unwrap_or_default()
}

/// A hand with its record, of which only the beginning is shown.
pub(in crate::http) fn record_example() -> Value {
    let record = "{\"version\":1}".to_owned();
    serde_json::to_value(HandWithRecord { hand: saved(), record }).unwrap_or_default()
}
