//! Server to the socket that asked: answers of the socket itself.

crate::messages::messages! {
    /// A message that only the socket which asked for it receives.
    ToSender {
        /// The answer to `ping`, behind everything that was queued on this socket before; never unasked.
        Pong: "pong" since QuizhallV1, in "any", "`ping` on this socket.";
    }
}
