//! The content of a delivery: ids and counts of the game as it was after the log row with the event. No names, no
//! answers.
//!
//! Called by `sending` before the first attempt. Reads the log in pages, up to that row.

use quizhall_rules::{Change, Event, State};
use serde::Serialize;
use uuid::Uuid;

use crate::clock;
use crate::store::{Delivery, LogRow, Store, StoreError, WebhookEvent, is_last_page};

/// The body of a delivery.
#[derive(Serialize)]
struct Notification<T> {
    /// The event.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When it was stored (RFC 3339, UTC).
    timestamp: String,
    data: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundReleased {
    game_id: Uuid,
    /// Number of the round, from 1.
    round: usize,
    /// Rounds of the quiz.
    rounds: usize,
    /// Players that were not removed.
    players: usize,
    /// Answers that count in the round.
    answers: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameEnded {
    game_id: Uuid,
    /// Rounds of the quiz.
    rounds: usize,
    /// Rounds whose scores were released.
    rounds_released: usize,
    /// Players that were not removed.
    players: usize,
    /// Answers that count, in all rounds.
    answers: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tested {
    webhook_id: Uuid,
}

/// The body of a test event.
pub(super) fn test_body(webhook: Uuid, now_ms: i64) -> String {
    let (kind, timestamp) = (WebhookEvent::Test.as_str(), clock::rfc3339(now_ms));
    serde_json::to_string(&Notification { kind, timestamp, data: Tested { webhook_id: webhook } })
        .expect("names and texts")
}

/// The body that describes the event; `None` when the row holds no such event, or the log has been deleted.
pub(super) async fn body_of(store: &Store, delivery: &Delivery) -> Result<Option<String>, StoreError> {
    let (mut reader, mut from) = (Reader::new(delivery.seq), 0);
    while !reader.is_done {
        let rows = store.read_log_page(delivery.game, from).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        from = last.seq + u64::from(last.count);
        let is_last = is_last_page(&rows);
        // Read in a blocking task, because a page may hold thousands of answers.
        let read = tokio::task::spawn_blocking(move || reader.read(&rows));
        reader = match read.await {
            Ok(Some(reader)) => reader,
            _ => return Err(StoreError::Corrupt("the log of a game, for a webhook")),
        };
        if is_last && !reader.is_done {
            return Ok(None);
        }
    }
    Ok(reader.body(delivery))
}

/// A game up to the point to which its log was read.
struct Reader {
    /// The last row to read, by its first event.
    seq: u64,
    state: Option<State>,
    /// The scores that the row released.
    released: Option<RoundReleased>,
    is_done: bool,
}

impl Reader {
    fn new(seq: u64) -> Self {
        Self { seq, state: None, released: None, is_done: false }
    }

    /// Reads these rows, as far as needed; `None` when they cannot be read.
    fn read(mut self, rows: &[LogRow]) -> Option<Self> {
        let seq = self.seq;
        for row in rows.iter().take_while(|row| row.seq <= seq) {
            let events: Vec<Event> = serde_json::from_str(&row.body).ok()?;
            for event in &events {
                self.apply(event, row.seq == seq)?;
            }
            self.is_done = row.seq == seq;
        }
        Some(self)
    }

    fn apply(&mut self, event: &Event, is_in_row: bool) -> Option<()> {
        let Some(state) = &mut self.state else {
            let Change::Created(created) = &event.change else { return None };
            self.state = Some(State::created(created));
            return Some(());
        };
        let was_scored = state.is_scored(state.round());
        state.apply(event);
        let is_release = matches!(event.change, Change::ScoresReleased { .. }) && !was_scored;
        if is_in_row && is_release {
            self.released = Some(round_released(state));
        }
        Some(())
    }

    fn body(&self, delivery: &Delivery) -> Option<String> {
        let (kind, timestamp) = (delivery.event.as_str(), clock::rfc3339(delivery.created_at_ms));
        let body = match delivery.event {
            WebhookEvent::RoundReleased => {
                serde_json::to_string(&Notification { kind, timestamp, data: self.released.as_ref()? })
            }
            // A test event has had its body since it was stored.
            WebhookEvent::Test => return None,
            WebhookEvent::GameEnded => {
                serde_json::to_string(&Notification { kind, timestamp, data: game_ended(self.state.as_ref()?) })
            }
        };
        body.ok()
    }
}

fn round_released(state: &State) -> RoundReleased {
    let round = state.round();
    RoundReleased {
        game_id: state.game().uuid(),
        round: round + 1,
        rounds: state.quiz().rounds.len(),
        players: state.player_count(),
        answers: state.all_answers().filter(|past| past.round == round).count(),
    }
}

fn game_ended(state: &State) -> GameEnded {
    let rounds = state.quiz().rounds.len();
    GameEnded {
        game_id: state.game().uuid(),
        rounds,
        rounds_released: (0..rounds).filter(|round| state.is_scored(*round)).count(),
        players: state.player_count(),
        answers: state.all_answers().count(),
    }
}
