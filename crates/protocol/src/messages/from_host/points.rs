//! Payloads of a host's messages about points by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::Mistake;
use crate::decode::payload::{Fields, Payload};

/// Payload of `adjust_points`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct AdjustPoints {
    /// Whom.
    pub player_id: Uuid,
    /// The points, -1,000,000 to 1,000,000 and not 0.
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub points: i32,
    /// The reason, at most 100 characters, which the player is shown with the scores (additive; none when absent).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub reason: Option<String>,
}

impl AdjustPoints {
    /// The most points that are given or taken away at once.
    pub const MOST: u32 = 1_000_000;

    /// Whether so many points can be given or taken away.
    pub const fn are_fit(points: i32) -> bool {
        points != 0 && points.unsigned_abs() <= Self::MOST
    }
}

/// Written without the macro, whose numbers are never below 0.
impl Payload for AdjustPoints {
    const FIELDS: &'static [&'static str] = &["playerId", "points", "reason"];

    fn read(fields: &Fields<'_>) -> Result<Self, Mistake> {
        let player_id = fields.get("playerId", &[])?;
        let points: i64 = fields.get("points", &[])?;
        let points = i32::try_from(points).ok().filter(|points| Self::are_fit(*points));
        let points = points.ok_or_else(|| Mistake::field("points"))?;
        Ok(Self { player_id, points, reason: fields.get("reason", &[0..=100])? })
    }
}

crate::messages::payload! {
    /// Payload of `undo_adjustment`.
    UndoAdjustment {
        /// Points by hand of `adjustments_update`.
        adjustment_id: Uuid = "adjustmentId",
    }
}
