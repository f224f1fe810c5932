//! Exact field sets of the server's messages, written from the interface, apart from the
//! protocol crate's types: an independent oracle. A missing, extra, null or mistyped field is an error.

use quizhall_protocol::Role;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

/// Checks a message for a receiver; the error says what is wrong.
pub fn check(text: &str, receiver: Role) -> Result<(), String> {
    let kind = serde_json::from_str::<Kind>(text).map_err(|error| format!("not an envelope: {error}"))?.kind;
    let outcome = match (kind.as_str(), receiver) {
        ("lobby_update", _) => payload::<Lobby>(text),
        ("game_started" | "round_ended", _) => serde_json::from_str::<Bare>(text).map(drop),
        ("question_released", _) => payload::<Released>(text),
        ("round_leaderboard", _) => payload::<Board<RoundEntry>>(text),
        ("game_ended", _) | ("scoreboard_update", Role::Player) => payload::<Board<Entry>>(text),
        ("scoreboard_update", Role::Host) => payload::<Count>(text),
        ("round_review", Role::Host) => payload::<Review>(text),
        ("override_applied", Role::Host) => payload::<Override>(text),
        ("answer_accepted", Role::Player) => payload::<Accepted>(text),
        ("round_scores", Role::Player) => payload::<Scores>(text),
        _ => return Err(format!("a {receiver:?} must not receive `{kind}`")),
    };
    outcome.map_err(|error| format!("{kind}: {error}"))
}

fn payload<P: DeserializeOwned>(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<With<P>>(text).map(drop)
}

/// A field that may be absent but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

