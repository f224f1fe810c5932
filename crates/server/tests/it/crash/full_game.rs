//! One cycle: a game of one round, killed while players answer and again while the host releases the scores.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use quizhall_client::{Carrier, Endpoint, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::shapes::{LeaderboardEntry, ReviewAnswer};
use quizhall_protocol::{FromHost, FromPlayer, QuestionKind, Role, ServerMessage, ToAll, ToHost, ToPlayer};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use uuid::Uuid;

use super::ledger::Ledger;
use crate::process::{HOST_TOKEN, Server};

const PLAYERS: usize = 60;
const QUESTIONS: usize = 18;
const POINTS: u32 = 10;
/// The right answer; every third player gives it.
const KEY: &str = "right";
/// The longest that a message may take; after this, the test counts it as lost.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The game as clients outside of the server know it.
pub struct FullGame {
    chance: StdRng,
    game: Uuid,
    code: String,
    questions: Vec<Uuid>,
    players: Vec<(Uuid, Token)>,
    ledger: Ledger,
    review: Vec<ReviewAnswer>,
    /// The overrides that were confirmed to the host.
    overridden: BTreeMap<(Uuid, Uuid), bool>,
}

impl FullGame {
    /// A new game with its players, all questions released.
    pub async fn open(server: &Server, seed: u64) -> Self {
        let api = server.api();
        let quiz = api.create_quiz(&quiz()).await.unwrap();
        let game = api.create_game(quiz.id).await.unwrap();
        // The game holds a copy of it; a host may keep a thousand quizzes, and the long run plays more games.
        api.delete_quiz(quiz.id).await.unwrap();
        let questions: Vec<Uuid> = quiz.rounds[0].questions.iter().filter_map(|question| question.id).collect();
        let joins = (0..PLAYERS).map(|number| {
            let request = JoinRequest::new(game.game_code.clone(), format!("Player {number}"));
            let api = &api;
            async move { api.join(&request, None).await.unwrap() }
        });
        let players: Vec<_> = join_all(joins)
            .await
            .into_iter()
            .map(|joined| (joined.player_id, Token::new(joined.session_token)))
            .collect();
        let full_game = Self {
            chance: StdRng::seed_from_u64(seed),
            game: game.id,
            code: game.game_code,
            questions,
            players,
            ledger: Ledger::default(),
            review: Vec::new(),
            overridden: BTreeMap::new(),
        };
        let mut host = full_game.host(server).await;
        say(&mut host, FromHost::StartGame).await;
        for question in &full_game.questions {
            say(&mut host, FromHost::ReleaseQuestion(ReleaseQuestion { question_id: *question })).await;
        }
        let mut open = 0;
        while open < QUESTIONS {
            open += usize::from(matches!(receive(&mut host).await, ServerMessage::All(ToAll::QuestionReleased(_))));
        }
        full_game
    }

