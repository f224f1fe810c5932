//! `quizhall host export`: everything that an account owns as one JSON document. Never a password hash, a token or its
//! hash.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use quizhall_protocol::http::results::Results;
use quizhall_rules::{Event, State};
use serde::Serialize;
use uuid::Uuid;

use super::Desk;
use crate::clock;
use crate::library::quiz_form;
use crate::results;
use crate::store::{AccountLine, GameRow, StoreError};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account<'a> {
    id: Uuid,
    name: &'a str,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedQuiz {
    id: Uuid,
    created_at: String,
    updated_at: String,
    quiz: quizhall_protocol::http::quizzes::QuizUpload,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedGame {
    id: Uuid,
    game_code: String,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    /// `None` when its log cannot be read.
    results: Option<Results>,
}

/// Writes the account's data into a new file that only this user can read; returns the numbers of quizzes and games. An
/// existing file is not touched, and an unfinished one is removed.
pub(super) async fn run(desk: &Desk, account: &AccountLine, file: &Path) -> anyhow::Result<(usize, usize)> {
    let what = || format!("{} cannot be written", file.display());
    let open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).with_context(what)?;
    let written = write(desk, account, open).await.with_context(what);
    if written.is_err() {
        // The cause of the failed write is reported, not that of the failed removal.
        let _ = std::fs::remove_file(file);
    }
    written
}

async fn write(desk: &Desk, account: &AccountLine, file: File) -> anyhow::Result<(usize, usize)> {
    let mut out = BufWriter::new(file);
    let head = Account {
        id: account.id.uuid(),
        name: &account.name,
        created_at: clock::rfc3339(account.created_at_ms),
        disabled_at: account.disabled_at_ms.map(clock::rfc3339),
    };
    write!(out, "{{\"account\":{},\n\"quizzes\":[", serde_json::to_string(&head)?)?;
    let lines = desk.store.quizzes_of(account.id).await?;
    let mut quizzes = 0;
    for line in lines {
        // The quiz may have been deleted meanwhile.
        let Some(row) = desk.store.quiz(account.id, line.id).await? else { continue };
        let (created_at, updated_at) = (clock::rfc3339(row.created_at_ms), clock::rfc3339(row.updated_at_ms));
        let quiz = ExportedQuiz { id: row.id, created_at, updated_at, quiz: quiz_form::exported(&row)? };
        write!(out, "{}\n{}", if quizzes > 0 { "," } else { "" }, serde_json::to_string(&quiz)?)?;
        quizzes += 1;
    }
    write!(out, "],\n\"games\":[")?;
    let mut games = 0;
    for row in desk.store.all_games_of(account.id).await?.into_iter().filter(|row| !row.closed) {
        let game = game(desk, row).await?;
        write!(out, "{}\n{}", if games > 0 { "," } else { "" }, serde_json::to_string(&game)?)?;
        games += 1;
    }
    writeln!(out, "]}}")?;
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    Ok((quizzes, games))
}

async fn game(desk: &Desk, row: GameRow) -> Result<ExportedGame, StoreError> {
    let results = match desk.store.read_log(row.id, None).await {
        Ok(rows) => {
            replayed(rows.iter().map(|row| row.body.as_str())).as_ref().map(|state| results::collect(state).results)
        }
        Err(error @ (StoreError::Unavailable(_) | StoreError::Full | StoreError::Unusable(_))) => return Err(error),
        Err(_) => None,
    };
    Ok(ExportedGame {
        id: row.id.uuid(),
        game_code: row.code,
        created_at: clock::rfc3339(row.created_at_ms),
        ended_at: row.ended_at_ms.map(clock::rfc3339),
        results,
    })
}

fn replayed<'a>(bodies: impl Iterator<Item = &'a str>) -> Option<State> {
    let mut events: Vec<Event> = Vec::new();
    for body in bodies {
        events.extend(serde_json::from_str::<Vec<Event>>(body).ok()?);
    }
    State::replay(&events).ok()
}
