//! The allowances of an address, and of the networks around it.

use quizhall::limits::{AddressLimit, Allowed, Subject};
use quizhall::telemetry::Limit;
use uuid::Uuid;

fn limit<Scope: Subject + Copy>(per_minute: u32) -> AddressLimit<Scope> {
    let limits = [Limit::SignInsPerAddress, Limit::SignInsPerLine, Limit::SignInsPerSite];
    AddressLimit::new(limits, Allowed::per_minute(per_minute), None)
}

async fn is_taken(limit: &AddressLimit, address: &str) -> bool {
    limit.charge(address.parse().unwrap(), ()).await.is_ok()
}

/// How many of these attempts find an allowance, each from the network of its number in one /48.
async fn taken(limit: &AddressLimit, networks: impl Iterator<Item = u32>) -> usize {
    let mut taken = 0;
    for network in networks {
        taken += usize::from(is_taken(limit, &format!("2001:db8:0:{network:x}::1")).await);
    }
    taken
}

/// A wrong code in one game costs nothing in any other.
#[tokio::test]
async fn an_address_has_an_allowance_in_each_scope() {
    let (limit, address) = (limit(2), "192.0.2.1".parse().unwrap());
    let [one, other] = [1, 2].map(Uuid::from_u128);
    for (scope, is_taken) in [(one, true), (one, true), (one, false), (other, true)] {
        assert_eq!(limit.charge(address, scope).await.is_ok(), is_taken);
    }
    assert!(limit.ready(address, one).await.is_err() && limit.ready(address, other).await.is_ok());
}

#[tokio::test]
async fn an_address_has_ten_a_line_forty_and_a_site_two_hundred() {
    let limit = limit(10);
    assert_eq!(taken(&limit, [0; 100].into_iter()).await, 10, "one /64");
    assert_eq!(
        taken(&limit, (1..100).map(|number| 1 + number % 50)).await,
        30,
        "its neighbours in the /56 have the rest"
    );
    assert_eq!(taken(&limit, (0..1_000).map(|number| 256 * (1 + number % 200))).await, 160, "the rest of the /48");
    assert!(limit.ready("2001:db8:0:ffff::1".parse().unwrap(), ()).await.is_err());
    assert!(is_taken(&limit, "2001:db8:1::1").await, "the next /48 has its own");
}

#[tokio::test]
async fn an_ipv4_address_has_no_network_and_is_the_same_in_both_forms() {
    let limit = limit(10);
    for number in 0..250 {
        assert!(is_taken(&limit, &format!("192.0.2.{number}")).await);
    }
    for attempt in 1..20 {
        assert_eq!(is_taken(&limit, "::ffff:192.0.2.7").await, attempt < 10);
    }
}
