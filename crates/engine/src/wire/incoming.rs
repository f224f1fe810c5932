//! Decoded messages → commands.

use std::sync::Arc;

use quizhall_protocol::from_host::{
    AddSeat, AddTime, AdjustPoints, CloseQuestion, CorrectMarks, EditQuestion, EnterAnswer, RemovePlayer, RenamePlayer,
    SetExtraTime, SetTimer, StartBreak, TieBreak,
};
use quizhall_protocol::from_player::Appeal;
use quizhall_protocol::{FromHost, FromPlayer};
use quizhall_rules::{
    AnswerText, Command, EnteredAnswer, NewSeat, PlayerId, QuestionEdit, QuestionId, Setting, TieQuestion, TimeLeft,
};
use uuid::Uuid;

use super::options::plan_of;

/// The command for a host's message, in a game that may hold this many players; `None` when an answer is out of range.
pub fn command_of(message: &FromHost, player_limit: u32) -> Option<Command> {
    Some(match message {
        FromHost::StartGame => Command::StartGame,
        FromHost::ReleaseQuestion(payload) => {
            Command::ReleaseQuestion { question: QuestionId::from(payload.question_id) }
        }
        FromHost::EndRound => Command::EndRound,
        FromHost::OverrideAnswer(payload) => Command::OverrideAnswer {
            player: PlayerId::from(payload.player_id),
            question: QuestionId::from(payload.question_id),
            correct: payload.correct,
        },
        FromHost::ReleaseScores => Command::ReleaseScores,
        FromHost::StartNextRound => Command::StartNextRound,
        FromHost::EndGame => Command::EndGame,
        FromHost::Next(payload) => Command::Next { number: payload.number },
        FromHost::MarkAnswers(payload) => Command::MarkAnswers {
            alike: payload.alike.unwrap_or_default(),
            question: QuestionId::from(payload.question_id),
            texts: payload.answers.iter().cloned().collect(),
            correct: payload.correct,
            half: payload.half.unwrap_or_default(),
        },
        FromHost::AcceptAnswer(payload) => Command::AcceptAnswer {
            question: QuestionId::from(payload.question_id),
            texts: std::iter::once(payload.text.clone()).collect(),
            correct: payload.correct,
            half: payload.half.unwrap_or_default(),
        },
        FromHost::CorrectMarks(payload) => correction_of(payload),
        FromHost::DismissAppeal(payload) => {
            Command::DismissAppeal { player: payload.player_id.into(), question: payload.question_id.into() }
        }
        FromHost::AdjustPoints(payload) => adjustment_of(payload),
        FromHost::UndoAdjustment(payload) => Command::UndoAdjustment { adjustment: payload.adjustment_id.into() },
        FromHost::OpenDesk(payload) => Command::OpenDesk { open: payload.open },
        FromHost::UndoMarking => Command::UndoMarking,
        FromHost::LockGame(payload) => Command::Set(Setting::Locked(payload.locked)),
        FromHost::RemovePlayer(payload) => removal_of(payload),
        FromHost::ReleaseOwnScores => Command::ReleaseOwnScores,
        FromHost::ShowStandings => Command::ShowStandings,
        FromHost::ShowTally(payload) => Command::ShowTally {
            question: QuestionId::from(payload.question_id),
            hidden: payload.hide.iter().flatten().cloned().collect(),
        },
        FromHost::SetTimer(SetTimer { question_id, seconds }) => Command::SetTimer(time(*question_id, *seconds)),
        FromHost::AddTime(AddTime { question_id, seconds }) => Command::AddTime(time(*question_id, *seconds)),
        FromHost::CloseQuestion(CloseQuestion { question_id }) => {
            Command::CloseQuestion { question: QuestionId::from(*question_id) }
        }
        FromHost::SetCloseWhenAnswered(payload) => Command::SetCloseWhenAnswered { on: payload.on },
        FromHost::PauseTimer => Command::HoldTimers { held: true },
        FromHost::StartAutopilot(plan) => Command::SetAutopilot(Some(plan_of(plan))),
        FromHost::StopAutopilot => Command::SetAutopilot(None),
        FromHost::ResumeTimer => Command::HoldTimers { held: false },
        FromHost::SetExtraTime(SetExtraTime { player_id, percent }) => Command::SetExtraTime {
            player: PlayerId::from(*player_id),
            // The protocol has checked the limits.
            percent: u16::try_from(*percent).unwrap_or(u16::MAX),
        },
        FromHost::RevealAnswer(payload) => Command::RevealAnswer { question: QuestionId::from(payload.question_id) },
        FromHost::StartBreak(StartBreak { seconds, text }) => {
            let text = text.clone().filter(|text| !text.trim().is_empty());
            Command::StartBreak { ms: u64::from(*seconds) * 1_000, text }
        }
        FromHost::EndBreak => Command::EndBreak,
        FromHost::TieBreak(TieBreak { player_ids, text, answer }) => {
            let players = player_ids.iter().copied().map(PlayerId::from).collect();
            Command::TieBreak(TieQuestion { players, text: text.clone(), answer: *answer }.into())
        }
        FromHost::EndTieBreak => Command::EndTieBreak,
        FromHost::EditQuestion(payload) => edit_of(payload),
        FromHost::WithdrawQuestion(payload) => Command::WithdrawQuestion { question: payload.question_id.into() },
        FromHost::RenamePlayer(payload) => renaming_of(payload),
        FromHost::AddSeat(payload) => seat_of(payload, player_limit),
        FromHost::EnterAnswer(payload) => return entering_of(payload),
    })
}

