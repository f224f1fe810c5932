//! Whether a message that a viewer received is true at this place, whatever caused it.

use quizhall_protocol::to_all::Leaderboard;
use quizhall_protocol::to_host::{AnswersMarked, PlayersAnswered, RoomUpdate};
use quizhall_protocol::to_player::{AnsweredStatus, LobbyChanged};
use quizhall_protocol::{Dialect, ServerMessage, ToAll, ToHost, ToPlayer};
use uuid::Uuid;

use crate::board::{Form, Reader};
use crate::game::{Game, Phase, Viewer};
use crate::messages::count;

impl Game {
    /// Whether the message may be sent to this viewer here, and states something that is true here.
    pub fn is_true(&self, message: &ServerMessage, viewer: Viewer) -> bool {
        match (message, viewer) {
            (ServerMessage::All(sent), _) => self.is_true_for_all(sent, message, viewer),
            (ServerMessage::Host(sent), Viewer::Host) => self.is_true_for_host(sent, message),
            (ServerMessage::Player(ToPlayer::TeamUpdate(_) | ToPlayer::TeamSheet(_)), _) => {
                self.is_true_for_phone(message, viewer)
            }
            (ServerMessage::Player(sent), Viewer::Player(player) | Viewer::Phone(player, _)) => {
                self.is_true_for_player(sent, player)
            }
            _ => false,
        }
    }

    fn is_true_for_all(&self, sent: &ToAll, message: &ServerMessage, viewer: Viewer) -> bool {
        match sent {
            ToAll::LobbyUpdate(_) => *message == self.lobby_update(),
            ToAll::GameStarted => self.phase == Phase::Question,
            ToAll::QuestionReleased(released) => {
                let id = released.question.id;
                self.phase == Phase::Question
                    && self.released.contains(&id)
                    && self.is_in_a_dialect(message, &self.question_released(id))
            }
            ToAll::RoundEnded => self.phase == Phase::Review,
            ToAll::RoundLeaderboard(board) => self.phase == Phase::Leaderboard && self.is_board(Form::Round, board),
            ToAll::GameEnded(board) => self.phase == Phase::Ended && self.is_board(Form::Final, board),
            ToAll::HostStatus(status) => status.connected == self.host_here,
            ToAll::TimerUpdate(update) => self.phase == Phase::Question && self.may_say(update, viewer),
            ToAll::AutopilotStep(step) => self.may_say_step(step),
            ToAll::QuestionClosed(closed) => {
                self.phase == Phase::Question && self.is_closed_for(closed.question_id, viewer)
            }
            ToAll::AnswerRevealed(_) => self.answers_revealed().contains(message),
            ToAll::BreakUpdate(update) => self.may_say_break(update),
            ToAll::QuestionEdited(_) | ToAll::QuestionWithdrawn(_) | ToAll::PlayerRenamed(_) => {
                self.is_mended_so(sent, message, viewer)
            }
            _ => self.stated().any(|(stated, _)| stated == *message),
        }
    }

    fn is_true_for_host(&self, sent: &ToHost, message: &ServerMessage) -> bool {
        match sent {
            ToHost::ScoreboardUpdate(count) => {
                let question = count.question_id;
                self.phase == Phase::Question
                    && self.released.contains(&question)
                    && *message == self.answer_count(question)
            }
            ToHost::RoundReview(_) => {
                self.phase == Phase::Review && self.is_in_a_dialect(message, &self.round_review())
            }
            // No game that is judged has so many answers.
            ToHost::ReviewGroups(_) => false,
            ToHost::OverrideApplied(applied) => {
                let answer = self.answer(applied.player_id, applied.question_id);
                self.phase == Phase::Review && answer.is_some_and(|answer| answer.correct() == applied.correct)
            }
            ToHost::RoomUpdate(update) if update.whole => *message == self.whole_room(),
            ToHost::RoomUpdate(update) => self.is_room_change(update),
            ToHost::PlayersAnswered(answered) => self.have_answered(answered),
            ToHost::AnswersMarked(marked) => self.shows_marks() && self.are_marks(marked),
            ToHost::AnswersUpdate(update) => {
                self.phase == Phase::Question && *message == self.answers_update(update.question_id)
            }
            ToHost::GameOptions(options) => self.phase != Phase::Ended && *options == self.options,
            ToHost::BoardUpdate(board) => {
                let is_running = !matches!(self.phase, Phase::Lobby | Phase::Ended);
                is_running && self.board.compare(Form::Round(Reader::HostV1), board).is_ok()
            }
            ToHost::AdjustmentsUpdate(_) => self.running().is_ok() && *message == self.adjustments_update(),
            ToHost::AppealsUpdate(update) => self.is_so(update),
            ToHost::AnswersEntered(entered) => self.shows_marks() && self.have_entered(&entered.answers),
            ToHost::StepUpdate(_) => *message == self.step_update(),
            ToHost::MarkingUpdate(_) => self.shows_marks() && *message == self.marking_update(),
        }
    }

