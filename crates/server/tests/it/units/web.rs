//! `web`: a small app of known files, requested in every way that browsers, caches and other clients use.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use quizhall::web::{EMBEDDED, File, is_embedded, site};
use tower::ServiceExt as _;

const SCRIPT: &str = "/assets/play-AbC_1.js";
const HTML: &str = "text/html; charset=utf-8";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

const APP: &[File] = &[
    file(SCRIPT, "text/javascript; charset=utf-8", "a1"),
    File { brotli: &[], gzip: &[], ..file("/assets/face-9.woff2", "font/woff2", "a2") },
    file("/favicon.svg", "image/svg+xml", "r1"),
    file("/host.html", HTML, "h1"),
    file("/index.html", HTML, "p1"),
    file("/results.html", HTML, "r3"),
    file("/robots.txt", "text/plain; charset=utf-8", "r2"),
    file("/screen.html", HTML, "s1"),
];

/// The documents, each with paths that show it.
const PAGES: [(&str, &[&str]); 4] = [
    ("/index.html", &["/", "/?code=ABC234"]),
    ("/host.html", &["/host", "/host/", "/host/quizzes/7", "/host/no.js", "/setup", "/setup/", "/setup/x"]),
    ("/results.html", &["/results", "/results/"]),
    ("/screen.html", &["/screen", "/screen/", "/screen/ABC234", "/watch/ABC234"]),
];

const fn file(path: &'static str, kind: &'static str, tag: &'static str) -> File {
    File { path, kind, tag, plain: path.as_bytes(), brotli: b"packed by brotli", gzip: b"packed by gzip" }
}

struct Reply {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn get(path: &str, headers: &[(&str, &str)]) -> Reply {
    ask(APP, (Method::GET, path), headers).await
}

async fn ask(files: &'static [File], (method, path): (Method, &str), headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let routes = site(files, Some("https://quiz.example.org"));
    let response = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

#[tokio::test]
async fn pages_and_files_are_served_by_name_and_nothing_else_is() {
    let pages =
        PAGES.iter().flat_map(|(document, paths)| paths.iter().map(|path| (*path, *document, HTML, "no-cache")));
    let files = [
        (SCRIPT, "text/javascript; charset=utf-8", FOR_EVER),
        ("/assets/face-9.woff2", "font/woff2", FOR_EVER),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/robots.txt", "text/plain; charset=utf-8", "no-cache"),
    ];
    for (path, body, kind, kept) in pages.chain(files.map(|(path, kind, kept)| (path, path, kind, kept))) {
        let reply = get(path, &[]).await;
        assert_eq!((reply.status, reply.body.as_str()), (200, body), "{path}");
        assert_eq!((reply.header("content-type"), reply.header("cache-control")), (kind, kept), "{path}");
    }
    for path in [
        "/nothing",
        "/hosts",
        "/assets",
        "/assets/",
        "/assets/nothing.js",
        "/assets/../index.html",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets//play-AbC_1.js",
        "/assets/play-AbC_1.js/",
        "/assets/play-AbC_1.js%00",
        "/..%2f..%2fCargo.toml",
        "//favicon.svg",
        "/FAVICON.svg",
    ] {
        assert_eq!(get(path, &[]).await.status, 404, "{path}");
    }
    for method in [Method::POST, Method::DELETE] {
        assert_eq!(ask(APP, (method, SCRIPT), &[]).await.status, 405);
    }
    assert_eq!(ask(APP, (Method::HEAD, "/assets/nothing.js"), &[]).await.status, 404);
}

/// HEAD is answered like GET, without the body.
#[tokio::test]
async fn every_file_is_guarded() {
    for path in ["/", "/host/x", "/screen", "/favicon.svg", SCRIPT, "/assets/face-9.woff2"] {
        let headers = [("host", "Venue.example:8080"), ("accept-encoding", "br")];
        let (reply, head) = (get(path, &headers).await, ask(APP, (Method::HEAD, path), &headers).await);
        let policy = reply.header("content-security-policy");
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "media-src 'self' blob:",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "connect-src 'self' ws://venue.example:8080 wss://venue.example:8080 ws://quiz.example.org \
             wss://quiz.example.org",
        ] {
            assert!(directives.contains(&directive), "{directive} is not in {policy}");
        }
        assert!(!policy.contains("unsafe"));
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
        assert!(reply.header("permissions-policy").contains("camera=()"));
        assert_eq!((head.status, head.body.as_str()), (200, ""));
        assert_eq!(head.header("content-length"), reply.body.len().to_string(), "{path}");
        for name in ["content-type", "content-encoding", "etag", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), reply.header(name), "{path} {name}");
        }
    }
}

