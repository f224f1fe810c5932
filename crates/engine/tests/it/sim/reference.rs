//! The log as the oracle reads it: each event is translated into a fact, and must be one that may be stored at its place.
//!
//! The store applies the durable events, and every edge has a reference of its own that follows what it shows. The state of the
//! game at a place belongs to the oracle; here is only what concerns the log itself: epochs, sessions, events without effect.

use std::collections::BTreeMap;
use std::ops::Deref;

use quizhall_engine::wire::described_slide;
use quizhall_engine::wire::options::options_body;
use quizhall_engine::{Dialect, Participant};
use quizhall_oracle::{Fact, Game, Illegal, Mark, Quiz, Viewer, Words, Worth};
use quizhall_protocol::ServerMessage;
use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::games::Teams;
use quizhall_protocol::http::quizzes::RoundBody;
use quizhall_rules::{
    AdjustmentId, Change, Device, Event, GameId, PlayerId, QuestionId, Setting, TimeLeft, TimerLength,
};
use uuid::Uuid;

use super::bundles;

/// A game at one place of its log.
#[derive(Debug, Clone)]
pub struct Reference {
    game: Game,
    /// Events applied so far.
    pub events: usize,
    pub epoch: u64,
    /// The session of the last answer of each player's device.
    sessions: BTreeMap<(PlayerId, Device), u64>,
    /// The device from which each answer came.
    by: BTreeMap<(PlayerId, QuestionId), Device>,
    /// Whether each co-host has a token, in order of adding.
    co_hosts: Vec<bool>,
    id: GameId,
    /// The ids of points by hand so far.
    adjustments: Vec<Uuid>,
    /// The players in order of joining.
    joined: Vec<PlayerId>,
}

impl Default for Reference {
    fn default() -> Self {
        let (sessions, by, co_hosts, adjustments) = (BTreeMap::new(), BTreeMap::new(), Vec::new(), Vec::new());
        Self {
            game: Game::new(Quiz::default()),
            events: 0,
            epoch: 0,
            sessions,
            by,
            co_hosts,
            id: Uuid::nil().into(),
            adjustments,
            joined: Vec::new(),
        }
    }
}

impl Deref for Reference {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.game
    }
}

impl Reference {
    /// A participant as the oracle knows them at this place.
    fn viewer(&self, who: Participant) -> Viewer {
        match (who, self.phone_of(who)) {
            (Participant::Host | Participant::CoHost(_), _) => Viewer::Host,
            (Participant::Device(..), Some((player, phone))) => Viewer::Phone(player, phone),
            (Participant::Player(player) | Participant::Device(player, _), _) => Viewer::Player(player.uuid()),
        }
    }

    /// The ids of a participant's team and phone.
    pub fn phone_of(&self, who: Participant) -> Option<(Uuid, Uuid)> {
        let (player, device) = who.as_player()?;
        let team = self.game.player(player.uuid())?.team.as_ref()?;
        team.phones.get(usize::from(device.0)).map(|phone| (player.uuid(), phone.id))
    }

    /// Whether a player's device counts as connected; `None` for a player who is not in the game.
    pub fn is_here(&self, who: Participant) -> Option<bool> {
        let player = self.game.player(who.player()?.uuid())?;
        match (&player.team, self.phone_of(who)) {
            (Some(team), Some((_, phone))) => team.phones.iter().find(|one| one.id == phone).map(|one| one.connected),
            (None, _) => Some(player.connected),
            _ => None,
        }
    }

    /// Whether this message may be sent to this participant at this place.
    pub fn says(&self, message: &ServerMessage, to: Participant) -> bool {
        self.events > 0 && self.game.is_true(message, self.viewer(to))
    }

    /// Whether this participant is in the game at this place.
    pub fn knows(&self, who: Participant) -> bool {
        match who.as_host().map(|device| usize::from(device.0)) {
            None => self.is_here(who).is_some(),
            Some(0) => true,
            Some(number) => self.co_hosts.get(number - 1) == Some(&true),
        }
    }

    /// The messages that a participant must receive on connecting at this place, in order.
    pub fn sync(&self, to: Participant, dialect: Dialect) -> Vec<ServerMessage> {
        if self.events == 0 { Vec::new() } else { self.game.sync(self.viewer(to), dialect) }
    }

    /// Applies the next event of the log.
    ///
    /// # Errors
    /// When the event may not be stored here.
    pub fn apply(&mut self, event: &Event) -> Result<(), String> {
        self.joined.extend(bundles::joins(&event.change));
        let singles = bundles::singles(event, &self.joined);
        if singles.is_empty() {
            return Err("a bundle without answers".to_owned());
        }
        for single in &singles {
            self.apply_single(single)?;
        }
        self.events += 1;
        Ok(())
    }

