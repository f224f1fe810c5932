//! The service Quizhall: everything that touches the outside world. `main` parses, this library runs.

pub mod app;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod games;
pub mod health;
pub mod http;
pub mod library;
pub mod limits;
pub mod media;
pub mod moment;
pub mod pace;
pub mod results;
pub mod retention;
pub mod sealed;
pub mod serve;
pub mod store;
pub mod telemetry;
mod tls;
pub mod verify;
pub mod web;
pub mod webhooks;
pub mod ws;
