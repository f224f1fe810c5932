//! The four ids of a game as types of their own, so that a player's id can never stand where a question's belongs.
//!
//! Made by whoever creates the thing (the server, UUIDv7); nothing here makes an id or reads meaning out of one.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The UUID within.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
            }
        }
    };
}

id! {
    /// One game; distinct from its short, speakable game code.
    GameId
}
id! {
    /// The account that owns games and quizzes.
    HostId
}
id! {
    /// One player's seat in one game (`playerId`).
    PlayerId
}
id! {
    /// One question of a quiz (`questionId`).
    QuestionId
}