    fn apply_single(&mut self, event: &Event) -> Result<(), String> {
        let place = format!("event {} ({})", self.events, event.change.kind());
        self.fold(event).map_err(|what| format!("{place}: {what}"))?;
        if let (Some(seat), Some(command_id)) = (event.change.sender(), event.command_id)
            && let Change::Answered { question, .. } | Change::Suggested { question, .. } = &event.change
        {
            self.sessions.insert(seat, command_id.session);
            if matches!(event.change, Change::Answered { .. }) {
                self.by.insert((seat.0, *question), seat.1);
            }
        }
        match event.change {
            Change::PointsAdjusted { .. } => self.adjustments.push(self.next_adjustment()),
            Change::CoHostAdded(_) => self.co_hosts.push(true),
            Change::CoHostRemoved { device } => self.co_hosts[usize::from(device.0) - 1] = false,
            _ => {}
        }
        Ok(())
    }

    fn fold(&mut self, event: &Event) -> Result<(), String> {
        match &event.change {
            Change::Created(_) if self.events > 0 => return Err("a second creation".to_owned()),
            Change::Created(created) => {
                let options = options_body(&created.options);
                self.id = created.game;
                self.game = Game::new(quiz(&created.quiz, &options));
                self.game.options = options;
                self.game.phones_after_screen = created.options.phones_after_screen;
                let teams = created.options.teams;
                self.game.teams = teams.map(|teams| Teams { devices: teams.devices, captain_only: teams.captain_only });
            }
            Change::Claimed { epoch, .. } if *epoch != self.epoch + 1 => return Err("not the next epoch".to_owned()),
            Change::Claimed { epoch, .. } => {
                self.epoch = *epoch;
                self.game.apply(&Fact::OwnerChanged).map_err(|illegal| illegal.to_string())?;
            }
            change => {
                if !self.is_marked_rightly(change) {
                    return Err("marked otherwise than the interface says".to_owned());
                }
                if !self.does_something(event) {
                    return Err("nothing changes".to_owned());
                }
                if let Some(facts) = self.facts_of_team(event)? {
                    for fact in facts {
                        self.apply_fact(event, &fact).map_err(|illegal| illegal.to_string())?;
                    }
                } else if let Some(fact) = self.fact(event).or_else(|| of_screens(event)) {
                    self.apply_fact(event, &fact).map_err(|illegal| illegal.to_string())?;
                }
            }
        }
        Ok(())
    }

    /// A host's command that changes the course of the round stops the autopilot; an event without a command must be its next step.
    fn apply_fact(&mut self, event: &Event, fact: &Fact) -> Result<(), Illegal> {
        let is_of_course = !matches!(
            fact,
            Fact::Answered(..)
                | Fact::JokerPlayed(..)
                | Fact::Appealed(..)
                | Fact::AppealDismissed(..)
                | Fact::TieBreakAnswered(..)
                | Fact::Signed(..)
                | Fact::Suggested(..)
                | Fact::Removed(_)
                | Fact::QuestionClosing(_)
                | Fact::OptionsSet(_)
                | Fact::Set(_)
                | Fact::ScreenAdded(_)
                | Fact::ScreenRemoved(_)
                | Fact::Spectators(_)
                | Fact::Turned(..)
                | Fact::AutopilotSet(_)
                | Fact::ExtraTimeSet(..)
                | Fact::Overridden(..)
                | Fact::Marked(..)
                | Fact::KeyChanged(..)
                | Fact::MarksCorrected(..)
                | Fact::PointsAdjusted(..)
                | Fact::AdjustmentUndone(_)
                | Fact::MarkingUndone
                | Fact::QuestionEdited(..)
                | Fact::QuestionWithdrawn(_)
                | Fact::Renamed(..)
                | Fact::SeatAdded(..)
                | Fact::Entered(..)
        );
        if event.command_id.is_none() {
            self.game.check_unasked(fact)?;
        } else if is_of_course && !event.is_step && self.game.autopilot.plan.is_some() {
            self.game.apply(&Fact::TookOver)?;
        }
        self.game.apply(fact)
    }

