//! State → `screen_update`: everything that the room may know, built field by field.
//!
//! It never contains a key before it is revealed or the scores are out, a text that is not released, or a link between a player
//! and an answer.

use bytes::Bytes;
use quizhall_protocol::shapes;
use quizhall_protocol::slides::{ScreenShow, ShownAnswer};
use quizhall_protocol::to_all::TallyEntry;
use quizhall_protocol::to_screen::{
    ScreenBreak, ScreenJokers, ScreenQuestion, ScreenRound, ScreenTally, ScreenTimer, ScreenUpdate,
};
use quizhall_protocol::{ToScreen, frame};
use quizhall_rules::{Moment, Phase, Question, QuestionId, QuestionKind, State, TimeLeft};

use super::answered::answered;
use super::options::section;
use super::outgoing::{media_preload, released_media};
use super::slides::{self, answer_shown};
use super::{count, room::is_room_listed, timers};

/// The lobby shows every name up to this many players.
const ALL_NAMES_UP_TO: usize = 200;
/// The newest names that a larger lobby shows.
const NAMES: usize = 100;

/// The newest questions of a round that are sent: a screen has room for no more.
const QUESTIONS: usize = 11;

/// `screen_update` at this moment.
pub fn screen_update(state: &State, at: Moment) -> Bytes {
    frame::text(&ToScreen::ScreenUpdate(update(state, at)))
}

pub(super) fn update(state: &State, at: Moment) -> ScreenUpdate {
    let phase = state.phase();
    let on_screens = state.on_screens();
    ScreenUpdate {
        locked: state.is_locked(),
        player_total: count(state.player_count()),
        round: (phase != Phase::Lobby).then(|| round_at(state, state.round())).flatten(),
        players: if phase == Phase::Lobby { names(state) } else { Vec::new() },
        seal: state.sealed().filter(|_| phase == Phase::Lobby).map(|sealed| sealed.seal.to_string()),
        questions: if phase == Phase::Question { questions(state, at) } else { Vec::new() },
        timer: (phase == Phase::Question).then(|| timer_of(state, None, at)).flatten(),
        step: state.autopilot_step(at).map(|next| timers::coming(state, next)),
        tally: tally(state),
        pause: pause(state, at),
        jokers: jokers(state),
        show: show(state),
        preload: media_preload(state),
        blank: on_screens.blank,
        sound: on_screens.sound,
        language: on_screens.language.clone(),
        ..ScreenUpdate::new(state.code(), state.quiz().title.clone(), phase)
    }
}

/// A round, from 0, by its place in the quiz.
pub(super) fn round_at(state: &State, round: usize) -> Option<ScreenRound> {
    let rounds = &state.quiz().rounds;
    let begun = rounds.get(round)?;
    Some(ScreenRound {
        number: count(round + 1),
        of: count(rounds.len()),
        title: begun.title.clone(),
        section: state.section(round).as_ref().map(section),
        wrong_points: (begun.wrong_points != 0).then_some(begun.wrong_points),
    })
}

fn names(state: &State) -> Vec<shapes::Player> {
    let present = state.present_count();
    let skip = if present > ALL_NAMES_UP_TO { present - NAMES } else { 0 };
    let name = |player: &quizhall_rules::Player| shapes::Player {
        id: player.id.uuid(),
        display_name: player.display_name.as_str().to_owned(),
    };
    state.lobby().skip(skip).map(name).collect()
}

fn questions(state: &State, at: Moment) -> Vec<ScreenQuestion> {
    let older = state.released().count().saturating_sub(QUESTIONS);
    (1..).zip(state.released()).skip(older).map(|question| released(state, question, at)).collect()
}

