//! The next step of the game, at any point of it. The host's one button and the autopilot take it.
//!
//! A pure function of the state. `apply` counts its changes, so every node and every replay gives a step the same number.

use quizhall_quiz::{Question, QuestionId};

use crate::base::{BoardAfter, Game, Moment, Pace, Phase, Player, PlayerSlot, Sheet};
use crate::event::Change;
use crate::showing::settings::Slide;
use crate::showing::tie_breaks::TieBreak;
use crate::state::State;

/// A step of the game. Each is taken with one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The game starts.
    StartGame,
    /// This question is released.
    ReleaseQuestion(QuestionId),
    /// This question closes for all players.
    CloseQuestion(QuestionId),
    /// The round is closed for answers.
    EndRound,
    /// The right answer to this question is revealed; a round that is open is closed with it.
    RevealAnswer(QuestionId),
    /// The scores of the round come out.
    ReleaseScores,
    /// The screens show this picture. The first one with the standings, or the winner, also shows held standings.
    Show(Slide),
    /// The open tie-break ends.
    EndTieBreak,
    /// Held standings are shown.
    ShowStandings,
    /// The next round begins.
    StartNextRound,
    /// The game ends.
    EndGame,
    /// Nothing is left.
    Nothing,
}

/// What a step would interrupt. The host may take it nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// The number of texts for which the host has not decided whether they are right.
    Marking(usize),
    /// The number of connected players who can still answer.
    Answers(usize),
}

/// The next step. The host can always take it: no role and phase in which it is proposed refuses it.
pub fn next_step(state: &State) -> Step {
    if state.is_closed() {
        return Step::Nothing;
    }
    match state.phase() {
        Phase::Lobby => Step::StartGame,
        Phase::Question => state.next_question().map_or_else(|| after_questions(state), Step::ReleaseQuestion),
        Phase::RoundReview => state.unrevealed().map_or(Step::ReleaseScores, Step::RevealAnswer),
        Phase::Leaderboard if state.open_tie_break().is_some() => Step::EndTieBreak,
        Phase::Leaderboard if state.pace() == Pace::Question => after_question(state),
        Phase::Leaderboard => after_scores(state),
        Phase::Ended => Step::Nothing,
    }
}

/// All questions of the round are released. In a game of single questions the question closes, and its answer is revealed. Until it has
/// closed the step stays, and taking it again does nothing: a second press never refuses an answer on its way.
fn after_questions(state: &State) -> Step {
    match state.unrevealed() {
        None => Step::EndRound,
        Some(question) if state.is_open(question) => Step::CloseQuestion(question),
        Some(question) => Step::RevealAnswer(question),
    }
}

/// The scores of a single question are out. Standings that are not due stay held. After the last question the places follow one by
/// one, as after the last round.
fn after_question(state: &State) -> Step {
    if !state.has_next_round() {
        return after_scores(state);
    }
    let is_shown = state.are_standings_held() && state.is_board_due();
    if is_shown { Step::ShowStandings } else { Step::StartNextRound }
}

/// What the next step would interrupt, if anything.
pub fn waits_for(state: &State) -> Option<WaitsFor> {
    match next_step(state) {
        Step::EndRound | Step::CloseQuestion(_) | Step::EndTieBreak => {
            some(state.players_thinking()).map(WaitsFor::Answers)
        }
        Step::ReleaseScores if state.pace() == Pace::Question && state.mark_later() => None,
        Step::ReleaseScores => some(state.undecided_texts()).map(WaitsFor::Marking),
        _ => None,
    }
}

/// Whether an event of this kind may change the next step. Answers and presence come too often to compare.
pub(crate) fn may_move(change: &Change) -> bool {
    use Change as C;
    !matches!(
        change,
        C::Answered { .. }
            | C::Answers(_)
            | C::AnswerEntered { .. }
            | C::Suggested { .. }
            | C::Joined { .. }
            | C::Left { .. }
            | C::Returned { .. }
            | C::Disconnected { .. }
            | C::Connected { .. }
            | C::TimerMark { .. }
            | C::BreakMark { .. }
    )
}

/// What the autopilot does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutopilotStep {
    /// It shows the tally of this question.
    Tally(QuestionId),
    /// It takes this step of the game.
    Next(Step),
}

fn after_scores(state: &State) -> Step {
    let shown = state.slide();
    let next = state.slide_to_turn_to(shown).filter(|_| state.is_watched());
    // The host may have turned past the first picture with the standings.
    let is_overdue = state.are_standings_held() && (next.is_none() || state.is_of_standings(shown));
    match next {
        _ if is_overdue => Step::ShowStandings,
        Some(slide) => Step::Show(slide),
        None if state.has_next_round() => Step::StartNextRound,
        None => Step::EndGame,
    }
}

