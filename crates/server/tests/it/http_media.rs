//! Pictures and sounds over HTTP: which files are accepted, who owns them, how much may be stored, and for how long.

use std::time::Instant;

use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

pub const PATH: &str = "/api/v1/media";

/// A picture of this length: the beginning of a PNG, then bytes that depend on `seed`.
pub fn picture(length: usize, seed: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(
        (bytes.len()..length).map(|at| u8::try_from(at % 251).unwrap() ^ u8::try_from(at / 251 % 256).unwrap() ^ seed),
    );
    bytes
}

fn sound(length: usize) -> Vec<u8> {
    let mut bytes = b"OggS\0\x02\0\0\0\0\0\0".to_vec();
    bytes.resize(length, 3);
    bytes
}

impl Stage {
    pub async fn upload(&self, token: &str, file: impl Into<Vec<u8>>) -> Reply {
        self.send(Ask::new("POST", PATH).body(file).bearer(token)).await
    }

    async fn download(&self, token: &str, id: &str) -> Reply {
        self.send(Ask::get(&format!("{PATH}/{id}")).bearer(token)).await
    }
}

fn id(reply: &Reply) -> String {
    reply.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_file_comes_back_byte_for_byte() {
    let stage = Stage::new().await;
    for (file, of) in [(picture(20, 1), "image/png"), (picture(600_000, 3), "image/png"), (sound(5 << 20), "audio/ogg")]
    {
        let reply = stage.upload(SCRIPT, file.clone()).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        assert_eq!(reply.json()["type"], of);
        assert_eq!(reply.json()["bytes"], file.len());
        let read = stage.download(SCRIPT, &id(&reply)).await;
        assert_eq!((read.status, read.header("content-type")), (200, of));
        assert_eq!(read.header("content-length"), file.len().to_string());
        assert_eq!(read.header("cache-control"), "private, max-age=31536000, immutable");
        assert_eq!(read.header("x-content-type-options"), "nosniff");
        assert!(read.body == file, "{of} of {} bytes", file.len());
    }
}

#[tokio::test]
async fn a_file_belongs_to_its_host() {
    let stage = Stage::new().await;
    let bob = stage.host("Bob").await;
    let file = id(&stage.upload(SCRIPT, picture(100, 1)).await);
    assert_eq!(stage.download(&bob, &file).await.status, 404);
    assert_eq!(stage.send(Ask::new("DELETE", &format!("{PATH}/{file}")).bearer(&bob)).await.status, 404);
    assert_eq!(stage.send(Ask::get(PATH).bearer(&bob)).await.json()["media"].as_array().unwrap().len(), 0);
    // The same bytes from another host are a separate file.
    let bobs = stage.upload(&bob, picture(100, 1)).await;
    assert_eq!(bobs.status, 201);
    assert_ne!(id(&bobs), file);
}

#[tokio::test]
async fn a_file_that_is_no_picture_or_sound_is_refused() {
    let stage = Stage::new().await;
    let cases: [(Vec<u8>, u16); 7] = [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), 415),
        (b"GIF89a and more bytes".to_vec(), 415),
        (b"\x89PN".to_vec(), 415),
        (Vec::new(), 422),
        (picture((2 << 20) + 1, 1), 413),
        (sound((5 << 20) + 1), 413),
        (picture((5 << 20) + 1, 1), 413),
    ];
    for (file, status) in cases {
        let length = file.len();
        let reply = stage.upload(SCRIPT, file).await;
        assert_eq!((reply.status, reply.problem().field.as_deref()), (status, Some("file")), "{length} bytes");
    }
    assert!(stage.app.store.media_with_parts(uuid::Uuid::nil()).await.unwrap().is_empty(), "no part of them remains");
    let declared = Ask::new("POST", PATH).bearer(SCRIPT).header("content-length", "99999999");
    assert_eq!(stage.send(declared).await.status, 413, "before the body is read");
}

