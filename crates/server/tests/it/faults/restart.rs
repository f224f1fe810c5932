//! Promises 8, 9 and 10: the server is killed and started again in every phase, and all players find the game in the same state.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use super::company::{Company, acknowledged, all_sync_messages, answer, next_is, release, say, types};
use crate::process::{Launch, Server};
use crate::ws_wire::{Frame, Wire};

/// Promise 10.
const SERVING: Duration = Duration::from_secs(5);

/// A server that is killed many times, with sockets of the host, Ann and Bob.
struct Night<'a> {
    folder: &'a Path,
    server: Server,
    company: Company,
    wires: Vec<Wire>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_comes_back_in_every_phase_with_the_same_sync_messages() {
    let folder = tempfile::tempdir().unwrap();
    let mut night = Night::open(folder.path()).await;
    night.lobby().await;
    night.question_phase().await;
    night.review().await;
    night.leaderboard().await;
    night.second_round_and_end().await;
}

impl<'a> Night<'a> {
    async fn open(folder: &'a Path) -> Self {
        let server = Server::start(&Launch::new(folder));
        let company = Company::open(&server, &[2, 1], &["Ann", "Bob", "Cy"]).await;
        Self { folder, server, company, wires: Vec::new() }
    }

    async fn lobby(&mut self) {
        let mut cy = self.company.player(&self.server, 2).await;
        cy.until("lobby_update").await;
        cy.raw(&crate::ws_wire::frame(0x88, &1_000_u16.to_be_bytes())).await;
        while cy.next().await != Frame::End {}
        self.company.players.truncate(2);
        self.wires = self.company.connect_all(&self.server).await;
        let host = &mut self.wires[0];
        // Cy is removed at once, because the close was clean; this may be reported before or after the host connected.
        while host.until("lobby_update").await["payload"]["players"].as_array().unwrap().len() != 2 {}
        // Ann and Bob are attached before they connect again: of two handshakes under way the later need not come second.
        all_sync_messages(&mut self.wires[1..]).await;
        self.is_the_same_after_a_kill("in the lobby").await;
    }

    async fn question_phase(&mut self) {
        let (first, second) = (self.company.rounds[0][0], self.company.rounds[0][1]);
        say(&mut self.wires[0], "start_game").await;
        self.receive("game_started").await;
        self.is_the_same_after_a_kill("before a question").await;
        for question in [first, second] {
            release(&mut self.wires[0], question).await;
        }
        for (player, (question, text)) in [(1, (first, "right")), (2, (second, "wrong")), (2, (first, "also wrong"))] {
            answer(&mut self.wires[player], question, text).await;
            acknowledged(&mut self.wires[player], question).await;
        }
        self.counted(&[(first, 2), (second, 1)]).await;
        let all = self.is_the_same_after_a_kill("after answers").await;
        assert_eq!(counts(&all[0]), [(first, 2), (second, 1)]);
        assert_eq!(types(&all[2])[2..], ["answer_accepted"; 2], "Bob's answers");
    }

    async fn review(&mut self) {
        say(&mut self.wires[0], "end_round").await;
        self.receive("round_ended").await;
        let review = next_is(&mut self.wires[0], "round_review").await;
        assert_eq!(review["payload"]["answers"].as_array().unwrap().len(), 3);
        // The host changes two marks, and gives one for an answer that was never sent.
        let (first, second) = (self.company.rounds[0][0], self.company.rounds[0][1]);
        let (ann, bob) = (self.company.players[0].id, self.company.players[1].id);
        for (player, question, correct) in [(ann, first, false), (bob, second, true), (ann, second, true)] {
            let payload = json!({"playerId": player, "questionId": question, "correct": correct});
            self.wires[0].send(&json!({"type": "override_answer", "payload": payload.clone()})).await;
            assert_eq!(next_is(&mut self.wires[0], "override_applied").await["payload"], payload);
        }
        let all = self.is_the_same_after_a_kill("after overrides").await;
        let answers = all[0][1]["payload"]["answers"].as_array().unwrap();
        let marks: Vec<_> = answers.iter().map(|entry| entry["correct"].as_bool().unwrap()).collect();
        assert_eq!(marks, [false, false, true, true], "every override is kept");
    }

    async fn leaderboard(&mut self) {
        say(&mut self.wires[0], "release_scores").await;
        self.receive("round_leaderboard").await;
        self.is_the_same_after_a_kill("at the leaderboard").await;
    }

    async fn second_round_and_end(&mut self) {
        let only = self.company.rounds[1][0];
        say(&mut self.wires[0], "start_next_round").await;
        release(&mut self.wires[0], only).await;
        answer(&mut self.wires[1], only, "right").await;
        acknowledged(&mut self.wires[1], only).await;
        self.counted(&[(only, 1)]).await;
        self.is_the_same_after_a_kill("in the second round").await;
        for word in ["end_round", "release_scores", "end_game"] {
            say(&mut self.wires[0], word).await;
        }
        for wire in &mut self.wires {
            wire.until("game_ended").await;
        }
        let before = self.server.api().results(self.company.game).await.unwrap();
        let all = self.is_the_same_after_a_kill("after the end").await;
        let board = all[0][0]["payload"]["leaderboard"].as_array().unwrap();
        assert_eq!(board.iter().map(|entry| entry["score"].as_u64().unwrap()).collect::<Vec<_>>(), [20, 10]);
        assert_eq!(self.server.api().results(self.company.game).await.unwrap(), before);
    }

    /// The next message of every socket must have this type.
    async fn receive(&mut self, kind: &str) {
        for wire in &mut self.wires {
            next_is(wire, kind).await;
        }
    }

    /// Waits until the host has these counts: they are paced, and could otherwise follow the sync messages of its next socket.
    async fn counted(&mut self, expected: &[(Uuid, u64)]) {
        let mut missing = expected.to_vec();
        while !missing.is_empty() {
            let seen = counts(&[self.wires[0].until("scoreboard_update").await]);
            missing.retain(|count| !seen.contains(count));
        }
    }

    /// Reads the sync messages of all sockets, kills and starts the server, and expects exactly the same messages again.
    async fn is_the_same_after_a_kill(&mut self, moment: &str) -> Vec<Vec<Value>> {
        self.wires = self.company.connect_all(&self.server).await;
        let before = all_sync_messages(&mut self.wires).await;
        self.server.kill();
        self.server = Server::start(&Launch::new(self.folder));
        assert!(self.server.started_in < SERVING, "{moment}: took {:?}", self.server.started_in);
        self.wires = self.company.connect_all(&self.server).await;
        let after = all_sync_messages(&mut self.wires).await;
        assert_eq!(after, before, "{moment}");
        after
    }
}

fn counts(sync_messages: &[Value]) -> Vec<(Uuid, u64)> {
    let counts = sync_messages.iter().filter(|message| message["type"] == "scoreboard_update");
    let count = |message: &Value| {
        let payload = &message["payload"];
        (payload["questionId"].as_str().unwrap().parse().unwrap(), payload["answerCount"].as_u64().unwrap())
    };
    counts.map(count).collect()
}
