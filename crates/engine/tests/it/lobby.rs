//! How players with the extension follow a lobby: a list on connecting, then its changes (messages.md#big-games).

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::wire::Recipient;
use quizhall_engine::{EdgeEffect, FrameKind, Participant, wire};
use quizhall_protocol::to_all::LobbyUpdate;
use quizhall_protocol::to_player::LobbyChanged;
use quizhall_protocol::{Role, ServerMessage, ToAll, ToPlayer, frame, read_server_message};
use quizhall_rules::{Change, Device, PlayerId, State};
use uuid::Uuid;

use crate::rim::Rim;
use crate::stage::{as_player, event, joined, lobby, plain, player};

fn read(bytes: &bytes::Bytes) -> ServerMessage {
    let text = frame::payload(bytes);
    read_server_message(std::str::from_utf8(&text).unwrap(), Role::Player).unwrap().unwrap()
}

/// The lobby as player 1 with a v1 socket (number 1) knows it from the messages.
#[derive(Default)]
struct Phone {
    players: BTreeMap<Uuid, String>,
    total: usize,
    changes: Vec<LobbyChanged>,
    lists: usize,
    bytes: usize,
}

impl Phone {
    fn take(&mut self, effects: &[EdgeEffect]) {
        for effect in effects {
            let bytes = match effect {
                EdgeEffect::Send(to, bytes, _) if to.0 == 1 => bytes,
                EdgeEffect::Broadcast(message, _) => match message.of(Recipient::Player) {
                    Some(bytes) => bytes,
                    None => continue,
                },
                _ => continue,
            };
            self.bytes += bytes.len();
            match read(bytes) {
                ServerMessage::All(ToAll::LobbyUpdate(LobbyUpdate { players, total })) => {
                    self.lists += 1;
                    self.total = total.map_or(players.len(), |total| total as usize);
                    self.players = players.into_iter().map(|player| (player.id, player.display_name)).collect();
                }
                ServerMessage::Player(ToPlayer::LobbyChanged(changed)) => {
                    self.players.retain(|id, _| !changed.left.contains(id));
                    let joined = changed.joined.iter();
                    self.players.extend(joined.map(|player| (player.id, player.display_name.clone())));
                    self.total = changed.total as usize;
                    self.changes.push(changed);
                }
                _ => {}
            }
        }
    }

    /// Whether it shows the players of the state.
    fn follows(&self, state: &State) -> bool {
        let names = |player: &quizhall_rules::Player| (player.id.uuid(), player.display_name.as_str().to_owned());
        self.players == state.lobby().map(names).collect() && self.total == state.present_count()
    }
}

fn rim(players: u64) -> (Rim, Phone) {
    let mut rim = Rim::at(lobby(players));
    let mut phone = Phone::default();
    phone.take(&rim.attach_v1(1, as_player(1)));
    rim.now = Duration::from_secs(1);
    (rim, phone)
}

fn left(number: u64) -> quizhall_rules::Event {
    event(Change::Left { player: player(number), device: Device::FIRST })
}

fn returned(number: u64) -> quizhall_rules::Event {
    event(Change::Returned { player: player(number), device: Device::FIRST })
}

/// Lets twelve seconds pass, in which every pending message is sent.
fn settle(rim: &mut Rim, phone: &mut Phone) {
    phone.take(&rim.taken());
    for _ in 0..48 {
        let effects = rim.tick_at(rim.now + Duration::from_millis(250));
        phone.take(&effects);
    }
}

#[test]
fn a_small_lobby_is_sent_whole_and_a_larger_one_by_what_changes() {
    let (mut rim, mut phone) = rim(9);
    assert_eq!((phone.lists, phone.changes.len()), (1, 0));
    rim.commit(vec![joined(10)]);
    settle(&mut rim, &mut phone);
    assert_eq!((phone.lists, phone.changes.len()), (2, 0), "ten players");
    rim.commit(vec![joined(11)]);
    settle(&mut rim, &mut phone);
    assert_eq!((phone.lists, phone.changes.len()), (2, 1), "eleven");
    rim.commit(vec![left(10), left(11)]);
    settle(&mut rim, &mut phone);
    assert_eq!((phone.lists, phone.changes.len()), (2, 2), "a list would overtake the changes that wait in a queue");
    assert!(phone.follows(rim.edge.state().unwrap()));
}

#[test]
fn a_change_names_who_is_there_and_who_is_not_once() {
    let (mut rim, mut phone) = rim(30);
    rim.commit(vec![joined(31)]);
    phone.take(&rim.taken());
    assert_eq!(phone.changes.len(), 1, "the first change is sent at once");
    rim.commit(vec![joined(32), left(32), left(5), left(6), returned(6), joined(33)]);
    phone.take(&rim.taken());
    assert_eq!(phone.changes.len(), 1, "the next change is sent a quarter of a second later");
    let due = rim.edge.next_deadline().unwrap();
    assert_eq!(due, rim.now + Duration::from_millis(250));
    phone.take(&rim.tick_at(due));
    let change = phone.changes.last().unwrap();
    let joined: Vec<Uuid> = change.joined.iter().map(|player| player.id).collect();
    assert_eq!(joined, [player(6), player(33)].map(PlayerId::uuid), "in order of joining");
    let mut left = change.left.clone();
    left.sort_unstable();
    let mut expected = [player(5), player(32)].map(PlayerId::uuid);
    expected.sort_unstable();
    assert_eq!((left.as_slice(), change.total), (expected.as_slice(), 31));
    assert!(phone.follows(rim.edge.state().unwrap()));
}

