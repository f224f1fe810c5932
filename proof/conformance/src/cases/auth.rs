//! Plays the handshake rows against three games made for them, one after the other: the tokens are shared.

use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use quizhall_protocol::Role;

use super::http::problem;
use crate::row::alternatives;
use crate::seat::Connection;
use crate::stage::Stage;
use crate::stage::substate::SubState;
use crate::tables::auth::{AuthCase, Carrier, Credential, Place, Welcome};
use crate::wire::{Knock, Opened};
use crate::world::World;

/// A well-formed code that the suite never saw a server give out: one in 900 million.
const NO_GAME: &str = "ZZ22ZZ";
const NO_CODE: &str = "no-code-at-all-0";

/// The games whose sockets the rows try to open.
pub struct AuthGames {
    world: Arc<World>,
    lobby: Stage,
    question: Stage,
    ended: Stage,
}

impl AuthGames {
    /// Makes the three games.
    pub async fn build(world: &Arc<World>) -> anyhow::Result<Self> {
        Ok(Self {
            world: Arc::clone(world),
            lobby: Stage::reach(world, SubState::Lobby, Role::Player).await?,
            question: Stage::reach(world, SubState::OneOpen, Role::Player).await?,
            ended: Stage::reach(world, SubState::Ended, Role::Player).await?,
        })
    }

    /// Plays a row.
    pub async fn play(&self, case: &AuthCase) -> anyhow::Result<()> {
        let knock = self.knock(case)?;
        match (&case.welcome, self.world.pace.open(&knock, &self.world.target).await?) {
            (Welcome::Status(statuses), Opened::Refused(response)) => {
                ensure!(
                    statuses.contains(&response.status),
                    "expected {}, got {}",
                    case.welcome.words(),
                    response.status
                );
                problem(&response)
            }
            (Welcome::Open, Opened::Socket(socket, _)) => {
                let role = if case.credential == Credential::HostThis { Role::Host } else { Role::Player };
                let mut connection = self.connection(socket, role);
                connection.message().await.context("the sync messages")?;
                connection.leave().await
            }
            (Welcome::Closed(wanted), Opened::Socket(socket, _)) => {
                let ending = self.connection(socket, Role::Player).closed().await?;
                let expected = || format!("expected {}, got {ending}", alternatives(wanted));
                ensure!(wanted.iter().any(|wanted| wanted.fits(&ending)), expected());
                Ok(())
            }
            (welcome, Opened::Refused(response)) => bail!("expected {}, got HTTP {}", welcome.words(), response.status),
            (welcome, Opened::Socket(..)) => bail!("expected {}, got a socket", welcome.words()),
        }
    }

    fn connection(&self, socket: crate::wire::RawSocket, role: Role) -> Connection {
        Connection::new(socket, role, Arc::clone(&self.world.observer), self.world.options.time_limit)
    }

    fn knock(&self, case: &AuthCase) -> anyhow::Result<Knock> {
        let stage = match case.place {
            Place::Question => &self.question,
            Place::Ended => &self.ended,
            Place::Lobby | Place::Unknown | Place::Malformed => &self.lobby,
        };
        let code = match case.place {
            Place::Unknown => NO_GAME,
            Place::Malformed => NO_CODE,
            _ => &stage.code,
        };
        let token = self.token(case.credential, stage)?;
        let mut knock = Knock { code: code.to_owned(), ..Knock::default() };
        let given = token.clone().unwrap_or_default();
        match case.carrier {
            Carrier::Bearer => knock.bearer = token,
            Carrier::Query => knock.query = token,
            Carrier::BothEqual => (knock.bearer, knock.query) = (Some(given.clone()), Some(given)),
            Carrier::BothDifferent => {
                let bearer = token.unwrap_or_else(|| "another-word".to_owned());
                (knock.bearer, knock.query) = (Some(bearer), Some("a-different-word".to_owned()));
            }
            Carrier::Subprotocol => {
                let word = token.unwrap_or_else(|| "quizhall.v1".to_owned());
                knock = knock.header("Sec-WebSocket-Protocol", &word);
            }
        }
        let origin = self.world.target.origin();
        Ok(if case.browser { knock.header("Origin", &origin) } else { knock })
    }

    fn token(&self, credential: Credential, stage: &Stage) -> anyhow::Result<Option<String>> {
        Ok(Some(match credential {
            Credential::None => return Ok(None),
            Credential::Junk => "open-sesame".to_owned(),
            Credential::NeverGiven => format!("qh_{}", "A".repeat(43)),
            Credential::Revoked => {
                let other = self.world.second_host()?;
                other.revoked.clone().context("a token that was signed out needs an account of the suite's own")?
            }
            Credential::HostThis => self.world.host.token().to_owned(),
            Credential::HostOther => self.world.second_host()?.api.token().to_owned(),
            // The second connection: the first one's socket stays as it is.
            Credential::PlayerThis => stage.tokens[1].clone(),
            Credential::PlayerOther => self.world.foreign.token.clone(),
        }))
    }
}
