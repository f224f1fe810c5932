//! The result of a command: one event, nothing, or a refusal. The engine calls [`decide`] on the state after the last stored
//! event, stores the result, and then applies it. Nothing is changed here.

mod adjustments;
mod answers;
mod asking;
mod autopilot;
mod joining;
mod marks;
mod options;
mod paper;
mod rule;
mod showing;
mod steps;
mod timers;
mod tokens;
mod verdict;
mod wording;

pub(crate) use answers::{Answerer, Open, Submitted};
pub(crate) use asking::Asked;
pub(crate) use rule::check_row;
pub use timers::LONGEST_TIMER;

use std::borrow::Cow;

use crate::base::{CommandId, Device, Refusal};
use crate::clock::span::Expiry;
use crate::command::{Actor, Command, Origin};
use crate::event::{Change, Event};
use crate::showing::settings::Setting;
use crate::state::State;
use marks::Said;
use verdict::Verdict;

/// Decides a command (messages.md#rules-of-the-game). `Ok(None)` means that there is nothing to do, for example because it has
/// been done already: the command is acknowledged and nothing is stored.
///
/// Checked in this order: closed game, command id, role, phase, role of a co-host, the rest. A command id not newer than the last one stored from
/// the same connection means that the command has been done already. One from an older connection is refused, so that a delayed
/// duplicate never undoes a later command. Commands of the service carry no id.
pub fn decide(state: &State, origin: Origin, command: &Command) -> Result<Option<Event>, Refusal> {
    let Origin { actor, command_id, at } = origin;
    if state.is_closed() {
        return if *command == Command::Close { Ok(None) } else { Err(Refusal::Closed) };
    }
    let (last, command_id) = match actor {
        Actor::Host => (state.last_host_command(Device::FIRST), command_id),
        Actor::CoHost(device) => (state.last_host_command(device), command_id),
        Actor::Player(player) => (state.last_command_of(player), command_id),
        Actor::Device(player, device) => (state.last_command_over(player, device), command_id),
        Actor::Service => (None, None),
    };
    if let Some(verdict) = repeated(last, command_id) {
        return verdict.map(|()| None);
    }
    rule::check(state, actor, command)?;
    Ok(judge(state, Asked { actor, at }, command)?.map(|change| {
        let host = actor.as_host().unwrap_or_default();
        Event { change, command_id, host, is_step: is_step(command) }
    }))
}

/// The outcome of a command that is not newer than the last one of its sender; none for any other.
pub(crate) fn repeated(last: Option<CommandId>, command_id: Option<CommandId>) -> Option<Result<(), Refusal>> {
    let (last, command_id) = last.zip(command_id)?;
    let is_of_newest = command_id.session == last.session;
    (command_id <= last).then_some(if is_of_newest { Ok(()) } else { Err(Refusal::Superseded) })
}

