//! The scenario `phones`: what the phone of a player over `quizhall.v1` is sent, in bytes of frames, from its connection to the
//! first question, and from the end of a round to the last message of its scores.
//!
//! All players join at once, so that each sees the others come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};
use quizhall_client::{Api, PlainReader, Reader};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::{FromHost, Role, ServerMessage, ToAll, ToPlayer};
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

use super::game::exact;
use super::host::Host;
use super::outcome::{Outcome, millis};
use super::quiz;
use super::seat::{self, Phone, name};
use super::trial::{AT_ONCE, TIMEOUT, Venue};
use crate::monotonic;

/// The figures that have targets: what nine of ten phones stay below.
pub(super) const BEFORE: &str = "bytes before the first question, p90";
pub(super) const SCORES: &str = "bytes of a released round, p90";
/// Characters of a question, as hosts write them.
const TEXT: usize = 60;

/// What a player reports.
enum Report {
    /// The first question arrived: bytes received until then, and whether the phone knew the number of players.
    Asked(u64, bool),
    /// The scores of the round arrived: bytes received since its end, and whether the board has the player.
    Scored(u64, bool),
    /// The player cannot continue.
    Failed(anyhow::Error),
}

/// Joins, plays a round of this many questions, and counts bytes.
pub(super) async fn phones(venue: &Venue, players: usize, questions: usize) -> anyhow::Result<Outcome> {
    let endpoint = venue.endpoints.first().context("no server")?;
    let api = Api::new(endpoint.clone()).with_token(venue.token.clone());
    let stored = api.create_quiz(&quiz::of(&[vec![TEXT; questions]])).await.context("the quiz could not be stored")?;
    let game = api.create_game(stored.id).await.context("the game could not be opened")?;
    let mut host = Host::connect(endpoint, &venue.token, &game.game_code).await?;
    let mut outcome = Outcome::of("phones", 1, players);
    let begun = monotonic::now();
    let (reports, mut reported) = mpsc::channel(AT_ONCE);
    let phones = seat::phones(venue, &game, players, &reports);
    let tasks = seat::start(phones, |phone| play(phone, players), Report::Failed);
    host.until("all players in the lobby", TIMEOUT, |seen| seen.players == players).await?;

    host.send(FromHost::StartGame).await?;
    for question in game.rounds.iter().flat_map(|round| &round.questions) {
        let question_id = question.id.context("a question without an id")?;
        host.send(FromHost::ReleaseQuestion(ReleaseQuestion { question_id })).await?;
    }
    let asked = collect(&mut reported, players, |report| match report {
        Report::Asked(bytes, knows) => Some((bytes, knows)),
        _ => None,
    });
    let asked = asked.await.context("the first question")?;
    add(&mut outcome, [BEFORE, "bytes before the first question, most", "phones with the number of players"], &asked);
    let all = u32::try_from(players)?;
    let is_answered = |count: &u32| *count == all;
    host.until("all answers", TIMEOUT, |seen| {
        seen.counts.values().filter(|count| is_answered(count)).count() == questions
    })
    .await?;
    host.send(FromHost::EndRound).await?;
    host.send(FromHost::ReleaseScores).await?;
    let own_scores = collect(&mut reported, players, |report| match report {
        Report::Scored(bytes, has_own) => Some((bytes, has_own)),
        _ => None,
    });
    let own_scores = own_scores.await.context("the scores")?;
    add(&mut outcome, [SCORES, "bytes of a released round, most", "phones with their own place"], &own_scores);
    outcome.seconds = millis(monotonic::now() - begun) / 1e3;
    drop(tasks);
    api.delete_game(game.id).await.context("the game could not be deleted")?;
    api.delete_quiz(stored.id).await.context("the quiz could not be deleted")?;
    Ok(outcome)
}

/// Adds what nine of ten and all phones stay below, and checks that each was sent the right thing.
fn add(outcome: &mut Outcome, [most_stay_below, most, right]: [&str; 3], reports: &[(u64, bool)]) {
    let are_right = reports.iter().filter(|(_, is_right)| *is_right).count();
    outcome.check(right, are_right as u64, reports.len() as u64);
    let mut bytes: Vec<u64> = reports.iter().map(|(bytes, _)| *bytes).collect();
    bytes.sort_unstable();
    let at = |share: usize| exact(bytes[(bytes.len() * share).div_ceil(100) - 1]);
    outcome.figure(most_stay_below, at(90), "");
    outcome.figure(most, at(100), "");
}

async fn collect(
    reported: &mut mpsc::Receiver<Report>,
    players: usize,
    of: impl Fn(Report) -> Option<(u64, bool)>,
) -> anyhow::Result<Vec<(u64, bool)>> {
    let mut collected = Vec::with_capacity(players);
    while collected.len() < players {
        match timeout(TIMEOUT, reported.recv()).await.context("some players were not sent it")? {
            Some(Report::Failed(error)) => return Err(error),
            Some(report) => collected.push(of(report).context("a player was sent it twice")?),
            None => bail!("no player is left"),
        }
    }
    Ok(collected)
}

/// Answers each question and reports what came, until the task is dropped.
async fn play(phone: Arc<Phone<Report>>, players: usize) -> anyhow::Result<()> {
    let (number, reports) = (phone.number, &phone.reports);
    let bytes = Arc::new(AtomicU64::new(0));
    let mut participant = phone.take(Counting(Arc::clone(&bytes))).await?;
    let sent = || bytes.load(Ordering::Relaxed);
    let (mut first, mut closed_at, mut total): (Option<Uuid>, u64, usize) = (None, 0, 0);
    loop {
        let message = seat::next(&mut participant).await?;
        match message.as_ref() {
            ServerMessage::All(ToAll::LobbyUpdate(lobby)) => {
                total = lobby.total.map_or(lobby.players.len(), |total| total as usize);
            }
            ServerMessage::Player(ToPlayer::LobbyChanged(changed)) => total = changed.total as usize,
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                if first.replace(released.question.id).is_none() {
                    reports.send(Report::Asked(sent(), total == players)).await?;
                }
                participant.answer(released.question.id, format!("answer {}", number % 7));
            }
            ServerMessage::All(ToAll::RoundEnded) => closed_at = sent(),
            ServerMessage::Player(ToPlayer::ScoreboardUpdate(board)) => {
                let name = name(number);
                let has_own = board.leaderboard.iter().any(|entry| entry.display_name == name);
                reports.send(Report::Scored(sent() - closed_at, has_own)).await?;
            }
            _ => {}
        }
    }
}

/// Counts the bytes of each frame, and reads what the measurement waits for.
struct Counting(Arc<AtomicU64>);

impl Reader for Counting {
    fn read(&mut self, text: &str, role: Role) -> Result<Option<Arc<ServerMessage>>, serde_json::Error> {
        let header = match text.len() {
            0..126 => 2,
            126..65_536 => 4,
            _ => 10,
        };
        self.0.fetch_add((header + text.len()) as u64, Ordering::Relaxed);
        let beginning = text.get(..50).unwrap_or(text);
        let awaited = ["lobby_", "question_released", "answer_accepted", "round_ended", "scoreboard_update", "pong"];
        if awaited.iter().any(|kind| beginning.contains(kind)) { PlainReader.read(text, role) } else { Ok(None) }
    }
}
