//! The bytes: addresses, requests, responses in pieces, the handshake of RFC 6455, frames of every length.

use quizhall_client::transport::frame::{BINARY, Build, CLOSE, Frame, PING, TEXT};
use quizhall_client::transport::{Request, Response, Upgrade, upgrade};
use quizhall_client::{Endpoint, EndpointError, TransportError};

use crate::fake::Fake;

#[test]
fn an_address_has_a_host_a_port_and_a_prefix() {
    let plain = Endpoint::parse(" http://127.0.0.1:8080/ ").unwrap();
    assert_eq!(plain.address(), ("127.0.0.1".to_owned(), 8080));
    assert_eq!((plain.path("/join"), plain.authority()), ("/join".to_owned(), "127.0.0.1:8080".to_owned()));
    assert_eq!(plain.origin(), "http://127.0.0.1:8080");

    let nested = Endpoint::parse("ws://[::1]/quiz/").unwrap();
    assert_eq!(nested.address(), ("::1".to_owned(), 80));
    assert_eq!((nested.path("/join"), nested.authority()), ("/quiz/join".to_owned(), "[::1]".to_owned()));
    assert_eq!(nested.origin(), "http://[::1]");

    for encrypted in ["https://example.org", "wss://example.org:443"] {
        let endpoint = Endpoint::parse(encrypted).unwrap();
        assert_eq!(endpoint.address(), ("example.org".to_owned(), 443));
        assert_eq!(endpoint.origin(), "https://example.org");
        assert!(endpoint.session().is_some() && plain.session().is_none());
    }
}

#[test]
fn an_address_that_cannot_work_is_refused() {
    let refusal = |text| Endpoint::parse(text).unwrap_err();
    for text in ["h:8080", "example.org", "http://", "ftp://h"] {
        assert_eq!(refusal(text), EndpointError::NotAnAddress, "{text}");
    }
    for text in ["http://u:p@h", "http://h/?token=x", "http://h/#top"] {
        assert_eq!(refusal(text), EndpointError::Extras, "{text}");
    }
}

#[test]
fn a_ca_file_without_a_certificate_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, empty) = (folder.path().join("missing.pem"), folder.path().join("empty.pem"));
    std::fs::write(&empty, "no certificate").unwrap();
    for (file, reason) in [(missing, "No such file"), (empty, "it has no certificate")] {
        let error = Endpoint::parse_with_ca("https://h", Some(&file)).unwrap_err().to_string();
        assert!(error.contains(&*file.to_string_lossy()) && error.contains(reason), "{error}");
    }
}

#[test]
fn an_endpoint_survives_the_way_to_another_process() {
    let endpoint = Endpoint::parse("https://example.org/quiz").unwrap();
    let there: Endpoint = serde_json::from_str(&serde_json::to_string(&endpoint).unwrap()).unwrap();
    assert_eq!((there.address(), there.path("/x")), (endpoint.address(), endpoint.path("/x")));
    assert!(there.session().is_some());
}

#[test]
fn a_request_is_written_whole_or_not_at_all() {
    let endpoint = Endpoint::parse("http://h:1/quiz").unwrap();
    let request = Request::new("POST", "/join").bearer("qp_x").json(&serde_json::json!({ "a": "b\nc" }));
    let written = "POST /quiz/join HTTP/1.1\r\nhost: h:1\r\nconnection: close\r\nauthorization: Bearer qp_x\r\n\
                   content-type: application/json\r\ncontent-length: 12\r\n\r\n{\"a\":\"b\\nc\"}";
    assert_eq!(String::from_utf8(request.bytes(&endpoint).unwrap()).unwrap(), written);
    let injected = [
        Request::new("GET", "/x HTTP/1.1\r\nx: y"),
        Request::new("GET", "/x y"),
        Request::new("GET\n", "/"),
        Request::new("GET", "/").bearer("t\r\nx: y"),
        Request::new("GET", "/").bearer("t\nx: y"),
        Request::new("GET", "/").header("a\0", "b"),
    ];
    for request in injected {
        assert!(matches!(request.bytes(&endpoint), Err(TransportError::Unsendable)));
    }
}

