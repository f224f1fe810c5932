//! Tests of the oracle: messages, boards, scores and reviews worked out by hand from the interface.
#![allow(clippy::unwrap_used)]

mod boards;
mod commands;
mod facts;
mod kinds;
mod shapes;
mod small_game;
