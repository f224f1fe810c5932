//! Unit tests of `auth::address_limit`.

#![allow(clippy::unwrap_used)]
use super::*;

/// A wrong code in one game costs nothing in any other.
#[tokio::test]
async fn an_address_has_an_allowance_in_each_scope() {
    let limits = [Limit::SignInsPerAddress, Limit::SignInsPerLine, Limit::SignInsPerSite];
    let limit = AddressLimit::new(limits, Allowed::per_minute(2), None);
    let address: IpAddr = "192.0.2.1".parse().unwrap();
    let [one, other] = [1, 2].map(uuid::Uuid::from_u128);
    let mut taken = Vec::new();
    for scope in [one, one, one, other] {
        taken.push(limit.charge(address, scope).await.is_ok());
    }
    assert_eq!(taken, [true, true, false, true]);
    assert!(limit.ready(address, one).await.is_err() && limit.ready(address, other).await.is_ok());
}

fn limit(per_minute: u32) -> AddressLimit {
    AddressLimit::new(
        [Limit::SignInsPerAddress, Limit::SignInsPerLine, Limit::SignInsPerSite],
        Allowed::per_minute(per_minute),
        None,
    )
}

async fn taken(limit: &AddressLimit, address: &str) -> bool {
    limit.charge(address.parse().unwrap(), ()).await.is_ok()
}

#[tokio::test]
async fn a_line_has_four_allowances_and_a_site_twenty() {
    let limit = limit(10);
    let mut by_line = 0;
    for number in 0..100 {
        by_line += usize::from(taken(&limit, &format!("2001:db8:0:{:x}::1", number % 50)).await);
    }
    assert_eq!(by_line, 40, "one /56");
    let mut by_site = by_line;
    for number in 0..1_000_u32 {
        by_site += usize::from(taken(&limit, &format!("2001:db8:0:{:x}::1", 256 * (1 + number % 200))).await);
    }
    assert_eq!(by_site, 200, "one /48");
    assert!(limit.ready("2001:db8:0:ffff::1".parse().unwrap(), ()).await.is_err());
    assert!(taken(&limit, "2001:db8:1::1").await, "the next /48 has its own");
}

#[tokio::test]
async fn an_ipv4_address_has_no_network() {
    let limit = limit(10);
    for number in 0..250 {
        assert!(taken(&limit, &format!("192.0.2.{number}")).await);
        assert!(taken(&limit, &format!("::ffff:198.51.100.{number}")).await);
    }
}

#[tokio::test]
async fn an_address_spends_its_own_allowance_and_not_its_neighbours() {
    let limit = limit(10);
    for number in 0..100 {
        assert_eq!(taken(&limit, "2001:db8::1").await, number < 10);
    }
    let mut neighbours = 0;
    for number in 1..100 {
        neighbours += usize::from(taken(&limit, &format!("2001:db8:0:{number:x}::1")).await);
    }
    assert_eq!(neighbours, 30, "forty for the /56");
}
