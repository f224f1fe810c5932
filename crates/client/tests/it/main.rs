//! The client with scripted peers on loopback, and the view with the messages of a full game.
#![allow(clippy::unwrap_used)]

mod answers;
mod api;
mod backoff;
mod dialect;
mod fake;
mod participant;
mod room;
mod socket;
mod transport;
mod view;
