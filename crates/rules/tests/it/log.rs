//! The log: its stored form, reading it back, and that `Debug` shows no secret.

use std::collections::BTreeSet;

use quizhall_rules::{
    AddedDevice, Change, Command, CommandId, Device, Event, LOG_VERSION, OnScreens, Phase, PlayerId, QuestionId,
    ReplayError, SeatCode, Setting, Slide, State, TeamCode, TimeLeft, TimerLength, TokenHash,
};
use uuid::Uuid;

use crate::changes::{PLAN, edited, entered, every_change, variants};
use crate::screens::{added, screen};
use crate::seats::code;
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

/// Events stored today must stay readable for ever: these lines may gain fields, but never change.
#[test]
fn the_stored_form_is_pinned() {
    let p = player(1);
    let q = question(1);
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    let answered = |correct, near_miss| Change::Answered {
        player: p,
        question: q,
        answer: "Bern".into(),
        correct,
        near_miss,
        partial: 0,
        elapsed: None,
        device: Device::FIRST,
    };
    let decided_with_id = Event::new(answered(true, false), Some(command_id(7, 3)));
    assert_eq!(
        serde_json::to_string(&decided_with_id).unwrap(),
        format!(r#"{{"c":{{"t":"answered","p":"{p}","q":"{q}","a":"Bern","ok":true}},"s":[7,3]}}"#)
    );
    assert_eq!(
        event(answered(false, true)),
        format!(r#"{{"c":{{"t":"answered","p":"{p}","q":"{q}","a":"Bern","near":true}}}}"#)
    );
    assert_eq!(event(Change::Started), r#"{"c":{"t":"started"}}"#);
    assert_eq!(event(Change::Set(Setting::Locked(false))), r#"{"c":{"t":"lock_changed","locked":false}}"#);
    let texts = vec!["Bern".into(), "Genf".into()];
    let marked = Change::AnswersMarked { question: q, texts, correct: true, partial: 0 };
    assert_eq!(event(marked), format!(r#"{{"c":{{"t":"answers_marked","q":"{q}","as":["Bern","Genf"],"ok":true}}}}"#));
    let half = Change::KeyChanged { question: q, texts: vec!["bern".into()], correct: false, partial: 50 };
    assert_eq!(event(half), format!(r#"{{"c":{{"t":"key_changed","q":"{q}","as":["bern"],"pt":50}}}}"#));
    let changed = Change::KeyChanged { question: q, texts: vec!["bern".into()], correct: true, partial: 0 };
    assert_eq!(event(changed), format!(r#"{{"c":{{"t":"key_changed","q":"{q}","as":["bern"],"ok":true}}}}"#));
    assert_eq!(event(Change::MarkingUndone { of: None }), r#"{"c":{"t":"marking_undone"}}"#);
    assert_eq!(event(Change::ScoresReleased { held: false }), r#"{"c":{"t":"scores_released"}}"#);
    assert_eq!(event(Change::ScoresReleased { held: true }), r#"{"c":{"t":"scores_released","held":true}}"#);
}

#[test]
fn the_stored_form_of_presence_and_timers_is_pinned() {
    let (p, q) = (player(1), question(1));
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    assert_eq!(
        event(Change::Disconnected { player: p, device: Device::FIRST }),
        format!(r#"{{"c":{{"t":"disconnected","p":"{p}"}}}}"#)
    );
    assert_eq!(
        event(Change::Connected { player: p, device: Device::FIRST }),
        format!(r#"{{"c":{{"t":"connected","p":"{p}"}}}}"#)
    );
    assert_eq!(
        event(Change::QuestionClosed { question: q }),
        format!(r#"{{"c":{{"t":"question_closed","q":"{q}"}}}}"#)
    );
    let set = |question| event(Change::TimerSet(TimeLeft { question, ms: 30_000 }.into()));
    assert_eq!(set(Some(q)), format!(r#"{{"c":{{"t":"timer_set","q":"{q}","ms":30000}}}}"#));
    assert_eq!(set(None), r#"{"c":{"t":"timer_set","ms":30000}}"#);
    let length = TimerLength { left: TimeLeft { question: None, ms: 20_000 }, of: Some(40_000) };
    assert_eq!(event(Change::TimerSet(length)), r#"{"c":{"t":"timer_set","ms":20000,"of":40000}}"#);
    let over = |question| event(Change::TimeOver { left: TimeLeft { question, ms: 9 }, up: 100, next: 150 });
    assert_eq!(over(Some(q)), format!(r#"{{"c":{{"t":"time_over","q":"{q}","ms":9,"up":100,"next":150}}}}"#));
    assert_eq!(over(None), r#"{"c":{"t":"time_over","ms":9,"up":100,"next":150}}"#);
    assert_eq!(
        event(Change::ExtraTimeSet { player: p, percent: 150 }),
        format!(r#"{{"c":{{"t":"extra_time_set","p":"{p}","percent":150}}}}"#)
    );
    let left = vec![TimeLeft { question: Some(q), ms: 9 }, TimeLeft { question: None, ms: 10 }];
    let both = format!(r#"[{{"q":"{q}","ms":9}},{{"ms":10}}]"#);
    let held = Change::TimerHeld { held: false, left: left.clone() };
    assert_eq!(event(held), format!(r#"{{"c":{{"t":"timer_held","held":false,"ts":{both}}}}}"#));
    let mark = |step| event(Change::TimerMark { left: left.clone(), step });
    assert_eq!(mark(None), format!(r#"{{"c":{{"t":"timer_mark","ts":{both}}}}}"#));
    assert_eq!(mark(Some(9)), format!(r#"{{"c":{{"t":"timer_mark","ts":{both},"st":9}}}}"#));
    assert_eq!(event(Change::AutopilotSet { plan: None }), r#"{"c":{"t":"autopilot_set"}}"#);
    assert_eq!(
        event(Change::AutopilotSet { plan: Some(PLAN) }),
        r#"{"c":{"t":"autopilot_set","plan":{"answer_for":30,"reveal_for":8,"break_for":10,"hold_without_host":true,"to_the_end":true}}}"#
    );
    assert_eq!(event(Change::HostLeft), r#"{"c":{"t":"host_left"}}"#);
    assert_eq!(event(Change::HostReturned), r#"{"c":{"t":"host_returned"}}"#);
    let joined = Change::Joined {
        player: p,
        display_name: join(1, "Ann").display_name,
        token: token(0xab),
        idempotency: None,
        team: None,
    };
    assert_eq!(event(joined), format!(r#"{{"c":{{"t":"joined","p":"{p}","n":"Ann","k":"{}"}}}}"#, "ab".repeat(32)));
}

#[test]
fn the_stored_form_of_what_is_between_rounds_is_pinned() {
    let q = question(1);
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    let revealed = Change::AnswerRevealed { question: q };
    assert_eq!(event(revealed), format!(r#"{{"c":{{"t":"answer_revealed","q":"{q}"}}}}"#));
    let pause = |text: Option<&str>| event(Change::BreakStarted { ms: 9, text: text.map(str::to_owned) });
    assert_eq!(pause(None), r#"{"c":{"t":"break_started","ms":9}}"#);
    assert_eq!(pause(Some("Drinks")), r#"{"c":{"t":"break_started","ms":9,"tx":"Drinks"}}"#);
    assert_eq!(event(Change::BreakMark { ms: 9 }), r#"{"c":{"t":"break_mark","ms":9}}"#);
    assert_eq!(event(Change::BreakEnded), r#"{"c":{"t":"break_ended"}}"#);
    let joker = Change::JokerPlayed { player: player(1), round: 2, device: Device::FIRST };
    assert_eq!(event(joker), format!(r#"{{"c":{{"t":"joker_played","p":"{}","r":2}}}}"#, player(1)));
    let p = player(1);
    let asked = event(Change::TieBreakStarted { players: vec![p], text: "?".to_owned(), answer: -8 });
    assert_eq!(asked, format!(r#"{{"c":{{"t":"tie_break_started","ps":["{p}"],"tx":"?","no":-8}}}}"#));
    let answered = event(Change::TieBreakAnswered { player: p, answer: 7, device: Device::FIRST });
    assert_eq!(answered, format!(r#"{{"c":{{"t":"tie_break_answered","p":"{p}","no":7}}}}"#));
    let ended = event(Change::TieBreakEnded { places: vec![(p, 1)] });
    assert_eq!(ended, format!(r#"{{"c":{{"t":"tie_break_ended","pl":[["{p}",1]]}}}}"#));
}

#[test]
fn the_stored_form_of_screens_is_pinned() {
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    let (id, hash) = (screen(1), "01".repeat(32));
    let expected = format!(r#"{{"c":{{"t":"screen_added","sc":"{id}","k":"{hash}","at_ms":1000}}}}"#);
    assert_eq!(event(Change::ScreenAdded(added(1))), expected);
    let removed = Change::ScreenRemoved { screen: id };
    assert_eq!(event(removed), format!(r#"{{"c":{{"t":"screen_removed","sc":"{id}"}}}}"#));
    let shown = |slide| {
        let screens = OnScreens { slide: Some(slide), blank: false, sound: true, language: Some("de".into()) };
        event(Change::Set(Setting::Screens(screens)))
    };
    let on_screens = r#""sound":true,"language":"de"}}"#;
    let of = |slide: &str| format!(r#"{{"c":{{"t":"lock_changed","screens":{{"slide":{slide},{on_screens}}}"#);
    assert_eq!(shown(Slide::Question(2)), of(r#"{"question":2}"#));
    assert_eq!(shown(Slide::Winner), of(r#""winner""#));
}

#[test]
fn the_stored_form_of_moving_seats_is_pinned() {
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    let (who, hash) = (player(1), "09".repeat(32));
    let issued = format!(r#"{{"c":{{"t":"seat_code_issued","p":"{who}","k":"{hash}","at_ms":5}}}}"#);
    assert_eq!(event(Change::SeatCodeIssued(SeatCode { code: token(9), ..code(1, 5) })), issued);
    let moved = Change::SeatMoved { player: who, token: token(9), device: Device::FIRST };
    assert_eq!(event(moved), format!(r#"{{"c":{{"t":"seat_moved","p":"{who}","k":"{hash}"}}}}"#));
}

#[test]
fn the_stored_form_of_teams_is_pinned() {
    let event = |change| serde_json::to_string(&Event::new(change, None)).unwrap();
    let (who, what, hash) = (player(1), question(1), "01".repeat(32));
    let team = TeamCode::parse("AB24");
    let display_name = join(1, "Ann").display_name;
    let joined = Change::Joined { player: who, display_name, token: token(1), idempotency: None, team };
    assert_eq!(event(joined), format!(r#"{{"c":{{"t":"joined","p":"{who}","n":"Ann","k":"{hash}","tc":"AB24"}}}}"#));
    let AddedDevice { device, .. } = added_phone(1);
    let added = format!(r#"{{"c":{{"t":"device_added","p":"{who}","di":"{device}","n":"Cem","k":"{hash}"}}}}"#);
    assert_eq!(event(Change::DeviceAdded(added_phone(1).into())), added);
    let suggested = Change::Suggested { player: who, device: Device(1), question: what, answer: "x".into() };
    assert_eq!(event(suggested), format!(r#"{{"c":{{"t":"suggested","p":"{who}","d":1,"q":"{what}","a":"x"}}}}"#));
    let left = Change::Left { player: who, device: Device(2) };
    assert_eq!(event(left), format!(r#"{{"c":{{"t":"left","p":"{who}","d":2}}}}"#));
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
