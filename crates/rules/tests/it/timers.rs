//! Timers: what starts them, which expiry still counts, and that their time falls only while a process holds the state. What closes
//! with them is in `against_model.rs`.

use quizhall_rules::{
    Actor, Change, Command, Event, Expiry, LONGEST_TIMER, Moment, Phase, Question, QuestionId, Quiz, Round, State,
    TimeLeft, TimerLength,
};
use uuid::Uuid;

use crate::stage::{Game, question, release, text_question};

fn quiz_on_time() -> Quiz {
    let first = Question { time_limit: Some(20), ..text_question(1, 100) };
    let round = Round { time_limit: Some(60), ..Round::new("On time", vec![first, text_question(2, 100)]) };
    Quiz { title: "Timed".to_owned(), rounds: vec![round, Round::new("Later", vec![text_question(3, 100)])] }
}

/// A game with a clock: questions 1 and 2 with limits of 20 s and none, in a round with a limit of 60 s. The round has just begun,
/// and Ann is in the game.
fn timed() -> Game {
    let mut game = Game::new(quiz_on_time());
    game.now = Moment(1_000_000);
    game.joins(1, "Ann");
    game.host(Command::StartGame);
    game
}

impl Game {
    /// Milliseconds left: of the round, of question 1 and of question 2.
    fn left(&self) -> [Option<u64>; 3] {
        let all: Vec<_> = self.state.timers(self.now).collect();
        let of = |question: Option<QuestionId>| all.iter().find(|left| left.question == question).map(|left| left.ms);
        [of(None), of(Some(question(1))), of(Some(question(2)))]
    }

    fn expiries(&self) -> Vec<(u64, Option<QuestionId>)> {
        let mut all: Vec<_> = self.state.expiries().map(|(at, expiry)| (at.0 - 1_000_000, expiry.question)).collect();
        all.sort_unstable();
        all
    }

    fn expiry_of(&self, question: Option<QuestionId>) -> Expiry {
        self.state.expiries().map(|(_, expiry)| expiry).find(|expiry| expiry.question == question).unwrap()
    }
}

fn set(number: Option<u8>, ms: u64) -> Command {
    Command::SetTimer(TimeLeft { question: number.map(question), ms })
}

fn more(number: Option<u8>, ms: u64) -> Command {
    Command::AddTime(TimeLeft { question: number.map(question), ms })
}

#[test]
fn limits_of_the_quiz_start_timers_that_fall_with_the_clock() {
    let mut game = timed();
    assert_eq!(game.left(), [Some(60_000), None, None]);
    game.now.0 += 7_000;
    game.host(release(1));
    game.host(release(2));
    assert_eq!(game.left(), [Some(53_000), Some(20_000), None]);
    assert_eq!(game.expiries(), [(28_000, Some(question(1))), (61_000, None)], "a second of grace after each");
    game.now.0 += 30_000;
    assert_eq!(game.left(), [Some(23_000), Some(0), None]);
    game.host(Command::EndRound);
    assert_eq!((game.left(), game.expiries()), ([None; 3], Vec::new()));
}

#[test]
fn an_expiry_is_void_once_the_host_has_changed_the_timer() {
    let (set, more) = (set(Some(1), 9_000), more(Some(1), 1_000));
    let changes = [
        &[set][..],
        &[more],
        &[Command::HoldTimers { held: true }],
        &[Command::HoldTimers { held: true }, Command::HoldTimers { held: false }],
    ];
    for commands in changes {
        let mut game = timed();
        game.host(release(1));
        let expiry = game.expiry_of(Some(question(1)));
        for command in commands {
            game.must(Actor::Host, command);
        }
        assert_eq!(game.ask(Actor::Service, &Command::Expire(expiry)), Ok(None), "{commands:?}");
    }
    let mut game = timed();
    game.host(release(1));
    let expiry = game.expiry_of(Some(question(1)));
    game.now.0 += 5_000;
    game.must(Actor::Service, &Command::MarkTimers);
    assert!(game.must(Actor::Service, &Command::Expire(expiry)).kind() == "question_closed", "a mark changes nothing");
}

#[test]
fn the_expiry_of_one_round_never_ends_another() {
    let mut game = timed();
    let expiry = game.expiry_of(None);
    for step in [Command::EndRound, Command::ReleaseScores, Command::StartNextRound, set(None, 5_000)] {
        game.host(step);
    }
    assert_eq!(game.ask(Actor::Service, &Command::Expire(expiry)), Ok(None));
    assert_eq!(game.state.phase(), Phase::Question);
}

