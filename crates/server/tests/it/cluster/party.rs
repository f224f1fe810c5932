//! A game on a cluster with players on every node, and the properties that it must have at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;
use std::time::Duration;

use quizhall_protocol::Role;
use quizhall_protocol::http::results::Results;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Row as _};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::harness::{Cluster, NODES};
use super::player::{Chair, Diary, Playing, THINK, acknowledged, credentials, is_right};
use crate::crash::ledger::Ledger;
use crate::faults::company::{Company, POINTS, release, say};
use crate::process::HOST_TOKEN;

/// The node through which the game is opened first; it therefore owns the game.
pub const OWNER: usize = 0;
/// The node that the host is connected to.
pub const HOST: usize = 1;
const PLAYERS: usize = 4 * NODES;
const QUESTIONS: usize = 8;
/// A game that has not ended after this time has failed.
const LAST_CALL: Duration = Duration::from_secs(40);

/// A game during play.
pub struct Party {
    pub company: Company,
    guests: Vec<Playing>,
    stop: watch::Sender<bool>,
}

/// The diaries of all participants, from a game that kept its promises.
pub struct Record {
    pub diaries: Vec<Diary>,
    /// How many owners the game had, one after the other.
    pub epochs: i64,
    /// How many rows of its log hold answers that travelled together.
    pub bundles: usize,
}

