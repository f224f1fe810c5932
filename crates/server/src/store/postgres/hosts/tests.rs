//! The forms of a list of hosts, and the URL that each host gets.

use super::*;

fn hosts(url: &str) -> Hosts {
    Hosts::of(url).expect("a URL that can be used")
}

fn urls(url: &str) -> Vec<String> {
    hosts(url).urls
}

fn mistake(url: &str) -> String {
    match Hosts::of(url) {
        Err(StoreError::Unusable(sentence)) => sentence,
        other => panic!("{url}: {other:?}"),
    }
}

#[test]
fn the_url_of_one_host_stays_as_it_is() {
    for url in [
        "postgres://u:p,w@host/db",
        "postgres://u:p@[::1]:5433/db?sslmode=require&&application_name=a,b",
        "postgres:///db?host=/run/postgresql&port=5433",
        "postgres://",
        "postgres://host",
    ] {
        assert_eq!(hosts(url), Hosts { urls: vec![url.to_owned()], wanted: Wanted::Any }, "{url}");
    }
    let wanted = hosts("postgres://u:p@host/db?target_session_attrs=read-write&sslmode=require");
    assert_eq!((&*wanted.urls[0], wanted.wanted), ("postgres://u:p@host/db?sslmode=require", Wanted::ReadWrite));
    assert_eq!(urls("postgres://host/db?target_session_attrs=any"), ["postgres://host/db"]);
}

#[test]
fn each_host_of_a_list_gets_a_url() {
    let several = hosts("postgres://u:p,@w@a:5433,[::1]:5434,c/db?sslmode=require");
    let expected = [
        "postgres://u:p,@w@a:5433/db?sslmode=require",
        "postgres://u:p,@w@[::1]:5434/db?sslmode=require",
        "postgres://u:p,@w@c/db?sslmode=require",
    ];
    assert_eq!((several.urls, several.wanted), (expected.map(str::to_owned).to_vec(), Wanted::ReadWrite));
    assert_eq!(hosts("postgres://a,b/db?target_session_attrs=any").wanted, Wanted::Any);
    assert_eq!(urls("postgres://a,b/db?port=5433"), ["postgres://a:5433/db", "postgres://b:5433/db"]);
    assert_eq!(urls("postgres://u@a,b/db?port=1%2c2"), ["postgres://u@a:1/db", "postgres://u@b:2/db"]);
    let sockets = urls("postgres://u@/db?host=/run/one,::1&port=1,2&user=v");
    assert_eq!(sockets, ["postgres://u@%2Frun%2Fone:1/db?user=v", "postgres://u@[::1]:2/db?user=v"]);
    assert_eq!(urls("postgres://a,b,c,d,e,f,g,h/db").len(), MOST_HOSTS);
}

#[test]
fn lists_without_a_sense_are_refused_without_repeating_them() {
    for (url, word) in [
        ("postgres://u:pass-word@a,,b/db", "an empty host"),
        ("postgres://u:pass-word@a,/db", "an empty host"),
        ("postgres://u:pass-word@:5432,b/db", "an empty host"),
        ("postgres://u:pass-word@/db?host=a,", "an empty host"),
        ("postgres://u:pass-word@a:port,b/db", "not a number"),
        ("postgres://u:pass-word@a:0,b:5432/db", "not a number"),
        ("postgres://u:pass-word@a:65536,b/db", "not a number"),
        ("postgres://u:pass-word@::1,b/db", "an empty host"),
        ("postgres://u:pass-word@1::2,b/db", "not a number"),
        ("postgres://u:pass-word@a,b/db?port=5432,", "not a number"),
        ("postgres://u:pass-word@a,b/db?port=1,2,3", "another number of ports"),
        ("postgres://u:pass-word@a/db?port=1,2", "another number of ports"),
        ("postgres://u:pass-word@a:1,b:2/db?port=3", "ports twice"),
        ("postgres://u:pass-word@a,b/db?host=c", "hosts twice"),
        ("postgres://u:pass-word@a,b/db?hostaddr=127.0.0.1", "hosts twice"),
        ("postgres://u:pass-word@a,b,c,d,e,f,g,h,i/db", "more than 8 hosts"),
        ("postgres://u:pass-word@a,b/db?target_session_attrs=standby", "neither any nor read-write"),
        ("postgres://u:pass-word@a/db?target_session_attrs=", "neither any nor read-write"),
    ] {
        let sentence = mistake(url);
        assert!(sentence.contains(word) && !sentence.contains("pass-word"), "{url}: {sentence}");
    }
}
