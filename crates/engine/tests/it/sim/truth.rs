//! Whether a message is true at one place of the log: invariant 3, with 5, 6 and 8 in it.

use quizhall_engine::{Dialect, Participant};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::{LobbyUpdate, QuestionReleased};
use quizhall_protocol::to_host::{AnswerCount, OverrideApplied, RoundReview};
use quizhall_protocol::to_player::RoundScores;
use quizhall_protocol::{ServerMessage, ToAll, ToHost, ToPlayer};
use quizhall_rules::{Phase, PlayerId, QuestionId};

use super::reference::Reference;

impl Reference {
    /// Whether this may be said to this participant here.
    pub fn says(&self, message: &ServerMessage, to: Participant) -> bool {
        match (message, to) {
            (ServerMessage::All(message), _) => self.says_to_all(message),
            (ServerMessage::Host(message), Participant::Host) => self.says_to_host(message),
            (ServerMessage::Player(message), Participant::Player(player)) => self.says_to_player(message, player),
            _ => false,
        }
    }

    /// Whether this participant has a seat here.
    pub fn knows(&self, who: Participant) -> bool {
        match who {
            Participant::Host => true,
            Participant::Player(player) => self.player(player).is_some(),
        }
    }

    /// The types a participant must hear on connecting here, in order (messages.md#connecting).
    pub fn sync(&self, to: Participant, dialect: Dialect) -> Vec<&'static str> {
        if dialect == Dialect::Interface {
            return self.sync_of_phase(to);
        }
        let (mut types, behind) = self.sync_extension(to);
        match to {
            Participant::Player(_) if self.standings_held => types.push("round_scores"),
            _ => types.extend(self.sync_of_phase(to)),
        }
        types.extend(behind);
        types
    }

    fn sync_of_phase(&self, to: Participant) -> Vec<&'static str> {
        let host = to == Participant::Host;
        match self.phase {
            None => Vec::new(),
            Some(Phase::Lobby) => vec!["lobby_update"],
            Some(Phase::Question) => {
                let mut types = vec!["question_released"; self.released.len()];
                match to {
                    Participant::Host => types.extend(vec!["count"; self.released.len()]),
                    Participant::Player(player) => {
                        let answered = self.released.iter().filter(|id| self.answer(player, **id).is_some()).count();
                        types.extend(vec!["answer_accepted"; answered]);
                    }
                }
                types
            }
            Some(Phase::RoundReview) if host => vec!["round_ended", "round_review"],
            Some(Phase::RoundReview) => vec!["round_ended"],
            Some(Phase::Leaderboard) if host => vec!["round_leaderboard"],
            Some(Phase::Leaderboard) => vec!["round_leaderboard", "round_scores", "scoreboard"],
            Some(Phase::Ended) => vec!["game_ended"],
        }
    }

    fn says_to_all(&self, message: &ToAll) -> bool {
        match message {
            ToAll::LobbyUpdate(list) => self.is_lobby(list),
            ToAll::GameStarted => self.phase == Some(Phase::Question),
            ToAll::QuestionReleased(released) => self.phase == Some(Phase::Question) && self.is_question(released),
            ToAll::RoundEnded => self.phase == Some(Phase::RoundReview),
            ToAll::RoundLeaderboard(board) => {
                self.phase == Some(Phase::Leaderboard) && self.is_board(&board.leaderboard, true)
            }
            ToAll::GameEnded(board) => self.phase == Some(Phase::Ended) && self.is_board(&board.leaderboard, false),
            ToAll::HostStatus(status) => status.connected == self.host_here,
            ToAll::GameInfo(info) => self.quiz.as_ref().is_some_and(|quiz| info.title == quiz.title),
            ToAll::StandingsStatus(status) => {
                self.phase == Some(Phase::Leaderboard) && status.held == self.standings_held
            }
            ToAll::RoundStarted(started) => self.says_round_started(started),
        }
    }

    fn says_to_host(&self, message: &ToHost) -> bool {
        match message {
            ToHost::ScoreboardUpdate(AnswerCount { question_id, answer_count }) => {
                let question = QuestionId::from(*question_id);
                let count = self.answers_to(question).count();
                self.phase == Some(Phase::Question)
                    && self.released.contains(&question)
                    && count == *answer_count as usize
            }
            ToHost::RoundReview(review) => self.phase == Some(Phase::RoundReview) && self.is_review(review),
            ToHost::OverrideApplied(OverrideApplied { player_id, question_id, correct }) => {
                let answer = self.answer(PlayerId::from(*player_id), QuestionId::from(*question_id));
                self.phase == Some(Phase::RoundReview) && answer.is_some_and(|answer| answer.is_overruled(*correct))
            }
            ToHost::RoomUpdate(update) => self.is_room(update),
            ToHost::PlayersAnswered(answered) => self.says_players_answered(answered),
            ToHost::AnswersMarked(marked) => self.says_answers_marked(marked),
            ToHost::MarkingUpdate(update) => {
                self.phase == Some(Phase::RoundReview) && update.undoable as usize == self.markings.len()
            }
        }
    }

    fn says_to_player(&self, message: &ToPlayer, player: PlayerId) -> bool {
        match message {
            ToPlayer::AnswerAccepted(accepted) => {
                let question = QuestionId::from(accepted.question_id);
                self.phase == Some(Phase::Question) && self.answer(player, question).is_some()
            }
            ToPlayer::RoundScores(scores) => self.phase == Some(Phase::Leaderboard) && self.are_scores(scores, player),
            ToPlayer::ScoreboardUpdate(board) => {
                self.phase == Some(Phase::Leaderboard) && self.is_board(&board.leaderboard, false)
            }
        }
    }

    fn is_lobby(&self, list: &LobbyUpdate) -> bool {
        let shown = list.players.iter().map(|player| (PlayerId::from(player.id), player.display_name.as_str()));
        list.total.is_none() && shown.eq(self.lobby().map(|player| (player.id, player.name.as_str())))
    }

    fn is_question(&self, released: &QuestionReleased) -> bool {
        let shown = &released.question;
        let all = self.quiz.iter().flat_map(|quiz| &quiz.rounds).flat_map(|round| &round.questions);
        let asked = all.into_iter().find(|asked| asked.id == QuestionId::from(shown.id));
        self.released.contains(&QuestionId::from(shown.id))
            && asked.is_some_and(|asked| {
                let choices = shown.choices.as_deref().unwrap_or_default();
                asked.text == shown.text
                    && shown.kind == asked.kind
                    && asked.choices == choices
                    && asked.points == shown.points
            })
    }

    fn is_board(&self, shown: &[LeaderboardEntry], with_round: bool) -> bool {
        shown.len() == self.board.len()
            && shown.iter().zip(&self.board).all(|(shown, standing)| {
                PlayerId::from(shown.player_id) == standing.player
                    && shown.display_name == standing.name
                    && shown.score == standing.score
                    && shown.rank == standing.rank
                    && shown.round_score == with_round.then_some(standing.round_score)
            })
    }

    fn is_review(&self, review: &RoundReview) -> bool {
        let mut wanted = self.released.iter().flat_map(|question| self.answers_to(*question));
        let mut shown = review.answers.iter();
        loop {
            match (shown.next(), wanted.next()) {
                (None, None) => return review.part.is_none(),
                (Some(shown), Some(wanted)) => {
                    let same = PlayerId::from(shown.player_id) == wanted.player
                        && QuestionId::from(shown.question_id) == wanted.question
                        && shown.answer == wanted.text
                        && shown.correct == wanted.correct()
                        && shown.near_miss == wanted.near_miss;
                    if !same {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    fn are_scores(&self, scores: &RoundScores, player: PlayerId) -> bool {
        let results = &scores.results;
        let total: u64 = results.iter().map(|result| u64::from(result.points)).sum();
        total == scores.round_total
            && results.len() == self.released.len()
            && results.iter().zip(&self.released).all(|(result, question)| {
                let answer = self.answer(player, *question).filter(|_| self.player(player).is_some());
                let correct = answer.is_some_and(super::reference::RefAnswer::correct);
                QuestionId::from(result.question_id) == *question
                    && result.your_answer == answer.map_or("", |answer| &answer.text)
                    && result.correct == correct
                    && result.points == if correct { self.points(*question) } else { 0 }
            })
    }
}
