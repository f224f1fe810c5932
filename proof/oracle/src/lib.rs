//! What each viewer of a game must receive, written from docs/reference/messages.md: a naive model in plain lists and maps.
//!
//! A [`Game`] folds [`Fact`]s and answers: what follows a command for each viewer (`effects`), what a viewer is sent on
//! connecting (`sync`), whether a message is true here (`truth`), boards, round scores and results. `shape` has the fields of
//! every message. Used by the simulation, by conformance and by the load tool's full game, so that the knowledge is in one
//! place. It shares no code with `rules` or `engine`, sends nothing and never marks an answer: the fact says how it is marked.

mod adjustments;
mod answers;
mod appeals;
mod autopilot;
mod board;
mod corrections;
mod effects;
mod extra;
mod fact;
mod fold;
mod game;
mod jokers;
mod kinds;
mod mending;
mod messages;
mod paper;
mod quiz;
mod room;
mod rounds;
pub mod shape;
mod stated;
mod steps;
mod streaks;
mod sync;
mod teams;
mod ties;
mod timers;
mod truth;

pub use adjustments::Adjustment;
pub use answers::{Answer, Worth};
pub use board::{Board, Form, Reader};
pub use effects::{Effects, To};
pub use fact::{Fact, Illegal, Mark, Words};
pub use game::{Game, Phase, Player, Viewer};
pub use messages::{answer_accepted, players_answered};
pub use quiz::{Question, Quiz, Round};
pub use stated::{Setting, Settings, host_status};
pub use teams::{Phone, Team};
