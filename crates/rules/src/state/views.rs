//! What the state shows of its answers: the host's review, a player's results, the history for export. Reads only;
//! removed players are left out everywhere.

use super::State;
use super::frozen::Place;
use super::roster::{Player, PlayerSlot};
use super::sheet::{Answer, Sheet};
use crate::{PlayerId, Question};

/// One answer of the current round, for the host (`ReviewAnswer`).
#[derive(Clone, Copy, Debug)]
pub struct ReviewEntry<'a> {
    /// Whose.
    pub player: &'a Player,
    /// To which question.
    pub question: &'a Question,
    /// The answer with its mark and override.
    pub answer: &'a Answer,
}

/// One player's results of the current round (`round_scores`).
#[derive(Clone, Debug)]
pub struct RoundResult<'a> {
    /// One entry per released question, in order of release, answered or not.
    pub results: Vec<QuestionResult<'a>>,
    /// The sum of the entries' points.
    pub round_total: u64,
}

/// One player's result for one question (`QuestionResult`).
#[derive(Clone, Copy)]
pub struct QuestionResult<'a> {
    /// Which question.
    pub question: &'a Question,
    /// What the player wrote, or nothing.
    pub answer: &'a str,
    /// Whether it counts as right.
    pub correct: bool,
    /// What the player got for it.
    pub points: u32,
}

impl std::fmt::Debug for QuestionResult<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "QuestionResult({})", self.question.id)
    }
}

/// One answer of any round, for the results export.
#[derive(Clone, Copy, Debug)]
pub struct PastAnswer<'a> {
    /// From 0.
    pub round: usize,
    /// To which question.
    pub question: &'a Question,
    /// Whose.
    pub player: &'a Player,
    /// The answer with its mark and override.
    pub answer: &'a Answer,
    /// What it earns.
    pub points: u32,
    /// The round's scores are out, so the points count.
    pub scored: bool,
}

impl State {
    /// Every answer of the current round, by release of the question, then by first arrival.
    pub fn review(&self) -> impl Iterator<Item = ReviewEntry<'_>> {
        self.answers_of(self.round()).map(|(question, player, answer)| ReviewEntry { player, question, answer })
    }

    /// A player's results of the current round. For an id that is not a player's: nothing answered.
    pub fn results_of(&self, player: PlayerId) -> RoundResult<'_> {
        let slot = self.roster.find_player(player);
        let sheets = self.sheets_of(self.round());
        let results: Vec<_> = sheets
            .map(|(question, sheet)| question_result(question, slot.and_then(|slot| sheet.answer(slot))))
            .collect();
        let round_total = results.iter().map(|result| u64::from(result.points)).sum();
        RoundResult { results, round_total }
    }

    /// Every answer of every round played so far, by round, release and arrival.
    pub fn all_answers(&self) -> impl Iterator<Item = PastAnswer<'_>> {
        self.rounds.iter().enumerate().flat_map(|(round, played)| {
            self.answers_of(round).map(move |(question, player, answer)| PastAnswer {
                round,
                question,
                player,
                answer,
                points: points(question, answer),
                scored: played.scored,
            })
        })
    }

    /// The questions released in a round (from 0), in order of release; none in a round not begun. With each how many
    /// players could answer it: those who had joined before the round was closed, and later ones who were credited.
    pub fn asked_in(&self, round: usize) -> impl Iterator<Item = (&Question, usize)> {
        let closed = self.joined_at_close(round);
        let in_time = (0..closed).zip(self.roster.all()).filter(|(_, player)| player.is_listed()).count();
        self.sheets_of(round).map(move |(question, sheet)| {
            let late = sheet.answers().filter(|answer| answer.slot >= closed);
            let credited = late.filter(|answer| !self.roster.player(answer.slot).removed).count();
            (question, in_time + credited)
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

    /// Whether the scores of a round (from 0) are released, so that its points count on the board.
    pub fn is_scored(&self, round: usize) -> bool {
        self.rounds.get(round).is_some_and(|played| played.scored)
    }

    fn answers_of(&self, round: usize) -> impl Iterator<Item = (&Question, &Player, &Answer)> {
        self.sheets_of(round)
            .flat_map(|(question, sheet)| sheet.answers().map(move |answer| (question, answer)))
            .map(|(question, answer)| (question, self.roster.player(answer.slot), answer))
            .filter(|(_, player, _)| !player.removed)
    }

    /// The released questions of a round with their answers, in order of release.
    pub(super) fn sheets_of(&self, round: usize) -> impl Iterator<Item = (&Question, &Sheet)> {
        let sheets = self.rounds.get(round).map_or(&[][..], |played| &played.sheets);
        sheets.iter().filter_map(move |sheet| {
            let question = self.frozen.at(Place { round, question: sheet.question })?;
            Some((question, sheet))
        })
    }
}

fn question_result<'a>(question: &'a Question, answer: Option<&'a Answer>) -> QuestionResult<'a> {
    QuestionResult {
        question,
        answer: answer.map_or("", |answer| &answer.text),
        correct: answer.is_some_and(Answer::correct),
        points: answer.map_or(0, |answer| points(question, answer)),
    }
}

/// What an answer earns.
pub(super) fn points(question: &Question, answer: &Answer) -> u32 {
    if answer.correct() { question.points } else { answer.partial_points() }
}
