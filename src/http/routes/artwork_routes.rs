//! Routes of pictures that clients upload.

use axum::routing::{MethodFilter, on};

use super::route::{Operation, PLAIN, Route};
use crate::access::LimitedEndpoint;
use crate::http::handlers::artwork;
use crate::http::openapi::{artwork as described, parameters};

/// Pictures that requests lay under the writing.
pub(super) static ARTWORK: [Route; 3] = [
    Route::keyed(LimitedEndpoint::Artwork, "/api/v1/artwork", "artwork", |by| on(by, artwork::upload))
        .with_picture()
        .documented(Operation {
            id: "uploadArtwork",
            summary: "Upload a picture or a drawing",
            description: "Keeps a PNG, JPEG, SVG or PDF for this key alone, so that requests can lay it under the writing \
                by its `id` in `artwork`. The same file again is the same artwork.",
            success: "The artwork.",
            json: Some(("UploadedArtwork", described::kept_example)),
            ..PLAIN
        }),
    Route::keyed(LimitedEndpoint::Artwork, "/api/v1/artwork", "artwork", |by| on(by, artwork::list)).documented(
        Operation {
            id: "listArtwork",
            summary: "List the pictures of this key",
            description: "The pictures that the key uploaded.",
            success: "The pictures.",
            json: Some(("ArtworkList", described::list_example)),
            ..PLAIN
        },
    ),
    Route::keyed(LimitedEndpoint::Artwork, "/api/v1/artwork/{id}", "artwork", |by| on(by, artwork::delete))
        .by(MethodFilter::DELETE)
        .documented(Operation {
            id: "deleteArtwork",
            summary: "Delete a picture",
            description: "Its file is removed at once. Requests with its id are refused from then on.",
            parameters: &[parameters::artwork_id],
            success: "The picture that was deleted.",
            json: Some(("UploadedArtwork", described::kept_example)),
            files: &[],
        }),
];
