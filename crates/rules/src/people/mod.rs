//! The people and devices in a game: presence, teams and their phones, seats that move to another phone, co-hosts, and screens.

pub(crate) mod co_hosts;
pub(crate) mod presence;
pub(crate) mod screens;
pub(crate) mod seats;
pub(crate) mod teams;
