//! The reading half of a connection: frames become events, pings are answered, and a close ends it.

use std::sync::Arc;

use quizhall_client::transport::Stream;
use tokio::io::{ReadHalf, WriteHalf};
use tokio::sync::{Mutex, mpsc};

use super::{Event, write};
use crate::wire::frame::{CLOSE, CONTINUATION, PING, PONG, TEXT};
use crate::wire::{Build, Frame};

pub(super) struct Reader {
    pub read: ReadHalf<Stream>,
    pub buffer: Vec<u8>,
    pub writer: Arc<Mutex<WriteHalf<Stream>>>,
    pub events: mpsc::Sender<Event>,
}

impl Reader {
    pub async fn run(mut self) {
        let mut message: Option<Vec<u8>> = None;
        loop {
            let event = match Frame::read(&mut self.read, &mut self.buffer).await {
                Ok(Some(frame)) => self.event(frame, &mut message).await,
                Ok(None) => Some(Event::Lost("the connection ended without a close frame".to_owned())),
                Err(error) => Some(Event::Lost(format!("{error:#}"))),
            };
            let Some(event) = event else { continue };
            let last = matches!(event, Event::Closed(..) | Event::Lost(_));
            if self.events.send(event).await.is_err() || last {
                return;
            }
        }
    }

    async fn event(&mut self, frame: Frame, message: &mut Option<Vec<u8>>) -> Option<Event> {
        match (frame.opcode, message.take()) {
            (TEXT, None) if frame.fin => Some(text(frame.payload)),
            (TEXT, None) => {
                *message = Some(frame.payload);
                None
            }
            (CONTINUATION, Some(mut begun)) => {
                begun.extend(frame.payload);
                if frame.fin {
                    return Some(text(begun));
                }
                *message = Some(begun);
                None
            }
            (PING, begun) => {
                *message = begun;
                self.answer(&Build::new(PONG, frame.payload)).await;
                None
            }
            (PONG, begun) => {
                *message = begun;
                Some(Event::Pong(frame.payload))
            }
            (CLOSE, _) => {
                let (code, reason) = frame.close();
                self.answer(&Build::new(CLOSE, frame.payload.get(..2).unwrap_or_default())).await;
                Some(Event::Closed(code, reason))
            }
            (opcode, _) => Some(Event::Lost(format!("the server sent a frame of opcode {opcode} out of place"))),
        }
    }

    /// A reply that cannot be written is not an event; the end of the connection will be one.
    async fn answer(&self, frame: &Build) {
        let _ = write(&self.writer, &frame.bytes()).await;
    }
}

fn text(bytes: Vec<u8>) -> Event {
    match String::from_utf8(bytes) {
        Ok(text) => Event::Message(text),
        Err(_) => Event::Lost("the server sent text that is not UTF-8".to_owned()),
    }
}
