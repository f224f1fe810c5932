//! A full game of teams on a cluster, the phones of each team on three nodes: every message that a phone receives is checked.
//! At the end, the sheets and the results are compared with the answers that were acknowledged.

use std::time::Duration;

use quizhall_client::Token;
use quizhall_load::Think;
use quizhall_load::full_game::{self, Features, Options, Source};
use tokio::task::JoinHandle;

use super::harness::{Cluster, NODES, TIMEOUT, until};
use crate::full_game::seed;
use crate::process::HOST_TOKEN;

/// The game during play.
pub struct GameOfTeams(JoinHandle<()>);

impl GameOfTeams {
    /// Opens the game through the first node, which then owns it; returns when its first question can be answered. Nothing else may be
    /// played on the cluster.
    pub async fn begin(cluster: &Cluster) -> Self {
        let options = Options {
            nodes: (0..NODES).map(|node| cluster.balancer.entry(node)).collect(),
            token: Token::new(HOST_TOKEN),
            players: 7,
            devices: Some(3),
            source: Source::Invented,
            rounds: Some(4),
            questions: Some(5),
            features: Features::default(),
            think: Think { from: Duration::from_millis(100), to: Duration::from_millis(1_500) },
            chaos: 0.0,
            seed: seed(),
            allow_losses: true,
            quiet: true,
        };
        let game = tokio::spawn(async {
            let report = full_game::run(options).await.unwrap();
            assert!(report.ok, "{report}");
            assert!(report.lines_lost > 0, "the game was over before anything happened: {report}");
        });
        until("a question is open", TIMEOUT, async || cluster.games_in("question").await > 0).await;
        Self(game)
    }

    /// Waits for its end. Fails unless every promise was kept and some phones lost their connection meanwhile.
    pub async fn end(self) {
        self.0.await.unwrap();
    }
}
