//! Unit tests of `auth::sessions`.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::clock;
use quizhall_rules::HostId;
use uuid::Uuid;

fn session(expires_at_ms: i64) -> SessionRow {
    SessionRow {
        host: HostId::from(Uuid::now_v7()),
        name: "Ann".to_owned(),
        expires_at_ms,
        is_owner: false,
        scopes: None,
        last_used_at_ms: None,
    }
}

#[tokio::test]
async fn a_session_is_believed_for_less_than_a_second_after_it_was_asked_for() {
    let (sessions, asked, token) = (Sessions::new(), clock::now(), HostTokenHash([1; 32]));
    let row = session(i64::MAX);
    sessions.put(token, row.clone(), sessions.reading(asked)).await;
    assert_eq!(sessions.get(&token, asked + Duration::from_millis(799), 0).await, Some(row));
    assert_eq!(sessions.get(&token, asked + FRESH, 0).await, None);
    assert_eq!(sessions.get(&HostTokenHash([2; 32]), asked, 0).await, None);
}

#[tokio::test]
async fn an_expired_session_is_not_found() {
    let (sessions, now, token) = (Sessions::new(), clock::now(), HostTokenHash([1; 32]));
    sessions.put(token, session(1_000), sessions.reading(now)).await;
    assert!(sessions.get(&token, now, 999).await.is_some());
    assert!(sessions.get(&token, now, 1_000).await.is_none());
}

#[tokio::test]
async fn what_was_forgotten_is_not_brought_back_by_a_read_that_began_before() {
    let (sessions, now, token) = (Sessions::new(), clock::now(), HostTokenHash([1; 32]));
    let reading = sessions.reading(now);
    sessions.forget(&[token]).await;
    sessions.put(token, session(i64::MAX), reading).await;
    assert!(sessions.get(&token, now, 0).await.is_none());
    sessions.put(token, session(i64::MAX), sessions.reading(now)).await;
    assert!(sessions.get(&token, now, 0).await.is_some());
    sessions.forget(&[token]).await;
    assert!(sessions.get(&token, now, 0).await.is_none());
}
