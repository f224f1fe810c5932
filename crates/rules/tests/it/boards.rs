//! The board: the order, ranks and places of its lines. Which players are on it with which scores is in `against_model.rs`.

use std::time::Instant;

use proptest::prelude::*;
use quizhall_rules::{Change, Device, DisplayName, Event, PlayerId, State, TokenHash};
use uuid::Uuid;

use crate::stage::{created, question, quiz};

/// A game in review, in which each player has the given points; question `n` is worth `n * 100`.
fn scored(points: &[Vec<bool>]) -> State {
    let questions = points.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut state = State::created(&created(quiz(1, u8::try_from(questions).unwrap())));
    let mut apply = |change| state.apply(&Event::new(change, None));
    for at in 0..points.len() {
        apply(joined(at, &format!("P {at}")));
    }
    apply(Change::Started);
    for number in 1..=questions {
        apply(Change::QuestionReleased { question: question(u8::try_from(number).unwrap()) });
    }
    for (at, row) in points.iter().enumerate() {
        for (number, correct) in (1..).zip(row) {
            let (answer, correct, near_miss) = (String::from("?"), *correct, false);
            apply(Change::Answered {
                player: id(at),
                question: question(number),
                answer: answer.into(),
                correct,
                near_miss,
                partial: 0,
                elapsed: None,
                device: Device::FIRST,
            });
        }
    }
    apply(Change::RoundEnded);
    state
}

fn id(at: usize) -> PlayerId {
    Uuid::from_u128(at as u128 + 1).into()
}

fn joined(at: usize, name: &str) -> Change {
    let mut token = [0; 32];
    token[..8].copy_from_slice(&at.to_le_bytes());
    let display_name = DisplayName::parse(name).unwrap();
    Change::Joined { player: id(at), display_name, token: TokenHash(token), idempotency: None, team: None }
}

/// A player of a random board: the name, the score, and the places in up to two tie-breaks, 0 in one without the player.
type Drawn = (String, i64, Vec<u32>);

/// Names that begin alike for none, some or many bytes, also within a character.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[abé]{1,3}", "[aé]{9}[abé]{0,3}", "Team (der Kneipe )?[éê]{1,3}"]
}

/// Few scores, so that many are equal, and some that are too far apart for a key of the order.
fn drawn() -> impl Strategy<Value = Drawn> {
    let score = prop_oneof![-2_i64..3, prop::sample::select(vec![-5_000_000_000, 5_000_000_000])];
    (name(), score, prop::collection::vec(0_u32..3, 2))
}

/// The board of these players, with their tie-breaks if there are any.
fn board_of(players: &[Drawn], tied: bool) -> State {
    let mut state = State::created(&created(quiz(1, 1)));
    let mut apply = |change| state.apply(&Event::new(change, None));
    for (at, (name, ..)) in players.iter().enumerate() {
        apply(joined(at, name));
    }
    apply(Change::Started);
    for (at, (_, score, _)) in players.iter().enumerate() {
        let mut left = *score;
        while left != 0 {
            let points = i32::try_from(left.clamp(i32::MIN.into(), i32::MAX.into())).unwrap();
            left -= i64::from(points);
            apply(Change::PointsAdjusted { player: id(at), round: 0, points, reason: None });
        }
    }
    apply(Change::RoundEnded);
    apply(Change::ScoresReleased { held: false });
    for tie in (0..2).filter(|_| tied) {
        let asked = (0..).zip(players).filter(|(_, player)| player.2[tie] > 0);
        let places: Vec<_> = asked.map(|(at, player)| (id(at), player.2[tie])).collect();
        let asked = places.iter().map(|place| place.0).collect();
        apply(Change::TieBreakStarted { players: asked, text: "How many?".into(), answer: 1 });
        apply(Change::TieBreakEnded { places });
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    /// Lines are in order of score, places in tie-breaks and name. A rank is one more than the number of players with more points, and
    /// a place counts those as well whom a tie-break put before.
    #[test]
    fn order_ranks_and_places_follow_scores_tie_breaks_and_names(
        players in prop::collection::vec(drawn(), 0..40),
        tied: bool,
    ) {
        let state = board_of(&players, tied);
        let rank_of = |place: &u32| if tied && *place > 0 { *place } else { u32::MAX };
        let by_score = |(_, score, places): &Drawn| (-score, places.iter().map(rank_of).collect::<Vec<_>>());
        let mut lines: Vec<usize> = (0..players.len()).collect();
        lines.sort_by_key(|at| (by_score(&players[*at]), players[*at].0.clone(), id(*at)));
        let expected = lines.iter().map(|at| {
            let better = players.iter().filter(|other| other.1 > players[*at].1).count();
            let before = players.iter().filter(|other| by_score(other) < by_score(&players[*at])).count();
            (id(*at), players[*at].1, better + 1, before + 1)
        });
        let standings = &state.board().standings;
        let shown = standings.iter().map(|line| (line.player, line.score, line.rank as usize, line.place as usize));
        prop_assert_eq!(shown.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        prop_assert!(standings.iter().all(|line| state.board().standing_of(line.player) == Some(line)));
        let is_taken = |place: &u32| standings.iter().any(|line| line.place == *place && line.score > 0);
        prop_assert_eq!(state.podium(), (1..=3).filter(is_taken).collect::<Vec<u32>>());
    }
}

/// The bound is loose, for slow machines; it fails when the algorithm becomes quadratic.
#[test]
fn a_board_of_twenty_thousand_is_quick() {
    let rows: Vec<Vec<bool>> =
        (0..20_000_u64).map(|at| (0..10).map(|bit| ((at * 7919) >> bit) & 1 == 1).collect()).collect();
    let mut state = scored(&rows);
    let start = Instant::now();
    state.apply(&Event::new(Change::ScoresReleased { held: false }, None));
    let took = start.elapsed();
    assert_eq!(state.board().standings.len(), 20_000);
    assert!(took.as_millis() < 1_000, "took {took:?}");
    eprintln!("a board of 20,000 players and 10 questions: {took:?}");
}
