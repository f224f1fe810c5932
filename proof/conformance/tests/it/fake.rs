//! Servers that do one thing, for testing the suite's own client.

use quizhall_conformance::wire::Endpoint;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The answer to the nonce that the suite always sends (RFC 6455 §1.3).
pub const SWITCHING: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                             Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

/// Answers every connection with these bytes once a request head has arrived, then closes.
pub async fn answering(answer: &'static [u8]) -> Endpoint {
    serve(move |mut stream| async move {
        read_head(&mut stream).await;
        stream.write_all(answer).await.expect("the client is there");
    })
    .await
}

/// Accepts every handshake and sends these bytes, then reads until the client goes.
pub async fn sending(frames: Vec<u8>) -> Endpoint {
    serve(move |mut stream| {
        let frames = frames.clone();
        async move {
            read_head(&mut stream).await;
            stream.write_all(SWITCHING.as_bytes()).await.expect("the client is there");
            stream.write_all(&frames).await.expect("the client is there");
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        }
    })
    .await
}

/// Accepts every handshake and echoes each masked frame unmasked, with the same first byte; pings come back as pongs.
pub async fn echoing() -> Endpoint {
    serve(|mut stream| async move {
        read_head(&mut stream).await;
        stream.write_all(SWITCHING.as_bytes()).await.expect("the client is there");
        while let Some((first, payload)) = read_masked(&mut stream).await {
            let first = if first & 0x0F == 0x9 { 0x8A } else { first };
            stream.write_all(&unmasked(first, &payload)).await.expect("the client is there");
        }
    })
    .await
}

/// A server frame of any length.
pub fn unmasked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..=125 => frame.push(u8::try_from(short).expect("at most 125")),
        medium @ 126..=0xFFFF => {
            frame.push(126);
            frame.extend_from_slice(&u16::try_from(medium).expect("at most 65,535").to_be_bytes());
        }
        long => {
            frame.push(127);
            frame.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}

async fn serve<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> Endpoint
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has ports");
    let address = listener.local_addr().expect("a bound listener has an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    Endpoint::parse(&format!("http://{address}")).expect("a loopback address is a URL")
}

async fn read_head(stream: &mut TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
}

async fn read_masked(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let first = stream.read_u8().await.ok()?;
    let second = stream.read_u8().await.ok()?;
    assert!(second & 0x80 != 0, "a client masks its frames");
    let length = match second & 0x7F {
        126 => u64::from(stream.read_u16().await.ok()?),
        127 => stream.read_u64().await.ok()?,
        short => u64::from(short),
    };
    let mut mask = [0; 4];
    stream.read_exact(&mut mask).await.ok()?;
    let mut payload = vec![0; usize::try_from(length).ok()?];
    stream.read_exact(&mut payload).await.ok()?;
    payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
    Some((first, payload))
}
