//! Promises 1, 2, 7 and 23: a game that moves between two processes while all players answer, with a ledger of their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use quizhall_client::{Carrier, ConnectError, Endpoint, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::{FromPlayer, Role, ServerMessage, ToPlayer};
use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Row as _};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::company::{Company, release, say};
use super::fencing::Rivals;
use crate::crash::ledger::Ledger;
use crate::process::Server;
use crate::services::postgres;
use crate::ws_wire::{Frame, Wire, frame};

const PLAYERS: usize = 10;
const QUESTIONS: usize = 15;
/// The game moves after this many acknowledgements.
const MOVE_EVERY: usize = 15;
const MOVES: usize = 8;
/// The most connections that one player may need; each is ended by a move.
const CONNECTIONS: usize = 200;
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_moves_back_and_forth_under_load_loses_and_doubles_nothing() {
    let Rivals { servers, url } = Rivals::start().await;
    let names: Vec<String> = (0..PLAYERS).map(|number| format!("Player {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let company = Company::open(&servers[0], &[QUESTIONS], &names).await;
    let mut host = company.host(&servers[0]).await;
    say(&mut host, "start_game").await;
    for question in &company.rounds[0] {
        release(&mut host, *question).await;
    }
    let shared = Shared {
        allowed: Arc::new(Semaphore::new(0)),
        at: Arc::default(),
        acknowledged: Arc::default(),
        moved: Arc::default(),
    };
    let tasks: Vec<_> =
        (0..PLAYERS).map(|number| tokio::spawn(answering(&company, &servers, (number, &shared)).run())).collect();
    for number in 1..=MOVES {
        // The move comes when half of the allowed answers are acknowledged: some are on their way.
        shared.allowed.add_permits(MOVE_EVERY);
        while shared.acknowledged.load(Ordering::Relaxed) < number * MOVE_EVERY - MOVE_EVERY / 2 {
            assert!(!tasks.iter().all(tokio::task::JoinHandle::is_finished), "all players are done, or have failed");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        shared.at.store(number % 2, Ordering::Relaxed);
        host = moved_to(&servers[number % 2], &company).await;
    }
    shared.allowed.add_permits(PLAYERS * QUESTIONS);
    let mut ledger = Ledger::default();
    for task in join_all(tasks).await {
        ledger.merge(task.unwrap());
    }
    let moved = shared.moved.load(Ordering::Relaxed);
    assert!(moved >= MOVES, "{moved} sockets were closed because the game moved");
    assert_eq!(ledger.stored().count(), PLAYERS * QUESTIONS);

    drop(host);
    let last = &servers[MOVES % 2];
    ledger.check(end_round(last, &company).await.into_iter());
    check_log(&url, company.game).await;
    drop(servers);
    postgres::shared().drop_database(&url).await;
}

/// The process that should own the game, the answers that are still allowed, and the counts so far.
#[derive(Clone)]
struct Shared {
    /// Answers that may be sent, so that the players cannot finish before the game has moved often enough.
    allowed: Arc<Semaphore>,
    at: Arc<AtomicUsize>,
    acknowledged: Arc<AtomicUsize>,
    moved: Arc<AtomicUsize>,
}

/// A player who answers every question in turn and follows the game.
struct Answering {
    endpoints: [Endpoint; 2],
    credentials: Seat,
    id: Uuid,
    questions: Vec<Uuid>,
    shared: Shared,
}

fn answering(company: &Company, servers: &[Server; 2], (number, shared): (usize, &Shared)) -> Answering {
    let player = &company.players[number];
    Answering {
        endpoints: [servers[0].endpoint(), servers[1].endpoint()],
        credentials: Seat { code: company.code.clone(), token: Token::new(player.token.clone()), role: Role::Player },
        id: player.id,
        questions: company.rounds[0].clone(),
        shared: shared.clone(),
    }
}

impl Answering {
    async fn run(self) -> Ledger {
        let (mut ledger, mut socket, mut connections) = (Ledger::default(), None, 0);
        for question in &self.questions {
            self.shared.allowed.acquire().await.unwrap().forget();
            loop {
                let Some(open) = &mut socket else {
                    connections += 1;
                    assert!(connections <= CONNECTIONS, "not done after {CONNECTIONS} connections");
                    socket = self.connect().await;
                    continue;
                };
                if self.store(open, *question, &mut ledger).await {
                    break;
                }
                socket = None;
            }
        }
        ledger
    }

    /// `None`: the game is moving now; try again.
    async fn connect(&self) -> Option<Socket> {
        let at = self.shared.at.load(Ordering::Relaxed);
        match Socket::connect(&self.endpoints[at], &self.credentials, Carrier::Bearer).await {
            Ok(socket) => Some(socket),
            Err(ConnectError::Refused { status: 503, .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether the answer is acknowledged; `false` when the game moved first. The text is always the same, so an acknowledgement
    /// among the sync messages counts as well.
    async fn store(&self, socket: &mut Socket, question: Uuid, ledger: &mut Ledger) -> bool {
        let text = format!("answer of {} to {question}", self.id);
        ledger.sent((self.id, question), &text);
        let message = FromPlayer::SubmitAnswer(SubmitAnswer { question_id: question, answer: text });
        // If the socket is closing, reading from it shows that.
        let _ = socket.send_player(&message).await;
        loop {
            match tokio::time::timeout(TIMEOUT, socket.next()).await.expect("an answer in time").unwrap() {
                Incoming::Message(ServerMessage::Player(ToPlayer::AnswerAccepted(got)))
                    if got.question_id == question =>
                {
                    ledger.acknowledged((self.id, question));
                    self.shared.acknowledged.fetch_add(1, Ordering::Relaxed);
                    return true;
                }
                Incoming::Message(_) => {}
                Incoming::Closed(closed) => {
                    assert_eq!(closed.code, Some(4200), "{closed:?}");
                    self.shared.moved.fetch_add(1, Ordering::Relaxed);
                    return false;
                }
            }
        }
    }
}

/// Moves the game to this server: asks for something that only an owner can answer and that changes nothing.
async fn moved_to(server: &Server, company: &Company) -> Wire {
    loop {
        let mut host = company.host(server).await;
        // Messages after the pong are not sync messages.
        host.raw(&frame(0x89, b"sync_messages")).await;
        let question = json!({ "questionId": company.rounds[0][0] });
        host.send(&json!({ "type": "release_question", "payload": question })).await;
        let mut settled = false;
        loop {
            match host.next().await {
                Frame::Text(text) if settled && text.contains("question_released") => return host,
                Frame::Text(_) => {}
                Frame::Pong(_) => settled = true,
                // This process believed that it owned the game, and was fenced.
                Frame::Close(4200, _) => break,
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Ends the round and returns the stored answers.
async fn end_round(server: &Server, company: &Company) -> Vec<((Uuid, Uuid), String)> {
    // The last move may not have been noticed here: then this command notices it, and has no effect.
    while !try_end_round(&mut company.host(server).await).await {}
    let results = server.api().results(company.game).await.unwrap();
    let questions = results.rounds.into_iter().flat_map(|round| round.questions);
    questions
        .flat_map(|question| {
            let id = question.question_id;
            question.answers.into_iter().map(move |answer| ((answer.player_id, id), answer.answer))
        })
        .collect()
}

async fn try_end_round(host: &mut Wire) -> bool {
    say(host, "end_round").await;
    loop {
        match host.next().await {
            Frame::Text(text) if text.contains("round_review") => return true,
            Frame::Text(_) => {}
            Frame::Close(4200, _) => return false,
            other => panic!("{other:?}"),
        }
    }
}

/// The log itself: no gap, no overlap, and epochs that never decrease.
async fn check_log(url: &str, game: Uuid) {
    let mut database = url.parse::<PgConnectOptions>().unwrap().connect().await.unwrap();
    let rows = sqlx::query("SELECT seq, n::bigint, epoch FROM game_log WHERE game_id = $1 ORDER BY seq")
        .bind(game)
        .fetch_all(&mut database)
        .await
        .unwrap();
    let (mut next, mut last) = (0_i64, 0_i64);
    for row in &rows {
        let (seq, count, epoch): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(seq, next, "a gap or an overlap");
        assert!(epoch >= last, "an event of a former owner after one of its successor");
        (next, last) = (seq + count, epoch);
    }
    assert!(last >= i64::try_from(MOVES).unwrap(), "the game was claimed only {last} times");
}
