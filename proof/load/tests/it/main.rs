//! The load tool against a scripted server on loopback, and its parts: the checks of a full game, its figures, its command line.
#![allow(clippy::unwrap_used)]

mod baseline;
mod checks;
mod cli;
mod fake;
mod figures;
mod full_game;
mod plan;
mod play;
