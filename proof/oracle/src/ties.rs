//! Tie-breaks: the messages that state them, and the order in which they put equal players.

use quizhall_protocol::to_all::{TieBreakPlayer, TieBreakStatus, TieBreaks};
use quizhall_protocol::to_player::TieBreakAnswer;
use quizhall_protocol::{Dialect, FromHost, ServerMessage, ToAll, ToPlayer};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

/// A tie-break after this round.
#[derive(Debug, Clone)]
pub(crate) struct TieBreak {
    text: String,
    answer: i64,
    /// The players who are asked, and the last answer of each.
    players: Vec<(Uuid, Option<i64>)>,
    /// The place of each, once it is over.
    places: Option<Vec<(Uuid, u32)>>,
}

impl Game {
    pub(crate) fn open_tie_break(&self) -> Option<&TieBreak> {
        self.tie_breaks.last().filter(|last| last.places.is_none())
    }

    /// A player whom the open tie-break asks, and the player's answer.
    pub(crate) fn asked(&self, player: Uuid) -> Option<&(Uuid, Option<i64>)> {
        self.open_tie_break()?.players.iter().find(|(asked, _)| *asked == player)
    }

    fn tie_answer(&self, player: Uuid) -> Option<i64> {
        self.asked(player).and_then(|(_, answer)| *answer)
    }

    pub(crate) fn check_tie_break(&self, fact: &Fact) -> Result<(), Illegal> {
        require(self.phase == Phase::Leaderboard, "a tie-break outside of the standings")?;
        match fact {
            Fact::TieBreakStarted(players, ..) => {
                require(players.iter().all(|player| self.player(*player).is_some()), "a stranger is asked")
            }
            Fact::TieBreakAnswered(player, answer) => {
                let is_new = self.asked(*player).is_some_and(|(_, before)| *before != Some(*answer));
                require(is_new, "the player is not asked, or says the same")
            }
            _ => require(self.open_tie_break().is_some(), "no tie-break is open"),
        }
    }

    pub(crate) fn fold_tie_break(&mut self, fact: &Fact) {
        match fact {
            Fact::TieBreakStarted(players, text, answer) => {
                self.drop_tie_break();
                let players = players.iter().map(|player| (*player, None)).collect();
                self.tie_breaks.push(TieBreak { text: text.clone(), answer: *answer, players, places: None });
            }
            Fact::TieBreakAnswered(player, answer) => {
                let open = self.tie_breaks.last_mut().into_iter().flat_map(|open| &mut open.players);
                open.filter(|(asked, _)| asked == player).for_each(|(_, given)| *given = Some(*answer));
            }
            Fact::TieBreakEnded => {
                let there = |player: Uuid| self.player(player).is_some();
                let places = self.open_tie_break().map(|open| {
                    let off = |given: Option<i64>| given.map_or(u64::MAX, |given| given.abs_diff(open.answer));
                    let asked: Vec<_> = open.players.iter().filter(|(player, _)| there(*player)).collect();
                    let nearer = |given| asked.iter().filter(|(_, other)| off(*other) < off(given)).count();
                    asked.iter().map(|(player, given)| (*player, crate::messages::count(nearer(*given) + 1))).collect()
                });
                if let Some(last) = self.tie_breaks.last_mut() {
                    last.places = places;
                }
                self.reorder_board();
            }
            _ => {}
        }
    }

    pub(crate) fn drop_tie_break(&mut self) {
        if self.open_tie_break().is_some() {
            self.tie_breaks.pop();
        }
    }

    /// Equal players in the order of the tie-breaks.
    pub(crate) fn reorder_board(&mut self) {
        self.board.reorder(self.tie_breaks.iter().filter_map(|one| one.places.clone()).collect());
    }