#[test]
fn a_response_is_read_when_it_is_whole() {
    let answers: [(&[u8], &str); 4] = [
        (b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}", "{}"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", "abc"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", ""),
        (b"HTTP/1.1 204 No Content\r\n\r\n", ""),
    ];
    for (bytes, body) in answers {
        for cut in 0..bytes.len() {
            assert!(Response::parse(&bytes[..cut], false, true).unwrap().is_none(), "{cut} bytes for {body}");
        }
        let (response, length) = Response::parse(&[bytes, b"XX"].concat(), false, false).unwrap().unwrap();
        assert_eq!((response.text().as_str(), length), (body, bytes.len()));
    }
    let endless = b"HTTP/1.1 200 OK\r\n\r\nabc";
    assert!(Response::parse(endless, false, false).unwrap().is_none(), "more may follow");
    assert_eq!(Response::parse(endless, false, true).unwrap().unwrap().0.text(), "abc");
    for broken in [&b"SSH-2.0-x\r\n"[..], b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"] {
        assert!(Response::parse(broken, false, false).is_err());
    }
    let chunk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd";
    assert!(Response::parse(chunk, false, false).is_err(), "a chunk ends with a line break");
}

/// The nonce and its answer are those of RFC 6455 §1.3.
#[tokio::test]
async fn the_handshake_is_that_of_rfc_6455_and_a_wrong_accept_is_an_error() {
    let head = "upgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n";
    for (accept, is_right) in [("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", true), ("s3pPLMBiTxaQ9kYGzzhZRbK+xOx=", false)] {
        let fake = Fake::start().await;
        let headers = format!("{head}sec-websocket-accept: {accept}\r\n");
        let (endpoint, request) = (fake.endpoint(), Request::upgrade("/ws/ABC234", "dGhlIHNhbXBsZSBub25jZQ=="));
        let (answer, request) =
            tokio::join!(upgrade(&endpoint, None, &request), fake.answer_switching(&headers, b"\x81\x02{}"));
        assert!(request.starts_with("GET /ws/ABC234 HTTP/1.1\r\n"), "{request}");
        match answer {
            Ok(Upgrade::Agreed(agreed)) => assert!(is_right && agreed.rest == b"\x81\x02{}"),
            Ok(Upgrade::Refused(_)) => panic!("101 is no refusal"),
            Err(error) => assert!(!is_right, "{error}"),
        }
    }
}

#[test]
fn frames_of_every_length_are_found_again_and_no_part_of_one_is_a_frame() {
    for length in [0_usize, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
        let payload: Vec<u8> = (0_u8..=255).cycle().take(length).collect();
        let mut stream = Build::new(BINARY, payload.as_slice()).unmasked().bytes();
        let whole = stream.len();
        stream.extend(Build::new(PING, "x").unmasked().bytes());
        let found = Frame::parse(&stream).unwrap().unwrap();
        assert_eq!(found, Frame { fin: true, opcode: BINARY, payload: &payload, length: whole });
        for part in [0, 1, 2, 3, 9, whole - 1].into_iter().filter(|part| *part < whole) {
            assert_eq!(Frame::parse(&stream[..part]).unwrap(), None, "{part} of {whole}");
        }
    }
}

#[test]
fn a_client_masks_and_a_server_must_not() {
    let frame = Build::text("hello").bytes();
    let payload: Vec<u8> = frame[6..].iter().zip(frame[2..6].iter().cycle()).map(|(a, b)| a ^ b).collect();
    assert_eq!((payload.as_slice(), frame[0], frame[1]), (&b"hello"[..], 0x80 | TEXT, 0x85));
    let longest = [&[0x82, 127][..], &[0xFF; 8]].concat();
    for offence in [frame.as_slice(), &[0xC1, 0], &[0x83, 0], &[0x09, 0], &[0x89, 126, 0, 200], &longest] {
        assert!(Frame::parse(offence).is_err(), "{offence:?}");
    }
    let close = Build::close(4003, b"why").unmasked().bytes();
    let close = Frame::parse(&close).unwrap().unwrap();
    assert_eq!((close.opcode, close.close()), (CLOSE, (Some(4003), "why".to_owned())));
}
