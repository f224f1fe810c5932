//! The forms of `REDIS_URL`.

use quizhall::cluster::bus::BusError;
use quizhall::cluster::bus::redis::address::{Address, Layout};
use quizhall::cluster::bus::redis::check_url;
use redis::ConnectionAddr;

fn parse(url: &str) -> Address {
    Address::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

#[test]
fn every_form_names_its_hosts_with_their_usual_ports() {
    let sentinel = || Layout::Sentinel("main".to_owned());
    let cases: [(&str, Layout, bool, &[&str]); 8] = [
        ("redis://example", Layout::One, false, &["example:6379"]),
        ("valkey://me:word@example:1234/7", Layout::One, false, &["example:1234"]),
        ("redis://[::1]", Layout::One, false, &["::1:6379"]),
        ("redis://:secret@[::1]:99/", Layout::One, false, &["::1:99"]),
        ("rediss://a", Layout::One, true, &["a:6379"]),
        ("redis+cluster://a:1,b,c:3", Layout::Cluster, false, &["a:1", "b:6379", "c:3"]),
        ("valkeys+cluster://a", Layout::Cluster, true, &["a:6379"]),
        ("redis+sentinel://a,b:2/main/3", sentinel(), false, &["a:26379", "b:2"]),
    ];
    for (url, layout, tls, hosts) in cases {
        let address = parse(url);
        let named: Vec<_> = address.hosts.iter().map(|host| host.addr().to_string()).collect();
        assert_eq!((address.layout, address.tls), (layout, tls), "{url}");
        assert_eq!(named, hosts, "{url}");
        let is_secure = |addr: &ConnectionAddr| matches!(addr, ConnectionAddr::TcpTls { insecure: false, .. });
        assert!(
            address.hosts.iter().all(|host| is_secure(host.addr()) == tls && host.tcp_settings().nodelay()),
            "{url}"
        );
    }
}

#[test]
fn the_login_is_for_the_servers_and_sentinels_have_their_own() {
    let cluster = parse("redis+cluster://me:word@a:1,b,c:3");
    assert!(cluster.hosts.iter().all(|host| host.redis_settings().password() == Some("word")));
    let sentinels = parse("redis+sentinel://me:word@a,b:2/main/3?sentinel_user=watch&sentinel_password=w%26x");
    assert!(sentinels.hosts.iter().all(|host| host.redis_settings().password().is_none()));
    let login = sentinels.login.redis_settings();
    assert_eq!((login.password(), login.db()), (Some("word"), 3));
    let own = sentinels.sentinel_login;
    assert_eq!((own.user.as_deref(), own.password.as_deref()), (Some("watch"), Some("w&x")));
}

#[test]
fn mistakes_are_said_without_the_url() {
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
        let Err(BusError::Unusable(sentence)) = check_url(url) else { panic!("{url} is taken") };
        assert!(sentence.contains(said) && !sentence.contains("seek"), "{url}: {sentence}");
    }
}
