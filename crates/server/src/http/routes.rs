//! Routes from handlers whose types the router does not know.
//!
//! axum compiles about forty functions for the type of each handler, and for each of them the compiler proves again that everything
//! the handler awaits may move between threads. That was 28 % of the time in which this crate was compiled. Here all handlers have
//! one type, and a request pays with a call through a pointer.

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use futures_util::future::BoxFuture;

/// Any handler of a router with the state `S`.
#[derive(Clone)]
pub(super) struct AnyHandler<S>(Arc<dyn Fn(Request, S) -> BoxFuture<'static, Response> + Send + Sync>);

impl<S> AnyHandler<S> {
    pub(super) fn new<H, T>(handler: H) -> Self
    where
        H: Handler<T, S, Future = BoxFuture<'static, Response>>,
    {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl<S: Clone + 'static> Handler<(), S> for AnyHandler<S> {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: S) -> Self::Future {
        (self.0)(request, state)
    }
}

/// The handlers of one path with their descriptions, for `OpenApiRouter::routes`. Differs from `utoipa_axum::routes` in [`AnyHandler`]
/// only; `@resolve_types` is that macro's own step, which reads the description that `utoipa::path` has written beside a handler.
macro_rules! routes {
    ($($handler:path),+) => {{
        let mut schemas = Vec::new();
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut methods = axum::routing::MethodRouter::new();
        $(
            let (path, operation, kinds) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            let handler = $crate::http::routes::AnyHandler::new($handler);
            for kind in &kinds {
                methods = methods.on(utoipa_axum::PathItemExt::to_method_filter(kind), handler.clone());
            }
            paths.add_path_operation(&path, kinds, operation);
        )+
        (schemas, paths, methods)
    }};
}
pub(super) use routes;
