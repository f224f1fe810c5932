//! The body of an answer. It keeps its request under way until the last byte is handed to the kernel.
//!
//! Made by `connection`. Leaves the body unchanged: its length and its frames.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use super::places::Request;

/// A body, and the request that it answers.
pub(super) struct Answer {
    body: Body,
    _request: Option<Request>,
}

impl Answer {
    /// An answer to this request; `None` for an answer that frees its connection at once.
    pub(super) fn new(body: Body, request: Option<Request>) -> Self {
        Self { body, _request: request }
    }
}

impl hyper::body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
