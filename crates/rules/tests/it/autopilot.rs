//! The autopilot: a round that runs by itself, what stops it, and how its steps continue under a new owner.

use quizhall_rules::{
    Actor, AutopilotPlan, AutopilotStep, Change, Command, CommandId, Event, Phase, Question, QuestionKind, Quiz, Round,
    Setting, Slide, State, Step, TimeLeft,
};
use uuid::Uuid;

use crate::stage::{Game, mark_all, player, question, release, text_question};

/// An autopilot that ends with its round, as logs of earlier versions have it.
const OF_ROUND: AutopilotPlan = AutopilotPlan { to_the_end: false, ..PLAN };
const PLAN: AutopilotPlan = AutopilotPlan { hold_without_host: false, ..crate::changes::PLAN };

/// A game with a clock, which has begun: question 1 has a limit of 20 s, question 2 is a poll, question 3 has no limit.
fn begun() -> Game {
    let first = Question { time_limit: Some(20), ..text_question(1, 100) };
    let choices = vec!["red".to_owned(), "blue".to_owned()];
    let poll = Question { kind: QuestionKind::Poll, choices, accepted: Vec::new(), ..text_question(2, 0) };
    let rounds = vec![
        Round::new("Piloted", vec![first, poll, text_question(3, 100)]),
        Round::new("Later", vec![text_question(4, 100)]),
    ];
    let mut game = Game::new(Quiz { title: "Piloted".to_owned(), rounds });
    game.joins(1, "Ann");
    game.service(Command::HostReturn);
    game.acts(Command::StartGame);
    game
}

/// The autopilot runs and has released question 1.
fn with_autopilot(plan: AutopilotPlan) -> Game {
    let mut game = begun();
    game.acts(Command::SetAutopilot(Some(plan)));
    assert_eq!(game.run(), Change::QuestionReleased { question: question(1) });
    game
}

impl Game {
    /// A command with an id, as a host sends it: the autopilot's own steps have none.
    #[expect(clippy::needless_pass_by_value, reason = "reads better at every call")]
    fn acts(&mut self, command: Command) -> Change {
        let id = CommandId { session: 1, number: self.log.len() as u64 };
        self.decided_with_id(Actor::Host, Some(id), &command).unwrap().expect("the command changes something").change
    }

    fn next(&self) -> Option<(AutopilotStep, u64)> {
        self.state.autopilot_step(self.now)
    }
}

#[test]
fn a_round_runs_by_itself_to_its_end() {
    let mut game = with_autopilot(PLAN);
    let start = game.now.0;
    assert_eq!(game.next(), None, "a question is open");
    assert_eq!(game.run(), Change::QuestionClosed { question: question(1) });
    assert_eq!(game.now.0 - start, 21_000, "the question's own limit, and the grace");
    assert_eq!(game.next(), Some((released(2), 10_000)));
    assert_eq!(game.run(), Change::QuestionReleased { question: question(2) });
    game.answers(1, 2, "red");
    assert_eq!(game.run(), Change::QuestionClosed { question: question(2) });
    assert_eq!(game.now.0 - start, 21_000 + 10_000 + 31_000, "the limit of the autopilot's plan");
    assert_eq!(game.next(), Some((AutopilotStep::Tally(question(2)), 0)));
    assert_eq!(game.run(), Change::TallyShown { question: question(2), hidden: Vec::new() });
    assert_eq!(game.state.tally().map(|tally| tally.entries[0].count), Some(1));
    assert_eq!(game.next(), Some((released(3), 18_000)), "the tally, then the break");
    game.run();
    assert_eq!(game.run(), Change::QuestionClosed { question: question(3) });
    assert_eq!(game.next(), Some((AutopilotStep::Next(Step::EndRound), 10_000)));
    assert_eq!(game.run(), Change::RoundEnded);
    assert_eq!((game.state.phase(), game.state.autopilot()), (Phase::RoundReview, Some(PLAN)));
}

#[test]
fn an_autopilot_of_an_earlier_log_ends_with_its_round() {
    let mut game = with_autopilot(OF_ROUND);
    while game.state.phase() == Phase::Question {
        game.run();
    }
    assert_eq!((game.state.phase(), game.state.autopilot()), (Phase::RoundReview, None), "marking is left to the host");
    assert_eq!(game.state.expiries().count(), 0);
    let set: Event = serde_json::from_str(
        r#"{"c":{"t":"autopilot_set","plan":{"answer_for":30,"reveal_for":8,"break_for":10,"hold_without_host":false}}}"#,
    )
    .expect("an event of an earlier version");
    assert_eq!(set.change, Change::AutopilotSet { plan: Some(OF_ROUND) });
}

