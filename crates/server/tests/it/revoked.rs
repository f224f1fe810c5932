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

use crate::golden::table::quiz;
use crate::process::{Launch, Server};

/// The owner of a game, with the sockets of the owner and of a co-host, and an invitation to another game that is not used.
struct Hosting {
    name: &'static str,
    api: Api,
    sockets: [Socket; 2],
    invitations: [String; 2],
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_command_line_ends_closes_its_sockets_and_ends_its_invitations() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    quizhall(folder.path(), &["host", "add", "Another", "--role", "owner"]);
    for words in [
        &["host", "reset-password", "Grace"][..],
        &["host", "disable", "Hedy"],
        &["host", "remove", "Ida", "--games-to", "Another"],
    ] {
        let hosting = Hosting::begin(&server, folder.path(), words[2]).await;
        quizhall(folder.path(), words);
        hosting.ends(&server, words).await;
    }
}

impl Hosting {
    async fn begin(server: &Server, folder: &Path, name: &'static str) -> Self {
        quizhall(folder, &["host", "add", name]);
        let token = Token::new(quizhall(folder, &["host", "token", name]).trim());
        let api = Api::new(server.endpoint()).with_token(token.clone());
        let quiz = api.create_quiz(&quiz()).await.unwrap().id;
        let game = api.create_game(quiz).await.unwrap();
        let other = api.create_game(quiz).await.unwrap();
        let invitations = [invited(server, &token, game.id).await, invited(server, &token, other.id).await];
        let sockets = [
            opened(server, &game.game_code, &token, Dialect::Interface).await,
            opened(server, &game.game_code, &Token::new(&invitations[0]), Dialect::QuizhallV1).await,
        ];
        let hosting = Self { name, api, sockets, invitations };
        assert_eq!(hosting.statuses(server).await, [200; 2]);
        hosting
    }

    async fn statuses(&self, server: &Server) -> [u16; 2] {
        let [used, unused] = &self.invitations;
        [own_invitation(server, used).await, own_invitation(server, unused).await]
    }

    async fn ends(mut self, server: &Server, words: &[&str]) {
        for socket in &mut self.sockets {
            assert_eq!(closed(socket).await, Some(CloseCode::Unauthorized), "{words:?}");
        }
        assert!(self.api.games().await.is_err(), "{words:?}: the token has ended for the API as well");
        let waits = async {
            while self.statuses(server).await != [401; 2] {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(5), waits).await;
        assert!(ended.is_ok(), "{words:?}: an invitation of {} has not ended", self.name);
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
