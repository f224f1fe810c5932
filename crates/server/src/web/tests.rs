//! A small app of known files, requested in every way that browsers, caches and other clients use.

#![allow(clippy::unwrap_used)]

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use tower::ServiceExt as _;

use super::files::File;
use super::policy::Policy;
use super::{PAGES, is_embedded, site};

const APP: &[File] = &[
    file("/assets/play-AbC_1.js", "text/javascript; charset=utf-8", "a1"),
    File { brotli: &[], gzip: &[], ..file("/assets/face-9.woff2", "font/woff2", "a2") },
    file("/favicon.svg", "image/svg+xml", "r1"),
    file("/host.html", "text/html; charset=utf-8", "h1"),
    file("/index.html", "text/html; charset=utf-8", "p1"),
    file("/results.html", "text/html; charset=utf-8", "r3"),
    file("/robots.txt", "text/plain; charset=utf-8", "r2"),
    file("/screen.html", "text/html; charset=utf-8", "s1"),
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

async fn ask(method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    ask_of(APP, (method, path), headers).await
}

async fn ask_of(files: &'static [File], (method, path): (&str, &str), headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method.parse::<Method>().unwrap()).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let routes = site(files, &Policy::new(Some("https://quiz.example.org")));
    let response = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

#[tokio::test]
async fn every_page_has_its_document_also_deep_inside() {
    for (document, paths) in [
        ("/index.html", ["/", "/?code=ABC234"].as_slice()),
        ("/host.html", &["/host", "/host/", "/host/quizzes/7", "/host/no.js", "/setup", "/setup/", "/setup/x"]),
        ("/results.html", &["/results", "/results/"]),
        ("/screen.html", &["/screen", "/screen/", "/screen/ABC234", "/watch/ABC234"]),
    ] {
        for path in paths {
            let reply = ask("GET", path, &[]).await;
            assert_eq!((reply.status, reply.body.as_str()), (200, document), "{path}");
            assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
            assert_eq!(reply.header("cache-control"), "no-cache");
        }
    }
}

#[tokio::test]
async fn files_are_served_by_name_and_nothing_else_is() {
    for (path, kind, kept) in [
        ("/assets/play-AbC_1.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/face-9.woff2", "font/woff2", "public, max-age=31536000, immutable"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/robots.txt", "text/plain; charset=utf-8", "no-cache"),
    ] {
        let reply = ask("GET", path, &[]).await;
        assert_eq!((reply.status, reply.body.as_str()), (200, path));
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
        assert_eq!(ask("GET", path, &[]).await.status, 404, "{path}");
    }
    assert_eq!(ask("POST", "/", &[]).await.status, 405);
    assert_eq!(ask("DELETE", "/assets/play-AbC_1.js", &[]).await.status, 405);
}

#[tokio::test]
async fn every_file_is_guarded() {
    for path in ["/", "/host/x", "/screen", "/favicon.svg", "/assets/play-AbC_1.js", "/assets/face-9.woff2"] {
        let reply = ask("GET", path, &[("host", "Venue.example:8080")]).await;
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
    }
}

#[tokio::test]
async fn a_host_header_adds_no_directive() {
    for host in ["evil.example; script-src *", "evil.example 'unsafe-inline'", "a,b", "user@evil.example", "*", ""] {
        let policy = ask("GET", "/", &[("host", host)]).await;
        let policy = policy.header("content-security-policy");
        assert!(policy.ends_with("connect-src 'self' ws://quiz.example.org wss://quiz.example.org"), "{policy}");
    }
    let named = ask("GET", "/", &[("host", "quiz.example.org")]).await;
    assert!(named.header("content-security-policy").ends_with("'self' ws://quiz.example.org wss://quiz.example.org"));
    let literal = ask("GET", "/", &[("host", "[fd00::7]:8080")]).await;
    assert!(literal.header("content-security-policy").contains(" ws://[fd00::7]:8080 "));
}

#[tokio::test]
async fn the_encoding_is_agreed() {
    const SCRIPT: &str = "/assets/play-AbC_1.js";
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
        let reply = ask("GET", SCRIPT, &[("accept-encoding", accepted)]).await;
        let body = match encoding {
            "br" => "packed by brotli",
            "gzip" => "packed by gzip",
            _ => SCRIPT,
        };
        assert_eq!((reply.header("content-encoding"), reply.body.as_str()), (encoding, body), "{accepted}");
        assert_eq!(reply.header("vary"), "accept-encoding");
        assert_eq!(reply.header("content-type"), "text/javascript; charset=utf-8");
    }
    let packed = ask("GET", "/assets/face-9.woff2", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((packed.header("content-encoding"), packed.body.as_str()), ("", "/assets/face-9.woff2"));
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let first = ask("GET", "/", &[("accept-encoding", "gzip")]).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(tag, "\"p1-gz\"");
    for known in [tag.clone(), format!("W/{tag}"), format!("\"old\", {tag}"), "*".to_owned()] {
        let again = ask("GET", "/", &[("accept-encoding", "gzip"), ("if-none-match", &known)]).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{known}");
        for name in ["etag", "cache-control", "vary", "content-security-policy", "cross-origin-opener-policy"] {
            assert_eq!(again.header(name), first.header(name), "a browser takes {name} of a 304 for the page's");
        }
        assert_eq!((again.header("content-type"), again.header("content-encoding")), ("", ""));
    }
    for unknown in ["\"p0\"", "p1-gz", "\"p1\"", "\"p1-br\""] {
        let other = ask("GET", "/", &[("accept-encoding", "gzip"), ("if-none-match", unknown)]).await;
        assert_eq!((other.status, other.body.as_str()), (200, "packed by gzip"), "{unknown}");
    }
}

#[tokio::test]
async fn head_says_what_get_would() {
    for path in ["/", "/host/x", "/assets/play-AbC_1.js", "/favicon.svg"] {
        let headers = [("accept-encoding", "br")];
        let (get, head) = (ask("GET", path, &headers).await, ask("HEAD", path, &headers).await);
        assert_eq!((head.status, head.body.as_str()), (200, ""));
        assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
        for name in ["content-type", "content-encoding", "etag", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    assert_eq!(ask("HEAD", "/assets/nothing.js", &[]).await.status, 404);
}

#[tokio::test]
async fn without_the_app_every_page_says_how_to_get_it() {
    for (path, _) in PAGES {
        let path = path.replace("{*rest}", "x");
        let reply = ask_of(&[], ("GET", path.as_str()), &[("accept-encoding", "br, gzip")]).await;
        assert_eq!((reply.status, reply.header("content-encoding")), (200, ""), "{path}");
        assert!(reply.body.contains("make run") && reply.body.contains("/api/docs/"));
        assert!(!reply.body.contains("<script") && !reply.body.contains("style"), "the policy forbids both");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
    assert_eq!(ask_of(&[], ("GET", "/assets/x.js"), &[]).await.status, 404);
    assert_eq!(ask_of(&[], ("GET", "/favicon.svg"), &[]).await.status, 404);
}

#[test]
fn what_is_embedded_is_whole() {
    let files = super::files::EMBEDDED;
    assert!(files.is_sorted_by_key(|file| file.path));
    for file in files {
        assert!(file.path.starts_with('/') && !file.plain.is_empty() && file.tag.len() == 16, "{}", file.path);
        assert!(file.brotli.len() < file.plain.len() && file.gzip.len() < file.plain.len(), "{}", file.path);
    }
    for (_, document) in PAGES {
        assert_eq!(super::files::find(files, document).is_some(), is_embedded(), "{document}");
    }
}