fn removal_of(RemovePlayer { player_id, ban }: &RemovePlayer) -> Command {
    let player = PlayerId::from(*player_id);
    if ban.unwrap_or_default() { Command::Ban { player } } else { Command::Remove { player } }
}

fn correction_of(payload: &CorrectMarks) -> Command {
    let question = QuestionId::from(payload.question_id);
    let (correct, half) = (payload.correct, payload.half.unwrap_or_default());
    if let Some(ids) = &payload.player_ids {
        let players = ids.iter().copied().map(PlayerId::from).collect();
        Command::CorrectPlayers { question, players, correct, half }
    } else {
        let texts = payload.answers.iter().flatten().cloned().collect();
        Command::CorrectMarks { question, texts, correct, half }
    }
}

fn adjustment_of(AdjustPoints { player_id, points, reason }: &AdjustPoints) -> Command {
    let reason = reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    Command::AdjustPoints { player: PlayerId::from(*player_id), points: *points, reason: reason.map(Arc::from) }
}

fn edit_of(payload: &EditQuestion) -> Command {
    let EditQuestion { question_id, text, choices, accepted } = payload.clone();
    Command::EditQuestion(QuestionEdit { question: QuestionId::from(question_id), text, choices, accepted }.into())
}

fn renaming_of(RenamePlayer { player_id, display_name }: &RenamePlayer) -> Command {
    Command::RenamePlayer { player: PlayerId::from(*player_id), name: display_name.clone() }
}

fn seat_of(AddSeat { display_name }: &AddSeat, player_limit: u32) -> Command {
    Command::AddSeat(NewSeat { name: display_name.clone(), player_limit }.into())
}

fn entering_of(EnterAnswer { player_id, question_id, answer }: &EnterAnswer) -> Option<Command> {
    let answer = AnswerText::parse(answer).ok()?;
    let (player, question) = (PlayerId::from(*player_id), QuestionId::from(*question_id));
    Some(Command::EnterAnswer(EnteredAnswer { player, question, answer }.into()))
}

fn time(question: Option<Uuid>, seconds: u32) -> TimeLeft {
    TimeLeft { question: question.map(QuestionId::from), ms: u64::from(seconds) * 1_000 }
}

/// The command for a player's message, which arrived this many milliseconds after its question had been written; `None` when the
/// answer is out of range.
pub fn submitted(message: &FromPlayer, elapsed: Option<u32>) -> Option<Command> {
    let payload = match message {
        FromPlayer::SubmitAnswer(payload) => payload,
        FromPlayer::SuggestAnswer(payload) => {
            let answer = AnswerText::parse(&payload.answer).ok()?;
            return Some(Command::SuggestAnswer { question: QuestionId::from(payload.question_id), answer });
        }
        FromPlayer::PlayJoker => return Some(Command::PlayJoker),
        FromPlayer::AnswerTieBreak(payload) => return Some(Command::AnswerTieBreak { answer: payload.answer }),
        FromPlayer::Appeal(Appeal { question_id, text }) => {
            let text = text.clone().filter(|text| !text.trim().is_empty());
            return Some(Command::Appeal { question: QuestionId::from(*question_id), text });
        }
    };
    let answer = AnswerText::parse(&payload.answer).ok()?;
    Some(Command::SubmitAnswer { question: QuestionId::from(payload.question_id), answer, elapsed })
}