#[tokio::test]
async fn a_host_header_adds_no_directive() {
    let own = "connect-src 'self' ws://quiz.example.org wss://quiz.example.org";
    for (host, end) in [
        ("evil.example; script-src *", own),
        ("evil.example 'unsafe-inline'", own),
        ("a,b", own),
        ("user@evil.example", own),
        ("*", own),
        ("", own),
        ("quiz.example.org", own),
        ("[fd00::7]:8080", "ws://[fd00::7]:8080 wss://[fd00::7]:8080 ws://quiz.example.org wss://quiz.example.org"),
    ] {
        let reply = get("/", &[("host", host)]).await;
        let policy = reply.header("content-security-policy");
        assert!(policy.ends_with(end), "{host}: {policy}");
    }
}

#[tokio::test]
async fn the_encoding_is_agreed() {
    for (accepted, encoding) in [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP", "gzip"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip;q=0", ""),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("*;q=0", ""),
        ("identity, gzip;q=0.5", ""),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("deflate", ""),
        ("br;q=much", ""),
        ("", ""),
    ] {
        let reply = get(SCRIPT, &[("accept-encoding", accepted)]).await;
        let body = match encoding {
            "br" => "packed by brotli",
            "gzip" => "packed by gzip",
            _ => SCRIPT,
        };
        assert_eq!((reply.header("content-encoding"), reply.body.as_str()), (encoding, body), "{accepted}");
        assert_eq!(reply.header("vary"), "accept-encoding");
        assert_eq!(reply.header("content-type"), "text/javascript; charset=utf-8");
    }
    let font = get("/assets/face-9.woff2", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((font.header("content-encoding"), font.body.as_str()), ("", "/assets/face-9.woff2"));
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let first = get("/", &[("accept-encoding", "gzip")]).await;
    assert_eq!(first.header("etag"), "\"p1-gz\"");
    for known in ["\"p1-gz\"", "W/\"p1-gz\"", "\"old\", \"p1-gz\"", "*"] {
        let again = get("/", &[("accept-encoding", "gzip"), ("if-none-match", known)]).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{known}");
        for name in ["etag", "cache-control", "vary", "content-security-policy", "cross-origin-opener-policy"] {
            assert_eq!(again.header(name), first.header(name), "a browser takes {name} of a 304 for the page's");
        }
        assert_eq!((again.header("content-type"), again.header("content-encoding")), ("", ""));
    }
    for unknown in ["\"p0\"", "p1-gz", "\"p1\"", "\"p1-br\""] {
        let other = get("/", &[("accept-encoding", "gzip"), ("if-none-match", unknown)]).await;
        assert_eq!((other.status, other.body.as_str()), (200, "packed by gzip"), "{unknown}");
    }
}

#[tokio::test]
async fn without_the_app_every_page_says_how_to_get_it() {
    for path in PAGES.iter().flat_map(|(_, paths)| *paths) {
        let reply = ask(&[], (Method::GET, path), &[("accept-encoding", "br, gzip")]).await;
        assert_eq!((reply.status, reply.header("content-encoding")), (200, ""), "{path}");
        assert!(reply.body.contains("make run") && reply.body.contains("/api/docs/"));
        assert!(!reply.body.contains("<script") && !reply.body.contains("style"), "the policy forbids both");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
    for path in ["/assets/x.js", "/favicon.svg"] {
        assert_eq!(ask(&[], (Method::GET, path), &[]).await.status, 404);
    }
}

#[test]
fn what_is_embedded_is_whole() {
    assert!(EMBEDDED.is_sorted_by_key(|file| file.path));
    for file in EMBEDDED {
        assert!(file.path.starts_with('/') && !file.plain.is_empty() && file.tag.len() == 16, "{}", file.path);
        let packed = file.brotli.len().max(file.gzip.len());
        assert!(packed < file.plain.len(), "{}", file.path);
    }
    for (document, _) in PAGES {
        assert_eq!(EMBEDDED.iter().any(|file| file.path == document), is_embedded(), "{document}");
    }
}