    /// `tie_breaks`; nothing in other phases.
    pub fn tie_breaks_message(&self) -> Option<ServerMessage> {
        let shown = |one: &TieBreak| {
            let place =
                |id: Uuid| one.places.iter().flatten().find(|(player, _)| *player == id).map(|(_, place)| *place);
            let there = one.players.iter().filter(|(player, _)| self.player(*player).is_some());
            let player = |&(player_id, given): &(Uuid, Option<i64>)| TieBreakPlayer {
                player_id,
                display_name: self.name(player_id),
                answered: given.is_some(),
                number: given.filter(|_| one.places.is_some()),
                place: place(player_id),
            };
            let mut players: Vec<_> = there.map(player).collect();
            players.sort_by_key(|player| player.place);
            TieBreakStatus { text: one.text.clone(), number: one.places.as_ref().map(|_| one.answer), players }
        };
        let tie_breaks = self.tie_breaks.iter().map(shown).collect();
        let is_stated = matches!(self.phase, Phase::Leaderboard | Phase::Ended);
        is_stated.then_some(ServerMessage::All(ToAll::TieBreaks(TieBreaks { tie_breaks })))
    }

    /// The tie-breaks after this round, in the form of messages and of results over HTTP.
    pub fn tie_breaks_shown(&self) -> Vec<TieBreakStatus> {
        match self.tie_breaks_message() {
            Some(ServerMessage::All(ToAll::TieBreaks(shown))) => shown.tie_breaks,
            _ => Vec::new(),
        }
    }

    /// `tie_break_answer` of a player.
    pub fn tie_break_answer(&self, player: Uuid) -> ServerMessage {
        let number = self.tie_answer(player);
        ServerMessage::Player(ToPlayer::TieBreakAnswer(TieBreakAnswer { number }))
    }

    /// The same on connecting: nothing without an answer.
    pub(crate) fn tie_break_answered(&self, player: Uuid) -> Option<ServerMessage> {
        self.tie_answer(player).map(|_| self.tie_break_answer(player))
    }

    /// The host asks or ends a tie-break; the changes are sent as for any command.
    pub(crate) fn tie_break(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        let confirmed = |game: &Self| Effects::default().and_all(To::Host, game.tie_breaks_message());
        if let FromHost::TieBreak(asked) = command {
            let mut players: Vec<Uuid> = Vec::new();
            for player in &asked.player_ids {
                players.extend((!players.contains(player)).then_some(*player));
            }
            let is_so = |open: &TieBreak| {
                let same = open.players.iter().map(|(player, _)| player).eq(&players);
                same && (&open.text, open.answer) == (&asked.text, asked.answer)
            };
            if self.open_tie_break().is_some_and(is_so) {
                return Ok(confirmed(self));
            }
            self.apply(&Fact::TieBreakStarted(players, asked.text.clone(), asked.answer))?;
            return Ok(Effects::default());
        }
        if self.open_tie_break().is_none() {
            require(self.phase == Phase::Leaderboard, "a tie-break outside of the standings")?;
            return Ok(confirmed(self));
        }
        self.apply(&Fact::TieBreakEnded)?;
        let mut effects = Effects::default().and(To::Host, self.board_update());
        for player in self.players.iter().filter(|_| !self.standings_held) {
            effects = effects.and(To::Player(player.id, Some(Dialect::QuizhallV1)), self.scoreboard_update(player.id));
        }
        Ok(effects)
    }

    /// A player answers the tie-break.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn answer_tie_break(&mut self, player: Uuid, answer: i64) -> Result<Effects, Illegal> {
        let before = self.tie_breaks_message();
        if self.asked(player).is_some_and(|(_, before)| *before != Some(answer)) {
            self.apply(&Fact::TieBreakAnswered(player, answer))?;
        }
        let changed = self.tie_breaks_message().filter(|now| before.as_ref() != Some(now));
        let shown = Effects::default().and_all(To::All, changed);
        Ok(shown.and(To::Player(player, Some(Dialect::QuizhallV1)), self.tie_break_answer(player)))
    }
}
