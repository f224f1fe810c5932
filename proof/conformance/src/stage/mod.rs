//! A stage: a live game with its sockets and the oracle of the messages that they must receive. Rows are played on it.
//!
//! Every message received is compared with the oracle, so a stage that could be opened is already a passed test.

pub mod acts;
pub mod cast;
pub mod command;
pub mod compare;
pub mod screen;
pub mod substate;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use quizhall_oracle::{Effects, Fact, Game, Mark, Phase, Quiz, To, Viewer, host_status};
use quizhall_protocol::from_host::RevealAnswer;
use quizhall_protocol::http::game_options::Pace;
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::{CloseCode, Dialect, FromAny, FromHost, FromPlayer, Role, ServerMessage};
use serde_json::Value;
use uuid::Uuid;

use crate::api;
use crate::seat::Connection;
use crate::wire::Knock;
use crate::world::{Lease, World};
use cast::Cast;
use command::{Actor, Command, PONG};
use compare::{received, value};
use substate::{Step, SubState};

/// The first player's first answer: far from every key.
pub const WRONG: &str = "a first thought";
/// Between two looks at something that no message announces.
pub const POLL: Duration = Duration::from_millis(5);

/// A live game.
pub struct Stage {
    /// The run it belongs to.
    pub world: Arc<World>,
    /// The game's id.
    pub id: Uuid,
    /// Its code.
    pub code: String,
    /// The expected state.
    pub oracle: Game,
    /// The host's socket.
    pub host: Connection,
    /// The players' sockets, by player number.
    pub players: Vec<Connection>,
    /// The players' tokens, by player number.
    pub tokens: Vec<String>,
    /// The participants who speak the extension.
    pub cast: Cast,
    /// Whether a socket has received that the host is connected.
    host_announced: bool,
    _lease: Lease,
}

impl Stage {
    /// A new game of a quiz with these players, all connected, in the lobby; no participant speaks the extension.
    pub async fn open(world: &Arc<World>, quiz: Uuid, names: &[&str]) -> anyhow::Result<Self> {
        Self::open_as(world, quiz, names, Cast::Interface).await
    }

    /// The same with a cast.
    pub async fn open_as(world: &Arc<World>, quiz: Uuid, names: &[&str], cast: Cast) -> anyhow::Result<Self> {
        Self::open_game(world, NewGame::new(quiz), names, cast).await
    }

    /// The same with phones that wait for the screen; the host and the first player speak the extension.
    pub async fn open_waiting(world: &Arc<World>, quiz: Uuid, names: &[&str]) -> anyhow::Result<Self> {
        let game = NewGame { phones_after_screen: true, ..NewGame::new(quiz) };
        Self::open_game(world, game, names, Cast::Mixed).await
    }

    /// The same with options.
    pub async fn open_game(world: &Arc<World>, new: NewGame, names: &[&str], cast: Cast) -> anyhow::Result<Self> {
        let (lease, game) = world.lease(&new).await?;
        let options = new.options();
        let rounds = match options.pace {
            Pace::Round => game.rounds,
            Pace::Question => world.host.quiz(new.quiz_id).await?.rounds,
        };
        let quiz = Quiz::played(&game.title, &rounds, &options);
        let mut oracle = Game::new(quiz.context("the owner's view of the game lacks question ids, points or keys")?);
        (oracle.phones_after_screen, oracle.options) = (new.phones_after_screen, options);
        if new.sealed {
            oracle.seal = Some(api::seal(&world.target, &game.game_code).await?.seal);
        }
        oracle.apply(&Fact::HostReturned)?;
        let mut joins = Vec::new();
        for name in names {
            let joined = api::join(&world.target, &game.game_code, name).await?;
            oracle.apply(&Fact::Joined(joined.player_id, (*name).to_owned()))?;
            joins.push(joined);
        }
        let dialect = cast.dialect(Actor::Host);
        let host = world.connect_as(Knock::bearer(&game.game_code, world.host.token()), Role::Host, dialect).await;
        let host = host.context("host's socket")?;
        let mut stage = Self {
            world: Arc::clone(world),
            id: game.id,
            code: game.game_code,
            oracle,
            host,
            players: Vec::new(),
            tokens: Vec::new(),
            cast,
            host_announced: false,
            _lease: lease,
        };
        stage.expect_sync(Actor::Host).await?;
        for joined in joins {
            stage.connect_player(joined).await?;
        }
        Ok(stage)
    }

    /// A game brought into a sub-state; `alone` is the role that is alone with the host in an empty lobby.
    pub async fn reach(world: &Arc<World>, state: SubState, alone: Role) -> anyhow::Result<Self> {
        Self::reach_as(world, state, alone, Cast::Interface).await
    }

