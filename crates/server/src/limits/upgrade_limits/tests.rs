//! Unit tests of `limits::upgrade_limits`.

#![allow(clippy::unwrap_used)]
use quizhall_rules::PlayerId;
use uuid::Uuid;

use super::*;
use crate::config::Config;
use quizhall_engine::{Participant, Seat};

fn allowances(settings: &[(&str, &str)]) -> UpgradeLimits {
    UpgradeLimits::new(&Config::from_pairs(settings).unwrap().sockets)
}

fn player_of(game: u128, player: u128) -> ParticipantKey {
    let seat = Seat::Participant(Participant::Player(PlayerId::from(Uuid::from_u128(player))).into());
    ParticipantKey { game: GameId::from(Uuid::from_u128(game)), seat }
}

const NOW: Duration = Duration::from_secs(100);

#[test]
fn one_game_leaves_the_others_their_part() {
    let allowances = allowances(&[("UPGRADES_PER_SECOND", "40"), ("UPGRADES_PER_SECOND_PER_GAME", "20")]);
    let now = Moment::NEVER.plus(NOW);
    let many: Vec<_> = (0..100).map(|player| allowances.admit(player_of(1, player), now)).collect();
    // The game's clock advances while this runs, and the process's does not.
    let admitted = many.iter().filter(|result| result.is_ok()).count();
    assert!((20..30).contains(&admitted), "{admitted}");
    assert!(many.contains(&Err(NotNow::Game)));
    for player in 0..10 {
        assert_eq!(allowances.admit(player_of(2, player), now), Ok(()), "player {player} of the other game");
    }
}

#[test]
fn one_player_is_stopped_before_it_costs_its_game_anything() {
    let allowances = allowances(&[("UPGRADES_PER_SECOND_PER_GAME", "20"), ("RECONNECTS_PER_SEAT", "6")]);
    let now = Moment::NEVER.plus(NOW);
    let flapping = (0..1_000).filter(|_| allowances.admit(player_of(1, 1), now).is_ok()).count();
    assert_eq!(flapping, 6);
    for player in 2..16 {
        assert_eq!(allowances.admit(player_of(1, player), now), Ok(()), "player {player} of the same game");
    }
}

#[test]
fn the_process_comes_last() {
    let allowances = allowances(&[("UPGRADES_PER_SECOND", "5")]);
    let now = Moment::NEVER.plus(NOW);
    let results: Vec<_> = (0..6).map(|game| allowances.admit(player_of(game, 1), now)).collect();
    assert_eq!(results[5], Err(NotNow::Process));
    assert!(results[..5].iter().all(Result::is_ok));
}

#[test]
fn refused_tokens_are_counted_by_address() {
    let allowances = allowances(&[]);
    let (one, same, other) = ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1");
    let answered = (0..1_000).filter(|_| allowances.refuse(one.parse().unwrap())).count();
    assert!((100..150).contains(&answered), "{answered}: a burst of 100, and what comes back meanwhile");
    assert_eq!(allowances.before_read(same.parse().unwrap()), BRAKE, "the same /64");
    assert_eq!(allowances.before_read(other.parse().unwrap()), Duration::ZERO);
    assert!(allowances.refuse(other.parse().unwrap()));
}
