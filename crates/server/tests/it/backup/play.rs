//! Players who answer continuously, as fast as the service allows, and a ledger of the answers that were acknowledged to them
//! and when.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quizhall_client::{Api, Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::{FromHost, FromPlayer, QuestionKind, Role, ServerMessage, ToAll, ToPlayer};
use tokio::task::JoinHandle;
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::crash::full_game::{receive, review, say};
use crate::crash::ledger::Ledger;
use crate::process::{HOST_TOKEN, Server};

/// The title of the quiz.
pub const TITLE: &str = "Backup";
const QUESTIONS: usize = 10;
/// A player may send five messages a second in the long run.
const EVERY: Duration = Duration::from_millis(210);
const TIMEOUT: Duration = Duration::from_secs(20);

/// When an acknowledgement arrived, and how long after its answer.
type Wait = (Instant, Duration);

/// A game with players who answer until it is stopped.
pub struct Play {
    pub game: Uuid,
    code: String,
    record: Arc<Mutex<Record>>,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Record {
    ledger: Ledger,
    waits: Vec<Wait>,
}

impl Play {
    /// Opens a game with this many players, who begin at once.
    pub async fn begin(server: &Server, players: usize) -> Self {
        let api = server.api();
        let quiz = api.create_quiz(&quiz()).await.unwrap();
        let game = api.create_game(quiz.id).await.unwrap();
        let questions: Vec<Uuid> = quiz.rounds[0].questions.iter().filter_map(|question| question.id).collect();
        let joined = join_all((0..players).map(|number| join(&api, &game.game_code, number))).await;
        let mut play = Self {
            game: game.id,
            code: game.game_code,
            record: Arc::default(),
            stop: CancellationToken::new(),
            tasks: Vec::new(),
        };
        let mut host = play.host(server).await;
        say(&mut host, FromHost::StartGame).await;
        for question_id in questions.iter().copied() {
            say(&mut host, FromHost::ReleaseQuestion(ReleaseQuestion { question_id })).await;
            while !matches!(receive(&mut host).await, ServerMessage::All(ToAll::QuestionReleased(_))) {}
        }
        let sockets = join_all(joined.into_iter().map(|(id, token)| {
            let credentials = Seat { code: play.code.clone(), token, role: Role::Player };
            async move { (id, Socket::connect(&server.endpoint(), &credentials, Carrier::Bearer).await.unwrap()) }
        }));
        for (number, (id, socket)) in sockets.await.into_iter().enumerate() {
            let player = Player { id, socket, record: Arc::clone(&play.record), questions: questions.clone() };
            let first = Instant::now() + EVERY * u32::try_from(number).unwrap() / u32::try_from(players).unwrap();
            play.tasks.push(tokio::spawn(player.answer(first, play.stop.clone())));
        }
        play
    }

    /// The ledger at this moment.
    pub fn ledger(&self) -> Ledger {
        self.record.lock().unwrap().ledger.clone()
    }

    /// The 99th percentile of the time that answers waited which were acknowledged between the two instants, and their number.
    pub fn slowest(&self, from: Instant, to: Instant) -> (Duration, usize) {
        let record = self.record.lock().unwrap();
        let waits = record.waits.iter().filter(|(at, _)| (from..to).contains(at));
        let mut waits: Vec<Duration> = waits.map(|(_, wait)| *wait).collect();
        waits.sort_unstable();
        (waits[waits.len() * 99 / 100], waits.len())
    }

    /// Lets all players finish the answer that they are sending.
    pub async fn stop(&mut self) {
        self.stop.cancel();
        for task in self.tasks.drain(..) {
            task.await.unwrap();
        }
    }

    /// Ends the round and the game on `server` and compares every answer there with the ledger.
    pub async fn finish(&self, server: &Server, expected: &Ledger) {
        let mut host = self.host(server).await;
        say(&mut host, FromHost::EndRound).await;
        let review = review(&mut host).await;
        expected.check(review.into_iter().map(|entry| ((entry.player_id, entry.question_id), entry.answer)));
        say(&mut host, FromHost::ReleaseScores).await;
        say(&mut host, FromHost::EndGame).await;
        while !matches!(receive(&mut host).await, ServerMessage::All(ToAll::GameEnded(_))) {}
        let results = server.api().results(self.game).await.unwrap();
        let questions = results.rounds.iter().flat_map(|round| &round.questions);
        let answers = questions.flat_map(|question| {
            question.answers.iter().map(|answer| ((answer.player_id, question.question_id), answer.answer.clone()))
        });
        expected.check(answers);
    }

    async fn host(&self, server: &Server) -> Socket {
        let credentials = Seat { code: self.code.clone(), token: Token::new(HOST_TOKEN), role: Role::Host };
        Socket::connect(&server.endpoint(), &credentials, Carrier::Bearer).await.unwrap()
    }
}

struct Player {
    id: Uuid,
    socket: Socket,
    record: Arc<Mutex<Record>>,
    questions: Vec<Uuid>,
}

impl Player {
    async fn answer(mut self, first: Instant, stop: CancellationToken) {
        for number in 0_u32.. {
            tokio::select! {
                () = sleep_until((first + EVERY * number).into()) => {}
                () = stop.cancelled() => return,
            }
            let question_id = self.questions[number as usize % self.questions.len()];
            let (place, answer) = ((self.id, question_id), format!("answer {number}"));
            self.record.lock().unwrap().ledger.sent(place, &answer);
            let sent = Instant::now();
            let message = FromPlayer::SubmitAnswer(SubmitAnswer { question_id, answer });
            self.socket.send_player(&message).await.unwrap();
            timeout(TIMEOUT, self.acknowledged(question_id)).await.expect("an acknowledgement");
            let mut record = self.record.lock().unwrap();
            record.ledger.acknowledged(place);
            record.waits.push((Instant::now(), sent.elapsed()));
        }
    }

    async fn acknowledged(&mut self, question: Uuid) {
        loop {
            match self.socket.next().await.unwrap() {
                Incoming::Message(ServerMessage::Player(ToPlayer::AnswerAccepted(got)))
                    if got.question_id == question =>
                {
                    return;
                }
                Incoming::Message(_) => {}
                Incoming::Closed(closed) => panic!("closed: {closed:?}"),
            }
        }
    }
}

async fn join(api: &Api, code: &str, number: usize) -> (Uuid, Token) {
    let request = JoinRequest::new(code.to_owned(), format!("Player {number}"));
    let joined = api.join(&request, None).await.unwrap();
    (joined.player_id, Token::new(joined.session_token))
}

pub fn quiz() -> QuizBody {
    let question = |number| QuestionBody::new(QuestionKind::Text, format!("Question {number}"), &["right"]);
    let round = RoundBody::new("Only", (1..=QUESTIONS).map(question).collect());
    QuizBody { title: TITLE.to_owned(), rounds: vec![round] }
}
