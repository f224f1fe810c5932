//! The board: the players on it, their order, ranks and scores.

use std::time::Instant;

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use quizhall_rules::{Change, Command, Device, DisplayName, Event, Phase, PlayerId, State, TokenHash};
use uuid::Uuid;

use crate::stage::{Game, created, player, question, quiz, release};

fn line(name: &str, score: i64, round_score: i64, rank: u32) -> (String, i64, i64, u32) {
    (name.into(), score, round_score, rank)
}

#[test]
fn equal_scores_share_a_rank_and_stand_by_name() {
    let mut game = Game::new(quiz(1, 2));
    for (number, name) in [(1, "Dora"), (2, "Cleo"), (3, "Bob"), (4, "Ann"), (5, "Eve")] {
        game.joins(number, name);
    }
    game.host(Command::StartGame);
    for number in [1, 2] {
        game.host(release(number));
    }
    for (who, number) in [(1, 1), (2, 1), (3, 2), (3, 1), (5, 1)] {
        game.answers(who, number, "right");
    }
    assert!(game.board().is_empty(), "no scores are released yet");
    for step in [Command::EndRound, Command::ReleaseScores] {
        game.host(step);
    }
    let expected = [
        line("Bob", 300, 300, 1),
        line("Cleo", 100, 100, 2),
        line("Dora", 100, 100, 2),
        line("Eve", 100, 100, 2),
        line("Ann", 0, 0, 5),
    ];
    assert_eq!(game.board(), expected);
    assert_eq!(game.state.board().standing_of(player(5)).unwrap().rank, 2);
    assert!(game.state.board().standing_of(player(6)).is_none());
}

#[test]
fn scores_add_up_over_rounds_and_count_only_when_released() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    assert_eq!(game.board(), [line("Ann", 100, 100, 1), line("Bob", 0, 0, 2)]);
    game.host(Command::StartNextRound);
    game.host(release(3));
    game.answers(2, 3, "right");
    game.host(Command::EndRound);
    assert_eq!(
        game.board(),
        [line("Ann", 100, 100, 1), line("Bob", 0, 0, 2)],
        "the scores of the second round are not released"
    );
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), [line("Bob", 300, 300, 1), line("Ann", 100, 0, 2)]);
    game.host(Command::EndGame);
    assert_eq!(game.board(), [line("Bob", 300, 300, 1), line("Ann", 100, 0, 2)]);
}

#[test]
fn a_player_who_left_is_listed_only_with_an_answer() {
    let mut game = Game::of_two();
    game.service(Command::Leave { player: player(1), device: Device::FIRST });
    game.service(Command::Leave { player: player(2), device: Device::FIRST });
    game.host(Command::StartGame);
    game.host(release(1));
    game.answers(2, 1, "wrong");
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), [line("Bob", 0, 0, 1)]);
}

#[test]
fn the_end_lists_who_came_since_the_last_release() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.joins(3, "Cleo");
    assert_eq!(game.board().len(), 2);
    game.host(Command::EndGame);
    assert_eq!(game.board(), [line("Ann", 100, 100, 1), line("Bob", 0, 0, 2), line("Cleo", 0, 0, 2)]);
}

#[test]
fn a_removed_player_leaves_the_board_and_the_rest_moves_up() {
    for phase in [Phase::Leaderboard, Phase::Ended] {
        let mut game = Game::in_phase(phase);
        game.service(Command::Remove { player: player(1) });
        assert_eq!(game.board(), [line("Bob", 0, 0, 1)]);
        assert!(game.state.board().standing_of(player(1)).is_none());
        assert_eq!(game.state.board().standing_of(player(2)).unwrap().rank, 1);
    }
}

/// A game in review, in which each player has the given points; question `n` is worth `n * 100`.
fn scored(points: &[Vec<bool>]) -> State {
    let questions = points.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut state = State::created(&created(quiz(1, u8::try_from(questions).unwrap())));
    let mut apply = |change| state.apply(&Event::new(change, None));
    for at in 0..points.len() {
        apply(joined(at));
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

fn joined(at: usize) -> Change {
    let mut token = [0; 32];
    token[..8].copy_from_slice(&at.to_le_bytes());
    let display_name = DisplayName::parse(&format!("P {at}")).unwrap();
    Change::Joined { player: id(at), display_name, token: TokenHash(token), idempotency: None, team: None }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Standard competition ranking: the rank is one more than the number of players with more points.
    #[test]
    fn ranks_follow_scores(points in prop::collection::vec(prop::collection::vec(any::<bool>(), 0..4), 0..40)) {
        let mut state = scored(&points);
        let totals: Vec<i64> = (0..points.len()).map(|at| state.results_of(id(at)).round_total).collect();
        state.apply(&Event::new(Change::ScoresReleased { held: false }, None));
        let standings = &state.board().standings;
        assert_eq!(standings.len(), points.len());
        for standing in standings.iter() {
            let better = totals.iter().filter(|total| **total > standing.score).count();
            assert_eq!(standing.rank as usize, better + 1);
            assert_eq!(state.board().standing_of(standing.player), Some(standing));
        }
        for (at, total) in totals.iter().enumerate() {
            assert_eq!(state.board().standing_of(id(at)).unwrap().score, *total);
        }
        let is_taken = |rank: &u32| standings.iter().any(|standing| standing.place == *rank && standing.score > 0);
        assert_eq!(state.podium(), (1..=3).filter(is_taken).collect::<Vec<u32>>());
        let in_order = |pair: &[quizhall_rules::Standing]| {
            pair[0].rank < pair[1].rank
                || pair[0].rank == pair[1].rank && pair[0].display_name < pair[1].display_name
        };
        assert!(standings.windows(2).all(in_order));
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
