//! How far a client is behind, and a stream that ends with a slow one.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use quizhall::pace::{Level, Pace, Paced};
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::{Instant as Due, sleep_until};

/// Bytes per second on the slowest line.
const SLOWEST: usize = 2_000;

#[test]
fn a_client_is_behind_by_what_it_has_not_moved() {
    let (mut level, begun) = (Level::default(), Instant::now());
    let at = |seconds| begun + Duration::from_secs(seconds);
    assert_eq!(level.behind(at(9)), Duration::ZERO, "nothing waits");
    assert_eq!(level.waits(begun), begun);
    assert_eq!(level.behind(at(9)), Duration::from_secs(9));
    level.moved(2 * SLOWEST, at(9));
    assert_eq!((level.waits(at(9)), level.behind(at(9))), (at(2), Duration::from_secs(7)));
    level.moved(8 * SLOWEST, at(9));
    assert_eq!(level.behind(at(20)), Duration::ZERO, "nothing is saved up");
    assert_eq!(level.waits(at(20)), at(20));
}

/// The client reads a byte every 50 ms, through small buffers.
#[tokio::test]
async fn a_client_that_reads_too_little_loses_its_connection() {
    let (pace, time_limit) = (Pace::default(), Duration::from_millis(600));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpSocket::new_v4().unwrap();
    client.set_recv_buffer_size(4_096).unwrap();
    let (client, accepted) = tokio::join!(client.connect(listener.local_addr().unwrap()), listener.accept());
    let (mut client, (stream, _)) = (client.unwrap(), accepted.unwrap());
    SockRef::from(&stream).set_send_buffer_size(4_096).unwrap();
    let reader = tokio::spawn(async move {
        let mut due = Due::now();
        while client.read_u8().await.is_ok() {
            due += Duration::from_millis(50);
            sleep_until(due).await;
        }
    });
    let failed = Paced::new(stream, pace.clone(), time_limit).write_all(&vec![7; 1 << 20]).await.unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::TimedOut);
    assert!(pace.behind(Instant::now()) >= time_limit);
    reader.abort();
}