    /// Answers that name choices and near misses must be marked as the reference marks them; for the others the key decides.
    fn is_marked_rightly(&self, change: &Change) -> bool {
        let (Change::Answered { question, answer, correct, partial, .. }
        | Change::AnswerEntered { question, answer, correct, partial, .. }) = change
        else {
            return true;
        };
        let asked = self.game.quiz.question(question.uuid());
        let mark = asked.and_then(|asked| asked.mark_of_choices(answer).or_else(|| asked.mark_of_near_miss(answer)));
        mark.is_none_or(|mark| (mark.correct, mark.partial) == (*correct, *partial))
    }

    /// An event that changes nothing is not stored, except an answer that another socket repeats: that makes it newer.
    fn does_something(&self, event: &Event) -> bool {
        match &event.change {
            Change::Answered { player, device, question, answer, .. } => {
                let before = self.sessions.get(&(*player, *device));
                let elsewhere = event.command_id.zip(before).is_some_and(|(id, before)| *before < id.session);
                let given = self.game.answer(player.uuid(), question.uuid());
                // An answer from another phone of the team counts as that phone's.
                let is_others = self.by.get(&(*player, *question)).is_some_and(|by| by != device);
                elsewhere || is_others || given.is_none_or(|given| given.text != **answer)
            }
            Change::AnswerOverridden { player, question, correct } => {
                let given = self.game.answer(player.uuid(), question.uuid());
                given.is_none_or(|given| !given.counts_as(Worth { correct: *correct, partial: 0 }))
            }
            Change::AnswersMarked { question, texts, correct, partial } => {
                let marks = |text: &String| {
                    let text = std::slice::from_ref(text);
                    !self
                        .game
                        .markable(question.uuid(), text, Worth { correct: *correct, partial: *partial })
                        .is_empty()
                };
                !texts.is_empty() && texts.iter().all(marks)
            }
            Change::KeyChanged { question, texts, correct, partial } => {
                let worth = Worth { correct: *correct, partial: *partial };
                let is_new = |text: &String| self.game.ruling(question.uuid(), text) != Some(worth);
                !texts.is_empty() && texts.iter().all(is_new)
            }
            _ => true,
        }
    }

    /// The fact that an event stores; `None` for events that concern only the log.
    fn fact(&self, event: &Event) -> Option<Fact> {
        Some(match &event.change {
            change if is_about_no_participant(change) => return None,
            Change::Joined { player, display_name, .. } => {
                Fact::Joined(player.uuid(), display_name.as_str().to_owned())
            }
            Change::Left { player, .. } => Fact::Left(player.uuid()),
            Change::Returned { player, .. } => Fact::Returned(player.uuid()),
            Change::Disconnected { player, .. } => Fact::Disconnected(player.uuid()),
            Change::Connected { player, .. } => Fact::Connected(player.uuid()),
            Change::HostLeft => Fact::HostLeft,
            Change::HostReturned => Fact::HostReturned,
            Change::PlayerRemoved { player, .. } => Fact::Removed(player.uuid()),
            Change::Set(Setting::Locked(locked)) => Fact::Set(quizhall_oracle::Setting::Locked(*locked)),
            Change::Started => Fact::Started,
            Change::QuestionReleased { question } => Fact::Released(question.uuid()),
            Change::Answered { player, question, answer, correct, near_miss, partial, elapsed, .. } => {
                let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial, elapsed: *elapsed };
                Fact::Answered(player.uuid(), question.uuid(), answer.as_ref().to_owned(), mark)
            }
            Change::RoundEnded => Fact::RoundEnded,
            Change::QuestionClosing { question } => Fact::QuestionClosing(question.uuid()),
            Change::OptionsSet(options) => Fact::OptionsSet(options_body(options).into()),
            Change::QuestionClosed { question } => Fact::QuestionClosed(question.uuid()),
            Change::TimerSet(TimerLength { left, of }) => {
                Fact::TimerSet(left.question.map(QuestionId::uuid), left.ms, of.unwrap_or(left.ms))
            }
            Change::ExtraTimeSet { player, percent } => Fact::ExtraTimeSet(player.uuid(), *percent),
            Change::TimeOver { left, up, next } => {
                Fact::TimeOver(left.question.map(QuestionId::uuid), left.ms, *up, *next)
            }
            Change::TimerHeld { held, left } => Fact::TimersHeld(*held, stated(left)),
            Change::TimerMark { left, step } => Fact::TimersMarked(stated(left), *step),
            Change::AutopilotSet { plan } => Fact::AutopilotSet(plan.map(shown)),
            Change::AnswerOverridden { player, question, correct } => {
                Fact::Overridden(player.uuid(), question.uuid(), *correct)
            }
            Change::AnswersMarked { question, texts, correct, partial } => {
                Fact::Marked(question.uuid(), texts.clone(), Worth { correct: *correct, partial: *partial })
            }
            Change::KeyChanged { question, texts, correct, partial } => {
                Fact::KeyChanged(question.uuid(), texts.clone(), Worth { correct: *correct, partial: *partial })
            }
            Change::MarkingUndone { .. } => Fact::MarkingUndone,
            Change::TallyShown { question, hidden } => Fact::TallyShown(question.uuid(), hidden.clone()),
            Change::ScoresReleased { held: false } if self.game.standings_held => Fact::StandingsShown,
            Change::ScoresReleased { held } => Fact::ScoresReleased { held: *held },
            Change::NextRoundStarted => Fact::NextRound,
            Change::Ended => Fact::Ended,
            Change::AnswerRevealed { question } => Fact::AnswerRevealed(question.uuid(), event.is_step),
            Change::BreakStarted { ms, text } => Fact::BreakStarted(*ms, text.clone()),
            Change::BreakMark { ms } => Fact::BreakMarked(*ms),
            Change::BreakEnded => Fact::BreakEnded,
            Change::JokerPlayed { player, round, .. } => {
                Fact::JokerPlayed(player.uuid(), usize::try_from(*round).expect("few rounds"))
            }
            Change::TieBreakStarted { players, text, answer } => {
                Fact::TieBreakStarted(players.iter().map(|player| player.uuid()).collect(), text.clone(), *answer)
            }
            Change::TieBreakAnswered { player, answer, .. } => Fact::TieBreakAnswered(player.uuid(), *answer),
            Change::TieBreakEnded { .. } => Fact::TieBreakEnded,
            Change::PointsAdjusted { player, points, reason, .. } => {
                let reason = reason.as_deref().map(str::to_owned);
                Fact::PointsAdjusted(self.next_adjustment(), player.uuid(), *points, reason)
            }
            Change::AdjustmentUndone { number, .. } => {
                Fact::AdjustmentUndone(self.adjustments[usize::try_from(*number).expect("few") - 1])
            }
            change => return correction(change),
        })
    }
}

