//! Unit tests of `serve::places`.

#![allow(clippy::unwrap_used)]
use super::*;

/// A connection that ends when it is evicted.
fn connect(place: Place) -> Arc<Place> {
    let place = Arc::new(place);
    let held = Arc::clone(&place);
    tokio::spawn(async move { held.evicted().await });
    place
}

async fn is_evicted(place: &Place) -> bool {
    timeout(Duration::from_millis(20), place.evicted()).await.is_ok()
}

#[tokio::test]
async fn those_without_a_request_go_first_then_the_idle_and_never_the_busy() {
    let places = Places::new(4);
    let [busy, idle, first, second] = [
        places.enter().await.unwrap(),
        places.enter().await.unwrap(),
        places.enter().await.unwrap(),
        places.enter().await.unwrap(),
    ]
    .map(Arc::new);
    let request = busy.begin().unwrap();
    drop(idle.begin().unwrap());
    for (expected, others) in [(&first, [&second, &idle]), (&second, [&idle, &busy]), (&idle, [&busy, &busy])] {
        // No connection closes here, so no place becomes free.
        assert!(!places.evict().await);
        assert!(is_evicted(expected).await);
        assert!(expected.begin().is_none(), "what arrives after the eviction has no effect");
        for other in others {
            assert!(!is_evicted(other).await);
        }
    }
    assert!(places.enter().await.is_none(), "only the busy one is left");
    drop(request);
    places.evict().await;
    assert!(is_evicted(&busy).await);
}

#[tokio::test]
async fn a_newcomer_gets_the_place_of_the_oldest() {
    let places = Places::new(2);
    let weak: Vec<_> = [places.enter().await.unwrap(), places.enter().await.unwrap()]
        .map(|place| Arc::downgrade(&connect(place)))
        .into();
    let newcomer = places.enter().await;
    assert!(newcomer.is_some() && weak[0].upgrade().is_none() && weak[1].upgrade().is_some());
}

#[tokio::test]
async fn a_socket_keeps_its_place() {
    let places = Places::new(1);
    let socket = Arc::new(places.enter().await.unwrap());
    socket.begin().unwrap().becomes_socket();
    assert!(places.enter().await.is_none());
    drop(socket);
    assert!(places.enter().await.is_some());
}