    /// The same with a cast.
    pub async fn reach_as(world: &Arc<World>, state: SubState, alone: Role, cast: Cast) -> anyhow::Result<Self> {
        let names: &[&str] = match (state, alone) {
            (SubState::LobbyAlone, Role::Host) => &[],
            (SubState::LobbyAlone, Role::Player | Role::Screen) => &["Ada"],
            _ => &["Ada", "Bela"],
        };
        let quiz = if state.is_last_round() { world.short } else { world.long };
        let mut stage = Self::open_as(world, quiz, names, cast).await?;
        for next in state.steps() {
            let (actor, command) = stage.step(*next);
            // The rows check for silence: a surplus message here would appear before the next expected one.
            let bytes = command.bytes();
            stage.carry_out(actor, &command, &bytes).await.with_context(|| format!("{next:?}"))?;
        }
        Ok(stage)
    }

    /// Lets spectators watch, or no longer.
    pub async fn allow_spectators(&mut self, allowed: bool) -> anyhow::Result<()> {
        self.world.host.allow_spectators(self.id, allowed).await?;
        self.happened(&Fact::Spectators(allowed))
    }

    /// Ends the stage at once, for a story that continues with another one: the number of games of a host is limited.
    pub async fn tear_down(self) {
        let world = Arc::clone(&self.world);
        drop(self);
        world.sweep().await;
    }

    /// Connects the next player and checks what they are sent.
    pub async fn connect_player(&mut self, joined: JoinResponse) -> anyhow::Result<()> {
        let dialect = self.cast.dialect(Actor::Player(self.players.len()));
        let connection =
            self.world.connect_as(Knock::bearer(&self.code, &joined.session_token), Role::Player, dialect).await;
        self.players.push(connection.context("player's socket")?);
        self.tokens.push(joined.session_token);
        self.expect_sync(Actor::Player(self.players.len() - 1)).await
    }

    fn step(&self, step: Step) -> (Actor, Command) {
        let question = |number: usize| self.oracle.question(number);
        match step {
            Step::Start => (Actor::Host, Command::Host(FromHost::StartGame)),
            Step::Release(number) => (Actor::Host, Command::release(question(number).id)),
            Step::FirstAnswersWrong => (Actor::Player(0), Command::answer(question(0).id, WRONG)),
            Step::SecondAnswersRight => (Actor::Player(1), Command::answer(question(0).id, &question(0).key())),
            Step::EndRound => (Actor::Host, Command::Host(FromHost::EndRound)),
            Step::Override => (Actor::Host, Command::overrule(self.oracle.players[0].id, question(0).id, true)),
            Step::ReleaseScores => (Actor::Host, Command::Host(FromHost::ReleaseScores)),
            Step::ReleaseOwnScores => (Actor::Host, Command::Host(FromHost::ReleaseOwnScores)),
            Step::EndGame => (Actor::Host, Command::Host(FromHost::EndGame)),
            Step::Reveal(number) => {
                let revealed = RevealAnswer { question_id: question(number).id };
                (Actor::Host, Command::Host(FromHost::RevealAnswer(revealed)))
            }
        }
    }

    /// Plays a legal command and checks everything that each socket is sent.
    pub async fn play(&mut self, actor: Actor, command: &Command) -> anyhow::Result<()> {
        let bytes = command.bytes();
        self.play_bytes(actor, command, &bytes).await
    }

    /// The same for a command written in the row's own way.
    pub async fn play_bytes(&mut self, actor: Actor, command: &Command, bytes: &[u8]) -> anyhow::Result<()> {
        self.carry_out(actor, command, bytes).await?;
        self.silent().await
    }

    /// Plays a legal command and checks what must follow, but not that nothing else does.
    pub async fn carry_out(&mut self, actor: Actor, command: &Command, bytes: &[u8]) -> anyhow::Result<()> {
        self.connection(actor).send_bytes(bytes).await?;
        if let Command::Host(FromHost::RemovePlayer(command)) = command {
            self.turn_out(command.player_id).await?;
        }
        let effects = match command {
            Command::Host(FromHost::AddSeat(seat)) => self.seated(&seat.display_name).await?,
            Command::Host(FromHost::AdjustPoints(given)) => self.adjusted(given).await?,
            _ => self.follow(actor, command)?,
        };
        self.expect(effects).await?;
        if matches!(command, Command::Host(FromHost::StartNextRound)) {
            self.await_phase(Phase::Question).await?;
        }
        Ok(())
    }

