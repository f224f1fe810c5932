//! One connection: the carrier of the token, typed and skipped messages, and the end.

use quizhall_client::{Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::{Close, CloseCode, FromHost, FromPlayer, Role, ServerMessage, ToAll};
use uuid::Uuid;

use crate::fake::{CODE, Fake, TOKEN, submitted};

fn seat(role: Role) -> Seat {
    Seat { code: CODE.to_owned(), token: Token::new(TOKEN), role }
}

#[tokio::test]
async fn the_token_travels_in_the_header_or_in_the_query_and_never_in_both() {
    let fake = Fake::start().await;
    for (carrier, path, authorization) in [
        (Carrier::Bearer, format!("/ws/{CODE}"), Some(format!("Bearer {TOKEN}"))),
        (Carrier::Query, format!("/ws/{CODE}?token=qp_a-token%2Fwith%2Bsigns"), None),
    ] {
        let (endpoint, seat) = (fake.endpoint(), seat(Role::Player));
        let (socket, peer) = tokio::join!(Socket::connect(&endpoint, &seat, carrier), fake.accept());
        socket.unwrap();
        assert_eq!(peer.path, path);
        assert_eq!(peer.authorization, authorization);
    }
}

#[tokio::test]
async fn messages_are_typed_both_ways_and_unknown_types_skipped() {
    let fake = Fake::start().await;
    let (endpoint, seat) = (fake.endpoint(), seat(Role::Player));
    let (socket, mut peer) = tokio::join!(Socket::connect(&endpoint, &seat, Carrier::Bearer), fake.accept());
    let mut socket = socket.unwrap();
    peer.say(r#"{"type":"something_new","payload":{"a":1}}"#).await;
    peer.say(r#"{"type":"game_started"}"#).await;
    assert_eq!(socket.next().await.unwrap(), Incoming::Message(ServerMessage::All(ToAll::GameStarted)));
    peer.say(r#"{"type":"answer_accepted","payload":{}}"#).await;
    assert!(socket.next().await.is_err(), "a known type of another shape is an error");

    let question_id = Uuid::from_u128(5);
    let answer = FromPlayer::SubmitAnswer(SubmitAnswer { question_id, answer: "x".to_owned() });
    socket.send_player(&answer).await.unwrap();
    assert_eq!(peer.receive().await.unwrap(), submitted(question_id, "x"));
    socket.send_host(&FromHost::EndGame).await.unwrap();
    assert_eq!(peer.receive().await.unwrap(), r#"{"type":"end_game"}"#);

    let close = Close::with_detail(CloseCode::InvalidPayload, "answer");
    let (incoming, ()) = tokio::join!(
        async {
            let incoming = socket.next().await.unwrap();
            socket.close().await;
            incoming
        },
        peer.close(close)
    );
    let Incoming::Closed(closed) = incoming else { panic!("the server closed") };
    assert_eq!(closed.known(), Some(CloseCode::InvalidPayload));
    assert_eq!(closed.reason, "invalid_payload: answer");
}

#[tokio::test]
async fn errors_do_not_carry_the_token() {
    let fake = Fake::start().await;
    let (endpoint, seat) = (fake.endpoint(), seat(Role::Player));
    let (refused, _) =
        tokio::join!(Socket::connect(&endpoint, &seat, Carrier::Query), fake.answer_http("401 Unauthorized", "", "{}"));
    let refused = refused.unwrap_err();
    assert!(refused.is_final());
    drop(fake);
    let unreachable = Socket::connect(&endpoint, &seat, Carrier::Query).await.unwrap_err();
    assert!(!unreachable.is_final());
    for text in [format!("{refused} {refused:?}"), format!("{unreachable} {unreachable:?}"), format!("{seat:?}")] {
        assert!(!text.contains("qp_a-token"), "{text}");
    }
}
