//! The web app, from inside the binary: the pages for players, hosts and the screen, and the files they load.
//!
//! Mounted by `serve`, which puts the layers of the HTTP side around it. It knows nothing of games or accounts: the
//! pages load everything over the HTTP interface and the sockets. It never reads a file at run time.

mod answer;
mod files;
mod placeholder;
mod policy;

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::HeaderMap;
use axum::response::IntoResponse as _;
use axum::routing::{MethodRouter, get};

use self::policy::Policy;
use crate::http::Refused;

pub use self::files::{EMBEDDED, File};

/// The paths of pages, each with its document. Every path below a page is the page too: its script reads the rest.
const PAGES: [(&str, &str); 13] = [
    ("/", "/index.html"),
    ("/host", "/host.html"),
    ("/host/", "/host.html"),
    ("/host/{*rest}", "/host.html"),
    ("/setup", "/host.html"),
    ("/setup/", "/host.html"),
    ("/setup/{*rest}", "/host.html"),
    ("/results", "/results.html"),
    ("/results/", "/results.html"),
    ("/screen", "/screen.html"),
    ("/screen/", "/screen.html"),
    ("/screen/{*rest}", "/screen.html"),
    ("/watch/{code}", "/screen.html"),
];

/// Files whose names change with their content. One route serves all of them, so that they are one label in the
/// metrics.
const ASSETS: &str = "/assets/";

/// The pages and their files. `public_url` is the address that people type, if it is set.
pub fn routes(public_url: Option<&str>) -> Router {
    site(EMBEDDED, public_url)
}

/// Whether the app existed when this program was built; otherwise every page is the placeholder.
pub fn is_embedded() -> bool {
    !EMBEDDED.is_empty()
}

/// The pages of an app that consists of these files. A page whose document is not among them is the placeholder.
pub fn site(files: &'static [File], public_url: Option<&str>) -> Router {
    let policy = Policy::new(public_url);
    let mut router = Router::new();
    for (path, document) in PAGES {
        router = router.route(path, one(files::find(files, document).unwrap_or(&placeholder::PAGE), &policy));
    }
    for file in files.iter().filter(|file| !file.path.starts_with(ASSETS)) {
        router = router.route(file.path, one(file, &policy));
    }
    let asset = move |OriginalUri(uri): OriginalUri, headers: HeaderMap| async move {
        match files::find(files, uri.path()) {
            Some(file) => answer::with(file, &headers, &policy),
            None => Refused::not_found().into_response(),
        }
    };
    router.route("/assets/{*file}", get(asset))
}

fn one(file: &'static File, policy: &Policy) -> MethodRouter {
    let policy = policy.clone();
    get(move |headers: HeaderMap| async move { answer::with(file, &headers, &policy) })
}
