//! Seats that move to another phone.

use quizhall_rules::{
    Actor, Change, Command, Device, Erasure, Phase, Refusal, SEAT_CODE_KEPT_MS, SeatCode, SeatMove, State, erase,
};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::stage::{Game, player, token};

/// The code of this player's seat, issued at this time.
pub fn code(who: u8, at_ms: i64) -> SeatCode {
    SeatCode { player: player(who), device: Device::FIRST, code: token(100 + who), at_ms }
}

pub fn issue(who: u8, at_ms: i64) -> Command {
    Command::IssueSeatCode(code(who, at_ms).into())
}

/// A phone takes this player's seat at this time, and gets the token 200.
pub fn take(who: u8, at_ms: i64) -> Command {
    take_with(code(who, 0), 200, at_ms)
}

fn take_with(code: SeatCode, number: u8, at_ms: i64) -> Command {
    Command::MoveSeat(SeatMove { code: code.code, token: token(number), at_ms }.into())
}

#[test]
fn the_new_phone_has_the_seat_and_the_old_token_opens_nothing() {
    let mut game = Game::in_phase(Phase::Question);
    game.host(issue(1, 0));
    assert_eq!(
        game.service(take(1, 1_000)),
        Change::SeatMoved { player: player(1), token: token(200), device: Device::FIRST }
    );
    assert_eq!(game.state.player_by_token(&token(1)), None);
    assert_eq!(game.state.player_by_token(&token(200)).map(|player| player.id), Some(player(1)));
    assert_eq!((game.state.moves_of(player(1)), game.state.moves_of(player(2))), (1, 0));
    assert_eq!(game.state.answered_by(player(1)).len(), 1, "the answers belong to the seat");
    assert_eq!(State::replay(&game.log).unwrap(), game.state);
}

#[test]
fn an_erased_player_leaves_no_hash_of_a_token_or_a_code() {
    let mut game = Game::of_two();
    game.host(issue(1, 0));
    game.service(take(1, 1_000));
    let erasure = Erasure { player: player(1), answers: false };
    assert_eq!(erase(&mut game.log, erasure).map(|changed| changed.len()), Some(3));
    let state = State::replay(&game.log).unwrap();
    assert_eq!([1, 200].map(|number| state.player_by_token(&token(number)).is_some()), [false, false]);
    assert_eq!(state.moves_of(player(1)), 1);
    assert_eq!(erase(&mut game.log, erasure), Some(Vec::new()));
}

/// Random codes, moves and removals, compared with a plain model on flat lists.
#[test]
fn random_moves_end_where_a_plain_model_ends() {
    let mut moved = 0;
    for seed in 0..300 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut game = Game::of_two();
        game.joins(3, "Cem");
        let (mut tokens, mut codes) = (vec![(1, 1), (2, 2), (3, 3)], Vec::<(u8, u8, i64)>::new());
        for step in 0..60 {
            let now = step * 20_000;
            let (who, code, number) =
                (random.random_range(1..=3), random.random_range(90..96), random.random_range(0..9));
            let is_there = tokens.iter().any(|(player, _)| *player == who);
            let (command, expected) = match random.random_range(0..20) {
                0 => {
                    tokens.retain(|(player, _)| *player != who);
                    (Command::Remove { player: player(who) }, Ok(is_there))
                }
                1..9 => {
                    if is_there {
                        codes.retain(|(player, known, _)| *player != who && *known != code);
                        codes.push((who, code, now));
                    }
                    let issued = SeatCode { player: player(who), code: token(code), at_ms: now, device: Device::FIRST };
                    (
                        Command::IssueSeatCode(issued.into()),
                        if is_there { Ok(true) } else { Err(Refusal::UnknownPlayer) },
                    )
                }
                _ => {
                    let lives = |(_, known, at): &&(u8, u8, i64)| *known == code && now < at + SEAT_CODE_KEPT_MS;
                    let whose = codes.iter().find(lives).map(|(player, ..)| *player);
                    let seat = tokens.iter().position(|(player, _)| Some(*player) == whose);
                    let expected = match seat {
                        _ if tokens.iter().any(|(_, token)| *token == number) => Ok(false),
                        Some(seat) => {
                            codes.retain(|(player, ..)| Some(*player) != whose);
                            tokens[seat].1 = number;
                            moved += 1;
                            Ok(true)
                        }
                        None => Err(Refusal::UnknownSeatCode),
                    };
                    (take_with(SeatCode { code: token(code), ..self::code(who, 0) }, number, now), expected)
                }
            };
            let found = game.ask(Actor::Service, &command).map(|event| event.is_some());
            assert_eq!(found, expected, "seed {seed}, step {step}: {command:?}");
            for number in 0..9 {
                let known = tokens.iter().find(|(_, token)| *token == number).map(|(who, _)| player(*who));
                let found = game.state.player_by_token(&token(number)).map(|player| player.id);
                assert_eq!(found, known, "seed {seed}, step {step}, token {number}");
            }
        }
        assert_eq!(State::replay(&game.log).unwrap(), game.state, "seed {seed}");
    }
    assert!(moved > 1_000, "seats moved {moved} times");
}
