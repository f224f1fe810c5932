//! Plays a fixed game of 200 players and prints the result: the program that `.ci/instructions` measures.
//!
//! The counting covers only `play_fixed_game`, by that name; preparing and checking are outside of it. Nothing here reads a clock, an
//! argument or a setting.

use std::hint::black_box;
use std::io::{self, Write};

mod game;

use game::{FixedGame, Played};

const PLAYERS: usize = 200;

fn main() -> io::Result<()> {
    let played = play_fixed_game(FixedGame::of(PLAYERS));
    let tally = played.check();
    let game::Tally { answers, scores, boards, rows } = tally;
    writeln!(
        io::stdout(),
        "{PLAYERS} players: {answers} answers acknowledged, {scores} results of rounds, \
         {boards} final boards, {rows} rows; all as expected"
    )
}

/// A separate function with a unique name, at which the counter begins and ends.
#[inline(never)]
fn play_fixed_game(game: FixedGame) -> Played {
    black_box(black_box(game).play())
}
