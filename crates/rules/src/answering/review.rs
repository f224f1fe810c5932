//! The views of the answers in the state: the host's review, a player's results, and the history for export. It only reads.
//! Removed players are left out everywhere.

use quizhall_quiz::{Question, QuestionId};

use crate::base::{Adjustment, Answer, Game, Player, PlayerId, PlayerSlot, Sheet};
use crate::showing::streaks::{Earned, Numbered, Streak};

/// One answer of the current round, for the host (`ReviewAnswer`).
#[derive(Clone, Copy, Debug)]
pub struct ReviewEntry<'a> {
    /// The player who answered.
    pub player: &'a Player,
    /// The question.
    pub question: &'a Question,
    /// The answer with its mark and override.
    pub answer: &'a Answer,
}

/// One player's results of the current round (`round_scores`).
#[derive(Clone, Debug)]
pub struct RoundResult<'a> {
    /// One entry per released question, in order of release, answered or not.
    pub results: Vec<QuestionResult<'a>>,
    /// The points that the host gave by hand, in order of giving.
    pub adjustments: Vec<&'a Adjustment>,
    /// The sum of the points of both.
    pub round_total: i64,
}

/// One player's result for one question (`QuestionResult`).
#[derive(Clone, Copy)]
pub struct QuestionResult<'a> {
    /// The question.
    pub question: &'a Question,
    /// The player's answer as written; empty without one.
    pub answer: &'a str,
    /// Whether it counts as right.
    pub correct: bool,
    /// The points that the answer earned.
    pub earned: Earned,
}

impl std::fmt::Debug for QuestionResult<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "QuestionResult({})", self.question.id)
    }
}

/// One answer of any round, for the results export.
#[derive(Clone, Copy, Debug)]
pub struct PastAnswer<'a> {
    /// The round, from 0.
    pub round: usize,
    /// The question.
    pub question: &'a Question,
    /// The player who answered.
    pub player: &'a Player,
    /// The answer with its mark and override.
    pub answer: &'a Answer,
    /// The points that the answer earns.
    pub earned: Earned,
    /// Whether the round's scores are out, so that the points count.
    pub scored: bool,
}

impl Game {
    /// Every answer of the current round, by release of the question, then by first arrival.
    pub fn review(&self) -> impl Iterator<Item = ReviewEntry<'_>> {
        self.answers_of(self.round()).map(|(question, player, answer)| ReviewEntry { player, question, answer })
    }

    /// A player's results of the current round. For an id without a player, nothing is answered.
    pub fn results_of(&self, player: PlayerId) -> RoundResult<'_> {
        let slot = self.roster.find_player(player);
        let round = self.round();
        let mut streak =
            slot.map_or_else(Streak::default, |slot| Streak::of(self.roster.player(slot), self.quiz(), round));
        let mut results = Vec::new();
        for asked in self.numbered_up_to(round) {
            let answer = slot.and_then(|slot| asked.sheet.answer(slot));
            let earned =
                answer.map_or_else(Earned::default, |answer| streak.earn(asked.number, asked.question, answer));
            if asked.round == round {
                results.push(question_result(asked.question, answer, earned));
            }
        }
        let adjustments: Vec<_> =
            slot.into_iter().flat_map(|slot| self.roster.player(slot).adjustments_in(round)).collect();
        let by_hand = adjustments.iter().map(|adjustment| i64::from(adjustment.points));
        let round_total = results.iter().map(|result| i64::from(result.earned.points)).chain(by_hand).sum();
        RoundResult { results, adjustments, round_total }
    }

    /// Every answer of every round played so far, by round, release and arrival.
    pub fn all_answers(&self) -> impl Iterator<Item = PastAnswer<'_>> {
        let rounds = 0..self.rounds.len();
        let answers = rounds.flat_map(|round| self.numbered_sheets_of(round)).flat_map(|asked| {
            let Numbered { round, number, question, sheet } = asked;
            sheet.answers().map(move |answer| (round, number, question, answer))
        });
        let (mut counted_from, mut streaks) = (None, Vec::new());
        let past = answers.map(move |(round, number, question, answer)| {
            let begin = self.streaks_begin(round);
            if counted_from.replace(begin) != Some(begin) {
                streaks = self.new_streaks(round);
            }
            PastAnswer {
                round,
                question,
                player: self.roster.player(answer.slot),
                answer,
                earned: streaks[answer.slot as usize].earn(number, question, answer),
                scored: self.is_scored(round),
            }
        });
        past.filter(|past| !past.player.removed)
    }

    /// The questions released in a round (from 0), in order of release; none in a round that has not begun. Each comes with the
    /// number of players who could answer it: players with a phone who had joined before the round was closed, and other players
    /// who have an answer.
    pub fn asked_in(&self, round: usize) -> impl Iterator<Item = (&Question, usize)> {
        let closed = self.joined_at_close(round);
        let could = |player: &Player| player.is_listed() && !player.on_paper;
        let in_time = (0..closed).zip(self.roster.all()).filter(|(_, player)| could(player)).count();
        self.sheets_of(round).map(move |(question, sheet)| {
            let answered = sheet.answers().map(|answer| (answer.slot, self.roster.player(answer.slot)));
            let others = answered.filter(|(slot, player)| (*slot >= closed || player.on_paper) && !player.removed);
            (question, in_time + others.count())
        })
    }

    /// The players who joined after the current round was closed, in order of joining; none while it is open.
    pub fn latecomers(&self) -> impl Iterator<Item = &Player> {
        let closed = self.joined_at_close(self.round()) as usize;
        self.roster.all().skip(closed).filter(|player| !player.removed)
    }

    /// How many players had joined when a round (from 0) was closed; the largest number while it is open.
    fn joined_at_close(&self, round: usize) -> PlayerSlot {
        self.rounds.get(round).and_then(|played| played.joined).unwrap_or(PlayerSlot::MAX)
    }

    /// Every answer to a question of any round, those of removed players included, by arrival.
    pub fn answers_ever(&self, question: QuestionId) -> impl Iterator<Item = (PlayerId, &Answer)> {
        let answers = self.sheet_of_any_round(question).into_iter().flat_map(Sheet::answers);
        answers.map(|answer| (self.roster.player(answer.slot).id, answer))
    }

    fn answers_of(&self, round: usize) -> impl Iterator<Item = (&Question, &Player, &Answer)> {
        self.sheets_of(round)
            .flat_map(|(question, sheet)| sheet.answers().map(move |answer| (question, answer)))
            .map(|(question, answer)| (question, self.roster.player(answer.slot), answer))
            .filter(|(_, player, _)| !player.removed)
    }
}

fn question_result<'a>(question: &'a Question, answer: Option<&'a Answer>, earned: Earned) -> QuestionResult<'a> {
    QuestionResult {
        question,
        answer: answer.map_or("", |answer| &answer.text),
        correct: answer.is_some_and(Answer::correct),
        earned,
    }
}
