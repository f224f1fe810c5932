//! The pages inside the whole service: the built app, or the placeholder; they do not hide the interface.

use std::fs;
use std::path::{Path, PathBuf};

use quizhall::web::is_embedded;

use crate::http_stage::{Ask, Stage};

const PAGES: [(&str, &str); 5] = [
    ("/", "index.html"),
    ("/host", "host.html"),
    ("/setup", "host.html"),
    ("/results", "results.html"),
    ("/screen", "screen.html"),
];

/// Set to 1 where a program without its pages must not pass.
const REQUIRE: &str = "QUIZHALL_REQUIRE_WEB";

fn dist() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist")
}

#[tokio::test]
async fn the_pages_are_those_that_were_built() {
    let required = std::env::var(REQUIRE).is_ok_and(|value| value == "1");
    assert!(is_embedded() || !required, "built without the app, and {REQUIRE}=1 is set");
    let stage = Stage::new().await;
    for (path, document) in PAGES {
        let reply = stage.send(Ask::get(path)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        match fs::read_to_string(dist().join(document)) {
            Ok(built) => assert!(reply.text() == built, "{path} is not web/dist/{document}"),
            Err(_) => assert!(reply.text().contains("built without its pages"), "{path}"),
        }
    }
}

#[tokio::test]
async fn everything_a_page_names_is_there_and_may_run() {
    let stage = Stage::new().await;
    for (path, _) in PAGES {
        let page = stage.send(Ask::get(path)).await;
        let text = page.text();
        let named: Vec<&str> = ["src=\"", "href=\""]
            .into_iter()
            .flat_map(|attribute| text.split(attribute).skip(1))
            .filter_map(|rest| rest.split('"').next())
            .collect();
        for name in &named {
            assert!(name.starts_with('/') && !name.starts_with("//"), "{path} loads from another server: {name}");
            let asset = stage.send(Ask::get(name)).await;
            assert_eq!(asset.status, 200, "{name}");
            let kept = asset.header("cache-control").contains("immutable");
            assert_eq!(kept, name.starts_with("/assets/"), "{name}");
            if kept {
                assert!(
                    asset.body == fs::read(dist().join(&name[1..])).unwrap(),
                    "{name} is not the file that was built"
                );
            }
            let known = Ask::get(name).header("if-none-match", asset.header("etag"));
            let again = stage.send(known).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{name}");
            let policy = asset.header("content-security-policy");
            assert_eq!(again.header("content-security-policy"), policy, "the layers write no policy of their own");
        }
        assert_eq!(named.iter().any(|name| name.starts_with("/assets/")), is_embedded(), "{path}");
        assert!(!page.header("content-security-policy").contains("unsafe"));
        for (header, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-cache"),
        ] {
            assert_eq!(page.header(header), value, "{path} {header}");
        }
        let inline = text.contains("<script>") || text.contains("<style") || text.contains(" style=");
        assert!(!inline, "{path}: the policy would stop it");
    }
}

#[tokio::test]
async fn the_interface_keeps_its_own_answers() {
    let stage = Stage::new().await;
    for path in ["/nowhere", "/hosts", "/assets/nothing.js", "/api/v1/nowhere", "/setup.html", "/.git/config"] {
        let reply = stage.send(Ask::get(path)).await;
        assert_eq!(reply.kind(), (404, "not-found".to_owned()), "{path}");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    }
    for path in ["/ABC234", "/abc-234"] {
        assert_eq!(stage.send(Ask::get(path)).await.status, 404, "a program that asks for {path}");
        let browser = stage.send(Ask::get(path).header("accept", "text/html,application/xhtml+xml")).await;
        assert_eq!((browser.status, browser.header("location")), (303, "/?code=ABC234"), "{path}");
    }
    for path in ["/", "/host", "/screen/ABC234"] {
        let reply = stage.send(Ask::new("POST", path)).await;
        assert_eq!((reply.kind().1.as_str(), reply.header("allow")), ("method-not-allowed", "GET,HEAD"), "{path}");
    }
    assert_eq!(stage.send(Ask::new("HEAD", "/host")).await.status, 200);
    assert_eq!(stage.send(Ask::get("/ws/ABC234")).await.kind(), (426, "upgrade-required".to_owned()));
}
