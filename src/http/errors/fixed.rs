//! The errors that are always the same.

use super::table::ApiError;

impl ApiError {
    /// No font has that number.
    pub(in crate::http) const NO_SUCH_FONT: Self =
        Self::NotFound("no font has that number; GET /api/v1/fonts lists those there are");

    /// No mail piece has that name.
    pub(in crate::http) const NO_SUCH_MAIL_PIECE: Self =
        Self::NotFound("no mail piece has that name; GET /api/v1/mail-pieces lists those there are");

    /// The key has no such job.
    pub(in crate::http) const NO_SUCH_JOB: Self =
        Self::NotFound("no job has that number; GET /api/v1/jobs lists those of this key");

    /// The job has no such file.
    pub(in crate::http) const NO_SUCH_JOB_FILE: Self =
        Self::NotFound("the job has no file of that name; GET /api/v1/jobs/{id}/rows lists those there are");

    /// The job has no file of all rows.
    pub(in crate::http) const NO_RESULT: Self =
        Self::NotFound("the job has no result: its output.form is files, or its state is not completed");

    /// The service makes no jobs.
    pub(in crate::http) const NO_JOBS: Self = Self::NotFound(
        "this service makes no jobs: its instances share a store, and have no place for files (jobs_bucket)",
    );

    /// The service makes no links.
    pub(in crate::http) const NO_LINKS: Self =
        Self::NotFound("this service makes no client links: its operator has not allowed them (client_links = \"on\")");

    /// The body is not declared as JSON.
    pub(in crate::http) const NOT_JSON: Self =
        Self::UnsupportedMediaType { name: "JSON", media_type: "application/json" };

    /// The body is not declared as multipart.
    pub(in crate::http) const NOT_PARTS: Self =
        Self::UnsupportedMediaType { name: "in parts", media_type: "multipart/form-data" };

    /// The service makes no hands.
    pub(in crate::http) const NO_HANDS: Self = Self::NotFound(
        "this service makes no hands: its operator has not allowed it (hands = \"keys\"), or its instances share a store",
    );

    /// The key has no such hand.
    pub(in crate::http) const NO_SUCH_HAND: Self =
        Self::NotFound("no hand of this key has that number; GET /api/v1/hands lists those there are");

    /// The service keeps no artwork.
    pub(in crate::http) const NO_ARTWORK: Self = Self::NotFound(
        "this service keeps no artwork: its operator has not allowed it (artwork = \"keys\"), or its instances share a \
         store",
    );

    /// The key has no such artwork.
    pub(in crate::http) const NO_SUCH_ARTWORK: Self =
        Self::NotFound("no artwork of this key has that id; GET /api/v1/artwork lists those there are");

    /// The body is not declared as a picture.
    pub(in crate::http) const NOT_A_PICTURE: Self = Self::UnsupportedMediaType {
        name: "a PNG, JPEG, SVG or PDF",
        media_type: "image/png, image/jpeg, image/svg+xml or application/pdf",
    };
}
