//! Server to the socket that asked: answers that do not come from the game.

crate::messages::messages! {
    /// A message that only the socket which asked for it receives.
    ToSender {
        /// The answer to `ping`, after everything that was queued on this socket before; never sent unasked.
        Pong: "pong" since QuizhallV1, in "any", "`ping` on this socket.";
    }
}
