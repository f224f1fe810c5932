//! Participants who connect and disconnect in quick succession: how many presence events the owner stores.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::{Append, ConnectionId, OwnerInput, Participant, ToOwner};
use quizhall_rules::{Change, Command, CommandId, Event, PlayerId};

use crate::desk::{Desk, GRACE, kinds};
use crate::stage::{as_player, created, event, joined, player};

/// At most one presence event per participant is stored in this time.
const QUIET: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_millis(100);

/// A running game with this many players, each with a socket.
fn running(players: u64) -> Desk {
    let mut events = vec![created(), event(Change::HostReturned)];
    events.extend((1..=players).map(joined));
    events.push(event(Change::Started));
    let mut desk = Desk::after(events);
    desk.attach(1_000, Participant::Host);
    for number in 1..=players {
        desk.attach(number, as_player(number));
    }
    desk
}

fn leave(desk: &mut Desk, connection: u64, participant: Participant) {
    desk.frame(ToOwner::Detach { connection: ConnectionId(connection), participant, clean: true }).taken();
}

fn stored(desk: &mut Desk) -> Vec<&'static str> {
    desk.settle().as_ref().map(kinds).unwrap_or_default()
}

/// Wakes the owner at the time it asked for, if that is before `end`; returns what it stores.
fn wake(desk: &mut Desk, end: Duration) -> Option<Append> {
    while desk.owner.next_deadline() <= end {
        desk.now = desk.owner.next_deadline();
        desk.step(OwnerInput::Tick).taken();
        if let Some(append) = desk.settle() {
            return Some(append);
        }
    }
    desk.now = end;
    None
}

#[test]
fn the_first_change_is_stored_at_once_and_the_next_a_second_after_it() {
    let mut desk = running(1);
    leave(&mut desk, 1, as_player(1));
    assert_eq!(stored(&mut desk), ["disconnected"]);
    desk.now = MOMENT;
    desk.attach(2, as_player(1));
    assert_eq!(stored(&mut desk), [""; 0]);
    let append = wake(&mut desk, QUIET * 3).unwrap();
    assert_eq!((kinds(&append).as_slice(), desk.now), (&["connected"][..], QUIET));
    desk.now += MOMENT;
    leave(&mut desk, 2, as_player(1));
    assert_eq!(stored(&mut desk), [""; 0]);
    let append = wake(&mut desk, QUIET * 3).unwrap();
    assert_eq!((kinds(&append).as_slice(), desk.now), (&["disconnected"][..], QUIET * 2));
    desk.now = QUIET * 3;
    desk.attach(3, as_player(1));
    assert_eq!(stored(&mut desk), ["connected"], "stored at once after a second without a change");
}

#[test]
fn a_change_that_was_undone_within_the_second_is_not_stored() {
    let mut desk = running(1);
    leave(&mut desk, 1, as_player(1));
    assert_eq!(stored(&mut desk), ["disconnected"]);
    desk.now = MOMENT;
    desk.attach(2, as_player(1));
    desk.now = MOMENT * 2;
    leave(&mut desk, 2, as_player(1));
    assert!(wake(&mut desk, QUIET * 20).is_none());
}

/// A participant without a socket, whose grace period is not over, counts as before, as connected or as away.
#[test]
fn a_deferred_change_waits_for_the_grace_period() {
    let mut desk = running(1);
    leave(&mut desk, 1, as_player(1));
    assert_eq!(stored(&mut desk), ["disconnected"]);
    desk.now = MOMENT;
    desk.attach(2, as_player(1));
    let participant = as_player(1);
    desk.frame(ToOwner::Detach { connection: ConnectionId(2), participant, clean: false }).taken();
    assert!(wake(&mut desk, GRACE * 2).is_none(), "away before and away afterwards");
}

#[test]
fn a_host_who_comes_and_goes_is_stored_once_a_second() {
    let mut desk = Desk::after(vec![created()]);
    desk.attach(1, Participant::Host);
    assert_eq!(stored(&mut desk), ["host_returned"]);
    leave(&mut desk, 1, Participant::Host);
    let append = wake(&mut desk, GRACE).unwrap();
    assert_eq!(kinds(&append), ["host_left"]);
    desk.now += MOMENT;
    desk.attach(2, Participant::Host);
    assert_eq!(stored(&mut desk), [""; 0]);
    assert_eq!(kinds(&wake(&mut desk, GRACE).unwrap()), ["host_returned"]);
}

