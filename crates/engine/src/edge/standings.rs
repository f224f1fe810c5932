//! The messages about standings that the host holds and shows, and about a board that changes after its scores are out.

use quizhall_rules::{CommandId, Phase, State};

use super::{Edge, EdgeEffect};
use crate::ids::ConnectionId;
use crate::wire::{self, Boards, Dialect, FrameKind, Frames, Scores, marks};

impl Edge {
    /// Whether the scores are out and the standings are held.
    pub(super) fn are_standings_held(&self) -> bool {
        self.state().is_some_and(State::are_standings_held)
    }

    /// The scores came out and the standings are held: players with v1 receive only their own results, or nothing while
    /// phones wait for the screen.
    pub(super) fn own_scores_released(&mut self, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        let (board, boards) = (wire::round_leaderboard(state), Boards::new(state));
        let plain = self.player_sockets(|dialect| dialect == Dialect::Interface);
        let receivers = self.sessions.hosts().chain(plain.iter().map(|(connection, _)| *connection));
        self.send_to(receivers, &board, effects);
        effects.push(EdgeEffect::SendScores(Scores::Whole, plain));
        if !state.are_phones_after_screen() {
            let withheld = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1);
            effects.push(EdgeEffect::SendScores(Scores::Own, withheld));
        }
        self.boards = Some(boards);
        self.note_shown_to_host(command_id);
    }

    /// The host shows the standings that were held: the sockets from which they were kept receive them now.
    pub(super) fn standings_shown(&mut self, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let shown = self.state().map(|state| (wire::round_leaderboard(state), Scores::after_hold(state)));
        let Some((board, part)) = shown else { return };
        let players = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1);
        self.send_to(players.iter().map(|(connection, _)| *connection), &board, effects);
        effects.push(EdgeEffect::SendScores(part, players));
        self.note_shown_to_host(command_id);
    }

    /// The host receives the board in any phase, players the `part` of the scores.
    pub(super) fn board_changed(
        &mut self,
        part: fn(&State) -> Option<Scores>,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let frame = marks::board_update(state);
        let part = part(state);
        let boards = (state.phase() == Phase::Leaderboard).then(|| Boards::new(state));
        self.note_shown_to_host(command_id);
        self.send_to_hosts(&frame, effects);
        self.boards = boards.or(self.boards.take());
        let players = part
            .map(|part| EdgeEffect::SendScores(part, self.player_sockets(|dialect| dialect == Dialect::QuizhallV1)));
        effects.extend(players);
    }

    /// Points by hand of a round whose scores are out change the board; the others count with the release. The section about them
    /// states them to the host either way.
    pub(super) fn points_adjusted(&mut self, round: u32, id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        if self.state().is_some_and(|state| state.is_scored(round as usize)) {
            self.board_changed(Scores::corrected, id, effects);
        }
    }

    /// Sends a message to these sockets, to each in its dialect.
    fn send_to(
        &self,
        connections: impl Iterator<Item = ConnectionId>,
        message: &Frames,
        effects: &mut Vec<EdgeEffect>,
    ) {
        for connection in connections {
            let frame = self.sessions.get(connection).and_then(|session| message.of(session.recipient()));
            effects.extend(frame.map(|frame| EdgeEffect::Send(connection, frame.clone(), FrameKind::Queued)));
        }
    }
}
