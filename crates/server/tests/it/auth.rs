//! Which access a token gives: every kind of credential is tried on every kind of code.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quizhall::auth::Carrier;
use quizhall::games::{Participant, Seat};
use quizhall::ws::upgrade::SocketRefusal::{self, Forbidden, NotFound, Unauthorized};
use quizhall::ws::upgrade::{SeatRequest, socket_seat};
use quizhall_engine::Dialect;
use serde_json::json;

use crate::http_stage::{Ask, SCRIPT, Stage};

fn request<'a>(code: &'a str, carrier: &'a Carrier) -> SeatRequest<'a> {
    SeatRequest { code, carrier, dialect: Dialect::Interface, before_read: Duration::ZERO }
}

/// Tokens of all hosts and players, and the codes they try.
struct Cast {
    stage: Stage,
    this: (String, String),
    other: (String, String),
    player: String,
    strange_player: String,
    strange_host: String,
    ended_session: String,
}

#[tokio::test]
async fn every_credential_on_every_code() {
    let cast = cast().await;
    let (this, other) = (cast.this.1.as_str(), cast.other.1.as_str());
    let unknown = if [this, other].contains(&"AAAAAA") { "BBBBBB" } else { "AAAAAA" };
    let (player, strange) = (cast.player.as_str(), cast.strange_player.as_str());
    let forged = format!("{}{}", &player[..60], if player.ends_with("AAAAAAA") { "BBBBBBB" } else { "AAAAAAA" });
    let of_no_game = format!("qp_{}", "A".repeat(64));
    let rows = [
        ("a player", player, this, Ok("player")),
        ("a player, lower case", player, &this.to_lowercase(), Ok("player")),
        ("a player elsewhere", player, other, Err(Forbidden)),
        ("another game's player", strange, this, Err(Forbidden)),
        ("a player, unknown code", player, unknown, Err(NotFound)),
        ("a player, no code", player, "x", Err(NotFound)),
        ("a forged player", &forged, this, Err(Unauthorized)),
        ("a forged player, unknown code", &forged, unknown, Err(Unauthorized)),
        ("a player of no game", &of_no_game, this, Err(Unauthorized)),
        ("the host", SCRIPT, this, Ok("host")),
        ("the host, unknown code", SCRIPT, unknown, Err(NotFound)),
        ("another host", &cast.strange_host, this, Err(Forbidden)),
        ("an ended session", &cast.ended_session, this, Err(Unauthorized)),
        ("an ended session, unknown code", &cast.ended_session, unknown, Err(Unauthorized)),
        ("nonsense", "nonsense", this, Err(Unauthorized)),
        ("nonsense, unknown code", "nonsense", unknown, Err(Unauthorized)),
        ("nothing", "", this, Err(Unauthorized)),
    ];
    for (who, token, code, expected) in rows {
        assert_eq!(cast.tries(token, code).await, expected, "{who}");
    }
    let carrier = Carrier::read(&axum::http::HeaderMap::new(), None);
    let refused = socket_seat(&cast.stage.app, &request(this, &carrier)).await.err();
    assert_eq!(refused, Some(Unauthorized));
}

/// A token learns of 30 codes at most that no game of its own has. Its own access is not affected.
#[tokio::test]
async fn no_token_can_be_used_to_search_codes() {
    let cast = cast().await;
    let mut outcomes = Vec::new();
    for _ in 0..40 {
        outcomes.push(cast.tries(&cast.player, "ZZZZZZ").await);
    }
    assert!(outcomes[..30].iter().all(|outcome| *outcome == Err(NotFound)), "a player: {outcomes:?}");
    assert!(outcomes[30..].iter().all(|outcome| *outcome == Err(Forbidden)), "a player: {outcomes:?}");
    assert_eq!(cast.tries(&cast.player, &cast.this.1).await, Ok("player"));

    let begun = Instant::now();
    let mut outcomes = Vec::new();
    for number in 0..15 {
        outcomes.push(cast.tries(&cast.strange_host, &crate::phones::guess(number)).await);
        outcomes.push(cast.tries(&cast.strange_host, &cast.this.1).await);
    }
    assert!(outcomes.chunks(2).all(|pair| pair == [Err(NotFound), Err(Forbidden)]), "an account: {outcomes:?}");
    let codes = (0..10).flat_map(|number| [crate::phones::guess(number), cast.this.1.clone()]);
    let (codes, asked): (Vec<_>, _) = (codes.collect(), Instant::now());
    let outcomes = join_all(codes.iter().map(|code| cast.tries(&cast.strange_host, code))).await;
    assert!(asked.elapsed() >= Duration::from_millis(250), "the reply is delayed, whether a game was read or not");
    // One more is allowed every two seconds, if the machine was suspended.
    let learned = outcomes.iter().filter(|outcome| **outcome != Err(Forbidden)).count() as u64;
    assert!(learned <= begun.elapsed().as_secs() / 2, "the answer is the same for each code: {outcomes:?}");
    for _ in 0..30 {
        assert!(cast.tries(SCRIPT, "ZZZZZZ").await.is_err());
    }
    assert_eq!(cast.tries(SCRIPT, &cast.this.1).await, Ok("host"), "a host's own game is open to another account");
}

impl Cast {
    async fn tries(&self, token: &str, code: &str) -> Result<&'static str, SocketRefusal> {
        let query = format!("token={token}");
        let carrier = Carrier::read(&axum::http::HeaderMap::new(), Some(&query));
        let (game, seat, grant) = socket_seat(&self.stage.app, &request(code, &carrier)).await?;
        assert_eq!(game.code(), code.to_uppercase());
        assert_eq!(grant.is_some(), seat == Seat::Participant(Participant::Host.into()));
        assert!(grant.is_none_or(|grant| grant.expires_at_ms.is_none()), "the fixed token does not expire");
        Ok(if grant.is_some() { "host" } else { "player" })
    }
}

async fn cast() -> Cast {
    let stage = Stage::new().await;
    let (this, other) = (stage.game().await, stage.game().await);
    let token = |reply: crate::http_stage::Reply| reply.json()["sessionToken"].as_str().unwrap().to_owned();
    let player = token(stage.join(&this.1, "Ann").await);
    let strange_player = token(stage.join(&other.1, "Ann").await);
    let (strange_host, ended_session) = (stage.host("Eve").await, stage.host("Gone").await);
    let sign_out = Ask::new("DELETE", "/api/v1/sessions/current").bearer(&ended_session);
    assert_eq!(stage.send(sign_out).await.status, 204);
    assert_eq!(stage.send(Ask::get("/api/v1/games").bearer(&strange_host)).await.json(), json!({"games": []}));
    Cast { stage, this, other, player, strange_player, strange_host, ended_session }
}