    fn shows_marks(&self) -> bool {
        matches!(self.phase, Phase::Question | Phase::Review)
    }

    fn is_in_a_dialect(&self, sent: &ServerMessage, whole: &ServerMessage) -> bool {
        sent == whole || *sent == self.in_dialect(whole, Dialect::Interface)
    }

    fn is_true_for_player(&self, sent: &ToPlayer, player: Uuid) -> bool {
        match sent {
            ToPlayer::AnswerAccepted(accepted) => {
                self.phase == Phase::Question && self.answer(player, accepted.question_id).is_some()
            }
            ToPlayer::RoundScores(_) => {
                let message = ServerMessage::Player(sent.clone());
                self.phase == Phase::Leaderboard && self.is_in_a_dialect(&message, &self.round_scores(player))
            }
            ToPlayer::AppealStatus(_) => {
                self.takes_appeals() && ServerMessage::Player(sent.clone()) == self.appeal_status(player)
            }
            ToPlayer::JokerUpdate(_) => {
                self.phase != Phase::Ended && ServerMessage::Player(sent.clone()) == self.joker_update(player)
            }
            ToPlayer::TieBreakAnswer(_) => {
                self.phase != Phase::Ended && ServerMessage::Player(sent.clone()) == self.tie_break_answer(player)
            }
            ToPlayer::ScoreboardUpdate(board) => {
                let is_shown = matches!(self.phase, Phase::Leaderboard | Phase::Ended);
                is_shown && self.is_board(|reader| Form::Running(player, reader), board)
            }
            ToPlayer::LobbyChanged(changed) => self.is_lobby_change(changed),
            ToPlayer::AnsweredStatus(status) => self.have_so_many_answered(status),
            // Checked on the phone before.
            ToPlayer::TeamUpdate(_) | ToPlayer::TeamSheet(_) => false,
        }
    }

    /// Whether a board is the one that one of its readers receives.
    fn is_board(&self, form: impl Fn(Reader) -> Form, board: &Leaderboard) -> bool {
        let readers = [Reader::PlayerV1, Reader::HostV1, Reader::Other];
        readers.into_iter().any(|reader| self.board.compare(form(reader), board).is_ok())
    }

    /// A change may name any players, each as they are now.
    fn is_lobby_change(&self, changed: &LobbyChanged) -> bool {
        let is_present = |id: Uuid| self.lobby().any(|player| player.id == id);
        changed.total == count(self.lobby().count())
            && changed.joined.iter().all(|player| is_present(player.id) && self.name(player.id) == player.display_name)
            && changed.left.iter().all(|id| !is_present(*id))
    }

    /// A change may name any players, each as they are now.
    fn is_room_change(&self, update: &RoomUpdate) -> bool {
        let numbers = self.room(false, update.players.clone());
        *update == numbers && update.players.iter().all(|shown| self.in_room(shown.id).as_ref() == Some(shown))
    }

    /// Names are collected for a moment, so a named player may have been removed in the meantime.
    fn have_answered(&self, answered: &PlayersAnswered) -> bool {
        let has = |player: &Uuid| self.answer(*player, answered.question_id).is_some();
        !answered.player_ids.is_empty() && answered.player_ids.iter().all(has)
    }

    /// The count of the newest question, while it is open for all; not in games so small that the number identifies a player.
    fn have_so_many_answered(&self, status: &AnsweredStatus) -> bool {
        let answers = self.answers_to(status.question_id);
        let is_away = |player: Uuid| !self.players.iter().any(|known| known.id == player && known.connected);
        let gone = answers.iter().filter(|answer| is_away(answer.player)).count();
        let connected = self.players.iter().filter(|player| player.connected).count();
        let is_open = |player: Uuid| !self.is_closed_for(status.question_id, Viewer::Player(player));
        self.phase == Phase::Question
            && self.released.last() == Some(&status.question_id)
            && status.answered > 0
            && (status.answered, status.of) == (count(answers.len()), count(connected + gone))
            && (5..=200).contains(&status.of)
            && self.players.iter().all(|player| is_open(player.id))
    }

    fn are_marks(&self, marked: &AnswersMarked) -> bool {
        let players: Vec<_> = marked.marks.iter().map(|mark| mark.player_id).collect();
        let sent = ServerMessage::Host(ToHost::AnswersMarked(marked.clone()));
        sent == self.marks(marked.question_id, &players)
    }
}