macro_rules! shapes {
    ($($name:ident $(<$generic:ident>)? { $($(#[$attribute:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields, rename_all = "camelCase")]
            #[expect(dead_code, reason = "only the shape is looked at")]
            struct $name $(<$generic>)? { $($(#[$attribute])* $field: $type,)* }
        )*
    };
}

shapes! {
    Bare { #[serde(rename = "type")] kind: IgnoredAny, }
    With<P> { #[serde(rename = "type")] kind: IgnoredAny, payload: P, }
    Lobby { players: Vec<Player>, #[serde(default, deserialize_with = "present")] total: Option<u32>, }
    Player { id: Uuid, display_name: String, }
    Released { question: Question, }
    Question {
        id: Uuid,
        text: String,
        #[serde(rename = "type")] kind: String,
        #[serde(default, deserialize_with = "present")] choices: Option<Vec<String>>,
        points: u32,
    }
    Board<E> { leaderboard: Vec<E>, }
    Entry { player_id: Uuid, display_name: String, score: u64, rank: u32, }
    RoundEntry { player_id: Uuid, display_name: String, score: u64, rank: u32, round_score: u64, }
    Count { question_id: Uuid, answer_count: u32, }
    Review {
        answers: Vec<ReviewEntry>,
        #[serde(default, deserialize_with = "present")] part: Option<u32>,
        #[serde(default, deserialize_with = "present")] parts: Option<u32>,
    }
    ReviewEntry {
        player_id: Uuid,
        display_name: String,
        question_id: Uuid,
        answer: String,
        correct: bool,
        #[serde(default, deserialize_with = "present")] near_miss: Option<bool>,
    }
    Override { player_id: Uuid, question_id: Uuid, correct: bool, }
    Accepted { question_id: Uuid, }
    Scores { results: Vec<OwnResult>, round_total: u64, }
    OwnResult {
        question_id: Uuid,
        question: String,
        your_answer: String,
        correct_answer: String,
        correct: bool,
        points: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "018f0000-0000-7000-8000-000000000001";

    fn verdict(role: Role, kind: &str, payload: &str) -> Result<(), String> {
        check(&format!(r#"{{"type":"{kind}","payload":{}}}"#, payload.replace("ID", ID)), role)
    }

    #[test]
    fn the_interfaces_messages_pass() {
        let entry = r#"{"playerId":"ID","displayName":"A","score":1,"rank":1}"#;
        let round = r#"{"playerId":"ID","displayName":"A","score":1,"rank":1,"roundScore":1}"#;
        let board = |entry: &str| format!(r#"{{"leaderboard":[{entry}]}}"#);
        let question = r#"{"question":{"id":"ID","text":"?","type":"text","points":1}}"#;
        let choices = r#"{"question":{"id":"ID","text":"?","type":"true_false","choices":["a","b"],"points":1}}"#;
        let review =
            r#"{"answers":[{"playerId":"ID","displayName":"A","questionId":"ID","answer":"x","correct":true}]}"#;
        let part = r#"{"answers":[],"part":1,"parts":2}"#;
        let scores = r#"{"results":[{"questionId":"ID","question":"?","yourAnswer":"","correctAnswer":"x","correct":false,"points":0}],"roundTotal":0}"#;
        for role in [Role::Host, Role::Player] {
            assert_eq!(check(r#"{"type":"game_started"}"#, role), Ok(()));
            assert_eq!(check(r#"{"type":"round_ended"}"#, role), Ok(()));
            for lobby in [r#"{"players":[{"id":"ID","displayName":"A"}]}"#, r#"{"players":[],"total":3}"#] {
                assert_eq!(verdict(role, "lobby_update", lobby), Ok(()));
            }
            assert_eq!(verdict(role, "question_released", question), Ok(()));
            assert_eq!(verdict(role, "question_released", choices), Ok(()));
            assert_eq!(verdict(role, "round_leaderboard", &board(round)), Ok(()));
            assert_eq!(verdict(role, "game_ended", &board(entry)), Ok(()));
        }
        assert_eq!(verdict(Role::Host, "scoreboard_update", r#"{"questionId":"ID","answerCount":3}"#), Ok(()));
        assert_eq!(verdict(Role::Host, "round_review", review), Ok(()));
        assert_eq!(verdict(Role::Host, "round_review", part), Ok(()));
        let applied = r#"{"playerId":"ID","questionId":"ID","correct":true}"#;
        assert_eq!(verdict(Role::Host, "override_applied", applied), Ok(()));
        assert_eq!(verdict(Role::Player, "answer_accepted", r#"{"questionId":"ID"}"#), Ok(()));
        assert_eq!(verdict(Role::Player, "scoreboard_update", &board(entry)), Ok(()));
        assert_eq!(verdict(Role::Player, "round_scores", scores), Ok(()));
    }

    #[test]
    fn any_other_field_set_or_audience_fails() {
        let player = Role::Player;
        for (role, kind, payload) in [
            (player, "answer_accepted", r#"{"questionId":"ID","correct":true}"#),
            (player, "answer_accepted", r"{}"),
            (player, "answer_accepted", r#"{"questionId":"x"}"#),
            (
                player,
                "question_released",
                r#"{"question":{"id":"ID","text":"?","type":"text","choices":null,"points":1}}"#,
            ),
            (
                player,
                "question_released",
                r#"{"question":{"id":"ID","text":"?","type":"text","points":1,"correctAnswers":["x"]}}"#,
            ),
            (player, "question_released", r#"{"question":{"id":"ID","text":"?","type":"text","points":1.5}}"#),
            (player, "round_ended", r"{}"),
            (player, "round_review", r#"{"answers":[]}"#),
            (player, "override_applied", r#"{"playerId":"ID","questionId":"ID","correct":true}"#),
            (player, "scoreboard_update", r#"{"questionId":"ID","answerCount":3}"#),
            (
                player,
                "round_leaderboard",
                r#"{"leaderboard":[{"playerId":"ID","displayName":"A","score":1,"rank":1}]}"#,
            ),
            (Role::Host, "scoreboard_update", r#"{"leaderboard":[]}"#),
            (Role::Host, "scoreboard_update", r#"{"questionId":"ID","answerCount":-1}"#),
            (Role::Host, "answer_accepted", r#"{"questionId":"ID"}"#),
            (Role::Host, "lobby_update", r#"{"players":[],"total":null}"#),
            (Role::Host, "something_new", r"{}"),
        ] {
            assert!(verdict(role, kind, payload).is_err(), "{role:?} {kind} {payload}");
        }
        assert!(check(r#"{"type":"game_started","payload":null}"#, player).is_err());
        assert!(check(r#"{"type":"game_started","at":1}"#, player).is_err());
        assert!(check("[]", player).is_err());
    }
}
