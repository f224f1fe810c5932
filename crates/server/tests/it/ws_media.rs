//! Pictures before and after their release, over real sockets: the copies that phones load ahead show nothing, the key comes with
//! the question, and a socket without the extension receives what it always received.

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

fn named<'a>(messages: &'a [Value], kind: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["type"] == kind).map(|message| &message["payload"]).collect()
}

#[tokio::test]
async fn nothing_but_count_and_padded_size_is_sent_before_the_release() {
    let stage = Stage::new().await;
    let (game, pictures) = game_with_pictures(&stage).await;
    let player = stage.join(&game, "Ann").await;
    let mut host = speaking(&stage, &game, HOST).await;
    let mut phone = speaking(&stage, &game, &player).await;
    host.send(&json!({"type": "start_game"})).await;
    host.until("game_started").await;
    let questions = stage.questions(&game).await;
    host.send(&json!({"type": "release_question", "payload": {"questionId": questions[1]}})).await;
    phone.until("lobby_update").await;
    let released = phone.until("question_released").await;
    assert_eq!(released["payload"]["question"]["media"], Value::Null, "it has no picture");
    drop(phone);

    let mut phone = speaking(&stage, &game, &player).await;
    let messages = all_so_far(&mut phone).await;
    let text = serde_json::to_string(&messages).unwrap();
    for secret in [CANARY, "\"key\"", "image/png", &pictures[0].0, &pictures[1].0, &questions[0], &questions[2]] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let preload = named(&messages, "media_preload");
    let [preload] = preload[..] else { panic!("{messages:?}") };
    assert_eq!(preload["gameId"], game.id.as_str());
    let items = preload["items"].as_array().unwrap();
    let mut sizes = Vec::new();
    for item in items {
        let (status, sent) = load(&stage, &game.id, item["name"].as_str().unwrap()).await;
        assert_eq!((status, sent.len() as u64), (200, item["bytes"].as_u64().unwrap()));
        for (_, picture) in &pictures {
            let is_readable = sent.windows(24).any(|window| window == &picture[..24]);
            assert!(!is_readable, "the copy is encrypted");
        }
        sizes.push(sent.len());
    }
    sizes.sort_unstable();
    // 16 KiB, and the next quarter above 600,000 bytes.
    assert_eq!(sizes, [16_384 + 16, 655_360 + 3 * 16]);
    let names: Vec<_> = items.iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted(), "by name: {names:?}");
}

#[tokio::test]
async fn the_key_comes_with_the_question_and_again_after_a_reconnect() {
    let stage = Stage::new().await;
    let (game, pictures) = game_with_pictures(&stage).await;
    let player = stage.join(&game, "Ann").await;
    let questions = stage.questions(&game).await;
    let mut host = speaking(&stage, &game, HOST).await;
    let mut phone = speaking(&stage, &game, &player).await;
    host.send(&json!({"type": "start_game"})).await;
    for (question, picture) in [(&questions[2], &pictures[1].1), (&questions[0], &pictures[0].1)] {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        let of_host = host.until("question_released").await;
        let released = phone.until("question_released").await;
        assert_eq!(of_host, released);
        let media = &released["payload"]["question"]["media"];
        assert_eq!((&media["kind"], &media["type"]), (&json!("picture"), &json!("image/png")));
        assert!(media["alt"].as_str().unwrap().starts_with(CANARY));
        let (_, sent) = load(&stage, &game.id, media["name"].as_str().unwrap()).await;
        assert!(opened(&sent, media).unwrap() == **picture);
        let mut broken = sent.clone();
        broken[5] ^= 1;
        assert_eq!(opened(&broken, media), None, "a damaged copy is noticed");
    }
    let mut again = speaking(&stage, &game, &player).await;
    let messages = all_so_far(&mut again).await;
    let media = named(&messages, "question_released");
    assert!(media.len() == 2 && media.iter().all(|one| one["question"]["media"]["key"].is_string()), "{messages:?}");
    assert_eq!(named(&messages, "media_preload").len(), 1);
}

#[tokio::test]
async fn no_other_name_loads_anything() {
    let stage = Stage::new().await;
    let (game, pictures) = game_with_pictures(&stage).await;
    let other = stage.game().await;
    let mut phone = speaking(&stage, &game, &stage.join(&game, "Ann").await).await;
    let messages = all_so_far(&mut phone).await;
    let name = named(&messages, "media_preload")[0]["items"][0]["name"].as_str().unwrap();
    assert_eq!(load(&stage, &game.id, name).await.0, 200);
    assert_eq!(load(&stage, &other.id, name).await.0, 404);
    for wrong in
        ["0".repeat(32), "g".repeat(32), format!("+{}", &name[1..]), pictures[0].0.clone(), name.to_uppercase()]
    {
        assert_eq!(load(&stage, &game.id, &wrong).await.0, if wrong == name { 200 } else { 404 }, "{wrong}");
    }
    assert_eq!(load(&stage, "x", name).await.0, 404);
    // The bytes of the picture are lost: the answer is an error, and not zeros in their place.
    let store = &stage.running.app().store;
    store.delete_media_parts(pictures.iter().map(|(id, _)| id.parse().unwrap()).collect()).await.unwrap();
    let unread = named(&messages, "media_preload")[0]["items"][1]["name"].as_str().unwrap();
    assert_eq!(load(&stage, &game.id, unread).await.0, 500);
}
