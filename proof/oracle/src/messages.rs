//! Every message of the server with its required content at this place, except those about connections (`room`) and the state
//! messages (`stated`).

use quizhall_protocol::to_all::{LobbyUpdate, QuestionReleased};
use quizhall_protocol::to_host::{
    AnswerCount, AnswerMark, AnswersMarked, AnswersUpdate, GivenAnswers, MarkingUpdate, PlayersAnswered, RoundReview,
};
use quizhall_protocol::to_player::{AnswerAccepted, LobbyChanged, RoundScores};
use quizhall_protocol::{Dialect, ServerMessage, ToAll, ToHost, ToPlayer, shapes};
use uuid::Uuid;

use crate::answers::Answer;
use crate::board::{Form, Reader};
use crate::effects::{Effects, To};
use crate::game::{Game, Viewer};
use crate::quiz::Question;
use crate::streaks::Earned;

/// `answer_accepted`
pub fn answer_accepted(question: Uuid) -> ServerMessage {
    ServerMessage::Player(ToPlayer::AnswerAccepted(AnswerAccepted { question_id: question }))
}

/// `players_answered`
pub fn players_answered(question: Uuid, players: Vec<Uuid>) -> ServerMessage {
    ServerMessage::Host(ToHost::PlayersAnswered(PlayersAnswered { question_id: question, player_ids: players }))
}

fn shown(player: &crate::Player) -> shapes::Player {
    shapes::Player { id: player.id, display_name: player.name.clone() }
}

pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).expect("a game has at most 100,000 players")
}

impl Game {
    /// `lobby_update`, of at most 2,000 players.
    pub fn lobby_update(&self) -> ServerMessage {
        let players = self.lobby().map(shown).collect();
        ServerMessage::All(ToAll::LobbyUpdate(LobbyUpdate { players, total: None }))
    }

    /// The messages after this player joined, left or came back: `lobby_update`; once more than ten have joined, `lobby_changed`
    /// for players over `quizhall.v1`.
    pub fn lobby_effects(&self, player: Uuid) -> Effects {
        let list = self.lobby_update();
        if self.players.len() <= 10 {
            return Effects::default().and(To::All, list);
        }
        let is_here = |here: &&crate::Player| here.id == player;
        let joined: Vec<_> = self.lobby().filter(is_here).map(shown).collect();
        let left = if joined.is_empty() { vec![player] } else { Vec::new() };
        let total = count(self.lobby().count());
        let changed = ServerMessage::Player(ToPlayer::LobbyChanged(LobbyChanged { joined, left, total }));
        let effects = Effects::default().and(To::Host, list.clone());
        effects.and(To::Players(Some(Dialect::Interface)), list).and(To::Players(Some(Dialect::QuizhallV1)), changed)
    }

    /// `question_released` for a question of the quiz, as v1 sockets receive it.
    ///
    /// # Panics
    /// When the quiz has no such question.
    pub fn question_released(&self, question: Uuid) -> ServerMessage {
        let question = self.quiz.question(question).expect("a question of the quiz").released(Dialect::QuizhallV1);
        ServerMessage::All(ToAll::QuestionReleased(QuestionReleased { question }))
    }

    /// The message as sockets of this dialect receive it.
    pub fn in_dialect(&self, message: &ServerMessage, dialect: Dialect) -> ServerMessage {
        let mut message = message.clone();
        if dialect == Dialect::Interface {
            match &mut message {
                ServerMessage::All(ToAll::QuestionReleased(QuestionReleased { question })) => {
                    let asked = self.quiz.question(question.id);
                    *question = asked.map_or_else(|| question.clone(), |asked| asked.released(dialect));
                }
                ServerMessage::Host(ToHost::RoundReview(review)) => {
                    for answer in &mut review.answers {
                        (answer.partial_points, answer.elapsed_ms, answer.ruled) = (0, None, false);
                    }
                }
                ServerMessage::Player(ToPlayer::RoundScores(scores)) => without_parts(scores),
                _ => {}
            }
        }
        message
    }

