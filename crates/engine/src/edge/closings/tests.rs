//! The closings of one socket, with every number of them written when a command arrives.
#![allow(clippy::unwrap_used)]

use quizhall_rules::{
    AnswerText, Change, Command, Created, Event, GameId, HostId, MarkingRule, PlayOptions, Question, QuestionId,
    QuestionKind, Quiz, Round, State,
};
use uuid::Uuid;

use super::Closings;
use crate::wire::Closing;

fn question(number: u128) -> QuestionId {
    Uuid::from_u128(number).into()
}

fn answer_to(number: u128) -> Command {
    Command::SubmitAnswer { question: question(number), answer: AnswerText::parse("x").unwrap(), elapsed: None }
}

/// A round in which questions 1 and 2 of three were released.
fn asking() -> State {
    let asked = |number| Question::new(question(number), QuestionKind::Text, "?", &["!"]);
    let round = Round::new("", (1..=3).map(asked).collect());
    let mut state = State::created(&Created {
        game: GameId::from(Uuid::nil()),
        host: HostId::from(Uuid::nil()),
        code: String::new(),
        quiz: Quiz { title: String::new(), rounds: vec![round] },
        join_secret: [0; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    });
    let released = [1, 2].map(|number| Change::QuestionReleased { question: question(number) });
    for change in std::iter::once(Change::Started).chain(released) {
        state.apply(&Event::new(change, None));
    }
    state
}

/// Whether the command crosses, for each number of closings written from none to all.
fn crossings(closings: &[Closing], command: &Command, state: Option<&State>) -> Vec<bool> {
    let mut sent = Closings::default();
    for closing in closings {
        sent.note_sent(*closing);
    }
    (0..=closings.len()).map(|written| sent.are_crossed_by(command, u32::try_from(written).unwrap(), state)).collect()
}

#[test]
fn a_closed_question_is_known_when_its_own_closing_is_written() {
    let both = [Closing::Question(question(1)), Closing::Question(question(2))];
    let state = asking();
    assert_eq!(crossings(&both, &answer_to(1), Some(&state)), [true, false, false]);
    assert_eq!(crossings(&both, &answer_to(2), Some(&state)), [true, true, false]);
    assert_eq!(crossings(&both, &answer_to(3), Some(&state)), [false; 3], "it was never open");
    assert_eq!(crossings(&both, &Command::EndRound, Some(&state)), [false; 3], "it closes answers only");
    assert_eq!(crossings(&both, &answer_to(1), None), [false; 3], "without a state nothing was shown to be open");
}

#[test]
fn a_socket_that_is_sent_no_closings_cannot_know() {
    assert_eq!(crossings(&[], &answer_to(1), Some(&asking())), [true]);
}

#[test]
fn the_end_of_a_round_closes_everything_and_what_came_before_it_is_forgotten() {
    let mut state = asking();
    state.apply(&Event::new(Change::RoundEnded, None));
    let closings = [Closing::Question(question(1)), Closing::Round];
    for command in [answer_to(1), answer_to(2), Command::EndRound] {
        assert_eq!(crossings(&closings, &command, Some(&state)), [true, true, false], "{command:?}");
    }
    let next = [Closing::Round, Closing::Question(question(1)), Closing::Round];
    assert_eq!(crossings(&next, &Command::EndRound, Some(&state)), [true, true, true, false]);
}
