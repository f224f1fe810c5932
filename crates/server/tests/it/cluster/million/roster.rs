//! The players of a ghost run: they are written into the log of the game instead of joining one by one.

use quizhall::auth::player_token;
use quizhall::store::{Append, Head, Outcome, Store};
use quizhall_rules::{AnswerText, Change, DisplayName, Event, GameId, PlayerId};
use uuid::Uuid;

/// Players in a row of the log.
const ROW: u32 = 4_096;
/// From it the tokens of the players are derived.
const SECRET: [u8; 32] = *b"the players of a ghost run: none";

/// All players, by their slots: the first to join has slot 0.
pub struct Roster {
    pub game: GameId,
    pub players: u32,
    /// How many different texts they answer; 0: each another one.
    pub texts: u32,
}

/// The player of a slot.
pub fn player(slot: u32) -> PlayerId {
    Uuid::from_u64_pair(0x0190_0000_0000_7000, 0x8000_0000_0000_0000 | u64::from(slot)).into()
}

impl Roster {
    /// The token of a player's socket.
    pub fn token(&self, slot: u32) -> String {
        player_token(self.game, &SECRET, Some(&slot.to_string())).token.expose().to_owned()
    }

    /// What this player answers: thirteen characters.
    pub fn answer(&self, slot: u32) -> AnswerText {
        let text = match self.texts {
            0 => format!("answer{slot:07}"),
            texts => format!("choice{:07}", slot % texts),
        };
        AnswerText::parse(&text).unwrap()
    }

    /// Appends the players to the log of the game, which has no owner now; returns how many events the log then has.
    pub async fn write(&self, store: &Store) -> u64 {
        let rows = store.read_log(self.game, None).await.unwrap();
        let last = rows.last().unwrap();
        let (mut previous, mut seq) = (Head { seq: last.seq, batch: last.batch }, last.seq + u64::from(last.count));
        for first in (0..self.players).step_by(ROW as usize) {
            let slots = first..self.players.min(first + ROW);
            let count = slots.end - slots.start;
            let (game, epoch, batch) = (self.game, last.epoch, rand::random());
            let body = self.body(slots);
            let row = Append { game, previous, seq, count, epoch, batch, body, phase: None };
            assert_eq!(store.append(vec![row]).await.unwrap(), [Outcome::Committed]);
            (previous, seq) = (Head { seq, batch }, seq + u64::from(count));
        }
        seq
    }

    fn body(&self, slots: std::ops::Range<u32>) -> String {
        let mut body = vec![b'['];
        for slot in slots {
            if body.len() > 1 {
                body.push(b',');
            }
            self.joined(slot).write_json(&mut body);
        }
        body.push(b']');
        String::from_utf8(body).unwrap()
    }

    fn joined(&self, slot: u32) -> Event {
        let token = player_token(self.game, &SECRET, Some(&slot.to_string())).token_hash;
        let display_name = DisplayName::parse(&format!("p{slot:07}")).unwrap();
        let change = Change::Joined { player: player(slot), display_name, token, idempotency: None, team: None };
        Event::new(change, None)
    }
}
