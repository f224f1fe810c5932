//! One change of every kind, and the list of kinds for comparison.

use std::collections::BTreeSet;

use quizhall_rules::{
    AutopilotPlan, Bundle, BundleRow, Change, Device, HostRole, MarkedText, OnScreens, PlayOptions, PlayerId,
    QuestionEdit, QuestionId, Rows, SentRow, Setting, Slide, TimeLeft,
};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::co_hosts::co_host;
use crate::screens::{added, screen};
use crate::seats::code;
use crate::stage::{created, join, player, question, quiz, token};
use crate::teams::added_phone;

pub const PLAN: AutopilotPlan = AutopilotPlan {
    answer_for: 30,
    reveal_for: 8,
    break_for: 10,
    hold_without_host: true,
    standings_for: None,
    hold_for_marking: None,
    to_the_end: true,
};

/// The names of all variants of an enum: serde lists them in its error for an unknown one.
pub fn variants<T: DeserializeOwned>(unknown: &str) -> BTreeSet<String> {
    let error = serde_json::from_str::<T>(unknown).err().unwrap().to_string();
    let variants: BTreeSet<_> = error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(variants.len() > 1, "{error}");
    variants
}

/// One answer.
fn bundle(question: QuestionId) -> Bundle {
    let text = MarkedText { text: "x".into(), correct: false, near_miss: true, partial: 0 };
    let sent = SentRow { session: 1, number: 2, text: 0, elapsed: None };
    Bundle { question, epoch: 3, texts: vec![text], rows: Rows(vec![BundleRow { slot: 0, sent }]) }
}

/// One event of every kind.
pub fn every_change() -> Vec<Change> {
    let (who, what) = (player(1), question(1));
    let display_name = join(1, "Ann").display_name;
    let mut changes = presence(who);
    changes.extend([
        Change::Created(created(quiz(1, 1)).into()),
        Change::Claimed { epoch: 3, node: Uuid::from_u128(9) },
        Change::Joined { player: who, display_name, token: token(1), idempotency: Some(token(2)), team: None },
        Change::Started,
        Change::QuestionReleased { question: what },
        Change::Answered {
            player: who,
            question: what,
            answer: "x".into(),
            correct: false,
            near_miss: true,
            partial: 0,
            elapsed: None,
            device: Device::FIRST,
        },
        Change::Answers(bundle(what).into()),
        Change::QuestionClosed { question: what },
        Change::QuestionClosing { question: what },
        Change::OptionsSet(PlayOptions { answer_seconds: Some(20), ..PlayOptions::default() }.into()),
        Change::TimerSet(TimeLeft { question: Some(what), ms: 30_000 }.into()),
        Change::TimerHeld { held: true, left: vec![TimeLeft { question: None, ms: 1 }] },
        Change::TimerMark { left: vec![TimeLeft { question: Some(what), ms: u64::MAX }], step: None },
        Change::AutopilotSet { plan: Some(PLAN) },
        Change::RoundEnded,
        Change::AnswerOverridden { player: who, question: what, correct: true },
        Change::AnswersMarked { question: what, texts: vec!["x".into()], correct: true, partial: 0 },
        Change::KeyChanged { question: what, texts: vec!["x".into()], correct: true, partial: 0 },
        Change::MarksCorrected { question: what, players: vec![who], correct: true, partial: 0 },
        Change::Appealed { player: who, question: what, text: Some("It was".into()), device: Device::FIRST },
        Change::AppealDismissed { player: who, question: what },
        Change::PointsAdjusted { player: who, round: 0, points: -5, reason: Some("Phone under the table".into()) },
        Change::AdjustmentUndone { player: who, round: 0, number: 1 },
        Change::MarkingUndone { of: None },
        Change::TallyShown { question: what, hidden: vec!["x".into()] },
        Change::ScoresReleased { held: false },
        Change::ScoresReleased { held: true },
        Change::NextRoundStarted,
        Change::Ended,
        Change::PlayerRemoved { player: who, banned: false },
        Change::Set(Setting::Locked(true)),
        Change::Closed,
        Change::ExtraTimeSet { player: who, percent: 150 },
        Change::TimeOver { left: TimeLeft { question: Some(what), ms: 9_000 }, up: 100, next: 150 },
        Change::AnswerRevealed { question: what },
        Change::BreakStarted { ms: 60_000, text: Some("Drinks".into()) },
        Change::BreakMark { ms: 1 },
        Change::BreakEnded,
        Change::JokerPlayed { player: who, round: 0, device: Device::FIRST },
        Change::ScreenAdded(added(1)),
        Change::ScreenRemoved { screen: screen(1) },
        Change::CoHostAdded(co_host(1, HostRole::Marker).into()),
        Change::CoHostRemoved { device: Device(1) },
        Change::SeatCodeIssued(code(1, 0)),
        Change::SeatMoved { player: who, token: token(9), device: Device::FIRST },
        Change::Set(Setting::Screens(OnScreens { slide: Some(Slide::Next), ..OnScreens::default() })),
        Change::Set(Setting::Spectators(true)),
        Change::TieBreakStarted { players: vec![who], text: "How many?".into(), answer: -88 },
        Change::TieBreakAnswered { player: who, answer: 85, device: Device::FIRST },
        Change::TieBreakEnded { places: vec![(who, 1)] },
        Change::QuestionEdited(edited(what).into()),
        Change::QuestionWithdrawn { question: what },
        Change::PlayerRenamed { player: who, display_name: join(1, "Anna").display_name },
        Change::DeviceAdded(added_phone(1).into()),
        Change::Suggested { player: who, device: Device(1), question: what, answer: "x".into() },
        Change::SeatAdded { player: who, display_name: join(1, "Anna").display_name },
        entered(who, what),
    ]);
    changes
}

pub fn presence(player: PlayerId) -> Vec<Change> {
    let device = Device::FIRST;
    vec![
        Change::Left { player, device },
        Change::Returned { player, device },
        Change::Disconnected { player, device },
        Change::Connected { player, device },
        Change::HostLeft,
        Change::HostReturned,
    ]
}

pub fn entered(player: PlayerId, question: QuestionId) -> Change {
    Change::AnswerEntered { player, question, answer: "x".into(), correct: false, near_miss: true, partial: 50 }
}

pub fn edited(question: QuestionId) -> QuestionEdit {
    QuestionEdit {
        question,
        text: Some("What?".into()),
        choices: Some(vec!["x".into(), "y".into()]),
        accepted: Some(vec!["y".into()]),
    }
}
