//! Seats that move to another phone: `/api/v1/seats` and the codes for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// A code with which another phone can take a seat, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewSeatCode {
    /// The code to type on the other phone: six symbols.
    pub seat_code: String,
    /// The link that the other phone can open instead. The code is in the fragment, which browsers send to no server.
    pub url: String,
    /// The number of seconds until the code expires.
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
