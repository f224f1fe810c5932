//! The scenario `preload`: players of `quizhall.v1` load the encrypted copies of a round's pictures, and the host releases the questions.
//! It measures when each player can show the picture.
//!
//! A phone opens its copy on a processor of its own; here all players share one process. So all keys are taken first, and the
//! copies are opened after that: the time of a player is that of its key plus that of opening its copy.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail, ensure};
use quizhall_client::{Api, Endpoint, PlainReader, Reader, Token};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::http::quizzes::QuizBody;
use quizhall_protocol::shapes::{Question, ReleasedMedia};
use quizhall_protocol::to_all::MediaPreload;
use quizhall_protocol::{FromHost, Role, ServerMessage, ToAll};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::game::exact;
use super::host::Host;
use super::outcome::{Outcome, millis};
use super::quiz;
use super::seat::{self, Phone};
use super::trial::{AT_ONCE, TIMEOUT, Venue};
use crate::media::{load_copy, open, picture, upload};
use crate::monotonic;
use crate::users::Spread;

/// Pictures of the round, and bytes of each.
const PICTURES: usize = 3;
const BYTES: usize = 200_000;
/// Within this time of the release a picture is to be seen, microseconds.
const SOON: u64 = 300_000;
/// The name of the figure that has a target.
pub(super) const SHARE: &str = "pictures shown within 300 ms";

/// How many players load, and over how long they spread their loads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Audience {
    pub(super) players: usize,
    pub(super) spread: Duration,
}

/// What a player reports.
enum Report {
    /// A copy is here.
    Loaded(String, Vec<u8>),
    /// A question came, in this moment.
    Released(u64, Box<Question>),
    /// The player cannot continue.
    Failed(anyhow::Error),
}

/// The loaded copies by name, and what the picture of the open question was.
struct Pictures<'a> {
    copies: &'a HashMap<String, Vec<u8>>,
    content: &'a [u8],
}

/// The copies of a question, opened.
#[derive(Default)]
struct Opened {
    to_key: Spread,
    opening: Spread,
    /// How many hold the picture as it was uploaded.
    right: u64,
}

/// Loads, releases and opens.
pub(super) async fn preload(venue: &Venue, audience: Audience) -> anyhow::Result<Outcome> {
    let Audience { players, spread } = audience;
    let endpoint = venue.endpoints.first().context("no server")?;
    let api = Api::new(endpoint.clone()).with_token(venue.token.clone());
    let contents: Vec<Vec<u8>> = (0..PICTURES).map(|number| picture(BYTES, number as u64)).collect();
    let body = illustrated(endpoint, &venue.token, &contents).await?;
    let stored = api.create_quiz(&body).await.context("the quiz could not be stored")?;
    let game = api.create_game(stored.id).await.context("the game could not be opened")?;
    let mut host = Host::connect(endpoint, &venue.token, &game.game_code).await?;
    host.until("its first message", TIMEOUT, |_| true).await?;

    let mut outcome = Outcome::of("preload", 1, players);
    let (begun, cpu) = (monotonic::now(), venue.processes.cpu());
    let (reports, mut reported) = mpsc::channel(AT_ONCE);
    let phones = seat::phones(venue, &game, players, &reports);
    let tasks = seat::start(phones, |phone| play(phone, spread), Report::Failed);
    let copies = loaded(&mut reported, players * PICTURES, spread, &mut outcome).await?;
    outcome.figure("all copies are loaded", millis(monotonic::now() - begun), "ms");
    if venue.processes.known() {
        outcome.figure("CPU of joining and loading", millis(venue.processes.cpu() - cpu), "ms");
    }

    host.send(FromHost::StartGame).await?;
    let mut times = Spread::default();
    for (question, content) in game.rounds.iter().flat_map(|round| &round.questions).zip(&contents) {
        let question_id = question.id.context("a question without an id")?;
        sleep(Duration::from_millis(500)).await;
        let since = monotonic::now();
        host.send(FromHost::ReleaseQuestion(ReleaseQuestion { question_id })).await?;
        let keys = released(&mut reported, players, question_id).await?;
        let opened = shown(&keys, since, &Pictures { copies: &copies, content }, &mut times)?;
        outcome.check("pictures as they were uploaded", opened.right, keys.len() as u64);
        outcome.latency("from the release to the key", &opened.to_key);
        outcome.latency("opening of a copy", &opened.opening);
    }
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    let soon: u64 = times.buckets().iter().filter(|(micros, _)| *micros <= SOON).map(|(_, count)| count).sum();
    outcome.figure(SHARE, 100.0 * exact(soon) / exact(times.count().max(1)), "%");
    outcome.latency("from the release to the picture", &times);
    drop(tasks);
    api.delete_game(game.id).await.context("the game could not be deleted")?;
    api.delete_quiz(stored.id).await.context("the quiz could not be deleted")?;
    Ok(outcome)
}

