//! Places for connections, and which connection loses its own.

use std::sync::Arc;

use futures_util::FutureExt as _;
use quizhall::serve::places::{Place, Places};

async fn enter(places: &Places) -> Arc<Place> {
    Arc::new(places.enter().await.unwrap())
}

fn is_evicted(place: &Place) -> bool {
    place.evicted().now_or_never().is_some()
}

#[tokio::test]
async fn those_without_a_request_go_first_then_the_idle_and_never_the_busy() {
    let places = Places::new(4);
    let [busy, idle] = [enter(&places).await, enter(&places).await];
    let [first, second] = [enter(&places).await, enter(&places).await];
    let request = busy.begin().unwrap();
    drop(idle.begin().unwrap());
    for (expected, others) in [(&first, [&second, &idle]), (&second, [&idle, &busy]), (&idle, [&busy, &busy])] {
        // No connection closes here, so no place becomes free.
        assert!(!places.evict().await);
        assert!(is_evicted(expected) && !others.into_iter().any(|other| is_evicted(other)));
        assert!(expected.begin().is_none(), "a request that arrives after the eviction has no effect");
    }
    assert!(places.enter().await.is_none(), "only the busy one is left");
    drop(request);
    places.evict().await;
    assert!(is_evicted(&busy));
}