/// An owner that retires decides nothing more; the next one determines presence itself.
#[test]
fn an_owner_that_retires_stores_no_deferred_change() {
    let mut desk = running(1);
    leave(&mut desk, 1, as_player(1));
    stored(&mut desk);
    desk.now = MOMENT;
    desk.attach(2, as_player(1));
    desk.step(OwnerInput::Retire { to: None });
    desk.now = QUIET * 2;
    desk.step(OwnerInput::Tick).taken();
    assert_eq!(desk.owner.pending(), 0);
}

/// Once the game has ended no presence is stored, so deferred changes must be stored with the end.
#[test]
fn the_end_of_a_game_stores_what_was_deferred() {
    let over = [Change::RoundEnded, Change::ScoresReleased { held: false }].map(event);
    let mut events = vec![created(), joined(1), event(Change::HostReturned), event(Change::Started)];
    events.extend(over);
    let mut desk = Desk::after(events);
    let end = |desk: &mut Desk, connection: u64, (session, number)| {
        let command_id = CommandId { session, number };
        desk.command(connection, Participant::Host, (command_id, Command::EndGame));
        stored(desk)
    };
    desk.attach(1, as_player(1));
    desk.now = GRACE;
    desk.step(OwnerInput::Tick).taken();
    assert_eq!(stored(&mut desk), ["host_left"]);
    leave(&mut desk, 1, as_player(1));
    assert_eq!(stored(&mut desk), ["disconnected"]);
    desk.now += MOMENT;
    desk.attach(2, as_player(1));
    let session = desk.attach(3, Participant::Host);
    assert_eq!(stored(&mut desk), [""; 0]);
    assert_eq!(end(&mut desk, 3, (session, 1)), ["host_returned", "connected", "ended"]);
    assert!(wake(&mut desk, GRACE * 3).is_none());
}

fn subject(event: &Event) -> Option<PlayerId> {
    match event.change {
        Change::Disconnected { player, .. } | Change::Connected { player, .. } => Some(player),
        _ => None,
    }
}

/// Fault A1: four players reconnect in a loop, 500 times a second each, for six seconds.
#[test]
fn players_that_reconnect_in_a_loop_do_not_fill_the_log() {
    let mut desk = running(4);
    let (mut last, mut bytes, mut events) = (BTreeMap::new(), 0, 0);
    for round in 1..=3_000_u64 {
        desk.now = Duration::from_millis(2) * u32::try_from(round).unwrap();
        desk.step(OwnerInput::Tick).taken();
        for number in 1..=4 {
            leave(&mut desk, (round - 1) * 4 + number, as_player(number));
            let append = desk.settle();
            desk.attach(round * 4 + number, as_player(number));
            let appends = [append, desk.settle()];
            for append in appends.iter().flatten() {
                bytes += serde_json::to_string(&append.events[..]).unwrap().len();
                for event in append.events.iter() {
                    let player = subject(event).unwrap();
                    let before = last.insert(player, desk.now);
                    assert!(before.is_none_or(|before| desk.now >= before + QUIET), "two events within a second");
                    events += 1;
                }
            }
        }
    }
    assert!((4..=4 * 7).contains(&events), "{events} events");
    assert!(bytes < 200_000, "{bytes} bytes");
    let end = desk.now + QUIET;
    let more = std::iter::from_fn(|| wake(&mut desk, end)).count();
    assert!(more <= 1, "all players have a socket, and that is stored");
    for number in 1..=4 {
        leave(&mut desk, 3_000 * 4 + number, as_player(number));
    }
    desk.now += QUIET;
    desk.step(OwnerInput::Tick).taken();
    let stored: Vec<_> = desk.settle().iter().flat_map(|append| append.events.to_vec()).collect();
    let departed: Vec<_> = stored.iter().filter_map(subject).collect();
    assert_eq!(departed.len(), 4, "all were connected at the end: {:?}", (1..=4).map(player).collect::<Vec<_>>());
}
