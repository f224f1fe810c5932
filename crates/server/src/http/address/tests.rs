//! Unit tests of `http::address`.

#![allow(clippy::unwrap_used)]
use super::*;

fn seen(peer: &str, headers: &[&str], trusted: &[&str]) -> String {
    let mut map = HeaderMap::new();
    for value in headers {
        map.append("x-forwarded-for", value.parse().unwrap());
    }
    let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
    client_address(peer.parse().unwrap(), &map, &trusted).to_string()
}

#[test]
fn only_trusted_proxies_are_believed() {
    let nets = ["10.0.0.0/8", "fd00::/8"];
    assert_eq!(seen("192.0.2.9", &["1.2.3.4"], &nets), "192.0.2.9");
    assert_eq!(seen("10.0.0.1", &["1.2.3.4"], &[]), "10.0.0.1");
    assert_eq!(seen("10.0.0.1", &["1.2.3.4"], &nets), "1.2.3.4");
    assert_eq!(seen("10.0.0.1", &[], &nets), "10.0.0.1");
    assert_eq!(seen("::ffff:10.0.0.1", &["1.2.3.4"], &nets), "1.2.3.4");
}

#[test]
fn the_rightmost_untrusted_address_counts() {
    let nets = ["10.0.0.0/8", "fd00::/8"];
    assert_eq!(seen("10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.9.9.9"], &nets), "1.2.3.4");
    assert_eq!(seen("10.0.0.1", &["6.6.6.6", "1.2.3.4:5678"], &nets), "1.2.3.4");
    assert_eq!(seen("fd00::1", &["6.6.6.6, [2001:db8::7]:443"], &nets), "2001:db8::7");
    assert_eq!(seen("10.0.0.1", &["6.6.6.6, nonsense"], &nets), "10.0.0.1");
    assert_eq!(seen("10.0.0.1", &["10.1.1.1, 10.2.2.2"], &nets), "10.1.1.1");
}
