//! Confirms a command whose event was not rendered: it changed nothing, or this edge skipped the event.
//!
//! Called by `commands`. The confirmation is made from the committed state, which may be ahead of the command: once the phase is
//! over there is none.

use bytes::Bytes;
use quizhall_rules::{Command, Phase, PlayerId, QuestionId, Setting, State};

use super::sessions::Session;
use super::{Edge, EdgeEffect, desk};
use crate::ids::{ConnectionId, Time};
use crate::sections::{
    ADJUSTMENTS, ANSWER_REVEALED, APPEAL_STATUS, APPEALS, AUTOPILOT_STATUS, About, BREAK, ENTERED, GAME_OPTIONS,
    JOKER_UPDATE, Named, STANDINGS_STATUS, STEP, Section, TALLY, TIE_BREAK_ANSWER, TIE_BREAKS, View,
};
use crate::wire::{self, FrameKind, mending};

/// The confirmation to the sender of a command.
enum Reply {
    /// Nothing: the command causes messages to all sockets or to none, or did not come from a socket.
    Nothing,
    /// This message, if there is one.
    Message(Option<Bytes>),
    /// How an answer counts, if there is one, and how many markings can be undone.
    Marks(Option<Bytes>),
    /// The groups of answers if the desk is open, and how many markings can be undone.
    Desk { open: bool },
    /// The list of the room.
    Room,
    /// The time left of every timer.
    TimeLeft,
    /// The statement of a section about this.
    Section(&'static Section, About),
}

impl Edge {
    /// Sends the confirmation of a command to its sender.
    pub(super) fn confirm(
        &mut self,
        now: Time,
        connection: ConnectionId,
        command: &Command,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let (Some(state), Some(session)) = (self.state(), self.sessions.get(connection)) else { return };
        let frames: Vec<Bytes> = match reply(state, session, command) {
            Reply::Nothing => return,
            Reply::Message(frame) => frame.into_iter().collect(),
            Reply::Marks(frame) => frame.into_iter().chain(undoable(state, session)).collect(),
            Reply::Desk { open } => {
                let undoable = undoable(state, session).filter(|_| is_marked(state.phase()));
                let groups = if open && undoable.is_some() { desk::all(state) } else { Vec::new() };
                if let Some(desk) = self.pacing.desk_of(connection) {
                    desk.set_open(open);
                }
                groups.into_iter().chain(undoable).collect()
            }
            Reply::Room => {
                self.pacing.rooms().for_each(|room| room.changed(Named::Only(&[])));
                return self.flush_paced(now, effects);
            }
            Reply::TimeLeft => self.all_time_left(now),
            Reply::Section(section, about) => {
                // In the kind of the section: a statement that waits in the queue is replaced, and never comes after a newer one.
                let frames = section.confirmation(&View::whole(state, session.participant, now), about);
                effects.extend(frames.into_iter().map(|(frame, kind)| EdgeEffect::Send(connection, frame, kind)));
                return;
            }
        };
        effects.extend(frames.into_iter().map(|frame| EdgeEffect::Send(connection, frame, FrameKind::Queued)));
    }
}

#[expect(clippy::match_same_arms, reason = "grouped by the reason for which nothing is sent")]
fn reply(state: &State, session: &Session, command: &Command) -> Reply {
    use Command as C;
    let (phase, player) = (state.phase(), session.participant.player());
    let marks = |question| Reply::Marks(wire::marks::answers_marked(state, question, &[]).pop());
    match command {
        C::SubmitAnswer { question, .. } => Reply::Message(accepted(state, player, *question)),
        C::SuggestAnswer { question, .. } => {
            let phone = session.participant.as_player().filter(|_| phase == Phase::Question);
            Reply::Message(phone.and_then(|phone| wire::teams::confirmed(state, phone, *question)))
        }
        C::PlayJoker => Reply::Section(&JOKER_UPDATE, About::default()),
        C::AnswerTieBreak { .. } => Reply::Section(&TIE_BREAK_ANSWER, About::default()),
        C::Appeal { .. } => Reply::Section(&APPEAL_STATUS, About::default()),
        C::ReleaseQuestion { question } => Reply::Message(released(state, session, *question)),
        C::OverrideAnswer { player, question, .. } if phase == Phase::RoundReview => {
            let answer = state.answer_of(*player, *question);
            Reply::Marks(answer.map(|answer| wire::override_applied(*player, *question, answer.correct())))
        }
        C::MarkAnswers { question, .. } if phase == Phase::RoundReview => marks(*question),
        C::AcceptAnswer { question, .. } if is_marked(phase) => marks(*question),
        C::UndoMarking if is_marked(phase) => Reply::Marks(None),
        C::OverrideAnswer { .. } | C::MarkAnswers { .. } | C::AcceptAnswer { .. } | C::UndoMarking => Reply::Nothing,
        C::OpenDesk { open } => Reply::Desk { open: *open },
        C::EnterAnswer(entered) => Reply::Section(&ENTERED, About::answer(entered.player, entered.question)),
        C::DismissAppeal { player, question } => Reply::Section(&APPEALS, About::answer(*player, *question)),
        C::CorrectMarks { .. } | C::CorrectPlayers { .. } => {
            Reply::Message(is_played(phase).then(|| wire::marks::board_update(state)))
        }
        C::AdjustPoints { .. } | C::UndoAdjustment { .. } => Reply::Section(&ADJUSTMENTS, About::default()),
        C::Next { .. } => Reply::Section(&STEP, About::default()),
        C::ShowStandings => Reply::Section(&STANDINGS_STATUS, About::default()),
        C::ShowTally { .. } => Reply::Section(&TALLY, About::default()),
        C::RevealAnswer { question } => Reply::Section(&ANSWER_REVEALED, About::question(*question)),
        C::SetAutopilot(_) => Reply::Section(&AUTOPILOT_STATUS, About::default()),
        C::TieBreak(_) | C::EndTieBreak | C::EditQuestion(_) | C::WithdrawQuestion { .. } | C::RenamePlayer { .. }
            if phase == Phase::Ended =>
        {
            Reply::Nothing
        }
        C::TieBreak(_) | C::EndTieBreak => Reply::Section(&TIE_BREAKS, About::default()),
        C::EditQuestion(edit) => Reply::Message(mending::question_edited(state, edit.question)),
        C::WithdrawQuestion { question } => Reply::Message(Some(mending::question_withdrawn(*question))),
        C::RenamePlayer { player, .. } => Reply::Message(mending::player_renamed(state, *player)),
        C::Set(Setting::Locked(_)) | C::Remove { .. } | C::Ban { .. } | C::SetExtraTime { .. } | C::AddSeat(_) => {
            Reply::Room
        }
        C::CloseQuestion { question } => Reply::Message(closed(state, *question)),
        C::SetTimer(_) | C::AddTime(_) | C::HoldTimers { .. } => Reply::TimeLeft,
        C::StartBreak { .. } | C::EndBreak => Reply::Section(&BREAK, About::default()),
        // Commands about the course of the game, over HTTP, or of the service.
        C::StartGame | C::EndRound | C::ReleaseScores | C::ReleaseOwnScores | C::StartNextRound | C::EndGame => {
            Reply::Nothing
        }
        C::Set(Setting::Screens(_) | Setting::Spectators(_))
        | C::AddScreen(_)
        | C::RemoveScreen { .. }
        | C::AddCoHost(_)
        | C::RemoveCoHost { .. }
        | C::IssueSeatCode(_)
        | C::RemovePhone { .. } => Reply::Nothing,
        C::SetCloseWhenAnswered { .. } => Reply::Section(&GAME_OPTIONS, About::default()),
        C::SetOptions(_) => Reply::Nothing,
        C::Join(_) | C::AddDevice(_) | C::MoveSeat(_) | C::Leave { .. } | C::Return { .. } => Reply::Nothing,
        C::HostLeave | C::HostReturn | C::MarkTimers | C::Expire(_) | C::Close => Reply::Nothing,
    }
}

fn accepted(state: &State, player: Option<PlayerId>, question: QuestionId) -> Option<Bytes> {
    let player = player.filter(|_| state.phase() == Phase::Question)?;
    state.answer_of(player, question).map(|_| wire::answer_accepted(question))
}

fn released(state: &State, session: &Session, question: QuestionId) -> Option<Bytes> {
    let is_asked = state.phase() == Phase::Question;
    let released = state.released().find(|released| released.id == question && is_asked)?;
    wire::question_released(state, released).of(session.recipient()).cloned()
}

/// A question that still has its grace is confirmed when it closes.
fn closed(state: &State, question: QuestionId) -> Option<Bytes> {
    let is_closed = state.phase() == Phase::Question && state.is_released(question) && !state.is_open(question);
    is_closed.then(|| wire::timers::question_closed(question))
}

/// How many markings the sender can undo, if it is a host that has the message.
fn undoable(state: &State, session: &Session) -> Option<Bytes> {
    let device = session.participant.as_host().filter(|_| session.has_extension())?;
    Some(wire::marks::marking_update(state, device))
}

fn is_marked(phase: Phase) -> bool {
    matches!(phase, Phase::Question | Phase::RoundReview)
}

fn is_played(phase: Phase) -> bool {
    matches!(phase, Phase::Question | Phase::RoundReview | Phase::Leaderboard)
}
