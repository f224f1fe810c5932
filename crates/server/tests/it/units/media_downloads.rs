//! Which download gets a place, which one waits, and which one ends for a new one.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::clock;
use quizhall::media::Place;
use quizhall::media::downloads::{COUNTS, Downloads, PLACES, SHARE, STALLED};
use quizhall::pace::Pace;

struct Stage {
    downloads: Arc<Downloads>,
    begun: Instant,
    places: Vec<Place>,
    /// A client that reads at once.
    quick: Pace,
    /// A client that has read nothing since the beginning.
    stalled: Pace,
}

impl Stage {
    fn new() -> Self {
        let (begun, stalled) = (clock::now(), Pace::default());
        stalled.level().waits(begun);
        Self { downloads: Arc::default(), begun, places: Vec::new(), quick: Pace::default(), stalled }
    }

    /// Whether a download to this address gets a place this long after the beginning.
    fn enters(&mut self, of: u8, pace: &Pace, after: Duration) -> bool {
        let address = IpAddr::from([192, 0, 2, of]).into();
        let entered = self.downloads.try_enter((address, pace), self.begun + after);
        let has = entered.is_some();
        self.places.extend(entered);
        has
    }

    /// Begins this many downloads of quick clients.
    fn fill(&mut self, count: usize, of: u8, after: Duration) {
        let quick = self.quick.clone();
        assert!((0..count).all(|_| self.enters(of, &quick, after)), "{of} {after:?}");
    }
}

/// Whether the connection has to end.
async fn is_ended(pace: &Pace) -> bool {
    tokio::time::timeout(Duration::ZERO, pace.ended()).await.is_ok()
}

#[tokio::test]
async fn one_address_leaves_places_to_others() {
    let mut stage = Stage::new();
    let quick = stage.quick.clone();
    stage.fill(SHARE, 1, Duration::ZERO);
    assert!(!stage.enters(1, &quick, STALLED), "its share is used, and no client is behind");
    stage.fill(PLACES - SHARE, 2, Duration::ZERO);
    assert!(!stage.enters(3, &quick, STALLED), "every place is used");
    stage.places.clear();
    assert!(stage.enters(1, &quick, STALLED));
    assert!(!is_ended(&quick).await);
}

#[tokio::test]
async fn the_download_that_is_furthest_behind_ends_for_a_newcomer_of_its_address() {
    let mut stage = Stage::new();
    let (quick, stalled, other) = (stage.quick.clone(), stage.stalled.clone(), Stage::new().stalled);
    assert!(stage.enters(2, &other, Duration::ZERO));
    stage.fill(7, 1, Duration::ZERO);
    assert!(stage.enters(1, &stalled, Duration::ZERO));
    stage.fill(SHARE - 8, 1, Duration::ZERO);
    let shortly_before = STALLED.saturating_sub(Duration::from_millis(1));
    assert!(!stage.enters(1, &quick, shortly_before), "no slow line is mistaken for a stalled one");
    assert!(!is_ended(&stalled).await);
    assert!(stage.enters(1, &quick, STALLED));
    assert!(is_ended(&stalled).await && !is_ended(&quick).await);
    assert!(!stage.enters(1, &quick, STALLED * 2), "the next one waits");
    assert!(!is_ended(&other).await, "an address at its share ends none of others");
}

#[tokio::test]
async fn a_slow_download_goes_on_without_a_place_and_the_oldest_of_too_many_ends() {
    let mut stage = Stage::new();
    let (oldest, quick) = (Pace::default(), stage.quick.clone());
    assert!(stage.enters(1, &oldest, Duration::ZERO));
    stage.fill(PLACES / 4 - 1, 1, Duration::ZERO);
    (2..=4).for_each(|of| stage.fill(PLACES / 4, of, Duration::ZERO));
    (1..=4).for_each(|of| stage.fill(PLACES / 4, of, COUNTS));
    assert!(!is_ended(&oldest).await, "as many more as there are places");
    assert!(stage.enters(5, &quick, COUNTS * 2));
    assert!(is_ended(&oldest).await && !is_ended(&quick).await);
}
