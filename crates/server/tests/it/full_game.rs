//! Full games with bots that change answers, leave and return, with every message checked: one without faults, one with timers and
//! pictures, and two with teams of several phones, without faults and with the server killed in the middle.

use std::time::Duration;

use quizhall_client::Token;
use quizhall_load::Think;
use quizhall_load::full_game::{Features, Options, Source, run};

use crate::process::{HOST_TOKEN, Launch, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_game_of_sixty_breaks_no_promise() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let report = run(options(&server)).await.unwrap();
    assert!(report.ok, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_game_continues_after_all_connections_were_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let address = server.url().replace("http://", "");
    let mut game = tokio::spawn(run(Options { allow_losses: true, players: 10, devices: Some(3), ..options(&server) }));
    for _ in 0..2 {
        // A game has 140 answers and more, but fewer of them when rounds end while players still answer.
        tokio::select! {
            () = answers(&server, 30) => {}
            ended = &mut game => panic!("the game ended before the server was killed: {}", ended.unwrap().unwrap()),
        }
        server.kill();
        let environment = [("BIND_ADDR", address.as_str())];
        server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    }
    let report = game.await.unwrap().unwrap();
    assert!(report.ok, "{report}");
    assert!(report.lines_lost > 0, "the server was killed too late: {report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_game_with_timers_and_pictures_closes_each_question_and_opens_each_picture() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let features = Features { timers: true, media: true };
    let size = Options { players: 12, rounds: Some(2), questions: Some(3), chaos: 0.0, ..options(&server) };
    let report = run(Options { features, ..size }).await.unwrap();
    assert!(report.ok, "{report}");
    assert_eq!(report.questions_closed, 6, "{report}");
    // Three questions have a picture, and six of the players use the extension.
    assert_eq!((report.copies_loaded, report.pictures_opened), (18, 18), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_game_of_teams_counts_the_last_answer_of_any_phone_and_shows_one_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let size = Options { players: 12, devices: Some(4), rounds: Some(2), chaos: 0.0, ..options(&server) };
    let report = run(size).await.unwrap();
    assert!(report.ok, "{report}");
    // Three phones of each team use the extension, and most are connected in the lobby and at the end of each round.
    assert!(report.sheets_compared > 2 * 3 * 12, "{report}");
    assert!(report.answers_replaced > 0 && report.stepped_out > 0, "{report}");
}

/// Waits until the server has stored this many answers since it started.
async fn answers(server: &Server, wanted: u64) {
    let end = tokio::time::Instant::now() + Duration::from_secs(60);
    loop {
        let text = reqwest::get(format!("{}/metrics", server.url())).await.unwrap().text().await.unwrap();
        let count = text.lines().find_map(|line| line.strip_prefix("quizhall_answers_total ")?.trim().parse().ok());
        if count.is_some_and(|count: u64| count >= wanted) {
            return;
        }
        assert!(tokio::time::Instant::now() < end, "no answers");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A game's seed: that of `QUIZHALL_SEED`, or a new one. A failing test prints it.
pub fn seed() -> u64 {
    let seed = crate::sealed::number("QUIZHALL_SEED", rand::random());
    eprintln!("QUIZHALL_SEED={seed}");
    seed
}

fn options(server: &Server) -> Options {
    Options {
        nodes: vec![server.endpoint()],
        token: Token::new(HOST_TOKEN),
        players: 60,
        devices: None,
        source: Source::Invented,
        rounds: Some(3),
        questions: Some(5),
        features: Features::default(),
        think: Think { from: Duration::from_millis(20), to: Duration::from_millis(200) },
        chaos: 0.05,
        seed: seed(),
        allow_losses: false,
        quiet: true,
    }
}
