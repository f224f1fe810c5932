//! Closes of the transport that are limits (messages.md#close-codes): how much at once, and how long for one message.

use quizhall_protocol::CloseCode;
use serde_json::json;

use crate::ws_stage::Stage;
use crate::ws_wire::frame;

fn code(code: CloseCode) -> (u16, String) {
    (code.number(), code.reason().to_owned())
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
