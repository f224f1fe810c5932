//! Pictures and sounds in `quizhall backup`, `verify` and `restore`: they are copied, and damage to them is named.

use std::fs;
use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use uuid::Uuid;

use super::{database, done, err, names, quizhall, run};
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

/// The picture as the service of this folder serves it: status and bytes.
pub async fn read(folder: &Path, id: Uuid) -> (u16, Vec<u8>) {
    let server = Server::start(&Launch::new(folder));
    let read = client().get(format!("{}{PATH}/{id}", server.url())).bearer_auth(HOST_TOKEN).send().await.unwrap();
    (read.status().as_u16(), read.bytes().await.unwrap().to_vec())
}

fn client() -> reqwest::Client {
    reqwest::Client::new()
}

/// The output of `quizhall verify FILE`, and its exit code.
fn verified(folder: &Path, file: &Path) -> (String, Option<i32>) {
    let output = quizhall(folder, &["verify".as_ref(), file.as_ref()]).output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

async fn change(file: &Path, statement: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn pictures_come_along_and_come_back() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let id = with_picture(folder.path()).await;
    let file = shelf.path().join("backup.db");
    let said = done(folder.path(), "backup", &file);
    assert!(said.contains("backup.db.media holds its pictures and sounds"), "{said}");
    assert_eq!(names(shelf.path()), ["backup.db", "backup.db.media"]);
    let (said, code) = verified(folder.path(), &file);
    assert!(said.contains(", 1 pictures and sounds read: no damage found.") && code == Some(0), "{said}");

    // The service gets another picture; a restore keeps the replaced database together with its pictures.
    let mut server = Server::start(&Launch::new(folder.path()));
    let later = upload(&server, 8).await;
    server.kill();
    done(folder.path(), "restore", &file);
    assert_eq!(read(folder.path(), id).await, (200, picture(600_000, 7)));
    assert_eq!(read(folder.path(), later).await.0, 404);
    let kept = names(folder.path()).into_iter().find(|name| name.contains(".before-restore-")).unwrap();
    done(folder.path(), "restore", &folder.path().join(kept.trim_end_matches(".media")));
    assert_eq!(read(folder.path(), later).await, (200, picture(600_000, 8)));
}

#[tokio::test]
async fn a_backup_without_pictures_leaves_none_behind() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    database(folder.path(), 1).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    assert_eq!(names(shelf.path()), ["backup.db"]);
    let id = with_picture(folder.path()).await;
    done(folder.path(), "restore", &file);
    assert_eq!(read(folder.path(), id).await.0, 404);
    assert!(!folder.path().join("quizhall.db.media").exists());
}

#[tokio::test]
async fn a_backup_overwrites_no_pictures() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    with_picture(folder.path()).await;
    fs::write(shelf.path().join("backup.db.media"), "mine").unwrap();
    let output = run(folder.path(), "backup", &shelf.path().join("backup.db"));
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("exists already"), "{}", err(&output));
    assert_eq!(names(shelf.path()), ["backup.db.media"]);
}

/// A picture in the library belongs to its host even when no quiz uses it yet.
#[tokio::test]
async fn damage_in_a_picture_that_nothing_uses_is_named_and_not_restored() {
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut server = Server::start(&Launch::new(folder.path()));
    let id = upload(&server, 7).await;
    server.kill();
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    let (said, code) = verified(folder.path(), &file);
    assert!(said.contains(", 1 pictures and sounds read: no damage found.") && code == Some(0), "{said}");
    let flip =
        "UPDATE media_part SET body = CAST(substr(body, 1, 99) || x'00' || substr(body, 101) AS BLOB) WHERE part = 0";
    change(&shelf.path().join("backup.db.media"), flip).await;
    let (said, code) = verified(folder.path(), &file);
    assert!(said.contains(&format!("file {id}: its bytes are not those that were uploaded")), "{said}");
    assert_eq!(code, Some(1));
    let refused = run(folder.path(), "restore", &file);
    assert!(refused.status.code() == Some(1) && err(&refused).contains("pictures or sounds"), "{}", err(&refused));
    assert_eq!(read(folder.path(), id).await, (200, picture(600_000, 7)), "the files in place are unchanged");
}

#[tokio::test]
async fn damage_in_pictures_is_named_and_not_restored() {
    let damages = [
        ("UPDATE media_part SET body = zeroblob(length(body)) WHERE part = 1", "are not those that were uploaded"),
        ("DELETE FROM media_part WHERE part = 2", "a part of it is missing"),
    ];
    for (damage, what) in damages {
        let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let id = with_picture(folder.path()).await;
        let file = shelf.path().join("backup.db");
        done(folder.path(), "backup", &file);
        change(&shelf.path().join("backup.db.media"), damage).await;
        let (said, code) = verified(folder.path(), &file);
        assert!(said.contains(&format!("file {id}: ")) && said.contains(what) && code == Some(1), "{said}");
        let refused = run(folder.path(), "restore", &file);
        assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
        assert_eq!(read(folder.path(), id).await, (200, picture(600_000, 7)), "the files in place are unchanged");
    }
    let (folder, shelf) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    with_picture(folder.path()).await;
    let file = shelf.path().join("backup.db");
    done(folder.path(), "backup", &file);
    fs::write(shelf.path().join("backup.db.media"), "this is no database at all, but it is long enough").unwrap();
    let refused = run(folder.path(), "restore", &file);
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
}
