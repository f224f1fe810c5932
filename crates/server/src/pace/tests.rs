//! Unit tests of `pace`.

#![allow(clippy::unwrap_used)]

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{Instant as Due, sleep_until};

use super::{Level, Pace, Paced, SLOWEST};

#[test]
fn a_client_is_behind_by_what_it_has_not_moved() {
    let (mut level, begun) = (Level::default(), Instant::now());
    let at = |seconds| begun + Duration::from_secs(seconds);
    assert_eq!(level.behind(at(9)), Duration::ZERO, "nothing waits");
    assert_eq!(level.waits(begun), begun);
    assert_eq!(level.behind(at(9)), Duration::from_secs(9));
    level.moved(2 * SLOWEST as usize, at(9));
    assert_eq!((level.waits(at(9)), level.behind(at(9))), (at(2), Duration::from_secs(7)));
    level.moved(8 * SLOWEST as usize, at(9));
    assert_eq!(level.behind(at(20)), Duration::ZERO, "nothing is saved up");
    assert_eq!(level.waits(at(20)), at(20));
}

/// A paced stream and its client, with small buffers between them.
async fn pair(pace: &Pace, time_limit: Duration) -> (Paced, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpSocket::new_v4().unwrap();
    client.set_recv_buffer_size(4_096).unwrap();
    let (client, accepted) = tokio::join!(client.connect(listener.local_addr().unwrap()), listener.accept());
    let (stream, _) = accepted.unwrap();
    socket2::SockRef::from(&stream).set_send_buffer_size(4_096).unwrap();
    (Paced::new(stream, pace.clone(), time_limit), client.unwrap())
}

/// Reads this many bytes every 50 ms until the end.
async fn read_slowly(mut client: TcpStream, at_once: usize) -> usize {
    let (mut room, mut all, mut due) = (vec![0; at_once], 0, Due::now());
    loop {
        due += Duration::from_millis(50);
        sleep_until(due).await;
        match client.read(&mut room).await {
            Ok(0) | Err(_) => return all,
            Ok(bytes) => all += bytes,
        }
    }
}

#[tokio::test]
async fn a_client_that_reads_nothing_or_too_little_loses_its_connection() {
    for at_once in [0, 1] {
        let pace = Pace::default();
        let (mut stream, client) = pair(&pace, Duration::from_millis(600)).await;
        let reader = tokio::spawn(async move {
            if at_once > 0 {
                read_slowly(client, at_once).await;
            } else {
                std::future::pending::<()>().await;
            }
        });
        let failed = stream.write_all(&vec![7; 1 << 20]).await.unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::TimedOut, "{at_once} bytes");
        assert!(pace.behind(Instant::now()) >= Duration::from_millis(600));
        reader.abort();
    }
}

#[tokio::test]
async fn a_slow_honest_line_reads_to_the_end_however_long_it_takes() {
    let pace = Pace::default();
    let time_limit = Duration::from_millis(1_500);
    let (mut stream, client) = pair(&pace, time_limit).await;
    // 10 kB per second takes longer than the time limit.
    let reader = tokio::spawn(read_slowly(client, 500));
    let begun = Instant::now();
    stream.write_all(&vec![7; 40_000]).await.unwrap();
    stream.flush().await.unwrap();
    assert!(begun.elapsed() > time_limit && pace.behind(Instant::now()).is_zero());
    drop(stream);
    assert_eq!(reader.await.unwrap(), 40_000);
}
