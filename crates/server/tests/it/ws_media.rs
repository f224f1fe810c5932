//! Pictures before and after their release, over real sockets: the copies that phones load ahead show nothing, and the key comes with
//! the question.

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use serde_json::{Value, json};

use crate::http_media::{PATH, picture};
use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

/// A word in the alternative texts, and in no question.
const CANARY: &str = "canary";

/// A game whose first question has a small picture, the second none, the third a larger one; and the pictures.
async fn game_with_pictures(stage: &Stage) -> (Game, [(String, Vec<u8>); 2]) {
    let pictures = [picture(1_000, 1), picture(600_000, 2)];
    let mut stored = Vec::new();
    for picture in pictures {
        let request = reqwest::Client::new().post(stage.url(PATH)).bearer_auth(HOST).body(picture.clone());
        let file: Value = request.send().await.unwrap().json().await.unwrap();
        stored.push((file["id"].as_str().unwrap().to_owned(), picture));
    }
    let question = |text: &str, id: Option<&str>| {
        let media = id.map(|id| json!({"id": id, "kind": "picture", "alt": format!("{CANARY} of {text}")}));
        json!({"text": text, "type": "text", "correctAnswers": ["yes"], "media": media})
    };
    let questions =
        [question("One?", Some(&stored[0].0)), question("Two?", None), question("Three?", Some(&stored[1].0))];
    (stage.game_of((HOST, json!(questions))).await, stored.try_into().unwrap())
}

async fn speaking(stage: &Stage, game: &Game, token: &str) -> Wire {
    let handshake = Handshake::bearer(token).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &handshake).await.unwrap()
}

/// All messages up to the answer to a `ping`.
async fn all_so_far(wire: &mut Wire) -> Vec<Value> {
    wire.send(&json!({"type": "ping"})).await;
    let mut all = Vec::new();
    loop {
        let message = wire.text().await;
        if message["type"] == "pong" {
            return all;
        }
        all.push(message);
    }
}

async fn load(stage: &Stage, game: &str, name: &str) -> (u16, Vec<u8>) {
    let loaded = reqwest::get(stage.url(&format!("/api/v1/games/{game}/media/{name}"))).await.unwrap();
    (loaded.status().as_u16(), loaded.bytes().await.unwrap_or_default().to_vec())
}

/// Opens a copy as a client does; `None` when the key does not belong to it.
fn opened(sent: &[u8], media: &Value) -> Option<Vec<u8>> {
    let key = (0..64).step_by(2).map(|at| u8::from_str_radix(&media["key"].as_str().unwrap()[at..at + 2], 16).unwrap());
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key.collect::<Vec<_>>()).unwrap());
    let mut file = Vec::new();
    for (number, segment) in (0_u32..).zip(sent.chunks(256 * 1024 + 16)) {
        let mut nonce = [0; 12];
        nonce[..4].copy_from_slice(&number.to_le_bytes());
        let mut segment = segment.to_vec();
        let plain = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut segment).ok()?;
        file.extend_from_slice(plain);
    }
    let bytes = usize::try_from(media["bytes"].as_u64()?).ok()?;
    assert!(file.len() >= bytes && file[bytes..].iter().all(|byte| *byte == 0), "filled up with zeros");
    file.truncate(bytes);
    Some(file)
}

#[tokio::test]
async fn a_copy_is_padded_and_opens_with_the_key_that_comes_with_its_question() {
    let stage = Stage::new().await;
    let (game, pictures) = game_with_pictures(&stage).await;
    let (mut host, player) = (speaking(&stage, &game, HOST).await, stage.join(&game, "Ann").await);
    host.send(&json!({"type": "start_game"})).await;
    host.until("game_started").await;
    let questions = stage.questions(&game).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": questions[1]}})).await;
    host.until("question_released").await;
    let mut phone = speaking(&stage, &game, &player).await;
    let messages = all_so_far(&mut phone).await;
    let text = serde_json::to_string(&messages).unwrap();
    for secret in [CANARY, "\"key\"", "image/png", &pictures[0].0, &pictures[1].0, &questions[0], &questions[2]] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let preload = messages.iter().find(|message| message["type"] == "media_preload").unwrap();
    let items = preload["payload"]["items"].as_array().unwrap();
    let mut sizes: Vec<_> = items.iter().map(|item| item["bytes"].as_u64().unwrap()).collect();
    sizes.sort_unstable();
    // 16 KiB, and the next quarter above 600,000 bytes.
    assert_eq!(sizes, [16_384 + 16, 655_360 + 3 * 16]);

    host.send(&json!({"type": "release_question", "payload": {"questionId": questions[2]}})).await;
    let released = phone.until("question_released").await;
    let media = &released["payload"]["question"]["media"];
    assert_eq!((&media["kind"], &media["type"]), (&json!("picture"), &json!("image/png")));
    let name = media["name"].as_str().unwrap();
    let (status, sent) = load(&stage, &game.id, name).await;
    assert_eq!((status, sent.len() as u64), (200, sizes[1]));
    assert!(opened(&sent, media).unwrap() == pictures[1].1);
    let mut broken = sent.clone();
    broken[5] ^= 1;
    assert_eq!(opened(&broken, media), None, "a damaged copy is noticed");

    let other = stage.game().await;
    for (game, name) in [(other.id.as_str(), name), ("x", name), (&game.id, &pictures[0].0)] {
        assert_eq!(load(&stage, game, name).await.0, 404, "{name} of {game}");
    }
    for wrong in ["0".repeat(32), "g".repeat(32), format!("+{}", &name[1..])] {
        assert_eq!(load(&stage, &game.id, &wrong).await.0, 404, "{wrong}");
    }
    // The bytes of the pictures are lost: the answer is an error, and not zeros in their place.
    let store = &stage.running.app().store;
    store.delete_media_parts(pictures.iter().map(|(id, _)| id.parse().unwrap()).collect()).await.unwrap();
    let unread = items.iter().map(|item| item["name"].as_str().unwrap()).find(|one| *one != name).unwrap();
    assert_eq!(load(&stage, &game.id, unread).await.0, 500);
}
