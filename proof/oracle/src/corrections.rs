//! Marks that the host corrects when the scores of their round are out, and the messages that must follow.

use quizhall_protocol::from_host::CorrectMarks;
use quizhall_protocol::{Dialect, ServerMessage, ToHost};
use uuid::Uuid;

use crate::answers::{Answer, Answers, Worth};
use crate::board::{Form, Reader};
use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

impl Game {
    /// The number of rounds whose scores are out.
    pub(crate) fn rounds_out(&self) -> usize {
        self.round + usize::from(matches!(self.phase, Phase::Leaderboard | Phase::Ended))
    }

    /// The round, from 0, of a question with marks that was released in a round that is out.
    pub(crate) fn round_out(&self, question: Uuid) -> Option<usize> {
        self.quiz.question(question).filter(|asked| asked.is_marked())?;
        (0..self.rounds_out()).find(|round| self.played(*round).0.contains(&question))
    }

    /// The players whose answers with one of these texts do not yet count as given; none for a question that cannot be corrected.
    pub fn correctable(&self, question: Uuid, texts: &[String], worth: Worth) -> Option<Vec<Uuid>> {
        let mut answers = self.played(self.round_out(question)?).1.in_order(question);
        answers.retain(|answer| !self.was_removed(answer.player));
        answers.retain(|answer| !answer.counts_as(worth) && texts.contains(&answer.text));
        Some(answers.iter().map(|answer| answer.player).collect())
    }

    /// The same for named players, in order of joining; none also when one of them is not in the game. A missing answer counts as
    /// wrong.
    fn creditable(&self, question: Uuid, named: &[Uuid], worth: Worth) -> Option<Vec<Uuid>> {
        let answers = self.played(self.round_out(question)?).1;
        named.iter().all(|player| self.player(*player).is_some()).then_some(())?;
        let mut players: Vec<Uuid> = self.players.iter().map(|player| player.id).collect();
        players.retain(|player| named.contains(player));
        players.retain(|player| counts_otherwise(answers.get(*player, question), worth));
        Some(players)
    }

    /// The texts of the answers to a question that can be corrected; none for other questions.
    pub fn texts_out(&self, question: Uuid) -> Vec<String> {
        let answers = self.round_out(question).map(|round| self.played(round).1.in_order(question));
        answers.into_iter().flatten().map(|answer| answer.text.clone()).collect()
    }

    pub(crate) fn check_correction(&self, question: Uuid, players: &[Uuid], worth: Worth) -> Result<(), Illegal> {
        let round = self.round_out(question);
        let is_otherwise = |player: &Uuid| {
            counts_otherwise(round.and_then(|round| self.played(round).1.get(*player, question)), worth)
        };
        require(round.is_some() && !players.is_empty() && players.iter().all(is_otherwise), "nothing to correct")
    }

    pub(crate) fn correct_marks(&mut self, question: Uuid, players: &[Uuid], worth: Worth) {
        let Some(round) = self.round_out(question) else { return };
        let answers: &mut Answers = self.past.get_mut(round).map_or(&mut self.answers, |(_, answers)| answers);
        for player in players {
            answers.overrule(*player, question, worth);
        }
        self.answered_before.extend(players);
        self.score_anew();
    }

    /// Calculates the scores of all rounds that are out from the present marks.
    pub(crate) fn score_anew(&mut self) {
        let earned: Vec<_> = (0..self.rounds_out()).map(|round| self.earned_of_all(round)).collect();
        for player in &mut self.players {
            let mut points = earned.iter().map(|round| round.get(&player.id).copied().unwrap_or_default());
            player.score = points.clone().sum();
            player.round_score = points.next_back().unwrap_or_default();
        }
        self.make_board();
    }

    /// `board_update`
    pub(crate) fn board_update(&self) -> ServerMessage {
        ServerMessage::Host(ToHost::BoardUpdate(self.board.shown(Form::Round(Reader::HostV1))))
    }

    /// Players receive as much as they have been shown of the scores; nothing when nothing changes.
    pub(crate) fn host_corrects(&mut self, command: &CorrectMarks) -> Result<Effects, Illegal> {
        let CorrectMarks { question_id, correct, half, .. } = command;
        let worth = self.worth(*question_id, *correct, *half == Some(true));
        let players = match (&command.answers, &command.player_ids) {
            (Some(texts), None) => self.correctable(*question_id, texts, worth),
            (None, Some(players)) => self.creditable(*question_id, players, worth),
            _ => None,
        };
        let players = players.ok_or(Illegal::UNKNOWN)?;
        if players.is_empty() {
            return Ok(Effects::default().and(To::Host, self.board_update()));
        }
        self.apply(&Fact::MarksCorrected(*question_id, players.clone(), worth))?;
        let effects = self.with_board(Effects::default().and(To::Host, self.board_update()));
        Ok(self.with_appeals(effects, *question_id, &players))
    }
    /// After a correction players receive only the scores that they had already been shown.
    pub(crate) fn with_board(&self, mut effects: Effects) -> Effects {
        let shown = self.players.iter().filter(|_| self.phase == Phase::Leaderboard);
        for player in shown {
            let to = To::Player(player.id, Some(Dialect::QuizhallV1));
            if !(self.standings_held && self.phones_after_screen) {
                effects = effects.and(to, self.round_scores(player.id));
            }
            if !self.standings_held {
                effects = effects.and(to, self.scoreboard_update(player.id));
            }
        }
        effects
    }
}

/// Whether an answer, or none, counts differently from this. A missing answer counts as wrong.
fn counts_otherwise(answer: Option<&Answer>, worth: Worth) -> bool {
    answer.map_or(worth != Worth::WRONG, |answer| !answer.counts_as(worth))
}