/// Runs to the end; returns each step with the seconds before it.
fn run_out(game: &mut Game) -> Vec<(u64, Change)> {
    let mut steps = Vec::new();
    while game.state.autopilot().is_some() {
        let before = game.now.0;
        let change = game.run();
        steps.push(((game.now.0 - before) / 1_000, change));
    }
    steps
}

#[test]
fn a_game_runs_by_itself_to_its_end() {
    let mut game = with_autopilot(AutopilotPlan { standings_for: Some(20), ..PLAN });
    while game.state.phase() == Phase::Question {
        game.run();
    }
    let (held, question) = (false, question(4));
    let rest = [
        (10, Change::ScoresReleased { held }),
        (20, Change::NextRoundStarted),
        (10, Change::QuestionReleased { question }),
        (31, Change::QuestionClosed { question }),
        (10, Change::RoundEnded),
        (10, Change::ScoresReleased { held }),
        (20, Change::Ended),
    ];
    assert_eq!(run_out(&mut game), rest);
    assert_eq!((game.state.autopilot(), game.state.expiries().count()), (None, 0));
}

#[test]
fn with_a_screen_every_picture_is_shown_for_its_time() {
    let mut game = with_autopilot(AutopilotPlan { standings_for: Some(20), ..PLAN });
    game.acts(Command::AddScreen(crate::screens::added(1).into()));
    game.answers(1, 1, "right");
    let slide = |change: &Change| match change {
        Change::Set(Setting::Screens(shown)) => shown.slide,
        _ => None,
    };
    let pictures: Vec<_> =
        run_out(&mut game).iter().filter_map(|(after, change)| Some((*after, slide(change)?))).collect();
    let of_first = [Slide::Question(1), Slide::Question(2), Slide::Standings(0)].map(|slide| (8, slide));
    let of_last = [(8, Slide::Winner), (20, Slide::Standings(0))];
    assert_eq!(pictures, [&of_first[..], &of_last].concat());
}

#[test]
fn scores_wait_for_the_host_to_decide_unless_the_plan_says_otherwise() {
    for hold_for_marking in [None, Some(true), Some(false)] {
        let mut game = with_autopilot(AutopilotPlan { hold_for_marking, ..PLAN });
        game.answers(1, 1, "rihgt");
        while game.state.phase() == Phase::Question {
            game.run();
        }
        let waits = hold_for_marking != Some(false);
        assert_eq!(game.state.is_autopilot_held(), waits);
        if waits {
            let (at, expiry) = game.next_expiry();
            game.now.0 = at.0 + 60_000;
            assert_eq!(game.ask(Actor::Service, &Command::Expire(expiry)), Ok(None));
            game.acts(mark_all(1, &["rihgt"], false));
            assert_eq!(game.state.autopilot().map(|plan| plan.hold_for_marking), Some(hold_for_marking), "it goes on");
        }
        assert_eq!(game.run(), Change::ScoresReleased { held: false });
    }
}

#[test]
fn a_press_goes_one_step_ahead_and_the_autopilot_goes_on() {
    let mut game = with_autopilot(PLAN);
    let press = |game: &mut Game| {
        let number = game.state.step_number();
        game.acts(Command::Next { number })
    };
    assert_eq!(press(&mut game), Change::QuestionReleased { question: question(2) });
    assert_eq!(press(&mut game), Change::QuestionReleased { question: question(3) });
    assert_eq!(press(&mut game), Change::RoundEnded);
    assert_eq!(game.next(), Some((AutopilotStep::Next(Step::ReleaseScores), 10_000)));
    assert_eq!(game.run(), Change::ScoresReleased { held: false });
    game.acts(Command::SetAutopilot(None));
    assert_eq!(game.state.expiries().count(), 0);
    game.acts(Command::SetAutopilot(Some(PLAN)));
    assert_eq!(game.next(), Some((AutopilotStep::Next(Step::StartNextRound), 8_000)), "it starts between rounds too");
    game.acts(Command::StartNextRound);
    assert_eq!(game.state.autopilot(), None, "any other command stops it");
}

fn released(number: u8) -> AutopilotStep {
    AutopilotStep::Next(Step::ReleaseQuestion(question(number)))
}

