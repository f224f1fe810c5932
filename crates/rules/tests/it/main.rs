//! The promises of the rules, checked only through the public interface.

#![allow(clippy::unwrap_used)]

mod against_model;
mod answers;
mod autopilot;
mod boards;
mod breaks;
mod changed_key;
mod changes;
mod closing;
mod co_hosts;
mod command_ids;
mod corrections;
mod erasing;
mod extra_time;
mod half_points;
mod joining;
mod jokers;
mod json;
mod kinds;
mod log;
mod marking;
mod marking_groups;
mod marking_rules;
mod mending;
mod model;
mod names;
mod options;
mod pace;
mod paper;
mod personal;
mod reveal;
mod screens;
mod seats;
mod side_by_side;
mod speed;
mod stage;
mod streaks;
mod table;
mod teams;
mod tie_breaks;
mod timers;
mod views;
mod words;
mod wrong_points;
