//! Faults of the real process: which answers, players and sockets survive, and what clients receive.
//!
//! Promises 10, 11, 13, 17, 19, 21, 23, 24 and 27. Each test starts its own processes; none waits for a fixed time where it can
//! wait for a condition.

mod accounts;
mod canary;
pub mod company;
pub mod contained;
mod deletion;
pub mod disk;
mod fairness;
mod fencing;
mod file;
mod idle;
mod locked;
mod marking;
pub mod probes;
mod restart;
mod retention;
mod stalled;
mod stop;
mod syncs;
