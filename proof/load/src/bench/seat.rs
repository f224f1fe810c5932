//! The phones of players over `quizhall.v1`, for the scenarios that measure what a phone is sent.

use std::sync::Arc;

use anyhow::bail;
use quizhall_client::api::RetryPolicy;
use quizhall_client::{Api, Carrier, Endpoint, Event, Options, Participant, Reader, Schedule, Seat, Token};
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::{Dialect, Role, ServerMessage};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::trial::{AT_ONCE, Venue};

/// The name of the player of this number.
pub(super) fn name(number: usize) -> String {
    format!("Player {number}")
}

/// The phone of one player.
pub(super) struct Phone<R> {
    pub(super) endpoint: Endpoint,
    code: String,
    /// The number of its player.
    pub(super) number: usize,
    /// What the scenario waits for.
    pub(super) reports: mpsc::Sender<R>,
    /// How many join at once.
    room: Arc<Semaphore>,
}

/// Phones of this many players of a game, over all servers.
pub(super) fn phones<R>(venue: &Venue, game: &Game, players: usize, reports: &mpsc::Sender<R>) -> Vec<Phone<R>> {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let phone = |(number, endpoint): (usize, &Endpoint)| Phone {
        endpoint: endpoint.clone(),
        code: game.game_code.clone(),
        number,
        reports: reports.clone(),
        room: Arc::clone(&room),
    };
    venue.endpoints.iter().cycle().take(players).enumerate().map(phone).collect()
}

/// Lets all play, until what is returned is dropped. A phone that cannot continue reports it.
pub(super) fn start<R, F>(
    phones: Vec<Phone<R>>,
    play: impl Fn(Arc<Phone<R>>) -> F,
    failed: fn(anyhow::Error) -> R,
) -> JoinSet<()>
where
    R: Send + 'static,
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let run = |phone: Phone<R>| {
        let reports = phone.reports.clone();
        let playing = play(Arc::new(phone));
        async move {
            if let Err(error) = playing.await {
                // Without a receiver the measurement has ended already.
                let _ = reports.send(failed(error)).await;
            }
        }
    };
    phones.into_iter().map(run).collect()
}

impl<R> Phone<R> {
    /// Joins; the connection is made as the participant is driven.
    pub(super) async fn take<T: Reader>(&self, reader: T) -> anyhow::Result<Participant<T>> {
        let _permit = self.room.acquire().await?;
        let mut chance = SmallRng::seed_from_u64(self.number as u64);
        let request = JoinRequest::new(self.code.clone(), name(self.number));
        let api = Api::new(self.endpoint.clone());
        let joined = api.join_with_retries(&request, RetryPolicy::default(), &mut chance).await?;
        let seat = Seat { code: joined.game_code, token: Token::new(joined.session_token), role: Role::Player };
        let options = Options {
            endpoint: self.endpoint.clone(),
            seat,
            carrier: Carrier::Query,
            dialect: Dialect::QuizhallV1,
            schedule: Schedule::default(),
            seed: Some(self.number as u64),
        };
        Ok(Participant::with_reader(options, reader))
    }
}

/// The next message that the reader keeps; an error when the connection does not stand through the measurement.
pub(super) async fn next<R: Reader>(participant: &mut Participant<R>) -> anyhow::Result<Arc<ServerMessage>> {
    loop {
        match participant.next().await {
            Event::Message(message) => return Ok(message),
            Event::Lost { closed, .. } => bail!("a connection has ended: {}", closed.reason),
            Event::Unreadable(error) => return Err(error.into()),
            Event::Refused { error, .. } => return Err(error.into()),
            Event::Stopped(stop) => bail!("a player was turned away: {stop:?}"),
            Event::Connected | Event::Settled { .. } | Event::Acknowledged(_) | Event::Unacknowledged(_) => {}
        }
    }
}
