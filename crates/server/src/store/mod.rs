//! The relational database: accounts, quizzes, games and their logs, on `SQLite` or PostgreSQL.
//!
//! Called by `games` (the log), `auth` (accounts, sessions), `http` and `cli` (quizzes, games). Owns all SQL of the
//! service; never knows HTTP, sockets or rules of the game, and never logs a row.
//!
//! Each engine has its own code for the log, the health check and the maintenance of files (`sqlite`, `postgres`).
//! Everything else is written once, with statements that both understand (`connection`).

mod cold;
mod columns;
mod connection;
mod engine;
mod error;
mod log;
mod open;
mod options;
pub mod postgres;
mod proof;
pub mod sqlite;
mod tables;

pub use cold::account_changes::AccountChange;
pub use cold::accounts::{AccountCreation, AccountLine, AccountRow, NewAccount, PasswordChange};
pub use cold::asked::{AskedCount, AskedRow};
pub use cold::creation_keys::{CreationKey, KEY_KEPT_MS, KEYS_PER_HOST, KeyUse};
pub use cold::ended_invitations::EndedInvitations;
pub use cold::game_moves::{GameMove, MoveOutcome};
pub use cold::games::{CODE_HELD_MS, GameCreation, GameRow, Listed, NewGame};
pub use cold::identities::{ATTEMPT_KEPT_MS, ExternalIdentity, SignInAttempt};
pub use cold::log_marks::LogMark;
pub use cold::media::{MediaCreation, MediaDeletion, MediaLine, MediaSum, NewMedia};
pub use cold::media_parts::MEDIA_PART_BYTES;
pub use cold::named_tokens::{NamedToken, NamedTokenLine};
pub use cold::nodes::{NewNode, NodeReport, NodeRow, OwnerRow, Renewal, keeps_nodes, look_at_nodes};
pub use cold::owners::OwnerChange;
pub use cold::page::{Page, Place};
pub use cold::quizzes::{NewQuiz, QuizCreation, QuizLine, QuizRow};
pub use cold::results_links::{KeptLink, ResultsLinkRow, SharedGame};
pub use cold::retention::{Deleted, Due, Hold};
pub use cold::screen_pairings::{PAIRING_KEPT_MS, Paired, PairingOpening, PairingState};
pub use cold::search::{FoundRow, Indexed, IndexedQuestion, QuizIndex, Search};
pub use cold::sessions::{HASH_BYTES, NewSession, SessionLine, SessionRow};
pub use cold::webhook_deliveries::{Delivery, Failure, WebhookEvent};
pub use cold::webhook_past::{Answered, DeliveryLine, MOST_PAST, Sending, TestEvent};
pub use cold::webhooks::{MOST_OLD_KEYS, NewKey, NewWebhook, Rotation, WebhookLine};
pub use engine::Store;
pub use error::StoreError;
pub use log::many::LogEnd;
pub use log::row::{Append, Head, LogRow, Outcome, PhaseChange, is_last_page};
pub use log::snapshots::Snapshot;
pub use open::{check_url, connect, connect_existing, lock_service, open_file_to_read, open_to_read, tables};
pub use options::StoreOptions;
pub use tables::Tables;
