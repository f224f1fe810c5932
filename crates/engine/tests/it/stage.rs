//! A small game for tests: a quiz of two questions, numbered players, and the events that lead to where a test begins.

use bytes::Bytes;
use quizhall_engine::sections::{self, View};
use quizhall_engine::wire::{Frames, Recipient};
use quizhall_engine::{Dialect, Participant};
use quizhall_rules::{
    AnswerText, Change, Command, CommandId, Created, Device, DisplayName, Event, GameId, HostId, Join, MarkingRule,
    Moment, PlayOptions, PlayerId, Question, QuestionId, QuestionKind, Quiz, Round, State, TokenHash,
};
use uuid::Uuid;

pub fn player(number: u64) -> PlayerId {
    PlayerId::from(Uuid::from_u64_pair(1, number))
}

pub fn as_player(number: u64) -> Participant {
    Participant::Player(player(number))
}

pub fn question(number: u64) -> QuestionId {
    QuestionId::from(Uuid::from_u64_pair(2, number))
}

pub fn command_id(session: u64, number: u64) -> CommandId {
    CommandId { session, number }
}

/// What a socket of this participant is sent on connecting.
pub fn synced(state: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    let view = View::whole(state, participant, Moment::default());
    sections::sync(&view, dialect).into_iter().map(|(frame, _)| frame).collect()
}

/// What it is sent of a later state when the events between are not at hand.
pub fn caught_up(before: &State, after: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    let view = View::whole(after, participant, Moment::default());
    sections::catch_up(before, &view, dialect).into_iter().map(|(frame, _)| frame).collect()
}

pub fn event(change: Change) -> Event {
    Event::new(change, None)
}

/// The first event: one round of two questions.
pub fn created() -> Event {
    let asked = |number| Question {
        points: 100,
        ..Question::new(question(number), QuestionKind::Text, format!("Question {number}?"), &[format!("key{number}")])
    };
    let round = Round::new("", vec![asked(1), asked(2)]);
    let created = Created {
        game: GameId::from(Uuid::from_u64_pair(3, 1)),
        host: HostId::from(Uuid::from_u64_pair(3, 2)),
        code: "ABC234".to_owned(),
        quiz: Quiz { title: "Small".to_owned(), rounds: vec![round] },
        join_secret: [0; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    };
    event(Change::Created(created.into()))
}

pub fn joined(number: u64) -> Event {
    event(Change::Joined {
        player: player(number),
        display_name: name(number),
        token: token(number),
        idempotency: None,
        team: None,
    })
}

pub fn join(number: u64) -> Command {
    let join = Join {
        player: player(number),
        display_name: name(number),
        token: token(number),
        idempotency: None,
        player_limit: 100_000,
        team: None,
    };
    Command::Join(join.into())
}

pub fn answered(number: u64, of: u64, text: &str) -> Event {
    let correct = text.starts_with("key");
    let (player, question) = (player(number), question(of));
    event(Change::Answered {
        player,
        question,
        answer: text.into(),
        correct,
        near_miss: false,
        partial: 0,
        elapsed: None,
        device: Device::FIRST,
    })
}

pub fn submit(of: u64, text: &str) -> Command {
    Command::SubmitAnswer { question: question(of), answer: AnswerText::parse(text).unwrap(), elapsed: None }
}

/// The bytes that a socket without the extension receives of a message.
pub fn plain(message: &Frames) -> Bytes {
    message.of(Recipient::Plain).unwrap().clone()
}

/// A game in its lobby with this many players.
pub fn lobby(players: u64) -> State {
    let events: Vec<Event> = std::iter::once(created()).chain((1..=players).map(joined)).collect();
    State::replay(&events).unwrap()
}

/// The same with question 1 open.
pub fn asking(players: u64) -> State {
    let mut state = lobby(players);
    state.apply(&event(Change::Started));
    state.apply(&event(Change::QuestionReleased { question: question(1) }));
    state
}

fn name(number: u64) -> DisplayName {
    DisplayName::parse(&format!("Player {number}")).unwrap()
}

fn token(number: u64) -> TokenHash {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&number.to_le_bytes());
    TokenHash(hash)
}
