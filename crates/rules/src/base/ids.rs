//! The ids of a game, beside those of its questions.
//!
//! Made by the code that creates the thing (the server, UUIDv7), but for those of players on paper; nothing here reads meaning out of one.

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
    /// One phone of a team (`deviceId`); that of the first is the player's.
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
    /// The id of a player on paper: of version 8, as no other id is, made of the game's and of the number of the seat, from 0. So deciding the
    /// command needs no random numbers.
    pub fn on_paper(game: GameId, seat: usize) -> Self {
        let mixed = game.uuid().as_u128() ^ seat as u128;
        Self::from(Builder::from_custom_bytes(mixed.to_be_bytes()).into_uuid())
    }
}
