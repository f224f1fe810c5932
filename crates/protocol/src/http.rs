//! Bodies of the HTTP interface; the host API is under `/api/v1`.

pub mod answers;
pub mod co_hosts;
pub mod game_options;
pub mod games;
pub mod health;
pub mod hosts;
pub mod join;
pub mod league;
pub mod me;
pub mod media;
pub mod moments;
pub mod nodes;
pub mod problem;
pub mod proof;
pub mod quizzes;
pub mod results;
pub mod screens;
pub mod seats;
pub mod shared_results;
pub mod webhooks;
pub mod what_if;
