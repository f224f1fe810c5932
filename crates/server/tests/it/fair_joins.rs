//! Joining while other clients guess codes, join in great number or disconnect: the real binary with its default limits.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::faults::probes::metric;
use crate::phones::{self, PROXY, Reply};
use crate::process::{self, Launch, Server};
use crate::time_limits::promised;

/// The address of a venue, which all of its clients share.
const VENUE: &str = "198.51.100.7";
/// How many phones join at once in an ordinary run, in which other tests compete for the processors: what they delay grows
/// with this number. `QUIZHALL_PHONES=5000` sets the number of the promise, for a quiet machine.
const PHONES: usize = 500;
/// The time within which all of them have joined.
const AT_ONCE: Duration = Duration::from_secs(4);

/// Networks of a site that guess ten codes each: half as many more as the site may.
const SITE: usize = 30;

/// The default limits per address: other tests raise them.
const DEFAULTS: [(&str, &str); 2] = [PROXY, ("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "10")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_guesses_codes_keeps_no_other_site_out() {
    let (server, _folder) = serving(&DEFAULTS);
    let address = address(&server);
    let mut codes = Vec::new();
    for _ in 0..10 {
        codes.push(phones::game(&server).await);
    }
    let begun = Instant::now();
    let guessers = tokio::spawn(join_all((0..SITE).map(move |network| guesses(address, network))));
    for (number, code) in codes.iter().cycle().take(40).enumerate() {
        let from = if number % 2 == 0 { format!("203.0.113.{number}") } else { format!("2001:db8:{number:x}::1") };
        let reply = phones::join(address, &from, code, &format!("Guest {number}")).await;
        assert_eq!(reply.status, 201, "{}", reply.body);
        assert!(reply.took < promised(Duration::from_secs(1)), "{:?}", reply.took);
    }
    let replies: Vec<Reply> = guessers.await.unwrap().into_iter().flatten().collect();
    let found_nothing = replies.iter().filter(|reply| reply.status == 404).count();
    let most = 200 + came_back(200, begun);
    assert!(
        (200..=most).contains(&found_nothing),
        "{found_nothing}: two hundred a minute for a /48, and {most} in all"
    );
    let limited: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert_eq!(limited.len() + found_nothing, SITE * 10);
    assert!(limited.iter().all(|reply| reply.took >= Duration::from_millis(250) && reply.retry_after.is_some()));
    let mistyped = phones::join(address, "203.0.113.200", &phones::guess(99), "Ann").await;
    assert_eq!(mistyped.status, 404, "the shared allowance is not used up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_that_exists_does_not_wait_for_the_failures_of_others() {
    let (server, _folder) = serving(&[PROXY, ("FAILED_JOINS_PER_MINUTE", "20")]);
    let address = address(&server);
    let (code, cold) = (phones::game(&server).await, phones::game(&server).await);
    assert_eq!(phones::join(address, "203.0.113.1", &code, "First").await.status, 201);
    let begun = Instant::now();
    let wrong = (0..40).map(|number| async move {
        phones::join(address, &format!("198.51.100.{number}"), &phones::guess(number), "Mallory").await.status
    });
    let statuses = join_all(wrong).await;
    let looked_up = statuses.iter().filter(|status| **status == 404).count();
    assert!((20..=20 + came_back(20, begun)).contains(&looked_up), "{looked_up}: twenty a minute for all clients");
    for (number, code) in [&code, &cold].into_iter().enumerate() {
        let reply = phones::join(address, &format!("203.0.113.{}", 10 + number), code, "Ann").await;
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_venue_behind_one_address_joins_at_once() {
    // One descriptor each, and the tests that run at the same time need some.
    process::raise_descriptors();
    let (server, _folder) = serving(&DEFAULTS);
    let (address, code) = (address(&server), phones::game(&server).await);
    let phones = std::env::var("QUIZHALL_PHONES").map_or(PHONES, |number| number.parse().unwrap());
    let begun = Instant::now();
    let joins = (0..phones).map(|number| {
        let code = code.clone();
        tokio::spawn(async move { phones::join(address, VENUE, &code, &format!("Guest {number}")).await })
    });
    let replies: Vec<Reply> = join_all(joins).await.into_iter().map(Result::unwrap).collect();
    let took = begun.elapsed();
    let slowest = replies.iter().map(|reply| reply.took).max().unwrap_or_default();
    println!("{phones} phones behind one address: the last has joined after {took:?}, the slowest waited {slowest:?}");
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 201).map(|reply| reply.status).collect();
    assert!(refused.is_empty(), "{} of {phones}: {refused:?}", refused.len());
    assert!(took < promised(AT_ONCE), "{took:?}");
    guests_who_mistype_are_still_let_in(&server, &code).await;
}

/// The code is known at the address of the venue.
async fn guests_who_mistype_are_still_let_in(server: &Server, code: &str) {
    let address = address(server);
    for number in 0..12 {
        let status = phones::join(address, VENUE, &phones::guess(number), "Ann").await.status;
        assert_eq!(status, if number < 10 { 404 } else { 429 });
    }
    assert_eq!(phones::join(address, VENUE, code, "Late").await.status, 201);
    let other = phones::game(server).await;
    let right = phones::join(address, VENUE, &other, "Third").await;
    let wrong = phones::join(address, VENUE, &phones::guess(77), "Third").await;
    assert_eq!((right.status, &right.body), (429, &wrong.body), "a right code looks like a wrong one");
}

/// A client that disconnects leaves the queue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_queue_is_bounded_and_another_game_does_not_stand_in_it() {
    let (server, _folder) = serving(&[PROXY, ("JOIN_QUEUE", "64"), ("JOINS_PER_SECOND_PER_GAME", "4")]);
    let address = address(&server);
    let (flooded, other) = (phones::game(&server).await, phones::game(&server).await);
    let mut others = JoinSet::new();
    for number in 0..100 {
        let code = flooded.clone();
        others.spawn(async move { phones::join(address, VENUE, &code, &format!("Guest {number}")).await });
    }
    let mut full = 0;
    while full < 100 - 64 {
        let reply = others.join_next().await.unwrap().unwrap();
        match (reply.status, reply.retry_after) {
            (503, Some(1)) => full += 1,
            (status, _) => assert_eq!(status, 201, "{}", reply.body),
        }
    }
    waiting(&server, |waiting| waiting >= 32).await;
    let reply = phones::join(address, VENUE, &other, "Ann").await;
    assert_eq!(reply.status, 201, "{}", reply.body);
    assert!(reply.took < promised(Duration::from_secs(1)), "{:?}", reply.took);
    others.shutdown().await;
    waiting(&server, |waiting| waiting == 0).await;
    let reply = phones::join(address, VENUE, &flooded, "Ann").await;
    assert_eq!(reply.status, 201, "{}", reply.body);
    assert!(reply.took < promised(Duration::from_secs(2)), "{:?}: it waits for no other client", reply.took);
}

/// Ten guesses from one /64 of a /48.
async fn guesses(server: SocketAddr, network: usize) -> Vec<Reply> {
    let mut replies = Vec::new();
    for number in 0..10 {
        let code = phones::guess(1_000 + network * 10 + number);
        // Each guess comes from a /56 of its own.
        replies.push(phones::join(server, &format!("2001:db8:0:{:x}::1", network * 256), &code, "Mallory").await);
    }
    replies
}

/// How much of an allowance per minute has been refilled since then, rounded up.
fn came_back(per_minute: usize, begun: Instant) -> usize {
    begun.elapsed().as_millis().div_ceil(60_000 / per_minute as u128).try_into().unwrap()
}

/// Waits until the number of waiting joins is the wanted one.
async fn waiting(server: &Server, wanted: impl Fn(u64) -> bool) {
    let begun = Instant::now();
    while !wanted(metric(server, "quizhall_joins_waiting").await) {
        assert!(begun.elapsed() < promised(Duration::from_secs(5)), "the queue does not reach the wanted length");
        sleep(Duration::from_millis(20)).await;
    }
}

fn serving(environment: &[(&str, &str)]) -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    (server, folder)
}

fn address(server: &Server) -> SocketAddr {
    server.url().trim_start_matches("http://").parse().unwrap()
}
