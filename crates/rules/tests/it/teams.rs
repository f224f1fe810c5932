//! Teams: several phones on one sheet.

use quizhall_rules::{
    Actor, AddDevice, AddedDevice, AnswerText, Change, Command, Device, DeviceId, DisplayName, Erasure, Join, Phase,
    Refusal, SeatCode, SeatMove, Setting, State, TeamCode, Teams, TokenHash, erase,
};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use uuid::Uuid;

use crate::stage::{Game, command_id, join, player, question, quiz, release, submit, token};

fn team_code() -> TeamCode {
    TeamCode::parse("AB24").unwrap()
}

pub fn device(number: u8) -> DeviceId {
    Uuid::from_u128(0x0300_0000 + u128::from(number)).into()
}

/// A phone with a token of 100 or more joins the team.
pub fn phone(number: u8, name: &str) -> Command {
    Command::AddDevice(asking(number, name).into())
}

fn asking(number: u8, name: &str) -> AddDevice {
    let display_name = DisplayName::parse(name).unwrap();
    AddDevice { team: team_code(), device: device(number), display_name, token: token(100 + number), idempotency: None }
}

/// A phone that joined this player.
pub fn added_phone(who: u8) -> AddedDevice {
    let display_name = DisplayName::parse("Cem").unwrap();
    AddedDevice { player: player(who), device: device(1), display_name, token: token(1), idempotency: None }
}

pub fn suggest(number: u8, answer: &str) -> Command {
    Command::SuggestAnswer { question: question(number), answer: AnswerText::parse(answer).unwrap() }
}

fn over(number: u8) -> Actor {
    Actor::player_over(player(1), Device(number))
}

/// Two rounds of two questions; player 1 is a team of three phones, player 2 is "Bob".
fn game(captain_only: bool) -> Game {
    let mut game = Game::with_teams(quiz(2, 2), Some(Teams { devices: 3, captain_only }));
    game.service(Command::Join(Join { team: Some(team_code()), ..join(1, "Larks") }.into()));
    game.joins(2, "Bob");
    game.service(phone(1, "Cem"));
    game.service(phone(2, "Dov"));
    game
}

fn playing(captain_only: bool) -> Game {
    let mut game = game(captain_only);
    game.host(Command::StartGame);
    game.host(release(1));
    game
}

/// The text of the team's answer to question 1, and its phone.
fn given(game: &Game) -> Option<(String, u8)> {
    game.state.answer_of(player(1), question(1)).map(|answer| (answer.text.to_string(), answer.by.0))
}

fn asks(game: &mut Game, actor: Actor, command: &Command) -> Result<bool, Refusal> {
    game.ask(actor, command).map(|event| event.is_some())
}

#[test]
fn the_last_answer_counts_and_is_of_the_phone_that_sent_it() {
    let mut game = playing(false);
    assert_eq!(asks(&mut game, over(1), &submit(1, "wrong")), Ok(true));
    assert_eq!(asks(&mut game, over(1), &submit(1, "wrong")), Ok(false), "it counts already");
    assert_eq!(asks(&mut game, over(2), &submit(1, "wrong")), Ok(true), "the same from another phone");
    assert_eq!(given(&game), Some(("wrong".to_owned(), 2)));
    assert_eq!(asks(&mut game, over(0), &submit(1, "right")), Ok(true));
    assert_eq!(given(&game), Some(("right".to_owned(), 0)));
    assert_eq!(game.state.answer_count(question(1)), 1, "one player");
    game.host(Command::EndRound);
    assert_eq!(game.review(), [("Larks", "Question 1?", "right", true)]);
    game.host(Command::ReleaseScores);
    assert_eq!(game.board(), [("Larks".to_owned(), 100, 100, 1), ("Bob".to_owned(), 0, 0, 2)]);
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
}

