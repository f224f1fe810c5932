//! Promise 31 on a cluster: a session that ends through one node stops working on every node within a second, sockets included,
//! also when no node can notify the others. Also screens and co-hosts on another node than their host.

use std::time::{Duration, Instant};

use quizhall_client::{Api, Carrier, Incoming, Socket, Token};
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::hosts::{NewHost, SignIn};
use quizhall_protocol::http::join::JoinRequest;
use quizhall_protocol::http::seats::TakeSeat;
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::harness::{Cluster, TIMEOUT, until};
use super::player::credentials;
use crate::time_limits::promised;

/// The node where the host signs in and out.
const OVER: usize = 0;
/// The node of the host's socket.
const SOCKET: usize = 1;
/// The node that receives the host's API calls.
const CALLS: usize = 2;
const PROMISED: Duration = Duration::from_secs(1);
const ROUNDS: usize = 2;

/// One cluster and one account for all of it, because starting three nodes takes longer than each part.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_taken_away_over_one_node_is_dead_on_all_within_a_second() {
    let mut cluster = Cluster::start(&[("SIGN_INS_PER_MINUTE_PER_ACCOUNT", "100")]).await;
    let host = account();
    let (here, token, game) = hosted(&cluster, &host).await;
    a_screen_and_a_co_host_are_removed(&cluster, &here, &token, &game).await;
    a_code_is_typed_over_another_node(&cluster, &token).await;
    a_phone_loses_its_seat(&cluster, &here, &game).await;
    a_phone_of_a_team_is_removed(&cluster, &here, &token).await;
    signs_out(&cluster, &host, "the others are notified").await;
    cluster.stores.cache.kill();
    signs_out(&cluster, &host, "the others have to look").await;
    cluster.stores.cache.start_again();
    here.games().await.expect("another session of the same account continues");
}

/// A screen is on another node than its host; its token is known there as soon as the game's log has it.
async fn a_screen_and_a_co_host_are_removed(cluster: &Cluster, here: &Api, token: &Token, game: &Game) {
    for _ in 0..ROUNDS {
        let screen = here.add_screen(game.id).await.unwrap();
        let socket = shown(cluster, game, &screen.url).await;
        here.remove_screen(game.id, screen.screen_id).await.unwrap();
        let closed = closed_after(socket, Instant::now()).await;
        assert!(closed <= promised(PROMISED), "{closed:?}");
        co_host_is_removed(cluster, token, game).await;
    }
}

/// The same for a co-host whose socket is on another node than the host's request. The third node has no socket of the game.
async fn co_host_is_removed(cluster: &Cluster, token: &Token, game: &Game) {
    let co_hosts = format!("{}/api/v1/games/{}/co-hosts", cluster.nodes[OVER].server.url(), game.id);
    let client = reqwest::Client::new();
    let body = json!({"role": "marker", "label": "Ruth"});
    let invited = client.post(&co_hosts).bearer_auth(token.reveal()).json(&body).send().await.unwrap();
    let invited: Value = invited.json().await.unwrap();
    let link = invited["url"].as_str().unwrap();
    let invitation = link.split_once('#').unwrap().1;
    let own = format!("{}/api/v1/co-hosts/current", cluster.nodes[CALLS].server.url());
    let reads_own = async || client.get(&own).bearer_auth(invitation).send().await.unwrap().status();
    assert_eq!(reads_own().await, 200);
    let seat = credentials(&game.game_code, invitation, Role::Host);
    let endpoint = cluster.nodes[SOCKET].server.api().endpoint().clone();
    let socket = Socket::connect_speaking(&endpoint, &seat, Carrier::Bearer, Dialect::QuizhallV1).await;
    let mut socket = socket.unwrap();
    assert!(matches!(socket.next().await, Ok(Incoming::Message(_))));
    let removed = format!("{co_hosts}/{}", invited["coHostId"].as_str().unwrap());
    assert_eq!(client.delete(removed).bearer_auth(token.reveal()).send().await.unwrap().status(), 204);
    assert_eq!(reads_own().await, 401);
    let closed = closed_after(socket, Instant::now()).await;
    assert!(closed <= promised(PROMISED), "{closed:?}");
}

