//! What `quizhall.v1` adds about a round, folded into the view: timers, closed and revealed questions, appeals, and how marks
//! changed. State messages that the client does not interpret are kept as they are.

use std::mem::discriminant;

use quizhall_protocol::shapes::AppealOutcome;
use quizhall_protocol::to_all::{AnswerRevealed, QuestionEdited, RoundStarted, TimerUpdate};
use quizhall_protocol::to_host::{
    AnswersEntered, AnswersMarked, AppealsUpdate, GroupedAnswers, ReviewGroup, ReviewGroups,
};
use quizhall_protocol::{Phase, ToAll};
use uuid::Uuid;

use super::View;

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

    /// Groups in place of the answers: those of a question, or without a part those that changed.
    pub(super) fn reviewed(&mut self, ReviewGroups { question_id, grouped, part, .. }: &ReviewGroups) {
        self.phase = Phase::RoundReview;
        if *part == Some(1) {
            self.review.clear();
            self.review_groups.clear();
        }
        let known = self.review_groups.remove(question_id).filter(|_| part.is_none());
        let is_kept = |group: &ReviewGroup| grouped.groups.iter().all(|one| one.key != group.key);
        let kept = known.into_iter().flat_map(|known| known.groups).filter(is_kept);
        let groups = grouped.groups.iter().filter(|group| group.count > 0).cloned().chain(kept).collect();
        self.review_groups.insert(*question_id, GroupedAnswers { groups, ..grouped.clone() });
    }

    /// A mark without an entry belongs to an answer that a marking made and its undo removed.
    pub(super) fn marked(&mut self, marked: &AnswersMarked) {
        for mark in &marked.marks {
            let same = |entry: &&mut quizhall_protocol::shapes::ReviewAnswer| {
                (entry.player_id, entry.question_id) == (mark.player_id, marked.question_id)
            };
            if let Some(entry) = self.review.iter_mut().find(same) {
                (entry.correct, entry.partial_points, entry.ruled) = (mark.correct, mark.partial_points, mark.ruled);
            }
        }
    }
}
