//! Screens of a game, `/api/v1/games/{id}/screens`, and its spectators.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// A new screen, with the link that opens it once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewScreen {
    /// The screen's id.
    pub screen_id: Uuid,
    /// The link that the screen opens. The token is in the fragment, which browsers send to no server.
    pub url: String,
}

/// A screen that has a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Screen {
    /// The screen's id.
    pub screen_id: Uuid,
    /// RFC 3339, UTC.
    pub added_at: String,
}

/// The screens of a game, and what they show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenList {
    /// In order of adding.
    pub screens: Vec<Screen>,
    /// What the host has chosen for them.
    pub show: ShowOnScreens,
    /// The address for spectators; absent when the host does not allow them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub watch_url: Option<String>,
}

/// The body of `PUT /api/v1/games/{id}/screens/show`: what the host chooses for the screens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ShowOnScreens {
    /// The slide to show, once the scores are released. Absent: the first one. The release of scores and the end of the
    /// game return to the first one. It shows no held standings to phones; `next` and `show_standings` do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slide: Option<Slide>,
    /// Whether they show nothing, in every phase, until the game's next step is another one. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
    /// Whether they play sounds. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sound: bool,
    /// The language of their own words, as a tag of at most 35 characters. Absent: each screen's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<String>,
}

/// A slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
pub struct Slide {
    /// What it shows.
    pub kind: SlideKind,
    /// For a question or a page of the standings, its index from 0; for the podium, the number of places. Absent: 0.
    #[serde(default)]
    #[ts(as = "Option<u32>", optional)]
    pub at: u32,
}

/// What a slide shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SlideKind {
    /// A released question of the round with its answer.
    Question,
    /// A page of the standings.
    Standings,
    /// The round that comes next.
    Next,
    /// The last of the first three places.
    Podium,
    /// The first place.
    Winner,
    /// The latest tie-break after this round. An open tie-break is shown instead of any slide.
    TieBreak,
}

/// A code for a screen to show, and the token with which the screen asks for its link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPairing {
    /// The code that the host types: six symbols.
    pub code: String,
    /// The bearer token for asking whether a host has typed it.
    pub secret: String,
    /// The number of seconds until the code expires.
    pub expires_in: u32,
}

/// The state of a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Pairing {
    /// The link of the screen; absent until a host has typed the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
}

/// The body of `POST /api/v1/games/{id}/screens/pair`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PairScreen {
    /// The code that the screen shows.
    pub code: String,
}

/// The screen that was put into the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairedScreen {
    /// The screen's id. It is in the list once the screen has asked again.
    pub screen_id: Uuid,
}

/// The body of `PUT /api/v1/games/{id}/spectators`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct AllowSpectators {
    /// Whether spectators may watch.
    pub allowed: bool,
}

/// The body of `POST /api/v1/spectators`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Watch {
    /// The code of the game.
    pub game_code: String,
}

/// A spectator of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spectator {
    /// The code of the game, as it is shown.
    pub game_code: String,
    /// Opens a socket of `quizhall.v1` with the role `screen`, for as long as the host lets spectators watch.
    pub token: String,
}
