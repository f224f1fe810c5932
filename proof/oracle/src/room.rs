//! The players in the game and their connections, in the view of a host with the extension; and the results of a round over HTTP.

use quizhall_protocol::http::results::{AnswerResult, QuestionResults};
use quizhall_protocol::to_host::{PlayerStatus, RoomPlayer, RoomUpdate};
use quizhall_protocol::{ServerMessage, ToHost};
use uuid::Uuid;

use crate::answers::Answer;
use crate::game::{Game, Player};
use crate::messages::count;
use crate::quiz::Question;

impl Game {
    /// `room_update` with every player who has not left the lobby; of at most 2,000 players.
    pub fn whole_room(&self) -> ServerMessage {
        let players = self.lobby().map(|player| self.room_player(player)).collect();
        ServerMessage::Host(ToHost::RoomUpdate(self.room(true, players)))
    }

    /// `room_update` with only these players, removed ones as gone.
    pub fn room_change(&self, players: &[Uuid]) -> ServerMessage {
        let players = players.iter().filter_map(|player| self.in_room(*player)).collect();
        ServerMessage::Host(ToHost::RoomUpdate(self.room(false, players)))
    }

    pub(crate) fn room(&self, whole: bool, players: Vec<RoomPlayer>) -> RoomUpdate {
        let connected = count(self.players.iter().filter(|player| player.connected).count());
        RoomUpdate { whole, players, total: count(self.players.len()), connected, locked: self.settings.locked }
    }

    /// A player as `room_update` shows them.
    pub(crate) fn in_room(&self, id: Uuid) -> Option<RoomPlayer> {
        let removed = self.removed.iter().find(|player| player.id == id);
        let gone = removed.map(|player| self.room_player(&Player { present: false, ..player.clone() }));
        gone.or_else(|| self.player(id).map(|player| self.room_player(player)))
    }

    fn room_player(&self, player: &Player) -> RoomPlayer {
        let status = match (player.present, player.connected) {
            (false, _) => PlayerStatus::Gone,
            (true, false) => PlayerStatus::Disconnected,
            (true, true) => PlayerStatus::Connected,
        };
        let percent = u32::from(self.percent_of(player.id));
        let extra_time = Some(percent).filter(|percent| *percent != 100 && player.present);
        let joker = player.joker.map(|round| count(round + 1)).filter(|_| player.present);
        let devices = if player.present { player.devices() } else { Vec::new() };
        let on_paper = player.on_paper && player.present;
        let moves = if player.present { player.moves } else { 0 };
        let display_name = player.name.clone();
        RoomPlayer { id: player.id, display_name, status, extra_time, joker, devices, on_paper, moves }
    }

    /// The released questions of this round with every answer, as `GET /api/v1/games/{id}/results` shows them.
    pub fn results(&self) -> Vec<QuestionResults> {
        let questions = self.released.iter().filter_map(|id| self.quiz.question(*id));
        questions.map(|question| self.results_of(question)).collect()
    }

    fn results_of(&self, question: &Question) -> QuestionResults {
        let earned = |answer: &Answer| self.earned(answer.player, question);
        let result = |answer: &&Answer| AnswerResult {
            player_id: answer.player,
            display_name: self.name(answer.player),
            answer: answer.text.clone(),
            correct: answer.correct(),
            overridden: answer.overridden(),
            by_changed_key: answer.is_by_changed_key(),
            marker: None,
            points: earned(answer).points,
            streak_points: earned(answer).for_streak,
            speed_points: earned(answer).for_speed,
            joker_points: earned(answer).for_joker,
            elapsed_ms: answer.elapsed(),
        };
        let could =
            |player: &&Player| !(player.late || player.on_paper) || self.answer(player.id, question.id).is_some();
        QuestionResults {
            question_id: question.id,
            text: question.text.clone(),
            kind: question.kind.clone(),
            correct_answer: question.key(),
            points: question.points,
            players: Some(count(self.players.iter().filter(could).count())),
            answers: self.answers_to(question.id).iter().map(result).collect(),
            explanation: question.explanation.clone(),
            corrected: self.is_corrected(question.id),
            withdrawn: self.is_withdrawn(question.id),
            appeals: self.appeals_in_results(question.id),
        }
    }
}
