//! The section about the players, for hosts: `room_update`. The edge paces its changes (`edge/room.rs`).

use quizhall_protocol::to_host::{RoomPlayer, RoomUpdate};
use quizhall_protocol::{ServerMessage, ToHost};

use super::{Fact, Named, Pace, Section, View, Viewers};
use crate::wire::room::{room, room_of};

/// Every player, or in a huge game only the numbers. After an event only the players are compared that it names.
pub const ROOM: Section = Section {
    message: "room_update",
    viewers: Viewers::Hosts,
    opens: true,
    pace: Pace::Paced,
    is_same: |_, one, other| unnamed(one) == unnamed(other),
    render: |view| vec![Fact::of_game(ServerMessage::Host(ToHost::RoomUpdate(update(view))))],
    ..Section::PLAIN
};

fn update(view: &View<'_>) -> RoomUpdate {
    match view.players {
        Named::All => room(view.state),
        Named::Only(_) => room_of(view.state, view.players()),
    }
}

/// `player_renamed` states names.
fn unnamed(message: &ServerMessage) -> Option<RoomUpdate> {
    let ServerMessage::Host(ToHost::RoomUpdate(room)) = message else { return None };
    let mut room = room.clone();
    for RoomPlayer { display_name, devices, .. } in &mut room.players {
        display_name.clear();
        for device in devices {
            device.display_name.clear();
        }
    }
    Some(room)
}
