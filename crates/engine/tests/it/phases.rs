//! The table of messages says in which phases a client may send each; the rules of the game decide it. Both must agree.

use quizhall_engine::wire::{command_of, submitted};
use quizhall_protocol::messages::{Described, Direction};
use quizhall_protocol::{Decoded, Dialect, HostMessage, PlayerMessage};
use quizhall_rules::{Actor, Change, Command, Moment, Origin, Phase, Refusal, State, decide};

use crate::stage::{created, event, joined, player};

#[test]
fn the_table_of_messages_names_the_phases_of_the_rules() {
    let mut compared = 0;
    for direction in [Direction::FromHost, Direction::FromPlayer] {
        for message in direction.table() {
            let (actor, command) = command(direction, &message);
            let named: Vec<&str> = message.phases.split(", ").collect();
            for phase in Phase::ALL {
                let origin = Origin { actor, command_id: None, at: Moment::default() };
                let is_valid = decide(&in_phase(phase), origin, &command) != Err(Refusal::WrongPhase);
                let name = message.row.name;
                assert_eq!(named.contains(&phase.as_str()), is_valid, "{name} in {phase}, table: {}", message.phases);
                compared += 1;
            }
            let is_phase = |word: &&str| Phase::ALL.iter().any(|phase| phase.as_str() == *word);
            assert!(named.iter().all(is_phase), "{}: {}", message.row.name, message.phases);
        }
    }
    assert!(compared >= 14 * 5, "{compared} comparisons");
}

/// The command of a message's example.
fn command(direction: Direction, message: &Described) -> (Actor, Command) {
    let (text, dialect) = (&message.example, Dialect::QuizhallV1);
    match direction {
        Direction::FromHost => match HostMessage::decode(text, dialect).unwrap() {
            Decoded::Game(message) => (Actor::Host, command_of(&message, 100).unwrap()),
            Decoded::Socket(_) => panic!("not for the game: {text}"),
        },
        _ => match PlayerMessage::decode(text, dialect).unwrap() {
            Decoded::Game(message) => (Actor::Player(player(1)), submitted(&message, None).unwrap()),
            Decoded::Socket(_) => panic!("not for the game: {text}"),
        },
    }
}

fn in_phase(phase: Phase) -> State {
    let steps = [Change::Started, Change::RoundEnded, Change::ScoresReleased { held: false }, Change::Ended];
    let steps = steps.into_iter().map(event).take(phase as usize);
    let state = State::replay(&[created(), joined(1)].into_iter().chain(steps).collect::<Vec<_>>()).unwrap();
    assert_eq!(state.phase(), phase);
    state
}
