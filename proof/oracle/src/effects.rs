//! The messages that must follow a legal command, for each viewer, in order (messages.md#host-to-server, "Effect").

use quizhall_protocol::from_host::{AcceptAnswer, MarkAnswers, OverrideAnswer};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::to_host::OverrideApplied;
use quizhall_protocol::{Dialect, FromHost, ServerMessage, ToAll, ToHost};
use uuid::Uuid;

use crate::answers::Marking;
use crate::fact::{Fact, Illegal, Mark};
use crate::game::{Game, Phase, Viewer};
use crate::messages::{answer_accepted, players_answered};
use crate::timers::question_closed;

/// The sockets that receive a message, among those whose dialect has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// Every viewer.
    All,
    /// The host.
    Host,
    /// Optionally the host: the interface leaves it open.
    HostPerhaps,
    /// Every player; or only those whose sockets have this dialect.
    Players(Option<Dialect>),
    /// One player; or only if their socket has this dialect.
    Player(Uuid, Option<Dialect>),
}

/// The messages that must follow, in order.
#[derive(Debug, Clone, Default)]
pub struct Effects(Vec<(To, ServerMessage)>, bool);

impl Effects {
    /// Adds a message after the others.
    #[must_use]
    pub fn and(mut self, to: To, message: ServerMessage) -> Self {
        self.0.push((to, message));
        self
    }

    pub(crate) fn and_all(self, to: To, messages: impl IntoIterator<Item = ServerMessage>) -> Self {
        messages.into_iter().fold(self, |effects, message| effects.and(to, message))
    }

    /// Puts a message before the others.
    pub(crate) fn before(mut self, to: To, message: ServerMessage) -> Self {
        self.0.insert(0, (to, message));
        self
    }

    /// Whether something is sent to every viewer.
    pub(crate) fn reach_all(&self) -> bool {
        self.1 || self.0.iter().any(|(to, _)| *to == To::All)
    }

    /// Every viewer receives a message of its own.
    pub(crate) fn reaching_all(mut self) -> Self {
        self.1 = true;
        self
    }

    /// All messages that a socket of this viewer and dialect must receive: see [`Game::in_dialect`].
    pub fn of(&self, viewer: Viewer, dialect: Dialect) -> Vec<ServerMessage> {
        let receives = |to: &To| match (to, viewer) {
            (To::All, _) | (To::Host, Viewer::Host) => true,
            (To::Players(only), Viewer::Player(_) | Viewer::Phone(..)) => only.is_none_or(|only| only == dialect),
            (To::Player(named, only), Viewer::Player(player) | Viewer::Phone(player, _)) => {
                *named == player && only.is_none_or(|only| only == dialect)
            }
            _ => false,
        };
        let messages = self.0.iter().filter(|(to, message)| receives(to) && message.since() <= dialect);
        messages.map(|(_, message)| message.clone()).collect()
    }

    /// The additional messages that the host may receive.
    pub fn perhaps(&self) -> impl Iterator<Item = &ServerMessage> {
        self.0.iter().filter(|(to, _)| *to == To::HostPerhaps).map(|(_, message)| message)
    }
}

