//! The service as seen from outside, recorded: frames of whole games, HTTP bodies, names of metrics, the command line.
//!
//! Each test plays a fixed script against the real binary and compares the result with a text file in this folder. A change that
//! should not be visible outside leaves these files unchanged. A change that should be visible rewrites them with `make recorded`,
//! and their difference shows what clients will notice. Ids, tokens, codes and times are replaced by placeholders in order of
//! appearance; nothing else is.

mod command_line;
mod earlier;
mod full_game;
mod kept;
mod metrics;
mod placeholders;
mod quiz;
mod recorder;
mod service;
mod v1;
