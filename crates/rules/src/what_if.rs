//! What corrections and points by hand would do to the board, before the host makes them.
//!
//! Called by the server with a copy of the state. Each correction is the host's own command, judged and applied as the owner does
//! it, so the board after them is the one that they would give. Never stored, never sent.

use std::sync::Arc;

use quizhall_quiz::QuestionId;

use crate::base::{AnswerTexts, Board, Moment, Phase, PlayerId, Refusal, Standing};
use crate::command::{Actor, Command};
use crate::decide::{Asked, judge};
use crate::event::Event;
use crate::state::State;

/// A correction that the host has not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supposed {
    /// Answers count like this; `half` is for answers that do not count as right.
    Mark {
        /// The question.
        question: QuestionId,
        /// The answers.
        named: Named,
        /// Whether they count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        half: bool,
    },
    /// The question is withdrawn.
    Withdraw(QuestionId),
    /// The player gets points by hand.
    Adjust {
        /// The player.
        player: PlayerId,
        /// The points; 0 does nothing.
        points: i32,
    },
}

/// The answers that a correction is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// Every answer with one of these texts.
    Answers(AnswerTexts),
    /// The answers of these players, who need not have answered.
    Players(Vec<PlayerId>),
}

/// The board before the corrections and after them.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The board of the game. When a correction is about the round under review, or gives points by hand during it, the board if its
    /// scores came out now.
    pub before: Arc<Board>,
    /// The same board after the corrections.
    pub after: Arc<Board>,
}

/// A correction that the game does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Its place in the list.
    pub at: usize,
    /// Why not.
    pub refusal: Refusal,
}

/// The lines of a player before the corrections and after them; none where the player is not on that board.
pub type Lines<'a> = (Option<&'a Standing>, Option<&'a Standing>);

/// Carries the corrections out on a copy, in their order.
pub fn what_if(mut state: State, supposed: &[Supposed]) -> Result<Outcome, Unfit> {
    // Points by hand belong to the current round.
    let is_about_review = |supposed: &Supposed| supposed.question().is_none_or(|question| state.is_in_round(question));
    if state.phase() == Phase::RoundReview && supposed.iter().any(is_about_review) {
        // Marks that are corrected right after a release give the same scores as in the review.
        carry_out(&mut state, &Command::ReleaseScores).map_err(|refusal| Unfit { at: 0, refusal })?;
    }
    let before = Arc::clone(state.board());
    for (at, supposed) in supposed.iter().enumerate() {
        let fits = match supposed.question() {
            Some(question) if !state.is_of_scored_round(question) => Err(Refusal::UnknownQuestion),
            None if state.phase() == Phase::Lobby => Err(Refusal::WrongPhase),
            _ => Ok(()),
        };
        let done = fits.and_then(|()| carry_out(&mut state, &supposed.command()));
        done.map_err(|refusal| Unfit { at, refusal })?;
    }
    Ok(Outcome { before, after: Arc::clone(state.board()) })
}

/// The phase is not checked, because a game that has ended is also asked about; who may ask is checked by the caller.
fn carry_out(state: &mut State, command: &Command) -> Result<(), Refusal> {
    let host = Asked { actor: Actor::Host, at: Moment::default() };
    if let Some(change) = judge(state, host, command)? {
        state.apply(&Event::new(change, None));
    }
    Ok(())
}

impl Supposed {
    /// None for points by hand.
    fn question(&self) -> Option<QuestionId> {
        match self {
            Self::Mark { question, .. } | Self::Withdraw(question) => Some(*question),
            Self::Adjust { .. } => None,
        }
    }

    /// The command with which the host makes it.
    fn command(&self) -> Command {
        match self.clone() {
            Self::Mark { question, named: Named::Answers(texts), correct, half } => {
                Command::CorrectMarks { question, texts, correct, half }
            }
            Self::Mark { question, named: Named::Players(players), correct, half } => {
                Command::CorrectPlayers { question, players, correct, half }
            }
            Self::Withdraw(question) => Command::WithdrawQuestion { question },
            Self::Adjust { player, points } => Command::AdjustPoints { player, points, reason: None },
        }
    }
}

impl Outcome {
    /// The players whose score or place differs, in the order of the board after the corrections.
    pub fn changes(&self) -> impl Iterator<Item = Lines<'_>> {
        let gone = self.before.standings.iter().filter(|line| self.after.standing_of(line.player).is_none());
        let after = self.after.standings.iter().map(|line| (self.before.standing_of(line.player), Some(line)));
        let shown = |line: Option<&Standing>| line.map(|line| (line.score, line.place));
        after.chain(gone.map(|line| (Some(line), None))).filter(move |(before, after)| shown(*before) != shown(*after))
    }
}
