//! Host, player or screen to server: messages to the socket itself. They never reach the game.

crate::messages::inbound! {
    /// A message to the socket, from any role.
    FromAny {
        /// Asks whether this socket is alive and everything sent before has arrived. For pages, which cannot send a ping frame.
        Ping: "ping" since QuizhallV1, in "any",
            "Only this socket gets `pong`; the game does not receive the message. It counts toward the sender's rate limit (4008).";
    }
}
