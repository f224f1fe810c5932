//! Promise 31 across processes: a session that the command line ends closes the host's open socket of the running service.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use quizhall_client::{Api, Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::{CloseCode, Role};

use crate::process::{Launch, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_reset_by_the_command_line_closes_the_sockets_of_the_sessions_it_ends() {
    its_sockets_close_after(&["host", "reset-password", "Grace"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_the_command_line_disables_loses_its_sockets() {
    its_sockets_close_after(&["host", "disable", "Grace"]).await;
}

/// Lets a host open a socket, runs this command beside the service, and waits for the end of the socket.
async fn its_sockets_close_after(words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    quizhall(folder.path(), &["host", "add", "Grace"]);
    quizhall(folder.path(), &["host", "add", "Another", "--role", "owner"]);
    let token = Token::new(quizhall(folder.path(), &["host", "token", "Grace"]).trim());
    let api = Api::new(server.endpoint()).with_token(token.clone());
    let quiz = api.quizzes().await.unwrap().quizzes[0].id;
    let game = api.create_game(quiz).await.unwrap();
    let credentials = Seat { code: game.game_code, token, role: Role::Host };
    let mut socket = Socket::connect(&server.endpoint(), &credentials, Carrier::Bearer).await.unwrap();
    quizhall(folder.path(), words);
    let closed = loop {
        match tokio::time::timeout(Duration::from_secs(5), socket.next()).await.unwrap().unwrap() {
            Incoming::Closed(closed) => break closed,
            Incoming::Message(_) => {}
        }
    };
    assert_eq!(closed.known(), Some(CloseCode::Unauthorized));
    assert!(api.games().await.is_err(), "the token is dead for the API as well");
}

/// Runs the binary on the server's database, with a password on standard input; what it prints.
fn quizhall(folder: &Path, words: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quizhall"))
        .args(words)
        .env("DATABASE_URL", format!("sqlite://{}/quizhall.db", folder.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that asks for no password has ended by now: the write may fail.
    let _ = child.stdin.take().unwrap().write_all(b"a long enough password\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}
