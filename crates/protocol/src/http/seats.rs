//! Seats that move to another phone: `/api/v1/seats` and the codes for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// A code with which another phone takes a seat, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewSeatCode {
    /// What is typed on the other phone: six symbols.
    pub seat_code: String,
    /// What the other phone opens instead. The code is in the fragment, which browsers send to no server.
    pub url: String,
    /// After how many seconds the code is over.
    pub expires_in: u32,
}

/// The body of `POST /api/v1/seats`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakeSeat {
    /// The code of the game, in any case.
    pub game_code: String,
    /// The code of the seat, in any case.
    pub seat_code: String,
}