    /// Players answer and change their answers; the server is killed after a random number of acknowledgements.
    pub async fn answer_until_killed(&mut self, server: &mut Server) {
        let kill_at = self.chance.random_range(1..=PLAYERS * QUESTIONS);
        let received = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..PLAYERS)
            .map(|number| {
                let player = Answering {
                    endpoint: server.endpoint(),
                    credentials: self.credentials(number),
                    id: self.players[number].0,
                    questions: self.questions.clone(),
                    chance: StdRng::seed_from_u64(self.chance.random()),
                    received: Arc::clone(&received),
                    right: number % 3 == 0,
                };
                tokio::spawn(player.run())
            })
            .collect();
        while received.load(Ordering::Relaxed) < kill_at && !tasks.iter().all(tokio::task::JoinHandle::is_finished) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.kill();
        for task in tasks {
            self.ledger.merge(task.await.unwrap());
        }
    }

    /// All players connect again, are shown their acknowledged answers, and send again those that were not acknowledged.
    pub async fn return_and_send_again(&mut self, server: &Server) {
        let returns = (0..PLAYERS).map(|number| {
            let (credentials, id) = (self.credentials(number), self.players[number].0);
            let stored: BTreeSet<Uuid> =
                self.ledger.stored().filter(|(player, _)| *player == id).map(|(_, question)| question).collect();
            let unknown = self.ledger.unknown_of(id);
            async move {
                let mut socket = Socket::connect(&server.endpoint(), &credentials, Carrier::Bearer).await.unwrap();
                let mut missing = stored;
                let mut open = 0;
                while open < QUESTIONS || !missing.is_empty() {
                    match receive(&mut socket).await {
                        ServerMessage::All(ToAll::QuestionReleased(_)) => open += 1,
                        ServerMessage::Player(ToPlayer::AnswerAccepted(accepted)) => {
                            missing.remove(&accepted.question_id);
                        }
                        other => panic!("not a sync message of the question phase: {other:?}"),
                    }
                }
                for (question, answer) in &unknown {
                    submit(&mut socket, *question, answer).await.unwrap();
                    accepted(&mut socket, *question).await.unwrap();
                }
                (id, unknown)
            }
        });
        for (id, unknown) in join_all(returns).await {
            for (question, _) in unknown {
                self.ledger.acknowledged((id, question));
            }
        }
    }

    /// Promise 7: the review agrees with the ledger.
    pub async fn end_round_and_check_review(&mut self, server: &Server) {
        let mut host = self.host(server).await;
        let mut counts = BTreeMap::new();
        while counts.len() < QUESTIONS {
            if let ServerMessage::Host(ToHost::ScoreboardUpdate(count)) = receive(&mut host).await {
                counts.insert(count.question_id, count.answer_count as usize);
            }
        }
        say(&mut host, FromHost::EndRound).await;
        self.review = review(&mut host).await;
        self.ledger.check(self.review.iter().map(|entry| ((entry.player_id, entry.question_id), entry.answer.clone())));
        for (question, count) in counts {
            let listed = self.review.iter().filter(|entry| entry.question_id == question).count();
            assert_eq!(count, listed, "promise 9: the host's count is the number of answers");
        }
        if let Some(first) = self.review.first().cloned() {
            let place =
                OverrideAnswer { player_id: first.player_id, question_id: first.question_id, correct: !first.correct };
            say(&mut host, FromHost::OverrideAnswer(place)).await;
            while !matches!(receive(&mut host).await, ServerMessage::Host(ToHost::OverrideApplied(_))) {}
            self.overridden.insert((first.player_id, first.question_id), !first.correct);
        }
    }

    /// The host releases the scores, and the server is killed before, during or after.
    pub async fn release_scores_and_kill(&mut self, server: &mut Server) {
        let mut host = self.host(server).await;
        say(&mut host, FromHost::ReleaseScores).await;
        let pause = Duration::from_micros(self.chance.random_range(0..8_000));
        tokio::time::sleep(pause).await;
        server.kill();
    }

    /// Promise 4: the phase is the one before or the one after, never between. Promise 6: the board agrees with the ledger. Returns the
    /// acknowledgements.
    pub async fn finish_and_check_results(&mut self, server: &Server) -> usize {
        let mut host = self.host(server).await;
        let board = match receive(&mut host).await {
            ServerMessage::All(ToAll::RoundEnded) => {
                let kept = review(&mut host).await;
                assert_eq!(kept.len(), self.review.len(), "the review is the same after a restart");
                for entry in kept {
                    let expected = self.overridden.get(&(entry.player_id, entry.question_id));
                    assert!(expected.is_none_or(|correct| *correct == entry.correct), "a confirmed override is lost");
                }
                say(&mut host, FromHost::ReleaseScores).await;
                let ServerMessage::All(ToAll::RoundLeaderboard(board)) = receive(&mut host).await else {
                    panic!("no board after the scores were released");
                };
                board.leaderboard
            }
            ServerMessage::All(ToAll::RoundLeaderboard(board)) => board.leaderboard,
            other => panic!("between two phases: {other:?}"),
        };
        self.check_board(&board);
        say(&mut host, FromHost::EndGame).await;
        while !matches!(receive(&mut host).await, ServerMessage::All(ToAll::GameEnded(_))) {}
        let results = server.api().results(self.game).await.unwrap();
        self.check_board(&results.leaderboard);
        let answers = results.rounds.iter().flat_map(|round| &round.questions).flat_map(|question| {
            question.answers.iter().map(|answer| ((answer.player_id, question.question_id), answer.answer.clone()))
        });
        self.ledger.check(answers);
        self.ledger.acknowledgements()
    }

    fn check_board(&self, board: &[LeaderboardEntry]) {
        let mut scores: BTreeMap<Uuid, i64> = self.players.iter().map(|(id, _)| (*id, 0)).collect();
        for entry in &self.review {
            let place = (entry.player_id, entry.question_id);
            if self.overridden.get(&place).copied().unwrap_or(entry.correct) {
                *scores.entry(entry.player_id).or_default() += i64::from(POINTS);
            }
        }
        let shown: BTreeMap<Uuid, i64> = board.iter().map(|entry| (entry.player_id, entry.score)).collect();
        assert_eq!(shown, scores, "promise 6: the board is the sum of the stored answers, with every player on it");
    }

    fn credentials(&self, number: usize) -> Seat {
        Seat { code: self.code.clone(), token: self.players[number].1.clone(), role: Role::Player }
    }

    async fn host(&self, server: &Server) -> Socket {
        let credentials = Seat { code: self.code.clone(), token: Token::new(HOST_TOKEN), role: Role::Host };
        Socket::connect(&server.endpoint(), &credentials, Carrier::Bearer).await.unwrap()
    }
}

