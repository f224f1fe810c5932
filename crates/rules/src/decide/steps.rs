//! Decides `next`: takes the next step of the game (messages.md#rules-of-the-game). Called by `decide`, which has checked the role.

use super::showing;
use crate::base::Pace;
use crate::event::Change;
use crate::showing::settings::{OnScreens, Setting, Slide};
use crate::state::State;
use crate::state::step::{Step, next_step};

/// Takes the step with this number. With another number nothing is done, so two presses of one step are one step.
pub(super) fn judge_next(state: &State, number: u32) -> Option<Change> {
    (number == state.step_number()).then(|| change_of(state, next_step(state)))?
}

/// The event with which a step is taken.
pub(super) fn change_of(state: &State, step: Step) -> Option<Change> {
    Some(match step {
        Step::StartGame => Change::Started,
        Step::ReleaseQuestion(question) => Change::QuestionReleased { question },
        Step::CloseQuestion(question) if state.is_closing(question) => return None,
        Step::CloseQuestion(question) => Change::QuestionClosing { question },
        Step::EndRound => Change::RoundEnded,
        Step::RevealAnswer(question) => Change::AnswerRevealed { question },
        Step::ReleaseScores => Change::ScoresReleased { held: holds_standings(state) },
        Step::Show(slide) => turned(state, slide),
        Step::EndTieBreak => return showing::judge_tie_end(state),
        Step::ShowStandings => Change::ScoresReleased { held: false },
        Step::StartNextRound => Change::NextRoundStarted,
        Step::EndGame => Change::Ended,
        Step::Nothing => return None,
    })
}

/// Whether phones wait for the standings: where the host wants that, after the last round of a game with screens, which show the winner
/// first, and after single questions, where the standings are a step of their own.
fn holds_standings(state: &State) -> bool {
    let is_end = state.is_watched() && !state.has_next_round();
    is_end || state.are_phones_after_screen() || state.pace() == Pace::Question
}

fn turned(state: &State, slide: Slide) -> Change {
    Change::Set(Setting::Screens(OnScreens { slide: Some(slide), blank: false, ..state.on_screens().clone() }))
}
