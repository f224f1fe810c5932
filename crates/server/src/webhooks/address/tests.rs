//! Addresses that webhooks may and may not call.

#![allow(clippy::unwrap_used)]

use std::net::IpAddr;

use super::{Webhooks, checked, may_call};

fn settings(hosts: &[&str], networks: &[&str]) -> Webhooks {
    Webhooks {
        hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        private_networks: networks.iter().map(|network| network.parse().unwrap()).collect(),
        ..Webhooks::default()
    }
}

#[test]
fn special_addresses_are_refused_unless_their_network_is_allowed() {
    let none = settings(&["*"], &[]);
    let refused = [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "2001:db8::1",
        "2001::1",
        "2002:7f00:1::",
        "3fff::1",
        "fec0::1",
    ];
    for text in refused {
        assert!(!may_call(text.parse::<IpAddr>().unwrap(), &none), "{text}");
    }
    for text in ["8.8.8.8", "172.32.0.1", "2606:4700::1", "2a00:1450::1"] {
        assert!(may_call(text.parse::<IpAddr>().unwrap(), &none), "{text}");
    }
    let some = settings(&["*"], &["10.1.0.0/16", "::1/128"]);
    for (text, may) in [("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("10.2.0.1", false), ("::1", true)] {
        assert_eq!(may_call(text.parse::<IpAddr>().unwrap(), &some), may, "{text}");
    }
}

#[test]
fn hosts_are_compared_by_name_and_http_is_for_private_addresses() {
    let some = settings(&["hooks.example.org", "*.example.net", "127.0.0.1", "8.8.8.8"], &["127.0.0.0/8"]);
    for url in [
        "https://hooks.example.org/a?b=c",
        "https://HOOKS.example.org.:8443/",
        "https://a.b.example.net/",
        "http://127.0.0.1:9/x",
        "https://8.8.8.8/",
    ] {
        assert!(checked(url, &some).is_ok(), "{url}");
    }
    for url in [
        "hooks.example.org",
        "ftp://hooks.example.org/",
        "http://hooks.example.org/",
        "https://example.net/",
        "https://badexample.net/",
        "https://hooks.example.org.evil.test/",
        "https://user@hooks.example.org/",
        "https://hooks.example.org/#x",
        "http://8.8.8.8/",
        "http://127.1.1.1/",
        "https://[::1]/",
    ] {
        assert!(checked(url, &some).is_err(), "{url}");
    }
    assert!(checked("https://0x7f000001/", &settings(&["*"], &[])).is_err(), "127.0.0.1 written otherwise");
}
