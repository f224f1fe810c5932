//! Tests of the engine: stories of owner and edge, and the simulation of full games under every fault.
#![allow(clippy::unwrap_used, missing_docs)]

mod big_games;
mod coalescing;
mod desk;
mod edge;
mod extension;
mod frames;
mod freshness;
mod gate;
mod lobby;
mod media;
mod members;
mod owner;
mod phases;
mod presence;
mod reading;
mod rim;
mod route;
mod screens;
mod sim;
mod simulation;
mod snapshots;
mod speed;
mod stage;
mod teams;
mod timers;
