//! The client's address: only trusted proxies are believed, and the rightmost address that is not theirs counts.

use axum::http::HeaderMap;
use ipnet::IpNet;
use quizhall::http::client_address;

#[test]
fn the_rightmost_address_that_no_trusted_proxy_has_counts() {
    let nets = ["10.0.0.0/8", "fd00::/8"];
    let cases: [(&str, &[&str], &[&str], &str); 10] = [
        ("192.0.2.9", &["1.2.3.4"], &nets, "192.0.2.9"),
        ("10.0.0.1", &["1.2.3.4"], &[], "10.0.0.1"),
        ("10.0.0.1", &["1.2.3.4"], &nets, "1.2.3.4"),
        ("10.0.0.1", &[], &nets, "10.0.0.1"),
        ("::ffff:10.0.0.1", &["1.2.3.4"], &nets, "1.2.3.4"),
        ("10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.9.9.9"], &nets, "1.2.3.4"),
        ("10.0.0.1", &["6.6.6.6", "1.2.3.4:5678"], &nets, "1.2.3.4"),
        ("fd00::1", &["6.6.6.6, [2001:db8::7]:443"], &nets, "2001:db8::7"),
        ("10.0.0.1", &["6.6.6.6, nonsense"], &nets, "10.0.0.1"),
        ("10.0.0.1", &["10.1.1.1, 10.2.2.2"], &nets, "10.1.1.1"),
    ];
    for (peer, forwarded, trusted, expected) in cases {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        let client = client_address(peer.parse().unwrap(), &headers, &trusted);
        assert_eq!(client.to_string(), expected, "{peer} {forwarded:?} {trusted:?}");
    }
}
