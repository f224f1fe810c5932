//! The client with scripted peers on loopback, and the view with the messages of a full game.
#![allow(clippy::unwrap_used)]

mod api;
mod extension;
mod fake;
mod participant;
mod socket;
mod transport;
mod view;
