//! An owner with timers: what it states and when, and how an expiry is decided after the commands before it.

use std::time::Duration;

use quizhall_engine::{OwnerEffect, OwnerInput, Participant, Time};
use quizhall_rules::{Command, CommandId, Expiry, TimeLeft};

use crate::desk::{Desk, kinds};
use crate::stage::{as_player, question, submit};

const HOST: u64 = 1;
const ANN: u64 = 2;

impl Desk {
    /// Question 1 is open with this many seconds left, and player 1 has a socket.
    fn timed(seconds: u64) -> (Self, u64, u64) {
        let mut desk = Self::asking();
        let host = desk.attach(HOST + 10, Participant::Host);
        let ann = desk.attach(ANN, as_player(1));
        desk.settle();
        desk.host_says(host, 1, set(seconds));
        assert_eq!(desk.settle().map(|row| kinds(&row)), Some(vec!["timer_set"]));
        (desk, host, ann)
    }

    fn host_says(&mut self, session: u64, number: u64, command: Command) {
        self.command(HOST + 10, Participant::Host, (CommandId { session, number }, command));
    }

    /// Lets time pass as in a running process: the owner is woken whenever it has asked for it.
    fn pass(&mut self, seconds: f64) -> Vec<OwnerEffect> {
        let end = self.now + Duration::from_secs_f64(seconds);
        let mut effects = Vec::new();
        while self.now < end {
            self.now = self.owner.next_deadline().max(self.now + Duration::from_millis(1)).min(end);
            self.step(OwnerInput::Tick);
            effects.extend(self.taken());
            self.settle();
        }
        effects
    }

    fn now_ms(&self) -> u128 {
        self.now.as_millis()
    }
}

fn set(seconds: u64) -> Command {
    Command::SetTimer(TimeLeft { question: Some(question(1)), ms: seconds * 1_000 })
}

fn queued(effects: &[OwnerEffect]) -> Vec<Expiry> {
    let expiry = |effect: &OwnerEffect| match effect {
        OwnerEffect::Queue(expiry) => Some(*expiry),
        _ => None,
    };
    effects.iter().filter_map(expiry).collect()
}

#[test]
fn a_question_closes_a_second_after_its_time_and_behind_what_came_before() {
    let (mut desk, _, ann) = Desk::timed(10);
    assert_eq!(queued(&desk.pass(10.9)), [], "the grace is not over");
    let expiries = queued(&desk.pass(0.2));
    let [expiry] = expiries[..] else { panic!("not one expiry: {expiries:?}") };
    // An answer that reached the inbox before the expiry.
    desk.command(ANN, as_player(1), (CommandId { session: ann, number: 1 }, submit(1, "key1")));
    desk.step(OwnerInput::Expired(expiry));
    // And an answer after it.
    desk.command(ANN, as_player(1), (CommandId { session: ann, number: 2 }, submit(1, "late")));
    assert_eq!(desk.settle().map(|row| kinds(&row)), Some(vec!["answered", "question_closed"]));
    desk.step(OwnerInput::Expired(expiry));
    assert_eq!(desk.settle(), None, "it closes once");
}

#[test]
fn an_expiry_that_was_lost_is_given_again() {
    let (mut desk, ..) = Desk::timed(5);
    let first = queued(&desk.pass(6.1));
    assert_eq!(queued(&desk.pass(4.0)), [], "it may still be waiting");
    assert_eq!(queued(&desk.pass(2.0)), first);
}

#[test]
fn the_time_left_is_stated_every_five_seconds() {
    let (mut desk, ..) = Desk::timed(12);
    let begun = desk.now_ms();
    let mut marks = Vec::new();
    while desk.now_ms() < begun + 11_000 {
        desk.now += Duration::from_millis(100);
        desk.step(OwnerInput::Tick).taken();
        marks.extend(desk.settle().filter(|row| kinds(row) == ["timer_mark"]).map(|_| desk.now_ms() - begun));
    }
    assert_eq!(marks, [5_000, 10_000]);
}

#[test]
fn a_game_without_timers_has_no_such_deadlines() {
    let mut desk = Desk::asking();
    let effects = desk.pass(60.0);
    assert!(queued(&effects).is_empty());
    assert!(!effects.iter().any(|effect| matches!(effect, OwnerEffect::Append(_))), "nothing was stored");
}

#[test]
fn the_time_that_a_process_slept_does_not_count() {
    let (mut desk, ..) = Desk::timed(10);
    desk.pass(4.0);
    desk.now += Duration::from_secs(100);
    desk.step(OwnerInput::Tick);
    assert_eq!(queued(&desk.taken()), []);
    desk.settle();
    assert_eq!(queued(&desk.pass(6.5)), [], "six seconds were left");
    assert_eq!(queued(&desk.pass(1.0)).len(), 1);
}

#[test]
fn an_owner_that_lets_go_of_its_game_closes_nothing_more() {
    let (mut desk, ..) = Desk::timed(5);
    let expiry = queued(&desk.pass(6.1))[0];
    desk.step(OwnerInput::Retire { to: None });
    desk.step(OwnerInput::Expired(expiry));
    desk.flush();
    assert!(!desk.taken().iter().any(|effect| matches!(effect, OwnerEffect::Append(_))));
    assert!(desk.owner.next_deadline() > Time::ZERO);
}