impl Reference {
    /// The id of the next points by hand.
    fn next_adjustment(&self) -> Uuid {
        let number = u32::try_from(self.adjustments.len() + 1).expect("few");
        AdjustmentId::of(self.id, number).uuid()
    }

    /// The facts that an event about a team stores; `None` for all other events.
    fn facts_of_team(&self, event: &Event) -> Result<Option<Vec<Fact>>, String> {
        let (player, device) = match &event.change {
            Change::Joined { player, display_name, team: Some(code), .. } => {
                let joined = Fact::Joined(player.uuid(), display_name.as_str().to_owned());
                return Ok(Some(vec![joined, Fact::TeamMade(player.uuid(), code.as_str().to_owned())]));
            }
            Change::DeviceAdded(added) => {
                let name = added.display_name.as_str().to_owned();
                return Ok(Some(vec![Fact::PhoneAdded(added.player.uuid(), added.device.uuid(), name)]));
            }
            Change::Left { player, device }
            | Change::Returned { player, device }
            | Change::Disconnected { player, device }
            | Change::Connected { player, device }
            | Change::Answered { player, device, .. }
            | Change::Suggested { player, device, .. } => (*player, *device),
            Change::SeatMoved { player, device, token } if token.is_nobodys() || !device.is_first() => {
                (*player, *device)
            }
            _ => return Ok(None),
        };
        let is_team = self.game.player(player.uuid()).is_some_and(|player| player.team.is_some());
        let Some((team, phone)) = self.phone_of(Participant::player_over(player, device)) else {
            return if is_team { Err("no such phone of the team".to_owned()) } else { Ok(None) };
        };
        Ok(Some(match &event.change {
            Change::Answered { question, .. } => {
                let signed = Fact::Signed(team, question.uuid(), phone);
                self.fact(event).into_iter().chain([signed]).collect()
            }
            Change::Suggested { question, answer, .. } => {
                vec![Fact::Suggested(team, phone, question.uuid(), answer.as_ref().to_owned())]
            }
            Change::SeatMoved { token, .. } if token.is_nobodys() => vec![Fact::PhoneRemoved(team, phone)],
            Change::SeatMoved { .. } => vec![Fact::PhoneMoved(team, phone)],
            _ => self.phone_here((team, phone), &event.change)?,
        }))
    }

