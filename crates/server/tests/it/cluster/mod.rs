//! Real clusters: three processes behind a balancer, a PostgreSQL and a Redis started for them, and every fault that can occur
//! to any of them and to the connections between (promises 1, 2, 6 to 8, 11, 21 and 23 on a cluster).
//!
//! After each fault the diaries are compared with the game: every acknowledged answer is in it once, and nothing else. Some
//! faults are played in every run; `make chaos` (`CHAOS_ROUNDS=n`) plays all, `CHAOS_ONLY=…` some. docs/operate/cluster.md describes it.

mod balancer;
mod balancer_files;
mod deploy;
mod drain;
mod failover;
mod hall;
mod harness;
mod health;
mod held;
mod joins;
mod judged;
mod many;
mod million;
mod moves;
mod party;
mod placement;
mod plain;
mod player;
mod proxy;
mod revoked;
mod rolling;
mod shell;
mod teams;
mod timers;
mod trouble;
mod troubles;
// A release announces one version only.
#[cfg(debug_assertions)]
mod versions;
mod woken;
mod zombie;
mod zone;
