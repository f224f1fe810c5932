//! The load tool against a scripted server on loopback: a whole game for its bots, and servers that misbehave.
#![allow(clippy::unwrap_used)]

mod baseline;
mod fake;
mod full_game;
mod play;
