//! Host, player or screen to server: what each may ask of the socket itself. The game is not asked.

crate::messages::inbound! {
    /// A message to the socket, from any role.
    FromAny {
        /// Asks whether this socket is alive and everything sent before has arrived. For pages, which cannot send a ping frame.
        Ping: "ping" since QuizhallV1, in "any",
            "This socket gets `pong`, and no other socket anything; the game does not receive it. It counts as a message of its sender (4008).";
    }
}
