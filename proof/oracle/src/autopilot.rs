//! The autopilot: the host's plan, and the time until the next step of the game while no question is open.
//!
//! The oracle has no clock. Between two statements a step may have any time left up to the stated one.

use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::http::screens::{Slide, SlideKind};
use quizhall_protocol::to_all::{AutopilotStatus, AutopilotStep, NextStep, TieBreaks};
use quizhall_protocol::to_host::Step;
use quizhall_protocol::{FromHost, QuestionKind, ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

/// The least time that a step has left after a change of owner, milliseconds.
const LEAST_AFTER_CLAIM: u64 = 5_000;

/// The autopilot of a game.
#[derive(Debug, Clone, Default)]
pub struct Autopilot {
    /// The host's plan; none while no autopilot runs.
    pub plan: Option<AutopilotPlan>,
    /// Whether it waits for the host.
    pub held: bool,
    /// The next step; none while a question is open.
    pub step: Option<Coming>,
}

/// When the autopilot takes its next step.
#[derive(Debug, Clone)]
pub struct Coming {
    /// The poll whose tally is shown; none for the next step of the game.
    pub tally: Option<Uuid>,
    /// Its whole time, milliseconds.
    pub whole: u64,
    /// The time left as last stated, in milliseconds.
    pub left: u64,
}

impl Autopilot {
    pub(crate) fn change_owner(&mut self) {
        if let Some(step) = self.step.as_mut().filter(|_| !self.held) {
            step.left = step.left.max(LEAST_AFTER_CLAIM);
        }
    }

    pub(crate) fn state_anew(&mut self, left: Option<u64>) {
        if let (Some(step), Some(left)) = (&mut self.step, left) {
            step.left = left;
        }
    }

    /// The time of a question without one of its own, seconds.
    pub(crate) fn answer_for(&self) -> Option<u16> {
        self.plan.as_ref().and_then(|plan| u16::try_from(plan.answer_for).ok())
    }

    fn next(&mut self, tally: Option<Uuid>, whole: u64) {
        self.step = self.plan.is_some().then_some(Coming { tally, whole, left: whole });
    }

    fn host_changes(&mut self, here: bool) {
        let waits = self.plan.as_ref().is_some_and(|plan| plan.hold_without_host);
        if waits && self.held == here {
            self.held = !here;
            if let Some(step) = &mut self.step {
                step.left = step.whole;
            }
        }
    }

    fn pause(&self, of: impl Fn(&AutopilotPlan) -> u32) -> u64 {
        self.plan.as_ref().map_or(0, |plan| u64::from(of(plan)) * 1_000)
    }
}

impl Game {
    /// The next step of the autopilot, with its time left as last stated.
    pub fn next_step(&self) -> Option<(NextStep, u64)> {
        let coming = self.autopilot.step.as_ref()?;
        let next = match self.next().0 {
            _ if coming.tally.is_some() => NextStep::Tally,
            Step::ReleaseQuestion => NextStep::Release,
            Step::EndRound => NextStep::EndRound,
            Step::RevealAnswer => NextStep::RevealAnswer,
            Step::ReleaseScores => NextStep::ReleaseScores,
            Step::Show => NextStep::Show,
            Step::EndTieBreak => NextStep::EndTieBreak,
            Step::ShowStandings => NextStep::ShowStandings,
            Step::StartNextRound => NextStep::StartNextRound,
            Step::StartGame | Step::CloseQuestion | Step::EndGame | Step::None => NextStep::EndGame,
        };
        Some((next, coming.left))
    }

    /// Another step of the game is the next one: it follows after its pause.
    pub(crate) fn change_step(&mut self) {
        let of_picture = |slide: Option<Slide>| slide.is_none_or(|slide| is_of_answers(slide.kind));
        let (next, ..) = self.next();
        let shown = (self.phase == Phase::Leaderboard).then(|| self.picture());
        let pause = self.autopilot.pause(|plan| {
            let standings = plan.standings_for.unwrap_or(plan.reveal_for);
            match next {
                Step::RevealAnswer => 0,
                Step::ReleaseScores if self.is_single() => 0,
                Step::StartNextRound
                    if self.is_single() && shown.is_some_and(|slide| slide.kind == SlideKind::Question) =>
                {
                    plan.reveal_for
                }
                Step::Show | Step::ShowStandings if of_picture(shown) => plan.reveal_for,
                Step::Show | Step::ShowStandings | Step::StartNextRound | Step::EndGame => standings,
                _ => plan.break_for,
            }
        });
        if self.has_open_question() {
            self.autopilot.step = None;
        } else {
            self.autopilot.next(None, pause);
        }
    }

    /// Whether the autopilot waits: for the host, or until the host has decided about all texts.
    pub fn is_autopilot_waiting(&self) -> bool {
        let waits = self.autopilot.plan.as_ref().is_some_and(|plan| plan.hold_for_marking != Some(false));
        self.autopilot.held || waits && self.waits_for_marks()
    }

    /// The question of the round that the autopilot releases next.
    pub fn next_question(&self) -> Option<Uuid> {
        let questions = &self.quiz.rounds.get(self.round)?.questions;
        questions.iter().map(|asked| asked.id).find(|asked| !self.released.contains(asked))
    }

    /// Whether a fact that no participant caused may happen: it is the next step of the autopilot, or the end of the round's time.
    ///
    /// # Errors
    /// When nothing but a command of the host could cause it here.
    pub fn check_unasked(&self, fact: &Fact) -> Result<(), Illegal> {
        let coming = self.autopilot.step.as_ref().filter(|_| !self.is_autopilot_waiting());
        let tally = coming.and_then(|coming| coming.tally);
        let (step, question, slide) = self.next();
        let is_next = |wanted: Step| coming.is_some() && tally.is_none() && step == wanted;
        let is_due = match fact {
            Fact::Released(released) => is_next(Step::ReleaseQuestion) && question == Some(*released),
            Fact::TallyShown(question, hidden) => tally == Some(*question) && hidden.is_empty(),
            Fact::RoundEnded => {
                let is_over = self.timers.left_of(None).is_some() && self.is_at_last_stage(None);
                is_next(Step::EndRound) || is_over
            }
            Fact::AnswerRevealed(revealed, true) => is_next(Step::RevealAnswer) && question == Some(*revealed),
            Fact::ScoresReleased { .. } => is_next(Step::ReleaseScores),
            Fact::StandingsShown => is_next(Step::ShowStandings),
            Fact::Turned(turned, true) => is_next(Step::Show) && slide == *turned,
            Fact::TieBreakEnded => is_next(Step::EndTieBreak),
            Fact::NextRound => is_next(Step::StartNextRound),
            Fact::Ended => is_next(Step::EndGame),
            _ => true,
        };
        require(is_due, "not the next step of an autopilot")
    }

    pub(crate) fn check_autopilot(&self, plan: Option<&AutopilotPlan>) -> Result<(), Illegal> {
        require(!matches!(self.phase, Phase::Lobby | Phase::Ended), "not while the game runs")?;
        require(self.autopilot.plan.as_ref() != plan, "the autopilot is so already")
    }

    /// A new statement of a step's time left is at most the previous one.
    pub(crate) fn check_step(&self, stated: Option<u64>) -> Result<(), Illegal> {
        let running = self.autopilot.step.as_ref().filter(|_| !self.autopilot.held);
        let is_less = |stated: u64| running.is_some_and(|step| stated <= step.left);
        require(stated.is_none_or(is_less), "the time to the next step has risen, or there is none")
    }

    /// The effect of an applied fact on the autopilot.
    pub(crate) fn drive(&mut self, fact: &Fact) {
        match fact {
            Fact::TookOver | Fact::Ended | Fact::AutopilotSet(None) => self.autopilot = Autopilot::default(),
            Fact::AutopilotSet(Some(plan)) => {
                self.start_autopilot(plan);
                self.change_step();
            }
            Fact::Released(_) => self.autopilot.step = None,
            Fact::QuestionClosed(question) if !self.has_open_question() => {
                let is_poll = !self.is_single()
                    && self.quiz.question(*question).is_some_and(|asked| asked.kind.or_text() == QuestionKind::Poll);
                let pause = self.autopilot.pause(|plan| plan.break_for);
                if is_poll {
                    self.autopilot.next(Some(*question), 0);
                } else {
                    self.autopilot.next(None, pause);
                }
            }
            Fact::QuestionWithdrawn(_) if !self.has_open_question() && self.autopilot.step.is_none() => {
                let pause = self.autopilot.pause(|plan| plan.break_for);
                self.autopilot.next(None, pause);
            }
            Fact::TallyShown(..) => {
                let pause = self.autopilot.pause(|plan| plan.reveal_for + plan.break_for);
                self.autopilot.next(None, pause);
            }
            Fact::HostLeft | Fact::HostReturned => self.autopilot.host_changes(*fact == Fact::HostReturned),
            _ => {}
        }
    }

    fn start_autopilot(&mut self, plan: &AutopilotPlan) {
        let held = plan.hold_without_host && !self.host_here;
        self.autopilot = Autopilot { plan: Some(plan.clone()), held, step: None };
        self.timers.held = false;
        let open: Vec<_> = self.released.iter().copied().filter(|question| self.is_open(*question)).collect();
        for question in &open {
            if self.timers.left_of(Some(*question)).is_none() && !self.timers.closes_soon(*question) {
                let ms = u64::from(plan.answer_for) * 1_000;
                self.timers.set(Some(*question), ms, ms);
            }
        }
    }

    fn has_open_question(&self) -> bool {
        self.phase == Phase::Question && self.released.iter().any(|question| self.is_open(*question))
    }

    /// `autopilot_status`
    pub fn autopilot_status(&self) -> ServerMessage {
        ServerMessage::All(ToAll::AutopilotStatus(AutopilotStatus { plan: self.autopilot.plan.clone() }))
    }

    /// `autopilot_step` with all the stated time: a received one may have less.
    ///
    /// # Panics
    /// When there is more time than a message can hold.
    pub fn autopilot_step(&self) -> Option<ServerMessage> {
        let (next, left) = self.next_step()?;
        let remaining_ms = u32::try_from(left).expect("twenty minutes at most");
        let running = !self.is_autopilot_waiting();
        Some(ServerMessage::All(ToAll::AutopilotStep(AutopilotStep { next, remaining_ms, running })))
    }

    /// Whether the message about the next step may be sent here.
    pub(crate) fn may_say_step(&self, step: &AutopilotStep) -> bool {
        let is_next =
            self.next_step().is_some_and(|(next, left)| next == step.next && u64::from(step.remaining_ms) <= left);
        is_next && step.running != self.is_autopilot_waiting()
    }

    pub(crate) fn set_autopilot(&mut self, plan: Option<&AutopilotPlan>) -> Result<Effects, Illegal> {
        self.running()?;
        if self.autopilot.plan.as_ref() == plan {
            return Ok(Effects::default().and(To::Host, self.autopilot_status()));
        }
        self.apply(&Fact::AutopilotSet(plan.cloned()))?;
        let status = Effects::default().and(To::All, self.autopilot_status());
        Ok(self.all_timers(status).and_all(To::All, self.autopilot_step()))
    }

    /// Carries out a command of the host. A command that changes the course of the round first stops the autopilot: everyone then
    /// receives a message, and the end of the autopilot with it.
    pub fn host_commands(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        let (joker_round, tie_breaks) = (self.joker_round(), self.tie_breaks_message());
        let effects = self.command_of_course(command)?;
        // State messages come before the other effects of the command. Without one, a client assumes that there is no tie-break.
        let nothing = || ServerMessage::All(ToAll::TieBreaks(TieBreaks { tie_breaks: Vec::new() }));
        let before = tie_breaks.unwrap_or_else(nothing);
        let new_ties = self.tie_breaks_message().filter(|ties| *ties != before);
        let effects = new_ties.into_iter().fold(effects, |effects, ties| effects.before(To::All, ties));
        let changes = joker_round != self.joker_round() && self.phase != Phase::Ended;
        Ok(if changes { effects.before(To::All, self.joker_round_message()) } else { effects })
    }

    fn command_of_course(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        let is_of_course = !matches!(
            command,
            FromHost::LockGame(_)
                | FromHost::CloseQuestion(_)
                | FromHost::SetCloseWhenAnswered(_)
                | FromHost::RemovePlayer(_)
                | FromHost::StartAutopilot(_)
                | FromHost::StopAutopilot
                | FromHost::Next(_)
                | FromHost::SetExtraTime(_)
                | FromHost::OverrideAnswer(_)
                | FromHost::MarkAnswers(_)
                | FromHost::AcceptAnswer(_)
                | FromHost::CorrectMarks(_)
                | FromHost::AdjustPoints(_)
                | FromHost::UndoAdjustment(_)
                | FromHost::DismissAppeal(_)
                | FromHost::OpenDesk(_)
                | FromHost::UndoMarking
                | FromHost::EditQuestion(_)
                | FromHost::WithdrawQuestion(_)
                | FromHost::RenamePlayer(_)
                | FromHost::AddSeat(_)
                | FromHost::EnterAnswer(_)
        );
        if !is_of_course || self.autopilot.plan.is_none() {
            let had_break = self.pause.is_some();
            let effects = self.carry_out(command)?;
            let is_said = !matches!(command, FromHost::EndBreak) && self.phase != Phase::Ended;
            let ends = had_break && self.pause.is_none() && is_said;
            return Ok(effects.and_all(To::All, ends.then(|| self.break_update())));
        }
        let before = std::mem::take(&mut self.autopilot);
        let effects = self.carry_out(command);
        let takes_over = effects.as_ref().is_ok_and(Effects::reach_all);
        if !takes_over {
            self.autopilot = before;
            return effects;
        }
        if self.phase == Phase::Ended {
            return effects;
        }
        let status = self.autopilot_status();
        // State messages are sent in an order of their own.
        let is_behind = matches!(command, FromHost::ShowTally(_));
        effects.map(|effects| if is_behind { effects.and(To::All, status) } else { effects.before(To::All, status) })
    }
}

/// Whether a picture shows answers, or places before the winner.
fn is_of_answers(kind: SlideKind) -> bool {
    matches!(kind, SlideKind::Question | SlideKind::Podium)
}