impl Game {
    /// Carries out a command of the host as if no autopilot were running.
    pub(crate) fn carry_out(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        let effects = Effects::default();
        Ok(match command {
            FromHost::StartGame => {
                self.apply(&Fact::Started)?;
                let started = effects.and(To::All, ServerMessage::All(ToAll::GameStarted));
                self.with_timer(started.and(To::All, self.round_started()), None)
            }
            FromHost::ReleaseQuestion(release) => {
                let again = self.released.contains(&release.question_id);
                if !again {
                    self.apply(&Fact::Released(release.question_id))?;
                }
                let to = if again { To::Host } else { To::All };
                let released = effects.and(to, self.question_released(release.question_id));
                if again {
                    return Ok(released);
                }
                let closed = self.players.iter().filter(|player| !self.is_open_for(release.question_id, player.id));
                let released = closed.fold(released, |effects, player| {
                    effects.and(To::Player(player.id, None), question_closed(release.question_id))
                });
                self.with_timer(released, Some(release.question_id))
            }
            FromHost::EndRound => {
                self.apply(&Fact::RoundEnded)?;
                effects.and(To::All, ServerMessage::All(ToAll::RoundEnded)).and(To::Host, self.round_review())
            }
            FromHost::OverrideAnswer(command) => self.override_answer(command)?,
            FromHost::ReleaseScores => self.release_round(self.phones_after_screen)?,
            FromHost::StartNextRound => {
                self.apply(&Fact::NextRound)?;
                self.with_timer(effects.and(To::All, self.round_started()), None)
            }
            FromHost::EndGame => {
                self.apply(&Fact::Ended)?;
                effects.and(To::All, self.game_ended())
            }
            FromHost::Next(command) => self.take_step(command.number)?,
            FromHost::MarkAnswers(command) => self.mark_answers(command)?,
            FromHost::AcceptAnswer(command) => self.accept_answer(command)?,
            FromHost::CorrectMarks(command) => self.host_corrects(command)?,
            FromHost::UndoAdjustment(command) => self.undo_adjustment(command.adjustment_id)?,
            FromHost::DismissAppeal(command) => self.host_dismisses(command)?,
            FromHost::OpenDesk(command) => {
                let answered = self.released.iter().filter(|question| !self.groups(**question).is_empty());
                let is_shown = command.open && self.phase == Phase::Question;
                let groups = answered.filter(|_| is_shown).map(|question| self.answers_update(*question));
                effects.and_all(To::Host, groups).and(To::Host, self.marking_update())
            }
            FromHost::UndoMarking => self.undo_marking()?,
            FromHost::RemovePlayer(command) => self.remove_player(command.player_id)?,
            FromHost::ReleaseOwnScores => self.release_round(true)?,
            FromHost::CloseQuestion(command) => self.close_question(command.question_id)?,
            FromHost::SetTimer(command) => self.set_timer(command)?,
            FromHost::AddTime(command) => self.add_time(command)?,
            FromHost::PauseTimer => self.hold_timers(true)?,
            FromHost::ResumeTimer => self.hold_timers(false)?,
            FromHost::StartAutopilot(plan) => self.set_autopilot(Some(plan))?,
            FromHost::StopAutopilot => self.set_autopilot(None)?,
            FromHost::SetExtraTime(command) => self.set_extra_time(command)?,
            _ => self.set_by(command)?,
        })
    }

    /// A player answers; `mark` is how the answer must be marked.
    ///
    /// # Errors
    /// When the question is not open.
    pub fn player_answers(&mut self, player: Uuid, answer: &SubmitAnswer, mark: Mark) -> Result<Effects, Illegal> {
        let question = answer.question_id;
        let before = self.answer(player, question).map(|before| before.text == answer.answer);
        self.apply(&Fact::Answered(player, question, answer.answer.clone(), mark))?;
        let effects = Effects::default().and(To::Player(player, None), answer_accepted(question));
        Ok(match before {
            Some(true) => effects,
            Some(false) => effects.and(To::HostPerhaps, self.answer_count(question)),
            None => effects
                .and(To::Host, players_answered(question, vec![player]))
                .and(To::Host, self.answer_count(question)),
        })
    }

    fn override_answer(&mut self, command: &OverrideAnswer) -> Result<Effects, Illegal> {
        let OverrideAnswer { player_id, question_id, correct } = *command;
        self.apply(&Fact::Overridden(player_id, question_id, correct))?;
        let applied = ToHost::OverrideApplied(OverrideApplied { player_id, question_id, correct });
        let effects = Effects::default().and(To::Host, ServerMessage::Host(applied));
        Ok(effects.and(To::Host, self.marking_update()))
    }

    /// While the standings are held, players of the extension receive only their own results, or nothing.
    pub(crate) fn release_round(&mut self, held: bool) -> Result<Effects, Illegal> {
        self.apply(&Fact::ScoresReleased { held })?;
        let boards = held.then_some(Dialect::Interface);
        let own = boards.filter(|_| self.phones_after_screen);
        let mut status = Effects::default();
        if held {
            status = status.and(To::All, self.standings_status());
        }
        let status = status.and(To::Host, self.round_leaderboard()).and(To::Players(boards), self.round_leaderboard());
        Ok(self.players.iter().map(|player| player.id).fold(status, |effects, player| {
            effects
                .and(To::Player(player, own), self.round_scores(player))
                .and(To::Player(player, boards), self.scoreboard_update(player))
        }))
    }