/// The result of a command of an actor who may send it in the current phase.
pub(crate) fn judge(state: &State, asked @ Asked { actor, at }: Asked, command: &Command) -> Verdict {
    use Command as C;
    match command {
        C::Join(join) => joining::judge_join(state, join),
        C::AddDevice(asked) => joining::judge_device(state, asked),
        C::Leave { player, device } => Ok(joining::judge_leave(state, *player, *device)),
        C::Return { player, device } => Ok(joining::judge_return(state, *player, *device)),
        C::HostLeave => Ok(joining::judge_host(state, false)),
        C::HostReturn => Ok(joining::judge_host(state, true)),
        C::Remove { player } => joining::judge_remove(state, *player, false),
        C::Ban { player } => joining::judge_remove(state, *player, true),
        C::RenamePlayer { player, name } => wording::judge_name(state, *player, name),
        C::StartGame => Ok(Some(Change::Started)),
        C::ReleaseQuestion { question } => answers::judge_release(state, *question),
        C::CloseQuestion { question } => timers::judge_closing(state, *question),
        C::SetCloseWhenAnswered { on } => Ok(options::judge_closing(state, *on)),
        C::SetOptions(asked) => options::judge(state, asked),
        C::EndRound => Ok(Some(Change::RoundEnded)),
        C::ReleaseScores => Ok(Some(Change::ScoresReleased { held: state.are_phones_after_screen() })),
        C::ReleaseOwnScores => Ok(Some(Change::ScoresReleased { held: true })),
        C::ShowStandings => Ok(state.are_standings_held().then_some(Change::ScoresReleased { held: false })),
        C::StartNextRound if !state.has_next_round() => Err(Refusal::NoRoundLeft),
        C::StartNextRound => Ok(Some(Change::NextRoundStarted)),
        C::EndGame => Ok(Some(Change::Ended)),
        C::Next { number } => Ok(steps::judge_next(state, *number)),
        C::Close => Ok(Some(Change::Closed)),
        C::OverrideAnswer { player, question, correct } => marks::judge_override(state, *player, *question, *correct),
        C::MarkAnswers { question, texts, correct, half, alike } => {
            let texts = if *alike { Cow::Owned(state.alike(*question, texts)) } else { Cow::Borrowed(texts) };
            marks::judge_marking(state, *question, &texts, Said { correct: *correct, half: *half })
        }
        C::AcceptAnswer { question, texts, correct, half } => {
            marks::judge_key(state, *question, texts, Said { correct: *correct, half: *half })
        }
        C::OpenDesk { .. } => Ok(None), // It is only about the socket.
        C::UndoMarking => Ok(marks::judge_undo(state, actor)),
        C::CorrectMarks { question, texts, correct, half } => {
            marks::judge_correction(state, *question, texts, Said { correct: *correct, half: *half })
        }
        C::CorrectPlayers { question, players, correct, half } => {
            marks::judge_credit(state, *question, players, Said { correct: *correct, half: *half })
        }
        C::Appeal { question, text } => marks::judge_appeal(state, actor, *question, text.as_ref()),
        C::DismissAppeal { player, question } => marks::judge_dismissal(state, *player, *question),
        C::AdjustPoints { player, points, reason } => adjustments::judge(state, *player, *points, reason.as_ref()),
        C::UndoAdjustment { adjustment } => Ok(adjustments::judge_undo(state, *adjustment)),
        C::SubmitAnswer { question, answer, elapsed } => {
            answers::judge_answer(state, asked, Submitted { question: *question, answer, measured: *elapsed })
        }
        C::ShowTally { question, hidden } => showing::judge_tally(state, *question, hidden),
        C::RevealAnswer { question } => showing::judge_reveal(state, *question),
        C::SetTimer(left) => timers::judge_set(state, *left),
        C::AddTime(more) => timers::judge_more(state, *more, at),
        C::HoldTimers { held } => Ok(timers::judge_hold(state, *held, at)),
        C::MarkTimers => Ok(timers::judge_mark(state, at)),
        C::Expire(expiry) => Ok(timers::judge_expiry(state, *expiry, at)),
        C::SetExtraTime { player, percent } => timers::judge_extra(state, *player, *percent),
        C::SetAutopilot(plan) => Ok(autopilot::judge_plan(state, *plan)),
        C::StartBreak { ms, text } => Ok(Some(Change::BreakStarted { ms: *ms, text: text.clone() })),
        C::EndBreak => Ok(state.has_break().then_some(Change::BreakEnded)),
        C::PlayJoker => showing::judge_joker(state, actor),
        C::TieBreak(asked) => showing::judge_tie_break(state, asked),
        C::AnswerTieBreak { answer } => showing::judge_tie_answer(state, actor, *answer),
        C::EndTieBreak => Ok(showing::judge_tie_end(state)),
        C::EditQuestion(edit) => wording::judge_edit(state, edit),
        C::WithdrawQuestion { question } => wording::judge_withdrawal(state, *question),
        C::IssueSeatCode(code) => joining::judge_seat_code(state, **code),
        C::MoveSeat(moved) => joining::judge_seat_move(state, moved),
        C::RemovePhone { player, device } => joining::judge_phone_removal(state, *player, *device),
        C::SuggestAnswer { question, answer } => answers::judge_suggestion(state, actor, *question, answer),
        C::AddSeat(seat) => paper::judge_seat(state, seat),
        C::EnterAnswer(entered) => paper::judge_answer(state, entered),
        C::AddCoHost(co_host) => tokens::judge_co_host(state, co_host),
        C::RemoveCoHost { co_host } => Ok(tokens::judge_co_host_removal(state, *co_host)),
        C::AddScreen(screen) => tokens::judge_screen(state, screen),
        C::RemoveScreen { screen } => Ok(tokens::judge_screen_removal(state, *screen)),
        C::Set(setting) => Ok(judge_setting(state, setting)),
    }
}

/// Whether a command takes the next step of the game.
fn is_step(command: &Command) -> bool {
    matches!(command, Command::Next { .. } | Command::Expire(Expiry { is_step: true, .. }))
}

fn judge_setting(state: &State, setting: &Setting) -> Option<Change> {
    let changes = state.settings.clone().set(setting);
    changes.then(|| Change::Set(setting.clone()))
}
