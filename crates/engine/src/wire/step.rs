//! State → `step_update`: the next step of the game, and what it would interrupt.

use bytes::Bytes;
use quizhall_protocol::to_host::{self, StepUpdate, WaitReason};
use quizhall_protocol::{ToHost, frame};
use quizhall_rules::{QuestionId, State, Step, WaitsFor, next_step, waits_for};

use super::count;
use super::slides::described;

/// `step_update`.
pub fn step_update(state: &State) -> StepUpdate {
    let (step, question, slide) = named(next_step(state));
    StepUpdate {
        number: state.step_number(),
        step,
        question_id: question.map(QuestionId::uuid),
        slide: slide.map(described),
        waits_for: waits_for(state).map(hint),
    }
}

/// The same as a frame.
pub fn step_frame(state: &State) -> Bytes {
    frame::text(&ToHost::StepUpdate(step_update(state)))
}

fn named(step: Step) -> (to_host::Step, Option<QuestionId>, Option<quizhall_rules::Slide>) {
    use to_host::Step as Name;
    let of_none = |name| (name, None, None);
    match step {
        Step::StartGame => of_none(Name::StartGame),
        Step::ReleaseQuestion(question) => (Name::ReleaseQuestion, Some(question), None),
        Step::CloseQuestion(question) => (Name::CloseQuestion, Some(question), None),
        Step::EndRound => of_none(Name::EndRound),
        Step::RevealAnswer(question) => (Name::RevealAnswer, Some(question), None),
        Step::ReleaseScores => of_none(Name::ReleaseScores),
        Step::Show(slide) => (Name::Show, None, Some(slide)),
        Step::EndTieBreak => of_none(Name::EndTieBreak),
        Step::ShowStandings => of_none(Name::ShowStandings),
        Step::StartNextRound => of_none(Name::StartNextRound),
        Step::EndGame => of_none(Name::EndGame),
        Step::Nothing => of_none(Name::None),
    }
}

fn hint(waits: WaitsFor) -> to_host::WaitsFor {
    let (reason, number) = match waits {
        WaitsFor::Marking(texts) => (WaitReason::Marking, texts),
        WaitsFor::Answers(players) => (WaitReason::Answers, players),
    };
    to_host::WaitsFor { reason, count: count(number) }
}
