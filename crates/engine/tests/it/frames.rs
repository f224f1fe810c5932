//! Frames between nodes are decoded as they were encoded, and an unknown frame causes only an error.

use std::fmt::Debug;
use std::sync::Arc;

use quizhall_engine::{
    Attaching, ConnectionId, EdgeId, FromOwner, GivenAnswers, Head, Outcome, Participant, RequestId, ToEdge, ToOwner,
};
use quizhall_rules::{
    Actor, AddDevice, AdjustmentId, AnswerText, AnswerTexts, AutopilotPlan, CoHost, Command, CommandId, Device,
    DeviceId, DisplayName, EnteredAnswer, Expiry, HostRole, Join, NewSeat, OnScreens, Pace, PlayOptions, PlayerId,
    QuestionEdit, QuestionId, Refusal, Rows, Screen, SeatCode, SeatMove, SentRow, Setting, Slide, TeamCode,
    TieQuestion, TimeLeft, TokenHash,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{answered, as_player, command_id, created, event, join, joined, lobby, player, question, submit};

const SOCKET: ConnectionId = ConnectionId(u64::MAX);
const COMMAND_ID: CommandId = CommandId { session: (7 << 32) | 1, number: 3 };

fn to_owner() -> Vec<ToOwner> {
    let (connection, command_id) = (SOCKET, COMMAND_ID);
    let command = |participant, seen: Option<CommandId>, command| {
        let epoch = seen.map(|_| 1 << 40);
        ToOwner::Command { connection, participant, command_id, seen, epoch, command }
    };
    let mut frames = vec![
        ToOwner::Hello,
        ToOwner::Attach(Attaching { connection, participant: Participant::Host, prior: None, moves: 0 }),
        ToOwner::Attach(Attaching { connection, participant: as_player(1), prior: Some(u64::MAX), moves: 0 }),
        ToOwner::Attach(Attaching { connection, participant: as_player(1), prior: None, moves: 2 }),
        ToOwner::Detach { connection, participant: as_player(1), clean: true },
        command(as_player(1), Some(COMMAND_ID), submit(1, "Größe \u{1F3B2}\n\"quoted\"")),
        command(Participant::Host, None, Command::StartGame),
        command(Participant::Device(player(1), Device(3)), None, submit(1, "ours")),
        command(Participant::CoHost(Device(2)), None, Command::UndoMarking),
        ToOwner::Unsubscribe,
        ToOwner::Answers(answers()),
        ToOwner::AttachMany(vec![
            Attaching { connection, participant: as_player(1), prior: Some(1 << 32), moves: 0 },
            Attaching { connection, participant: Participant::Device(player(2), Device(1)), prior: None, moves: 3 },
        ]),
    ];
    let actors = [
        Actor::Service,
        Actor::Host,
        Actor::CoHost(Device(2)),
        Actor::Player(player(1)),
        Actor::Device(player(1), Device(2)),
    ];
    for (number, command) in (1..).zip(commands()) {
        let request = RequestId(number);
        frames.extend(actors.map(|actor| ToOwner::Request { request, actor, command: command.clone() }));
    }
    frames
}

fn answers() -> GivenAnswers {
    let texts = [r#"Größe "quoted""#, "2"].map(|text| AnswerText::parse(text).unwrap()).to_vec();
    let last = SentRow { session: u32::MAX, number: u32::MAX, text: 1, elapsed: Some(u32::MAX) };
    let rows = Rows(vec![SentRow { session: 1, number: 1, text: 0, elapsed: None }, last]);
    GivenAnswers { epoch: 1 << 40, given_by: Some(7), question: question(1), texts, rows }
}

pub const PLAN: AutopilotPlan = AutopilotPlan {
    answer_for: 30,
    reveal_for: 5,
    break_for: 600,
    hold_without_host: true,
    standings_for: Some(15),
    hold_for_marking: Some(false),
    to_the_end: true,
};

fn commands() -> Vec<Command> {
    let (player, question) = (player(1), question(1));
    let hash = TokenHash(std::array::from_fn(|at| u8::try_from(at * 8).unwrap()));
    let keyed = Join {
        player,
        display_name: DisplayName::parse("Zoë O’Hara 李").unwrap(),
        token: hash,
        idempotency: Some(TokenHash([255; 32])),
        player_limit: u32::MAX,
        team: TeamCode::parse("AB24"),
    };
    let texts: AnswerTexts = ["one", "zwei", ""].map(str::to_owned).into_iter().collect();
    vec![
        join(1),
        Command::Join(keyed.into()),
        Command::Leave { player, device: Device::FIRST },
        Command::Return { player, device: Device::FIRST },
        Command::HostLeave,
        Command::HostReturn,
        Command::StartGame,
        Command::ReleaseQuestion { question },
        Command::CloseQuestion { question },
        Command::SetCloseWhenAnswered { on: true },
        Command::SetOptions(PlayOptions { pace: Pace::Question, ..PlayOptions::default() }.into()),
        Command::EndRound,
        Command::OverrideAnswer { player, question, correct: true },
        Command::MarkAnswers { question, texts: texts.clone(), correct: false, half: true, alike: true },
        Command::AcceptAnswer { question, texts: texts.clone(), correct: false, half: true },
        Command::OpenDesk { open: true },
        Command::CorrectMarks { question, texts: texts.clone(), correct: false, half: true },
        Command::ShowTally { question, hidden: texts },
        Command::UndoMarking,
        Command::ReleaseScores,
        Command::ReleaseOwnScores,
        Command::ShowStandings,
        Command::Next { number: 7 },
        Command::StartNextRound,
        Command::EndGame,
        submit(2, "\t"),
        Command::Remove { player },
        Command::Ban { player },
        Command::Set(Setting::Locked(true)),
        Command::SetTimer(TimeLeft { question: Some(question), ms: 30_000 }),
        Command::AddTime(TimeLeft { question: None, ms: 10_000 }),
        Command::HoldTimers { held: true },
        Command::MarkTimers,
        Command::SetAutopilot(None),
        Command::SetAutopilot(Some(PLAN)),
        Command::Expire(Expiry { question: Some(question), generation: 7, is_step: true }),
        Command::Close,
        Command::SetExtraTime { player, percent: 150 },
        Command::RevealAnswer { question },
        Command::StartBreak { ms: 60_000, text: Some("Drinks".to_owned()) },
        Command::EndBreak,
        Command::PlayJoker,
        Command::Set(Setting::Spectators(true)),
        Command::AddScreen(added().into()),
        Command::RemoveScreen { screen: added().id },
        Command::AddCoHost(invited().into()),
        Command::RemoveCoHost { co_host: invited().id },
        Command::TieBreak(TieQuestion { players: vec![player], text: "How many?".to_owned(), answer: -88 }.into()),
        Command::IssueSeatCode(SeatCode { player, code: TokenHash([6; 32]), at_ms: 2, device: Device::FIRST }.into()),
        Command::MoveSeat(SeatMove { code: TokenHash([6; 32]), token: TokenHash([7; 32]), at_ms: 3 }.into()),
        Command::RemovePhone { player, device: Device(1) },
    ]
    .into_iter()
    .chain(of_the_leaderboard(player, question))
    .collect()
}

fn of_the_leaderboard(player: PlayerId, question: QuestionId) -> [Command; 16] {
    let answer = AnswerText::parse("perhaps").unwrap();
    let asked = AddDevice {
        team: TeamCode::parse("AB24").unwrap(),
        device: DeviceId::from(player.uuid()),
        display_name: DisplayName::parse("Zoë").unwrap(),
        token: TokenHash([8; 32]),
        idempotency: None,
    };
    [
        Command::Set(Setting::Screens(OnScreens {
            slide: Some(Slide::Standings(1)),
            blank: true,
            sound: true,
            language: Some("de".to_owned()),
        })),
        Command::AddDevice(asked.into()),
        Command::SuggestAnswer { question, answer },
        Command::Leave { player, device: Device(11) },
        Command::AnswerTieBreak { answer: 1 << 52 },
        Command::EndTieBreak,
        Command::CorrectPlayers { question, players: vec![player], correct: true, half: false },
        Command::Appeal { question, text: Some("It was".to_owned()) },
        Command::DismissAppeal { player, question },
        Command::AdjustPoints { player, points: -5, reason: Some("A phone".into()) },
        Command::UndoAdjustment { adjustment: AdjustmentId::from(player.uuid()) },
        Command::EditQuestion(
            QuestionEdit { question, text: None, choices: Some(vec!["x".to_owned()]), accepted: None }.into(),
        ),
        Command::WithdrawQuestion { question },
        Command::RenamePlayer { player, name: "Zoe".to_owned() },
        Command::AddSeat(NewSeat { name: "Zoe".to_owned(), player_limit: 3 }.into()),
        Command::EnterAnswer(EnteredAnswer { player, question, answer: AnswerText::parse("Bern").unwrap() }.into()),
    ]
}

fn to_edge() -> Vec<ToEdge> {
    let (connection, command_id, seq) = (SOCKET, command_id(1, 2), 1 << 60);
    let by = |mut event: quizhall_rules::Event| {
        event.command_id = Some(COMMAND_ID);
        event
    };
    let events = vec![created(), joined(1), event(quizhall_rules::Change::Started), by(answered(1, 1, "key1"))];
    let mut frames = vec![
        ToEdge::Stored { seq },
        ToEdge::Committed { first: 0, chain: None, events: events.into() },
        ToEdge::Committed { first: 0, chain: None, events: Arc::new([]) },
        ToEdge::Attached { connection, participant: as_player(1), session: seq },
        ToEdge::Detached { connection },
        ToEdge::Replaced { connection },
        ToEdge::Done { connection, command_id, seq },
        ToEdge::Outdated { connection, command_id, seq },
        ToEdge::AttachedMany(vec![(connection, as_player(1), seq), (connection, as_player(2), 1)]),
        ToEdge::Outcomes {
            seq,
            rows: vec![(connection, command_id, Outcome::Done), (connection, COMMAND_ID, Outcome::Outdated)],
        },
        ToEdge::Answer { request: RequestId(1), result: Ok(()), seq },
        ToEdge::Heartbeat { seq },
        ToEdge::Released { to: None },
        ToEdge::Released { to: Some(EdgeId(u64::MAX)) },
    ];
    for refusal in REFUSALS {
        frames.push(ToEdge::Refused { connection, command_id, refusal, seq });
        frames.push(ToEdge::Outcomes { seq, rows: vec![(connection, command_id, Outcome::Refused(refusal))] });
        frames.push(ToEdge::Answer { request: RequestId(1), result: Err(refusal), seq });
    }
    frames
}

const REFUSALS: [Refusal; 22] = [
    Refusal::WrongPhase,
    Refusal::WrongRole,
    Refusal::UnknownQuestion,
    Refusal::UnknownPlayer,
    Refusal::NoRoundLeft,
    Refusal::NameTaken,
    Refusal::Locked,
    Refusal::Ended,
    Refusal::Full,
    Refusal::IdempotencyMismatch,
    Refusal::Superseded,
    Refusal::Closed,
    Refusal::KeyFull,
    Refusal::TooManyAdjustments,
    Refusal::TooManyScreens,
    Refusal::TooManyCoHosts,
    Refusal::UnknownSeatCode,
    Refusal::NoTeams,
    Refusal::UnknownTeam,
    Refusal::TeamCodeTaken,
    Refusal::TeamFull,
    Refusal::TooMuch,
];

fn invited() -> CoHost {
    let (role, label) = (HostRole::Marker, DisplayName::parse("Zoë").unwrap());
    CoHost { id: Uuid::from_u64_pair(6, 1).into(), role, label, token: TokenHash([6; 32]), at_ms: 1 }
}

fn added() -> Screen {
    Screen { id: Uuid::from_u64_pair(5, 1).into(), token: TokenHash([5; 32]), at_ms: 1 }
}

/// The place of a frame among its kind. A new variant must be added here, and to the frames above.
fn place_to_owner(frame: &ToOwner) -> usize {
    match frame {
        ToOwner::Hello => 0,
        ToOwner::Attach(_) => 1,
        ToOwner::Detach { .. } => 2,
        ToOwner::Command { .. } => 3,
        ToOwner::Request { .. } => 4,
        ToOwner::Unsubscribe => 5,
        ToOwner::Answers(_) => 6,
        ToOwner::AttachMany(_) => 7,
    }
}

/// The same for the other direction; `None` for the frame that is never sent to another node.
fn place_to_edge(frame: &ToEdge) -> Option<usize> {
    match frame {
        ToEdge::State { .. } => None,
        ToEdge::Stored { .. } => Some(0),
        ToEdge::Committed { .. } => Some(1),
        ToEdge::Attached { .. } => Some(2),
        ToEdge::Detached { .. } => Some(3),
        ToEdge::Replaced { .. } => Some(4),
        ToEdge::Done { .. } => Some(5),
        ToEdge::Refused { .. } => Some(6),
        ToEdge::Outdated { .. } => Some(7),
        ToEdge::Answer { .. } => Some(8),
        ToEdge::Heartbeat { .. } => Some(9),
        ToEdge::Released { .. } => Some(10),
        ToEdge::AttachedMany(_) => Some(11),
        ToEdge::Outcomes { .. } => Some(12),
    }
}

/// A new command must be added here and above; likewise a refusal.
fn place_of_command(command: &Command) -> usize {
    match command {
        Command::Join(_) => 0,
        Command::Leave { .. } => 1,
        Command::Return { .. } => 2,
        Command::HostLeave => 3,
        Command::HostReturn => 4,
        Command::StartGame => 5,
        Command::ReleaseQuestion { .. } => 6,
        Command::EndRound => 7,
        Command::OverrideAnswer { .. } => 8,
        Command::MarkAnswers { .. } => 9,
        Command::UndoMarking => 10,
        Command::ReleaseScores => 11,
        Command::StartNextRound => 12,
        Command::EndGame => 13,
        Command::SubmitAnswer { .. } => 14,
        Command::Remove { .. } => 15,
        Command::Set(Setting::Locked(_)) => 16,
        Command::Close => 17,
        Command::ReleaseOwnScores => 18,
        Command::Next { .. } => 61,
        Command::ShowStandings => 19,
        Command::ShowTally { .. } => 20,
        Command::SetTimer(_) => 21,
        Command::AddTime(_) => 22,
        Command::HoldTimers { .. } => 23,
        Command::MarkTimers => 24,
        Command::Expire(_) => 25,
        Command::SetAutopilot(_) => 26,
        Command::SetExtraTime { .. } => 27,
        Command::RevealAnswer { .. } => 28,
        Command::StartBreak { .. } => 29,
        Command::EndBreak => 30,
        Command::AcceptAnswer { .. } => 31,
        Command::PlayJoker => 32,
        Command::OpenDesk { .. } => 33,
        Command::Set(Setting::Screens(_)) => 34,
        Command::AddScreen(_) => 35,
        Command::RemoveScreen { .. } => 36,
        Command::IssueSeatCode(_) => 38,
        Command::MoveSeat(_) => 39,
        Command::RemovePhone { .. } => 57,
        Command::CorrectMarks { .. } => 37,
        Command::TieBreak(_) => 40,
        Command::AnswerTieBreak { .. } => 41,
        Command::EndTieBreak => 42,
        Command::CorrectPlayers { .. } => 43,
        Command::Appeal { .. } => 44,
        Command::DismissAppeal { .. } => 45,
        Command::EditQuestion(_) => 46,
        Command::WithdrawQuestion { .. } => 47,
        Command::RenamePlayer { .. } => 48,
        Command::Set(Setting::Spectators(_)) => 49,
        Command::AddDevice(_) => 50,
        Command::SuggestAnswer { .. } => 51,
        Command::AddSeat(_) => 52,
        Command::EnterAnswer(_) => 53,
        Command::AddCoHost(_) => 54,
        Command::RemoveCoHost { .. } => 55,
        Command::Ban { .. } => 56,
        Command::CloseQuestion { .. } => 58,
        Command::SetCloseWhenAnswered { .. } => 59,
        Command::SetOptions(_) => 60,
        Command::AdjustPoints { .. } => 62,
        Command::UndoAdjustment { .. } => 63,
    }
}

fn places(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

fn journey<T: Serialize + DeserializeOwned + PartialEq + Debug>(thing: &T) {
    let json = serde_json::to_vec(thing).unwrap();
    assert_eq!(serde_json::from_slice::<T>(&json).unwrap(), *thing);
}

fn frames_from_owner() -> Vec<FromOwner> {
    to_edge().into_iter().map(|message| FromOwner { epoch: 1 << 40, message }).collect()
}

#[test]
fn every_frame_is_there() {
    assert_eq!(places(to_owner().iter().map(place_to_owner)), (0..8).collect::<Vec<_>>());
    assert_eq!(places(to_edge().iter().filter_map(place_to_edge)), (0..13).collect::<Vec<_>>());
    assert_eq!(places(commands().iter().map(place_of_command)), (0..64).collect::<Vec<_>>());
}

#[test]
fn every_frame_arrives_as_it_was_sent() {
    to_owner().iter().for_each(journey);
    frames_from_owner().iter().for_each(journey);
}

#[test]
fn values_in_frames_arrive_unchanged() {
    journey(&TokenHash(std::array::from_fn(|at| u8::try_from(at).unwrap())));
    for name in ["A", "Zoë O’Hara 李", "Player 1"] {
        let name = DisplayName::parse(name).unwrap();
        journey(&name);
        assert_eq!(serde_json::to_value(&name).unwrap(), json!(name.as_str()));
    }
    for text in [" ", "\t\n", "\"\\\u{7FF}\u{1F3B2}", &"ö".repeat(1_000)] {
        let text = AnswerText::parse(text).unwrap();
        journey(&text);
        assert_eq!(serde_json::to_value(&text).unwrap(), json!(text.as_str()));
    }
}

#[test]
fn a_whole_state_never_travels() {
    let message = ToEdge::State { seq: 1, head: Head { seq: 0, batch: 7 }, state: Arc::new(lobby(1)) };
    assert!(serde_json::to_string(&message).is_err());
    assert!(serde_json::to_string(&FromOwner { epoch: 1, message }).is_err());
    let state = serde_json::to_value(lobby(1)).unwrap();
    assert!(serde_json::from_value::<ToEdge>(json!({"state": {"seq": 1, "state": state}})).is_err());
}

#[test]
fn a_frame_that_is_not_known_is_an_error() {
    for unknown in [json!("sing"), json!({"sing": {}}), json!({"sing": {"seq": 1}}), json!(null), json!([])] {
        assert!(serde_json::from_value::<ToOwner>(unknown.clone()).is_err(), "{unknown}");
        assert!(serde_json::from_value::<FromOwner>(json!({"epoch": 1, "message": unknown})).is_err(), "{unknown}");
    }
    assert!(serde_json::from_value::<FromOwner>(json!({"message": {"heartbeat": {"seq": 1}}})).is_err());
    let known = json!({"epoch": 1, "message": {"heartbeat": {"seq": 1}}});
    assert!(serde_json::from_value::<FromOwner>(known).is_ok());
}

/// Nodes of the version before did not name the owner that they meant.
#[test]
fn a_command_without_an_epoch_is_understood() {
    for frame in to_owner() {
        let mut value = serde_json::to_value(&frame).unwrap();
        let Some(fields) = value.get_mut("command").and_then(Value::as_object_mut) else { continue };
        fields.remove("epoch");
        let before = serde_json::from_value::<ToOwner>(value).unwrap();
        assert!(matches!(before, ToOwner::Command { epoch: None, .. }), "{before:?}");
    }
}

/// Adds one field wherever a later version may add one.
fn grown<T: Serialize>(frame: &T) -> Value {
    let mut value = serde_json::to_value(frame).unwrap();
    if let Value::Object(frame) = &mut value {
        let inner: Vec<_> = frame.values_mut().filter_map(Value::as_object_mut).collect();
        for fields in inner {
            fields.insert("added".to_owned(), json!({"later": [1]}));
        }
    }
    value
}

#[test]
fn a_field_that_a_later_version_adds_is_ignored() {
    for frame in to_owner() {
        assert_eq!(serde_json::from_value::<ToOwner>(grown(&frame)).unwrap(), frame);
    }
    for message in to_edge() {
        let mut value = json!({"epoch": 3, "message": grown(&message)});
        value["added"] = json!(1);
        assert_eq!(serde_json::from_value::<FromOwner>(value).unwrap(), FromOwner { epoch: 3, message });
    }
}
