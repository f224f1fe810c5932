//! The dialect of a connection: `quizhall.v1` is offered in the handshake, and its messages are sent only where it was taken.

use quizhall_client::{Carrier, Event, Options, Participant, Seat, Socket, Token};
use quizhall_protocol::{Dialect, FromHost, Role};

use crate::fake::{CODE, Fake, TOKEN};

#[tokio::test]
async fn v1_is_offered_and_a_server_without_it_is_no_connection() {
    let fake = Fake::start().await;
    let seat = Seat { code: CODE.to_owned(), token: Token::new(TOKEN), role: Role::Host };
    let endpoint = fake.endpoint();
    let opening = Socket::connect_speaking(&endpoint, &seat, Carrier::Bearer, Dialect::QuizhallV1);
    let (socket, mut peer) = tokio::join!(opening, fake.accept());
    assert_eq!(peer.offered.as_deref(), Some("quizhall.v1"));
    let mut socket = socket.unwrap();
    socket.send_host(&FromHost::UndoMarking).await.unwrap();
    assert_eq!(peer.receive().await.unwrap(), r#"{"type":"undo_marking"}"#);
    socket.ping().await.unwrap();
    assert_eq!(peer.receive().await.unwrap(), r#"{"type":"ping"}"#);
    let opening = Socket::connect_speaking(&endpoint, &seat, Carrier::Bearer, Dialect::QuizhallV1);
    let (refused, peer) = tokio::join!(opening, fake.accept_silently());
    assert!(refused.is_err() && peer.offered.is_some());
}

#[tokio::test]
async fn a_participant_sends_messages_of_v1_only_where_they_exist() {
    let fake = Fake::start().await;
    for dialect in [Dialect::Interface, Dialect::QuizhallV1] {
        let speaks = dialect == Dialect::QuizhallV1;
        let mut host = Participant::new(Options { dialect, ..fake.options(Role::Host) });
        let (event, mut peer) = tokio::join!(host.next(), fake.accept());
        assert!(matches!(event, Event::Connected), "{event:?}");
        assert_eq!((host.command(&FromHost::UndoMarking), peer.offered.is_some()), (speaks, speaks));
        assert_eq!(host.ping(), speaks);
        for sent in [r#"{"type":"undo_marking"}"#, r#"{"type":"ping"}"#].into_iter().filter(|_| speaks) {
            let received = tokio::select! {
                received = peer.receive() => received,
                never = async { loop { host.next().await; } } => never,
            };
            assert_eq!(received.unwrap(), sent);
        }
    }
}
