//! The pages a browser sees until the web app is there: what to do next, and how to make the first account.
//!
//! Mounted by `serve`. No script, no request to anywhere else; all text is ours.

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

/// Nothing but the page itself and its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The pages; they need nothing of the running service.
pub fn routes() -> Router {
    Router::new().route("/", get(|| async { page(HOME) })).route("/setup", get(|| async { page(SET_UP) }))
}

fn page(body: &'static str) -> impl IntoResponse {
    let html = [HEAD, body, FOOT].concat();
    ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)], html)
}

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Quizhall</title>
<style>
  body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
  h1 { font-size: 2rem; margin-bottom: 0; }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid; border-radius: .3rem; }
  code { font-size: .95em; }
</style>
<main>
"#;

const FOOT: &str = "</main>\n</html>\n";

const HOME: &str = r#"<h1>Quizhall</h1>
<p>The hall is open. The pages for hosts and players are still being built; the service is complete, and everything
can be done over its interface.</p>
<ol>
  <li><strong>Host:</strong> open the set-up link that the server printed when it started, or see
      <a href="/setup">how to make the first account</a>.</li>
  <li><strong>Quiz and game:</strong> the <a href="/api/docs">reference</a> shows how to sign in, store a quiz and
      start a game. A sample quiz is waiting for the first host.</li>
  <li><strong>Players:</strong> join with the six letters of the game's code (<code>POST /join</code>) and then open
      <code>/ws/CODE</code> with the token they get.</li>
</ol>
"#;

const SET_UP: &str = r#"<h1>The first account</h1>
<p>When there is no host account, the server prints a link at its start that ends in <code>/setup#qs_…</code>.
What stands behind the <code>#</code> lets one person make the first account, once:</p>
<pre>curl -X POST http://localhost:8080/api/v1/hosts \
  -H 'Content-Type: application/json' \
  -d '{"name":"ann","password":"a long password","setupToken":"qs_…"}'</pre>
<p>Then sign in to get a token for everything else:</p>
<pre>curl -X POST http://localhost:8080/api/v1/sessions \
  -H 'Content-Type: application/json' \
  -d '{"name":"ann","password":"a long password"}'</pre>
<p>On the machine of the server, <code>quizhall host add ann</code> does the same. All calls are in the
<a href="/api/docs">reference</a>.</p>
"#;
