//! The three lines that an operator sees when the service starts, and the link in them, which works.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

/// The process is killed when this is dropped, also when a test fails.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Started {
    fn on(folder: &Path, address: &str) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_quizhall"))
            .env_clear()
            .env("BIND_ADDR", address)
            .env("DATABASE_URL", format!("sqlite://{}/quizhall.db", folder.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Self(child.unwrap())
    }

    /// Returns the first three lines, runs `between` while the service is running, and returns the rest of its output.
    async fn says(mut self, between: impl AsyncFnOnce(&[String])) -> (Vec<String>, String) {
        let mut said = BufReader::new(self.0.stderr.take().unwrap());
        let mut lines = Vec::new();
        for _ in 0..3 {
            let mut line = String::new();
            said.read_line(&mut line).unwrap();
            lines.push(line.trim_end().to_owned());
        }
        between(&lines).await;
        drop(self);
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        (lines, rest)
    }
}

#[tokio::test]
async fn the_first_start_says_where_to_go_and_the_next_one_too() {
    let folder = TempDir::new().unwrap();
    let (lines, rest) = Started::on(folder.path(), "127.0.0.1:0").says(make_account).await;
    assert!(lines[0].starts_with("Quizhall ") && lines[0].ends_with(" is running."), "{lines:?}");
    let players = lines[2].strip_prefix("  Players: ").unwrap();
    assert!(lines[1].starts_with(&format!("  Host:    {players}/setup#qs_")), "{lines:?}");
    assert_eq!(rest, "", "three lines at most");

    let (lines, rest) = Started::on(folder.path(), "127.0.0.1:0").says(async |_: &[String]| {}).await;
    let players = lines[2].strip_prefix("  Players: ").unwrap();
    assert_eq!((lines[1].clone(), rest.as_str()), (format!("  Host:    {players}/host"), ""));
}

#[tokio::test]
async fn a_host_at_this_machine_and_players_in_its_network() {
    let folder = TempDir::new().unwrap();
    let (lines, _) = Started::on(folder.path(), "0.0.0.0:0").says(async |_: &[String]| {}).await;
    assert!(lines[1].starts_with("  Host:    http://localhost:"), "{lines:?}");
    assert!(lines[2].starts_with("  Players: http://") && !lines[2].contains("0.0.0.0"), "{lines:?}");
}

/// Opens the link as a browser does, and creates the account as the page behind the link does.
async fn make_account(lines: &[String]) {
    let link = lines[1].split_whitespace().find(|word| word.starts_with("http")).unwrap();
    let (page, token) = link.split_once('#').unwrap();
    let client = reqwest::Client::new();
    assert_eq!(client.get(link).send().await.unwrap().status().as_u16(), 200);
    let body = json!({"name": "ann", "password": "long enough", "setupToken": token});
    let accounts = page.replace("/setup", "/api/v1/hosts");
    assert_eq!(client.post(accounts).json(&body).send().await.unwrap().status().as_u16(), 201);
}
