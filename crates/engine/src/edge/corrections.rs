//! The board has changed while it may be shown, by corrected marks or by a tie-break: what the sockets with the extension are sent of it.

use quizhall_rules::{CommandId, Phase, State};

use super::{Edge, EdgeEffect};
use crate::wire::{Boards, Dialect, FrameKind, Scores, extension};

impl Edge {
    /// The host receives the board in any phase, players the `part` of the scores.
    pub(super) fn board_changed(
        &mut self,
        part: fn(&State) -> Option<Scores>,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let frame = extension::board_update(state);
        let part = part(state);
        let boards = (state.phase() == Phase::Leaderboard).then(|| Boards::new(state));
        if let Some(host) = self.sessions.host_v1() {
            self.note_shown(host, command_id);
            effects.push(EdgeEffect::Send(host, frame, FrameKind::Queued));
        }
        self.boards = boards.or(self.boards.take());
        let players = part
            .map(|part| EdgeEffect::SendScores(part, self.player_sockets(|dialect| dialect == Dialect::QuizhallV1)));
        effects.extend(players);
    }
}
