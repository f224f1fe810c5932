//! Rules of this house that no compiler checks, and the files generated from the types.
//!
//! The tests of this crate run [`checks`] over the whole tree and compare [`generate`]d files with those on disk; its
//! binary writes them, and what a package for distribution holds besides the program ([`package`]). It is a crate of its own because it may depend on everything and nothing may depend on it.
//! Never part of the service, never needed to run it.

pub mod cargo;
pub mod checks;
pub mod exceptions;
pub mod generate;
pub mod lines;
pub mod package;
pub mod rust;
pub mod tree;