#[test]
fn each_phone_has_command_ids_of_its_own() {
    let mut game = playing(false);
    for (number, text) in [(1, "a"), (2, "b"), (0, "c")] {
        let id = Some(command_id(9 - u64::from(number), 1));
        assert!(game.decided_with_id(over(number), id, &submit(1, text)).unwrap().is_some(), "{number}");
    }
    let again = game.decided_with_id(over(1), Some(command_id(8, 1)), &submit(1, "a"));
    assert_eq!(again, Ok(None), "a retransmission changes nothing");
    assert_eq!(given(&game), Some(("c".to_owned(), 0)));
    assert_eq!(game.state.last_command_over(player(1), Device(2)), Some(command_id(7, 1)));
    let older = game.decided_with_id(over(2), Some(command_id(6, 9)), &submit(1, "z"));
    assert_eq!(older, Err(Refusal::Superseded));
}

#[test]
fn a_team_is_here_while_one_of_its_phones_is() {
    let mut game = game(false);
    let here = |game: &Game| {
        let team = game.state.player(player(1)).unwrap();
        (team.present, team.connected, team.phones().map(|phone| phone.connected).collect::<Vec<_>>())
    };
    let moves = |game: &mut Game, number: u8, back: bool| {
        let (player, device) = (player(1), Device(number));
        game.service(if back { Command::Return { player, device } } else { Command::Leave { player, device } }).kind()
    };
    assert_eq!(here(&game), (true, true, vec![true, false, false]));
    assert_eq!(moves(&mut game, 1, true), "connected");
    assert_eq!(moves(&mut game, 0, false), "left");
    assert_eq!(here(&game), (true, true, vec![false, true, false]));
    assert_eq!(moves(&mut game, 1, false), "left");
    assert_eq!((here(&game), game.state.present_count()), ((false, false, vec![false; 3]), 1));
    assert_eq!(moves(&mut game, 2, true), "returned");
    game.host(Command::StartGame);
    assert_eq!(moves(&mut game, 2, false), "disconnected");
    assert_eq!((here(&game), game.state.connected_count()), ((true, false, vec![false; 3]), 1));
    assert_eq!(moves(&mut game, 0, true), "connected");
    assert_eq!(here(&game), (true, true, vec![true, false, false]));
    let unknown = Command::Leave { player: player(1), device: Device(3) };
    assert_eq!(game.ask(Actor::Service, &unknown), Ok(None));
    let none = Command::Leave { player: player(2), device: Device(1) };
    assert_eq!(game.ask(Actor::Service, &none), Ok(None), "a player has one device");
}

#[test]
fn who_may_join_a_team() {
    let mut game = game(false);
    let ask = |game: &mut Game, asked: AddDevice| asks(game, Actor::Service, &Command::AddDevice(asked.into()));
    assert_eq!(ask(&mut game, asking(1, "Cem")), Ok(false), "the same phone again");
    assert_eq!(ask(&mut game, asking(3, "Eva")), Err(Refusal::TeamFull));
    let unknown = AddDevice { team: TeamCode::parse("ZZ99").unwrap(), ..asking(3, "Eva") };
    assert_eq!(ask(&mut game, unknown), Err(Refusal::UnknownTeam));
    let mut game = self::game(false);
    for name in ["cem", "DOV", "larks"] {
        assert_eq!(ask(&mut game, asking(3, name)), Err(Refusal::NameTaken), "{name}");
    }
    game.host(Command::Remove { player: player(1) });
    assert_eq!(ask(&mut game, asking(3, "Eva")), Err(Refusal::UnknownTeam));
    assert_eq!(ask(&mut game, asking(1, "Cem")), Err(Refusal::IdempotencyMismatch), "removed with its team");
    assert!(game.state.is_removed_token(&token(101)) && game.state.device_by_token(&token(101)).is_none());
    let mut plain = Game::of_two();
    assert_eq!(asks(&mut plain, Actor::Service, &phone(1, "Cem")), Err(Refusal::NoTeams));
    let team = Join { team: Some(team_code()), ..join(3, "Larks") };
    assert_eq!(asks(&mut plain, Actor::Service, &Command::Join(team.into())), Err(Refusal::NoTeams));
}

