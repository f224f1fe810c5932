//! The messages about changed words of questions that only the host receives, and about a new name that all sockets of v1
//! receive.

use bytes::Bytes;
use quizhall_rules::{CommandId, Phase, PlayerId, QuestionId};

use super::{Edge, EdgeEffect};
use crate::wire::{Boards, FrameKind, Frames, Scores, mending};

impl Edge {
    /// For a released question, a section states it.
    pub(super) fn question_edited(
        &mut self,
        question: QuestionId,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state().filter(|state| !state.is_released(question)) else { return };
        let message = mending::question_edited(state, question);
        self.send_to_host_v1(message, command_id, effects);
    }

    /// For a question of this round, a section states it.
    pub(super) fn question_withdrawn(
        &mut self,
        question: QuestionId,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let (is_of_round, is_scored) = (state.is_released(question), state.is_of_scored_round(question));
        let message = (!is_of_round).then(|| mending::question_withdrawn(question));
        self.send_to_host_v1(message, command_id, effects);
        if is_scored {
            self.board_changed(Scores::corrected, command_id, effects);
        }
    }

    pub(super) fn player_renamed(
        &mut self,
        player: PlayerId,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let message = mending::player_renamed(state, player).map(Frames::extension);
        let boards = (state.phase() == Phase::Leaderboard).then(|| Boards::new(state));
        effects.extend(message.map(|message| EdgeEffect::Broadcast(message, FrameKind::Queued)));
        self.boards = boards.or(self.boards.take());
        self.note_shown_to_host(command_id);
    }

    fn send_to_host_v1(&mut self, frame: Option<Bytes>, id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let Some(frame) = frame else { return };
        self.note_shown_to_host(id);
        self.send_to_hosts(&frame, effects);
    }
}
