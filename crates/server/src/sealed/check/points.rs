//! Points, scores, ranks and places, from how the answers count.

use std::cmp::Reverse;

use quizhall_protocol::http::proof::{Counts, PlayedRound, ProofEntry};
use quizhall_rules::QuestionKind;

use super::course::{Asked, Course, Given, WRONG};

/// The bonus of each further right answer of a streak, and the largest, in percent of the points of the question.
const STEP: u32 = 10;
const MOST: u32 = 50;

/// The streak of a player: how many right answers in a row, and the number of the question of the last.
#[derive(Clone, Copy, Default)]
struct Streak {
    length: u32,
    last: u32,
}

/// The board of the game as it is, in the order of the file.
pub(super) fn board(course: &Course<'_>) -> Vec<ProofEntry> {
    let (scores, last) = totals(course);
    let is_listed = |at: &usize| {
        let player = &course.players[*at];
        !player.removed && (player.present || player.answered || !player.by_hand.is_empty())
    };
    let mut listed: Vec<usize> = (0..course.joined).filter(is_listed).collect();
    // Players who were asked in a tie-break come before the others.
    let longest = listed.iter().map(|at| course.players[*at].ties.len()).max().unwrap_or_default();
    let ties = |at: usize| -> Vec<u32> {
        let ties = &course.players[at].ties;
        (0..longest).map(|number| ties.get(number).copied().unwrap_or(u32::MAX)).collect()
    };
    listed.sort_by_key(|at| (Reverse(scores[*at]), ties(*at)));
    let (mut rank, mut place, mut above) = (0, 0, None);
    let mut entries = Vec::with_capacity(listed.len());
    for (number, at) in (1..).zip(listed) {
        let of_player = (scores[at], ties(at));
        if above.as_ref().is_none_or(|(score, _)| *score != of_player.0) {
            rank = number;
        }
        if above.as_ref() != Some(&of_player) {
            place = number;
        }
        above = Some(of_player);
        let player = u32::try_from(at + 1).unwrap_or(u32::MAX);
        entries.push(ProofEntry { player, score: scores[at], round_score: last[at], rank, place });
    }
    entries.sort_unstable_by_key(|entry| (entry.place, entry.player));
    entries
}

/// Compares the board with that of the file.
pub(super) fn compare(computed: &[ProofEntry], said: &[ProofEntry]) -> Result<(), String> {
    if computed.len() != said.len() {
        return Err(format!("the board has {} lines, and the file says {}.", computed.len(), said.len()));
    }
    let Some((ours, theirs)) = computed.iter().zip(said).find(|(ours, theirs)| ours != theirs) else { return Ok(()) };
    let line = |entry: &ProofEntry| {
        let ProofEntry { player, score, round_score, rank, place } = entry;
        format!("player {player} with {score} points, {round_score} of the round, rank {rank} and place {place}")
    };
    Err(format!("the board has {}, and the file says {}.", line(ours), line(theirs)))
}

/// The points of all scored rounds and of the last of them, by player.
fn totals(course: &Course<'_>) -> (Vec<i64>, Vec<i64>) {
    let (mut scores, mut last) = (vec![0; course.players.len()], vec![0; course.players.len()]);
    let (mut streaks, mut number) = (vec![Streak::default(); course.players.len()], 0);
    for (at, round) in course.proof.rounds.iter().enumerate().take(course.scored) {
        let goes_on = round.streaks && at > 0 && course.proof.rounds[at - 1].section == round.section;
        if !goes_on {
            streaks.fill(Streak::default());
            number = 0;
        }
        last.fill(0);
        for asked in course.released[at].iter().map(|place| &course.questions[*place]) {
            number += u32::from(asked.question.kind.is_marked() && !asked.withdrawn);
            for (player, given) in asked.answers.iter().filter(|_| !asked.withdrawn) {
                let doubles =
                    round.joker && course.players[*player].joker.is_some_and(|joker| joker as usize == at + 1);
                let earned = Place { round, asked, number }.earned(given, &mut streaks[*player]);
                last[*player] += if doubles { 2 * earned } else { earned };
            }
        }
        for (last, player) in last.iter_mut().zip(&course.players) {
            let of_round = player.by_hand.iter().filter(|given| given.round as usize == at + 1);
            *last += of_round.map(|given| i64::from(given.points)).sum::<i64>();
        }
        scores.iter_mut().zip(&last).for_each(|(score, last)| *score += last);
    }
    (scores, last)
}

/// A question of a round, with its number among those that are marked.
struct Place<'a> {
    round: &'a PlayedRound,
    asked: &'a Asked,
    number: u32,
}

impl Place<'_> {
    /// What one answer earns, without a joker.
    fn earned(&self, given: &Given, streak: &mut Streak) -> i64 {
        let Self { round, asked, number } = *self;
        let kind = asked.question.kind;
        let counts = given.counts();
        let can_be_wrong = kind.is_marked() && kind != QuestionKind::Nearest && given.text.as_deref() != Some("");
        if counts == WRONG && can_be_wrong {
            return round.wrong_points.into();
        }
        let Counts { correct, points } = counts;
        if !correct {
            return i64::from(points) + speed(asked, given, points);
        }
        streak.length = if round.streaks && streak.last + 1 == number { streak.length + 1 } else { 1 };
        streak.last = number;
        let full = asked.question.points;
        let percent = ((streak.length - 1) * STEP).min(MOST);
        i64::from(full) + i64::from(full) * i64::from(percent) / 100 + speed(asked, given, full)
    }
}

/// The share of the points that equals the share of the time that was left, rounded to the nearest point.
fn speed(asked: &Asked, given: &Given, points: u32) -> i64 {
    let (Some(elapsed), Some(seconds)) = (given.elapsed_ms, asked.time_limit) else { return 0 };
    let limit = i64::from(seconds) * 1_000 * i64::from(given.time_percent) / 100;
    if limit == 0 {
        return 0;
    }
    let left = (limit - i64::from(elapsed)).max(0);
    (2 * i64::from(points) * left + limit) / (2 * limit)
}
