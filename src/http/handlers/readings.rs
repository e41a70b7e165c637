//! `POST /page/readings`: what the cells of a table say in several encodings, for the studio. It is no part of the API.

use axum::Json;
use axum::extract::Request;
use serde::{Deserialize, Serialize};

use super::body::read_json;
use crate::encodings::{CodePage, Reading, likely, samples};
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;

/// Cells with letters beyond ASCII.
#[derive(Deserialize)]
struct Cells {
    /// Each byte is a character from U+0000 to U+00FF.
    cells: Vec<String>,
    /// The only encoding in which they are to be read, if it is known.
    encoding: Option<String>,
}

/// The readings, the likeliest first; none if the cells are in no encoding.
#[derive(Serialize)]
pub(in crate::http) struct Readings {
    readings: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    encoding: String,
    /// The cells in which it differs from the others.
    sample: String,
    /// In the order of the request.
    cells: Vec<String>,
}

pub(in crate::http) async fn readings(
    Admission { service, .. }: Admission,
    request: Request,
) -> Result<Json<Readings>, ApiError> {
    let body = read_json(request, service.body_timeout).await?;
    let asked: Cells = serde_json::from_slice(&body).map_err(|error| ApiError::InvalidRequest(error.to_string()))?;
    let found = tokio::task::spawn_blocking(move || read(&asked)).await;
    found.map_err(|error| ApiError::GenerationFailed(error.to_string()))?.map(Json)
}

fn read(asked: &Cells) -> Result<Readings, ApiError> {
    let bytes = |cell: &String| cell.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect();
    let cells: Option<Vec<Vec<u8>>> = asked.cells.iter().map(bytes).collect();
    let not_bytes = || ApiError::InvalidRequest("cells: a character is above U+00FF, so it is no byte".to_owned());
    let cells = cells.ok_or_else(not_bytes)?;
    let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
    let found = match &asked.encoding {
        None => likely(&cells),
        Some(name) => {
            let page = CodePage::named(name);
            let page = page.map_err(|error| ApiError::InvalidRequest(format!("encoding: {error}")))?;
            Reading::of(page, &cells).into_iter().collect()
        }
    };
    let samples = samples(&found);
    let shown = found.into_iter().zip(samples);
    let shown = shown.map(|(Reading { encoding, cells }, sample)| Shown { encoding: encoding.name(), sample, cells });
    Ok(Readings { readings: shown.collect() })
}
