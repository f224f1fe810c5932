//! Unit tests of `cluster::bus::redis::address`.

#![allow(clippy::unwrap_used)]
use redis::ConnectionAddr;

use super::*;

fn hosts(url: &str) -> Vec<String> {
    Address::parse(url).unwrap().hosts.iter().map(|host| host.addr().to_string()).collect()
}

#[test]
fn one_server() {
    for scheme in ["redis", "valkey"] {
        let address = Address::parse(&format!("{scheme}://me:p%40ss@example:1234/7")).unwrap();
        assert_eq!((address.layout, address.tls), (Layout::One, false));
        assert_eq!(address.hosts[0].addr(), &ConnectionAddr::Tcp("example".into(), 1234));
        let login = address.login.redis_settings();
        assert_eq!((login.username(), login.password(), login.db()), (Some("me"), Some("p@ss"), 7));
        assert!(address.hosts[0].tcp_settings().nodelay());
    }
    assert_eq!(hosts("redis://example"), ["example:6379"]);
    assert_eq!(hosts("redis://[::1]"), ["::1:6379"]);
    assert_eq!(hosts("redis://:secret@[::1]:99/"), ["::1:99"]);
    assert!(matches!(
        Address::parse("rediss://a").unwrap().hosts[0].addr(),
        ConnectionAddr::TcpTls { insecure: false, .. }
    ));
}

#[test]
fn a_cluster() {
    let address = Address::parse("valkeys+cluster://me:word@a:1,b,c:3").unwrap();
    assert_eq!((&address.layout, address.tls), (&Layout::Cluster, true));
    assert!(address.hosts.iter().all(|host| host.redis_settings().password() == Some("word")));
    assert_eq!(hosts("redis+cluster://a:1,b,c:3"), ["a:1", "b:6379", "c:3"]);
}

#[test]
fn sentinels() {
    let url = "redis+sentinel://me:word@a,b:2/main/3?sentinel_user=watch&sentinel_password=w%26x";
    let address = Address::parse(url).unwrap();
    assert_eq!(address.layout, Layout::Sentinel("main".into()));
    assert_eq!(hosts(url), ["a:26379", "b:2"]);
    assert!(address.hosts.iter().all(|host| host.redis_settings().password().is_none()));
    assert_eq!((address.login.redis_settings().password(), address.login.redis_settings().db()), (Some("word"), 3));
    assert_eq!(address.sentinel_login.user.as_deref(), Some("watch"));
    assert_eq!(address.sentinel_login.password.as_deref(), Some("w&x"));
}

#[test]
fn what_is_wrong_is_said_without_the_url() {
    let cases = [
        ("seekrit", "must begin"),
        ("http://seekrit", "must begin"),
        ("redis+://seekrit", "must begin"),
        ("redis+unix:///seekrit", "must begin"),
        ("redis://:seekrit@", "no host"),
        ("redis+cluster://seekrit,,b", "no host"),
        ("redis://:seek#rit@host", "%23"),
        ("redis://seekrit,b", "redis+cluster://"),
        ("redis://host/seekrit", "number of a database"),
        ("redis://host/-1", "number of a database"),
        ("redis://host/1/seekrit", "too many"),
        ("redis+sentinel://seekrit", "name the master"),
        ("redis+sentinel://seekrit/main/x", "number of a database"),
        ("redis://host:seekrit", "cannot be read"),
        ("redis://host:99999", "cannot be read"),
        ("redis://host?seekrit=1", "not known"),
        ("redis://host?ca=seekrit", "needs rediss://"),
        ("rediss://host?ca=/seekrit", "cannot be read"),
    ];
    for (url, said) in cases {
        let Err(BusError::Unusable(sentence)) = Address::parse(url) else { panic!("{url} is taken") };
        assert!(sentence.contains(said), "{url}: {sentence}");
        assert!(!sentence.contains("seek"), "{url}: {sentence}");
    }
}
