//! Stories of `quizhall.v1`, played on servers that offer it.

pub mod appeals;
pub mod between;
pub mod co_hosts;
pub mod evening;
pub mod extra_time;
pub mod handshake;
pub mod jokers;
pub mod key;
pub mod kinds;
pub mod marking;
pub mod media;
pub mod mending;
pub mod pace;
pub mod paper;
pub mod ping;
pub mod room;
pub mod rounds;
pub mod seats;
pub mod spectators;
pub mod speed;
pub mod standings;
pub mod steps;
pub mod streaks;
pub mod teams;
pub mod ties;
pub mod timers;
mod waits;
