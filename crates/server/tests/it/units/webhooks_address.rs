//! Addresses that webhooks may and may not call.

use std::collections::VecDeque;
use std::error::Error;
use std::iter::successors;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use quizhall::config::Webhooks;
use quizhall::webhooks::address::{Refused, Resolver, checked, may_call};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Answers of a name server, one lookup after the other.
struct Answers(Mutex<VecDeque<Vec<&'static str>>>);

impl Resolve for Answers {
    fn resolve(&self, _: Name) -> Resolving {
        let answer = self.0.lock().unwrap().pop_front().unwrap();
        let found: Vec<_> = answer.into_iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0)).collect();
        Box::pin(async move { Ok(Box::new(found.into_iter()) as Addrs) })
    }
}

fn settings(hosts: &[&str], networks: &[&str]) -> Webhooks {
    Webhooks {
        hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        private_networks: networks.iter().map(|network| network.parse().unwrap()).collect(),
        ..Webhooks::default()
    }
}

#[test]
fn special_addresses_are_refused_unless_their_network_is_allowed() {
    let (none, some) = (settings(&["*"], &[]), settings(&["*"], &["10.1.0.0/16", "::1/128"]));
    let refused = "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 \
        224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 fe80::1 fd00::1 ff02::1 2001:db8::1 2001::1 \
        2002:7f00:1:: 3fff::1 fec0::1";
    for (addresses, settings, expected) in [
        (refused, &none, false),
        ("8.8.8.8 172.32.0.1 2606:4700::1 2a00:1450::1", &none, true),
        ("10.1.2.3 ::ffff:10.1.2.3 ::1", &some, true),
        ("10.2.0.1", &some, false),
    ] {
        for text in addresses.split_whitespace() {
            assert_eq!(may_call(text.parse().unwrap(), settings), expected, "{text}");
        }
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
    let off = checked("https://hooks.example.org/", &settings(&[], &[])).unwrap_err();
    assert!(off.contains("WEBHOOK_HOSTS"), "{off}");
}

#[tokio::test]
async fn a_name_of_the_list_is_refused_when_it_resolves_to_a_private_address_at_the_connection() {
    let settings = settings(&["hooks.example.org"], &["127.0.0.2/32"]);
    let private = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    private.set_nonblocking(true).unwrap();
    let port = private.local_addr().unwrap().port();
    let allowed = TcpListener::bind(("127.0.0.2", port)).await.unwrap();
    tokio::spawn(answer_each(allowed));
    assert!(checked("https://hooks.example.org/", &settings).is_ok(), "the name is allowed");

    // An address that may be called, then the private one, then both.
    let answers = [vec!["127.0.0.2"], vec!["127.0.0.1"], vec!["127.0.0.1", "127.0.0.2"]];
    let resolver = Resolver::new(Arc::new(settings), Arc::new(Answers(Mutex::new(answers.into()))));
    // Connections are not kept, so each request opens one.
    let client = Client::builder().no_proxy().pool_max_idle_per_host(0).dns_resolver(resolver).build().unwrap();
    let call = || client.post(format!("http://hooks.example.org:{port}/")).send();
    assert_eq!(call().await.unwrap().status(), StatusCode::NO_CONTENT);
    let error = call().await.unwrap_err();
    let mut causes = successors(error.source(), |cause| Error::source(*cause));
    assert!(causes.any(<dyn Error>::is::<Refused>), "{error:?}");
    assert_eq!(call().await.unwrap().status(), StatusCode::NO_CONTENT, "the address that may be called");
    let connection = private.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(connection, Err(std::io::ErrorKind::WouldBlock), "no connection to the private address");
}

/// Answers each request with 204.
async fn answer_each(listener: TcpListener) {
    loop {
        let (mut connection, _) = listener.accept().await.unwrap();
        assert!(connection.read(&mut [0; 4_096]).await.unwrap() > 0, "a request");
        connection.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
    }
}
