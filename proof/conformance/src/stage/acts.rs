//! The acts of a game in words, for stories: each plays one command and checks everything that each socket is sent.

use anyhow::{Context, bail, ensure};
use quizhall_oracle::{Effects, Fact, Game, Phase, To};
use quizhall_protocol::from_host::{AdjustPoints, OpenDesk};
use quizhall_protocol::http::results::Results;
use quizhall_protocol::{CloseCode, FromHost, Role};
use serde_json::Value;
use uuid::Uuid;

use super::cast::Cast;
use super::command::{Actor, Command};
use super::compare::value;
use super::{POLL, Stage};
use crate::api;
use crate::row::{Wanted, alternatives};
use crate::seat::brief;
use crate::wire::{Knock, Opened, Request};

impl Stage {
    /// `start_game`
    pub async fn start(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::StartGame).await
    }

    /// `end_round`
    pub async fn end_round(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::EndRound).await
    }

    /// `release_scores`
    pub async fn release_scores(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::ReleaseScores).await
    }

    /// `start_next_round`
    pub async fn next_round(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::StartNextRound).await
    }

    /// `end_game`
    pub async fn end_game(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::EndGame).await
    }

    /// `release_question` of the round's question of this number.
    pub async fn release(&mut self, number: usize) -> anyhow::Result<()> {
        self.host_plays(Command::release(self.oracle.question(number).id)).await
    }

    /// `submit_answer` with a text.
    pub async fn answer(&mut self, player: usize, number: usize, text: &str) -> anyhow::Result<()> {
        let command = Command::answer(self.oracle.question(number).id, text);
        let played = self.play(Actor::Player(player), &command).await;
        played.with_context(|| format!("player {player} answers question {number}"))
    }

    /// `submit_answer` with the key.
    pub async fn answer_rightly(&mut self, player: usize, number: usize) -> anyhow::Result<()> {
        let key = self.oracle.question(number).key();
        self.answer(player, number, &key).await
    }

    /// `override_answer`
    pub async fn overrule(&mut self, player: usize, number: usize, correct: bool) -> anyhow::Result<()> {
        let command = Command::overrule(self.oracle.players[player].id, self.oracle.question(number).id, correct);
        let played = self.play(Actor::Host, &command).await;
        played.with_context(|| format!("override player {player}, question {number}, to {correct}"))
    }

    /// `show_tally` of the round's question of this number, without these entries.
    pub async fn show_tally(&mut self, number: usize, hide: &[&str]) -> anyhow::Result<()> {
        self.host_plays(Command::tally(self.oracle.question(number).id, hide)).await
    }

    /// `open_desk`
    pub async fn open_desk(&mut self, open: bool) -> anyhow::Result<()> {
        self.host_plays(FromHost::OpenDesk(OpenDesk { open })).await
    }

    /// An open desk receives the present answers to the round's question of this number.
    pub async fn receives_groups(&mut self, number: usize) -> anyhow::Result<()> {
        let update = self.oracle.answers_update(self.oracle.question(number).id);
        self.expect(Effects::default().and(To::Host, update)).await.context("the desk")
    }

    /// A player joins while the others are connected: all sockets receive the lobby, then the new player connects.
    pub async fn join(&mut self, name: &str) -> anyhow::Result<()> {
        let joined = api::join(&self.world.target, &self.code, name).await?;
        self.happened(&Fact::Joined(joined.player_id, name.to_owned()))?;
        self.expect_lobby_and_room(self.players.len()).await.context("after a join")?;
        self.connect_player(joined).await?;
        self.silent().await
    }

    /// All sockets receive the lobby of the oracle.
    pub async fn expect_lobby(&mut self) -> anyhow::Result<()> {
        let lobby = self.oracle.lobby_update();
        self.expect(Effects::default().and(To::All, lobby)).await
    }

    /// All sockets receive that the player of this number joined or left; a host who speaks the extension receives it with the
    /// room.
    pub async fn expect_lobby_and_room(&mut self, player: usize) -> anyhow::Result<()> {
        let id = self.oracle.players[player].id;
        let change = self.oracle.room_change(&[id]);
        self.expect(self.oracle.lobby_effects(id).and(To::Host, change)).await
    }

    /// A host who speaks the extension receives the player of this number, and no other socket receives anything.
    pub async fn expect_room(&mut self, player: usize) -> anyhow::Result<()> {
        let change = self.oracle.room_change(&[self.oracle.players[player].id]);
        self.expect(Effects::default().and(To::Host, change)).await?;
        self.silent().await
    }

    /// A player who had left the lobby connects again: the other sockets receive the lobby. The returning player may receive the
    /// lobby from before, and always receives the lobby that contains them.
    pub async fn come_back(&mut self, player: usize) -> anyhow::Result<()> {
        let without = value(&self.oracle.lobby_update());
        let mut back = self.world.connect(&self.code, &self.tokens[player], Role::Player).await?;
        self.happened(&Fact::Returned(self.oracle.players[player].id))?;
        self.expect_lobby_and_room(player).await.context("after the return")?;
        let with = value(&self.oracle.lobby_update());
        let mut lobby = back.message().await.context("who came back")?;
        if lobby == without {
            lobby = back.message().await.context("who came back, after the lobby without them")?;
        }
        ensure!(lobby == with, "who came back is sent another lobby: {}", brief(&lobby));
        self.players.insert(player, back);
        Ok(())
    }

    /// These participants reconnect, in the dialects of this cast, while their old sockets are open.
    pub async fn recast(&mut self, cast: Cast, actors: &[Actor]) -> anyhow::Result<()> {
        self.cast = cast;
        for actor in actors {
            let replaced = self.replace_in(cast.dialect(*actor), *actor).await;
            replaced.with_context(|| format!("{actor:?} as {cast:?} has it"))?;
        }
        self.silent().await
    }

    /// Another phone takes the seat of the player of this number with a code: the socket that has it is closed (4401), its token
    /// is no longer valid. A host who speaks the extension is sent the move, and no other socket receives anything.
    pub async fn move_seat(&mut self, player: usize, seat_code: &str) -> anyhow::Result<()> {
        let key = Uuid::new_v4().to_string();
        let request = (self.code.as_str(), seat_code);
        let taken = api::taken(&api::take_seat(&self.world.target, request, &key).await?)?;
        let known = &self.oracle.players[player];
        ensure!((taken.player_id, &taken.display_name) == (known.id, &known.name), "the seat of another player");
        let ending = self.players[player].closed().await.context("the phone before")?;
        ensure!(ending.code == CloseCode::Unauthorized.number(), "the phone before: {ending}");
        let dead = std::mem::replace(&mut self.tokens[player], taken.session_token);
        let Opened::Refused(response) =
            self.world.pace.open(&Knock::bearer(&self.code, &dead), &self.world.target).await?
        else {
            bail!("the token of the phone before opens a socket")
        };
        ensure!(response.status == 401, "the token of the phone before: HTTP {}", response.status);
        // A phone that missed the answer asks again and receives the same.
        let again = api::taken(&api::take_seat(&self.world.target, request, &key).await?)?;
        ensure!(again.session_token == self.tokens[player], "another token when asked again");
        self.happened(&Fact::SeatTaken(taken.player_id))?;
        self.reconnect(Actor::Player(player)).await?;
        self.expect_room(player).await
    }

    /// A player closes their socket properly: the oracle marks them as having left the lobby, or after the lobby as disconnected.
    pub async fn depart(&mut self, player: usize) -> anyhow::Result<()> {
        self.players[player].depart().await?;
        let id = self.oracle.players[player].id;
        match self.oracle.phase {
            Phase::Lobby => self.happened(&Fact::Left(id)),
            Phase::Question | Phase::Review | Phase::Leaderboard => self.happened(&Fact::Disconnected(id)),
            Phase::Ended => Ok(()),
        }
    }

    /// `release_own_scores`
    pub async fn release_own_scores(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::ReleaseOwnScores).await
    }

    /// `show_standings`
    pub async fn show_standings(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::ShowStandings).await
    }

    /// `lock_game`
    pub async fn lock(&mut self, locked: bool) -> anyhow::Result<()> {
        self.host_plays(Command::lock(locked)).await
    }

    /// `remove_player`: the player and their answers are removed; returns the token, which is no longer valid.
    pub async fn expel(&mut self, player: usize) -> anyhow::Result<String> {
        let (token, id) = (self.tokens[player].clone(), self.oracle.players[player].id);
        self.host_plays(Command::remove(id)).await.with_context(|| format!("remove player {player}"))?;
        Ok(token)
    }

    /// Allows every socket to receive the lobby once: the interface leaves open whether a removal after the lobby is announced.
    pub fn allow_lobby(&mut self) {
        let lobby = value(&self.oracle.lobby_update());
        self.host.allow(lobby.clone());
        self.players.iter_mut().for_each(|player| player.allow(lobby.clone()));
    }

    /// The host removes a player over HTTP: the player gets 4411. The caller checks the messages to the others.
    pub async fn remove(&mut self, player: usize) -> anyhow::Result<Uuid> {
        let id = self.oracle.players[player].id;
        self.happened(&Fact::Removed(id))?;
        self.world.host.remove_player(self.id, id).await?;
        self.closed_as_removed(player).await?;
        let after = self.oracle.clone();
        self.allow_counts(&after);
        Ok(id)
    }

    /// The socket of a removed player gets 4411 and nothing before it. Optional messages to the others are allowed.
    pub(super) async fn turn_out(&mut self, player: Uuid) -> anyhow::Result<()> {
        let number = self.oracle.players.iter().position(|known| known.id == player).context("no player to remove")?;
        self.closed_as_removed(number).await?;
        let mut after = self.oracle.clone();
        after.apply(&Fact::Removed(player))?;
        self.allow_counts(&after);
        if after.phase != Phase::Lobby {
            let lobby = value(&after.lobby_update());
            self.host.allow(lobby.clone());
            self.players.iter_mut().for_each(|player| player.allow(lobby.clone()));
        }
        Ok(())
    }

    /// Allows the host to receive once the changes that a removal makes to the answers: they come with the next counts.
    fn allow_counts(&mut self, after: &Game) {
        match after.phase {
            Phase::Question => {
                let counts = after.released.iter().map(|question| after.answer_count(*question));
                counts.for_each(|count| self.host.allow(value(&count)));
            }
            Phase::Review => self.host.allow(value(&after.marking_update())),
            _ => {}
        }
    }

    /// The host has just added a player on paper, whose id is in the owner's view. An existing player of this name is unchanged.
    pub(super) async fn seated(&mut self, name: &str) -> anyhow::Result<Effects> {
        if self.oracle.players.iter().any(|player| player.on_paper && player.name == name) {
            return Ok(Effects::default().and(To::Host, self.oracle.room_change(&[])));
        }
        let known = async {
            loop {
                let players = self.world.host.players(self.id).await?;
                if let Some(player) = players.into_iter().find(|player| player.display_name == name) {
                    return anyhow::Ok(player.id);
                }
                tokio::time::sleep(POLL).await;
            }
        };
        let id = tokio::time::timeout(self.world.options.time_limit, known).await.context("never in the game")??;
        self.oracle.host_adds(id, name).context("no seat for the player")
    }

    /// The host has just given points by hand, whose id is in the results.
    pub(super) async fn adjusted(&mut self, given: &AdjustPoints) -> anyhow::Result<Effects> {
        let before: Vec<_> = self.oracle.adjustments().iter().map(|one| one.id).collect();
        let (path, round) = (format!("/api/v1/games/{}/results", self.id), self.oracle.round);
        let known = async {
            loop {
                let results: Results =
                    serde_json::from_value(self.world.host.send(Request::new("GET", &path)).await?.json()?)?;
                let given = results.rounds.get(round).and_then(|round| round.adjustments.last());
                if let Some(id) = given.map(|given| given.adjustment_id).filter(|id| !before.contains(id)) {
                    return anyhow::Ok(id);
                }
                tokio::time::sleep(POLL).await;
            }
        };
        let id = tokio::time::timeout(self.world.options.time_limit, known).await.context("never in the results")??;
        self.oracle.host_adjusts(id, given).context("no such points by hand")
    }

    async fn closed_as_removed(&mut self, player: usize) -> anyhow::Result<()> {
        self.tokens.remove(player);
        let ending = self.players.remove(player).closed().await.context("the removed player")?;
        ensure!(Wanted::bare(CloseCode::Removed).fits(&ending), "the removed player: {ending}");
        Ok(())
    }

    /// Plays a message that must be refused: its sender is closed as expected and connects again, the game is unchanged, and no
    /// other socket has received a byte.
    pub async fn refused(&mut self, actor: Actor, bytes: &[u8], wanted: &[Wanted]) -> anyhow::Result<()> {
        let before = self.view().await?;
        self.closed_for(actor, bytes, wanted).await?;
        self.unchanged(&before).await.context("after the close")
    }

    /// The first half of [`Stage::refused`]: its sender is closed as expected, connects again and is sent the sync messages of
    /// before.
    pub async fn closed_for(&mut self, actor: Actor, bytes: &[u8], wanted: &[Wanted]) -> anyhow::Result<()> {
        // A server may close before it has read everything; the close is what counts.
        let _ = self.connection(actor).send_bytes(bytes).await;
        let ending = self.connection(actor).closed().await?;
        let fits = wanted.iter().any(|wanted| wanted.fits(&ending));
        ensure!(fits, "expected {}, got {ending}", alternatives(wanted));
        self.reconnect(actor).await.context("after the close")?;
        Ok(())
    }

    /// The second half, once for any number of refused messages: the host connects again and is sent the sync messages of before,
    /// the owner's view is the one of before, and no socket has received anything since it was last read.
    pub async fn unchanged(&mut self, before: &Value) -> anyhow::Result<()> {
        let after = self.settled().await?;
        ensure!(*before == after, "the owner's view of the game changed");
        Ok(())
    }

    /// [`Stage::refused`] for a command in one plain frame.
    pub async fn refuses(
        &mut self,
        actor: Actor,
        command: impl Into<Command>,
        wanted: impl Into<Wanted>,
    ) -> anyhow::Result<()> {
        let command = command.into();
        self.refused(actor, &command.bytes(), &[wanted.into()]).await.with_context(|| command.text())
    }

    /// `mark_answers` with these texts.
    pub async fn mark(&mut self, number: usize, texts: &[&str], correct: bool) -> anyhow::Result<()> {
        self.host_plays(Command::mark(self.oracle.question(number).id, texts, correct)).await
    }

    /// `mark_answers` with half of the points.
    pub async fn halve(&mut self, number: usize, texts: &[&str]) -> anyhow::Result<()> {
        self.host_plays(Command::halve(self.oracle.question(number).id, texts)).await
    }

    /// `accept_answer`
    pub async fn accept(&mut self, number: usize, text: &str, correct: bool) -> anyhow::Result<()> {
        self.host_plays(Command::accept(self.oracle.question(number).id, text, correct)).await
    }

    /// `undo_marking`
    pub async fn undo(&mut self) -> anyhow::Result<()> {
        self.host_plays(FromHost::UndoMarking).await
    }

    /// Plays a command of the host and checks everything that each socket is sent.
    pub async fn host_plays(&mut self, command: impl Into<Command>) -> anyhow::Result<()> {
        let command = command.into();
        self.play(Actor::Host, &command).await.with_context(|| command.text())
    }

    /// The host and the first two players connect again, one after the other, and are sent the sync messages.
    pub async fn all_connect_again(&mut self) -> anyhow::Result<()> {
        for actor in [Actor::Host, Actor::Player(0), Actor::Player(1)] {
            self.replace(actor).await.with_context(|| format!("{actor:?} connects again"))?;
        }
        Ok(())
    }
}