#[test]
fn a_ban_of_a_team_is_one_of_each_of_its_phones() {
    let mut game = game(false);
    let banned = |game: &Game| [1, 101, 102, 2].map(|number| game.state.is_banned_token(&token(number)));
    game.host(Command::Remove { player: player(1) });
    assert_eq!(banned(&game), [false; 4], "removed, but not banned");
    game.host(Command::Ban { player: player(1) });
    assert_eq!(banned(&game), [true, true, true, false]);
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
}

#[test]
fn a_locked_game_takes_phones_and_no_team() {
    let mut game = game(false);
    let other = TeamCode::parse("CD35");
    game.host(Command::Set(Setting::Locked(true)));
    let team = |number, name, team| Command::Join(Join { team, ..join(number, name) }.into());
    assert_eq!(asks(&mut game, Actor::Service, &team(3, "Owls", other)), Err(Refusal::Locked));
    game.host(Command::Set(Setting::Locked(false)));
    assert_eq!(asks(&mut game, Actor::Service, &team(3, "Owls", Some(team_code()))), Err(Refusal::TeamCodeTaken));
    assert_eq!(asks(&mut game, Actor::Service, &team(3, "Owls", other)), Ok(true));
    game.host(Command::Set(Setting::Locked(true)));
    let to_owls = AddDevice { team: other.unwrap(), ..asking(3, "Cem") };
    assert_eq!(asks(&mut game, Actor::Service, &Command::AddDevice(to_owls.into())), Ok(true), "as in the other team");
    for step in [Command::StartGame, Command::EndRound, Command::ReleaseScores, Command::EndGame] {
        game.host(step);
    }
    let late = AddDevice { team: other.unwrap(), ..asking(4, "Dov") };
    assert_eq!(asks(&mut game, Actor::Service, &Command::AddDevice(late.into())), Err(Refusal::Ended));
}

