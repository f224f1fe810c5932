//! The answer to an address that has no route.
//!
//! People type the code after the address of the service (`quiz.example/ABC234`). A browser that asks for such a page is sent to
//! the page where the game is joined. Programs get 404, as for every other unknown address.

use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};

use super::problem::Refused;
use crate::auth::tidy_code;

pub(super) async fn answer(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let code = uri.path().strip_prefix('/').and_then(tidy_code);
    match code.filter(|_| method == Method::GET && wants_a_page(&headers)) {
        Some(code) => Redirect::to(&format!("/?code={code}")).into_response(),
        None => Refused::not_found().into_response(),
    }
}

fn wants_a_page(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).any(|value| value.contains("text/html"))
}
