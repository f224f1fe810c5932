//! Stories of an edge that has sockets with the extension (`quizhall.v1`) and sockets without it.

use std::time::Duration;

use quizhall_engine::wire::{FromHost, Recipient};
use quizhall_engine::{ConnectionId, Dialect, EdgeEffect, EdgeInput, Message, Participant, ToEdge};
use quizhall_protocol::frame;
use quizhall_protocol::from_host::OverrideAnswer;
use quizhall_rules::{Change, Device, Event, QuestionEdit, Setting, State};
use serde_json::{Value, json};

use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, command_id, event, joined, lobby, player, question};

mod answered;
mod desk;
mod extra_time;
mod jokers;
mod listed;
mod paper;
mod plain;
mod rounds;
mod scale;
mod standings;
mod ties;
mod timers;

const HOST: u64 = 1;
/// The sockets of player 1 (with the extension), player 2 (without it) and player 3 (with it).
const V1: u64 = 2;
const PLAIN: u64 = 3;
const OTHER: u64 = 4;
const NOTHING: [Value; 0] = [];

fn by_host(change: Change, number: u64) -> Event {
    Event::new(change, Some(command_id(100 + HOST, number)))
}

impl Rim {
    /// An edge with the host and three players, one of them without the extension.
    fn beside(state: State) -> Self {
        let mut rim = Self::beside_two(state);
        rim.attach_v1(OTHER, as_player(3));
        rim.taken();
        rim
    }

    /// An edge with the host and two players, one of them without the extension.
    fn beside_two(state: State) -> Self {
        let mut rim = Self::at(state);
        rim.attach_v1(HOST, Participant::Host);
        rim.attach_v1(V1, as_player(1));
        rim.attach(PLAIN, as_player(2));
        rim.taken();
        rim
    }

    fn extension(&mut self, message: FromHost) -> &mut Self {
        let (connection, message) = (ConnectionId(HOST), Message::Host(message));
        self.step(EdgeInput::Message { connection, message, closings_written: u32::MAX, elapsed: None });
        self.taken();
        self
    }

    /// The host sets how the first player's answer counts.
    fn overrule(&mut self, correct: bool) -> &mut Self {
        let overruled = OverrideAnswer { player_id: player(1).uuid(), question_id: question(1).uuid(), correct };
        let message = Message::Host(FromHost::OverrideAnswer(overruled));
        self.step(EdgeInput::Message {
            connection: ConnectionId(HOST),
            message,
            closings_written: u32::MAX,
            elapsed: None,
        });
        self.taken();
        self
    }

    fn done(&mut self, number: u64) -> Vec<EdgeEffect> {
        let (connection, seq) = (ConnectionId(HOST), self.seq);
        self.say(ToEdge::Done { connection, command_id: command_id(100 + HOST, number), seq }).taken()
    }

    /// Waits until everything that is paced has been sent.
    fn rest(&mut self) -> Vec<EdgeEffect> {
        let now = self.now + Duration::from_secs(2);
        self.tick_at(now)
    }
}

fn parse(bytes: &bytes::Bytes) -> Value {
    // The first frame of a run.
    serde_json::Deserializer::from_slice(&frame::payload(bytes)).into_iter().next().unwrap().unwrap()
}

/// The messages that a socket receives in a game of at most 20 players: those sent only to it, those sent to all, and
/// those sent to sockets with the extension if it has it.
fn received(effects: &[EdgeEffect], connection: u64, dialect: Dialect) -> Vec<Value> {
    let message = |effect: &EdgeEffect| match effect {
        EdgeEffect::Send(to, bytes, _) if to.0 == connection => Some(parse(bytes)),
        EdgeEffect::Broadcast(message, _) => message.of(Recipient::of(false, dialect)).map(parse),
        _ => None,
    };
    effects.iter().filter_map(message).collect()
}

/// Whether the effect is only for sockets with the extension.
fn is_extension(effect: &EdgeEffect) -> bool {
    matches!(effect, EdgeEffect::Broadcast(message, _) if message.of(Recipient::Plain).is_none())
}

fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
}

fn to_host(effects: &[EdgeEffect]) -> Vec<Value> {
    received(effects, HOST, Dialect::QuizhallV1)
}

/// The messages that one of the three players receives.
fn to(effects: &[EdgeEffect], connection: u64) -> Vec<Value> {
    let dialect = if connection == PLAIN { Dialect::Interface } else { Dialect::QuizhallV1 };
    received(effects, connection, dialect)
}

/// A review of question 1, which players 1 and 2 answered alike. The host and player 1 have the extension, player 2 does not.
fn reviewing() -> Rim {
    let mut rim = Rim::at(asking(3));
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(2, as_player(1));
    rim.attach(3, as_player(2));
    rim.commit(vec![answered(1, 1, "same"), answered(2, 1, "same"), event(Change::RoundEnded)]).taken();
    rim
}

