//! Sessions that were read a moment ago: for how long they count, and that forgotten ones stay forgotten.

use std::time::Duration;

use quizhall::auth::HostToken;
use quizhall::auth::sessions::{FRESH, Sessions};
use quizhall::clock;
use quizhall::store::SessionRow;
use quizhall_rules::HostId;
use uuid::Uuid;

fn session() -> SessionRow {
    SessionRow {
        host: HostId::from(Uuid::now_v7()),
        name: "Ann".to_owned(),
        expires_at_ms: 1_000,
        is_owner: false,
        scopes: None,
        last_used_at_ms: None,
    }
}

#[tokio::test]
async fn a_session_counts_for_less_than_a_second_after_its_reading_began_and_until_it_expires() {
    let (sessions, asked, token) = (Sessions::default(), clock::now(), HostToken::session().hash());
    let row = session();
    sessions.put(token, row.clone(), sessions.reading(asked)).await;
    assert_eq!(sessions.get(&token, asked + Duration::from_millis(799), 999).await, Some(row));
    assert!(FRESH < Duration::from_secs(1));
    assert_eq!(sessions.get(&token, asked + FRESH, 999).await, None);
    assert_eq!(sessions.get(&token, asked, 1_000).await, None, "it has expired");
    assert_eq!(sessions.get(&HostToken::session().hash(), asked, 0).await, None);
}

#[tokio::test]
async fn what_was_forgotten_is_not_brought_back_by_a_read_that_began_before() {
    let (sessions, now, token) = (Sessions::default(), clock::now(), HostToken::session().hash());
    let reading = sessions.reading(now);
    sessions.forget(&[token]).await;
    sessions.put(token, session(), reading).await;
    assert!(sessions.get(&token, now, 0).await.is_none());
    sessions.put(token, session(), sessions.reading(now)).await;
    assert!(sessions.get(&token, now, 0).await.is_some());
    sessions.forget(&[token]).await;
    assert!(sessions.get(&token, now, 0).await.is_none());
}
