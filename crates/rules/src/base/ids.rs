//! The ids of a game, except those of its questions.
//!
//! Ids are made by the code that creates the thing (the server, UUIDv7), except for players on paper. Nothing here derives a
//! meaning from an id.

use quizhall_quiz::id;
use uuid::Builder;

id! {
    /// One game; distinct from its short, speakable game code.
    GameId
}
id! {
    /// The account that owns games and quizzes.
    HostId
}
id! {
    /// One player of one game (`playerId`).
    PlayerId
}
id! {
    /// One phone of a team (`deviceId`). The first phone has the id of the player.
    DeviceId
}
id! {
    /// One co-host of one game (`coHostId`).
    CoHostId
}
id! {
    /// One screen of one game (`screenId`).
    ScreenId
}

impl PlayerId {
    /// The id of a player on paper. It has version 8, unlike every other id, and is derived from the game's id and the number of
    /// the seat, from 0. So no random numbers are needed to decide the command.
    pub fn on_paper(game: GameId, seat: usize) -> Self {
        let mixed = game.uuid().as_u128() ^ seat as u128;
        Self::from(Builder::from_custom_bytes(mixed.to_be_bytes()).into_uuid())
    }
}
