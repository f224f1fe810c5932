//! Breaks: what time they have left, and when an expiry ends one. When there is one, and which steps end it, is in `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Moment, Phase, State};

use crate::stage::Game;

fn start(seconds: u64) -> Command {
    Command::StartBreak { ms: seconds * 1_000, text: Some("Drinks".to_owned()) }
}

fn left(game: &Game) -> Option<u64> {
    game.state.break_left(game.now).map(|(ms, _)| ms)
}

/// The expiry that the owner finds due now, and its change.
fn expires(game: &mut Game) -> Option<Change> {
    let due = game.state.expiries().find(|(at, _)| *at <= game.now).map(|(_, expiry)| expiry)?;
    game.ask(Actor::Service, &Command::Expire(due)).unwrap().map(|event| event.change)
}

#[test]
fn a_break_ends_by_itself_when_its_time_is_over() {
    for phase in [Phase::Lobby, Phase::RoundReview, Phase::Leaderboard] {
        let mut game = Game::in_phase(phase);
        game.host(start(20));
        assert_eq!(game.state.break_left(Moment(8_000)), Some((12_000, Some("Drinks"))));
        game.now = Moment(19_999);
        assert_eq!((expires(&mut game), left(&game)), (None, Some(1)));
        game.now = Moment(20_000);
        assert_eq!((expires(&mut game), left(&game)), (Some(Change::BreakEnded), None));
        assert_eq!(game.state.phase(), phase, "the game is in the same phase");
        assert!(game.state.expiries().next().is_none() && game.state.next_mark(game.now).is_none());
    }
}

/// An expiry of a break that was replaced or ended must close nothing: neither the next break nor a round with a timer.
#[test]
fn an_expiry_of_an_earlier_break_does_nothing() {
    let mut game = Game::in_phase(Phase::Lobby);
    game.host(start(5));
    let (_, stale) = game.state.expiries().next().unwrap();
    game.host(start(30));
    assert_eq!(game.ask(Actor::Service, &Command::Expire(stale)), Ok(None));
    assert_eq!(left(&game), Some(30_000));
    game.host(Command::StartGame);
    game.host(Command::SetTimer(quizhall_rules::TimeLeft { question: None, ms: 5_000 }));
    assert_eq!(game.ask(Actor::Service, &Command::Expire(stale)), Ok(None));
    assert_eq!(game.state.phase(), Phase::Question);
}

#[test]
fn the_time_left_is_stated_and_a_new_owner_continues_from_there() {
    let mut game = Game::in_phase(Phase::Leaderboard);
    game.host(start(60));
    assert_eq!(game.state.next_mark(game.now), Some(Moment(5_000)));
    assert_eq!(game.state.next_mark(Moment(3_600_000)), None, "an owner that wakes after its end states nothing");
    game.now = Moment(5_000);
    assert_eq!(game.service(Command::MarkTimers), Change::BreakMark { ms: 55_000 });
    let mut read = State::replay(&game.log).unwrap();
    read.restart_timers(Moment(900));
    assert_eq!(read.break_left(Moment(1_900)), Some((54_000, Some("Drinks"))));
    read.delay_timers(10_000);
    assert_eq!(read.break_left(Moment(11_900)), Some((54_000, Some("Drinks"))), "a sleep costs nothing");
}

#[test]
fn a_new_owner_leaves_at_least_five_seconds() {
    for (seconds, expected) in [(5, 5_000), (60, 57_000)] {
        let mut game = Game::in_phase(Phase::Lobby);
        game.host(start(seconds));
        game.now = Moment(3_000);
        let marked = Change::BreakMark { ms: seconds * 1_000 - 3_000 };
        let claimed = Change::Claimed { epoch: 1, node: uuid::Uuid::nil() };
        for change in [marked, claimed] {
            game.state.apply_at(&quizhall_rules::Event::new(change, None), game.now);
        }
        assert_eq!(left(&game), Some(expected));
    }
}
