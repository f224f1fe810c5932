//! The table of messages names the senders and the phases of each message; the rules decide what is accepted. Both must agree.

use quizhall_engine::wire::{command_of, submitted};
use quizhall_protocol::messages::{Described, Direction};
use quizhall_protocol::{Decoded, Dialect, HostMessage, PlayerMessage};
use quizhall_rules::{Command, Phase, Sender};

#[test]
fn the_table_of_messages_names_the_senders_and_phases_of_the_rules() {
    let mut compared = 0;
    for direction in [Direction::FromHost, Direction::FromPlayer] {
        for message in direction.table() {
            let (name, row) = (message.row.name, command(direction, &message).row());
            let phases: Vec<&str> = row.phases.iter().copied().map(Phase::as_str).collect();
            assert_eq!(message.phases, phases.join(", "), "{name}");
            let is_of_host = matches!(row.sender, Sender::Host(_) | Sender::HostOrService(_));
            assert_eq!(is_of_host, direction == Direction::FromHost, "{name}");
            assert_eq!(row.sender == Sender::Player, direction == Direction::FromPlayer, "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared} messages");
}

/// The command in a message's example.
fn command(direction: Direction, message: &Described) -> Command {
    let (text, dialect) = (&message.example, Dialect::QuizhallV1);
    match direction {
        Direction::FromHost => match HostMessage::decode(text, dialect).unwrap() {
            Decoded::Game(message) => command_of(&message, 100).unwrap(),
            Decoded::Socket(_) => panic!("not for the game: {text}"),
        },
        _ => match PlayerMessage::decode(text, dialect).unwrap() {
            Decoded::Game(message) => submitted(&message, None).unwrap(),
            Decoded::Socket(_) => panic!("not for the game: {text}"),
        },
    }
}
