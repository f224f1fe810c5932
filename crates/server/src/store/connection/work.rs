//! Work on a connection, without the types of what it captures and returns.
//!
//! The engines' queues, time limits and transactions are compiled once for it. Compiled for each of 200 kinds of work, they took a
//! fifth of the time that compiles the service. A call pays with three allocations, while a database works on its answer.

use std::any::Any;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};

use super::Connection;
use crate::store::error::StoreError;

/// The work while it is done.
type Doing<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Work that returns `T`.
pub(in crate::store) trait Returns<T>:
    for<'a, 'c> FnOnce(&'a mut Connection<'c>) -> Doing<'a, T> + Send + 'static
{
}
impl<T, F: for<'a, 'c> FnOnce(&'a mut Connection<'c>) -> Doing<'a, T> + Send + 'static> Returns<T> for F {}

/// Work that only reads, may be done again, and returns `T`.
pub(in crate::store) trait Reads<T>:
    for<'a, 'c> Fn(&'a mut Connection<'c>) -> Doing<'a, T> + Send + Sync + 'static
{
}
impl<T, F: for<'a, 'c> Fn(&'a mut Connection<'c>) -> Doing<'a, T> + Send + Sync + 'static> Reads<T> for F {}

/// What work returned; [`Done::value`] knows its type.
pub(in crate::store) struct Done(Box<dyn Any + Send>);
/// Work that is done once.
pub(in crate::store) type Work = Box<dyn Returns<Done>>;
/// Work that may be done again.
pub(in crate::store) type Reading = Arc<dyn Reads<Done>>;

impl Done {
    fn of<T: Send + 'static>(value: T) -> Self {
        Self(Box::new(value))
    }

    /// The value, of the type that the work returns.
    pub(in crate::store) fn value<T: 'static>(self) -> Result<T, StoreError> {
        self.0.downcast().map(|value| *value).map_err(|_| StoreError::Corrupt("a result of another type"))
    }
}

/// Takes the types from work that is done once.
pub(in crate::store) fn work<T: Send + 'static>(work: impl Returns<T>) -> Work {
    Box::new(move |connection: &mut Connection<'_>| work(connection).map_ok(Done::of).boxed())
}

/// Takes the types from work that only reads.
pub(in crate::store) fn reading<T: Send + 'static>(work: impl Reads<T>) -> Reading {
    Arc::new(move |connection: &mut Connection<'_>| work(connection).map_ok(Done::of).boxed())
}
