//! `quizhall quiz …`: quizzes as JSON files, in the format of the HTTP interface.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use quizhall_protocol::http::quizzes::QuizUpload;
use uuid::Uuid;

use super::{Desk, print};
use crate::clock;
use crate::library::{MAX_QUIZZES, quiz_form};

/// The limit of the HTTP interface.
const MAX_BYTES: u64 = 2 << 20;

#[derive(Debug, Subcommand)]
pub(super) enum QuizCommand {
    /// Store a quiz from a JSON file (`-`: standard input) and print its id.
    Import {
        /// The file.
        file: PathBuf,
        /// The account that will own the quiz.
        #[arg(long = "host", value_name = "NAME")]
        host: String,
    },
    /// Print a quiz as JSON.
    Export {
        /// Its id, as `quiz list` shows it.
        id: Uuid,
        /// The account that owns the quiz.
        #[arg(long = "host", value_name = "NAME")]
        host: String,
    },
    /// List an account's quizzes: id, rounds, questions, title.
    List {
        /// The account that owns them.
        #[arg(long = "host", value_name = "NAME")]
        host: String,
    },
}

pub(super) async fn run(command: QuizCommand, desk: Desk) -> anyhow::Result<()> {
    match command {
        QuizCommand::Import { file, host } => {
            let upload: QuizUpload = serde_json::from_str(&text_of(&file)?).context("the file is not a quiz")?;
            let (mut quiz, extras) = upload
                .into_parts()
                .and_then(|(body, extras)| Ok((quiz_form::checked(body)?, extras)))
                .map_err(|mistake| anyhow::anyhow!("{}: {}", mistake.field, mistake.problem))
                .context("the quiz cannot be taken")?;
            let (id, owner) = (Uuid::now_v7(), desk.hosts.find(&host).await?);
            let media = quiz_form::with_media(&desk.store, owner, &mut quiz).await;
            let media = media.context("the quiz cannot be taken")?;
            let row = quiz_form::row(id, owner, &quiz, clock::unix_ms());
            let row = quiz_form::with_extras(row, &quiz, extras);
            if !desk.store.create_quiz(row, media, MAX_QUIZZES).await? {
                bail!("{host} has {MAX_QUIZZES} quizzes already; delete one first");
            }
            print(id)
        }
        QuizCommand::Export { id, host } => {
            let host = desk.hosts.find(&host).await?;
            let row = desk.store.quiz(host, id).await?.context("this account has no such quiz")?;
            print(serde_json::to_string_pretty(&quiz_form::exported(&row)?)?)
        }
        QuizCommand::List { host } => {
            for line in desk.store.quizzes_of(desk.hosts.find(&host).await?).await? {
                print(format!("{}  {:>2}  {:>3}  {}", line.id, line.round_count, line.question_count, line.title))?;
            }
            Ok(())
        }
    }
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let what = || format!("{} cannot be read", file.display());
    let read = if file == Path::new("-") {
        io::stdin().take(MAX_BYTES + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(file).with_context(what)?.take(MAX_BYTES + 1).read_to_string(&mut text)
    };
    if read.with_context(what)? as u64 > MAX_BYTES {
        bail!("{} is larger than 2 MiB", file.display());
    }
    Ok(text)
}