/// A round of questions with these pictures.
async fn illustrated(endpoint: &Endpoint, token: &Token, contents: &[Vec<u8>]) -> anyhow::Result<QuizBody> {
    let mut body = quiz::of(&[quiz::round(contents.len())]);
    for (question, content) in body.rounds.iter_mut().flat_map(|round| &mut round.questions).zip(contents) {
        let file = upload(endpoint, token, content).await?;
        let media = json!({"id": file.id, "kind": "picture", "alt": "A measured picture"});
        question.media = Some(serde_json::from_value(media).context("a picture of a question")?);
    }
    Ok(body)
}

/// Loads what is named, and reports what comes, until the task is dropped.
async fn play(phone: Arc<Phone<Report>>, spread: Duration) -> anyhow::Result<()> {
    let mut participant = phone.take(PicturesOnly).await?;
    let mut chance = SmallRng::seed_from_u64(phone.number as u64);
    let mut loads = JoinSet::new();
    loop {
        let message = seat::next(&mut participant).await?;
        match message.as_ref() {
            ServerMessage::All(ToAll::MediaPreload(preload)) => {
                let delay = spread.mul_f64(chance.random::<f64>());
                loads.spawn(load(phone.endpoint.clone(), preload.clone(), delay, phone.reports.clone()));
            }
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                let at = monotonic::now();
                phone.reports.send(Report::Released(at, Box::new(released.question.clone()))).await?;
            }
            _ => {}
        }
    }
}

/// Reads only the measured messages: the lists of the lobby would keep this process busy.
struct PicturesOnly;

impl Reader for PicturesOnly {
    fn read(&mut self, text: &str, role: Role) -> Result<Option<Arc<ServerMessage>>, serde_json::Error> {
        let beginning = text.get(..50).unwrap_or(text);
        let is_measured = ["media_preload", "question_released"].iter().any(|kind| beginning.contains(kind));
        if is_measured { PlainReader.read(text, role) } else { Ok(None) }
    }
}

/// Loads all copies, one after the other, from some moment on.
async fn load(endpoint: Endpoint, preload: MediaPreload, delay: Duration, reports: mpsc::Sender<Report>) {
    sleep(delay).await;
    for item in preload.items {
        let report = match load_copy(&endpoint, preload.game_id, &item.name).await {
            Ok(copy) => Report::Loaded(item.name, copy),
            Err(error) => Report::Failed(error),
        };
        if reports.send(report).await.is_err() {
            return;
        }
    }
}

/// Waits for this many copies; returns one of each name, as all copies of a name are equal.
async fn loaded(
    reported: &mut mpsc::Receiver<Report>,
    count: usize,
    spread: Duration,
    outcome: &mut Outcome,
) -> anyhow::Result<HashMap<String, Vec<u8>>> {
    let mut copies: HashMap<String, Vec<u8>> = HashMap::new();
    let mut differing = 0;
    for at in 0..count {
        let report = timeout(TIMEOUT + spread, reported.recv()).await;
        match report.with_context(|| format!("{at} of {count} copies were loaded"))? {
            Some(Report::Loaded(name, copy)) => {
                let known = copies.entry(name).or_insert_with(|| copy.clone());
                differing += u64::from(*known != copy);
            }
            Some(Report::Failed(error)) => return Err(error),
            Some(Report::Released(..)) | None => bail!("a question came before its release"),
        }
    }
    outcome.check("names of copies", copies.len() as u64, PICTURES as u64);
    outcome.check("copies with other bytes", differing, 0);
    Ok(copies)
}

/// Waits until all players have the question; when each had it, and what opens its picture.
async fn released(
    reported: &mut mpsc::Receiver<Report>,
    players: usize,
    question: Uuid,
) -> anyhow::Result<Vec<(u64, ReleasedMedia)>> {
    let mut keys = Vec::with_capacity(players);
    while keys.len() < players {
        match timeout(TIMEOUT, reported.recv()).await.context("some players were sent no question")? {
            Some(Report::Released(at, released)) => {
                ensure!(released.id == question, "another question was released");
                keys.push((at, released.media.context("the question has no picture")?));
            }
            Some(Report::Failed(error)) => return Err(error),
            Some(Report::Loaded(..)) | None => bail!("a copy came again"),
        }
    }
    Ok(keys)
}

/// Opens the copy of each player, and adds when its picture could be shown to `times`.
fn shown(
    keys: &[(u64, ReleasedMedia)],
    since: u64,
    pictures: &Pictures<'_>,
    times: &mut Spread,
) -> anyhow::Result<Opened> {
    let mut opened = Opened::default();
    for (at, media) in keys {
        let copy = pictures.copies.get(&media.name).ok_or_else(|| anyhow!("the copy was not named before"))?;
        let begun = monotonic::now();
        let file = open(copy, media)?;
        let took = monotonic::now() - begun;
        opened.right += u64::from(file == pictures.content);
        let had = at.saturating_sub(since);
        opened.to_key.record(had / 1_000);
        opened.opening.record(took / 1_000);
        times.record((had + took) / 1_000);
    }
    Ok(opened)
}