    /// Reads what must follow, on every socket.
    pub async fn expect(&mut self, effects: Effects) -> anyhow::Result<()> {
        effects.perhaps().for_each(|message| self.host.allow(value(message)));
        let actors = (0..self.players.len()).map(Actor::Player);
        for actor in std::iter::once(Actor::Host).chain(actors) {
            let viewer = self.viewer(actor);
            let dialect = self.connection(actor).dialect();
            let want = self.oracle.sent(&effects, viewer, dialect);
            let connection = self.connection(actor);
            let got = connection.following(&want).await.with_context(|| format!("{actor:?}"))?;
            received(&got, &want).with_context(|| format!("{actor:?}"))?;
        }
        Ok(())
    }

    /// Carries out a legal command in the oracle, and returns what must follow.
    pub fn follow(&mut self, actor: Actor, command: &Command) -> anyhow::Result<Effects> {
        let effects = match (self.viewer(actor), command) {
            (Viewer::Player(player), Command::Player(FromPlayer::SubmitAnswer(answer))) => {
                let question = self.oracle.quiz.question(answer.question_id);
                let mark = question.map_or(Mark::WRONG, |question| question.mark_of(&answer.answer));
                self.oracle.player_answers(player, answer, mark)
            }
            (Viewer::Player(player), Command::Player(FromPlayer::PlayJoker)) => self.oracle.play_joker(player),
            (Viewer::Player(player), Command::Player(FromPlayer::Appeal(appeal))) => {
                self.oracle.player_appeals(player, appeal)
            }
            (Viewer::Player(player), Command::Player(FromPlayer::AnswerTieBreak(answer))) => {
                self.oracle.answer_tie_break(player, answer.answer)
            }
            (_, Command::Host(FromHost::EnterAnswer(entered))) => {
                let question = self.oracle.quiz.question(entered.question_id);
                let mark = question.map_or(Mark::WRONG, |question| question.mark_of(&entered.answer));
                self.oracle.host_enters(entered, mark)
            }
            (_, Command::Host(message)) => self.oracle.host_commands(message),
            (Viewer::Host, Command::Either(FromAny::Ping)) => Ok(Effects::default().and(To::Host, PONG)),
            (Viewer::Player(player), Command::Either(FromAny::Ping)) => {
                Ok(Effects::default().and(To::Player(player, None), PONG))
            }
            (Viewer::Phone(..), _) | (Viewer::Player(_), Command::Player(FromPlayer::SuggestAnswer(_))) => {
                bail!("a row with a message of a team, which the stage does not play")
            }
            (Viewer::Host, Command::Player(_)) => bail!("a row of the host with a message of a player"),
        };
        effects.with_context(|| format!("not legal here: {}", command.text()))
    }

    /// Records a change of the game that no message caused.
    pub fn happened(&mut self, fact: &Fact) -> anyhow::Result<()> {
        self.oracle.apply(fact).with_context(|| format!("cannot happen here: {fact:?}"))
    }

    /// A participant as the oracle knows them.
    pub fn viewer(&self, actor: Actor) -> Viewer {
        match actor {
            Actor::Host => Viewer::Host,
            Actor::Player(number) => Viewer::Player(self.oracle.players[number].id),
        }
    }

    /// Shows that no socket has received anything.
    pub async fn silent(&mut self) -> anyhow::Result<()> {
        self.host.silent().await.context("host")?;
        self.check_step().await?;
        for (number, player) in self.players.iter_mut().enumerate() {
            player.silent().await.with_context(|| format!("player {number}"))?;
        }
        Ok(())
    }

    /// Waits until a host who speaks v1 knows the next step.
    async fn check_step(&mut self) -> anyhow::Result<()> {
        if self.host.step().is_none() {
            return Ok(());
        }
        self.host.knows_step(&value(&self.oracle.step_update())).await
    }

    /// A participant's socket.
    pub fn connection(&mut self, actor: Actor) -> &mut Connection {
        match actor {
            Actor::Host => &mut self.host,
            Actor::Player(number) => &mut self.players[number],
        }
    }

    /// Reconnects a participant and checks that the server sends the sync messages and nothing else.
    pub async fn reconnect(&mut self, actor: Actor) -> anyhow::Result<Connection> {
        let dialect = self.connection(actor).dialect();
        self.reconnect_in(dialect, actor).await
    }