/// A television shows a code from one node, and the host types it in through another.
async fn a_code_is_typed_over_another_node(cluster: &Cluster, token: &Token) {
    let game = opened(&over(cluster, OVER, Some(token))).await;
    let client = reqwest::Client::new();
    let pairings = cluster.nodes[SOCKET].server.url() + "/api/v1/screen-pairings";
    let opened: Value = client.post(&pairings).send().await.unwrap().json().await.unwrap();
    let typed = format!("{}/api/v1/games/{}/screens/pair", cluster.nodes[OVER].server.url(), game.id);
    let typed = client.post(typed).bearer_auth(token.reveal()).json(&json!({"code": opened["code"]}));
    assert_eq!(typed.send().await.unwrap().status(), 202);
    let asked = client.get(pairings + "/own").bearer_auth(opened["secret"].as_str().unwrap());
    let own: Value = asked.send().await.unwrap().json().await.unwrap();
    shown(cluster, &game, own["url"].as_str().unwrap()).await;
}

/// An account that is signed in, and one of its games.
async fn hosted(cluster: &Cluster, host: &NewHost) -> (Api, Token, Game) {
    cluster.nodes[OVER].server.api().create_host(host).await.unwrap();
    let account = SignIn { name: host.name.clone(), password: host.password.clone() };
    let (token, _) = over(cluster, OVER, None).sign_in(&account).await.unwrap();
    let here = over(cluster, OVER, Some(&token));
    let game = opened(&here).await;
    (here, token, game)
}

fn account() -> NewHost {
    NewHost { name: "Grace".to_owned(), password: "a long enough one".to_owned(), setup_token: None, role: None }
}

/// A new game of the account.
async fn opened(here: &Api) -> Game {
    here.create_game(here.quizzes().await.unwrap().quizzes[0].id).await.unwrap()
}

/// The socket of the screen with this link, after it was sent a picture.
async fn shown(cluster: &Cluster, game: &Game, link: &str) -> Socket {
    let seat = credentials(&game.game_code, link.rsplit_once('/').unwrap().1, Role::Screen);
    let endpoint = cluster.nodes[SOCKET].server.api().endpoint().clone();
    let socket = Socket::connect_speaking(&endpoint, &seat, Carrier::Bearer, Dialect::QuizhallV1).await;
    let mut socket = socket.unwrap();
    assert!(matches!(socket.next().await, Ok(Incoming::Message(_))));
    socket
}

/// The phone that has the seat, the host, and the phone that takes the seat are on three nodes.
async fn a_phone_loses_its_seat(cluster: &Cluster, here: &Api, game: &Game) {
    let wanted = JoinRequest::new(game.game_code.clone(), "Ann".to_owned());
    let mut seat = over(cluster, CALLS, None).join(&wanted, None).await.unwrap();
    for _ in 0..ROUNDS {
        let phone = credentials(&game.game_code, &seat.session_token, Role::Player);
        let endpoint = cluster.nodes[SOCKET].server.api().endpoint().clone();
        let mut socket = Socket::connect(&endpoint, &phone, Carrier::Bearer).await.unwrap();
        assert!(matches!(socket.next().await, Ok(Incoming::Message(_))));
        let code = here.issue_seat_code(game.id, seat.player_id).await.unwrap().seat_code;
        let asked = TakeSeat { game_code: game.game_code.clone(), seat_code: code };
        seat = over(cluster, CALLS, None).take_seat(&asked, Some("key")).await.unwrap();
        let closed = closed_after(socket, Instant::now()).await;
        assert!(closed <= promised(PROMISED), "{closed:?}");
    }
}