impl Party {
    /// Opens a game on [`OWNER`], lets players join at every node, and releases all questions.
    pub async fn begin(cluster: &Cluster) -> Self {
        let names: Vec<String> = (0..PLAYERS).map(|number| format!("Player {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let company = Company::open(&cluster.nodes[OWNER].server, &[QUESTIONS], &names).await;
        let mut host = company.host(&cluster.nodes[OWNER].server).await;
        say(&mut host, "start_game").await;
        for question in &company.rounds[0] {
            release(&mut host, *question).await;
        }
        drop(host);
        assert_eq!(owner(cluster, company.game).await, Some(OWNER), "the node that opens a game owns it");
        let (stop, stopped) = watch::channel(false);
        let chairs = chairs(cluster, &company);
        let guests = chairs.into_iter().map(|chair| Playing::begin(chair, &stopped));
        let mut party = Self { guests: guests.collect(), company, stop };
        party.acknowledged(2, Duration::from_secs(20)).await;
        party
    }

    /// Waits until every player has `more` further acknowledgements; how long it took.
    pub async fn acknowledged(&mut self, more: usize, within: Duration) -> Duration {
        self.acknowledged_on(&(0..NODES).collect::<Vec<_>>(), more, within).await
    }

    /// The same for the players whose entries lead to these nodes.
    pub async fn acknowledged_on(&mut self, nodes: &[usize], more: usize, within: Duration) -> Duration {
        let players = self.guests[..PLAYERS].iter().enumerate().filter(|(number, _)| nodes.contains(&(number % NODES)));
        acknowledged(players.map(|(_, player)| player), more, within).await
    }

    /// Lets all participants finish, ends the game, and checks the properties of every game.
    pub async fn end(self, cluster: &Cluster) -> Record {
        self.stop.send_replace(true);
        let mut diaries = Vec::new();
        for guest in self.guests {
            diaries.push(guest.task.await.unwrap());
        }
        let mut ledger = Ledger::default();
        for diary in &diaries {
            ledger.merge(diary.ledger.clone());
        }
        let finished = timeout(LAST_CALL, finish(cluster, &self.company, &ledger)).await;
        finished.expect("the game can be ended");
        let (epochs, bundles) = check_log(cluster, self.company.game).await;
        Record { diaries, epochs, bundles }
    }
}

fn chairs(cluster: &Cluster, company: &Company) -> Vec<Chair> {
    let chair = |node: usize, token: &str, player: Option<Uuid>| Chair {
        node,
        entry: cluster.balancer.entry(node),
        credentials: credentials(&company.code, token, if player.is_some() { Role::Player } else { Role::Host }),
        player,
        questions: company.rounds[0].clone(),
        think: THINK,
        seed: rand::random(),
    };
    let players = company.players.iter().enumerate();
    let mut chairs: Vec<Chair> =
        players.map(|(number, player)| chair(number % NODES, &player.token, Some(player.id))).collect();
    chairs.push(chair(HOST, HOST_TOKEN, None));
    chairs
}

/// Promises 1, 2, 6 and 7: the review, the results on every node and the board agree with the diaries.
async fn finish(cluster: &Cluster, company: &Company, ledger: &Ledger) {
    let mut host = company.host(&cluster.nodes[HOST].server).await;
    say(&mut host, "end_round").await;
    let mut reviewed = Vec::new();
    loop {
        let review = host.until("round_review").await;
        for entry in review["payload"]["answers"].as_array().unwrap() {
            let id = |field: &str| entry[field].as_str().unwrap().parse::<Uuid>().unwrap();
            reviewed.push(((id("playerId"), id("questionId")), entry["answer"].as_str().unwrap().to_owned()));
        }
        if review["payload"].get("part") == review["payload"].get("parts") {
            break;
        }
    }
    ledger.check(reviewed.into_iter());
    say(&mut host, "release_scores").await;
    host.until("round_leaderboard").await;
    say(&mut host, "end_game").await;
    host.until("game_ended").await;
    let mut all = Vec::new();
    for node in &cluster.nodes {
        all.push(node.server.api().results(company.game).await.unwrap());
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "every node has the same results");
    check_results(&all[0], company, ledger);
}

fn check_results(results: &Results, company: &Company, ledger: &Ledger) {
    let questions = results.rounds.iter().flat_map(|round| &round.questions);
    let answers: Vec<_> = questions
        .flat_map(|question| {
            question.answers.iter().map(|answer| ((answer.player_id, question.question_id), answer.answer.clone()))
        })
        .collect();
    let mut scores: BTreeMap<Uuid, i64> = company.players.iter().map(|player| (player.id, 0)).collect();
    for ((player, _), _) in answers.iter().filter(|(_, answer)| is_right(answer)) {
        *scores.entry(*player).or_default() += POINTS;
    }
    let board: BTreeMap<Uuid, i64> = results.leaderboard.iter().map(|entry| (entry.player_id, entry.score)).collect();
    assert_eq!(board, scores, "promise 6: the board is the sum of the stored answers");
    ledger.check(answers.into_iter());
}

/// The log has no gaps, epochs never decrease, and each begins with the event that makes an owner. Returns their number, and how
/// many rows hold answers that travelled together.
async fn check_log(cluster: &Cluster, game: Uuid) -> (i64, usize) {
    let mut database = PgConnectOptions::from_str(&cluster.database_url).unwrap().connect().await.unwrap();
    let rows = sqlx::query("SELECT seq, n, epoch, body FROM game_log WHERE game_id = $1::uuid ORDER BY seq")
        .bind(game.to_string())
        .fetch_all(&mut database)
        .await
        .unwrap();
    let (mut next, mut last, mut begun, mut bundles) = (0_i64, -1_i64, BTreeSet::new(), 0);
    for row in &rows {
        let (seq, count, epoch): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(seq, next, "a gap or an overlap");
        assert!(epoch >= last, "an event of a former owner after one of its successor");
        let body: String = row.get(3);
        bundles += usize::from(body.contains(r#""t":"answers""#));
        if epoch > last {
            let first = if seq == 0 { "created" } else { "claimed" };
            assert!(body.to_lowercase().contains(first), "epoch {epoch} does not begin with `{first}`");
            begun.insert(epoch);
        }
        (next, last) = (seq + count, epoch);
    }
    (i64::try_from(begun.len()).unwrap(), bundles)
}

/// The node that is recorded as the game's owner.
pub async fn owner(cluster: &Cluster, game: Uuid) -> Option<usize> {
    let mut database = PgConnectOptions::from_str(&cluster.database_url).unwrap().connect().await.unwrap();
    let found = sqlx::query("SELECT node.name FROM game JOIN node ON node.id = game.owner WHERE game.id = $1::uuid")
        .bind(game.to_string())
        .fetch_optional(&mut database)
        .await
        .unwrap();
    let name: String = found?.get(0);
    name.strip_prefix("node")?.parse().ok()
}

impl Record {
    /// The diaries of participants whose entries lead to other nodes than these.
    pub fn away_from(&self, nodes: &[usize]) -> impl Iterator<Item = &Diary> {
        self.diaries.iter().filter(|diary| !nodes.contains(&diary.node))
    }

    /// The longest wait of an answer that was acknowledged after `since`, on other nodes than these.
    pub fn longest_wait(&self, nodes: &[usize], since: Instant) -> Duration {
        let waits = self.away_from(nodes).flat_map(|diary| &diary.waits);
        waits.filter(|wait| wait.given + wait.took >= since).map(|wait| wait.took).max().unwrap_or_default()
    }

    /// The longest time that a participant was away.
    pub fn longest_absence(&self) -> Duration {
        self.diaries.iter().flat_map(|diary| diary.returns.iter().copied()).max().unwrap_or_default()
    }

    /// How many answers were acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.diaries.iter().map(|diary| diary.waits.len()).sum()
    }
}
