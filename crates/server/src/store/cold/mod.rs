//! Everything that is stored except the logs: accounts, sessions, quizzes and their search, lines of games, histories
//! of questions, idempotency keys, webhooks, pairings of screens, nodes, holds, pictures and sounds. Written once for
//! both engines.
//!
//! Called through `Store`. Adds to no log except the first row of a new game's log; knows no rules of the game.

pub(super) mod account_changes;
pub(super) mod accounts;
pub(super) mod asked;
pub(super) mod creation_keys;
pub(super) mod deletion;
pub(super) mod ended_invitations;
pub(super) mod game_moves;
pub(super) mod games;
pub(super) mod identities;
pub(super) mod log_marks;
pub(super) mod media;
pub(super) mod media_parts;
pub(super) mod named_tokens;
pub(super) mod nodes;
pub(super) mod owners;
pub(super) mod page;
pub(super) mod quizzes;
pub(super) mod results_links;
pub(super) mod retention;
pub(super) mod screen_pairings;
pub(super) mod search;
pub(super) mod sessions;
pub(super) mod webhook_deliveries;
pub(super) mod webhook_past;
pub(super) mod webhooks;