fn marked(correct: bool) -> Change {
    Change::AnswersMarked { question: question(1), texts: vec!["same".to_owned()], correct, partial: 0 }
}

#[test]
fn connecting_in_each_phase_shows_host_and_player_where_the_game_is() {
    let mut state = lobby(2);
    let released = vec![
        event(Change::QuestionReleased { question: question(2) }),
        event(Change::QuestionReleased { question: question(1) }),
        answered(1, 1, "x"),
    ];
    // The host is also sent `host_status` and `room_update` first, and `step_update` last; the player `host_status` first.
    let steps: [(Vec<Event>, &[&str], &[&str]); 7] = [
        (vec![], &["game_info", "lobby_update"], &["game_info", "lobby_update"]),
        (vec![event(Change::Started)], &["round_started"], &["round_started"]),
        (
            released,
            &[
                "round_started",
                "question_released",
                "question_released",
                "scoreboard_update",
                "scoreboard_update",
                "players_answered",
            ],
            &["round_started", "question_released", "question_released", "answer_accepted"],
        ),
        (
            vec![event(Change::RoundEnded)],
            &["round_started", "round_ended", "round_review", "marking_update"],
            &["round_started", "round_ended"],
        ),
        (
            vec![event(Change::ScoresReleased { held: true })],
            &["round_started", "standings_status", "round_leaderboard"],
            &["round_started", "standings_status", "round_scores"],
        ),
        (
            vec![event(Change::ScoresReleased { held: false })],
            &["round_started", "round_leaderboard"],
            &["round_started", "round_leaderboard"],
        ),
        (vec![event(Change::Ended)], &["game_ended"], &["game_ended"]),
    ];
    for (events, host, of_player) in steps {
        for event in &events {
            state.apply(event);
        }
        let mut rim = Rim::at(state.clone());
        let phase = state.phase();
        let host = [&["host_status", "room_update"], host, &["step_update"]].concat();
        assert_eq!(types(&to_host(&rim.attach_v1(HOST, Participant::Host))), host, "{phase}");
        let of_player = [&["host_status"], of_player].concat();
        let player = received(&rim.attach_v1(2, as_player(1)), 2, Dialect::QuizhallV1);
        assert_eq!(types(&player)[..of_player.len()], *of_player, "{phase}");
        assert_eq!(received(&rim.rest(), HOST, Dialect::QuizhallV1), NOTHING, "nothing is left to send in {phase}");
    }
}

#[test]
fn a_plain_socket_receives_none_of_it() {
    let play = |dialect: Dialect| {
        let mut rim = Rim::at(lobby(3));
        let attach = |rim: &mut Rim, connection, who| match dialect {
            Dialect::Interface => rim.attach(connection, who),
            Dialect::QuizhallV1 => rim.attach_v1(connection, who),
        };
        attach(&mut rim, HOST, Participant::Host);
        rim.attach(9, as_player(2));
        rim.taken();
        let mut plain = Vec::new();
        let released = event(Change::QuestionReleased { question: question(1) });
        let events = [
            event(Change::HostReturned),
            joined(4),
            event(Change::Set(Setting::Locked(true))),
            event(Change::Started),
            released,
            answered(1, 1, "same"),
            event(Change::Disconnected { player: player(1), device: Device::FIRST }),
            event(Change::Connected { player: player(1), device: Device::FIRST }),
            event(Change::HostLeft),
            event(Change::RoundEnded),
            event(marked(true)),
            event(Change::MarkingUndone { of: None }),
            event(Change::ScoresReleased { held: false }),
            event(Change::Ended),
        ];
        for event in events {
            let mut effects = rim.commit(vec![event]).taken();
            effects.extend(rim.rest());
            plain.extend(received(&effects, 9, Dialect::Interface));
            if dialect == Dialect::Interface {
                assert!(!effects.iter().any(is_extension));
            }
        }
        plain
    };
    let plain = play(Dialect::Interface);
    assert_eq!(plain, play(Dialect::QuizhallV1), "whether or not other sockets have the extension");
    let wanted =
        ["lobby_update", "game_started", "question_released", "round_ended", "round_leaderboard", "game_ended"];
    assert_eq!(types(&plain), wanted);
}

