//! Real services that tests start: databases and cache stores, on loopback; they end with the test process.

pub mod pgbouncer;
pub mod postgres;
pub mod redis;
