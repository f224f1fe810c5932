//! A player's seat over `quizhall.v1`, for the scenarios that measure what a phone is sent.

use std::sync::Arc;

use anyhow::bail;
use quizhall_client::api::RetryPolicy;
use quizhall_client::{Api, Carrier, Endpoint, Event, Options, Participant, Reader, Schedule, Seat, Token};
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::{Dialect, Role, ServerMessage};
use rand::rngs::SmallRng;

/// The name of the player of this number.
pub(super) fn name(number: usize) -> String {
    format!("Player {number}")
}

/// Joins as the player of this number; the connection is made as the participant is driven.
pub(super) async fn take<R: Reader>(
    endpoint: &Endpoint,
    code: &str,
    number: usize,
    (reader, chance): (R, &mut SmallRng),
) -> anyhow::Result<Participant<R>> {
    let request = JoinRequest::new(code.to_owned(), name(number));
    let joined = Api::new(endpoint.clone()).join_with_retries(&request, RetryPolicy::default(), chance).await?;
    let seat = Seat { code: joined.game_code, token: Token::new(joined.session_token), role: Role::Player };
    let options = Options {
        endpoint: endpoint.clone(),
        seat,
        carrier: Carrier::Query,
        dialect: Dialect::QuizhallV1,
        schedule: Schedule::default(),
        seed: Some(number as u64),
    };
    Ok(Participant::with_reader(options, reader))
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
