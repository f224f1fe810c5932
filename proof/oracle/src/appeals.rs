//! Appeals of players to marks of rounds that are out, and what must follow.

use quizhall_protocol::from_host::DismissAppeal;
use quizhall_protocol::from_player;
use quizhall_protocol::http::results::AppealResult;
use quizhall_protocol::shapes::AppealOutcome;
use quizhall_protocol::to_host::{Appealed, AppealsUpdate};
use quizhall_protocol::to_player::{AppealStatus, OwnAppeal};
use quizhall_protocol::{Dialect, ServerMessage, ToHost, ToPlayer};
use uuid::Uuid;

use crate::answers::Answer;
use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

/// An appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appeal {
    /// The player.
    pub player: Uuid,
    /// The question whose answer it is about.
    pub question: Uuid,
    text: Option<String>,
    dismissed: bool,
}

impl Game {
    fn answer_out(&self, player: Uuid, question: Uuid) -> Option<&Answer> {
        self.played(self.round_out(question)?).1.get(player, question)
    }

    fn outcome(&self, appeal: &Appeal) -> AppealOutcome {
        match self.answer_out(appeal.player, appeal.question).is_some_and(Answer::correct) {
            true => AppealOutcome::Accepted,
            false if appeal.dismissed => AppealOutcome::Dismissed,
            false => AppealOutcome::Open,
        }
    }

    fn appeals_of(&self, player: Uuid) -> impl Iterator<Item = &Appeal> {
        self.appeals.iter().filter(move |appeal| appeal.player == player)
    }

    /// The appeals about a question in the form of results.
    pub(crate) fn appeals_in_results(&self, question: Uuid) -> Vec<AppealResult> {
        let appeals = self.players.iter().flat_map(|player| self.appeals_of(player.id));
        let result = |appeal: &Appeal| AppealResult {
            player_id: appeal.player,
            display_name: self.name(appeal.player),
            text: appeal.text.clone(),
            outcome: self.outcome(appeal),
        };
        appeals.filter(|appeal| appeal.question == question).map(result).collect()
    }

    /// The appeals that the host has not decided, by order of joining, then by order of arrival.
    pub fn open_appeals(&self) -> impl Iterator<Item = &Appeal> {
        let appeals = self.players.iter().flat_map(|player| self.appeals_of(player.id));
        appeals.filter(|appeal| self.outcome(appeal) == AppealOutcome::Open)
    }

    /// Whether an appeal has an effect here; none where it is refused.
    pub fn can_appeal(&self, player: Uuid, question: Uuid) -> Option<bool> {
        let round = self.round_out(question)?;
        if self.standings_held && self.phones_after_screen && round == self.round {
            return None;
        }
        let of_round = self.appeals_of(player).filter(|appeal| self.round_out(appeal.question) == Some(round)).count();
        let is_first = !self.appeals_of(player).any(|appeal| appeal.question == question);
        let is_right = self.answer_out(player, question).is_some_and(Answer::correct);
        Some(is_first && of_round < 3 && !is_right && !self.is_withdrawn(question))
    }

    /// The questions about which the phones may appeal.
    pub fn appealable(&self) -> Vec<Uuid> {
        let asked = self.quiz.rounds.iter().flat_map(|round| round.questions.iter().map(|asked| asked.id));
        asked.filter(|question| self.can_appeal(Uuid::nil(), *question).is_some()).collect()
    }

    /// `appeal_status` of a player.
    pub fn appeal_status(&self, player: Uuid) -> ServerMessage {
        let own = |appeal: &Appeal| OwnAppeal { question_id: appeal.question, outcome: self.outcome(appeal) };
        let appeals = self.appeals_of(player).map(own).collect();
        ServerMessage::Player(ToPlayer::AppealStatus(AppealStatus { appeals }))
    }

    fn appealed(&self, appeal: &Appeal) -> Appealed {
        Appealed {
            player_id: appeal.player,
            display_name: self.player(appeal.player).map(|player| player.name.clone()).unwrap_or_default(),
            question_id: appeal.question,
            answer: self
                .answer_out(appeal.player, appeal.question)
                .map(|answer| answer.text.clone())
                .unwrap_or_default(),
            text: appeal.text.clone(),
            outcome: self.outcome(appeal),
        }
    }

