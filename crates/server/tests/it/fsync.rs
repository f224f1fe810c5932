//! Promise 1 by the system calls: no `answer_accepted` is written to a socket before the bytes of the log with that answer were
//! written and synced. A kill cannot show this, because the page cache survives it; a trace of the process can.

use std::fs;
use std::process::Command;
use std::time::Duration;

use quizhall_client::{Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_protocol::{FromHost, FromPlayer, QuestionKind, Role, ServerMessage, ToAll, ToPlayer};

use crate::process::{HOST_TOKEN, Launch, Server};

const ANSWERS: usize = 15;
const TRACER: &[&str] =
    &["strace", "-f", "-y", "-s", "16384", "-e", "trace=write,writev,sendto,pwrite64,fsync,fdatasync", "-o"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledgement_is_written_before_the_answer_is_synced() {
    assert!(Command::new("strace").arg("--version").output().is_ok(), "this test needs strace: apt-get install strace");
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let trace_path = trace.to_str().unwrap();
    let wrapper: Vec<&str> = TRACER.iter().copied().chain([trace_path]).collect();
    let mut server = Server::start(&Launch { wrapper: &wrapper, ..Launch::new(folder.path()) });
    answer_one_by_one(&server).await;
    // The tracer ends with its child.
    let child = child_of(server.id());
    crate::process::signal(child, "KILL");
    server.wait(Duration::from_secs(10));
    let trace = fs::read_to_string(&trace).unwrap();
    for number in 0..ANSWERS {
        check(&trace, number).unwrap_or_else(|problem| panic!("answer {number}: {problem}"));
    }
}

/// Each answer is sent after the last one was acknowledged, so that every row of the log holds one answer.
async fn answer_one_by_one(server: &Server) {
    let api = server.api();
    let question = QuestionBody::new(QuestionKind::Text, "Say something", &["x"]);
    let round = RoundBody::new("", vec![question]);
    let quiz = api.create_quiz(&QuizBody { title: "Synced".to_owned(), rounds: vec![round] }).await.unwrap();
    let question_id = quiz.rounds[0].questions[0].id.unwrap();
    let game = api.create_game(quiz.id).await.unwrap();
    let request = JoinRequest::new(game.game_code.clone(), "Ann".to_owned());
    let joined = api.join(&request, None).await.unwrap();
    let credentials = |token: &str, role| Seat { code: game.game_code.clone(), token: Token::new(token), role };
    let mut host =
        Socket::connect(&server.endpoint(), &credentials(HOST_TOKEN, Role::Host), Carrier::Bearer).await.unwrap();
    let player = credentials(&joined.session_token, Role::Player);
    let mut player = Socket::connect(&server.endpoint(), &player, Carrier::Bearer).await.unwrap();
    host.send_host(&FromHost::StartGame).await.unwrap();
    host.send_host(&FromHost::ReleaseQuestion(ReleaseQuestion { question_id })).await.unwrap();
    until(&mut player, |message| matches!(message, ServerMessage::All(ToAll::QuestionReleased(_)))).await;
    for number in 0..ANSWERS {
        let answer = canary(number);
        player.send_player(&FromPlayer::SubmitAnswer(SubmitAnswer { question_id, answer })).await.unwrap();
        until(&mut player, |message| matches!(message, ServerMessage::Player(ToPlayer::AnswerAccepted(_)))).await;
    }
}

async fn until(socket: &mut Socket, wanted: impl Fn(&ServerMessage) -> bool) {
    loop {
        let incoming = tokio::time::timeout(Duration::from_secs(20), socket.next()).await.unwrap().unwrap();
        match incoming {
            Incoming::Message(message) if wanted(&message) => return,
            Incoming::Message(_) => {}
            Incoming::Closed(closed) => panic!("closed: {closed:?}"),
        }
    }
}

fn canary(number: usize) -> String {
    format!("canary-{number:04}-end")
}

/// Checks the order: the write to the write-ahead log, a successful sync of that file, then the acknowledgement with this number.
fn check(trace: &str, number: usize) -> Result<(), &'static str> {
    let lines: Vec<&str> = trace.lines().collect();
    let canary = canary(number);
    let is_log = |line: &str| line.contains("quizhall.db-wal");
    let written = lines
        .iter()
        .position(|line| line.contains("pwrite64(") && is_log(line) && line.contains(&canary))
        .ok_or("never written to the log")?;
    let acknowledged = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.contains("answer_accepted") && !line.contains("pwrite64("))
        .nth(number)
        .map(|(at, _)| at)
        .ok_or("never acknowledged")?;
    let synced = synced_after(&lines, written).ok_or("never synced")?;
    if synced < acknowledged { Ok(()) } else { Err("acknowledged before it was synced") }
}

/// The line on which the first sync of the log that began after `written` returned.
fn synced_after(lines: &[&str], written: usize) -> Option<usize> {
    let is_sync =
        |line: &str| (line.contains("fdatasync(") || line.contains("fsync(")) && line.contains("quizhall.db-wal");
    let (begin, line) = lines.iter().enumerate().skip(written + 1).find(|(_, line)| is_sync(line))?;
    if !line.contains("<unfinished") {
        return line.ends_with("= 0").then_some(begin);
    }
    let thread = line.split_whitespace().next()?;
    let (end, line) = lines
        .iter()
        .enumerate()
        .skip(begin + 1)
        .find(|(_, line)| line.split_whitespace().next() == Some(thread) && line.contains("sync resumed>"))?;
    line.ends_with("= 0").then_some(end)
}

fn child_of(tracer: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{tracer}/task/{tracer}/children")).unwrap();
    children.split_whitespace().next().expect("the tracer runs the server").parse().unwrap()
}

#[test]
fn the_check_notices_an_early_acknowledgement() {
    let write = r#"7 pwrite64(9</d/quizhall.db-wal>, "..canary-0000-end..", 4096, 0) = 4096"#;
    let sync = "7 fdatasync(9</d/quizhall.db-wal>) = 0";
    let ack = r#"8 sendto(5<socket>, "{\"type\":\"answer_accepted\"", 9) = 9"#;
    assert_eq!(check(&[write, sync, ack].join("\n"), 0), Ok(()));
    assert_eq!(check(&[write, ack, sync].join("\n"), 0), Err("acknowledged before it was synced"));
    assert_eq!(check(&[sync, write, ack].join("\n"), 0), Err("never synced"));
    let (begun, ended) = ("7 fdatasync(9</d/quizhall.db-wal> <unfinished ...>", "7 <... fdatasync resumed>) = 0");
    assert_eq!(check(&[write, begun, ack, ended].join("\n"), 0), Err("acknowledged before it was synced"));
    assert_eq!(check(&[write, begun, ended, ack].join("\n"), 0), Ok(()));
}
