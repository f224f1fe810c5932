//! The hand-made wire: it writes and reads whole messages, and notices a server's offences.
#![allow(clippy::unwrap_used)]

use quizhall_conformance::wire::frame::{BINARY, PING, PONG, TEXT};
use quizhall_conformance::wire::{Build, Endpoint, Frame, Knock, Opened, Request};

use crate::fake;

async fn open(target: &Endpoint) -> quizhall_conformance::wire::RawSocket {
    Knock::bearer("ABC234", "token").open(target).await.unwrap().socket().unwrap()
}

#[tokio::test]
async fn frames_of_every_length_form_come_back_as_sent() {
    let mut socket = open(&fake::echoing().await).await;
    for length in [0, 1, 125, 126, 127, 65_535, 65_536, 100_000] {
        let payload: Vec<u8> = (0..length).map(|place: usize| place.to_le_bytes()[0]).collect();
        socket.send(&Build::new(BINARY, payload.clone()).bytes()).await.unwrap();
        assert_eq!(socket.next().await.unwrap(), Some(Frame { fin: true, opcode: BINARY, payload }), "length {length}");
    }
}

#[tokio::test]
async fn a_ping_comes_back_as_a_pong_and_fragments_as_fragments() {
    let mut socket = open(&fake::echoing().await).await;
    socket.send(&Build::new(PING, "hello").bytes()).await.unwrap();
    socket.send(&Build::text("ab").unfinished().bytes()).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Frame { fin: true, opcode: PONG, payload: b"hello".to_vec() });
    assert_eq!(socket.next().await.unwrap().unwrap(), Frame { fin: false, opcode: TEXT, payload: b"ab".to_vec() });
}

#[test]
fn the_bits_of_a_frame_are_where_rfc_6455_has_them() {
    assert_eq!(Build::text("").bytes()[..2], [0x81, 0x80]);
    assert_eq!(Build::text("").unfinished().bytes()[0], 0x01);
    assert_eq!(Build::text("").reserved(4).bytes()[0], 0xC1);
    assert_eq!(Build::text("ab").unmasked().bytes(), [0x81, 2, b'a', b'b']);
    assert_eq!(Build::text("").declaring(1 << 40).bytes()[1..10], [0xFF, 0, 0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(Build::close(1000, b"x").unmasked().bytes(), [0x88, 3, 0x03, 0xE8, b'x']);
}

#[test]
fn offences_of_a_server_are_noticed() {
    for offence in [&[0xC1, 0][..], &[0x81, 0x80, 0, 0, 0, 0], &[0x09, 0], &[0x89, 126, 0, 200]] {
        assert!(Frame::take(&mut offence.to_vec()).is_err(), "{offence:?}");
    }
}

#[test]
fn half_a_frame_is_waited_for() {
    let whole = fake::unmasked(0x81, &[b'x'; 200]);
    for cut in 0..whole.len() {
        assert_eq!(Frame::take(&mut whole[..cut].to_vec()).unwrap(), None, "{cut} bytes");
    }
    assert_eq!(Frame::take(&mut whole.clone()).unwrap().unwrap().payload.len(), 200);
}

#[tokio::test]
async fn responses_are_read_by_length_by_chunks_and_to_the_end() {
    let cases: [(&'static [u8], &str); 4] = [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcXX", "abc"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", "abc"),
        (b"HTTP/1.1 200 OK\r\n\r\nabc", "abc"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", ""),
    ];
    for (bytes, body) in cases {
        let response = Request::new("GET", "/").send(&fake::answering(bytes).await).await.unwrap();
        assert_eq!(response.text(), body);
    }
}

#[tokio::test]
async fn a_head_without_a_body_is_enough_for_head() {
    let target = fake::answering(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n").await;
    let response = Request::new("HEAD", "/").send(&target).await.unwrap();
    assert_eq!((response.status, response.body.len()), (200, 0));
    assert!(Request::new("GET", "/").send(&target).await.is_err(), "a body cut short is an error");
}

#[tokio::test]
async fn a_refused_handshake_keeps_its_status_and_a_wrong_accept_is_an_error() {
    let refusing = fake::answering(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}").await;
    match Knock::bearer("ABC234", "token").open(&refusing).await.unwrap() {
        Opened::Refused(response) => assert_eq!((response.status, response.text().as_str()), (401, "{}")),
        Opened::Socket(..) => panic!("no socket was offered"),
    }
    let lying =
        b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n";
    assert!(Knock::bearer("ABC234", "token").open(&fake::answering(lying).await).await.is_err());
}
