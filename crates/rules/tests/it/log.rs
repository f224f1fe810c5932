//! The log: its stored form, reading it back, and that `Debug` shows no secret.

use std::collections::BTreeSet;

use quizhall_rules::{
    Change, Command, CommandId, Device, Event, LOG_VERSION, Phase, PlayerId, QuestionId, ReplayError, Setting, State,
    TimeLeft, TokenHash,
};
use uuid::Uuid;

use crate::changes::{edited, entered, every_change, variants};
use crate::stage::{Game, command_id, created, join, overrule, player, question, quiz, release, token};
use crate::teams::added_phone;

/// Events are moved in rows of hundreds, so large and rare ones are behind a pointer.
#[test]
fn events_and_commands_are_small() {
    let sizes = (size_of::<Event>(), size_of::<Command>());
    assert!(sizes.0 <= 136 && sizes.1 <= 48, "bytes: {sizes:?}");
}

#[test]
fn every_event_survives_the_store() {
    let changes = every_change();
    let kinds: BTreeSet<_> = changes.iter().map(|change| change.kind().to_owned()).collect();
    assert_eq!(kinds, variants::<Change>(r#"{"t":"?"}"#), "a new change must be added above");
    for change in changes {
        assert!((1..=LOG_VERSION).contains(&change.row().since), "{}", change.kind());
        for command_id in [None, Some(CommandId { session: u64::MAX, number: 0 })] {
            let event = Event::new(change.clone(), command_id);
            let text = serde_json::to_string(&event).unwrap();
            assert!(text.contains(&format!(r#""t":"{}""#, event.change.kind())), "{text}");
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }
}

/// The log of a released version is read for ever, and each field of it is kept: no line of these files is changed.
#[test]
fn the_events_of_released_versions_are_pinned() {
    let mut kinds = BTreeSet::new();
    for line in include_str!("golden/log-0.1.0.jsonl").lines() {
        let event: Event = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
        kinds.insert(event.change.kind().to_owned());
    }
    let of_first = every_change().into_iter().filter(|change| change.row().since <= 1);
    assert_eq!(kinds, of_first.map(|change| change.kind().to_owned()).collect());
}

/// The events that came after 0.1.0. A release moves these lines to a file of its own; until then their form may still change.
#[test]
fn the_events_since_the_last_release_have_this_form() {
    let lines = [
        r#"{"c":{"t":"points_adjusted","p":"00000000-0000-0000-0000-000001000001","r":1,"pts":-5,"tx":"Phone"},"s":[7,3],"h":1}"#,
        r#"{"c":{"t":"points_adjusted","p":"00000000-0000-0000-0000-000001000001","r":0,"pts":7}}"#,
        r#"{"c":{"t":"adjustment_undone","p":"00000000-0000-0000-0000-000001000001","r":1,"adj":2}}"#,
        r#"{"c":{"t":"answers","q":"00000000-0000-0000-0000-000002000001","e":3,"as":[{"a":"x","near":true},{"a":"y","ok":true}],"rw":"AAECAAABAQMB0Q8"}}"#,
    ];
    let mut kinds = BTreeSet::new();
    for line in lines {
        let event: Event = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
        kinds.insert(event.change.kind().to_owned());
    }
    let since = every_change().into_iter().filter(|change| change.row().since > 1);
    assert_eq!(kinds, since.map(|change| change.kind().to_owned()).collect());
}

#[test]
fn unknown_fields_are_ignored() {
    let text = r#"{"c":{"t":"started","later":[1]},"s":null,"more":{}}"#;
    assert_eq!(serde_json::from_str::<Event>(text).unwrap(), Event::new(Change::Started, None));
}

#[test]
fn hashes_that_are_none_are_refused() {
    let long = "a".repeat(65);
    let odd = "g".repeat(64);
    for text in ["", "ab", long.as_str(), odd.as_str(), &"é".repeat(32)] {
        let error = serde_json::from_str::<TokenHash>(&format!("\"{text}\"")).unwrap_err().to_string();
        assert!(error.starts_with("expected 64 hexadecimal digits"), "{error}");
    }
    assert_eq!(serde_json::from_str::<TokenHash>(&format!("\"{}\"", "aB".repeat(32))).unwrap(), token(0xab));
}

fn long_game() -> Game {
    let mut game = Game::in_phase(Phase::RoundReview);
    game.host(overrule(2, 1, true));
    game.host(Command::ReleaseScores);
    game.joins(3, "Cleo");
    game.host(Command::StartNextRound);
    game.host(release(4));
    game.answers(3, 4, "canary");
    game.host(Command::Remove { player: player(2) });
    game.host(Command::Set(Setting::Locked(true)));
    game
}

#[test]
fn a_replayed_log_gives_the_same_state() {
    let mut game = long_game();
    let claimed = Event::new(Change::Claimed { epoch: 5, node: Uuid::nil() }, None);
    game.state.apply(&claimed);
    game.log.push(claimed);
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    assert_eq!(game.state.epoch(), 5);
}

#[test]
fn a_log_that_does_not_begin_is_refused() {
    assert_eq!(State::replay(&[]), Err(ReplayError::Empty));
    assert_eq!(State::replay(&[Event::new(Change::Started, None)]), Err(ReplayError::NotCreated));
}

#[test]
fn a_state_moves_between_nodes_whole() {
    let mut game = long_game();
    let text = serde_json::to_string(&game.state).unwrap();
    let mut moved: State = serde_json::from_str(&text).unwrap();
    assert_eq!(moved, game.state);
    assert_eq!(serde_json::to_string(&moved).unwrap(), text);
    // The indexes were moved too: the same entries are found, and the game continues in the same way.
    assert_eq!(moved.player_by_token(&token(3)).unwrap().id, player(3));
    assert!(moved.is_removed_token(&token(2)));
    assert_eq!((moved.player_count(), moved.present_count()), (2, 2));
    assert_eq!(moved.answer_count(question(4)), 1);
    assert!(moved.board().standing_of(player(1)).is_some());
    std::mem::swap(&mut moved, &mut game.state);
    game.answers(1, 4, "right");
    moved.apply(game.log.last().unwrap());
    assert_eq!(moved, game.state);
}

fn of_answer(player: PlayerId, question: QuestionId) -> Change {
    let (device, answer, correct, near_miss) = (Device::FIRST, "x".into(), true, false);
    Change::Answered { player, device, question, answer, correct, near_miss, partial: 0, elapsed: None }
}

/// An event that refers to nothing changes nothing, in any state.
#[test]
fn events_that_fit_nowhere_are_harmless() {
    for phase in Phase::ALL {
        let mut game = Game::in_phase(phase);
        let before = game.state.clone();
        let (ghost, nowhere) = (player(99), question(99));
        let correct = true;
        for change in [
            Change::Created(created(quiz(1, 1)).into()),
            Change::Left { player: ghost, device: Device::FIRST },
            Change::Returned { player: ghost, device: Device::FIRST },
            Change::QuestionReleased { question: nowhere },
            of_answer(player(1), nowhere),
            of_answer(ghost, question(1)),
            Change::AnswerOverridden { player: ghost, question: question(1), correct },
            Change::PlayerRemoved { player: ghost, banned: false },
            Change::Disconnected { player: ghost, device: Device::FIRST },
            Change::Connected { player: ghost, device: Device::FIRST },
            Change::AnswersMarked { question: nowhere, texts: vec!["right".into()], correct: false, partial: 0 },
            Change::MarksCorrected { question: question(1), players: vec![ghost], correct, partial: 0 },
            Change::MarksCorrected { question: nowhere, players: vec![ghost], correct, partial: 0 },
            Change::Appealed { player: ghost, question: question(1), text: None, device: Device::FIRST },
            Change::Appealed { player: player(1), question: nowhere, text: None, device: Device::FIRST },
            Change::AppealDismissed { player: ghost, question: question(1) },
            Change::AppealDismissed { player: player(1), question: nowhere },
            Change::PointsAdjusted { player: ghost, round: 0, points: 5, reason: None },
            Change::AdjustmentUndone { player: ghost, round: 0, number: 1 },
            Change::AdjustmentUndone { player: player(1), round: 0, number: 1 },
            Change::MarkingUndone { of: None },
            Change::QuestionClosed { question: nowhere },
            Change::TimerSet(TimeLeft { question: Some(nowhere), ms: 30_000 }.into()),
            Change::TimerHeld { held: true, left: Vec::new() },
            Change::TimerMark { left: vec![TimeLeft { question: None, ms: 1 }], step: Some(1) },
            Change::AutopilotSet { plan: None },
            Change::ExtraTimeSet { player: ghost, percent: 200 },
            Change::TimeOver { left: TimeLeft { question: Some(nowhere), ms: 1 }, up: 100, next: 200 },
            Change::AnswerRevealed { question: nowhere },
            Change::BreakMark { ms: 1 },
            Change::BreakEnded,
            Change::JokerPlayed { player: ghost, round: 0, device: Device::FIRST },
            Change::TieBreakAnswered { player: ghost, answer: 1, device: Device::FIRST },
            Change::TieBreakEnded { places: vec![(ghost, 1)] },
            Change::QuestionEdited(edited(nowhere).into()),
            Change::QuestionWithdrawn { question: nowhere },
            Change::PlayerRenamed { player: ghost, display_name: join(9, "Zoe").display_name },
            Change::SeatMoved { player: ghost, token: token(9), device: Device::FIRST },
            Change::SeatMoved { player: player(1), device: Device(1), token: token(9) },
            Change::Left { player: player(1), device: Device(1) },
            Change::Connected { player: player(1), device: Device(1) },
            Change::DeviceAdded(added_phone(99).into()),
            Change::DeviceAdded(added_phone(1).into()),
            Change::Suggested { player: ghost, device: Device(1), question: question(1), answer: "x".into() },
            Change::Suggested { player: player(1), device: Device(1), question: question(1), answer: "x".into() },
            Change::SeatAdded { player: player(1), display_name: join(9, "Zoe").display_name },
            entered(ghost, question(1)),
            entered(player(1), nowhere),
        ] {
            game.state.apply(&Event::new(change.clone(), None));
            assert_eq!(game.state, before, "{change:?} in {phase}");
        }
    }
}

/// Every kind of event after every other: no order of them panics.
/// Our logs never hold such a pair, but a score must not depend on that.
#[test]
fn scores_released_twice_count_once() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    let before = game.state.clone();
    game.state.apply(&Event::new(Change::ScoresReleased { held: false }, None));
    assert_eq!(game.state, before);
    assert_eq!(before.board().standings[0].score, 100);
}

#[test]
fn no_order_of_events_panics() {
    let changes = every_change();
    for first in &changes {
        for second in &changes {
            for third in &changes {
                let mut state = State::created(&created(quiz(1, 1)));
                for change in [first, second, third] {
                    state.apply(&Event::new(change.clone(), Some(command_id(1, 1))));
                }
                assert!(state.review().count() <= 1 && state.board().standings.len() <= 1);
            }
        }
    }
}

#[test]
fn debug_shows_no_secret_name_or_answer() {
    let game = long_game();
    let shown = format!("{:?} {:?} {:?}", game.state, game.log, game.state.players().collect::<Vec<_>>());
    let review = format!("{:?} {:?}", game.state.review().collect::<Vec<_>>(), game.state.results_of(player(3)));
    for secret in ["canary", "right", "Ann", "Cleo", "0303", "[7, 7", "Question 4?"] {
        assert!(!shown.contains(secret) && !review.contains(secret), "{secret} is shown");
    }
}
