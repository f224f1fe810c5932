//! Many nodes for real: three processes behind a balancer, a PostgreSQL and a Redis started for them, and everything that
//! can happen to any of them and to the ways between (promises 1, 2, 6 to 8, 11, 21 and 23 on a cluster).
//!
//! After everything the diaries are compared with the game: what was acknowledged is in the end, once, and nothing else. A
//! share runs every time; `make chaos` (`CHAOS_ROUNDS=n`) runs all of it, `CHAOS_ONLY=…` a part. docs/cluster.md describes it.

mod balancer;
mod deploy;
mod harness;
mod health;
mod held;
mod joins;
mod judged;
mod party;
mod player;
mod proxy;
mod revoked;
mod rolling;
mod teams;
mod timers;
mod trouble;
mod troubles;
mod woken;
mod zombie;
