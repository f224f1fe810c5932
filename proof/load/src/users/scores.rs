//! Whether each player was sent the results that are theirs. Looked at behind the measurement: it reads every byte.

use std::collections::{HashMap, HashSet};

use quizhall_protocol::{Role, ServerMessage, ToPlayer, read_server_message};
use uuid::Uuid;

use super::answers::{self, Key};

/// How many of these players were sent other results than they must be; players who were sent none are counted elsewhere.
pub(super) fn wrong(
    members: impl Iterator<Item = usize>,
    payloads: &[Vec<u8>],
    keys: &HashMap<Uuid, Key>,
    answered: &HashSet<Uuid>,
) -> u64 {
    let sent = members.zip(payloads).filter(|(_, payload)| !payload.is_empty());
    sent.filter(|(number, payload)| !is_right(*number, payload, (keys, answered))).count() as u64
}

fn is_right(number: usize, payload: &[u8], (keys, answered): (&HashMap<Uuid, Key>, &HashSet<Uuid>)) -> bool {
    let Ok(text) = str::from_utf8(payload) else { return false };
    let Ok(Some(ServerMessage::Player(ToPlayer::RoundScores(scores)))) = read_server_message(text, Role::Player) else {
        return false;
    };
    let all_right = scores.results.iter().all(|result| {
        let Some(key) = keys.get(&result.question_id) else { return false };
        let has = answered.contains(&key.question);
        let knows = has && answers::knows(number, key.number);
        let given = if has { answers::answer(number, key) } else { String::new() };
        result.correct == knows && (result.points > 0) == knows && result.your_answer == given
    });
    let total: i64 = scores.results.iter().map(|result| i64::from(result.points)).sum();
    all_right && !scores.results.is_empty() && total == scores.round_total
}
