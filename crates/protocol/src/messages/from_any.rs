//! Host or player to server: what either may ask of the socket itself. The game is not asked.

crate::messages::inbound! {
    /// A message to the socket, from either role.
    FromAny {
        /// Is this socket alive, and have I heard everything that was sent before? For pages, which cannot send a ping frame.
        Ping: "ping" since QuizhallV1, in "any",
            "This socket gets `pong`, and nobody else anything; the game does not hear of it. It counts as a message of its sender (4008).";
    }
}
