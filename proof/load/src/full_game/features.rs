//! What `--timers` and `--media` add to the quiz of a full game.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use quizhall_client::Api;
use quizhall_protocol::http::quizzes::QuizBody;
use serde_json::json;
use uuid::Uuid;

use crate::media::{picture, upload};
use crate::pace::Think;

/// What the questions have besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct Features {
    /// A time limit for every question; the host holds the timers, adds time, and ends a round when its questions have closed.
    #[arg(long, conflicts_with = "quiz_id")]
    pub timers: bool,
    /// A picture for every second question: players load the encrypted copies ahead and open them with the released keys.
    #[arg(long, conflicts_with = "quiz_id")]
    pub media: bool,
}

impl Features {
    /// Whether sockets of `quizhall.v1` are needed: one of the host, and of every second player.
    pub fn any(self) -> bool {
        self.timers || self.media
    }
}

/// Seconds that a service gives a question at least and at most.
const SECONDS: (u64, u64) = (5, 600);
/// Pictures of a game; further questions show them again.
const PICTURES: usize = 3;

/// Gives every question without a time limit one that leaves players their thinking time; rounds have none, so that they end with
/// their questions.
pub fn add_time_limits(quiz: &mut QuizBody, think: Think) {
    let seconds = (think.to.as_secs() + 2).clamp(SECONDS.0, SECONDS.1);
    for round in &mut quiz.rounds {
        round.time_limit = None;
        for question in &mut round.questions {
            question.time_limit = question.time_limit.or(u16::try_from(seconds).ok());
        }
    }
}

/// Uploads pictures and gives one to every second question; the contents by the ids of the files. The service deletes what nothing
/// uses any more by itself.
///
/// # Errors
/// When a picture is refused.
pub async fn add_pictures(quiz: &mut QuizBody, api: &Api) -> anyhow::Result<HashMap<Uuid, Arc<Vec<u8>>>> {
    let token = api.token().context("pictures need a host's token")?;
    let (mut files, mut contents) = (Vec::new(), HashMap::new());
    for number in 0..PICTURES {
        let content = picture(9_000 + 12_000 * number, number as u64);
        let file = upload(api.endpoint(), token, &content).await?;
        contents.insert(file.id, Arc::new(content));
        files.push(file.id);
    }
    let questions = quiz.rounds.iter_mut().flat_map(|round| &mut round.questions).step_by(2);
    for (number, (question, file)) in questions.zip(files.iter().cycle()).enumerate() {
        let media = json!({"id": file, "kind": "picture", "alt": format!("Picture {}", number + 1)});
        question.media = Some(serde_json::from_value(media).context("a picture of a question")?);
    }
    Ok(contents)
}
