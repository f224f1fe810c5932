//! Messages between nodes as lines.

use std::sync::Arc;

use quizhall::cluster::bus::BusMessage;
use quizhall::cluster::bus::redis::encode::{Encoder, decode};
use quizhall_engine::{EdgeId, FromOwner, ToEdge};
use quizhall_rules::{Change, Event};
use uuid::Uuid;

#[test]
fn the_same_message_for_several_nodes_is_encoded_once_while_it_waits() {
    let (encoder, events): (_, Arc<[Event]>) = (Encoder::default(), Arc::new([Event::new(Change::RoundEnded, None)]));
    let committed = |epoch| {
        let message = ToEdge::Committed { first: 5, chain: None, events: Arc::clone(&events) };
        BusMessage::ToEdge { game: Uuid::nil().into(), from: EdgeId(1), frame: FromOwner { epoch, message } }
    };
    let [first, second, other] = [1, 1, 2].map(|epoch| encoder.encode(&committed(epoch)).unwrap());
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(decode(&first), (vec![committed(1)], 0));
    assert_eq!(decode(&other), (vec![committed(2)], 0), "the same events of another epoch");
    let kept = Arc::downgrade(&other);
    drop(other);
    assert!(kept.upgrade().is_none(), "nothing is kept that does not wait to be sent");
}