#[test]
fn the_host_takes_over_with_any_command_about_the_course() {
    let add = Command::AddTime(TimeLeft { question: Some(question(1)), ms: 5_000 });
    let of_course = [release(3), add, Command::HoldTimers { held: true }, Command::EndRound];
    for command in of_course.iter().chain([&Command::SetAutopilot(None)]) {
        let mut game = with_autopilot(PLAN);
        game.acts(command.clone());
        assert_eq!(game.state.autopilot(), None, "{command:?}");
    }
    let others = [Command::Set(Setting::Locked(true)), Command::Remove { player: player(1) }];
    for command in others {
        let mut game = with_autopilot(PLAN);
        game.acts(command.clone());
        assert_eq!(game.state.autopilot(), Some(PLAN), "{command:?}");
    }
    let mut game = with_autopilot(PLAN);
    assert_eq!(game.ask(Actor::Host, &release(1)), Ok(None), "it is open already");
    assert_eq!(game.state.autopilot(), Some(PLAN));
    game.acts(release(3));
    assert_eq!(
        game.state.timers(game.now).count(),
        1,
        "a question that the host releases has only the limit of the quiz"
    );
}

#[test]
fn a_step_is_void_once_the_host_has_acted() {
    let mut game = with_autopilot(PLAN);
    game.run();
    let (_, step) = game.next_expiry();
    assert!(step.is_step);
    game.acts(Command::SetAutopilot(None));
    assert_eq!(game.ask(Actor::Service, &Command::Expire(step)), Ok(None));
    game.acts(Command::SetAutopilot(Some(PLAN)));
    assert_eq!(game.ask(Actor::Service, &Command::Expire(step)), Ok(None), "the new one has a step of its own");
    assert_eq!(game.run(), Change::QuestionReleased { question: question(2) });
}

#[test]
fn a_start_gives_open_questions_a_timer_and_lets_held_ones_run() {
    let mut game = begun();
    game.acts(release(1));
    game.acts(release(3));
    game.now.0 += 4_000;
    game.acts(Command::HoldTimers { held: true });
    game.now.0 += 100_000;
    game.acts(Command::SetAutopilot(Some(PLAN)));
    assert_eq!(game.ask(Actor::Host, &Command::SetAutopilot(Some(PLAN))), Ok(None), "it runs with this plan already");
    game.now.0 += 1_000;
    let left: Vec<_> = game.state.timers(game.now).map(|left| (left.question, left.ms)).collect();
    assert_eq!(left, [(Some(question(1)), 15_000), (Some(question(3)), 29_000)]);
    assert_eq!(game.run(), Change::QuestionClosed { question: question(1) });
    assert_eq!(game.next(), None, "another question is open");
}

#[test]
fn without_a_host_the_next_step_waits_if_that_is_set() {
    for hold_without_host in [false, true] {
        let mut game = with_autopilot(AutopilotPlan { hold_without_host, ..PLAN });
        game.run();
        game.now.0 += 4_000;
        game.service(Command::HostLeave);
        assert_eq!(game.state.is_autopilot_held(), hold_without_host);
        if hold_without_host {
            assert_eq!(game.state.expiries().count(), 0);
            game.now.0 += 100_000;
            game.service(Command::HostReturn);
            assert_eq!(game.next().map(|(_, ms)| ms), Some(10_000), "the break begins again");
        } else {
            assert_eq!(game.next().map(|(_, ms)| ms), Some(6_000));
        }
        assert_eq!(game.run(), Change::QuestionReleased { question: question(2) });
    }
}

#[test]
fn an_autopilot_that_starts_after_the_host_left_waits_as_well() {
    let mut game = begun();
    game.service(Command::HostLeave);
    game.acts(Command::SetAutopilot(Some(AutopilotPlan { hold_without_host: true, ..PLAN })));
    assert_eq!((game.state.is_autopilot_held(), game.state.expiries().count()), (true, 0));
    game.now.0 += 100_000;
    game.service(Command::HostReturn);
    assert_eq!(game.next(), Some((released(1), 10_000)));
    assert_eq!(game.run(), Change::QuestionReleased { question: question(1) });
}

#[test]
fn an_outage_is_a_pause_for_the_next_step_too() {
    let mut game = with_autopilot(PLAN);
    game.run();
    game.now.0 += 7_000;
    let mark = game.service(Command::MarkTimers);
    assert_eq!(mark, Change::TimerMark { left: Vec::new(), step: Some(3_000) });
    game.now.0 += 1_000_000;
    let claimed = Event::new(Change::Claimed { epoch: 1, node: Uuid::from_u128(1) }, None);
    game.state.apply_at(&claimed, game.now);
    assert_eq!(game.next().map(|(_, ms)| ms), Some(5_000), "the least that timers have, too");
    let (at, _) = game.next_expiry();
    assert_eq!(at.0, game.now.0 + 5_000, "without a grace");
    game.state.delay_timers(2_000);
    assert_eq!(game.next_expiry().0.0, at.0 + 2_000, "a sleep of the process does not count");
    let body = serde_json::to_string(&game.state).expect("a state is JSON");
    let read: State = serde_json::from_str(&body).expect("and can be read back");
    assert!(read == game.state && read.autopilot() == Some(PLAN));
}
