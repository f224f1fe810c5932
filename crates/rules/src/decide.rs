//! The result of a command: one event, nothing, or a refusal. The engine calls [`decide`] on the state after the last stored
//! event, stores the result, and then applies it. Nothing is changed here.

mod autopilot;
mod joining;
mod paper;
mod rule;
mod timers;
mod tokens;
mod wording;

use std::collections::BTreeSet;

pub use timers::LONGEST_TIMER;

use self::joining::{
    judge_device, judge_join, judge_leave, judge_phone_removal, judge_return, judge_seat_code, judge_seat_move,
};
use crate::answering::key::MOST_RULINGS;
use crate::{
    Actor, AnswerText, AnswerTexts, Appeal, AppealStatus, Change, Command, Device, Event, Mark, Moment, Origin, Phase,
    Player, PlayerId, QuestionId, QuestionKind, Refusal, Setting, State, TieBreak, TieQuestion,
};

pub(crate) type Verdict = Result<Option<Change>, Refusal>;

/// Decides a command (messages.md#rules-of-the-game). `Ok(None)` means that there is nothing to do, for example because it has
/// been done already: the command is acknowledged and nothing is stored.
///
/// Checked in this order: closed game, command id, role, phase, the rest. A command id not newer than the last one stored from
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
    if let (Some(last), Some(command_id)) = (last, command_id)
        && command_id <= last
    {
        return if command_id.session == last.session { Ok(None) } else { Err(Refusal::Superseded) };
    }
    rule::check(state, actor, command)?;
    Ok(judge(state, (actor, at), command)?.map(|change| {
        let host = actor.as_host().unwrap_or_default();
        Event { change, command_id, host }
    }))
}

