//! A socket that is refused after its upgrade: sends a close frame, waits for its answer, ends.
//!
//! Called by `ws/upgrade` for refusals that a browser could not read as HTTP statuses, and for participants that
//! connect too often. These sockets never reach a game.

use std::time::Duration;

use quizhall_protocol::{Close, frame};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::telemetry::metrics;

use super::reader::UpgradedStream;
use super::registry::{Room, Sockets};
use super::scanner::Scanner;

impl Sockets {
    /// Closes an upgraded stream that opens no socket, in a task of its own. The stream keeps its room until the client
    /// has answered.
    pub(crate) fn turn_away(&self, upgraded: UpgradedStream, with: Close, room: Room) {
        let UpgradedStream { stream, held, .. } = upgraded;
        let time_limit = self.limits().close_timeout;
        tokio::spawn(async move {
            close(stream, with, time_limit).await;
            drop((room, held));
        });
    }
}

/// Writes the close frame and waits at most `time_limit` for the client's.
async fn close(mut stream: TcpStream, close: Close, time_limit: Duration) {
    metrics::socket_turned_away(close.code.number(), close.code.reason());
    let frame = frame::close(&close);
    // Whatever the result, the stream is dropped.
    let _ = timeout(time_limit, async {
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
