//! The forms of a list of hosts, and the URL that each host gets.

use quizhall::store::StoreError;
use quizhall::store::postgres::hosts::{Hosts, MOST_HOSTS, Wanted};

fn hosts(url: &str) -> Hosts {
    Hosts::of(url).expect("a URL that can be used")
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
    assert_eq!(hosts("postgres://host/db?target_session_attrs=any").urls, ["postgres://host/db"]);
}

#[test]
fn each_host_of_a_list_gets_a_url() {
    let lists: [(&str, &[&str]); 4] = [
        (
            "postgres://u:p,@w@a:5433,[::1]:5434,c/db?sslmode=require",
            &[
                "postgres://u:p,@w@a:5433/db?sslmode=require",
                "postgres://u:p,@w@[::1]:5434/db?sslmode=require",
                "postgres://u:p,@w@c/db?sslmode=require",
            ],
        ),
        ("postgres://a,b/db?port=5433", &["postgres://a:5433/db", "postgres://b:5433/db"]),
        ("postgres://u@a,b/db?port=1%2c2", &["postgres://u@a:1/db", "postgres://u@b:2/db"]),
        (
            "postgres://u@/db?host=/run/one,::1&port=1,2&user=v",
            &["postgres://u@%2Frun%2Fone:1/db?user=v", "postgres://u@[::1]:2/db?user=v"],
        ),
    ];
    for (list, urls) in lists {
        let hosts = hosts(list);
        assert_eq!(hosts.urls, urls);
        assert_eq!(hosts.wanted, Wanted::ReadWrite);
    }
    assert_eq!(hosts("postgres://a,b/db?target_session_attrs=any").wanted, Wanted::Any);
    assert_eq!(hosts("postgres://a,b,c,d,e,f,g,h/db").urls.len(), MOST_HOSTS);
}

#[test]
fn lists_without_a_sense_are_refused_without_repeating_them() {
    for (rest, word) in [
        ("a,,b/db", "an empty host"),
        ("a,/db", "an empty host"),
        (":5432,b/db", "an empty host"),
        ("/db?host=a,", "an empty host"),
        ("::1,b/db", "an empty host"),
        ("a:port,b/db", "not a number"),
        ("a:0,b:5432/db", "not a number"),
        ("a:65536,b/db", "not a number"),
        ("1::2,b/db", "not a number"),
        ("a,b/db?port=5432,", "not a number"),
        ("a,b/db?port=1,2,3", "another number of ports"),
        ("a/db?port=1,2", "another number of ports"),
        ("a:1,b:2/db?port=3", "ports twice"),
        ("a,b/db?host=c", "hosts twice"),
        ("a,b/db?hostaddr=127.0.0.1", "hosts twice"),
        ("a,b,c,d,e,f,g,h,i/db", "more than 8 hosts"),
        ("a,b/db?target_session_attrs=standby", "neither any nor read-write"),
        ("a/db?target_session_attrs=", "neither any nor read-write"),
    ] {
        let refused = Hosts::of(&format!("postgres://u:pass-word@{rest}"));
        let Err(StoreError::Unusable(sentence)) = refused else { panic!("{rest}: {refused:?}") };
        assert!(sentence.contains(word) && !sentence.contains("pass-word"), "{rest}: {sentence}");
    }
}