    fn mark_answers(&mut self, command: &MarkAnswers) -> Result<Effects, Illegal> {
        let MarkAnswers { question_id, answers, correct, half, alike } = command;
        let answers = if *alike == Some(true) { &self.alike(*question_id, answers) } else { answers };
        let worth = self.worth(*question_id, *correct, *half == Some(true));
        let touched: Vec<_> = self.markable(*question_id, answers, worth).iter().map(|answer| answer.player).collect();
        self.apply(&Fact::Marked(*question_id, answers.clone(), worth))?;
        let marked = Effects::default().and(To::Host, self.marks(*question_id, &touched));
        Ok(marked.and(To::Host, self.marking_update()))
    }

    /// A repeated change is confirmed and changes nothing.
    fn accept_answer(&mut self, command: &AcceptAnswer) -> Result<Effects, Illegal> {
        let AcceptAnswer { question_id, text, correct, half } = command;
        let asked = self.quiz.question(*question_id).ok_or(Illegal::UNKNOWN)?;
        let texts = [asked.compared(text)];
        let worth = self.worth(*question_id, *correct, *half == Some(true));
        let is_new = self.ruling(*question_id, &texts[0]) != Some(worth);
        let touched = if is_new { self.known_by(*question_id, &texts) } else { Vec::new() };
        if is_new {
            self.apply(&Fact::KeyChanged(*question_id, texts.to_vec(), worth))?;
        }
        let marked = Effects::default().and(To::Host, self.marks(*question_id, &touched));
        Ok(marked.and(To::Host, self.marking_update()))
    }

    fn undo_marking(&mut self) -> Result<Effects, Illegal> {
        let Some(latest) = self.markings.last() else {
            return Ok(Effects::default().and(To::Host, self.marking_update()));
        };
        let (question, players) = match latest {
            Marking::Answers(touched) => (touched[0].1, touched.iter().map(|(player, ..)| *player).collect()),
            Marking::Key(question, before) => {
                let texts: Vec<_> = before.iter().map(|(text, _)| text.clone()).collect();
                (*question, self.known_by(*question, &texts))
            }
        };
        self.apply(&Fact::MarkingUndone)?;
        Ok(Effects::default().and(To::Host, self.marks(question, &players)).and(To::Host, self.marking_update()))
    }

    /// All messages except the close of the removed player's socket.
    fn remove_player(&mut self, player: Uuid) -> Result<Effects, Illegal> {
        let before = (self.shown_tally(), self.nearest());
        let revealed_before = self.answers_revealed();
        let adjusted = self.adjustments.len();
        if !self.was_removed(player) {
            self.apply(&Fact::Removed(player))?;
        }
        let tally = self.shown_tally().filter(|tally| before.0.as_ref() != Some(tally));
        let nearest = self.nearest();
        let new = |(question, players): (&Uuid, &Vec<Uuid>)| {
            let before = before.1.get(question);
            let is_new = |player: &&Uuid| !before.is_some_and(|before| before.contains(player));
            let new: Vec<Uuid> = players.iter().filter(is_new).copied().collect();
            (!new.is_empty()).then(|| self.marks(*question, &new))
        };
        let marks: Vec<_> = nearest.iter().filter_map(new).collect();
        let lobby = (self.phase == Phase::Lobby).then(|| Effects::default().and(To::All, self.lobby_update()));
        let revealed = self.answers_revealed().into_iter().filter(|message| !revealed_before.contains(message));
        let effects = lobby.unwrap_or_default().and_all(To::All, tally).and_all(To::All, revealed);
        let is_adjusted = self.running().is_ok() && adjusted != self.adjustments.len();
        let effects = effects.and_all(To::Host, is_adjusted.then(|| self.adjustments_update()));
        let effects = effects.and_all(To::Host, marks);
        Ok(effects.and(To::Host, self.room_change(&[player])))
    }
}
