//! Allowances that all nodes share: how often an address, an account or a game may do something.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::BusError;

/// A rate, as one number per key: the moment at which the key's allowance is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The cost of one: the period divided by the number allowed in it.
    pub cell: Duration,
    /// How many at once; at least 1.
    pub burst: u32,
    /// The longest time a key can be made to wait beyond an empty allowance.
    pub most_debt: Duration,
}

/// A request to an allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Whether one more is allowed; counts nothing.
    Ready,
    /// Whether one more is allowed, and counts it if so.
    Take,
    /// Counts one in any case; never refused.
    Charge,
}

/// Allowances shared by all nodes.
pub trait SharedLimits: Send + Sync + 'static {
    /// Sends a request to the allowance `limit` (a fixed word, such as `failed_joins`) of `subject` (never readable in
    /// the store: it is hashed). Resolves within a quarter of a second to `Ok(Ok(()))`, to `Ok(Err(…))` with the time
    /// to wait, or to an error, after which only the caller's own limits apply.
    fn ask<'a>(
        &'a self,
        limit: &'static str,
        subject: &'a [u8],
        rate: Rate,
        ask: Ask,
    ) -> BoxFuture<'a, Result<Result<(), Duration>, BusError>>;
}
