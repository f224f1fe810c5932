//! Every close of the transport (messages.md#close-codes), each with its code and reason; none affects other sockets.

use quizhall_protocol::CloseCode;
use serde_json::json;

use crate::ws_stage::Stage;
use crate::ws_wire::{Frame, frame};

fn code(code: CloseCode) -> (u16, String) {
    (code.number(), code.reason().to_owned())
}

#[tokio::test]
async fn frames_that_break_a_rule() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let mut bystander = stage.player(&game, "Bystander").await;
    let mut compressed = frame(0x81, b"{}");
    compressed[0] |= 0x40;
    let mut declared = vec![0x81, 0xff];
    declared.extend_from_slice(&(i64::MAX as u64).to_be_bytes());
    declared.extend_from_slice(&[1, 2, 3, 4]);
    let mut fragments = frame(0x01, b"{");
    (0..32).for_each(|_| fragments.extend(frame(0x00, b" ")));
    let pings: Vec<u8> = (0..100).flat_map(|_| frame(0x89, b"")).collect();
    let breaches = [
        ("a binary message", frame(0x82, b"{}"), CloseCode::TextOnly),
        ("bad UTF-8", frame(0x81, b"\xc3\x28"), CloseCode::InvalidUtf8),
        ("no mask", vec![0x81, 0x02, b'{', b'}'], CloseCode::ProtocolError),
        ("RSV1 without an extension", compressed, CloseCode::ProtocolError),
        ("a continuation of nothing", frame(0x80, b"{}"), CloseCode::ProtocolError),
        ("an unknown opcode", frame(0x83, b"{}"), CloseCode::ProtocolError),
        ("16 KiB and one byte", frame(0x81, &vec![b' '; 16_385]), CloseCode::MessageTooBig),
        ("a declared length of 2^63 - 1", declared, CloseCode::MessageTooBig),
        ("33 fragments", fragments, CloseCode::MessageTooBig),
        ("100 pings", pings, CloseCode::RateLimited),
        ("a close code no endpoint may send", frame(0x88, &1_005_u16.to_be_bytes()), CloseCode::ProtocolError),
        ("not JSON", frame(0x81, b"hello"), CloseCode::InvalidJson),
        ("a server's type", frame(0x81, br#"{"type":"round_ended"}"#), CloseCode::UnknownType),
    ];
    for (turn, (what, bytes, expected)) in breaches.into_iter().enumerate() {
        let mut wire = stage.player(&game, &format!("Player {turn}")).await;
        wire.raw(&bytes).await;
        assert_eq!(wire.closed().await, code(expected), "{what}");
    }
    bystander.raw(&frame(0x89, b"still here")).await;
    loop {
        match bystander.next().await {
            Frame::Text(text) => assert!(text.contains("lobby_update"), "{text}"),
            Frame::Pong(data) => break assert_eq!(data, b"still here"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_player_may_send_a_sheet_at_once_but_not_a_flood() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let question = stage.questions(&game).await.remove(0);
    let (mut host, mut player) = (stage.host(&game).await, stage.player(&game, "Ann").await);
    host.send(&json!({"type": "start_game"})).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
    player.until("question_released").await;
    let answer = json!({"type": "submit_answer", "payload": {"questionId": question, "answer": "4"}});
    let message = frame(0x81, answer.to_string().as_bytes());
    player.raw(&message.repeat(20)).await;
    for _ in 0..20 {
        player.until("answer_accepted").await;
    }
    player.raw(&message.repeat(30)).await;
    assert_eq!(player.closed().await, code(CloseCode::RateLimited));
}

#[tokio::test]
async fn a_message_begun_must_be_finished_in_time() {
    let stage = Stage::with(&[("MESSAGE_TIMEOUT", "150ms")]).await;
    let game = stage.game().await;
    let unfinished = [
        ("half a header", vec![0x81]),
        ("half a payload", frame(0x81, b"{\"type\":\"start_game\"}")[..10].to_vec()),
        ("a fragment without the last one", frame(0x01, b"{\"type\":")),
        ("fragments of nothing, and pings between", [frame(0x01, b""), frame(0x89, b""), frame(0x00, b"")].concat()),
    ];
    for (turn, (what, bytes)) in unfinished.into_iter().enumerate() {
        let mut wire = stage.player(&game, &format!("Player {turn}")).await;
        wire.raw(&bytes).await;
        assert_eq!(wire.closed().await, code(CloseCode::ReadTimeout), "{what}");
    }
}
