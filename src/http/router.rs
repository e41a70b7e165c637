//! All paths of the service.

use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodRouter, get, post};

use super::access_log::AccessLog;
use super::error::ApiError;
use super::origin::Origin;
use super::{
    Service, fonts, generate, layers, mail_pieces, openapi, page, preflight, preview, reference, specimen, status,
    usage,
};
use crate::spec::Endpoint;

/// The whole service as one router. Browsers may call it from `cors_origins`.
pub fn router(service: Arc<Service>, cors_origins: &[Origin]) -> Router {
    let log = AccessLog { clock: service.clock.clone(), traces: service.traces.clone(), log_budget: Arc::default() };
    let routes = Router::new()
        .route("/api/v1/generate", generate_at(Endpoint::Generate))
        .route("/api/v1/generate/png", generate_at(Endpoint::GeneratePng))
        .route("/api/v1/generate/pdf", generate_at(Endpoint::GeneratePdf))
        .route("/api/v1/generate/svg", generate_at(Endpoint::GenerateSvg))
        .route("/api/v1/preview", post(preview::preview))
        .route("/api/v1/preflight", post(preflight::preflight))
        .route("/api/v1/fonts", get(fonts::fonts))
        .route("/api/v1/fonts/{id}/specimen.png", get(specimen::specimen))
        .route("/api/v1/mail-pieces", get(mail_pieces::mail_pieces))
        .route("/api/v1/mail-pieces/{file}", get(mail_pieces::guide))
        .route("/api/v1/usage", get(usage::usage))
        .route("/api/v1/status", get(status::status))
        .route("/", get(page::page))
        .route("/page/{name}", get(page::part))
        .route("/openapi.json", get(openapi::answer))
        .route("/docs", get(reference::page))
        .route("/docs/{name}", get(reference::part))
        .fallback(async || ApiError::NO_SUCH_PATH)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(service);
    layers::around(routes, cors_origins, log)
}

fn generate_at(endpoint: Endpoint) -> MethodRouter<Arc<Service>> {
    post(async move |service, context, admission, request| {
        generate::generate(endpoint, service, context, admission, request).await
    })
}
