//! A message for sockets of both dialects, encoded once where both receive the same.
//!
//! Where a message differs, or exists in one dialect only, is decided where it is built; what sends it asks only for the
//! frame of a dialect.

use bytes::Bytes;
use quizhall_protocol::Dialect;

/// A message as the sockets of each dialect receive it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frames(Parts);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Parts {
    Shared(Bytes),
    Extension(Bytes),
    Each { plain: Bytes, extension: Bytes },
}

impl Frames {
    /// The same for every socket.
    pub fn shared(frame: Bytes) -> Self {
        Self(Parts::Shared(frame))
    }

    /// For sockets that speak `quizhall.v1` only.
    pub fn extension(frame: Bytes) -> Self {
        Self(Parts::Extension(frame))
    }

    /// One for plain sockets, another for those that speak `quizhall.v1`.
    pub fn each(plain: Bytes, extension: Bytes) -> Self {
        Self(Parts::Each { plain, extension })
    }

    /// The frame for a socket of this dialect, if it receives the message.
    pub fn of(&self, dialect: Dialect) -> Option<&Bytes> {
        match (&self.0, dialect) {
            (Parts::Shared(frame), _)
            | (Parts::Extension(frame) | Parts::Each { extension: frame, .. }, Dialect::QuizhallV1)
            | (Parts::Each { plain: frame, .. }, Dialect::Interface) => Some(frame),
            (Parts::Extension(_), Dialect::Interface) => None,
        }
    }

    /// Each frame once, with the dialect of its sockets; `None` is every dialect.
    pub fn parts(&self) -> impl Iterator<Item = (Option<Dialect>, &Bytes)> {
        let (first, second) = match &self.0 {
            Parts::Shared(frame) => ((None, frame), None),
            Parts::Extension(frame) => ((Some(Dialect::QuizhallV1), frame), None),
            Parts::Each { plain, extension } => {
                ((Some(Dialect::Interface), plain), Some((Some(Dialect::QuizhallV1), extension)))
            }
        };
        std::iter::once(first).chain(second)
    }
}