fn judge(state: &State, (actor, at): (Actor, Moment), command: &Command) -> Verdict {
    use Command as C;
    match command {
        C::Join(join) => judge_join(state, join),
        C::AddDevice(asked) => judge_device(state, asked),
        C::Leave { player, device } => Ok(judge_leave(state, *player, *device)),
        C::Return { player, device } => Ok(judge_return(state, *player, *device)),
        C::HostLeave => Ok(judge_host(state, false)),
        C::HostReturn => Ok(judge_host(state, true)),
        C::Remove { player } => judge_remove(state, *player, false),
        C::Ban { player } => judge_remove(state, *player, true),
        C::RenamePlayer { player, name } => wording::judge_name(state, *player, name),
        C::StartGame => Ok(Some(Change::Started)),
        C::ReleaseQuestion { question } => judge_release(state, *question),
        C::EndRound => Ok(Some(Change::RoundEnded)),
        C::ReleaseScores => Ok(Some(Change::ScoresReleased { held: state.are_phones_after_screen() })),
        C::ReleaseOwnScores => Ok(Some(Change::ScoresReleased { held: true })),
        C::ShowStandings => Ok(state.are_standings_held().then_some(Change::ScoresReleased { held: false })),
        C::StartNextRound if !state.has_next_round() => Err(Refusal::NoRoundLeft),
        C::StartNextRound => Ok(Some(Change::NextRoundStarted)),
        C::EndGame => Ok(Some(Change::Ended)),
        C::Close => Ok(Some(Change::Closed)),
        C::OverrideAnswer { player, question, correct } => judge_override(state, *player, *question, *correct),
        C::MarkAnswers { question, texts, correct, half } => judge_marking(state, *question, texts, (*correct, *half)),
        C::AcceptAnswer { question, texts, correct } => judge_key(state, *question, texts, *correct),
        // It concerns only the socket.
        C::OpenDesk { .. } => Ok(None),
        C::UndoMarking => Ok(judge_undo(state, actor)),
        C::CorrectMarks { question, texts, correct, half } => {
            judge_correction(state, *question, texts, (*correct, *half))
        }
        C::CorrectPlayers { question, players, correct, half } => {
            judge_credit(state, *question, players, (*correct, *half))
        }
        C::Appeal { question, text } => judge_appeal(state, actor, *question, text.as_ref()),
        C::DismissAppeal { player, question } => judge_dismissal(state, *player, *question),
        C::SubmitAnswer { question, answer, elapsed } => {
            judge_answer(state, actor, (*question, state.elapsed(*question, *elapsed, at)), answer)
        }
        C::ShowTally { question, hidden } => judge_tally(state, *question, hidden),
        C::RevealAnswer { question } => judge_reveal(state, *question),
        C::SetTimer(left) => timers::judge_set(state, *left),
        C::AddTime(more) => timers::judge_more(state, *more, at),
        C::HoldTimers { held } => Ok(timers::judge_hold(state, *held, at)),
        C::MarkTimers => Ok(timers::judge_mark(state, at)),
        C::Expire(expiry) => Ok(timers::judge_expiry(state, *expiry, at)),
        C::SetExtraTime { player, percent } => timers::judge_extra(state, *player, *percent),
        C::SetAutopilot(plan) => Ok(autopilot::judge_plan(state, *plan)),
        C::StartBreak { ms, text } => Ok(Some(Change::BreakStarted { ms: *ms, text: text.clone() })),
        C::EndBreak => Ok(state.has_break().then_some(Change::BreakEnded)),
        C::PlayJoker => judge_joker(state, actor),
        C::TieBreak(asked) => judge_tie_break(state, asked),
        C::AnswerTieBreak { answer } => judge_tie_answer(state, actor, *answer),
        C::EndTieBreak => Ok(state.tie_order().map(|places| Change::TieBreakEnded { places })),
        C::EditQuestion(edit) => wording::judge_edit(state, edit),
        C::WithdrawQuestion { question } => wording::judge_withdrawal(state, *question),
        C::IssueSeatCode(code) => judge_seat_code(state, **code),
        C::MoveSeat(moved) => judge_seat_move(state, moved),
        C::RemovePhone { player, device } => judge_phone_removal(state, *player, *device),
        C::SuggestAnswer { question, answer } => judge_suggestion(state, actor, *question, answer),
        C::AddSeat(seat) => paper::judge_seat(state, seat),
        C::EnterAnswer(entered) => paper::judge_answer(state, entered),
        C::AddCoHost(co_host) => tokens::judge_co_host(state, co_host),
        C::RemoveCoHost { co_host } => Ok(tokens::judge_co_host_removal(state, *co_host)),
        C::AddScreen(screen) => tokens::judge_screen(state, screen),
        C::RemoveScreen { screen } => Ok(tokens::judge_screen_removal(state, *screen)),
        C::Set(setting) => Ok(judge_setting(state, setting)),
    }
}

/// A co-host who may only mark undoes the latest of their own markings; the host and a co-host with the role `host` undo the
/// latest of all.
fn judge_undo(state: &State, actor: Actor) -> Option<Change> {
    let of = actor.as_host().and_then(|device| state.undone_over(device));
    (state.undoable(of) > 0).then_some(Change::MarkingUndone { of })
}

/// The player who sent a command, with the device.
fn sender(state: &State, actor: Actor) -> Result<(&Player, Device), Refusal> {
    let (player, device) = actor.as_player().ok_or(Refusal::WrongRole)?;
    let known = state.player(player).filter(|known| known.is_device_connected(device).is_some());
    known.map(|known| (known, device)).ok_or(Refusal::UnknownPlayer)
}

fn judge_setting(state: &State, setting: &Setting) -> Option<Change> {
    let changes = state.settings.clone().set(setting);
    changes.then(|| Change::Set(setting.clone()))
}

fn judge_host(state: &State, present: bool) -> Option<Change> {
    let changes = state.is_host_present() != present && state.phase() != Phase::Ended;
    changes.then_some(if present { Change::HostReturned } else { Change::HostLeft })
}

fn judge_release(state: &State, question: QuestionId) -> Verdict {
    if !state.is_in_round(question) {
        return Err(Refusal::UnknownQuestion);
    }
    Ok((!state.is_released(question)).then_some(Change::QuestionReleased { question }))
}

