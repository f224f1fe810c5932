//! The ids of a game, except those of its questions.
//!
//! Ids are made by the code that creates the thing (the server, UUIDv7), except for players on paper and points by hand. Nothing
//! here derives a meaning from an id.

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
id! {
    /// Points that the host gave a player by hand (`adjustmentId`).
    AdjustmentId
}

/// A bit that no number of a seat sets, so that points by hand and players on paper have different ids.
const OF_POINTS: u128 = 1 << 40;

impl AdjustmentId {
    /// The id of the points by hand with a number in a game, from 1; of version 8, like that of a player on paper.
    pub fn of(game: GameId, number: u32) -> Self {
        let mixed = game.uuid().as_u128() ^ OF_POINTS ^ u128::from(number);
        Self::from(Builder::from_custom_bytes(mixed.to_be_bytes()).into_uuid())
    }
}

impl PlayerId {
    /// The id of a player on paper. It has version 8, unlike every other id, and is derived from the game's id and the number of
    /// the seat, from 0. So no random numbers are needed to decide the command.
    pub fn on_paper(game: GameId, seat: usize) -> Self {
        let mixed = game.uuid().as_u128() ^ seat as u128;
        Self::from(Builder::from_custom_bytes(mixed.to_be_bytes()).into_uuid())
    }
}