    /// What a socket of this viewer and dialect must receive after a command, in order.
    pub fn sent(&self, effects: &Effects, viewer: Viewer, dialect: Dialect) -> Vec<ServerMessage> {
        effects.of(viewer, dialect).iter().map(|message| self.for_reader(message, viewer, dialect)).collect()
    }

    /// The message as this viewer receives it over this dialect: boards are cut for players over `quizhall.v1`.
    pub(crate) fn for_reader(&self, message: &ServerMessage, viewer: Viewer, dialect: Dialect) -> ServerMessage {
        let (reader, shown) = (Reader::of(viewer, dialect), |form| self.board.shown(form));
        match (message, viewer) {
            (ServerMessage::All(ToAll::RoundLeaderboard(_)), _) => {
                ServerMessage::All(ToAll::RoundLeaderboard(shown(Form::Round(reader))))
            }
            (ServerMessage::All(ToAll::GameEnded(_)), _) => {
                ServerMessage::All(ToAll::GameEnded(shown(Form::Final(reader))))
            }
            (
                ServerMessage::Player(ToPlayer::ScoreboardUpdate(_)),
                Viewer::Player(player) | Viewer::Phone(player, _),
            ) => ServerMessage::Player(ToPlayer::ScoreboardUpdate(shown(Form::Running(player, reader)))),
            _ => self.in_dialect(message, dialect),
        }
    }

    /// The host's `scoreboard_update`.
    pub fn answer_count(&self, question: Uuid) -> ServerMessage {
        let answer_count = count(self.answers_to(question).len());
        ServerMessage::Host(ToHost::ScoreboardUpdate(AnswerCount { question_id: question, answer_count }))
    }

    /// `round_review`, of at most 1,000 answers.
    pub fn round_review(&self) -> ServerMessage {
        ServerMessage::Host(ToHost::RoundReview(RoundReview { answers: self.review(), part: None, parts: None }))
    }

    /// Every answer of the round by order of release, then of arrival.
    pub fn review(&self) -> Vec<shapes::ReviewAnswer> {
        let entry = |answer: &Answer| shapes::ReviewAnswer {
            player_id: answer.player,
            display_name: self.name(answer.player),
            question_id: answer.question,
            answer: answer.text.clone(),
            correct: answer.correct(),
            near_miss: answer.near_miss(),
            partial_points: answer.partial_points(),
            elapsed_ms: answer.elapsed(),
            ruled: answer.is_ruled(),
        };
        self.released.iter().flat_map(|question| self.answers_to(*question)).map(entry).collect()
    }

    /// `round_leaderboard`
    pub fn round_leaderboard(&self) -> ServerMessage {
        ServerMessage::All(ToAll::RoundLeaderboard(self.board.shown(Form::Round(Reader::Other))))
    }

    /// `game_ended`
    pub fn game_ended(&self) -> ServerMessage {
        ServerMessage::All(ToAll::GameEnded(self.board.shown(Form::Final(Reader::Other))))
    }

    /// A player's `scoreboard_update`.
    pub fn scoreboard_update(&self, player: Uuid) -> ServerMessage {
        ServerMessage::Player(ToPlayer::ScoreboardUpdate(self.board.shown(Form::Running(player, Reader::Other))))
    }

    /// `round_scores`
    pub fn round_scores(&self, player: Uuid) -> ServerMessage {
        ServerMessage::Player(ToPlayer::RoundScores(self.scores(player)))
    }

