//! The slides that screens show step by step once the scores are out: each question with its answer, then the standings or, after
//! the last round, the podium. The host turns the slides; until then the first one is shown.
//!
//! The rules define the sequence of the slides (`showing/slides.rs`); this file only defines the content of each.

use quizhall_protocol::http::screens::{self, SlideKind};
use quizhall_protocol::slides::{
    ScreenName, ScreenPlace, ScreenRow, ScreenShow, ShownAnswer, ShownChoice, ShownPodium, ShownShare, ShownStandings,
    ShownWinner,
};
use quizhall_protocol::to_all::TallyEntry;
use quizhall_rules::{PAGE, Phase, Question, QuestionKind, Slide, Standing, State};

use super::count;
use super::outgoing::released_media;
use super::screen::{entries, round_at, tally_of};
use super::ties::{tie_break_status, tie_breaks};

/// The slide that is shown now; none where there is nothing to show. An open tie-break comes before any slide.
pub(super) fn shown(state: &State) -> Option<ScreenShow> {
    match state.open_tie_break().map_or_else(|| state.slide(), |_| Slide::TieBreak) {
        Slide::Question(index) => {
            let question = state.released().nth(usize::try_from(index).ok()?)?;
            answer_shown(state, question).map(Box::new).map(ScreenShow::Question)
        }
        Slide::Standings(page) => standings(state, usize::try_from(page).ok()?).map(ScreenShow::Standings),
        Slide::Next => round_at(state, state.round() + 1).map(ScreenShow::Next),
        Slide::Podium(seen) => Some(ScreenShow::Podium(podium(state, usize::try_from(seen).ok()?))),
        Slide::Winner => places(state).into_iter().next().map(|place| ScreenShow::Winner(ShownWinner { place })),
        Slide::TieBreak => tie_breaks(state).last().map(|last| ScreenShow::TieBreak(tie_break_status(state, last))),
    }
}

/// A slide as the host names it.
pub fn described(slide: Slide) -> screens::Slide {
    let (kind, at) = match slide {
        Slide::Question(at) => (SlideKind::Question, at),
        Slide::Standings(at) => (SlideKind::Standings, at),
        Slide::Next => (SlideKind::Next, 0),
        Slide::Podium(at) => (SlideKind::Podium, at),
        Slide::Winner => (SlideKind::Winner, 0),
        Slide::TieBreak => (SlideKind::TieBreak, 0),
    };
    screens::Slide { kind, at }
}

/// A released question of the round with its answer.
pub(super) fn answer_shown(state: &State, question: &Question) -> Option<ShownAnswer> {
    let place = state.released().position(|released| released.id == question.id)?;
    let taken = state.taken(question);
    let choice = |(text, taken): (&String, u32)| ShownChoice {
        text: text.clone(),
        right: question.accepted.iter().any(|key| key.trim() == text.trim()),
        taken,
    };
    // In the right order the letters are those of the phones. The counts of single choices would have no meaning.
    let listed = question.kind != QuestionKind::Order;
    let choices: Vec<_> = question.choices.iter().zip(taken).filter(|_| listed).map(choice).collect();
    let key = question.shown_key();
    Some(ShownAnswer {
        number: count(place + 1),
        of: count(state.released().count()),
        text: question.text.clone(),
        answer: if listed { key.replace('\n', ", ") } else { key },
        tally: (!question.kind.is_marked()).then(|| tally_of(question, counts(state, question, &choices))),
        choices,
        right: question.kind.is_marked().then(|| share(state, question)),
        explanation: question.explanation.clone().unwrap_or_default(),
        media: released_media(state, question),
    })
}

/// For a poll, how often each choice was taken; for a word cloud, the words that the host has shown.
fn counts(state: &State, question: &Question, choices: &[ShownChoice]) -> Vec<TallyEntry> {
    if question.kind == QuestionKind::Poll {
        return choices.iter().map(|choice| TallyEntry { answer: choice.text.clone(), count: choice.taken }).collect();
    }
    let shown = state.tally().filter(|tally| tally.question == question.id);
    shown.map_or_else(Vec::new, |tally| entries(&tally.entries))
}

fn share(state: &State, question: &Question) -> ShownShare {
    let of = state.asked_in(state.round()).find(|(asked, _)| asked.id == question.id).map_or(0, |(_, of)| of);
    ShownShare { count: count(state.right_answers(question.id)), of: count(of) }
}

fn standings(state: &State, page: usize) -> Option<ShownStandings> {
    let all = &state.board().standings;
    let rows = all.chunks(PAGE).nth(page)?;
    let is_over = state.phase() == Phase::Ended;
    let row = |standing: &Standing| ScreenRow {
        player_id: standing.player.uuid(),
        display_name: standing.display_name.to_string(),
        score: standing.score,
        rank: standing.place,
        round_score: (!is_over).then_some(standing.round_score),
        previous_rank: (!is_over && state.round() > 0).then(|| rank_before(all, standing)),
    };
    Some(ShownStandings {
        rows: rows.iter().map(row).collect(),
        page: count(page + 1),
        pages: count(all.len().div_ceil(PAGE)),
    })
}

/// The rank without the points of the last round.
fn rank_before(all: &[Standing], of: &Standing) -> u32 {
    let before = |standing: &Standing| standing.score - standing.round_score;
    count(1 + all.iter().filter(|other| before(other) > before(of)).count())
}

fn podium(state: &State, seen: usize) -> ShownPodium {
    let mut places = places(state);
    let whole = seen >= places.len();
    ShownPodium { places: places.split_off(places.len().saturating_sub(seen)), whole }
}

/// The places of the podium with their players, best first.
fn places(state: &State) -> Vec<ScreenPlace> {
    let holders = |rank| state.board().standings.iter().filter(move |row| row.place == rank && row.score > 0);
    let place = |rank| {
        let names: Vec<_> = holders(rank)
            .map(|row| ScreenName { player_id: row.player.uuid(), display_name: row.display_name.to_string() })
            .collect();
        let score = holders(rank).next()?.score;
        Some(ScreenPlace { rank, score, names })
    };
    state.podium().iter().copied().filter_map(place).collect()
}