fn released(state: &State, (number, question): (u32, &Question), at: Moment) -> ScreenQuestion {
    let (answered, of) = answered(state, question.id);
    ScreenQuestion {
        id: question.id.uuid(),
        number,
        text: question.text.clone(),
        kind: question.kind.into(),
        choices: question.choices.clone(),
        points: question.points,
        speed_points: state.counts_speed(question.id),
        media: released_media(state, question),
        answered,
        of,
        closed: !state.is_open(question.id),
        corrected: state.is_corrected(question.id),
        withdrawn: state.is_withdrawn(question.id),
        timer: timer_of(state, Some(question.id), at),
    }
}

fn timer_of(state: &State, question: Option<QuestionId>, at: Moment) -> Option<ScreenTimer> {
    let of_it = |(left, _): (TimeLeft, u64)| (left.question == question).then_some(left.ms);
    let remaining_ms = millis(state.time_left(at).find_map(of_it)?);
    Some(ScreenTimer { remaining_ms, running: !state.are_timers_held() })
}

fn millis(ms: u64) -> u32 {
    u32::try_from(ms).unwrap_or(u32::MAX)
}

/// While a round is open, the next question or a revealed answer replaces a tally. Once the scores are out, the tally is part of
/// the slides.
fn tally(state: &State) -> Option<ScreenTally> {
    let tally = state.tally()?;
    let is_shown = match state.phase() {
        Phase::Question => state.released().last().is_some_and(|newest| newest.id == tally.question),
        Phase::RoundReview => state.revealed().next().is_none(),
        _ => false,
    };
    is_shown.then(|| state.question(tally.question).map(|asked| tally_of(asked, entries(&tally.entries)))).flatten()
}

pub(super) fn tally_of(question: &Question, entries: Vec<TallyEntry>) -> ScreenTally {
    ScreenTally { text: question.text.clone(), cloud: question.kind == QuestionKind::WordCloud, entries }
}

pub(crate) fn entries(entries: &[quizhall_rules::TallyEntry]) -> Vec<TallyEntry> {
    let entry = |entry: &quizhall_rules::TallyEntry| TallyEntry { answer: entry.answer.clone(), count: entry.count };
    entries.iter().map(entry).collect()
}

fn pause(state: &State, at: Moment) -> Option<ScreenBreak> {
    let (ms, text) = state.break_left(at)?;
    let next = if state.phase() == Phase::Lobby { 0 } else { state.round() + 1 };
    Some(ScreenBreak {
        timer: ScreenTimer { remaining_ms: millis(ms), running: true },
        text: text.unwrap_or_default().to_owned(),
        next: round_at(state, next),
    })
}

/// Nothing where no joker can be played and none was, and in a huge game.
fn jokers(state: &State) -> Option<ScreenJokers> {
    let is_stated = state.quiz().has_jokers() && state.phase() != Phase::Ended && is_room_listed(state);
    let playable = state.joker_round();
    let of_play = (state.phase() != Phase::Lobby).then(|| count(state.round()));
    let round = playable.or(of_play).filter(|_| is_stated)?;
    let played = state.lobby().filter(|player| player.joker == Some(round)).count();
    (playable.is_some() || played > 0).then(|| ScreenJokers { round: round + 1, played: count(played) })
}

/// In the review, the answer that was revealed last; once the scores are out, the slide that the host has turned to.
fn show(state: &State) -> Option<ScreenShow> {
    match state.phase() {
        Phase::RoundReview => state.revealed().last().and_then(|revealed| revealed_show(state, revealed.question)),
        Phase::Leaderboard | Phase::Ended => slides::shown(state),
        Phase::Lobby | Phase::Question => None,
    }
}

/// The number of right answers is not sent before the scores are out.
fn revealed_show(state: &State, question: &Question) -> Option<ScreenShow> {
    let shown = answer_shown(state, question)?;
    let is_of_one_choice = state.revealed().any(|of| of.question.id == question.id && !of.tally.is_empty());
    let choices = shown.choices.into_iter().map(|mut choice| {
        choice.taken = if is_of_one_choice { choice.taken } else { 0 };
        choice
    });
    Some(ScreenShow::Question(Box::new(ShownAnswer { choices: choices.collect(), right: None, ..shown })))
}