fn some(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

/// The autopilot.
impl State {
    /// The autopilot's next step, and after how many milliseconds from a moment of this process it follows; none while a
    /// question is open.
    pub fn autopilot_step(&self, at: Moment) -> Option<(AutopilotStep, u64)> {
        let (tally, ms) = self.clock.timers.coming(at)?;
        Some((tally.map_or_else(|| AutopilotStep::Next(next_step(self)), AutopilotStep::Tally), ms))
    }

    /// Whether the autopilot waits: for the host, or until the host has decided about all texts.
    pub fn is_autopilot_held(&self) -> bool {
        let Some(autopilot) = &self.clock.timers.autopilot else { return false };
        autopilot.held || autopilot.plan.waits_for_marking() && matches!(waits_for(self), Some(WaitsFor::Marking(_)))
    }

    /// How long the autopilot leaves the game as it is before its next step, in seconds. Every picture, answer and board is shown for its
    /// time; what no one looks at takes none.
    pub(crate) fn pause_of_autopilot(&self) -> u16 {
        let Some(plan) = self.autopilot() else { return 0 };
        match (next_step(self), self.slide()) {
            (Step::RevealAnswer(_), _) => 0,
            (Step::ReleaseScores, _) if self.pace() == Pace::Question => 0,
            (Step::Show(_) | Step::ShowStandings, Slide::Question(_) | Slide::Podium(_)) => plan.reveal_for,
            (Step::StartNextRound, Slide::Question(_)) if self.pace() == Pace::Question => plan.reveal_for,
            (Step::Show(_) | Step::ShowStandings | Step::StartNextRound | Step::EndGame, _) => plan.standings(),
            _ => plan.break_for,
        }
    }
}

impl State {
    /// The number of the next step: from 1, and one more whenever the step changes.
    pub fn step_number(&self) -> u32 {
        self.steps.saturating_add(1)
    }

    /// Whether anything shows the pictures of the screens: a screen that has a token, or spectators.
    pub fn is_watched(&self) -> bool {
        !self.screens.added.is_empty() || self.may_watch()
    }

    /// The picture that the screens show once the scores are out, unless a tie-break is open.
    pub fn slide(&self) -> Slide {
        self.on_screens().slide.unwrap_or_else(|| self.first_slide())
    }

    /// Whether a picture that the screens turn to as the next step shows the held standings as well.
    pub(crate) fn shows_held(&self, slide: Slide) -> bool {
        self.are_standings_held() && self.is_of_standings(slide)
    }

    /// Connected players who have not answered a question that is open for them, or the open tie-break.
    fn players_thinking(&self) -> usize {
        let open: Vec<_> = self.sheets_of(self.round()).filter(|(_, sheet)| !sheet.closed).collect();
        let (has_stages, tie) = (self.has_stages(), self.open_tie_break());
        let thinks = |(slot, player): &(PlayerSlot, &Player)| {
            let is_missing = |(question, sheet): &(&Question, &Sheet)| {
                sheet.answer(*slot).is_none() && (!has_stages || self.is_open_for(question.id, player.id))
            };
            let asks = |tie: &TieBreak| tie.players.contains(&player.id) && !tie.answers.contains_key(&player.id);
            player.connected && !player.removed && tie.map_or_else(|| open.iter().any(is_missing), asks)
        };
        (0..).zip(self.roster.all()).filter(thinks).count()
    }
}

impl State {
    /// In a game of single questions: the question of this round if it was released and not withdrawn, and its answer is not revealed.
    fn unrevealed(&self) -> Option<QuestionId> {
        let asked = self.released().last().filter(|_| self.pace() == Pace::Question)?.id;
        (!self.is_withdrawn(asked) && !self.revealed.has(asked)).then_some(asked)
    }

    /// Whether the standings are shown after the question of this round, in a game of single questions. After the last one they are, and
    /// after each one where phones wait for the screen: they get their own results only with the standings.
    fn is_board_due(&self) -> bool {
        let Some(section) = self.section(self.round()) else { return true };
        let is_last = section.question_index + 1 == section.question_count;
        is_last
            || self.are_phones_after_screen()
            || match self.board_after() {
                BoardAfter::Question => true,
                BoardAfter::Third => (section.question_index + 1).is_multiple_of(3),
                BoardAfter::Section => false,
            }
    }
}

impl Game {
    /// The first question of the current round that was not released.
    pub(crate) fn next_question(&self) -> Option<QuestionId> {
        let questions = self.quiz().rounds.get(self.round()).map_or(&[][..], |round| &round.questions);
        questions.iter().map(|asked| asked.id).find(|question| !self.is_released(*question))
    }

    /// The texts of this round that are close to a right answer, or no number where one is asked for, and for which the host has not
    /// decided; texts that the key does not distinguish count once.
    fn undecided_texts(&self) -> usize {
        let of = |question: &Question| self.texts_to_check(question.id);
        self.released().filter(|asked| !self.is_withdrawn(asked.id)).map(of).sum()
    }
}
