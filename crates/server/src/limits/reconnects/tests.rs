//! Unit tests of `limits::reconnects`.

use quizhall_rules::PlayerId;
use uuid::Uuid;

use quizhall_engine::Participant;

use super::*;

fn player(number: u128) -> ParticipantKey {
    let seat = Seat::Participant(Participant::Player(PlayerId::from(Uuid::from_u128(number))).into());
    ParticipantKey { game: GameId::from(Uuid::from_u128(1)), seat }
}

fn at(seconds: f64) -> Moment {
    Moment::NEVER.plus(Duration::from_secs(1_000)).plus(Duration::from_secs_f64(seconds))
}

/// How many of 1,000 attempts at the same moment are allowed.
fn let_in(reconnects: &Reconnects, key: ParticipantKey, now: Moment) -> usize {
    (0..1_000).filter(|_| reconnects.open(key, now).is_ok()).count()
}

#[test]
fn a_socket_that_was_given_back_does_not_count() {
    let reconnects = Reconnects::new(6);
    for _ in 0..1_000 {
        assert_eq!(reconnects.open(player(1), at(0.0)), Ok(()));
        reconnects.give_back(player(1));
    }
    assert_eq!(let_in(&reconnects, player(1), at(0.0)), 6);
}

#[test]
fn six_in_ten_seconds_for_a_player_and_thirty_for_a_host() {
    let reconnects = Reconnects::new(6);
    assert_eq!(let_in(&reconnects, player(1), at(0.0)), 6);
    assert_eq!(let_in(&reconnects, player(2), at(0.0)), 6, "another player has an allowance of its own");
    assert_eq!(
        let_in(&reconnects, ParticipantKey { seat: Seat::Participant(Participant::Host.into()), ..player(1) }, at(0.0)),
        30
    );
    assert_eq!(let_in(&reconnects, player(1), at(60.0)), 6);
}

#[test]
fn a_reload_now_and_then_is_never_refused() {
    let reconnects = Reconnects::new(6);
    for second in 0..600_u32 {
        if second % 2 == 0 {
            assert_eq!(reconnects.open(player(1), at(second.into())), Ok(()), "second {second}");
        }
    }
}

#[test]
fn the_wait_doubles_up_to_thirty_seconds_and_begins_anew_after_a_quiet_minute() {
    let reconnects = Reconnects::new(6);
    let (mut windows, mut opened) = (Vec::new(), 0);
    // Four attempts a second for two minutes.
    for quarter in 0..480_u32 {
        match reconnects.open(player(1), at(f64::from(quarter) / 4.0)) {
            Ok(()) => opened += 1,
            Err(refused) if windows.last() != Some(&refused.retry) => windows.push(refused.retry),
            Err(_) => {}
        }
    }
    assert_eq!(windows, [(2, 4), (4, 8), (8, 16), (15, 30)]);
    assert!(opened <= 60, "{opened} sockets in two minutes of attempts");
    assert_eq!(let_in(&reconnects, player(1), at(400.0)), 6);
    assert_eq!(reconnects.open(player(1), at(400.0)).map_err(|refused| refused.retry), Err((2, 4)));
}

#[test]
fn who_ignores_the_close_is_refused_without_one() {
    let reconnects = Reconnects::new(6);
    let answers: Vec<_> = (0..100).filter_map(|_| reconnects.open(player(1), at(0.0)).err()).collect();
    assert_eq!(answers.len(), 94);
    assert_eq!(answers.iter().filter(|refused| refused.by_close).count(), 6);
}

#[test]
fn participants_are_forgotten_and_never_more_than_the_bound() {
    let reconnects = Reconnects::new(6);
    let known = |reconnects: &Reconnects| -> usize {
        reconnects.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    };
    for number in 0..400_000 {
        assert_eq!(reconnects.open(player(number), at(0.0)), Ok(()));
    }
    assert_eq!(known(&reconnects), SHARDS * MOST_PARTICIPANTS);
    for number in 0..10_000 {
        assert_eq!(reconnects.open(player(1_000_000 + number), at(100.0)), Ok(()));
    }
    assert!(known(&reconnects) <= 10_000, "{}", known(&reconnects));
}
