//! Teams at their owner: several devices of a player, each with a socket and command numbers of its own.

use quizhall_engine::{ConnectionId, Participant, ToEdge};
use quizhall_rules::{AddedDevice, Change, CommandId, Device, DeviceId, Event, TeamCode, Teams};

use crate::desk::{Desk, kinds};
use crate::stage::{as_player, created, event, joined, player, question, submit};

/// The team's second phone.
fn phone() -> Participant {
    Participant::Device(player(1), Device(1))
}

/// Question 1 is open to a team of two phones, both connected.
fn asked() -> (Desk, [u64; 2]) {
    let Change::Created(mut created) = created().change else { panic!("a game begins with its creation") };
    created.options.teams = Some(Teams { devices: 2, captain_only: false });
    let Change::Joined { player, display_name, token, .. } = joined(1).change else { panic!("a player joins") };
    let Change::Joined { display_name: name, token: other, .. } = joined(2).change else { panic!("a player joins") };
    let (team, device) = (TeamCode::parse("AB24"), DeviceId::from(player.uuid()));
    let added = AddedDevice { player, device, display_name: name, token: other, idempotency: None };
    let changes = [
        Change::Created(created),
        Change::Joined { player, display_name, token, idempotency: None, team },
        Change::DeviceAdded(added.into()),
        Change::Started,
        Change::QuestionReleased { question: question(1) },
    ];
    let mut desk = Desk::after(changes.map(event).to_vec());
    let sessions = [desk.attach(1, as_player(1)), desk.attach(2, phone())];
    let stored = desk.settle().unwrap();
    assert!(matches!(stored.events[..], [Event { change: Change::Connected { device: Device(1), .. }, .. }]));
    (desk, sessions)
}

#[test]
fn a_late_duplicate_of_an_answer_that_counted_already_undoes_no_answer_of_the_team() {
    let (mut desk, [one, two]) = asked();
    let first = |number| (CommandId { session: one, number }, submit(1, "key1"));
    assert_eq!(kinds(&desk.command(1, as_player(1), first(1)).settle().unwrap()), ["answered"]);
    assert_eq!(desk.command(1, as_player(1), first(2)).settle(), None, "it counts already");
    let other = (CommandId { session: two, number: 1 }, submit(1, "else"));
    assert_eq!(kinds(&desk.command(2, phone(), other).settle().unwrap()), ["answered"]);
    for number in [1, 2] {
        assert_eq!(desk.command(1, as_player(1), first(number)).settle(), None, "a duplicate of command {number}");
    }
    assert_eq!(kinds(&desk.command(1, as_player(1), first(3)).settle().unwrap()), ["answered"], "a new one counts");
}

#[test]
fn each_phone_has_a_socket_and_replaces_only_its_own() {
    let (mut desk, _) = asked();
    assert_eq!(desk.owner.connection_count(), 2);
    desk.attach(3, phone());
    assert_eq!(desk.look(), [ToEdge::Replaced { connection: ConnectionId(2) }]);
    assert_eq!(desk.owner.connection_count(), 2);
}
