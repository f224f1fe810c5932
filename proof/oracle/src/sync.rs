//! The messages that a viewer receives on connecting, in order (messages.md#connecting).

use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::{Dialect, ServerMessage, ToAll};
use uuid::Uuid;

use crate::board::Reader;
use crate::game::{Game, Phase, Viewer};
use crate::messages::{answer_accepted, players_answered};
use crate::stated::host_status;

impl Game {
    /// The first messages to a socket of this viewer and dialect.
    pub fn sync(&self, viewer: Viewer, dialect: Dialect) -> Vec<ServerMessage> {
        let messages = match dialect {
            Dialect::Interface => self.sync_of_phase(viewer),
            Dialect::QuizhallV1 => self.sync_of_extension(viewer),
        };
        messages.iter().map(|message| self.for_reader(message, viewer, dialect)).collect()
    }

    fn sync_of_phase(&self, viewer: Viewer) -> Vec<ServerMessage> {
        let ended = || ServerMessage::All(ToAll::RoundEnded);
        match (self.phase, viewer.player()) {
            (Phase::Lobby, _) => vec![self.lobby_update()],
            (Phase::Question, None) => self.open(|question| Some(self.answer_count(question))),
            (Phase::Question, Some(player)) => {
                self.open(|question| self.answer(player, question).map(|_| answer_accepted(question)))
            }
            (Phase::Review, None) => vec![ended(), self.round_review()],
            (Phase::Review, Some(_)) => vec![ended()],
            (Phase::Leaderboard, None) => vec![self.round_leaderboard()],
            (Phase::Leaderboard, Some(player)) => {
                vec![self.round_leaderboard(), self.round_scores(player), self.scoreboard_update(player)]
            }
            (Phase::Ended, _) => vec![self.game_ended()],
        }
    }

    fn open(&self, of: impl Fn(Uuid) -> Option<ServerMessage>) -> Vec<ServerMessage> {
        let released = self.released.iter().map(|question| self.question_released(*question));
        released.chain(self.released.iter().filter_map(|question| of(*question))).collect()
    }

    fn sync_of_extension(&self, viewer: Viewer) -> Vec<ServerMessage> {
        let mut messages = vec![host_status(self.host_here)];
        messages.extend((viewer == Viewer::Host).then(|| self.whole_room()));
        let has_options = self.phase != Phase::Ended && self.options != GameOptions::default();
        messages.extend((viewer == Viewer::Host && has_options).then(|| self.game_options()));
        messages.extend(self.stated().filter(|(_, on_connecting)| *on_connecting).map(|(message, _)| message));
        messages.extend(self.answers_revealed());
        messages.extend(self.questions_mended());
        match viewer.player() {
            Some(_) if self.standings_held && self.phones_after_screen => {}
            Some(player) if self.standings_held => messages.push(self.round_scores(player)),
            _ => messages.extend(self.sync_of_phase(viewer)),
        }
        if let (Phase::Ended, Some(player)) = (self.phase, viewer.player()) {
            let leaves_out = self.board.is_cut(Reader::of(viewer, Dialect::QuizhallV1));
            messages.extend(leaves_out.then(|| self.scoreboard_update(player)));
        }
        messages.extend(self.own_name(viewer));
        match (self.phase, viewer.player()) {
            (Phase::Question, None) => {
                messages.extend(self.all_answered());
                messages.extend((self.undoable() > 0).then(|| self.marking_update()));
            }
            (Phase::Review, None) => messages.push(self.marking_update()),
            (_, Some(player)) => {
                messages.extend(self.joker_played(player));
                messages.extend(self.tie_break_answered(player));
            }
            _ => {}
        }
        messages.extend(self.sync_of_appeals(viewer.player()));
        messages.extend(self.sync_of_adjustments(viewer));
        messages.extend(self.sync_of_paper(viewer));
        messages.extend(self.sync_of_team(viewer));
        messages.extend((viewer == Viewer::Host).then(|| self.step_update()));
        messages.extend(self.sync_of_timers(viewer));
        messages.extend(self.autopilot_step());
        messages.extend(self.pause.is_some().then(|| self.break_update()));
        messages
    }

    /// `players_answered` for each released question that has an answer.
    fn all_answered(&self) -> impl Iterator<Item = ServerMessage> {
        let players = |question: Uuid| self.answers_to(question).iter().map(|answer| answer.player).collect();
        let of = move |question: &Uuid| (*question, players(*question));
        let answered = self.released.iter().map(of).filter(|(_, players): &(Uuid, Vec<Uuid>)| !players.is_empty());
        answered.map(|(question, players)| players_answered(question, players))
    }
}
