//! The extension (`quizhall.v1`) folded into the view: the host's presence, the round, the room, marks and how many of
//! them can be undone. Part of the view; nothing here runs on a connection without the extension.

use std::mem::discriminant;

use quizhall_protocol::ToAll;
use quizhall_protocol::shapes::{AppealOutcome, Player};
use quizhall_protocol::to_all::{AnswerRevealed, QuestionEdited, RoundStarted, TimerUpdate};
use quizhall_protocol::to_host::{
    AnswersEntered, AnswersMarked, AppealsUpdate, PlayerStatus, PlayersAnswered, RoomPlayer, RoomUpdate,
};

use uuid::Uuid;

use super::View;

/// The seats of a game as the host knows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Room {
    /// Players in the room, in order of joining; empty in huge games.
    pub players: Vec<RoomPlayer>,
    /// How many seats are taken.
    pub total: u32,
    /// How many of their players are connected.
    pub connected: u32,
    /// Whether joining is refused.
    pub locked: bool,
}

impl Room {
    fn apply(&mut self, update: &RoomUpdate) {
        if update.whole {
            self.players.clear();
        }
        for changed in &update.players {
            let known = self.players.iter().position(|player| player.id == changed.id);
            match (known, changed.status) {
                (Some(at), PlayerStatus::Gone) => drop(self.players.remove(at)),
                (Some(at), _) => self.players[at].clone_from(changed),
                (None, PlayerStatus::Gone) => {}
                (None, _) => self.seat(changed),
            }
        }
        (self.total, self.connected, self.locked) = (update.total, update.connected, update.locked);
    }

    /// Ids grow with time, so a player who left the lobby and returned gets the old place again, or one next to it.
    fn seat(&mut self, player: &RoomPlayer) {
        let at = self.players.partition_point(|other| other.id < player.id);
        self.players.insert(at, player.clone());
    }
}

impl View {
    /// Keeps the last message of each type.
    pub(super) fn state(&mut self, message: &ToAll) {
        match message {
            ToAll::QuestionEdited(edited) => return self.question_edited(edited),
            ToAll::QuestionWithdrawn(withdrawn) => {
                self.withdrawn.retain(|known| *known != withdrawn.question_id);
                return self.withdrawn.push(withdrawn.question_id);
            }
            ToAll::PlayerRenamed(player) => return self.player_renamed(player),
            _ => {}
        }
        self.stated.retain(|known| discriminant(known) != discriminant(message));
        self.stated.push(message.clone());
    }

    fn question_edited(&mut self, edited: &QuestionEdited) {
        if edited.corrected {
            self.corrected.retain(|known| *known != edited.question_id);
            self.corrected.push(edited.question_id);
        }
        if let Some(question) = self.questions.iter_mut().find(|question| question.id == edited.question_id) {
            question.text.clone_from(&edited.text);
        }
    }

    fn player_renamed(&mut self, renamed: &Player) {
        let name = |id: Uuid, name: &mut String| {
            if id == renamed.id {
                name.clone_from(&renamed.display_name);
            }
        };
        self.players.iter_mut().for_each(|player| name(player.id, &mut player.display_name));
        self.room.players.iter_mut().for_each(|player| name(player.id, &mut player.display_name));
        self.board.iter_mut().chain(&mut self.running).for_each(|row| name(row.player_id, &mut row.display_name));
        self.review.iter_mut().for_each(|answer| name(answer.player_id, &mut answer.display_name));
        self.appeals.iter_mut().for_each(|appeal| name(appeal.player_id, &mut appeal.display_name));
    }

    /// Decided appeals are left out.
    pub(super) fn appeals_changed(&mut self, update: &AppealsUpdate) {
        for appeal in &update.appeals {
            self.appeals.retain(|known| (known.player_id, known.question_id) != (appeal.player_id, appeal.question_id));
            self.appeals.extend((appeal.outcome == AppealOutcome::Open).then(|| appeal.clone()));
        }
    }

    /// The messages that follow show whether the round is already further.
    pub(super) fn round_started(&mut self, round: &RoundStarted) {
        self.open_round();
        self.round = Some(round.clone());
    }

    /// From here a client counts by its own clock, and closes nothing by itself.
    pub(super) fn timer_update(&mut self, timer: &TimerUpdate) {
        self.timers.retain(|known| known.question_id != timer.question_id);
        self.timers.push(timer.clone());
    }

    pub(super) fn question_closed(&mut self, question: Uuid) {
        self.timers.retain(|timer| timer.question_id != Some(question));
        if !self.closed.contains(&question) {
            self.closed.push(question);
        }
    }

    /// A question keeps its place when its tally changes.
    pub(super) fn answer_revealed(&mut self, answer: &AnswerRevealed) {
        match self.revealed.iter_mut().find(|known| known.question_id == answer.question_id) {
            Some(known) => known.clone_from(answer),
            None => self.revealed.push(answer.clone()),
        }
    }

    pub(super) fn room_update(&mut self, update: &RoomUpdate) {
        self.room.apply(update);
        let gone = update.players.iter().filter(|player| player.status == PlayerStatus::Gone);
        for player in gone {
            self.appeals.retain(|appeal| appeal.player_id != player.id);
            self.answered.values_mut().for_each(|players| players.retain(|id| *id != player.id));
        }
    }

    pub(super) fn players_answered(&mut self, PlayersAnswered { question_id, player_ids }: &PlayersAnswered) {
        let known = self.answered.entry(*question_id).or_default();
        known.extend(player_ids);
        known.sort_unstable();
        known.dedup();
    }

    /// While questions are open, the review consists only of these.
    pub(super) fn entered(&mut self, entered: &AnswersEntered) {
        for answer in &entered.answers {
            let key = (answer.player_id, answer.question_id);
            match self.review.iter_mut().find(|known| (known.player_id, known.question_id) == key) {
                Some(known) => known.clone_from(answer),
                None => self.review.push(answer.clone()),
            }
        }
    }

    /// A mark without an entry belongs to an answer that a marking made and its undo removed.
    pub(super) fn marked(&mut self, marked: &AnswersMarked) {
        for mark in &marked.marks {
            let same = |entry: &&mut quizhall_protocol::shapes::ReviewAnswer| {
                (entry.player_id, entry.question_id) == (mark.player_id, marked.question_id)
            };
            if let Some(entry) = self.review.iter_mut().find(same) {
                (entry.correct, entry.partial_points) = (mark.correct, mark.partial_points);
            }
        }
    }
}
