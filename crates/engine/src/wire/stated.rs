//! State messages of the extension: each states one fact of the game, on connecting and whenever the fact changes.
//!
//! An entry of [`ENTRIES`] is all that such a message needs: the edge compares before and after each event, and when it
//! skips events. The order of the entries is the order on the wire. Behind them are the right answers that are revealed and the
//! questions that are edited or withdrawn, each with a message of its own.

use bytes::Bytes;
use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::to_all::{
    AutopilotStatus, GameInfo, HostStatus, JokerRound, MediaItem, MediaPreload, RoundStarted, StandingsStatus, Tally,
    TallyEntry, TieBreaks,
};
use quizhall_protocol::{ToAll, frame};
use quizhall_rules::{Command, Phase, State};

use super::extension::count;
use super::mending;
use super::rounds::{answer_revealed_of, answers_revealed};
use super::ties;
use crate::media::copies_ahead;

/// A state message.
struct Entry {
    /// The message; `None` where it has nothing to state.
    message: fn(&State) -> Option<ToAll>,
    /// What a client assumes until it receives the message. Not sent on connecting, and later only after something else was sent.
    is_assumed: fn(&ToAll) -> bool,
    /// Clients forget it when a round begins.
    is_of_round: bool,
    /// The command that sets the fact: when it changes nothing, the message confirms it.
    set_by: fn(&Command) -> bool,
}

const ENTRIES: [Entry; 9] = [
    Entry {
        message: |state| Some(ToAll::HostStatus(HostStatus { connected: state.is_host_present() })),
        ..Entry::PLAIN
    },
    Entry {
        message: |state| {
            let title = (state.phase() == Phase::Lobby).then(|| state.quiz().title.clone())?;
            Some(ToAll::GameInfo(GameInfo { title }))
        },
        ..Entry::PLAIN
    },
    Entry { message: round_started, is_of_round: true, ..Entry::PLAIN },
    Entry {
        message: |state| {
            let is_stated = state.quiz().has_jokers() && state.phase() != Phase::Ended;
            let round = state.joker_round().map(|round| round + 1);
            is_stated.then_some(ToAll::JokerRound(JokerRound { round }))
        },
        is_assumed: |message| *message == ToAll::JokerRound(JokerRound { round: None }),
        ..Entry::PLAIN
    },
    Entry {
        message: |state| {
            let held = (state.phase() == Phase::Leaderboard).then(|| state.are_standings_held())?;
            Some(ToAll::StandingsStatus(StandingsStatus { held }))
        },
        is_assumed: |message| *message == ToAll::StandingsStatus(StandingsStatus { held: false }),
        is_of_round: true,
        set_by: |command| matches!(command, Command::ShowStandings),
    },
    Entry {
        message: tally,
        is_of_round: true,
        set_by: |command| matches!(command, Command::ShowTally { .. }),
        ..Entry::PLAIN
    },
    Entry { message: |state| media_preload(state).map(ToAll::MediaPreload), ..Entry::PLAIN },
    Entry {
        message: autopilot,
        is_assumed: |message| *message == ToAll::AutopilotStatus(AutopilotStatus { plan: None }),
        is_of_round: true,
        set_by: |command| matches!(command, Command::SetAutopilot(_)),
    },
    Entry {
        message: tie_breaks,
        is_assumed: |message| *message == ToAll::TieBreaks(TieBreaks { tie_breaks: Vec::new() }),
        is_of_round: true,
        set_by: |command| matches!(command, Command::TieBreak(_) | Command::EndTieBreak),
    },
];

impl Entry {
    const PLAIN: Self = Self { message: |_| None, is_assumed: |_| false, is_of_round: false, set_by: |_| false };

    /// The message, unless clients assume the same without it.
    fn stated(&self, state: &State) -> Option<ToAll> {
        (self.message)(state).filter(|message| !(self.is_assumed)(message))
    }
}

fn round_started(state: &State) -> Option<ToAll> {
    if matches!(state.phase(), Phase::Lobby | Phase::Ended) {
        return None;
    }
    let round = state.quiz().rounds.get(state.round())?;
    Some(ToAll::RoundStarted(RoundStarted {
        round: count(state.round() + 1),
        rounds: count(state.quiz().rounds.len()),
        title: round.title.clone(),
        question_count: count(round.questions.len()),
    }))
}

