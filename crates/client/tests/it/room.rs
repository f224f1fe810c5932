//! What `quizhall.v1` adds to the view: the room, the round with its answers and marks, and new names.

use quizhall_client::{Phase, View};
use quizhall_protocol::to_host::PlayerStatus::{self, Connected, Disconnected};
use quizhall_protocol::{Role, read_server_message};

const A: &str = "00000000-0000-0000-0000-00000000000a";
const B: &str = "00000000-0000-0000-0000-00000000000b";
const Q: &str = "00000000-0000-0000-0000-000000000051";

fn apply(view: &mut View, role: Role, kind: &str, payload: &str) {
    let text = format!(r#"{{"type":"{kind}","payload":{payload}}}"#);
    view.apply(&read_server_message(&text, role).unwrap().expect("a known type"));
}

fn entry(id: &str, status: &str) -> String {
    format!(r#"{{"id":"{id}","displayName":"X","status":"{status}"}}"#)
}

fn room(whole: bool, players: &[String], (total, connected, locked): (u32, u32, bool)) -> String {
    let players = players.join(",");
    let numbers = format!(r#""total":{total},"connected":{connected},"locked":{locked}"#);
    format!(r#"{{"whole":{whole},"players":[{players}],{numbers}}}"#)
}

#[test]
fn the_room_is_kept_by_changes() {
    let mut view = View::new();
    let mut updated = |payload: String| -> (Vec<(String, PlayerStatus)>, (u32, u32, bool)) {
        apply(&mut view, Role::Host, "room_update", &payload);
        let players = view.room.players.iter().map(|player| (player.id.to_string(), player.status));
        (players.collect(), (view.room.total, view.room.connected, view.room.locked))
    };
    let (a, b) = (A.to_owned(), B.to_owned());
    let first = updated(room(true, &[entry(B, "connected")], (1, 1, false)));
    assert_eq!(first, (vec![(b.clone(), Connected)], (1, 1, false)));
    let changes = [entry(A, "connected"), entry(B, "disconnected")];
    let both = vec![(a.clone(), Connected), (b.clone(), Disconnected)];
    assert_eq!(updated(room(false, &changes, (2, 1, true))), (both, (2, 1, true)));
    assert_eq!(updated(room(false, &[entry(A, "gone")], (1, 0, true))).0, [(b, Disconnected)]);
    assert_eq!(updated(room(true, &[entry(A, "connected")], (1, 1, true))).0, [(a, Connected)]);
    assert!(updated(room(true, &[], (2_001, 7, false))).0.is_empty());
}

fn round(number: u32) -> String {
    format!(r#"{{"round":{number},"rounds":2,"title":"A title","questionCount":3}}"#)
}

#[test]
fn who_has_answered_and_what_counts_belong_to_the_round() {
    let mut view = View::new();
    apply(&mut view, Role::Host, "round_started", &round(1));
    assert_eq!((view.phase, view.round.as_ref().unwrap().round), (Phase::Question, 1));
    for player in [A, B, A] {
        apply(
            &mut view,
            Role::Host,
            "players_answered",
            &format!(r#"{{"questionId":"{Q}","playerIds":["{player}"]}}"#),
        );
    }
    let question = Q.parse().unwrap();
    assert_eq!(view.answered[&question].len(), 2);
    apply(&mut view, Role::Host, "room_update", &room(false, &[entry(B, "gone")], (1, 1, false)));
    assert_eq!(view.answered[&question], [A.parse::<uuid::Uuid>().unwrap()]);

    let entry = format!(r#"{{"playerId":"{A}","displayName":"X","questionId":"{Q}","answer":"x","correct":false}}"#);
    apply(&mut view, Role::Host, "round_review", &format!(r#"{{"answers":[{entry}]}}"#));
    let mark = |player: &str, correct: bool| format!(r#"{{"playerId":"{player}","correct":{correct}}}"#);
    let marks = |correct| format!(r#"{{"questionId":"{Q}","marks":[{},{}]}}"#, mark(A, correct), mark(B, false));
    apply(&mut view, Role::Host, "answers_marked", &marks(true));
    apply(&mut view, Role::Host, "marking_update", r#"{"undoable":4}"#);
    assert_eq!((view.review.len(), view.review[0].correct, view.undoable), (1, true, 4));
    apply(&mut view, Role::Host, "answers_marked", &marks(false));
    assert!(!view.review[0].correct);
    apply(&mut view, Role::Host, "round_started", &round(2));
    assert_eq!((view.review.len(), view.answered.len(), view.undoable), (0, 0, 0));
}

/// On connecting, `round_started` comes before the messages with the state of the round.
#[test]
fn a_reconnect_ends_in_the_right_phase() {
    let boards = r#"{"leaderboard":[]}"#;
    for (message, payload, phase) in
        [("round_ended", "{}", Phase::RoundReview), ("round_leaderboard", boards, Phase::Leaderboard)]
    {
        let mut view = View::new();
        view.connected();
        apply(&mut view, Role::Player, "host_status", r#"{"connected":true}"#);
        apply(&mut view, Role::Player, "round_started", &round(1));
        assert_eq!(view.phase, Phase::Question, "with nothing open no more messages follow");
        if message == "round_ended" {
            view.apply(&read_server_message(r#"{"type":"round_ended"}"#, Role::Player).unwrap().unwrap());
        } else {
            apply(&mut view, Role::Player, message, payload);
        }
        view.settled(false);
        assert_eq!((view.phase, view.host_connected), (phase, Some(true)));
    }
}

#[test]
fn other_words_and_names_are_in_everything_that_is_known() {
    let mut view = View::new();
    apply(&mut view, Role::Player, "round_started", &round(1));
    let asked = format!(r#"{{"question":{{"id":"{Q}","text":"Wich?","type":"text","points":1}}}}"#);
    apply(&mut view, Role::Player, "question_released", &asked);
    let board = format!(r#"{{"leaderboard":[{{"playerId":"{A}","displayName":"X","score":0,"rank":1}}]}}"#);
    apply(&mut view, Role::Player, "scoreboard_update", &board);
    apply(
        &mut view,
        Role::Player,
        "question_edited",
        &format!(r#"{{"questionId":"{Q}","text":"Which?","corrected":true}}"#),
    );
    apply(&mut view, Role::Player, "question_withdrawn", &format!(r#"{{"questionId":"{Q}"}}"#));
    apply(&mut view, Role::Player, "player_renamed", &format!(r#"{{"id":"{A}","displayName":"Zoe"}}"#));
    assert_eq!((view.questions[0].text.as_str(), view.running[0].display_name.as_str()), ("Which?", "Zoe"));
    assert_eq!((view.corrected.len(), view.withdrawn.len()), (1, 1));
    apply(&mut view, Role::Player, "round_started", &round(2));
    assert_eq!((view.corrected.len(), view.withdrawn.len()), (0, 0));
}
