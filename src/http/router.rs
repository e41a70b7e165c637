//! The whole service as one router: the table of routes, within its layers.

use std::sync::Arc;

use axum::Router;

use super::access_log::AccessLog;
use super::error::ApiError;
use super::origin::Origin;
use super::routes::{ROUTES, no_such_path};
use super::{Service, layers};

/// The whole service as one router. Browsers may call it from `cors_origins`.
pub fn router(service: Arc<Service>, cors_origins: &[Origin]) -> Router {
    let log = AccessLog { clock: service.clock.clone(), traces: service.traces.clone(), log_budget: Arc::default() };
    let routes = ROUTES
        .iter()
        .fold(Router::new(), |router, route| router.route(route.path, (route.handler)(route.method)))
        .fallback(async || no_such_path())
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(service);
    layers::around(routes, cors_origins, log)
}
