//! Runs the rules over the tree, and every rule over something that breaks it.

mod bad_snippets;
mod generated;
mod house;
mod rust;
