//! Pictures and sounds in `quizhall backup`, `verify` and `restore`: they are copied, and damage to them is named.

use std::fs;
use std::path::Path;

use futures_util::future::join_all;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use uuid::Uuid;

use super::{done, err, names, quizhall, run};
use crate::http_media::{PATH, picture};
use crate::process::{HOST_TOKEN, Launch, Server};

/// A database with a quiz whose question has a picture, without a running service; returns the picture's id.
pub async fn with_picture(folder: &Path) -> Uuid {
    let mut server = Server::start(&Launch::new(folder));
    let id = upload(&server, 7).await;
    let question = serde_json::json!({
        "text": "Which instrument?", "type": "text", "correctAnswers": ["Oboe"],
        "media": {"id": id, "kind": "picture", "alt": "A wooden tube with many keys"},
    });
    let quiz = serde_json::json!({"title": "A quiz", "rounds": [{"questions": [question]}]});
    let created = client()
        .post(format!("{}/api/v1/quizzes", server.url()))
        .bearer_auth(HOST_TOKEN)
        .json(&quiz)
        .send()
        .await
        .unwrap();
    assert_eq!(created.status(), 201, "{}", created.text().await.unwrap());
    server.kill();
    id
}

async fn upload(server: &Server, seed: u8) -> Uuid {
    let upload = client().post(format!("{}{PATH}", server.url())).bearer_auth(HOST_TOKEN).body(picture(600_000, seed));
    let file: serde_json::Value = upload.send().await.unwrap().json().await.unwrap();
    file["id"].as_str().unwrap().parse().unwrap()
}

/// Pictures as the service of this folder serves them: status and bytes, none of an answer that is a refusal.
pub async fn read<const COUNT: usize>(folder: &Path, ids: [Uuid; COUNT]) -> [(u16, Vec<u8>); COUNT] {
    let server = Server::start(&Launch::new(folder));
    let read = async |id| {
        let read = client().get(format!("{}{PATH}/{id}", server.url())).bearer_auth(HOST_TOKEN).send().await.unwrap();
        let status = read.status().as_u16();
        (status, if status == 200 { read.bytes().await.unwrap().to_vec() } else { Vec::new() })
    };
    join_all(ids.map(read)).await.try_into().unwrap()
}

/// What is served for a picture that is not there.
const NONE: (u16, Vec<u8>) = (404, Vec::new());

fn client() -> reqwest::Client {
    reqwest::Client::new()
}

/// The output of `quizhall verify FILE`, and its exit code.
fn verified(folder: &Path, file: &Path) -> (String, Option<i32>) {
    let output = quizhall(folder, &["verify".as_ref(), file.as_ref()]).output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

async fn change(file: &Path, (statement, id): (&'static str, Uuid)) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    assert_eq!(sqlx::query(statement).bind(id).execute(&mut connection).await.unwrap().rows_affected(), 1);
    connection.close().await.unwrap();
}

#[tokio::test]
async fn pictures_come_along_and_come_back() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    assert!(quizhall(folder.path(), &["init".as_ref()]).status().unwrap().success());
    let without = shelf.path().join("without.db");
    done(folder.path(), "backup", &without);
    assert_eq!(names(shelf.path()), ["without.db"]);
    let id = with_picture(folder.path()).await;
    let file = shelf.path().join("backup.db");
    let taken = shelf.path().join("backup.db.media");
    fs::write(&taken, "mine").unwrap();
    let refused = run(folder.path(), "backup", &file);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("exists already") && !file.exists(), "{}", err(&refused));
    fs::remove_file(&taken).unwrap();
    let said = done(folder.path(), "backup", &file);
    assert!(said.contains("backup.db.media holds its pictures and sounds"), "{said}");
    assert_eq!(names(shelf.path()), ["backup.db", "backup.db.media", "without.db"]);
    let (said, code) = verified(folder.path(), &file);
    assert!(said.contains(", 1 pictures and sounds read: no damage found.") && code == Some(0), "{said}");

    // The service gets another picture; a restore keeps the replaced database together with its pictures.
    let mut server = Server::start(&Launch::new(folder.path()));
    let later = upload(&server, 8).await;
    server.kill();
    done(folder.path(), "restore", &file);
    assert_eq!(read(folder.path(), [id, later]).await, [(200, picture(600_000, 7)), NONE]);
    let kept = names(folder.path()).into_iter().find(|name| name.contains(".before-restore-")).unwrap();
    done(folder.path(), "restore", &folder.path().join(kept.trim_end_matches(".media")));
    assert_eq!(read(folder.path(), [later]).await, [(200, picture(600_000, 8))]);
    done(folder.path(), "restore", &without);
    assert_eq!(read(folder.path(), [id]).await, [NONE]);
    assert!(!folder.path().join("quizhall.db.media").exists());
}

#[tokio::test]
async fn damage_in_pictures_is_named_and_not_restored() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let used = with_picture(folder.path()).await;
    // A picture in the library belongs to its host even when no quiz uses it yet.
    let mut server = Server::start(&Launch::new(folder.path()));
    let unused = upload(&server, 8).await;
    server.kill();
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    let pictures = shelf.path().join("backup.db.media");
    let whole = fs::read(&pictures).unwrap();
    let zeros = "UPDATE media_part SET body = zeroblob(length(body)) WHERE media_id = $1 AND part = 1";
    let missing = "DELETE FROM media_part WHERE media_id = $1 AND part = 2";
    let flip = "UPDATE media_part SET body = CAST(substr(body, 1, 99) || x'00' || substr(body, 101) AS BLOB)
        WHERE media_id = $1 AND part = 0";
    for (id, damage, what) in [
        (used, zeros, "its bytes are not those that were uploaded"),
        (used, missing, "a part of it is missing"),
        (unused, flip, "its bytes are not those that were uploaded"),
    ] {
        fs::write(&pictures, &whole).unwrap();
        change(&pictures, (damage, id)).await;
        let (said, code) = verified(folder.path(), &file);
        assert!(said.contains(&format!("file {id}: ")) && said.contains(what) && code == Some(1), "{what}: {said}");
        let refused = run(folder.path(), "restore", &file);
        assert!(refused.status.code() == Some(1) && err(&refused).contains("pictures or sounds"), "{}", err(&refused));
    }
    fs::write(&pictures, "this is no database at all, but it is long enough").unwrap();
    let refused = run(folder.path(), "restore", &file);
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
    let unchanged = [(200, picture(600_000, 7)), (200, picture(600_000, 8))];
    assert_eq!(read(folder.path(), [used, unused]).await, unchanged, "the files in place");
}
