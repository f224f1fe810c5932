//! Edited and withdrawn questions and new names as sockets see them: only sockets with the extension receive them.

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, EdgeEffect, Participant};
use quizhall_protocol::from_host::{EditQuestion, RenamePlayer, WithdrawQuestion};
use quizhall_rules::{Change, DisplayName, QuestionEdit, State};
use serde_json::{Value, json};

use super::{HOST, by_host, received, to_host, types};
use crate::rim::Rim;
use crate::stage::{answered, as_player, created, event, joined, player, question};

/// The sockets of player 1 (with the extension) and player 2 (without it).
const V1: u64 = 2;
const PLAIN: u64 = 3;

fn playing() -> State {
    let mut log = vec![created(), joined(1), joined(2), event(Change::Started)];
    log.push(event(Change::QuestionReleased { question: question(1) }));
    log.push(answered(1, 1, "key1"));
    State::replay(&log).unwrap()
}

fn opened(state: State) -> Rim {
    let mut rim = Rim::at(state);
    rim.attach_v1(HOST, Participant::Host);
    rim.attach_v1(V1, as_player(1));
    rim.attach(PLAIN, as_player(2));
    rim.taken();
    rim
}

fn to(effects: &[EdgeEffect], connection: u64) -> Vec<Value> {
    let dialect = if connection == PLAIN { Dialect::Interface } else { Dialect::QuizhallV1 };
    received(effects, connection, dialect)
}

fn edit(number: u64, text: &str) -> Change {
    let edit = QuestionEdit { question: question(number), text: Some(text.to_owned()), choices: None };
    Change::QuestionEdited(edit.into())
}

fn withdrawal(number: u64) -> Change {
    Change::QuestionWithdrawn { question: question(number) }
}

fn renaming() -> Change {
    Change::PlayerRenamed { player: player(1), display_name: DisplayName::parse("Zoe").unwrap() }
}

fn edited(number: u64, text: &str, corrected: bool) -> Value {
    let payload = json!({"questionId": question(number).uuid(), "text": text, "corrected": corrected});
    json!({"type": "question_edited", "payload": payload})
}

fn withdrawn(number: u64) -> Value {
    json!({"type": "question_withdrawn", "payload": {"questionId": question(number).uuid()}})
}

fn renamed() -> Value {
    json!({"type": "player_renamed", "payload": {"id": player(1).uuid(), "displayName": "Zoe"}})
}

#[test]
fn words_behind_the_release_are_for_all_and_those_before_it_for_the_host() {
    let mut rim = opened(playing());
    let effects = rim.commit(vec![by_host(edit(1, "What?"), 1)]).taken();
    for connection in [HOST, V1] {
        assert_eq!(to(&effects, connection), [edited(1, "What?", true)]);
    }
    assert_eq!(to(&effects, PLAIN), [] as [Value; 0]);
    let effects = rim.commit(vec![by_host(edit(2, "Which?"), 2)]).taken();
    assert_eq!(to_host(&effects), [edited(2, "Which?", false)]);
    assert_eq!((to(&effects, V1), to(&effects, PLAIN)), (vec![], vec![]), "an unreleased text is for the host alone");
    let again = to(&rim.attach_v1(V1 + 5, as_player(1)), V1 + 5);
    assert!(again.contains(&edited(1, "What?", true)), "{again:?}");
    let plain = to(&rim.attach(PLAIN, as_player(2)), PLAIN);
    assert_eq!(plain[0]["payload"]["question"]["text"], "What?");
    assert_eq!(types(&plain), ["question_released"]);
}

#[test]
fn a_withdrawn_question_is_closed_for_those_who_can_know() {
    let mut rim = opened(playing());
    let effects = rim.commit(vec![by_host(withdrawal(1), 1)]).taken();
    for connection in [HOST, V1] {
        assert_eq!(types(&to(&effects, connection)), ["question_withdrawn", "question_closed"]);
    }
    assert_eq!(to(&effects, PLAIN), [] as [Value; 0]);
    let again = to(&rim.attach_v1(V1 + 5, as_player(1)), V1 + 5);
    assert!(again.contains(&withdrawn(1)) && types(&again).contains(&"question_closed"), "{again:?}");
}

#[test]
fn behind_the_scores_a_withdrawal_brings_the_board() {
    let mut state = playing();
    for change in [Change::RoundEnded, Change::ScoresReleased { held: false }] {
        state.apply(&event(change));
    }
    let mut rim = opened(state);
    let effects = rim.commit(vec![by_host(withdrawal(1), 1)]).taken();
    assert_eq!(types(&to_host(&effects)), ["question_withdrawn", "board_update"]);
    assert_eq!(to_host(&effects)[1]["payload"]["leaderboard"][0]["score"], 0);
    assert!(effects.iter().any(|effect| matches!(effect, EdgeEffect::SendScores(..))));
}

#[test]
fn a_new_name_is_sent_to_all_and_again_to_its_player() {
    let mut rim = opened(playing());
    let effects = rim.commit(vec![by_host(renaming(), 1)]).taken();
    assert_eq!((to_host(&effects), to(&effects, V1)), (vec![renamed()], vec![renamed()]));
    assert_eq!(to(&effects, PLAIN), [] as [Value; 0]);
    assert_eq!(to(&rim.attach_v1(V1 + 5, as_player(1)), V1 + 5).last(), Some(&renamed()));
}

#[test]
fn an_edge_that_missed_it_sends_what_is_so() {
    let mut rim = opened(playing());
    let mut state = playing();
    for change in [edit(1, "What?"), edit(2, "Which?"), withdrawal(1), renaming()] {
        state.apply(&event(change));
    }
    let effects = rim.catch_up(20, state).taken();
    let of_round = [edited(1, "What?", true), withdrawn(1)];
    assert!(of_round.iter().all(|message| to(&effects, V1).contains(message)), "{:?}", to(&effects, V1));
    assert!(to(&effects, V1).contains(&renamed()) && !to(&effects, V1).contains(&edited(2, "Which?", false)));
    let host = to_host(&effects);
    assert!(host.contains(&edited(2, "Which?", false)) && host.contains(&renamed()), "{host:?}");
    assert!(to(&effects, PLAIN).is_empty());
}

#[test]
fn a_command_that_changes_nothing_is_confirmed_to_the_host() {
    let mut state = playing();
    for change in [edit(1, "What?"), withdrawal(1), renaming()] {
        state.apply(&event(change));
    }
    let (question_id, player_id) = (question(1).uuid(), player(1).uuid());
    let text = Some("What?".to_owned());
    let commands = [
        (FromHost::EditQuestion(EditQuestion { question_id, text, choices: None }), edited(1, "What?", true)),
        (FromHost::WithdrawQuestion(WithdrawQuestion { question_id }), withdrawn(1)),
        (FromHost::RenamePlayer(RenamePlayer { player_id, display_name: "Zoe".to_owned() }), renamed()),
    ];
    for (message, confirmation) in commands {
        let effects = opened(state.clone()).extension(message).done(1);
        assert_eq!(to_host(&effects), [confirmation]);
        assert_eq!(to(&effects, V1), [] as [Value; 0]);
    }
}