/// A question that is not open, no longer open, or unknown is refused in the same way, so that the refusal shows nothing of the
/// quiz.
///
/// Repeating the same answer keeps the time of the first. From another phone of the team it is stored, and then counts as the
/// answer of that phone.
fn judge_answer(
    state: &State,
    actor: Actor,
    (question, elapsed): (QuestionId, Option<u32>),
    answer: &AnswerText,
) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    if !state.may_answer(known, device) {
        return Err(Refusal::WrongRole);
    }
    if !state.is_open_for(question, player) {
        return Err(Refusal::UnknownQuestion);
    }
    let same = state.answer_of(player, question).filter(|given| &*given.text == answer.as_str());
    if same.is_some_and(|given| given.by == device) {
        return Ok(None);
    }
    let elapsed = same.map_or(elapsed, |given| given.elapsed);
    let mark = state.mark(question, answer.as_str()).ok_or(Refusal::UnknownQuestion)?;
    let Mark { correct, near_miss, partial } = mark;
    let answer = answer.shared();
    Ok(Some(Change::Answered { player, device, question, answer, correct, near_miss, partial, elapsed }))
}

/// Refuses a captain, and a device without a captain, because their answers count. Repeating the same suggestion stores nothing.
fn judge_suggestion(state: &State, actor: Actor, question: QuestionId, answer: &AnswerText) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    if !state.may_suggest(known, device) {
        return Err(Refusal::WrongRole);
    }
    if !state.is_open_for(question, player) {
        return Err(Refusal::UnknownQuestion);
    }
    let mut own = known.suggestions().iter().filter(|one| (one.question, one.by) == (question, device));
    let is_new = own.all(|one| &*one.text != answer.as_str());
    Ok(is_new.then(|| Change::Suggested { player, device, question, answer: answer.shared() }))
}

fn judge_override(state: &State, player: PlayerId, question: QuestionId, correct: bool) -> Verdict {
    check_kind(state, question, QuestionKind::is_marked)?;
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    let so_already = state.answer_of(player, question).is_some_and(|answer| answer.counts_as(correct, 0));
    Ok((!so_already).then_some(Change::AnswerOverridden { player, question, correct }))
}

/// Stores only texts that change a mark, so a log never holds a text that is no player's answer.
fn judge_marking(state: &State, question: QuestionId, texts: &AnswerTexts, (correct, half): (bool, bool)) -> Verdict {
    check_kind(state, question, QuestionKind::is_marked)?;
    let mark = mark_of(state, question, (correct, half));
    let mut found: Vec<String> = Vec::new();
    for (_, text) in state.markable(question, |text| texts.name(text), mark) {
        found.push(text.to_owned());
    }
    found.sort_unstable();
    found.dedup();
    Ok((!found.is_empty()).then_some(Change::AnswersMarked { question, texts: found, correct, partial: mark.1 }))
}

/// Stores only texts on which the host has not ruled, or has ruled differently.
fn judge_key(state: &State, question: QuestionId, texts: &AnswerTexts, correct: bool) -> Verdict {
    check_kind(state, question, QuestionKind::has_key)?;
    let rulings = state.rulings(question);
    let compared = texts.iter().filter_map(|text| state.compared(question, text));
    let texts: BTreeSet<String> = compared.filter(|text| rulings.get(text) != Some(&correct)).collect();
    let added = texts.iter().filter(|text| !rulings.contains_key(*text)).count();
    if added > 0 && rulings.len() + added > MOST_RULINGS {
        return Err(Refusal::KeyFull);
    }
    let texts: Vec<String> = texts.into_iter().collect();
    Ok((!texts.is_empty()).then_some(Change::KeyChanged { question, texts, correct }))
}

/// Translates a mark of the host: whether answers count as right, and the points that they earn otherwise.
fn mark_of(state: &State, question: QuestionId, (correct, half): (bool, bool)) -> (bool, u32) {
    (correct, if half && !correct { state.half_of(question) } else { 0 })
}

fn judge_correction(state: &State, question: QuestionId, texts: &AnswerTexts, said: (bool, bool)) -> Verdict {
    let mark = mark_of(state, question, said);
    let players = state.correctable(question, |text| texts.name(text), mark).ok_or(Refusal::UnknownQuestion)?;
    Ok(corrected(question, players, mark))
}

