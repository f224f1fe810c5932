//! A small game with a timer, over real sockets with the extension, for tests of the timer when the owner dies.
//!
//! Used by the tests that kill the only process, and by those that kill one of several nodes.

use std::time::{Duration, Instant};

use quizhall_client::{Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_host::{AutopilotPlan, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::to_all::{AutopilotStep, NextStep, TimerUpdate};
use quizhall_protocol::{CloseCode, Dialect, FromHost, FromPlayer, QuestionKind, Role, ServerMessage, ToAll, ToHost};
use uuid::Uuid;

use crate::process::{HOST_TOKEN, Server};

/// The time limit of the question.
const LIMIT: Duration = Duration::from_secs(14);
/// The least time that a timer has left under a new owner.
pub const FLOOR: Duration = Duration::from_secs(5);
/// How long after its time a question closes.
const GRACE: Duration = Duration::from_secs(1);
/// The time between two statements of the time left.
const MARK: Duration = Duration::from_secs(5);
/// The time from a statement until the player receives its message.
const SLACK: Duration = Duration::from_millis(500);
/// How long a message may take in addition to the time that is waited for.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A game of one question with a time limit, and one player.
pub struct TimedGame {
    code: String,
    question: Uuid,
    player: Token,
}

impl TimedGame {
    /// Opens the game at this process; the player joins.
    pub async fn open(server: &Server) -> Self {
        let api = server.api();
        let question = QuestionBody {
            time_limit: Some(u16::try_from(LIMIT.as_secs()).unwrap()),
            ..QuestionBody::new(QuestionKind::Text, "On time?", &["right"])
        };
        let body = QuizBody { title: "Timed".to_owned(), rounds: vec![RoundBody::new("Only", vec![question])] };
        let quiz = api.create_quiz(&body).await.unwrap();
        let game = api.create_game(quiz.id).await.unwrap();
        let request = JoinRequest::new(game.game_code.clone(), "Ann".to_owned());
        let joined = api.join(&request, None).await.unwrap();
        let question = quiz.rounds[0].questions[0].id.unwrap();
        Self { code: game.game_code, question, player: Token::new(joined.session_token) }
    }

    pub async fn host(&self, server: &Server) -> Line {
        self.connect(server, Token::new(HOST_TOKEN), Role::Host).await
    }

    pub async fn player(&self, server: &Server) -> Line {
        self.connect(server, self.player.clone(), Role::Player).await
    }

    async fn connect(&self, server: &Server, token: Token, role: Role) -> Line {
        let seat = Seat { code: self.code.clone(), token, role };
        let dialect = Dialect::QuizhallV1;
        let socket = Socket::connect_speaking(&server.endpoint(), &seat, Carrier::Bearer, dialect).await;
        Line { socket: socket.unwrap(), question: self.question }
    }
}

/// A socket of a timed game.
pub struct Line {
    pub socket: Socket,
    question: Uuid,
}

impl Line {
    /// The host starts the game and releases the question.
    pub async fn begin(&mut self) {
        let release = FromHost::ReleaseQuestion(ReleaseQuestion { question_id: self.question });
        for message in [FromHost::StartGame, release] {
            self.socket.send_host(&message).await.unwrap();
        }
    }

    /// The host starts the game, and an autopilot that releases the question after this break, whether the host is connected or not.
    pub async fn start_autopilot(&mut self, pause: Duration) {
        let break_for = u32::try_from(pause.as_secs()).unwrap();
        let plan = AutopilotPlan {
            answer_for: 30,
            reveal_for: 5,
            break_for,
            hold_without_host: false,
            standings_for: None,
            hold_for_marking: None,
        };
        for message in [FromHost::StartGame, FromHost::StartAutopilot(plan)] {
            self.socket.send_host(&message).await.unwrap();
        }
    }

    /// The time left until the autopilot releases the question, by the next message.
    pub async fn next_step(&mut self) -> Duration {
        let of_release = |message: &ServerMessage| match message {
            ServerMessage::All(ToAll::AutopilotStep(AutopilotStep {
                next: NextStep::Release,
                remaining_ms,
                running: true,
                ..
            })) => Some(Duration::from_millis(u64::from(*remaining_ms))),
            _ => None,
        };
        self.until("autopilot_step", of_release).await
    }

    /// Waits until the question is released.
    pub async fn release(&mut self) {
        let released = |message: &ServerMessage| match message {
            ServerMessage::All(ToAll::QuestionReleased(released)) => Some(released.question.id),
            _ => None,
        };
        assert_eq!(self.until("question_released", released).await, self.question);
    }

    pub async fn answer(&mut self, answer: &str) {
        let submit = SubmitAnswer { question_id: self.question, answer: answer.to_owned() };
        self.socket.send_player(&FromPlayer::SubmitAnswer(submit)).await.unwrap();
    }

    /// The next message that is wanted.
    pub async fn until<T>(&mut self, what: &str, wanted: impl Fn(&ServerMessage) -> Option<T>) -> T {
        let search = async {
            loop {
                match self.socket.next().await.unwrap() {
                    Incoming::Message(message) => {
                        if let Some(found) = wanted(&message) {
                            return found;
                        }
                    }
                    Incoming::Closed(closed) => panic!("closed while waiting for {what}: {closed:?}"),
                }
            }
        };
        tokio::time::timeout(TIMEOUT, search).await.unwrap_or_else(|_| panic!("no {what} came"))
    }

    /// The time left of the question, by the next message.
    pub async fn time_left(&mut self) -> Duration {
        let of_question = |message: &ServerMessage| match message {
            ServerMessage::All(ToAll::TimerUpdate(TimerUpdate {
                question_id: Some(_),
                remaining_ms,
                running: true,
                ..
            })) => Some(Duration::from_millis(u64::from(*remaining_ms))),
            _ => None,
        };
        self.until("timer_update", of_question).await
    }

    pub async fn closing(&mut self) {
        let is_closing = |message: &ServerMessage| match message {
            ServerMessage::All(ToAll::QuestionClosed(closed)) => Some(closed.question_id),
            _ => None,
        };
        assert_eq!(self.until("question_closed", is_closing).await, self.question);
    }

    /// The answers to the question after the host has ended the round.
    pub async fn review(&mut self) -> Vec<String> {
        self.socket.send_host(&FromHost::EndRound).await.unwrap();
        let texts = |message: &ServerMessage| match message {
            ServerMessage::Host(ToHost::RoundReview(review)) => {
                Some(review.answers.iter().map(|entry| entry.answer.clone()).collect())
            }
            _ => None,
        };
        self.until("round_review", texts).await
    }

    /// The socket must be closed with 4005, and the answer not accepted before.
    pub async fn is_refused(&mut self) {
        let close = async {
            loop {
                match self.socket.next().await.unwrap() {
                    Incoming::Closed(closed) => return closed.code,
                    Incoming::Message(ServerMessage::Player(message)) => panic!("{message:?} instead of a close"),
                    Incoming::Message(_) => {}
                }
            }
        };
        let code = tokio::time::timeout(TIMEOUT, close).await.expect("a close in time");
        assert_eq!(code, Some(CloseCode::UnknownQuestion.number()));
    }
}

/// The time that may be left after a change of owner, when `passed` had passed: counted from the last mark, at least the floor.
pub fn check_left(left: Duration, passed: Duration) {
    let exact = LIMIT.saturating_sub(passed);
    assert!(left + SLACK >= FLOOR, "{left:?} left: less than the floor");
    let most = FLOOR.max(exact + MARK) + SLACK;
    assert!(left <= most, "{left:?} left of {exact:?}: more than the time since the last mark came back");
}

/// Waits until the question closes: not before the time that was left at `since` has passed.
pub async fn closes_in_time(line: &mut Line, (since, left): (Instant, Duration)) {
    line.closing().await;
    let took = since.elapsed();
    assert!(took + SLACK >= left + GRACE, "closed after {took:?} with {left:?} left");
}