    /// A phone connects or disconnects; the team is connected while at least one of them is.
    fn phone_here(&self, (team, phone): (Uuid, Uuid), change: &Change) -> Result<Vec<Fact>, String> {
        let player = self.game.player(team).ok_or("not a team")?;
        let here = matches!(change, Change::Returned { .. } | Change::Connected { .. });
        let phones = player.team.iter().flat_map(|team| &team.phones);
        let others = phones.filter(|one| one.id != phone && one.connected).count() > 0;
        let is_lobby = self.game.phase == quizhall_oracle::Phase::Lobby;
        let of_team = match change {
            Change::Left { .. } if is_lobby => (!others).then_some(Fact::Left(team)),
            Change::Disconnected { .. } if !is_lobby => (!others).then_some(Fact::Disconnected(team)),
            Change::Returned { .. } if !player.present => Some(Fact::Returned(team)),
            Change::Connected { .. } if player.present => (!others).then_some(Fact::Connected(team)),
            _ => return Err("not so that a phone comes or goes".to_owned()),
        };
        // In the lobby, a team is present exactly when it is connected.
        let of_team = of_team.filter(|_| !(is_lobby && here && player.connected));
        Ok(std::iter::once(Fact::PhoneHere(team, phone, here)).chain(of_team).collect())
    }
}

/// Whether an event changes no fact about a participant: events of the log itself, of co-hosts and of moving seats. At most
/// a close is sent for them.
fn is_about_no_participant(change: &Change) -> bool {
    matches!(
        change,
        Change::Created(_)
            | Change::Claimed { .. }
            | Change::Closed
            | Change::CoHostAdded(_)
            | Change::CoHostRemoved { .. }
            | Change::SeatCodeIssued(_)
    )
}

/// The fact of an event about screens.
fn of_screens(event: &Event) -> Option<Fact> {
    Some(match &event.change {
        Change::ScreenAdded(screen) => Fact::ScreenAdded(screen.id.uuid()),
        Change::ScreenRemoved { screen } => Fact::ScreenRemoved(screen.uuid()),
        Change::Set(Setting::Spectators(allowed)) => Fact::Spectators(*allowed),
        Change::Set(Setting::Screens(shown)) => Fact::Turned(shown.slide.map(described_slide), event.is_step),
        _ => return None,
    })
}

fn correction(change: &Change) -> Option<Fact> {
    Some(match change {
        Change::MarksCorrected { question, players, correct, partial } => {
            let players = players.iter().map(|player| player.uuid()).collect();
            Fact::MarksCorrected(question.uuid(), players, Worth { correct: *correct, partial: *partial })
        }
        Change::Appealed { player, question, text, .. } => Fact::Appealed(player.uuid(), question.uuid(), text.clone()),
        Change::AppealDismissed { player, question } => Fact::AppealDismissed(player.uuid(), question.uuid()),
        Change::QuestionEdited(edit) => {
            let (text, choices, accepted) = (edit.text.clone(), edit.choices.clone(), edit.accepted.clone());
            Fact::QuestionEdited(edit.question.uuid(), Words { text, choices, accepted })
        }
        Change::QuestionWithdrawn { question } => Fact::QuestionWithdrawn(question.uuid()),
        Change::PlayerRenamed { player, display_name } => {
            Fact::Renamed(player.uuid(), display_name.as_str().to_owned())
        }
        Change::SeatMoved { player, device, .. } if device.is_first() => Fact::SeatTaken(player.uuid()),
        Change::SeatAdded { player, display_name } => Fact::SeatAdded(player.uuid(), display_name.as_str().to_owned()),
        Change::AnswerEntered { player, question, answer, correct, near_miss, partial } => {
            let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial, elapsed: None };
            Fact::Entered(player.uuid(), question.uuid(), answer.as_ref().to_owned(), mark)
        }
        _ => return None,
    })
}

fn shown(plan: quizhall_rules::AutopilotPlan) -> AutopilotPlan {
    AutopilotPlan {
        answer_for: plan.answer_for.into(),
        reveal_for: plan.reveal_for.into(),
        break_for: plan.break_for.into(),
        hold_without_host: plan.hold_without_host,
        standings_for: plan.standings_for.map(Into::into),
        hold_for_marking: plan.hold_for_marking,
    }
}

fn stated(left: &[TimeLeft]) -> Vec<(Option<Uuid>, u64)> {
    left.iter().map(|left| (left.question.map(QuestionId::uuid), left.ms)).collect()
}

fn quiz(quiz: &quizhall_rules::Quiz, options: &GameOptions) -> Quiz {
    let rounds: Vec<_> = quiz.rounds.iter().map(RoundBody::from).collect();
    Quiz::played(&quiz.title, &rounds, options).expect("every question has an id, points and a key")
}
