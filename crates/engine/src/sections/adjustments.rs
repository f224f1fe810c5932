//! The section about points that the host gave by hand (`adjustments_update`).

use quizhall_protocol::to_host::{Adjusted, AdjustmentsUpdate};
use quizhall_protocol::{ServerMessage, ToHost};
use quizhall_rules::{Adjustment, Phase, Player, State};

use super::{Fact, Section, Viewers};
use crate::wire::given_by;

/// All of them: at most a few hundred in a game.
pub const ADJUSTMENTS: Section = Section {
    message: "adjustments_update",
    viewers: Viewers::Hosts,
    phases: &[Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    render: |view| {
        let adjusted = view.state.adjustments().into_iter();
        vec![Fact::of_game(message(adjusted.map(|of| stated(view.state, of)).collect()))]
    },
    is_assumed: |stated| *stated == message(Vec::new()),
    ..Section::PLAIN
};

fn stated(state: &State, (player, adjustment): (&Player, &Adjustment)) -> Adjusted {
    Adjusted {
        adjustment_id: state.id_of(adjustment).uuid(),
        player_id: player.id.uuid(),
        round: adjustment.round + 1,
        points: adjustment.points,
        reason: adjustment.reason.as_deref().map(str::to_owned),
        given_by: given_by(state, adjustment),
    }
}

fn message(adjustments: Vec<Adjusted>) -> ServerMessage {
    ServerMessage::Host(ToHost::AdjustmentsUpdate(AdjustmentsUpdate { adjustments }))
}
