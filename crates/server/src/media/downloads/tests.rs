//! Unit tests of `media::downloads`.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{COUNTS, Downloads, PLACES, Place, SHARE, STALLED};
use crate::limits::AddressKey;
use crate::pace::Pace;

fn address(number: u8) -> AddressKey {
    IpAddr::from([192, 0, 2, number]).into()
}

struct Stage {
    downloads: Arc<Downloads>,
    begun: Instant,
    places: Vec<Place>,
}

impl Stage {
    fn new() -> Self {
        Self { downloads: Arc::default(), begun: Instant::now(), places: Vec::new() }
    }

    /// Whether a download to this address gets a place this long after the beginning.
    fn enters(&mut self, of: u8, pace: &Pace, after: Duration) -> bool {
        let entered = self.downloads.try_enter((address(of), pace), self.begun + after);
        let has = entered.is_some();
        self.places.extend(entered);
        has
    }

    /// A client that has read nothing since the beginning.
    fn stalled(&self) -> Pace {
        let pace = Pace::default();
        pace.level().waits(self.begun);
        pace
    }
}

/// Whether the connection has to end.
async fn is_ended(pace: &Pace) -> bool {
    tokio::time::timeout(Duration::ZERO, pace.ended()).await.is_ok()
}

#[tokio::test]
async fn one_address_leaves_places_to_others() {
    let mut stage = Stage::new();
    let quick = Pace::default();
    assert!((0..SHARE).all(|_| stage.enters(1, &quick, Duration::ZERO)));
    assert!(!stage.enters(1, &quick, STALLED), "its share is used, and no client is behind");
    assert!((0..PLACES - SHARE).all(|_| stage.enters(2, &quick, Duration::ZERO)));
    assert!(!stage.enters(3, &quick, STALLED), "every place is used");
    stage.places.clear();
    assert!(stage.enters(1, &quick, STALLED));
    assert!(!is_ended(&quick).await);
}

#[tokio::test]
async fn the_download_that_is_furthest_behind_ends_for_a_newcomer() {
    let mut stage = Stage::new();
    let (quick, stalled) = (Pace::default(), stage.stalled());
    for number in 0..SHARE {
        assert!(stage.enters(1, if number == 7 { &stalled } else { &quick }, Duration::ZERO));
    }
    assert!(
        !stage.enters(1, &quick, STALLED.saturating_sub(Duration::from_millis(1))),
        "no slow line is mistaken for a stalled one"
    );
    assert!(!is_ended(&stalled).await);
    assert!(stage.enters(1, &quick, STALLED));
    assert!(is_ended(&stalled).await && !is_ended(&quick).await);
    assert!(!stage.enters(1, &quick, STALLED), "the next one waits");
}

#[tokio::test]
async fn an_address_at_its_share_ends_none_of_others() {
    let mut stage = Stage::new();
    let (quick, stalled) = (Pace::default(), stage.stalled());
    assert!(stage.enters(2, &stalled, Duration::ZERO));
    assert!((0..SHARE).all(|_| stage.enters(1, &quick, Duration::ZERO)));
    assert!(!stage.enters(1, &quick, STALLED));
    assert!(!is_ended(&stalled).await);
}

#[tokio::test]
async fn a_slow_download_goes_on_without_a_place_and_the_oldest_of_too_many_ends() {
    let mut stage = Stage::new();
    let (oldest, quick) = (Pace::default(), Pace::default());
    assert!(stage.enters(1, &oldest, Duration::ZERO));
    let later = [Duration::ZERO, COUNTS];
    for after in later {
        for of in 1..=4 {
            let of_one = PLACES / 4 - usize::from(of == 1 && after.is_zero());
            assert!((0..of_one).all(|_| stage.enters(of, &quick, after)), "{of} {after:?}");
        }
    }
    assert!(!is_ended(&oldest).await, "as many more as there are places");
    assert!(stage.enters(5, &quick, COUNTS * 2));
    assert!(is_ended(&oldest).await && !is_ended(&quick).await);
}
