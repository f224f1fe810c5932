//! The options of a game: in `POST /api/v1/games`, in `PUT /api/v1/games/{id}/options`, in answers, and for hosts in `game_options`.

pub use quizhall_quiz::{BoardAfter, Pace};

use super::games::NewGame;

/// Declares a body that has the options of a game after fields of its own.
macro_rules! with_options {
    ($(#[$about:meta])* $body:ident { $($(#[$about_own:meta])* $own:ident: $type:ty,)* }) => {
        #[derive(
            Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, ts_rs::TS,
            utoipa::ToSchema,
        )]
        #[serde(rename_all = "camelCase")]
        $(#[$about])*
        pub struct $body {
            $($(#[$about_own])* pub $own: $type,)*
            /// Whether a round of the game is a round of the quiz or one of its questions. Absent: `round`.
            #[serde(default, skip_serializing_if = "crate::http::game_options::is_default")]
            pub pace: crate::http::game_options::Pace,
            /// After which questions the standings are shown; only with pace `question`. Absent: `question`. Where phones wait for the
            /// screen, they get their results with the standings, which therefore follow every question.
            #[serde(default, skip_serializing_if = "crate::http::game_options::is_default")]
            pub board_after: crate::http::game_options::BoardAfter,
            /// 5 to 600: the time limit, in seconds, of each question for which neither the question nor its round has one.
            /// Absent: none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[ts(optional)]
            #[schemars(range(min = 5, max = 600))]
            pub answer_seconds: Option<u16>,
            /// Whether a question closes a second after every player who is connected has answered it; players without a
            /// phone are not waited for. Absent: false.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub close_when_answered: bool,
            /// Whether questions whose answers a person has to judge do not wait for marks; only with pace `question`.
            /// Absent: false.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub mark_later: bool,
            /// The autopilot that begins with the game. Absent: none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[ts(optional)]
            pub autopilot: Option<crate::messages::from_host::AutopilotPlan>,
            /// Whether every round counts speed (`speedPoints` of a round), whatever the quiz says. Absent: false.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub speed_points: bool,
            /// Whether every round counts streaks (`streaks` of a round), whatever the quiz says. Absent: false.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub streaks: bool,
            /// Whether phones over `quizhall.v1` receive no scores of a round until the host shows them (`show_standings`);
            /// `false` when absent.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub phones_after_screen: bool,
            /// Whether joining is refused (422) with a name that a word list marks as obscene, sexual or a slur; names that
            /// the host gives are not checked. Absent: false.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub clean_names: bool,
            /// Whether several phones can play as a team, and how; absent when each player has one phone.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[ts(optional)]
            pub teams: Option<crate::http::games::Teams>,
        }
    };
}

pub(crate) use with_options;

with_options! {
    /// All options of a game, and the body of `PUT /api/v1/games/{id}/options`.
    #[ts(rename = "PlayOptions")]
    GameOptions {}
}

impl NewGame {
    /// Only the options.
    pub fn options(&self) -> GameOptions {
        GameOptions {
            pace: self.pace,
            board_after: self.board_after,
            answer_seconds: self.answer_seconds,
            close_when_answered: self.close_when_answered,
            mark_later: self.mark_later,
            autopilot: self.autopilot.clone(),
            speed_points: self.speed_points,
            streaks: self.streaks,
            phones_after_screen: self.phones_after_screen,
            clean_names: self.clean_names,
            teams: self.teams,
        }
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