/// One player, until the connection breaks.
struct Answering {
    endpoint: Endpoint,
    credentials: Seat,
    id: Uuid,
    questions: Vec<Uuid>,
    chance: StdRng,
    received: Arc<AtomicUsize>,
    right: bool,
}

impl Answering {
    async fn run(mut self) -> Ledger {
        let mut ledger = Ledger::default();
        let Ok(mut socket) = Socket::connect(&self.endpoint, &self.credentials, Carrier::Bearer).await else {
            return ledger;
        };
        for number in 0..self.questions.len() {
            // Sometimes an earlier answer is changed, within the burst that a socket may send.
            let again = number > 0 && self.chance.random_bool(0.1);
            let at = if again { self.chance.random_range(0..number) } else { number };
            let (question, word) = (self.questions[at], if self.right { KEY } else { "wrong" });
            let answer = if again { format!("{word} {number}") } else { word.to_owned() };
            ledger.sent((self.id, question), &answer);
            if submit(&mut socket, question, &answer).await.is_none() || accepted(&mut socket, question).await.is_none()
            {
                break;
            }
            ledger.acknowledged((self.id, question));
            self.received.fetch_add(1, Ordering::Relaxed);
        }
        ledger
    }
}

fn quiz() -> QuizBody {
    let question = |number| QuestionBody {
        points: Some(POINTS),
        ..QuestionBody::new(QuestionKind::Text, format!("Question {number}"), &[KEY])
    };
    let round = RoundBody::new("Only", (1..=QUESTIONS).map(question).collect());
    QuizBody { title: "Crash".to_owned(), rounds: vec![round] }
}

pub async fn say(host: &mut Socket, message: FromHost) {
    host.send_host(&message).await.unwrap();
}

async fn submit(socket: &mut Socket, question_id: Uuid, answer: &str) -> Option<()> {
    let message = FromPlayer::SubmitAnswer(SubmitAnswer { question_id, answer: answer.to_owned() });
    socket.send_player(&message).await.ok()
}

/// Waits for one acknowledgement; `None` when the connection breaks first.
async fn accepted(socket: &mut Socket, question: Uuid) -> Option<()> {
    loop {
        let incoming = tokio::time::timeout(TIMEOUT, socket.next()).await.expect("an answer in time");
        match incoming.unwrap() {
            Incoming::Message(ServerMessage::Player(ToPlayer::AnswerAccepted(got))) if got.question_id == question => {
                return Some(());
            }
            Incoming::Message(_) => {}
            Incoming::Closed(_) => return None,
        }
    }
}

pub async fn receive(socket: &mut Socket) -> ServerMessage {
    match tokio::time::timeout(TIMEOUT, socket.next()).await.expect("a message in time").unwrap() {
        Incoming::Message(message) => message,
        Incoming::Closed(closed) => panic!("closed: {closed:?}"),
    }
}

/// The whole review, in however many parts it is sent.
pub async fn review(host: &mut Socket) -> Vec<ReviewAnswer> {
    let mut answers = Vec::new();
    loop {
        if let ServerMessage::Host(ToHost::RoundReview(review)) = receive(host).await {
            answers.extend(review.answers);
            if review.part == review.parts {
                return answers;
            }
        }
    }
}
