//! `ws::reader`: the task of a socket.

use quizhall::ws::{Attendee, Reader};

/// The size of the future an async function returns, without calling it.
fn size_of_future<A, B, F: Future>(_: impl FnOnce(A, B) -> F) -> usize {
    size_of::<F>()
}

#[test]
fn the_task_of_a_socket_is_small() {
    let size = size_of_future(Reader::<Attendee>::run);
    assert!(size <= 768, "{size} bytes; ten thousand phones hold ten thousand of them");
}
