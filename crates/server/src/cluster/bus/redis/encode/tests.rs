//! Unit tests of `cluster::bus::redis::encode`.

#![allow(clippy::unwrap_used)]
use quizhall_rules::Change;
use uuid::Uuid;

use super::*;

fn committed(epoch: u64, events: &Arc<[Event]>) -> BusMessage {
    let message = ToEdge::Committed { first: 5, chain: None, events: Arc::clone(events) };
    BusMessage::ToEdge { game: Uuid::nil().into(), from: EdgeId(1), frame: FromOwner { epoch, message } }
}

fn events() -> Arc<[Event]> {
    Arc::new([Event::new(Change::RoundEnded, None)])
}

#[test]
fn the_same_message_for_several_nodes_is_encoded_once_while_it_waits() {
    let (encoder, events) = (Encoder::default(), events());
    let first = encoder.encode(&committed(1, &events)).unwrap();
    let second = encoder.encode(&committed(1, &events)).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(decode(&first), (vec![committed(1, &events)], 0));

    let other = encoder.encode(&committed(2, &events)).unwrap();
    assert_eq!(decode(&other), (vec![committed(2, &events)], 0), "the same events of another epoch");
    drop(other);
    let place = encoder.place(&events).lock().unwrap();
    assert!(place.as_ref().unwrap().encoded.upgrade().is_none(), "nothing is kept that does not wait to be sent");
}

#[test]
fn a_line_that_is_no_message_harms_no_other() {
    let (encoder, events) = (Encoder::default(), events());
    let line = encoder.encode(&committed(1, &events)).unwrap();
    let mixed = [line.as_slice(), b"{}\n\nnot json\n", line.as_slice()].concat();
    let (messages, unknown) = decode(&mixed);
    assert_eq!((messages.len(), unknown), (2, 2));
}
