//! Promise 31 across processes: a session that is ended on the command line closes the host's open socket of the running service, and
//! ends the host's invitations of co-hosts.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use quizhall_client::{Api, Carrier, Incoming, Seat, Socket, Token};
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::process::{Launch, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_reset_by_the_command_line_closes_the_sockets_of_the_sessions_it_ends() {
    its_sockets_close_after(&["host", "reset-password", "Grace"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_the_command_line_disables_loses_its_sockets() {
    its_sockets_close_after(&["host", "disable", "Grace"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_the_command_line_removes_takes_its_co_hosts_with_it() {
    its_sockets_close_after(&["host", "remove", "Grace", "--games-to", "Another"]).await;
}

/// Lets a host and a co-host open sockets, runs this command while the service runs, and waits for the end of both.
async fn its_sockets_close_after(words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    quizhall(folder.path(), &["host", "add", "Grace"]);
    quizhall(folder.path(), &["host", "add", "Another", "--role", "owner"]);
    let token = Token::new(quizhall(folder.path(), &["host", "token", "Grace"]).trim());
    let api = Api::new(server.endpoint()).with_token(token.clone());
    let quiz = api.quizzes().await.unwrap().quizzes[0].id;
    let game = api.create_game(quiz).await.unwrap();
    // A game with an unused invitation and without open sockets.
    let other = api.create_game(quiz).await.unwrap();
    let [co_host, unused] = [invited(&server, &token, game.id).await, invited(&server, &token, other.id).await];
    let mut sockets = [
        opened(&server, &game.game_code, &token, Dialect::Interface).await,
        opened(&server, &game.game_code, &Token::new(&co_host), Dialect::QuizhallV1).await,
    ];
    assert_eq!([own_invitation(&server, &co_host).await, own_invitation(&server, &unused).await], [200; 2]);
    quizhall(folder.path(), words);
    for socket in &mut sockets {
        assert_eq!(closed(socket).await, Some(CloseCode::Unauthorized), "{words:?}");
    }
    assert!(api.games().await.is_err(), "the token has ended for the API as well");
    let waits = async {
        while [own_invitation(&server, &co_host).await, own_invitation(&server, &unused).await] != [401; 2] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), waits).await.expect("both invitations have ended");
    // After it is enabled again, the account has no co-hosts.
    if words[1] == "disable" {
        quizhall(folder.path(), &["host", "enable", "Grace"]);
        assert_eq!(own_invitation(&server, &unused).await, 401);
    }
}

async fn opened(server: &Server, code: &str, token: &Token, dialect: Dialect) -> Socket {
    let credentials = Seat { code: code.to_owned(), token: token.clone(), role: Role::Host };
    Socket::connect_speaking(&server.endpoint(), &credentials, Carrier::Bearer, dialect).await.unwrap()
}

async fn closed(socket: &mut Socket) -> Option<CloseCode> {
    loop {
        match tokio::time::timeout(Duration::from_secs(5), socket.next()).await.unwrap().unwrap() {
            Incoming::Closed(closed) => return closed.known(),
            Incoming::Message(_) => {}
        }
    }
}

/// The token of an invitation to a game.
async fn invited(server: &Server, host: &Token, game: Uuid) -> String {
    let url = format!("{}/api/v1/games/{game}/co-hosts", server.url());
    let body = json!({"role": "host", "label": "Ruth"});
    let invited = reqwest::Client::new().post(url).bearer_auth(host.reveal()).json(&body).send().await.unwrap();
    let invited: Value = invited.json().await.unwrap();
    invited["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

/// The status of a co-host's request about the own invitation.
async fn own_invitation(server: &Server, token: &str) -> u16 {
    let url = format!("{}/api/v1/co-hosts/current", server.url());
    reqwest::Client::new().get(url).bearer_auth(token).send().await.unwrap().status().as_u16()
}

/// Runs the binary on the server's database, with a password on standard input; returns its output.
fn quizhall(folder: &Path, words: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quizhall"))
        .args(words)
        .env("DATABASE_URL", format!("sqlite://{}/quizhall.db", folder.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no password may have ended, so that the write fails.
    let _ = child.stdin.take().unwrap().write_all(b"a long enough password\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}
