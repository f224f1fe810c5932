//! The content of a results link, as JSON and as CSV: the released rounds, the standings unless they are held back, and
//! nothing that the screen has yet to show.
//!
//! Called by `results_link`. Pure: reads a state and knows no requests.

use std::collections::HashMap;

use quizhall_engine::wire::options;
use quizhall_protocol::http::shared_results::{OwnAnswer, SharedQuestion, SharedResults, SharedRound, SharedStanding};
use quizhall_rules::{PastAnswer, Phase, PlayerId, Question, Standing, State, TokenHash};

use super::formula::harmless;
use super::table::new_file;
use crate::clock;

/// The columns of every file. New columns are added only at the end.
const HEADER: [&str; 11] = [
    "rank",
    "displayName",
    "score",
    "round",
    "roundTitle",
    "question",
    "type",
    "correctAnswer",
    "right",
    "players",
    "line",
];

/// Collects what a results link shows of a game in this state, including the answers of the player with the token
/// `player`.
pub fn collect(state: &State, player: Option<&TokenHash>) -> SharedResults {
    let you = player.and_then(|token| state.player_by_token(token));
    let held = state.are_standings_held();
    SharedResults {
        game_id: state.game().uuid(),
        title: state.quiz().title.clone(),
        created_at: clock::rfc3339(state.created_at_ms()),
        ended: state.phase() == Phase::Ended,
        standings_held: held.then_some(true),
        you: you.map(|player| player.display_name.as_str().to_owned()),
        standings: if held { Vec::new() } else { state.board().standings.iter().map(standing).collect() },
        rounds: rounds(state, you.map(|player| player.id)),
        proof: false,
        replay: false,
    }
}

/// The scored rounds with the number of right answers, without a round whose scores have not been shown on phones yet.
/// They come first: a round is played only after the previous one is scored.
fn rounds(state: &State, you: Option<PlayerId>) -> Vec<SharedRound> {
    let mut places = HashMap::new();
    let mut rounds = Vec::new();
    for round in (0..=state.round()).take_while(|round| state.is_scored(*round) && !state.are_scores_waiting(*round)) {
        let mut questions = Vec::new();
        for (asked, players) in state.asked_in(round) {
            places.insert((round, asked.id), questions.len());
            questions.push(question(state, (asked, players), you.is_some()));
        }
        let title = state.quiz().rounds.get(round).map(|round| round.title.clone()).unwrap_or_default();
        let section = state.section(round).as_ref().map(options::section);
        let your_adjustments = you.and_then(|player| given(state, player, round));
        rounds.push(SharedRound { number: count(round + 1), title, section, questions, your_adjustments });
    }
    for past in state.all_answers() {
        let place = places.get(&(past.round, past.question.id));
        let Some(shared) = place.and_then(|place| rounds.get_mut(past.round)?.questions.get_mut(*place)) else {
            continue;
        };
        shared.right += u32::from(past.answer.correct());
        if you == Some(past.player.id) {
            shared.yours = Some(own(&past));
        }
    }
    rounds
}

fn question(state: &State, (question, players): (&Question, usize), has_own: bool) -> SharedQuestion {
    SharedQuestion {
        text: question.text.clone(),
        kind: question.kind.into(),
        correct_answer: question.shown_key(),
        points: question.points,
        players: count(players),
        right: 0,
        yours: has_own.then(|| OwnAnswer { answer: String::new(), correct: false, points: 0 }),
        explanation: question.explanation.clone(),
        corrected: state.is_corrected(question.id),
        withdrawn: state.is_withdrawn(question.id),
    }
}

/// The points by hand of a player in a round; none when there were none. The reasons are between the host and the player's phone.
fn given(state: &State, player: PlayerId, round: usize) -> Option<i64> {
    let mut given = state.player(player)?.adjustments_in(round).map(|one| i64::from(one.points)).peekable();
    given.peek().is_some().then(|| given.sum())
}

fn own(past: &PastAnswer<'_>) -> OwnAnswer {
    OwnAnswer {
        answer: past.answer.text.as_ref().to_owned(),
        correct: past.answer.correct(),
        points: past.earned.points,
    }
}

fn standing(standing: &Standing) -> SharedStanding {
    SharedStanding { rank: standing.place, display_name: standing.display_name.to_string(), score: standing.score }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The results as CSV: a line per player, then a line per question.
pub fn table(results: &SharedResults) -> Option<Vec<u8>> {
    let mut file = new_file();
    write(&mut file, results).ok()?;
    file.into_inner().ok()
}

fn write(file: &mut csv::Writer<Vec<u8>>, results: &SharedResults) -> csv::Result<()> {
    file.write_record(HEADER)?;
    for SharedStanding { rank, display_name, score } in &results.standings {
        let mut cells = [const { String::new() }; HEADER.len()];
        [cells[0], cells[1], cells[2]] = [rank.to_string(), harmless(display_name), score.to_string()];
        "standing".clone_into(&mut cells[HEADER.len() - 1]);
        file.write_record(cells)?;
    }
    for round in &results.rounds {
        for question in &round.questions {
            let text = [&round.title, &question.text, &question.kind.to_string(), &question.correct_answer];
            let [title, text, kind, answer] = text.map(|cell| harmless(cell));
            let [number, right, players] =
                [round.number, question.right, question.players].map(|cell| cell.to_string());
            let none = String::new;
            let line = "question".to_owned();
            file.write_record([none(), none(), none(), number, title, text, kind, answer, right, players, line])?;
        }
    }
    Ok(())
}