    /// The same in a dialect that may be another.
    async fn reconnect_in(&mut self, dialect: Dialect, actor: Actor) -> anyhow::Result<Connection> {
        if actor == Actor::Host && !self.oracle.host_here {
            self.happened(&Fact::HostReturned)?;
            self.host_announced = false;
        }
        let (token, role) = match actor {
            Actor::Host => (self.world.host.token(), Role::Host),
            Actor::Player(number) => (self.tokens[number].as_str(), Role::Player),
        };
        let new =
            self.world.connect_as(Knock::bearer(&self.code, token), role, dialect).await.context("connect again")?;
        let old = std::mem::replace(self.connection(actor), new);
        self.read_sync(actor).await?;
        // Only now, so that the messages allowed besides are not removed from the sync messages.
        self.connection(actor).inherit(&old);
        self.connection(actor).silent().await.with_context(|| format!("after the sync messages sent to {actor:?}"))?;
        Ok(old)
    }

    /// The same while the old socket is open: it must be closed with 4409, and must have received nothing before.
    pub async fn replace(&mut self, actor: Actor) -> anyhow::Result<()> {
        let dialect = self.connection(actor).dialect();
        self.replace_in(dialect, actor).await
    }

    async fn replace_in(&mut self, dialect: Dialect, actor: Actor) -> anyhow::Result<()> {
        let mut old = self.reconnect_in(dialect, actor).await?;
        let ending = old.closed().await.context("the socket that was replaced")?;
        ensure!(ending.code == CloseCode::Replaced.number(), "the socket that was replaced: {ending}");
        Ok(())
    }

    /// The next messages of a participant are the sync messages, and nothing else follows.
    pub async fn expect_sync(&mut self, actor: Actor) -> anyhow::Result<()> {
        self.read_sync(actor).await?;
        self.connection(actor).silent().await.with_context(|| format!("after the sync messages sent to {actor:?}"))
    }

    /// The sync messages, without `step_update`, which the connection keeps.
    pub fn sync_of(&self, actor: Actor, dialect: Dialect) -> Vec<ServerMessage> {
        let mut want = self.oracle.sync(self.viewer(actor), dialect);
        want.retain(|message| message.name() != "step_update");
        want
    }

    async fn read_sync(&mut self, actor: Actor) -> anyhow::Result<()> {
        let dialect = self.connection(actor).dialect();
        let want = self.sync_of(actor, dialect);
        let context = || format!("the sync messages sent to {actor:?}");
        let mut got = self.connection(actor).messages(want.len()).await.with_context(context)?;
        if dialect == Dialect::QuizhallV1 && !self.host_announced {
            self.announce_host(actor, &mut got).await.with_context(context)?;
        }
        received(&got, &want).with_context(context)
    }

    /// A socket that opens at the moment of the host's first connection may be sent `host_status` false, and then true.
    async fn announce_host(&mut self, actor: Actor, got: &mut Vec<Value>) -> anyhow::Result<()> {
        let (absent, present) = (value(&host_status(false)), value(&host_status(true)));
        if got.first() == Some(&absent) {
            got.push(self.connection(actor).message().await?);
            let place = got.iter().position(|message| *message == present).context("the host never came")?;
            got.remove(place);
            got[0] = present;
        }
        self.host_announced = true;
        Ok(())
    }

    /// The owner's view over HTTP, which must agree with the oracle.
    pub async fn view(&self) -> anyhow::Result<Value> {
        let game = self.world.host.game(self.id).await?;
        let has = |field: &str, want: Value| {
            let got = game.get(field).cloned().unwrap_or_default();
            ensure!(got == want, "the owner's view: `{field}` is {got} instead of {want}");
            Ok(())
        };
        has("phase", self.oracle.phase.as_str().into())?;
        has("currentRound", (self.oracle.round + 1).into())?;
        has("released", self.oracle.released.iter().map(Uuid::to_string).collect::<Vec<_>>().into())?;
        has("playerCount", self.oracle.players.len().into())?;
        has("locked", self.oracle.settings.locked.into())?;
        Ok(game)
    }

    /// Checks that the game matches the oracle: over HTTP as its owner, on a new socket of the host, and by silence.
    pub async fn settled(&mut self) -> anyhow::Result<Value> {
        self.replace(Actor::Host).await?;
        let view = self.view().await?;
        self.silent().await?;
        Ok(view)
    }

    /// Waits for a phase that no message announces.
    async fn await_phase(&self, phase: Phase) -> anyhow::Result<()> {
        let reached = async {
            loop {
                let game = self.world.host.game(self.id).await?;
                if game.get("phase").and_then(Value::as_str) == Some(phase.as_str()) {
                    return Ok(());
                }
                tokio::time::sleep(POLL).await;
            }
        };
        let time_limit = self.world.options.time_limit;
        tokio::time::timeout(time_limit, reached).await.with_context(|| format!("never in {}", phase.as_str()))?
    }
}