#[test]
fn changes_of_the_room_are_sent_at_once_and_then_four_times_a_second() {
    let mut rim = Rim::at(lobby(3));
    rim.attach_v1(HOST, Participant::Host);
    rim.now = Duration::from_secs(1);
    let updates = |effects: &[EdgeEffect]| {
        let all = to_host(effects);
        all.into_iter().filter(|message| message["type"] == "room_update").collect::<Vec<_>>()
    };
    let first = updates(&rim.commit(vec![event(Change::Left { player: player(1), device: Device::FIRST })]).taken());
    assert_eq!(first[0]["payload"]["players"][0]["status"], "gone");
    assert_eq!((&first[0]["payload"]["total"], &first[0]["payload"]["connected"]), (&json!(3), &json!(2)));
    let more = vec![
        joined(4),
        event(Change::PlayerRemoved { player: player(2), banned: false }),
        event(Change::Set(Setting::Locked(true))),
    ];
    assert!(updates(&rim.commit(more).taken()).is_empty(), "not yet");
    assert_eq!(rim.edge.next_deadline(), Some(Duration::from_millis(1_250)));
    let second = updates(&rim.tick_at(Duration::from_millis(1_250)));
    let payload = &second[0]["payload"];
    let statuses: Vec<_> =
        payload["players"].as_array().unwrap().iter().map(|entry| entry["status"].as_str().unwrap()).collect();
    assert_eq!((second.len(), statuses, &payload["whole"]), (1, vec!["gone", "connected"], &json!(false)));
    assert_eq!((&payload["total"], &payload["locked"]), (&json!(3), &json!(true)));
    let silent = Some(Duration::from_millis(1_000 + 2_500));
    assert_eq!(
        rim.edge.next_deadline(),
        silent,
        "nothing is left to send; the owner's last frame came a second after zero"
    );
}

#[test]
fn who_has_answered_comes_before_the_count_and_once() {
    let mut rim = Rim::at(asking(3));
    rim.attach_v1(HOST, Participant::Host);
    rim.now = Duration::from_secs(1);
    let shown = to_host(&rim.commit(vec![answered(2, 1, "a"), answered(1, 1, "a")]).taken());
    assert_eq!(types(&shown), ["players_answered", "scoreboard_update"]);
    assert_eq!(shown[0]["payload"]["playerIds"], json!([player(2).uuid(), player(1).uuid()]));
    rim.rest();
    let shown = to_host(&rim.commit(vec![answered(2, 1, "another")]).taken());
    assert_eq!(shown, NOTHING, "a changed answer adds no player, and changes no count");
    rim.rest();
    rim.commit(vec![answered(3, 1, "a")]).taken();
    let shown = to_host(&rim.commit(vec![event(Change::RoundEnded)]).taken());
    assert_eq!(types(&shown), ["round_ended", "round_review", "step_update"], "it was sent with its count already");
}

#[test]
fn an_overruling_that_was_jumped_over_is_confirmed_with_what_the_answer_counts_as_now() {
    let mut rim = reviewing();
    rim.overrule(true);
    let mut state = rim.edge.state().unwrap().clone();
    let overruled = Change::AnswerOverridden { player: player(1), question: question(1), correct: true };
    state.apply(&by_host(overruled, 1));
    state.apply(&event(marked(false)));
    rim.seq += 2;
    rim.catch_up(rim.seq, state).taken();
    let shown = to_host(&rim.done(1));
    assert_eq!(types(&shown), ["override_applied", "marking_update"]);
    assert_eq!(shown[0]["payload"]["correct"], false, "marked with the others since");
}

#[test]
fn a_host_who_is_back_before_the_next_update_is_not_reported_away() {
    let mut rim = Rim::at(asking(1));
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(2, as_player(1));
    let shown = rim.commit(vec![event(Change::HostReturned)]).taken();
    assert_eq!(types(&to_host(&shown)), ["host_status"]);
    let shown = rim.commit(vec![event(Change::HostLeft)]).taken();
    assert_eq!(types(&to_host(&shown)), Vec::<&str>::new());
    assert_eq!(types(&received(&shown, 2, Dialect::QuizhallV1)), ["host_status"]);
}

/// What else an edge sends who missed events is checked in the simulation.
#[test]
fn a_host_who_missed_it_and_no_player_is_sent_an_edit_of_a_question_that_is_not_released() {
    let (mut rim, mut state) = (Rim::beside_two(asking(2)), asking(2));
    let (question, text) = (question(2), Some("Which?".to_owned()));
    let edit = QuestionEdit { question, text, choices: None, accepted: None };
    state.apply(&event(Change::QuestionEdited(edit.into())));
    let effects = rim.catch_up(20, state).taken();
    let payload = json!({"questionId": question.uuid(), "text": "Which?", "corrected": false, "accepted": ["key2"]});
    assert!(to_host(&effects).contains(&json!({"type": "question_edited", "payload": payload})), "{effects:?}");
    assert_eq!((to(&effects, V1), to(&effects, PLAIN)), (vec![], vec![]));
}