/// The phone of a team is on another node than the host's request. The third node has no socket of the game.
async fn a_phone_of_a_team_is_removed(cluster: &Cluster, here: &Api, token: &Token) {
    let (client, quiz) = (reqwest::Client::new(), here.quizzes().await.unwrap().quizzes[0].id);
    let url = |node: usize, path: &str| cluster.nodes[node].server.url() + path;
    let asked = client.post(url(OVER, "/api/v1/games")).bearer_auth(token.reveal());
    let asked = asked.json(&json!({"quizId": quiz, "teams": {"devices": 3}})).send().await.unwrap();
    let teams: Value = asked.json().await.unwrap();
    let (id, code) = (teams["id"].as_str().unwrap(), teams["gameCode"].as_str().unwrap());
    let join = async |body: Value| -> Value {
        let joined = client.post(url(CALLS, "/join")).json(&body).send().await.unwrap();
        assert_eq!(joined.status(), 201);
        joined.json().await.unwrap()
    };
    let first = join(json!({"gameCode": code, "displayName": "Larks", "team": true})).await;
    for round in 0..ROUNDS {
        let name = format!("Phone {round}");
        let phone = join(json!({"gameCode": code, "displayName": name, "teamCode": first["teamCode"]})).await;
        let seat = credentials(code, phone["sessionToken"].as_str().unwrap(), Role::Player);
        let endpoint = cluster.nodes[SOCKET].server.api().endpoint().clone();
        let mut socket = Socket::connect(&endpoint, &seat, Carrier::Bearer).await.unwrap();
        assert!(matches!(socket.next().await, Ok(Incoming::Message(_))));
        let (team, device) = (first["playerId"].as_str().unwrap(), phone["deviceId"].as_str().unwrap());
        let removed = url(OVER, &format!("/api/v1/games/{id}/players/{team}/phones/{device}"));
        assert_eq!(client.delete(removed).bearer_auth(token.reveal()).send().await.unwrap().status(), 204);
        let closed = closed_after(socket, Instant::now()).await;
        assert!(closed <= promised(PROMISED), "{closed:?}");
        assert!(Socket::connect(&endpoint, &seat, Carrier::Bearer).await.is_err(), "its token opens nothing");
    }
}

async fn signs_out(cluster: &Cluster, host: &NewHost, how: &str) {
    for _ in 0..ROUNDS {
        let account = SignIn { name: host.name.clone(), password: host.password.clone() };
        let (token, _) = over(cluster, OVER, None).sign_in(&account).await.unwrap();
        let [here, calls] = [OVER, CALLS].map(|node| over(cluster, node, Some(&token)));
        let quiz = here.quizzes().await.unwrap().quizzes[0].id;
        let game = here.create_game(quiz).await.unwrap();
        let participant = credentials(&game.game_code, token.reveal(), Role::Host);
        let socket =
            Socket::connect(cluster.nodes[SOCKET].server.api().endpoint(), &participant, Carrier::Bearer).await;
        // From now on this node trusts the session for a while.
        calls.games().await.unwrap();
        here.sign_out().await.unwrap();
        let ended = Instant::now();
        let refused = until("the API refuses the token", TIMEOUT, async || {
            calls.games().await.is_err_and(|error| error.status() == Some(401))
        });
        let (closed, refused) = tokio::join!(closed_after(socket.unwrap(), ended), refused);
        println!("{how}: the socket was closed after {closed:.1?}, the API refused after {refused:.1?}");
        assert!(closed.max(refused) <= promised(PROMISED), "{how}: {closed:?}, {refused:?}");
    }
}

/// Reads up to the close; how long after `since` it arrived.
async fn closed_after(mut socket: Socket, since: Instant) -> Duration {
    loop {
        match timeout(TIMEOUT, socket.next()).await.unwrap().unwrap() {
            Incoming::Message(_) => {}
            Incoming::Closed(closed) => {
                assert_eq!(closed.known(), Some(CloseCode::Unauthorized));
                return since.elapsed();
            }
        }
    }
}

fn over(cluster: &Cluster, node: usize, token: Option<&Token>) -> Api {
    let api = Api::new(cluster.nodes[node].server.endpoint());
    match token {
        Some(token) => api.with_token(token.clone()),
        None => api,
    }
}
