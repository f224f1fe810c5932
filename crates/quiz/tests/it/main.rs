//! Tests of the crate from outside.

mod answers;
mod kinds;
mod limits;
