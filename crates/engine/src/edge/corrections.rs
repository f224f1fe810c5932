//! The board has changed while it may be shown, by corrected marks or by a tie-break, players appeal to marks, and the host mends
//! questions and names: what the sockets with the extension are sent of it.

use bytes::Bytes;
use quizhall_rules::{CommandId, Phase, PlayerId, QuestionId, State};

use super::{Edge, EdgeEffect};
use crate::wire::{Boards, Dialect, FrameKind, Frames, Scores, appeals, extension, mending};

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
        self.note_shown_to_host(command_id);
        self.send_to_hosts(&frame, effects);
        self.boards = boards.or(self.boards.take());
        let players = part
            .map(|part| EdgeEffect::SendScores(part, self.player_sockets(|dialect| dialect == Dialect::QuizhallV1)));
        effects.extend(players);
    }

    pub(super) fn marks_corrected(
        &mut self,
        question: QuestionId,
        players: &[PlayerId],
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        self.board_changed(Scores::corrected, command_id, effects);
        self.appeals_changed(question, players, effects);
    }

    /// Of a released question a state message says so.
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

    /// Of a question of this round a state message says so.
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

    /// What came of the appeals that these players have made about a question, for them and for the host.
    pub(super) fn appeals_changed(
        &mut self,
        question: QuestionId,
        players: &[PlayerId],
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let has_appealed = |player: &PlayerId| state.appeals_of(*player).any(|appeal| appeal.question == question);
        let appealing: Vec<PlayerId> = players.iter().copied().filter(has_appealed).collect();
        let send = |(connection, frame)| EdgeEffect::Send(connection, frame, FrameKind::Queued);
        for frame in appeals::appeals_about(state, question, &appealing) {
            self.send_to_hosts(&frame, effects);
        }
        let sockets = appealing.iter().flat_map(|player| self.phones_v1(*player).map(|socket| (*player, socket)));
        effects.extend(sockets.map(|(player, connection)| send((connection, appeals::appeal_status(state, player)))));
    }
}
