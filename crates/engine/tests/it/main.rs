//! Tests of the engine: stories of owner and edge, and the simulation of whole evenings under every fault.
#![allow(clippy::unwrap_used, missing_docs)]

mod additions;
mod crowds;
mod edge;
mod owner;
mod presence;
mod sim;
mod simulation;
mod stage;
