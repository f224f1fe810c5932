//! Disks that change, cut off or lose rows (A12): noticed, named, reported, and harmless to other games.

mod command;
mod games;
mod service;
mod stored;
mod verify;
