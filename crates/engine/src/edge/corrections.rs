//! Marks of a round that is out were corrected: what the sockets with the extension are sent of the new scores.

use quizhall_rules::{CommandId, Phase};

use super::{Edge, EdgeEffect};
use crate::wire::{Boards, Dialect, FrameKind, Scores, extension};

impl Edge {
    /// The host receives the board in any phase. Players receive the scores that they were sent at the release and later.
    pub(super) fn marks_corrected(&mut self, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        let frame = extension::board_update(state);
        let part = Scores::corrected(state);
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