#[tokio::test]
async fn a_host_may_store_a_limited_number_of_bytes() {
    let stage = Stage::with(&[("MEDIA_PER_HOST", "100000")]).await;
    let first = stage.upload(SCRIPT, picture(60_000, 1)).await;
    assert_eq!(first.status, 201);
    let second = stage.upload(SCRIPT, picture(60_000, 2)).await;
    assert_eq!((second.status, second.problem().field.as_deref()), (507, Some("file")));
    let list = stage.send(Ask::get(PATH).bearer(SCRIPT)).await.json();
    assert_eq!((&list["bytes"], &list["limit"]), (&60_000.into(), &100_000.into()));
    let delete = Ask::new("DELETE", &format!("{PATH}/{}", id(&first))).bearer(SCRIPT);
    assert_eq!(stage.send(delete).await.status, 204);
    assert_eq!(stage.download(SCRIPT, &id(&first)).await.status, 404);
    assert_eq!(stage.upload(SCRIPT, picture(60_000, 2)).await.status, 201);
}

#[tokio::test]
async fn a_host_sends_a_limited_number_of_files_a_minute() {
    let stage = Stage::new().await;
    let start = Instant::now();
    let mut refused = 0_u32;
    for _ in 0..125 {
        let reply = stage.upload(SCRIPT, b"no file".to_vec()).await;
        refused += u32::from(reply.status == 429 && !reply.header("retry-after").is_empty());
    }
    // 120 at once, and two more with each second that this took.
    let earned = start.elapsed().as_secs_f64() * 2.0;
    assert!(refused <= 5 && f64::from(refused) + earned.ceil() >= 5.0, "{refused} refused, {earned} earned");
}

#[tokio::test]
async fn the_same_content_is_stored_once_and_mends_a_file_with_a_missing_part() {
    let stage = Stage::new().await;
    let first = stage.upload(SCRIPT, picture(300_000, 1)).await;
    let second = stage.upload(SCRIPT, picture(300_000, 1)).await;
    assert_eq!((first.status, second.status), (201, 200));
    assert_eq!(first.json(), second.json());
    let list = stage.send(Ask::get(PATH).bearer(SCRIPT)).await.json();
    assert_eq!((list["media"].as_array().unwrap().len(), &list["bytes"]), (1, &json!(300_000)));
    assert_eq!(stage.app.store.media_with_parts(uuid::Uuid::nil()).await.unwrap().len(), 1);

    let file = id(&first);
    stage.app.store.delete_media_parts(vec![file.parse().unwrap()]).await.unwrap();
    let reply = stage.download(SCRIPT, &file).await;
    assert_eq!((reply.status, reply.problem().status), (500, 500), "an error, and not a broken picture");
    let again = stage.upload(SCRIPT, picture(300_000, 1)).await;
    assert_eq!((again.status, id(&again)), (200, file.clone()));
    assert!(stage.download(SCRIPT, &file).await.body == picture(300_000, 1));
}

/// A quiz whose one question has this picture or sound.
fn quiz_with(media: &Value) -> Value {
    let question = json!({"text": "Which?", "type": "text", "correctAnswers": ["Oboe"], "media": media});
    json!({"title": "A quiz", "rounds": [{"title": "", "questions": [question]}]})
}

#[tokio::test]
async fn a_question_has_a_picture_of_its_author() {
    let stage = Stage::new().await;
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x20\0\0\x02\x58\x08\x06\0\0\0".to_vec();
    file.resize(100, 7);
    let file = id(&stage.upload(SCRIPT, file).await);
    // Values that only the server can know are not taken from the client.
    let media = json!({
        "id": file, "kind": "picture", "alt": "A wooden tube", "type": "text/html", "bytes": 7, "width": 7, "height": 7,
    });
    let created = stage.send(Ask::post("/api/v1/quizzes", &quiz_with(&media)).bearer(SCRIPT)).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let path = format!("/api/v1/quizzes/{}", id(&created));
    let stored = stage.send(Ask::get(&path).bearer(SCRIPT)).await.json();
    let expected = json!({
        "id": file, "kind": "picture", "alt": "A wooden tube", "type": "image/png", "bytes": 100, "width": 800, "height": 600,
    });
    assert_eq!(stored["rounds"][0]["questions"][0]["media"], expected);

    let line = |list: Value| (list["media"][0]["quizzes"].clone(), list["media"][0]["games"].clone());
    assert_eq!(line(stage.send(Ask::get(PATH).bearer(SCRIPT)).await.json()), (1.into(), 0.into()));
    let (game, _) = stage.game_of(&id(&created)).await;
    assert_eq!(line(stage.send(Ask::get(PATH).bearer(SCRIPT)).await.json()), (1.into(), 1.into()));
    let delete = Ask::new("DELETE", &format!("{PATH}/{file}")).bearer(SCRIPT);
    assert_eq!(stage.send(delete.clone()).await.status, 409);

    let without = Ask::new("PUT", &path).json(&quiz_with(&Value::Null)).bearer(SCRIPT);
    assert_eq!(stage.send(without).await.status, 200);
    assert_eq!(line(stage.send(Ask::get(PATH).bearer(SCRIPT)).await.json()), (0.into(), 1.into()));
    assert_eq!(stage.send(delete).await.status, 409, "a game that is kept uses it");
    let frozen = stage.send(Ask::get(&format!("/api/v1/games/{game}")).bearer(SCRIPT)).await.json();
    assert_eq!(frozen["rounds"][0]["questions"][0]["media"], expected, "the game keeps its copy of the quiz");
}

