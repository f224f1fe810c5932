//! The game that every scenario plays: one round of two questions, and numbered players.
//!
//! Used by `opening`, `big_game` and `many_games`.

use quizhall_engine::Participant;
use quizhall_rules::{
    Change, Created, DisplayName, Event, GameId, HostId, MarkingRule, PlayerId, Question, QuestionId, QuestionKind,
    Quiz, Round, State, TokenHash,
};
use uuid::Uuid;

/// The participant who is this player.
pub fn participant(number: u64) -> Participant {
    Participant::Player(player(number))
}

/// The id of question 1 or 2.
pub fn question(number: u64) -> QuestionId {
    QuestionId::from(Uuid::from_u64_pair(2, number))
}

/// An event that no command caused.
pub fn event(change: Change) -> Event {
    Event::new(change, None)
}

/// The game in its lobby with this many players.
pub fn lobby(players: u64) -> State {
    let events: Vec<Event> = std::iter::once(created()).chain((1..=players).map(joined)).collect();
    State::replay(&events).expect("a lobby is a legal log")
}

/// The same with question 1 open.
pub fn asking(players: u64) -> State {
    let mut state = lobby(players);
    state.apply(&event(Change::Started));
    state.apply(&event(Change::QuestionReleased { question: question(1) }));
    state
}

fn player(number: u64) -> PlayerId {
    PlayerId::from(Uuid::from_u64_pair(1, number))
}

fn created() -> Event {
    let asked = |number| Question {
        points: 100,
        ..Question::new(question(number), QuestionKind::Text, format!("Question {number}?"), &[format!("key{number}")])
    };
    let created = Created {
        game: GameId::from(Uuid::from_u64_pair(3, 1)),
        host: HostId::from(Uuid::from_u64_pair(3, 2)),
        code: "ABC234".to_owned(),
        quiz: Quiz { title: "Small".to_owned(), rounds: vec![Round::new("", vec![asked(1), asked(2)])] },
        join_secret: [0; 32],
        created_at_ms: 0,
        phones_after_screen: false,
        clean_names: false,
        teams: None,
        rule: MarkingRule::LATEST,
    };
    event(Change::Created(created.into()))
}

fn joined(number: u64) -> Event {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&number.to_le_bytes());
    event(Change::Joined {
        player: player(number),
        display_name: DisplayName::parse(&format!("Player {number}")).expect("a plain name"),
        token: TokenHash(hash),
        idempotency: None,
        team: None,
    })
}
