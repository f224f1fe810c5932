//! The board has changed while it may be shown, by corrected marks or by a tie-break, players appeal to marks, and the host mends
//! questions and names: what the sockets with the extension are sent of it.

use bytes::Bytes;
use quizhall_rules::{Change, CommandId, Event, Phase, PlayerId, QuestionId, State};

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

    /// Marks were corrected, or there is an appeal about one, or no longer.
    pub(super) fn mended(&mut self, event: &Event, effects: &mut Vec<EdgeEffect>) {
        match &event.change {
            Change::MarksCorrected { question, players, .. } => {
                self.board_changed(Scores::corrected, event.command_id, effects);
                self.appeals_changed(*question, players, effects);
            }
            Change::Appealed { player, question, .. } => {
                if let Some(connection) = self.sessions.of(super::sender_of(event)) {
                    self.note_shown(connection, event.command_id);
                }
                self.appeals_changed(*question, &[*player], effects);
            }
            Change::AppealDismissed { player, question } => {
                self.note_shown_to_host(event.command_id);
                self.appeals_changed(*question, &[*player], effects);
            }
            _ => {}
        }
    }

    /// Words, a withdrawal or a name: what no state message says of it.
    pub(super) fn mended_beside_marks(&mut self, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        match &event.change {
            Change::QuestionEdited(edit) if !state.is_released(edit.question) => {
                let message = mending::question_edited(state, edit.question);
                self.send_to_host_v1(message, event.command_id, effects);
            }
            Change::QuestionWithdrawn { question } => {
                let (is_of_round, is_scored) = (state.is_released(*question), state.is_of_scored_round(*question));
                let message = (!is_of_round).then(|| mending::question_withdrawn(*question));
                self.send_to_host_v1(message, event.command_id, effects);
                if is_scored {
                    self.board_changed(Scores::corrected, event.command_id, effects);
                }
            }
            Change::PlayerRenamed { player, .. } => {
                let message = mending::player_renamed(state, *player).map(Frames::extension);
                let boards = (state.phase() == Phase::Leaderboard).then(|| Boards::new(state));
                effects.extend(message.map(|message| EdgeEffect::Broadcast(message, FrameKind::Queued)));
                self.boards = boards.or(self.boards.take());
                self.note_shown_to_host(event.command_id);
            }
            _ => {}
        }
    }

    fn send_to_host_v1(&mut self, frame: Option<Bytes>, id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let Some(frame) = frame else { return };
        self.note_shown_to_host(id);
        self.send_to_hosts(&frame, effects);
    }

    /// What came of the appeals that these players have made about a question, for them and for the host.
    fn appeals_changed(&mut self, question: QuestionId, players: &[PlayerId], effects: &mut Vec<EdgeEffect>) {
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
