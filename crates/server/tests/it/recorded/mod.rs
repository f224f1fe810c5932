//! What the service is from outside, recorded: the frames of whole games, HTTP bodies, names of metrics, the command line.
//!
//! Each test plays a fixed script against the real binary and compares what it saw with a text file beside this one. A
//! change that means to keep the outside as it is leaves these files alone; one that changes it on purpose writes them
//! anew with `make recorded`, and its difference shows what clients will notice. Ids, tokens, codes and times are
//! replaced by placeholders in order of appearance; nothing else is.

mod breaches;
mod command_line;
mod difference;
mod earlier;
mod full_game;
mod kept;
mod metrics;
mod placeholders;
mod quiz;
mod recorder;
mod service;
mod v1;
