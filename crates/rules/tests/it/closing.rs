//! Questions that close before their time: by the host, and once every player who is here has answered. For whom a question waits is in
//! `against_model.rs`.

use quizhall_rules::{Actor, Change, Command, Event, Expiry, Moment, Phase, PlayOptions, Refusal, State, TimeLeft};

use crate::stage::{Game, player, question, quiz, release};

const DEVICE: quizhall_rules::Device = quizhall_rules::Device::FIRST;

/// A round of three questions in which a question closes when it is answered, with Ann and Bob; question 1 is open.
fn asked() -> Game {
    let mut game = Game::with(quiz(2, 3), PlayOptions { close_when_answered: true, ..PlayOptions::default() });
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

fn close(number: u8) -> Command {
    Command::CloseQuestion { question: question(number) }
}

/// The questions that close by themselves, with the moment.
fn due(game: &Game) -> Vec<(Moment, Expiry)> {
    let due: Vec<_> = game.state.expiries().collect();
    let replayed = State::replay(&game.log).unwrap();
    let stored = serde_json::to_value(&game.state).unwrap();
    let of = |state: &State| state.expiries().map(|(_, expiry)| expiry).collect::<Vec<_>>();
    assert_eq!(of(&replayed), of(&game.state), "a log says the same");
    let read = serde_json::from_value::<State>(stored).unwrap();
    assert!(read == game.state, "so does a snapshot");
    assert!((1..=3).all(|number| read.waits_for(question(number)) == game.state.waits_for(question(number))));
    due
}

/// Whether question 1 closes soon.
fn closes(game: &Game) -> bool {
    due(game).iter().any(|(_, expiry)| expiry.question == Some(question(1)))
}

fn leaves(game: &mut Game, who: u8) {
    game.service(Command::Leave { player: player(who), device: DEVICE });
}

fn returns(game: &mut Game, who: u8) {
    game.service(Command::Return { player: player(who), device: DEVICE });
}

/// The first question that is due closes.
fn expires(game: &mut Game) -> Change {
    let (at, expiry) = due(game)[0];
    game.now = at;
    game.must(Actor::Service, &Command::Expire(expiry))
}

#[test]
fn the_host_closes_a_question_for_all_players_after_the_grace() {
    let mut game = Game::in_phase(Phase::Question);
    game.now = Moment(5_000);
    assert_eq!(game.host(close(1)), Change::QuestionClosing { question: question(1) });
    assert!(game.state.is_open(question(1)) && game.state.is_closing(question(1)));
    game.answers(2, 1, "sent in time");
    assert_eq!(due(&game)[0].0, Moment(6_000));
    assert_eq!(game.ask(Actor::Host, &close(1)), Ok(None), "pressed twice");
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
    assert!(!game.state.is_open(question(1)) && !game.state.is_closing(question(1)));
    assert!(due(&game).is_empty(), "it closes once");
    assert_eq!(game.ask(Actor::Host, &close(1)), Ok(None), "closed already");
    let late = game.ask(Actor::Player(player(2)), &crate::stage::submit(1, "late"));
    assert_eq!(late, Err(Refusal::UnknownQuestion));
}

#[test]
fn closing_ends_the_timer_for_players_with_extra_time_too_and_while_the_timers_are_held() {
    let mut written = quiz(1, 2);
    written.rounds[0].questions[0].time_limit = Some(30);
    let mut game = Game::new(written);
    game.joins(1, "Ann");
    game.host(Command::SetExtraTime { player: player(1), percent: 200 });
    game.host(Command::StartGame);
    game.host(release(1));
    game.host(Command::HoldTimers { held: true });
    game.host(close(1));
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
    assert!(!game.state.is_open_for(question(1), player(1)));
    assert!(game.state.timers(game.now).next().is_none() && !game.state.are_timers_held());
}

/// In the second in which a question closes, its timer can neither keep it open nor show a time that it does not have.
#[test]
fn the_timer_of_a_question_that_closes_does_not_change() {
    let seconds = |number: Option<u8>| TimeLeft { question: number.map(question), ms: 30_000 };
    let changes = |game: &mut Game, number| {
        let commands = [
            Command::SetTimer(seconds(Some(number))),
            Command::AddTime(seconds(Some(number))),
            Command::HoldTimers { held: true },
        ];
        commands.map(|command| game.ask(Actor::Host, &command).unwrap().is_some())
    };
    for by_host in [true, false] {
        let mut game = asked();
        game.host(Command::SetTimer(seconds(Some(1))));
        if by_host {
            game.host(close(1));
        } else {
            game.answers(1, 1, "right");
            game.answers(2, 1, "right");
        }
        assert_eq!(changes(&mut game, 1), [false; 3], "by the host: {by_host}");
        game.host(Command::SetAutopilot(Some(crate::changes::PLAN)));
        assert_eq!(game.state.timers(game.now).count(), 1);
        game.host(release(2));
        game.host(Command::SetTimer(seconds(Some(2))));
        assert_eq!(changes(&mut game, 2), [true; 3], "another question is not concerned");
        assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
        assert_eq!(game.state.timers(game.now).count(), 1);
    }
    let mut game = Game::in_phase(Phase::Question);
    game.host(close(1));
    game.host(Command::SetAutopilot(Some(crate::changes::PLAN)));
    assert_eq!(game.state.timers(game.now).next(), None, "an autopilot gives it none");
}

#[test]
fn a_question_closes_a_second_after_the_last_answer() {
    let mut game = asked();
    game.answers(1, 1, "right");
    assert_eq!((game.state.waits_for(question(1)), closes(&game)), (1, false));
    game.now = Moment(10_000);
    game.answers(2, 1, "wrong");
    assert_eq!(due(&game).iter().map(|(at, _)| *at).collect::<Vec<_>>(), [Moment(11_000)]);
    game.now = Moment(10_500);
    game.answers(1, 1, "another");
    assert_eq!(due(&game)[0].0, Moment(11_000), "a player with a changed answer has answered");
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
    assert!(due(&game).is_empty());
}

#[test]
fn without_the_option_nothing_closes() {
    let mut game = Game::in_phase(Phase::Question);
    assert_eq!((game.state.waits_for(question(1)), closes(&game)), (0, false));
    game.host(Command::SetCloseWhenAnswered { on: true });
    assert!(closes(&game), "it is due as soon as that is on");
    game.host(Command::SetCloseWhenAnswered { on: false });
    assert!(!closes(&game));
    assert_eq!(game.ask(Actor::Host, &Command::SetCloseWhenAnswered { on: false }), Ok(None));
}

#[test]
fn a_latecomer_is_waited_for() {
    let mut game = asked();
    game.answers(1, 1, "right");
    game.answers(2, 1, "right");
    let (at, before) = due(&game)[0];
    game.joins(3, "Cem");
    assert!(!closes(&game));
    game.now = at;
    assert_eq!(game.ask(Actor::Service, &Command::Expire(before)), Ok(None), "an expiry that waits has no effect");
    game.answers(3, 1, "right");
    assert!(closes(&game));
    assert_ne!(due(&game)[0].1, before);
}

#[test]
fn players_who_are_away_are_not_waited_for_until_they_return() {
    let mut game = asked();
    game.answers(1, 1, "right");
    leaves(&mut game, 2);
    assert!(closes(&game));
    returns(&mut game, 2);
    assert!(!closes(&game));
    leaves(&mut game, 1);
    assert!(!closes(&game), "Ann has answered, Bob has not");
    game.answers(2, 1, "right");
    assert!(closes(&game));
    returns(&mut game, 1);
    assert!(closes(&game));
}

#[test]
fn nothing_closes_while_no_player_is_here() {
    let mut game = asked();
    leaves(&mut game, 1);
    leaves(&mut game, 2);
    assert!(!closes(&game));
    returns(&mut game, 2);
    game.host(Command::Remove { player: player(1) });
    assert!(!closes(&game), "Bob still thinks");
    game.answers(2, 1, "right");
    assert!(closes(&game));
}

#[test]
fn each_of_several_open_questions_closes_by_itself() {
    let mut game = asked();
    game.host(release(2));
    for who in [1, 2] {
        game.answers(who, 2, "right");
    }
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(2) });
    assert!(game.state.is_open(question(1)));
    for who in [1, 2] {
        game.answers(who, 1, "right");
    }
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
}

