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
    let carrier = bearer(here.issue_token("Ann").await.unwrap().token.expose());
    let token = there.session(&carrier).await.unwrap().unwrap().grant.token;
    assert!(here.session(&carrier).await.unwrap().is_some());
    assert!(here.sign_out(token).await.unwrap());
    assert!(here.session(&carrier).await.unwrap().is_none(), "at once on the node that ended it");
    let notices = sent.lock().unwrap().clone();
    let [Notice::SessionsEnded(hashes)] = notices.as_slice() else { panic!("{notices:?}") };
    assert_eq!(hashes.len(), 1);
    there.forget(&[token]).await;
    assert!(there.session(&carrier).await.unwrap().is_none(), "at once on a node that received the notice");
}

#[tokio::test]
async fn a_session_is_dead_within_a_second_on_a_node_without_a_notice() {
    let folder = TempDir::new().unwrap();
    let ((here, sent), (there, _)) = (node(folder.path()).await, node(folder.path()).await);
    here.create("Ann", PASSWORD.into(), false).await.unwrap();
    let carrier = bearer(here.issue_token("Ann").await.unwrap().token.expose());
    assert!(there.session(&carrier).await.unwrap().is_some());
    here.reset_password("Ann", "another password".into()).await.unwrap();
    assert_eq!(sent.lock().unwrap().len(), 1, "a new password ends sessions too");
    let begun = Instant::now();
    while there.session(&carrier).await.unwrap().is_some() {
        assert!(begun.elapsed() < promised(SECOND), "still valid after a second");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_ended_among_many_tokens_are_found_at_once() {
    let folder = TempDir::new().unwrap();
    let ((here, _), (there, _)) = (node(folder.path()).await, node(folder.path()).await);
    here.create("Ann", PASSWORD.into(), false).await.unwrap();
    let mut tokens: Vec<HostTokenHash> = Vec::new();
    for _ in 0..3 {
        let carrier = bearer(here.issue_token("Ann").await.unwrap().token.expose());
        tokens.push(there.session(&carrier).await.unwrap().unwrap().grant.token);
    }
    tokens.push(there.session(&bearer(SCRIPT)).await.unwrap().unwrap().grant.token);
    assert!(there.ended(&tokens).await.unwrap().is_empty());
    here.sign_out(tokens[1]).await.unwrap();
    assert!(there.ended(&tokens).await.unwrap() == [tokens[1]], "but never the fixed token");
    assert!(there.ended(&[]).await.unwrap().is_empty());
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
}

#[tokio::test]
async fn one_of_several_first_accounts_on_several_nodes_wins() {
    let folder = TempDir::new().unwrap();
    let ((here, _), (there, _)) = (node(folder.path()).await, node(folder.path()).await);
    let (link_a, link_b) = (Presented::new(&link(&here)), Presented::new(&link(&there)));
    let (one, two, three) = tokio::join!(
        here.create_first("Ann", PASSWORD.into(), &link_b),
        there.create_first("Bob", PASSWORD.into(), &link_b),
        there.create_first("Cid", PASSWORD.into(), &link_a),
    );
    let outcomes = [one, two, three];
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let losers = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(losers.into_iter().all(|error| matches!(error, AccountError::SetUpRefused)));
}

#[tokio::test]
async fn a_process_without_other_nodes_stores_no_link() {
    let folder = TempDir::new().unwrap();
    let alone = hosts(folder.path(), Shared::default()).await;
    let (other, _) = node(folder.path()).await;
    assert!(refused(&other, &link(&alone)).await);
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
