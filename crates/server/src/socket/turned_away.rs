//! Telling a page why it may not come in: a close frame, its answer, the end.
//!
//! Called by `upgrade` for refusals a browser could not read as HTTP statuses. These sockets never reach a game.

use std::time::Duration;

use quizhall_protocol::{Close, CloseCode, frame};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::telemetry::metrics;

use super::scanner::Scanner;

/// Writes the close frame and waits at most `patience` for the client's.
pub(super) async fn close(mut stream: TcpStream, code: CloseCode, patience: Duration) {
    metrics::socket_closed(code.number(), code.reason());
    let frame = frame::close(&Close::from(code));
    // Whether it ended well, late or broken: the stream is dropped.
    let _ = timeout(patience, async {
        stream.write_all(&frame).await?;
        let (mut scanner, mut buffer) = (Scanner::default(), [0; 256]);
        loop {
            match stream.read(&mut buffer).await? {
                0 => break,
                read if scanner.scan(&buffer[..read], u32::MAX).close_seen => break,
                _ => {}
            }
        }
        std::io::Result::Ok(())
    })
    .await;
}
