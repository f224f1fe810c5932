//! Disks that change, truncate or lose rows (A12): the damage is noticed, named and reported, and does not affect other games.

mod command;
mod games;
mod service;
mod stored;
mod verify;
