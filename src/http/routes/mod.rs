//! The whole service as one router: the table of routes, within its layers.
//!
//! `table` has one row for each route; those of jobs, hands and artwork are in `job_routes`, `hand_routes` and
//! `artwork_routes`. A `route` is a row: method, path, name in metrics and traces, handler, rate limit, body, and what
//! the `OpenAPI` document says. To add a route, write its row and its handler. `admission` admits or refuses a request
//! from its head alone: authentication, quota, rate limit.

pub(super) mod admission;
mod artwork_routes;
mod hand_routes;
mod job_routes;
pub(super) mod route;
pub(super) mod table;

use std::sync::Arc;

use axum::Router;

use super::errors::table::ApiError;
use super::middleware::origin::Origin;
use super::{Service, middleware};
use table::{no_such_path, routes};

/// The whole service as one router. Browsers may call it from `cors_origins`.
pub fn router(service: Arc<Service>, cors_origins: &[Origin]) -> Router {
    let routes = routes()
        .fold(Router::new(), |router, route| router.route(route.path, (route.handler)(route.method)))
        .fallback(async || no_such_path())
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(Arc::clone(&service));
    middleware::around(routes, cors_origins, service)
}
