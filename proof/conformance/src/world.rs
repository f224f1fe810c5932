//! What all rows of a run share: the server, the accounts, the quizzes, and one foreign game whose ids are strangers elsewhere.
//!
//! Built once before the rows. Deletes what rows left behind: a host may have only 20 live games.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail, ensure};
use quizhall_protocol::http::games::{Game, NewGame};
use quizhall_protocol::{Dialect, Role, SUBPROTOCOL};
use uuid::Uuid;

use crate::api::{self, Api};
use crate::observer::Observer;
use crate::options::Options;
use crate::pace::Pace;
use crate::quiz;
use crate::seat::Connection;
use crate::wire::{Endpoint, Knock, Opened, Response};

/// The setting of a run.
pub struct World {
    /// The server: players and strangers come in here.
    pub target: Endpoint,
    /// Where the host comes in; the same server, perhaps another node of it.
    pub host_target: Endpoint,
    /// The host the token belongs to.
    pub host: Api,
    /// Another host; or why there is none.
    pub other: Result<Other, String>,
    /// The quiz of two rounds.
    pub long: Uuid,
    /// The quiz of one round.
    pub short: Uuid,
    /// The quiz of every kind of question that the interface has not.
    pub kinds: Uuid,
    /// The quiz of one round that counts streaks.
    pub streaks: Uuid,
    /// The quiz of one round that counts speed.
    pub speed: Uuid,
    /// The quiz of two rounds for which a joker can be played.
    pub jokers: Uuid,
    /// A game of another quiz.
    pub foreign: Foreign,
    /// What the run has seen.
    pub observer: Arc<Observer>,
    /// How fast sockets are opened.
    pub pace: Pace,
    /// As given.
    pub options: Options,
    /// Eight characters that no earlier run had.
    pub tag: String,
    elsewhere: Uuid,
    leftovers: Mutex<Vec<Uuid>>,
}

/// A second host, and what only an account of the suite's own can give.
pub struct Other {
    /// Signed in.
    pub api: Api,
    /// A token that was signed out; unknown when the second host's token was given.
    pub revoked: Option<String>,
    /// Name and password, to sign in again; unknown when the token was given.
    pub account: Option<(String, String)>,
}

/// Ids that belong to another game.
#[derive(Debug, Clone)]
pub struct Foreign {
    /// The game.
    pub game: Uuid,
    /// Its code.
    pub code: String,
    /// A question of its quiz.
    pub question: Uuid,
    /// A player of it.
    pub player: Uuid,
    /// This player's token.
    pub token: String,
}

impl World {
    /// Sets the scene.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses the token or cannot make quizzes and games.
    pub async fn prepare(options: Options) -> anyhow::Result<Arc<Self>> {
        let endpoint = |url: &str| Endpoint::parse_with_ca(url, options.ca.as_deref()).with_context(|| url.to_owned());
        let target = endpoint(&options.url)?;
        let host_target = endpoint(options.host_url.as_ref().unwrap_or(&options.url))?;
        let host = Api::new(&host_target, &options.host_token);
        let tag = Uuid::new_v4().simple().to_string()[..8].to_owned();
        let observer = Arc::new(Observer::default());
        let mut quizzes = Vec::new();
        let all = [quiz::long, quiz::short, quiz::kinds, quiz::streaks, quiz::speed, quiz::jokers, quiz::foreign];
        let bodies = all.map(|quiz| quiz(&tag));
        for body in bodies {
            for secret in quiz::secrets(&body) {
                observer.guard(&secret);
            }
            quizzes.push(host.create_quiz(&body).await?.id);
        }
        let [long, short, kinds, streaks, speed, jokers, elsewhere] = quizzes[..] else {
            unreachable!("seven quizzes were made above")
        };
        let foreign = foreign(&target, &host, elsewhere).await.context("set up a second game")?;
        let other = other(&host_target, &host, &options, &tag).await.map_err(|error| format!("{error:#}"));
        let leftovers = Mutex::default();
        Ok(Arc::new(Self {
            target,
            host_target,
            host,
            other,
            long,
            short,
            kinds,
            streaks,
            speed,
            jokers,
            foreign,
            observer,
            pace: Pace::new(options.default_limits),
            options,
            tag,
            elsewhere,
            leftovers,
        }))
    }

    /// A name no one has used in this run.
    pub fn fresh_name(&self) -> String {
        format!("Guest {}", &Uuid::new_v4().simple().to_string()[..10])
    }

    /// Opens a socket with a bearer token.
    pub async fn connect(&self, code: &str, token: &str, role: Role) -> anyhow::Result<Connection> {
        self.connect_by(&Knock::bearer(code, token), role).await
    }