#[tokio::test]
async fn a_question_without_a_proper_file_is_refused_by_its_field() {
    let stage = Stage::new().await;
    let bob = stage.host("Bob").await;
    let file = id(&stage.upload(SCRIPT, picture(100, 1)).await);
    let heard = id(&stage.upload(SCRIPT, sound(100)).await);
    let bobs = id(&stage.upload(&bob, picture(100, 2)).await);
    let nothing = uuid::Uuid::now_v7().to_string();
    let long = "x".repeat(301);
    let cases = [
        (json!({"id": bobs, "kind": "picture", "alt": "A tube"}), "media.id"),
        (json!({"id": nothing, "kind": "picture", "alt": "A tube"}), "media.id"),
        (json!({"id": heard, "kind": "picture", "alt": "A tube"}), "media.kind"),
        (json!({"id": file, "kind": "sound"}), "media.kind"),
        (json!({"id": file, "kind": "film", "alt": "A tube"}), "media.kind"),
        (json!({"id": file, "kind": "picture"}), "media.alt"),
        (json!({"id": file, "kind": "picture", "alt": "  "}), "media.alt"),
        (json!({"id": file, "kind": "picture", "alt": long}), "media.alt"),
        (json!({"kind": "picture", "alt": "A tube"}), "media.id"),
    ];
    for (media, field) in cases {
        let reply = stage.send(Ask::post("/api/v1/quizzes", &quiz_with(&media)).bearer(SCRIPT)).await;
        let place = format!("rounds[0].questions[0].{field}");
        assert_eq!((reply.status, reply.problem().field), (422, Some(place)), "{media}");
    }
    let proper = quiz_with(&json!({"id": heard, "kind": "sound"}));
    assert_eq!(stage.send(Ask::post("/api/v1/quizzes", &proper).bearer(SCRIPT)).await.status, 201);
}

#[tokio::test]
async fn unused_files_are_purged_with_the_remains_of_uploads() {
    const HOUR_MS: i64 = 60 * 60 * 1_000;
    let stage = Stage::new().await;
    let (store, retention) = (&stage.app.store, &stage.app.retention);
    let used = id(&stage.upload(SCRIPT, picture(300_000, 1)).await);
    let unused = id(&stage.upload(SCRIPT, picture(300_000, 2)).await);
    let quiz = quiz_with(&json!({"id": used, "kind": "picture", "alt": "A tube"}));
    assert_eq!(stage.send(Ask::post("/api/v1/quizzes", &quiz).bearer(SCRIPT)).await.status, 201);
    let broken_off = uuid::Uuid::now_v7();
    store.put_media_part(broken_off, 0, vec![1; 100]).await.unwrap();

    let now = quizhall::clock::unix_ms();
    assert_eq!(retention.purge_media(now).await.unwrap(), 0);
    assert!(store.media_part(broken_off, 0).await.unwrap().is_some(), "it may still be on its way");
    assert_eq!(retention.purge_media(now + 23 * HOUR_MS).await.unwrap(), 0);
    assert!(store.media_part(broken_off, 0).await.unwrap().is_none());
    assert_eq!(stage.download(SCRIPT, &unused).await.status, 200, "the grace period is a day");
    assert_eq!(retention.purge_media(now + 25 * HOUR_MS).await.unwrap(), 1);
    assert_eq!(stage.download(SCRIPT, &unused).await.status, 404);
    assert_eq!(stage.download(SCRIPT, &used).await.body, picture(300_000, 1));
    assert_eq!(store.media_with_parts(uuid::Uuid::nil()).await.unwrap().len(), 1);
}
