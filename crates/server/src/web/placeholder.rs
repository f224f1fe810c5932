//! The content of every page when the program was built without the web app. Used only by this folder.

use super::files::File;

/// It has no style and no script, so it keeps the same policy as the app.
pub(super) static PAGE: File = File {
    path: "/index.html",
    kind: "text/html; charset=utf-8",
    tag: concat!("placeholder-", env!("CARGO_PKG_VERSION")),
    plain: TEXT.as_bytes(),
    brotli: &[],
    gzip: &[],
};

const TEXT: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Quizhall</title>
<h1>Quizhall</h1>
<p>The service is running, but this program was built without its pages.</p>
<p>To get them: install Node 20.19 or newer, stop the service, and start it with <code>make run</code> (or build with
<code>make web</code> and then <code>cargo build --release</code>).</p>
<p>Everything else works: the <a href="/api/docs/">reference</a> shows how to create the first account with the token
behind the <code>#</code> of the set-up link, store a quiz, start a game and join it.</p>
</html>
"#;
