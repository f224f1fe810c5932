//! Faults against the real process: what acknowledged answers, seats and sockets survive, and what clients are told.
//!
//! Promises P10, P11, P13, P17, P19, P21, P23, P24 and P27. Each test starts processes of its own; nothing here waits
//! for a fixed time where a condition can be awaited.

mod accounts;
mod canary;
pub mod company;
mod contained;
mod deletion;
mod disk;
mod fairness;
mod fencing;
mod file;
mod idle;
mod locked;
mod marking;
mod ping_pong;
pub mod probes;
mod restart;
mod retention;
mod stalled;
mod stop;
mod syncs;