#[test]
fn only_a_captain_answers_and_decides_on_suggestions() {
    let mut game = playing(true);
    assert_eq!(asks(&mut game, over(1), &submit(1, "wrong")), Err(Refusal::WrongRole));
    assert_eq!(asks(&mut game, over(1), &submit(99, "wrong")), Err(Refusal::WrongRole), "before ids");
    assert_eq!(asks(&mut game, over(0), &suggest(1, "x")), Err(Refusal::WrongRole), "the captain answers");
    assert_eq!(asks(&mut game, Actor::Player(player(2)), &suggest(1, "x")), Err(Refusal::WrongRole), "no team");
    assert_eq!(asks(&mut game, over(1), &suggest(2, "x")), Err(Refusal::UnknownQuestion));
    assert_eq!(asks(&mut game, over(9), &suggest(1, "x")), Err(Refusal::UnknownPlayer));
    assert_eq!(asks(&mut game, over(1), &suggest(1, "x")), Ok(true));
    assert_eq!(asks(&mut game, over(1), &suggest(1, "x")), Ok(false));
    assert_eq!(asks(&mut game, over(2), &suggest(1, "y")), Ok(true));
    assert_eq!(asks(&mut game, over(1), &suggest(1, "z")), Ok(true), "the last of each phone is kept");
    let suggested = |game: &Game| {
        let all = game.state.player(player(1)).unwrap().suggestions().iter();
        all.map(|one| (one.by.0, one.text.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(suggested(&game), [(2, "y".to_owned()), (1, "z".to_owned())]);
    assert_eq!((given(&game), game.state.answer_count(question(1))), (None, 0), "it is never counted");
    assert_eq!(asks(&mut game, over(0), &submit(1, "z")), Ok(true));
    assert_eq!(suggested(&game), []);
    assert_eq!(asks(&mut game, over(1), &suggest(1, "again")), Ok(true));
    for step in [Command::EndRound, Command::ReleaseScores, Command::StartNextRound] {
        game.host(step);
    }
    assert_eq!(suggested(&game), []);
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    let mut free = playing(false);
    assert_eq!(asks(&mut free, over(1), &suggest(1, "x")), Err(Refusal::WrongRole), "each phone answers");
}

#[test]
fn the_seat_of_one_phone_moves_and_the_others_stay() {
    let mut game = playing(false);
    let of = |device, number| SeatCode { player: player(1), device, code: token(number), at_ms: 0 };
    game.host(Command::IssueSeatCode(of(Device(1), 50).into()));
    game.service(Command::IssueSeatCode(of(Device::FIRST, 51).into()));
    let unknown = Command::IssueSeatCode(of(Device(3), 52).into());
    assert_eq!(game.ask(Actor::Host, &unknown), Err(Refusal::UnknownPlayer));
    let take = |code, new| Command::MoveSeat(SeatMove { code: token(code), token: token(new), at_ms: 1 }.into());
    let moved = Change::SeatMoved { player: player(1), device: Device(1), token: token(200) };
    assert_eq!(game.service(take(50, 200)), moved);
    assert_eq!(asks(&mut game, Actor::Service, &take(50, 201)), Err(Refusal::UnknownSeatCode));
    let seat = |game: &Game, number| game.state.device_by_token(&token(number)).map(|(team, device)| (team.id, device));
    assert_eq!((seat(&game, 101), seat(&game, 200)), (None, Some((player(1), Device(1)))));
    assert_eq!(seat(&game, 102), Some((player(1), Device(2))));
    let counts = |game: &Game| [0, 1, 2].map(|number| game.state.moves_over(player(1), Device(number)));
    assert_eq!(counts(&game), [0, 1, 0]);
    game.service(take(51, 201));
    assert_eq!((counts(&game), seat(&game, 201)), ([1, 1, 0], Some((player(1), Device::FIRST))));
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
}

#[test]
fn an_erased_team_leaves_no_name_token_or_text_of_its_phones() {
    let mut game = playing(true);
    game.ask(over(1), &suggest(1, "canary")).unwrap();
    let erasure = Erasure { player: player(1), answers: true };
    erase(&mut game.log, erasure).unwrap();
    let text = serde_json::to_string(&game.log).unwrap();
    for secret in ["Larks", "Cem", "Dov", "canary", &"65".repeat(32)] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let state = State::replay(&game.log).unwrap();
    let names: Vec<_> =
        state.player(player(1)).unwrap().phones().map(|phone| phone.display_name.as_str().to_owned()).collect();
    assert_eq!(names, ["Player 1", "Phone 2", "Phone 3"]);
    assert_eq!(erase(&mut game.log, erasure), Some(Vec::new()));
}

#[test]
fn a_state_with_a_team_moves_between_nodes_whole() {
    let mut game = playing(true);
    game.ask(over(1), &suggest(1, "x")).unwrap();
    let text = serde_json::to_string(&game.state).unwrap();
    let mut read: State = serde_json::from_str(&text).unwrap();
    assert!(read == game.state && serde_json::to_string(&read).unwrap() == text);
    let seat = read.device_by_token(&token(102)).map(|(team, device)| (team.id, device));
    assert_eq!(seat, Some((player(1), Device(2))), "the indexes were moved too");
    game.ask(over(0), &submit(1, "x")).unwrap();
    read.apply(game.log.last().unwrap());
    assert_eq!(read, game.state);
}

/// A team in a plain model: per question the answer with its phone, per phone the suggestions, token and presence.
#[derive(Default)]
struct Plain {
    phones: Vec<(u8, bool)>,
    answer: Option<(&'static str, u8)>,
    suggested: Vec<(u8, &'static str)>,
}

/// Random answers, suggestions and moves of phones, compared with a plain model on flat lists.
#[test]
fn random_teams_end_where_a_plain_model_ends() {
    const TEXTS: [&str; 3] = ["right", "wrong", "other"];
    let mut seen = [0; 5];
    for seed in 0..400 {
        let mut random = StdRng::seed_from_u64(seed);
        let captain_only = random.random_bool(0.5);
        let mut game = playing(captain_only);
        let mut plain = Plain { phones: vec![(1, true), (101, false), (102, false)], ..Plain::default() };
        for step in 0..60 {
            let (number, text) = (random.random_range(0..3_u8), TEXTS[random.random_range(0..3)]);
            let at = usize::from(number);
            let (actor, command, expected) = match random.random_range(0..8) {
                0..3 => {
                    let expected = match plain.answer {
                        _ if captain_only && number > 0 => Err(Refusal::WrongRole),
                        same => Ok(same != Some((text, number))),
                    };
                    if expected == Ok(true) {
                        plain.answer = Some((text, number));
                        plain.suggested.clear();
                    }
                    (over(number), submit(1, text), expected)
                }
                3..5 => {
                    let may = captain_only && number > 0;
                    let expected = may.then(|| !plain.suggested.contains(&(number, text))).ok_or(Refusal::WrongRole);
                    if expected == Ok(true) {
                        plain.suggested.retain(|(by, _)| *by != number);
                        plain.suggested.push((number, text));
                    }
                    (over(number), suggest(1, text), expected)
                }
                5..7 => {
                    let (player, device, back) = (player(1), Device(number), random.random());
                    let changes = std::mem::replace(&mut plain.phones[at].1, back) != back;
                    let command =
                        if back { Command::Return { player, device } } else { Command::Leave { player, device } };
                    (Actor::Service, command, Ok(changes))
                }
                _ => {
                    let new = 110 + u8::try_from(step).unwrap();
                    let code = SeatCode { player: player(1), device: Device(number), code: token(99), at_ms: 0 };
                    game.host(Command::IssueSeatCode(code.into()));
                    plain.phones[at].0 = new;
                    let moved = SeatMove { code: token(99), token: token(new), at_ms: 1 };
                    (Actor::Service, Command::MoveSeat(moved.into()), Ok(true))
                }
            };
            seen[usize::from(expected.is_err())] += 1;
            assert_eq!(
                asks(&mut game, actor, &command),
                expected,
                "seed {seed}, step {step}: {command:?} by {actor:?}"
            );
            compare(&game, &plain, (seed, step));
        }
        seen[2] += usize::from(plain.answer.is_some_and(|(_, by)| by > 0));
        seen[3] += plain.suggested.len();
        seen[4] += usize::from(plain.phones.iter().all(|(_, here)| !here));
        assert_eq!(State::replay(&game.log).unwrap(), game.state, "seed {seed}");
    }
    assert!(seen.iter().all(|times| *times > 30), "{seen:?}");
}

fn compare(game: &Game, plain: &Plain, at: (u64, i32)) {
    let team = game.state.player(player(1)).unwrap();
    assert_eq!(given(game), plain.answer.map(|(text, by)| (text.to_owned(), by)), "{at:?}");
    let suggested: Vec<_> = team.suggestions().iter().map(|one| (one.by.0, &*one.text)).collect();
    assert_eq!(suggested, plain.suggested, "{at:?}");
    let here: Vec<_> = team.phones().map(|phone| phone.connected).collect();
    assert_eq!(here, plain.phones.iter().map(|(_, here)| *here).collect::<Vec<_>>(), "{at:?}");
    assert_eq!(team.connected, here.contains(&true), "{at:?}");
    for (number, (token_number, _)) in (0..).zip(&plain.phones) {
        let seat = game.state.device_by_token(&token(*token_number)).map(|(team, device)| (team.id, device.0));
        assert_eq!(seat, Some((player(1), number)), "{at:?}");
    }
    assert_eq!(game.state.phase(), Phase::Question);
}

#[test]
fn only_the_removed_phone_leaves_and_its_token_opens_nothing() {
    let mut game = playing(false);
    game.ask(over(1), &submit(1, "of the phone")).unwrap();
    let removal = |number| Command::RemovePhone { player: player(1), device: Device(number) };
    let nobodys = TokenHash([0xff; 32]);
    let gone = Change::SeatMoved { player: player(1), device: Device(1), token: nobodys };
    assert_eq!(game.host(removal(1)), gone);
    assert_eq!(game.ask(Actor::Host, &removal(1)), Ok(None), "once");
    assert!(game.state.device_by_token(&token(101)).is_none() && game.state.moves_over(player(1), Device(1)) == 1);
    assert_eq!(game.state.device_by_token(&token(102)).unwrap().1, Device(2), "the other phones keep their tokens");
    assert_eq!(given(&game), Some(("of the phone".to_owned(), 1)), "the team keeps the answer");
    let listed: Vec<_> = game.state.player(player(1)).unwrap().phones().map(|phone| phone.removed).collect();
    assert_eq!(listed, [false, true, false]);
    // No code gives the place of a removed phone to another one, and neither does a repeated join.
    let code = SeatCode { player: player(1), device: Device(1), code: token(50), at_ms: 0 };
    assert_eq!(game.ask(Actor::Host, &Command::IssueSeatCode(code.into())), Err(Refusal::UnknownPlayer));
    // It can join again, under its name and with the code of the team.
    let again = AddDevice { device: device(9), token: token(200), ..asking(1, "Cem") };
    assert_eq!(asks(&mut game, Actor::Service, &Command::AddDevice(again.into())), Ok(true));
    assert_eq!(game.state.device_by_token(&token(200)).unwrap().1, Device(3));
    assert_eq!(asks(&mut game, Actor::Service, &phone(4, "Eli")), Err(Refusal::TeamFull));
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
    let kept = serde_json::to_string(&game.state).unwrap();
    assert_eq!(serde_json::from_str::<State>(&kept).unwrap(), game.state, "a snapshot contains the removal");
}

#[test]
fn a_team_whose_first_phone_is_removed_keeps_its_name_and_can_have_another_first_phone() {
    let mut game = playing(true);
    let removal = Command::RemovePhone { player: player(1), device: Device::FIRST };
    game.host(removal);
    assert!(game.state.device_by_token(&token(1)).is_none() && !game.state.player(player(1)).unwrap().is_erased());
    assert_eq!(asks(&mut game, Actor::Service, &phone(4, "Larks")), Err(Refusal::NameTaken));
    let code = SeatCode { player: player(1), device: Device::FIRST, code: token(50), at_ms: 0 };
    game.host(Command::IssueSeatCode(code.into()));
    game.service(Command::MoveSeat(SeatMove { code: token(50), token: token(201), at_ms: 1 }.into()));
    assert_eq!(game.state.device_by_token(&token(201)).unwrap().1, Device::FIRST);
    assert_eq!(asks(&mut game, over(0), &submit(1, "right")), Ok(true), "it is the captain");
}

#[test]
fn suggestions_of_a_removed_phone_are_removed() {
    let mut game = playing(true);
    for number in [1, 2] {
        game.ask(over(number), &suggest(1, "perhaps")).unwrap();
    }
    game.service(Command::RemovePhone { player: player(1), device: Device(1) });
    let by: Vec<_> = game.state.player(player(1)).unwrap().suggestions().iter().map(|one| one.by).collect();
    assert_eq!(by, [Device(2)]);
}

#[test]
fn phones_are_removed_by_hosts_and_moderators_and_only_where_there_are_some() {
    let mut game = game(false);
    let of = |number, who| Command::RemovePhone { player: player(who), device: Device(number) };
    assert_eq!(game.ask(over(0), &of(1, 1)), Err(Refusal::WrongRole), "phones ask over HTTP");
    for (number, who) in [(3, 1), (0, 2), (1, 2), (0, 9)] {
        assert_eq!(game.ask(Actor::Host, &of(number, who)), Err(Refusal::UnknownPlayer), "{number} of {who}");
    }
    game.host(Command::StartGame);
    assert_eq!(asks(&mut game, Actor::Host, &of(2, 1)), Ok(true));
}