    /// A player's results: one per released question, in order of release, answered or not.
    pub fn scores(&self, player: Uuid) -> RoundScores {
        let questions = self.released.iter().filter_map(|id| self.quiz.question(*id));
        let result = |question: &Question| {
            let answer = self.answer(player, question.id).filter(|_| !self.was_removed(player));
            let earned = answer.map_or_else(Earned::default, |_| self.earned(player, question));
            shapes::QuestionResult {
                question_id: question.id,
                question: question.text.clone(),
                your_answer: answer.map_or_else(String::new, |answer| answer.text.clone()),
                correct_answer: question.key(),
                correct: answer.is_some_and(Answer::correct),
                points: earned.points,
                streak_points: earned.for_streak,
                speed_points: earned.for_speed,
                joker_points: earned.for_joker,
            }
        };
        let results: Vec<_> = questions.map(result).collect();
        let adjustments = self.points_by_hand(player);
        let by_hand = adjustments.iter().map(|one| i64::from(one.points));
        let round_total = results.iter().map(|result| i64::from(result.points)).chain(by_hand).sum();
        RoundScores { results, adjustments, round_total }
    }

    /// `answers_update`, of at most 500 groups.
    pub fn answers_update(&self, question: Uuid) -> ServerMessage {
        let groups = self.groups(question);
        let total = count(groups.len());
        ServerMessage::Host(ToHost::AnswersUpdate(AnswersUpdate { question_id: question, groups, total }))
    }

    /// The answers in groups of equal meaning to the key: groups that wait for the host first, then larger groups.
    pub(crate) fn groups(&self, question: Uuid) -> Vec<GivenAnswers> {
        let Some(asked) = self.quiz.question(question).filter(|asked| asked.has_key()) else { return Vec::new() };
        let mut groups: Vec<(String, GivenAnswers)> = Vec::new();
        for answer in self.answers_to(question).into_iter().filter(|answer| !answer.text.is_empty()) {
            let same = asked.compared(&answer.text);
            if let Some((_, group)) = groups.iter_mut().find(|(text, _)| *text == same) {
                group.count += 1;
                continue;
            }
            let ruled = self.ruling(question, &same).is_some();
            let given = GivenAnswers {
                text: answer.text.clone(),
                count: 1,
                correct: answer.correct(),
                partial_points: answer.partial_points(),
                near_miss: answer.near_miss(),
                ruled,
            };
            groups.push((same, given));
        }
        let mut groups: Vec<_> = groups.into_iter().map(|(_, group)| group).collect();
        groups.sort_by_key(|group| {
            let waits = !group.correct && !group.ruled;
            (!waits, std::cmp::Reverse(group.count), group.text.clone())
        });
        groups
    }

    /// `marking_update`
    pub fn marking_update(&self) -> ServerMessage {
        ServerMessage::Host(ToHost::MarkingUpdate(MarkingUpdate { undoable: count(self.undoable()) }))
    }

    /// `answers_marked` for these answers to a question as they count now; of at most 1,000.
    pub(crate) fn marks(&self, question: Uuid, players: &[Uuid]) -> ServerMessage {
        let partial = |player: Uuid| self.answer(player, question).map_or(0, Answer::partial_points);
        let mark = |player: &Uuid| AnswerMark {
            player_id: *player,
            correct: self.counts(*player, question),
            partial_points: partial(*player),
            ruled: self.answer(*player, question).is_some_and(Answer::is_ruled),
        };
        let marks = players.iter().map(mark).collect();
        ServerMessage::Host(ToHost::AnswersMarked(AnswersMarked {
            question_id: question,
            marks,
            part: None,
            parts: None,
        }))
    }

    /// Whether an answer counts as correct; a missing one does not.
    pub(crate) fn counts(&self, player: Uuid, question: Uuid) -> bool {
        self.answer(player, question).is_some_and(Answer::correct)
    }

    pub(crate) fn name(&self, player: Uuid) -> String {
        self.player(player).map(|player| player.name.clone()).unwrap_or_default()
    }
}

/// A player's results for a plain socket: all points, without the separate parts for a streak, for speed, for the joker and by hand.
fn without_parts(scores: &mut RoundScores) {
    scores.adjustments.clear();
    for result in &mut scores.results {
        (result.streak_points, result.speed_points, result.joker_points) = (0, 0, 0);
    }
}
