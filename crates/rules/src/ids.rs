//! The ids of a game, beside those of its questions.
//!
//! Made by the code that creates the thing (the server, UUIDv7); nothing here makes an id or reads meaning out of one.

use quizhall_quiz::id;

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
    /// One screen of one game (`screenId`).
    ScreenId
}
