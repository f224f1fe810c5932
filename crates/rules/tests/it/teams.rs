//! Teams: tokens, seats, erasure and removal of their phones. Joining, presence, answers and suggestions are in `against_model.rs` and
//! `words.rs`.

use quizhall_rules::{
    Actor, AddDevice, AddedDevice, AnswerText, Change, Command, Device, DeviceId, DisplayName, Erasure, Join, Refusal,
    SeatCode, SeatMove, State, TeamCode, Teams, TokenHash, erase,
};
use uuid::Uuid;

use crate::stage::{Game, join, player, question, quiz, release, submit, token};

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
fn a_ban_of_a_team_is_one_of_each_of_its_phones() {
    let mut game = game(false);
    let banned = |game: &Game| [1, 101, 102, 2].map(|number| game.state.is_banned_token(&token(number)));
    game.host(Command::Remove { player: player(1) });
    assert_eq!(banned(&game), [false; 4], "removed, but not banned");
    game.host(Command::Ban { player: player(1) });
    assert_eq!(banned(&game), [true, true, true, false]);
    assert!(game.state.is_removed_token(&token(101)) && game.state.device_by_token(&token(101)).is_none());
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
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
