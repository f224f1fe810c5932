//! How often sockets may be opened: by a participant, in a game, and in the process.

use std::time::Duration;

use quizhall::config::Config;
use quizhall::limits::{NotNow, ParticipantKey, TooMany, UpgradeLimits};
use quizhall::moment::Moment;
use quizhall_engine::{Participant, Seat};
use quizhall_rules::{GameId, PlayerId};
use uuid::Uuid;

/// Limits of games and of the process that no test here reaches.
const WIDE: [(&str, &str); 2] = [("UPGRADES_PER_SECOND", "1000000"), ("UPGRADES_PER_SECOND_PER_GAME", "1000000")];
/// More participants than are remembered.
const MANY: u128 = 300_000;

fn limits(settings: &[(&str, &str)]) -> UpgradeLimits {
    UpgradeLimits::new(&Config::from_pairs(settings).unwrap().sockets)
}

fn key_of(game: u128, participant: Participant) -> ParticipantKey {
    ParticipantKey { game: GameId::from(Uuid::from_u128(game)), seat: Seat::Participant(participant.into()) }
}

fn player_of(game: u128, player: u128) -> ParticipantKey {
    key_of(game, Participant::Player(PlayerId::from(Uuid::from_u128(player))))
}

fn player(number: u128) -> ParticipantKey {
    player_of(1, number)
}

fn at(seconds: f64) -> Moment {
    Moment::NEVER.plus(Duration::from_secs(1_000)).plus(Duration::from_secs_f64(seconds))
}

/// The refusal of a participant that opens too many sockets.
fn refusal(limits: &UpgradeLimits, key: ParticipantKey, now: Moment) -> Option<TooMany> {
    match limits.admit(key, now) {
        Ok(()) => None,
        Err(NotNow::Participant(refused)) => Some(refused),
        Err(other) => panic!("{other:?}"),
    }
}

/// How many of 1,000 attempts at the same moment are allowed.
fn let_in(limits: &UpgradeLimits, key: ParticipantKey, now: Moment) -> usize {
    (0..1_000).filter(|_| limits.admit(key, now).is_ok()).count()
}

#[test]
fn one_game_leaves_the_others_their_part() {
    let limits = limits(&[("UPGRADES_PER_SECOND", "40"), ("UPGRADES_PER_SECOND_PER_GAME", "20")]);
    let many: Vec<_> = (0..100).map(|player| limits.admit(player_of(1, player), at(0.0))).collect();
    // The game's clock advances while this runs, and the process's does not.
    let admitted = many.iter().filter(|result| result.is_ok()).count();
    assert!((20..30).contains(&admitted), "{admitted}");
    assert!(many.contains(&Err(NotNow::Game)));
    for player in 0..10 {
        assert_eq!(limits.admit(player_of(2, player), at(0.0)), Ok(()), "player {player} of the other game");
    }
}

#[test]
fn one_player_is_stopped_before_it_costs_its_game_anything_and_the_process_comes_last() {
    let narrow = limits(&[("UPGRADES_PER_SECOND_PER_GAME", "20")]);
    assert_eq!(let_in(&narrow, player(1), at(0.0)), 6);
    for other in 2..16 {
        assert_eq!(narrow.admit(player(other), at(0.0)), Ok(()), "player {other} of the same game");
    }
    let process = limits(&[("UPGRADES_PER_SECOND", "5")]);
    let results = [0, 1, 2, 3, 4, 5].map(|game| process.admit(player_of(game, 1), at(0.0)));
    assert_eq!(results, [Ok(()), Ok(()), Ok(()), Ok(()), Ok(()), Err(NotNow::Process)]);
}

#[test]
fn refused_tokens_are_counted_by_address() {
    let limits = limits(&[]);
    let [one, same, other] = ["2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"].map(|text| text.parse().unwrap());
    let answered = (0..1_000).filter(|_| limits.refuse(one)).count();
    assert!((100..150).contains(&answered), "{answered}: a burst of 100, and what comes back meanwhile");
    assert_eq!(limits.before_read(same), Duration::from_millis(250), "the same /64");
    assert_eq!(limits.before_read(other), Duration::ZERO);
    assert!(limits.refuse(other));
}

#[test]
fn six_in_ten_seconds_for_a_player_and_thirty_for_a_host() {
    let limits = limits(&WIDE);
    for _ in 0..1_000 {
        assert_eq!(limits.admit(player(1), at(0.0)), Ok(()));
        limits.give_back(player(1));
    }
    assert_eq!(let_in(&limits, player(1), at(0.0)), 6, "sockets that were given back do not count");
    assert_eq!(let_in(&limits, player(2), at(0.0)), 6, "another player has an allowance of its own");
    assert_eq!(let_in(&limits, key_of(1, Participant::Host), at(0.0)), 30);
    assert_eq!(let_in(&limits, player(1), at(60.0)), 6);
    for second in (60..660_u32).step_by(2) {
        assert_eq!(limits.admit(player(3), at(second.into())), Ok(()), "a reload now and then, second {second}");
    }
}

#[test]
fn the_wait_doubles_up_to_thirty_seconds_and_begins_anew_after_a_quiet_minute() {
    let limits = limits(&WIDE);
    // Four attempts a second for two minutes.
    let attempts = (0..480_u32).map(|quarter| refusal(&limits, player(1), at(f64::from(quarter) / 4.0)));
    let attempts: Vec<_> = attempts.map(|refused| refused.map(|refused| refused.retry)).collect();
    let mut windows: Vec<_> = attempts.iter().flatten().collect();
    windows.dedup();
    assert_eq!(windows, [&(2, 4), &(4, 8), &(8, 16), &(15, 30)]);
    let opened = attempts.iter().filter(|refused| refused.is_none()).count();
    assert!(opened <= 60, "{opened} sockets in two minutes of attempts");
    assert_eq!(let_in(&limits, player(1), at(400.0)), 6);
    assert_eq!(refusal(&limits, player(1), at(400.0)).unwrap().retry, (2, 4));
}

#[test]
fn participants_are_forgotten_and_never_more_than_the_bound() {
    let limits = limits(&WIDE);
    for number in 0..MANY {
        assert_eq!(limits.admit(player(number), at(0.0)), Ok(()));
    }
    assert_eq!(let_in(&limits, player(0), at(0.0)), 5);
    assert_eq!(let_in(&limits, player(MANY), at(0.0)), 1_000, "there is no room to count a newcomer");
    assert_eq!(let_in(&limits, player(MANY), at(100.0)), 6, "those that did not come back were forgotten");
}
