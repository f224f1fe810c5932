//! Points by hand: what undoing them restores, and that the rounds of a player add up to the score. In which round they count is in
//! `against_model.rs`.

use proptest::prelude::*;
use quizhall_rules::{Actor, Command, Erasure, Phase, Refusal, State, erase};

use crate::stage::{Game, adjust, correct_marks, player, quiz, release, undo_adjustment};

/// Two rounds with jokers, streaks, minus points and half points; Ann, Bob and Cleo, and Ann has played her joker.
fn colourful() -> Game {
    let mut quiz = quiz(2, 2);
    for round in &mut quiz.rounds {
        (round.streaks, round.joker, round.wrong_points, round.half_points) = (true, true, -10, true);
    }
    let mut game = Game::new(quiz);
    for (number, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo")] {
        game.joins(number, name);
    }
    game.must(Actor::Player(player(1)), &Command::PlayJoker);
    game.host(Command::StartGame);
    game
}

fn totals(game: &Game) -> Vec<i64> {
    (1..=3).map(|number| game.state.results_of(player(number)).round_total).collect()
}

#[test]
fn too_many_are_refused() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(adjust(player(2), 1));
    game.host(Command::Remove { player: player(2) });
    assert!(game.state.adjustments().is_empty(), "the player is not on the board any more");
    for number in 2..=500 {
        game.host(adjust(player(1), 1));
        game.host(undo_adjustment(number));
        assert_eq!(game.ask(Actor::Host, &undo_adjustment(number)), Ok(None));
    }
    assert_eq!(game.ask(Actor::Host, &adjust(player(1), 1)), Err(Refusal::TooManyAdjustments));
    assert_eq!(game.board()[0].1, 100);
}

#[test]
fn ids_are_those_of_the_game_and_of_no_player_on_paper() {
    let mut game = Game::in_phase(Phase::Question);
    let reason = Some("Best name".into());
    game.host(Command::AdjustPoints { player: player(1), points: 5, reason });
    game.host(adjust(player(2), 6));
    let listed = game.state.adjustments();
    let ids: Vec<_> = listed.iter().map(|(_, one)| game.state.id_of(one).uuid()).collect();
    assert!(ids[0] != ids[1] && ids.iter().all(|id| id.get_version_num() == 8));
    let seats = (0..3).map(|seat| quizhall_rules::PlayerId::on_paper(game.state.game(), seat).uuid());
    assert!(seats.into_iter().all(|seat| !ids.contains(&seat)));
    assert_eq!(listed[0].1.reason.as_deref(), Some("Best name"));
    assert!(!format!("{:?} {:?}", game.state.players().collect::<Vec<_>>(), game.log).contains("Best name"));
}

#[test]
fn erasing_a_player_removes_the_reasons_and_keeps_the_points() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    for (who, reason) in [(1, "canary"), (2, "kept")] {
        let reason = Some(reason.into());
        game.host(Command::AdjustPoints { player: player(who), points: 5, reason });
    }
    for answers in [false, true] {
        let mut log = game.log.clone();
        erase(&mut log, Erasure { player: player(1), answers }).unwrap();
        let text = serde_json::to_string(&log).unwrap();
        assert!(!text.contains("canary") && text.contains("kept"));
        let scores = |state: &State| state.players().map(quizhall_rules::Player::score).collect::<Vec<_>>();
        assert_eq!(scores(&State::replay(&log).unwrap()), scores(&game.state));
    }
}

/// What a host does in a random game: points for a player, undoing the points with a number, a corrected mark, or the next step.
#[derive(Clone, Debug)]
enum Deed {
    Give(u8, i32),
    Undo(u32),
    Correct(u8, bool),
    Step,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (1..=4_u8, -1_000_000..=1_000_000_i32).prop_map(|(who, points)| Deed::Give(who, points)),
        2 => (1..=12_u32).prop_map(Deed::Undo),
        1 => (1..=4_u8, any::<bool>()).prop_map(|(asked, correct)| Deed::Correct(asked, correct)),
        3 => Just(Deed::Step),
    ]
}

/// Releases a question of the round, which most players answer, then ends the round, releases its scores, and begins the next.
fn step(game: &mut Game) {
    let next = u8::try_from(game.state.round() * 2 + game.state.released().count() + 1).unwrap();
    match game.state.phase() {
        Phase::Question if game.state.released().count() < 2 => {
            game.host(release(next));
            for who in (1..=3).filter(|who| *who != next) {
                game.answers(who, next, ["right", "wrong", "rigth"][usize::from(who + next) % 3]);
            }
        }
        Phase::Question => drop(game.host(Command::EndRound)),
        Phase::RoundReview => drop(game.host(Command::ReleaseOwnScores)),
        Phase::Leaderboard if game.state.has_next_round() => drop(game.host(Command::StartNextRound)),
        Phase::Leaderboard => drop(game.ask(Actor::Host, &Command::ShowStandings)),
        Phase::Lobby | Phase::Ended => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 700, ..ProptestConfig::default() })]

    #[test]
    fn rounds_add_up_to_the_score_and_undoing_all_restores_the_game(deeds in proptest::collection::vec(deed(), 1..40)) {
        let (mut game, mut bare) = (colourful(), colourful());
        for deed in &deeds {
            match deed {
                Deed::Give(who, points) => drop(game.ask(Actor::Host, &adjust(player(*who), *points))),
                Deed::Undo(number) => drop(game.ask(Actor::Host, &undo_adjustment(*number))),
                Deed::Correct(asked, correct) => {
                    let command = correct_marks(*asked, &["wrong"], *correct);
                    prop_assert_eq!(game.ask(Actor::Host, &command).is_ok(), bare.ask(Actor::Host, &command).is_ok());
                }
                Deed::Step => {
                    step(&mut game);
                    step(&mut bare);
                }
            }
            let out = (0..2).filter(|round| game.state.is_scored(*round)).count();
            for standing in game.state.board().standings.iter() {
                let earned = game.state.all_answers().filter(|past| past.scored && past.player.id == standing.player);
                let earned: i64 = earned.map(|past| i64::from(past.earned.points)).sum();
                let given = game.state.player(standing.player).unwrap().adjustments().iter();
                let given: i64 = given.filter(|one| (one.round as usize) < out).map(|one| i64::from(one.points)).sum();
                prop_assert_eq!(earned + given, standing.score);
                if game.state.phase() == Phase::Leaderboard {
                    prop_assert_eq!(game.state.results_of(standing.player).round_total, standing.round_score);
                }
            }
            prop_assert!(State::replay(&game.log).unwrap() == game.state);
        }
        let text = serde_json::to_string(&game.state).unwrap();
        prop_assert!(serde_json::from_str::<State>(&text).unwrap() == game.state);
        for number in 1..=u32::try_from(game.log.len()).unwrap() {
            game.ask(Actor::Host, &undo_adjustment(number)).unwrap();
        }
        prop_assert_eq!(game.board(), bare.board());
        prop_assert_eq!(totals(&game), totals(&bare));
        let scores = |game: &Game| game.state.players().map(quizhall_rules::Player::score).collect::<Vec<_>>();
        prop_assert_eq!(scores(&game), scores(&bare));
    }
}