fn judge_credit(state: &State, question: QuestionId, players: &[PlayerId], said: (bool, bool)) -> Verdict {
    let mark = mark_of(state, question, said);
    Ok(corrected(question, state.creditable(question, players, mark)?, mark))
}

fn corrected(question: QuestionId, players: Vec<PlayerId>, (correct, partial): (bool, u32)) -> Option<Change> {
    (!players.is_empty()).then_some(Change::MarksCorrected { question, players, correct, partial })
}

/// Does nothing for an answer that counts as right, for a second appeal about the same question, or for a fourth appeal in a
/// round.
fn judge_appeal(state: &State, actor: Actor, question: QuestionId, text: Option<&String>) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let can_appeal = state.can_appeal(player, question).ok_or(Refusal::UnknownQuestion)?;
    Ok(can_appeal.then(|| Change::Appealed { player, device, question, text: text.cloned() }))
}

/// Does nothing without an open appeal.
fn judge_dismissal(state: &State, player: PlayerId, question: QuestionId) -> Verdict {
    if !state.is_scored_question(question) {
        return Err(Refusal::UnknownQuestion);
    }
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    let is_open = |appeal: Appeal<'_>| appeal.question == question && appeal.status == AppealStatus::Open;
    Ok(state.appeals_of(player).any(is_open).then_some(Change::AppealDismissed { player, question }))
}

/// Stores nothing if the same tally is already shown.
fn judge_tally(state: &State, question: QuestionId, hidden: &AnswerTexts) -> Verdict {
    check_kind(state, question, |kind| !kind.is_marked())?;
    let (tally, hidden) = state.tally_of(question, hidden);
    Ok((state.tally() != Some(&tally)).then_some(Change::TallyShown { question, hidden }))
}

fn judge_reveal(state: &State, question: QuestionId) -> Verdict {
    if !state.is_released(question) {
        return Err(Refusal::UnknownQuestion);
    }
    Ok((!state.is_revealed(question)).then_some(Change::AnswerRevealed { question }))
}

/// Does nothing if there is no round to play it for, or if the player has already played it.
fn judge_joker(state: &State, actor: Actor) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let round = state.joker_round().filter(|_| known.joker.is_none());
    Ok(round.map(|round| Change::JokerPlayed { player, device, round }))
}

/// Repeating the open question to the same players stores nothing, because a client may send it again.
fn judge_tie_break(state: &State, asked: &TieQuestion) -> Verdict {
    let TieQuestion { players, text, answer } = asked;
    if players.iter().any(|player| state.player(*player).is_none()) {
        return Err(Refusal::UnknownPlayer);
    }
    let mut named = BTreeSet::new();
    let players: Vec<PlayerId> = players.iter().copied().filter(|player| named.insert(*player)).collect();
    let same = |open: &TieBreak| (&open.text, &open.answer, &open.players) == (text, answer, &players);
    let is_open = state.open_tie_break().is_some_and(same);
    Ok((!is_open).then(|| Change::TieBreakStarted { players, text: text.clone(), answer: *answer }))
}

/// Does nothing for a player who is not asked.
fn judge_tie_answer(state: &State, actor: Actor, answer: i64) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let open = state.open_tie_break().filter(|open| open.players.contains(&player));
    let is_new = open.is_some_and(|open| open.answers.get(&player) != Some(&answer));
    Ok(is_new.then_some(Change::TieBreakAnswered { player, device, answer }))
}

/// Refuses a question that is not released in this round, and a question of a kind without such a command.
fn check_kind(state: &State, question: QuestionId, is_fit: fn(QuestionKind) -> bool) -> Result<(), Refusal> {
    let released = state.question(question).filter(|_| state.is_released(question));
    if released.is_some_and(|released| is_fit(released.kind)) { Ok(()) } else { Err(Refusal::UnknownQuestion) }
}

/// A removed player can still be banned.
fn judge_remove(state: &State, player: PlayerId, banned: bool) -> Verdict {
    match state.roster.find(player).map(|slot| state.roster.player(slot)) {
        None => Err(Refusal::UnknownPlayer),
        Some(known) if known.removed && (known.banned || !banned) => Ok(None),
        Some(_) => Ok(Some(Change::PlayerRemoved { player, banned })),
    }
}
