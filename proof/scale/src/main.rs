//! `quizhall-scale`: what a deployment of any size needs, with the real owner and edges on machines made of a table of costs.
//!
//! `make scale` runs it: it writes the tables of docs/scale.md and prints nothing. The tests hold the formulas of that page
//! (`paper`) against what the engine does, on sizes that take a moment. Never touches a network, a database or a clock.

mod big_game;
mod bus;
mod costs;
mod edge;
mod game;
mod machine;
mod many_games;
mod message;
mod opening;
mod owner;
#[cfg(test)]
mod paper;
mod report;
#[cfg(test)]
mod tests;
mod world;

fn main() -> std::io::Result<()> {
    report::write(&report::tables(&report::ALL))
}