#[test]
fn the_host_sets_adds_holds_and_resumes() {
    let mut game = timed();
    game.host(release(1));
    game.host(release(2));
    game.now.0 += 4_000;
    assert_eq!(
        game.host(set(Some(2), 45_000)),
        Change::TimerSet(TimeLeft { question: Some(question(2)), ms: 45_000 }.into())
    );
    assert_eq!(
        game.host(more(Some(1), 10_000)),
        Change::TimerSet(TimerLength { left: TimeLeft { question: Some(question(1)), ms: 26_000 }, of: Some(30_000) })
    );
    game.host(Command::HoldTimers { held: true });
    game.now.0 += 3_600_000;
    assert_eq!(game.left(), [Some(56_000), Some(26_000), Some(45_000)], "no time passes while they are held");
    assert_eq!((game.expiries(), game.state.next_mark(game.now)), (Vec::new(), None));
    game.host(set(None, 70_000));
    game.host(Command::HoldTimers { held: false });
    game.now.0 += 1_000;
    assert_eq!(game.left(), [Some(69_000), Some(25_000), Some(44_000)]);
}

#[test]
fn a_timer_has_an_hour_left_at_most() {
    let mut game = timed();
    game.host(set(None, u64::MAX));
    assert_eq!(game.left()[0], Some(LONGEST_TIMER));
    assert_eq!(game.ask(Actor::Host, &more(None, 1)), Ok(None));
    game.now.0 += 500;
    game.host(more(None, 600_000));
    assert_eq!(game.left()[0], Some(LONGEST_TIMER));
}

#[test]
fn marks_state_what_runs_and_are_due_five_seconds_after_the_last_statement() {
    let mut game = timed();
    game.host(set(None, 12_000));
    assert_eq!(game.state.next_mark(game.now), Some(Moment(game.now.0 + 5_000)));
    game.now.0 += 5_000;
    let left = vec![TimeLeft { question: None, ms: 7_000 }];
    assert_eq!(game.must(Actor::Service, &Command::MarkTimers), Change::TimerMark { left, step: None });
    game.now.0 += 5_000;
    game.must(Actor::Service, &Command::MarkTimers);
    assert_eq!((game.left()[0], game.state.next_mark(game.now)), (Some(2_000), None), "it ends before the next one");
    game.now.0 += 2_000;
    assert_eq!(game.ask(Actor::Service, &Command::MarkTimers), Ok(None), "nothing is left to state");
}

#[test]
fn a_new_owner_continues_from_the_last_mark_with_at_least_five_seconds() {
    let claimed = Event::new(Change::Claimed { epoch: 1, node: Uuid::nil() }, None);
    for (passed, expected) in [(14_000, 46_000), (59_000, 5_000)] {
        let mut game = timed();
        for _ in 0..passed / 1_000 {
            game.now.0 += 1_000;
            if game.state.next_mark(game.now).is_some_and(|mark| mark <= game.now) {
                game.must(Actor::Service, &Command::MarkTimers);
            }
        }
        let marked = game.state.timers(Moment::default()).next().unwrap().ms;
        assert!(marked >= 60_000 - passed && marked < 65_000 - passed, "{marked}");
        game.log.push(claimed.clone());
        let mut read = State::replay(&game.log[..game.log.len() - 1]).unwrap();
        read.apply_at(&claimed, Moment(77));
        let after = read.timers(Moment(77)).next().unwrap().ms;
        assert_eq!(after, marked.max(expected.min(5_000)));
        game.state.apply_at(&claimed, game.now);
        assert_eq!(read, game.state, "a replica that kept counting agrees");
    }
}

#[test]
fn held_timers_are_not_raised_by_a_new_owner() {
    let mut game = timed();
    game.now.0 += 58_000;
    game.host(Command::HoldTimers { held: true });
    let claimed = Event::new(Change::Claimed { epoch: 1, node: Uuid::nil() }, None);
    game.state.apply_at(&claimed, Moment(game.now.0 + 9_000));
    assert_eq!(game.left()[0], Some(2_000));
}

#[test]
fn a_state_that_was_read_counts_from_when_it_was_read() {
    let mut game = timed();
    game.now.0 += 5_000;
    let mut read = State::replay(&game.log).unwrap();
    read.restart_timers(Moment(900));
    assert_eq!(read.timers(Moment(1_000)).next().unwrap().ms, 59_900);
    read.delay_timers(10_000);
    assert_eq!(read.timers(Moment(11_000)).next().unwrap().ms, 59_900, "the time that a process slept does not count");
}

#[test]
fn a_snapshot_keeps_timers_and_a_game_without_them_is_stored_as_before() {
    let mut game = timed();
    game.host(release(1));
    let expiry = game.expiry_of(Some(question(1)));
    game.must(Actor::Service, &Command::Expire(expiry));
    let body = serde_json::to_string(&game.state).unwrap();
    let read: State = serde_json::from_str(&body).unwrap();
    assert!(read == game.state && !read.is_open(question(1)));
    let plain = Game::in_phase(Phase::Question);
    let body = serde_json::to_string(&plain.state).unwrap();
    assert!(!body.contains("timer") && !body.contains("closed\":true"), "{body}");
}

#[test]
fn a_closed_game_has_no_timers() {
    let mut game = timed();
    game.must(Actor::Service, &Command::Close);
    assert_eq!((game.expiries(), game.state.next_mark(game.now)), (Vec::new(), None));
}
