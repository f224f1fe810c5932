//! Tests of the crate from outside.

mod kinds;
mod limits;