#[test]
fn a_socket_that_comes_between_two_changes_ends_with_the_same_list() {
    let (mut rim, mut first) = rim(30);
    rim.commit(vec![joined(31)]);
    first.take(&rim.taken());
    rim.commit(vec![left(7), joined(32)]);
    first.take(&rim.taken());
    let mut second = Phone::default();
    second.take(&rim.attach_v1(1, as_player(1)));
    // Player 7 was away when the second socket connected, and returns before the change is sent.
    rim.commit(vec![returned(7), left(8)]);
    settle(&mut rim, &mut second);
    assert_eq!(second.lists, 1);
    assert!(second.follows(rim.edge.state().unwrap()), "{:?}", second.changes);
}

#[test]
fn changes_of_a_jump_of_the_state_are_sent() {
    let (mut rim, mut phone) = rim(30);
    rim.commit(vec![joined(31)]);
    phone.take(&rim.taken());
    rim.commit(vec![left(4)]);
    phone.take(&rim.taken());
    let mut state = rim.edge.state().unwrap().clone();
    for change in [left(5), joined(32)] {
        state.apply(&change);
        rim.seq += 1;
    }
    let seq = rim.seq;
    rim.catch_up(seq, state);
    settle(&mut rim, &mut phone);
    assert!(phone.follows(rim.edge.state().unwrap()), "{:?}", phone.changes);
}

#[test]
fn a_large_lobby_is_a_number() {
    let (mut rim, mut phone) = rim(101);
    assert_eq!((phone.players.len(), phone.total), (20, 101));
    assert!(phone.players.contains_key(&player(101).uuid()), "the newest");
    rim.commit(vec![joined(102)]);
    phone.take(&rim.taken());
    rim.commit(vec![joined(103)]);
    let effects = rim.taken();
    assert!(
        !effects.iter().any(
            |effect| matches!(effect, EdgeEffect::Broadcast(message, _) if message.of(Recipient::Player).is_some())
        )
    );
    let effects = rim.tick_at(rim.now + Duration::from_secs(10));
    let is_total =
        |effect: &&EdgeEffect| matches!(effect, EdgeEffect::Broadcast(_, FrameKind::Replace(wire::LOBBY_TOTAL_KEY)));
    assert_eq!(effects.iter().filter(is_total).count(), 1, "ten seconds later");
    phone.take(&effects);
    let none = |change: &LobbyChanged| change.joined.is_empty() && change.left.is_empty();
    assert!(phone.changes.iter().all(none));
    assert_eq!((phone.changes.len(), phone.total), (2, 103));
}

/// The bound of docs/operate/performance.md, for the player who joined first and stays while the others join.
#[test]
fn two_thousand_who_join_in_ten_minutes_cost_the_first_phone_twenty_kilobytes() {
    let (mut rim, mut phone) = rim(1);
    for number in 2..=2_000 {
        rim.now += Duration::from_millis(300);
        rim.commit(vec![joined(number)]);
        phone.take(&rim.taken());
        if rim.edge.next_deadline().is_some_and(|due| due <= rim.now) {
            let effects = rim.tick_at(rim.now);
            phone.take(&effects);
        }
    }
    rim.now += Duration::from_secs(10);
    let effects = rim.tick_at(rim.now);
    phone.take(&effects);
    assert_eq!(phone.total, 2_000);
    assert!(phone.bytes > 1_000 && phone.bytes <= 20_000, "{} bytes", phone.bytes);
}

/// Lists are encoded from the previous list and the joins since.
#[test]
fn a_list_is_that_of_its_state_after_any_join_and_leave() {
    let mut state = lobby(0);
    let mut rim = Rim::at(state.clone());
    rim.attach(1, Participant::Host);
    let left = |number| event(Change::Left { player: player(number), device: Device::FIRST });
    let returned = |number| event(Change::Returned { player: player(number), device: Device::FIRST });
    let steps =
        [joined(1), joined(2), joined(3), left(1), joined(4), returned(1), left(4), left(3), joined(5), returned(4)];
    for step in steps {
        state.apply(&step);
        rim.commit(vec![step]);
        let list = plain(&wire::lobby_update(&state));
        let sent = rim.taken().into_iter().find_map(|effect| match effect {
            EdgeEffect::Broadcast(message, FrameKind::Replace(_)) => message.of(Recipient::Plain).cloned(),
            _ => None,
        });
        assert_eq!(sent, Some(list));
    }
}