    fn appeals_update<'a>(&self, appeals: impl Iterator<Item = &'a Appeal>) -> ServerMessage {
        let appeals = appeals.map(|appeal| self.appealed(appeal)).collect();
        ServerMessage::Host(ToHost::AppealsUpdate(AppealsUpdate { appeals }))
    }

    fn about(&self, player: Uuid, question: Uuid) -> impl Iterator<Item = &Appeal> {
        self.appeals_of(player).filter(move |appeal| appeal.question == question)
    }

    /// Whether each of them is true here.
    pub(crate) fn is_so(&self, update: &AppealsUpdate) -> bool {
        let is_so =
            |said: &Appealed| self.about(said.player_id, said.question_id).any(|appeal| self.appealed(appeal) == *said);
        self.takes_appeals() && update.appeals.iter().all(is_so)
    }

    pub(crate) fn takes_appeals(&self) -> bool {
        !matches!(self.phase, Phase::Lobby | Phase::Ended)
    }

    /// The messages about appeals that the host, or a player, receives on connecting.
    pub(crate) fn sync_of_appeals(&self, player: Option<Uuid>) -> Option<ServerMessage> {
        let is_any = match player {
            _ if !self.takes_appeals() => return None,
            Some(player) => self.appeals_of(player).next().is_some(),
            None => self.open_appeals().next().is_some(),
        };
        is_any.then(|| {
            player.map_or_else(|| self.appeals_update(self.open_appeals()), |player| self.appeal_status(player))
        })
    }

    pub(crate) fn check_appeal(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::Appealed(player, question, _) => {
                let may = self.player(*player).is_some() && self.can_appeal(*player, *question) == Some(true);
                require(may, "no appeal that does something")
            }
            Fact::AppealDismissed(player, question) => {
                let mut appeals = self.about(*player, *question);
                require(appeals.any(|appeal| self.outcome(appeal) == AppealOutcome::Open), "no open appeal")
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fold_appeals(&mut self, fact: &Fact) {
        match fact {
            Fact::Appealed(player, question, text) => {
                let (player, question, text) = (*player, *question, text.clone());
                self.appeals.push(Appeal { player, question, text, dismissed: false });
            }
            Fact::AppealDismissed(player, question) => {
                let is_it = |appeal: &&mut Appeal| (appeal.player, appeal.question) == (*player, *question);
                self.appeals.iter_mut().filter(is_it).for_each(|appeal| appeal.dismissed = true);
            }
            Fact::Removed(player) => self.appeals.retain(|appeal| appeal.player != *player),
            _ => {}
        }
    }

    /// The messages that the host and these players receive about their appeals.
    pub(crate) fn with_appeals(&self, effects: Effects, question: Uuid, players: &[Uuid]) -> Effects {
        let appealed = |player: &&Uuid| self.about(**player, question).next().is_some();
        let players: Vec<Uuid> = players.iter().filter(appealed).copied().collect();
        let appeals = players.iter().flat_map(|player| self.about(*player, question));
        let update = (!players.is_empty()).then(|| self.appeals_update(appeals));
        let effects = effects.and_all(To::Host, update);
        players.iter().fold(effects, |effects, player| {
            effects.and(To::Player(*player, Some(Dialect::QuizhallV1)), self.appeal_status(*player))
        })
    }

    /// A player appeals.
    ///
    /// # Errors
    /// When there is no such player, or no such question is out.
    pub fn player_appeals(&mut self, player: Uuid, appeal: &from_player::Appeal) -> Result<Effects, Illegal> {
        let question = appeal.question_id;
        let may = self.can_appeal(player, question).filter(|_| self.takes_appeals()).ok_or(Illegal::UNKNOWN)?;
        if !may {
            let status = self.appeal_status(player);
            return Ok(Effects::default().and(To::Player(player, Some(Dialect::QuizhallV1)), status));
        }
        let text = appeal.text.clone().filter(|text| !text.trim().is_empty());
        self.apply(&Fact::Appealed(player, question, text))?;
        Ok(self.with_appeals(Effects::default(), question, &[player]))
    }

    pub(crate) fn host_dismisses(&mut self, command: &DismissAppeal) -> Result<Effects, Illegal> {
        let DismissAppeal { player_id, question_id } = *command;
        let fact = Fact::AppealDismissed(player_id, question_id);
        if self.check_appeal(&fact).is_err() {
            let update = self.appeals_update(self.about(player_id, question_id));
            return Ok(Effects::default().and(To::Host, update));
        }
        self.apply(&fact)?;
        Ok(self.with_appeals(Effects::default(), question_id, &[player_id]))
    }
}