    /// Opens a socket in another way.
    pub async fn connect_by(&self, knock: &Knock, role: Role) -> anyhow::Result<Connection> {
        let target = if role == Role::Host { &self.host_target } else { &self.target };
        let (socket, dialect) = match self.pace.open(knock, target).await? {
            Opened::Socket(socket, response) => (socket, agreed(&response)?),
            Opened::Refused(response) => bail!("expected a socket, got HTTP {}", response.status),
        };
        Ok(Connection::new(socket, role, Arc::clone(&self.observer), self.options.time_limit).speaking(dialect))
    }

    /// Opens a socket in a dialect, and makes sure that it was agreed on.
    pub async fn connect_as(&self, knock: Knock, role: Role, dialect: Dialect) -> anyhow::Result<Connection> {
        let knock = if dialect == Dialect::QuizhallV1 { knock.offering(SUBPROTOCOL) } else { knock };
        let connection = self.connect_by(&knock, role).await?;
        ensure!(connection.dialect() == dialect, "the handshake agreed on {:?}", connection.dialect());
        Ok(connection)
    }

    /// Whether the server offers the extension, as the handshake of the foreign game's player is answered.
    pub async fn offers_extension(&self) -> anyhow::Result<bool> {
        let code = &self.foreign.code;
        let connection =
            self.connect_by(&Knock::bearer(code, &self.foreign.token).offering(SUBPROTOCOL), Role::Player).await?;
        Ok(connection.dialect() == Dialect::QuizhallV1)
    }

    /// The second host.
    ///
    /// # Errors
    /// Why there is none.
    pub fn second_host(&self) -> anyhow::Result<&Other> {
        self.other.as_ref().map_err(|why| anyhow::anyhow!("no second host: {why}"))
    }

    /// A new game of the host, deleted by the next [`World::sweep`] after the lease is dropped.
    pub async fn lease(self: &Arc<Self>, new: &NewGame) -> anyhow::Result<(Lease, Game)> {
        let game = self.host.create_game_with(new).await?;
        Ok((Lease { world: Arc::clone(self), game: game.id }, game))
    }

    /// Deletes the games that are done with; one that is deleted already is no failure.
    pub async fn sweep(&self) {
        let games = std::mem::take(&mut *self.leftovers.lock().unwrap_or_else(PoisonError::into_inner));
        for game in games {
            let _ = self.host.delete_game(game).await;
        }
    }

    /// Removes what the run made.
    pub async fn finish(&self) {
        self.sweep().await;
        let _ = self.host.delete_game(self.foreign.game).await;
        for quiz in [self.long, self.short, self.kinds, self.streaks, self.speed, self.jokers, self.elsewhere] {
            let _ = self.host.delete_quiz(quiz).await;
        }
    }
}

/// A game that is deleted when it is no longer needed, however its row ended.
pub struct Lease {
    world: Arc<World>,
    game: Uuid,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.world.leftovers.lock().unwrap_or_else(PoisonError::into_inner).push(self.game);
    }
}

/// What a handshake agreed on.
fn agreed(response: &Response) -> anyhow::Result<Dialect> {
    match response.header("sec-websocket-protocol") {
        None => Ok(Dialect::Interface),
        Some(SUBPROTOCOL) => Ok(Dialect::QuizhallV1),
        Some(other) => bail!("the handshake agreed on the subprotocol `{other}`"),
    }
}

async fn foreign(target: &Endpoint, host: &Api, quiz: Uuid) -> anyhow::Result<Foreign> {
    let game = host.create_game(quiz).await?;
    let question = game.rounds.first().and_then(|round| round.questions.first()).and_then(|question| question.id);
    let question = question.context("the game shows no question id to its owner")?;
    let joined = api::join(target, &game.game_code, "Stranger").await?;
    let (player, token) = (joined.player_id, joined.session_token);
    Ok(Foreign { game: game.id, code: game.game_code, question, player, token })
}

async fn other(target: &Endpoint, host: &Api, options: &Options, tag: &str) -> anyhow::Result<Other> {
    if let Some(token) = &options.second_host_token {
        return Ok(Other { api: Api::new(target, token), revoked: None, account: None });
    }
    let (name, password) = (format!("conformance {tag}"), Uuid::new_v4().to_string());
    let revoked = host.another_host(&name, &password).await?;
    let api = host.sign_in(&name, &password).await?;
    revoked.sign_out().await?;
    Ok(Other { api, revoked: Some(revoked.token().to_owned()), account: Some((name, password)) })
}