fn tally(state: &State) -> Option<ToAll> {
    let shown = state.tally()?;
    let entry = |entry: &quizhall_rules::TallyEntry| TallyEntry { answer: entry.answer.clone(), count: entry.count };
    let entries = shown.entries.iter().map(entry).collect();
    Some(ToAll::Tally(Tally { question_id: shown.question.uuid(), entries }))
}

/// Stated in the review too, where none runs: the end of the round is the end of the autopilot.
fn autopilot(state: &State) -> Option<ToAll> {
    let is_stated = matches!(state.phase(), Phase::Question | Phase::RoundReview);
    let plan = state.autopilot().map(|plan| AutopilotPlan {
        answer_for: plan.answer_for.into(),
        reveal_for: plan.reveal_for.into(),
        break_for: plan.break_for.into(),
        hold_without_host: plan.hold_without_host,
    });
    is_stated.then_some(ToAll::AutopilotStatus(AutopilotStatus { plan }))
}

fn tie_breaks(state: &State) -> Option<ToAll> {
    let is_stated = matches!(state.phase(), Phase::Leaderboard | Phase::Ended);
    let tie_breaks = ties::tie_breaks(state).map(|one| ties::tie_break_status(state, one)).collect();
    is_stated.then_some(ToAll::TieBreaks(TieBreaks { tie_breaks }))
}

pub(super) fn media_preload(state: &State) -> Option<MediaPreload> {
    let items: Vec<_> = copies_ahead(state)
        .iter()
        .map(|copy| MediaItem { name: hex::encode(copy.name), bytes: copy.sent_bytes() })
        .collect();
    let game_id = state.game().uuid();
    (!items.is_empty()).then_some(MediaPreload { game_id, items })
}

/// What the clients at a state have been sent.
#[derive(Debug)]
pub struct Stated {
    round: usize,
    entries: [Option<ToAll>; ENTRIES.len()],
    /// The messages about single questions of the round.
    of_questions: Vec<ToAll>,
}

impl Stated {
    /// Of this state.
    pub fn of(state: &State) -> Self {
        Self {
            round: state.round(),
            entries: ENTRIES.map(|entry| entry.stated(state)),
            of_questions: of_questions(state),
        }
    }

    /// The frames they need at a later state.
    pub fn changed_frames(self, after: &State) -> Vec<Bytes> {
        self.changed(after).iter().map(frame::text).collect()
    }

    /// The messages they need at a later state.
    pub(super) fn changed(self, after: &State) -> Vec<ToAll> {
        // Behind the end no message says that a round began, so clients have forgotten nothing.
        let is_other_round = self.round != after.round() && after.phase() != Phase::Ended;
        let new = of_questions(after).into_iter().filter(|message| !self.of_questions.contains(message));
        let changed = |(entry, before): (&Entry, Option<ToAll>)| {
            let before = before.filter(|_| !(entry.is_of_round && is_other_round));
            (entry.message)(after).filter(|_| entry.stated(after) != before)
        };
        ENTRIES.iter().zip(self.entries).filter_map(changed).chain(new).collect()
    }
}

fn of_questions(state: &State) -> Vec<ToAll> {
    let mut messages = answers_revealed(state);
    messages.extend(mending::mended(state));
    messages
}

/// What a socket is sent on connecting.
pub fn all_stated(state: &State) -> Vec<Bytes> {
    let entries = ENTRIES.iter().filter_map(|entry| entry.stated(state));
    entries.chain(of_questions(state)).map(|message| frame::text(&message)).collect()
}

/// The message that confirms a command which changed nothing, if the command sets a stated fact.
pub fn confirmed(state: &State, command: &Command) -> Option<Bytes> {
    if let Command::RevealAnswer { question } = command {
        return answer_revealed_of(state, *question);
    }
    let entry = ENTRIES.iter().find(|entry| (entry.set_by)(command))?;
    (entry.message)(state).map(|message| frame::text(&message))
}
