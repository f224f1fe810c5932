//! The proof of a game whose quiz was sealed: made from its log, written as a file, and checked (docs/sealed.md).
//!
//! Called by `http`, which sends the file, and by `cli`, which checks one. Pure: it knows no store and no requests, and the check
//! reads nothing but the file.

mod check;
mod did;
mod file;
mod proof;

pub use check::{Checked, check};
pub use file::{Pieces, read, write};
pub use proof::{Asked, proof};
