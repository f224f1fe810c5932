//! The measured game: a million players with a session each, and a round whose questions are all open.

use quizhall_engine::{ConnectionId, EdgeId};
use quizhall_rules::{
    Actor, AnswerText, Change, Command, Created, DisplayName, Event, GameId, HostId, MarkingRule, Moment, Origin,
    PlayOptions, PlayerId, Question, QuestionId, QuestionKind, Quiz, Round, State, TokenHash, decide,
};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

/// The epoch of the measured owner.
pub const EPOCH: u64 = 1;
/// Nodes with sockets of the game.
const EDGES: usize = 50;
/// The most answers that an edge sends together.
pub const TOGETHER: usize = 1_024;
const CHOICES: [&str; 4] = ["Venus", "Mercury", "Mars", "Earth"];
const RIVERS: [&str; 8] = ["Danube", "Danueb", "Dnieper", "the Rhine", "Elbe", "Po", "Guadalquivir", "donau"];

/// The kind of question.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// One of four choices.
    Choices,
    /// A text, and no two players write the same.
    Distinct,
}

/// A socket with a session, as the owner finds it by the session's number.
#[derive(Clone, Copy)]
pub struct Place {
    pub slot: u32,
    pub edge: EdgeId,
    pub connection: ConnectionId,
}

/// The game before its answers.
pub struct Stage {
    pub state: State,
    pub ids: Vec<PlayerId>,
    /// The place of each session, by its number from 0.
    pub places: Vec<Place>,
    /// The sessions in the order in which they answer, those of an edge together.
    order: Vec<u32>,
}

/// The answers to one question.
pub struct Given {
    pub question: QuestionId,
    /// The number of the command in every session.
    pub number: u32,
    /// Each session's text, in order of arrival.
    pub answers: Vec<(u32, AnswerText)>,
}

impl Kind {
    pub fn name(self) -> &'static str {
        if self == Self::Choices { "choices" } else { "distinct texts" }
    }

    fn text(self, player: u32, random: &mut StdRng) -> String {
        match self {
            Self::Choices => CHOICES[random.random_range(0..CHOICES.len())].to_owned(),
            Self::Distinct => format!("{} {player}", RIVERS[random.random_range(0..RIVERS.len())]),
        }
    }
}

impl Stage {
    /// A game of this many players, with this many open questions of each kind.
    pub fn of(players: usize, questions: usize) -> Self {
        let ids: Vec<PlayerId> = (1..).take(players).map(|number| Uuid::from_u64_pair(1, number).into()).collect();
        let mut state = State::created(&created(questions));
        for (number, id) in (0_u64..).zip(&ids) {
            state.apply(&joined(number, *id));
        }
        state.apply(&Event::new(Change::Claimed { epoch: EPOCH, node: Uuid::from_u64_pair(4, 1) }, None));
        let all = (0..2 * questions).map(|question| Command::ReleaseQuestion { question: question_id(question) });
        for command in std::iter::once(Command::StartGame).chain(all) {
            let origin = Origin { actor: Actor::Host, command_id: None, at: Moment::default() };
            let event = decide(&state, origin, &command).expect("the host may").expect("it changes something");
            state.apply(&event);
        }
        let (places, order) = sessions(players);
        Self { state, ids, places, order }
    }

    pub fn players(&self) -> usize {
        self.ids.len()
    }

    /// Every player's answer to a question.
    pub fn answers(&self, question: usize, kind: Kind) -> Given {
        let mut random = StdRng::seed_from_u64(question as u64);
        let mut answer = |session: &u32| {
            let text = kind.text(self.places[*session as usize].slot, &mut random);
            (*session, AnswerText::parse(&text).expect("a short text"))
        };
        let number = u32::try_from(question + 1).expect("few questions");
        Given { question: question_id(question), number, answers: self.order.iter().map(&mut answer).collect() }
    }
}

/// Sessions are given in an order of their own, and answers arrive in another one: neighbours share no memory.
fn sessions(players: usize) -> (Vec<Place>, Vec<u32>) {
    let mut random = StdRng::seed_from_u64(7);
    let all = u32::try_from(players).expect("players are numbered with 32 bits");
    let (mut slots, mut order): (Vec<u32>, Vec<u32>) = ((0..all).collect(), (0..all).collect());
    slots.shuffle(&mut random);
    order.shuffle(&mut random);
    let connection = (0..).map(ConnectionId);
    let mut places: Vec<Place> = slots
        .iter()
        .zip(connection)
        .map(|(slot, connection)| Place { slot: *slot, edge: EdgeId(0), connection })
        .collect();
    for (some, edge) in order.chunks(TOGETHER).zip((0..EDGES as u64).cycle()) {
        for session in some {
            places[*session as usize].edge = EdgeId(edge);
        }
    }
    (places, order)
}

fn joined(number: u64, player: PlayerId) -> Event {
    let mut token = [0; 32];
    token[..8].copy_from_slice(&number.to_le_bytes());
    let display_name = DisplayName::parse(&format!("Player {number}")).expect("a plain name");
    let change = Change::Joined { player, display_name, token: TokenHash(token), idempotency: None, team: None };
    Event::new(change, None)
}

fn question_id(question: usize) -> QuestionId {
    Uuid::from_u64_pair(2, question as u64).into()
}

fn created(questions: usize) -> Created {
    let choices = |at| Question {
        choices: CHOICES.map(str::to_owned).to_vec(),
        ..Question::new(question_id(at), QuestionKind::MultipleChoice, "The shortest year?", &["Mercury"])
    };
    let texts = |at| Question::new(question_id(at), QuestionKind::Text, "Which river?", &["Danube", "Donau"]);
    let asked = (0..questions).map(choices).chain((questions..2 * questions).map(texts));
    let quiz = Quiz { title: "A large game".to_owned(), rounds: vec![Round::new("A round", asked.collect())] };
    quiz.validate().expect("the quiz keeps to the limits");
    Created {
        game: GameId::from(Uuid::from_u64_pair(3, 1)),
        host: HostId::from(Uuid::from_u64_pair(3, 2)),
        code: "ABC234".to_owned(),
        quiz,
        join_secret: [7; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    }
}