#[test]
fn what_the_host_closes_stays_closing_when_players_join() {
    let mut game = asked();
    game.host(close(1));
    game.joins(3, "Cem");
    assert!(closes(&game));
    game.host(Command::SetCloseWhenAnswered { on: false });
    assert!(closes(&game));
    let (_, expiry) = due(&game)[0];
    game.host(Command::EndRound);
    assert_eq!(game.ask(Actor::Service, &Command::Expire(expiry)), Ok(None), "the round has ended");
}

#[test]
fn a_new_owner_sees_that_a_question_is_due() {
    let mut game = asked();
    for who in [1, 2] {
        game.answers(who, 1, "right");
    }
    game.now = Moment(60_000);
    let claimed = Event::new(Change::Claimed { epoch: 2, node: uuid::Uuid::nil() }, None);
    game.state.apply_at(&claimed, game.now);
    game.log.push(claimed);
    assert_eq!(due(&game)[0].0, Moment(61_000), "the grace begins again");
    assert_eq!(expires(&mut game), Change::QuestionClosed { question: question(1) });
}

#[test]
fn options_change_in_the_lobby_only_and_the_quiz_follows() {
    let mut game = Game::new(quiz(2, 2));
    let options = PlayOptions { pace: quizhall_rules::Pace::Question, streaks: true, ..PlayOptions::default() };
    game.host(Command::SetOptions(options.into()));
    assert_eq!((game.state.options(), game.state.quiz().rounds.len()), (&options, 4));
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    game.host(Command::SetOptions(PlayOptions::default().into()));
    assert_eq!(**game.state.quiz(), quiz(2, 2), "the quiz is kept as it was written");
    game.host(Command::StartGame);
    assert_eq!(game.ask(Actor::Host, &Command::SetOptions(options.into())), Err(Refusal::WrongPhase));
}

#[test]
fn teams_change_only_while_no_one_has_joined() {
    let mut game = Game::new(quiz(1, 1));
    let teams = |devices| PlayOptions {
        teams: Some(quizhall_rules::Teams { devices, captain_only: false }),
        ..PlayOptions::default()
    };
    game.host(Command::SetOptions(teams(2).into()));
    game.joins(1, "Ann");
    assert_eq!(game.ask(Actor::Host, &Command::SetOptions(teams(3).into())), Err(Refusal::HasPlayers));
    assert_eq!(game.ask(Actor::Host, &Command::SetOptions(PlayOptions::default().into())), Err(Refusal::HasPlayers));
    game.host(Command::SetOptions(PlayOptions { clean_names: true, ..teams(2) }.into()));
    game.host(Command::Remove { player: player(1) });
    game.host(Command::SetOptions(PlayOptions::default().into()));
}
