//! Accounts and sessions on several nodes with one database: a session that ends on one node ends on all within a second,
//! and one set-up link works on each.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quizhall::auth::{AccountError, Carrier, HostTokenHash, Hosts, Presented, Shared};
use quizhall::cluster::bus::Notice;
use quizhall::config::Config;
use quizhall::library::sample_quiz;
use quizhall::store::{Store, StoreOptions, connect};
use tempfile::TempDir;

use crate::time_limits::promised;

/// A fixed token; the constant below is a password.
const SCRIPT: &str = "a-fixed-token-of-tests";
const PASSWORD: &str = "long enough";

/// The time within which a session has ended on all nodes.
const SECOND: Duration = Duration::from_secs(1);

/// The notices that a node sent to the others.
type Sent = Arc<Mutex<Vec<Notice>>>;

#[tokio::test]
async fn a_session_that_ends_on_one_node_is_announced_to_and_dropped_by_the_other() {
    let folder = TempDir::new().unwrap();
    let ((here, sent), (there, _)) = (node(folder.path()).await, node(folder.path()).await);
    here.create("Ann", PASSWORD.into(), false).await.unwrap();
    let mut carriers = Vec::new();
    for _ in 0..3 {
        carriers.push(bearer(here.issue_token("Ann").await.unwrap().token.expose()));
    }
    let mut tokens: Vec<HostTokenHash> = Vec::new();
    for carrier in carriers.iter().chain([&bearer(SCRIPT)]) {
        tokens.push(there.session(carrier).await.unwrap().unwrap().grant.token);
    }
    assert!(there.ended(&tokens).await.unwrap().is_empty());
    assert!(here.session(&carriers[1]).await.unwrap().is_some());
    assert!(here.sign_out(tokens[1]).await.unwrap());
    assert!(here.session(&carriers[1]).await.unwrap().is_none(), "at once on the node that ended it");
    let notices = sent.lock().unwrap().clone();
    let [Notice::SessionsEnded(hashes)] = notices.as_slice() else { panic!("{notices:?}") };
    assert_eq!(hashes.len(), 1);
    there.forget(&[tokens[1]]).await;
    assert!(there.session(&carriers[1]).await.unwrap().is_none(), "at once on a node that received the notice");
    assert!(there.ended(&tokens).await.unwrap() == [tokens[1]], "found among many, but never the fixed token");
    assert!(there.ended(&[]).await.unwrap().is_empty());

    assert!(there.session(&carriers[0]).await.unwrap().is_some());
    here.reset_password("Ann", "another password".into()).await.unwrap();
    assert_eq!(sent.lock().unwrap().len(), 2, "a new password ends sessions too");
    let begun = Instant::now();
    while there.session(&carriers[0]).await.unwrap().is_some() {
        assert!(begun.elapsed() < promised(SECOND), "still valid after a second on a node without a notice");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_link_of_one_node_works_on_another_and_then_all_are_void() {
    let folder = TempDir::new().unwrap();
    let ((here, _), (there, _)) = (node(folder.path()).await, node(folder.path()).await);
    let (link_a, link_b) = (link(&here), link(&there));
    assert_ne!(link_a, link_b, "each node has its own link");
    let stranger = format!("qs_{}", "A".repeat(43));
    assert!(refused(&there, &stranger).await, "no made-up link works");
    assert!(there.session(&bearer(&link_a)).await.unwrap().is_none(), "a link is no session");
    there.create_first("Ann", PASSWORD.into(), &Presented::new(&link_a)).await.unwrap();
    let accounts = here.list().await.unwrap();
    let accounts: Vec<_> = accounts.iter().map(|account| account.name.as_str()).collect();
    assert_eq!(accounts, ["Ann"], "the account that holds the links is not listed");
    for (node, link) in [(&here, &link_a), (&here, &link_b), (&there, &link_a), (&there, &link_b)] {
        assert!(refused(node, link).await, "used up on every node");
    }
    assert!(here.set_up_token().is_none() && there.set_up_token().is_none());
    let (later, _) = node(folder.path()).await;
    assert!(later.set_up_token().is_none() && refused(&later, &link_a).await);

    let folder = TempDir::new().unwrap();
    let alone = hosts(folder.path(), Shared::default()).await;
    let (other, _) = node(folder.path()).await;
    assert!(refused(&other, &link(&alone)).await, "a process without other nodes stores no link");
}

/// One of several nodes, and the notices that it sends to the others.
async fn node(folder: &Path) -> (Hosts, Sent) {
    let sent = Sent::default();
    let page = Arc::clone(&sent);
    let notify = Arc::new(move |notice| page.lock().unwrap().push(notice));
    (hosts(folder, Shared { limits: None, notify: Some(notify) }).await, sent)
}

async fn hosts(folder: &Path, shared: Shared) -> Hosts {
    let config = Config::from_pairs(&[("QUIZHALL_HOST_TOKEN", SCRIPT)]).unwrap();
    let url = format!("sqlite://{}", folder.join("q.db").display());
    let store: Arc<Store> = connect(&url, StoreOptions::default()).await.unwrap();
    Hosts::new(store, &config.identity, sample_quiz, shared).await.unwrap()
}

fn link(hosts: &Hosts) -> String {
    hosts.set_up_token().unwrap().expose().to_owned()
}

async fn refused(hosts: &Hosts, link: &str) -> bool {
    let outcome = hosts.create_first("Eve", PASSWORD.into(), &Presented::new(link)).await;
    matches!(outcome, Err(AccountError::SetUpRefused))
}

fn bearer(token: &str) -> Carrier {
    Carrier::read(&axum::http::HeaderMap::new(), Some(&format!("token={token}")))
}
