//! Many small games at once on three nodes. Each has a player on every node, and each player keeps a diary, so that the time of a
//! fault is known for each game, and no acknowledged answer is missed at the end.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use quizhall_protocol::Role;
use sqlx::Row as _;
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

use super::harness::NODES;
use super::plain::{Nodes, connection, name_of};
use super::player::{Chair, Diary, Guest, Playing, acknowledged, credentials};
use crate::crash::ledger::Ledger;
use crate::faults::company::{Company, release, say};
use crate::process::Server;

/// The node that will die. Its players go to another one.
pub const DYING: usize = 0;
/// The nodes that stay.
pub const OTHERS: [usize; NODES - 1] = [1, 2];
const QUESTIONS: usize = 2;
/// Answers a second of all players together, while nothing happens.
const RATE: usize = 60;
/// Games that are opened or ended at once.
const AT_ONCE: usize = 16;
/// An acknowledgement that the dead owner has sent may arrive this long after its end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The games during play.
pub struct Hall {
    games: Vec<Company>,
    guests: Vec<Seated>,
    stop: watch::Sender<bool>,
    /// Hurries the players of each node.
    hurry: [watch::Sender<u32>; NODES],
}

/// A player of one of the games.
struct Seated {
    game: usize,
    node: usize,
    playing: Playing,
}

/// The diaries of all players, by game, from games that lost nothing.
pub struct Memories {
    diaries: Vec<(usize, Diary)>,
    games: usize,
    /// How many answers were acknowledged.
    pub acknowledged: usize,
}

impl Hall {
    /// Opens games, each on the node that `owner` gives for its number, and lets all players answer.
    pub async fn open(nodes: &Nodes, games: usize, owner: impl Fn(usize) -> usize) -> Self {
        let (stop, stopped) = watch::channel(false);
        let hurry = [(); NODES].map(|()| watch::Sender::new(0));
        let think = pauses(games * NODES);
        let first = &nodes.servers[owner(0)];
        // Not played: its quiz is that of all games.
        let model = Company::open(first, &[QUESTIONS], &[]).await;
        let quiz = first.api().game(model.game).await.unwrap().quiz_id.unwrap();
        let model = &model;
        let opened = stream::iter(0..games).map(|number| open(&nodes.servers[owner(number)], quiz, model, NODES));
        let mut opened = opened.buffer_unordered(AT_ONCE);
        let (mut all, mut guests) = (Vec::new(), Vec::new());
        while let Some(company) = opened.next().await {
            for chair in chairs(nodes, &company, &think) {
                let (node, tally) = (chair.node, Arc::new(AtomicUsize::new(0)));
                let guest = Guest::new(chair, Arc::clone(&tally)).hurried_by(hurry[node].subscribe());
                let task = tokio::spawn(guest.run(stopped.clone()));
                guests.push(Seated { game: all.len(), node, playing: Playing { tally, task } });
            }
            all.push(company);
        }
        Self { games: all, guests, stop, hurry }
    }

    /// Lets the players on this node who are thinking answer within a second.
    fn hurry(&self, node: usize) {
        self.hurry[node].send_modify(|times| *times += 1);
    }

    /// Waits until every player on these nodes has had an answer acknowledged that was given from now on.
    pub async fn go_on(&self, nodes: &[usize], within: Duration) {
        // The first one may be to an answer that is under way now.
        for _ in 0..2 {
            self.acknowledged_on(nodes, within).await;
        }
    }

    /// Hurries the players on these nodes, and waits until every one of them has one more acknowledgement.
    async fn acknowledged_on(&self, nodes: &[usize], within: Duration) {
        let there = self.guests.iter().filter(|guest| nodes.contains(&guest.node)).map(|guest| &guest.playing);
        // They are counted before the hurry: a player who is acknowledged after it thinks for as long as usual.
        let all = acknowledged(there, 1, within);
        for node in nodes {
            self.hurry(*node);
        }
        all.await;
    }

    /// Lets all players finish, ends every game on this node, and compares the results with the diaries.
    pub async fn end(self, server: &Server) -> Memories {
        self.stop.send_replace(true);
        let mut diaries = Vec::new();
        let mut ledgers = vec![Ledger::default(); self.games.len()];
        for guest in self.guests {
            let diary = guest.playing.task.await.unwrap();
            ledgers[guest.game].merge(diary.ledger.clone());
            diaries.push((guest.game, diary));
        }
        let games = self.games.len();
        let acknowledged = ledgers.iter().map(Ledger::acknowledgements).sum();
        let ended = stream::iter(self.games.into_iter().zip(ledgers));
        let ended = ended.map(|(company, ledger)| async move { end(server, &company, &ledger).await });
        ended.buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
        Memories { diaries, games, acknowledged }
    }

    /// How many of these games each node owns by the record, and how many have no owner in the list.
    pub async fn owners(&self, database_url: &str) -> Vec<usize> {
        let select =
            "SELECT node.name, count(*) FROM game JOIN node ON node.id = game.owner WHERE game.id = ANY($1) GROUP BY 1";
        let games: Vec<Uuid> = self.games.iter().map(|company| company.game).collect();
        let rows = sqlx::query(select).bind(games).fetch_all(&mut connection(database_url).await).await.unwrap();
        let owned = |node: usize| rows.iter().find(|row| row.get::<String, _>(0) == name_of(node));
        (0..NODES).map(|node| owned(node).map_or(0, |row| row.get::<i64, _>(1).try_into().unwrap())).collect()
    }
}

/// A game of the model's quiz with this many players, its questions open.
pub async fn open(server: &Server, quiz: Uuid, model: &Company, players: usize) -> Company {
    let api = server.api();
    let game = api.create_game(quiz).await.unwrap();
    let rounds = model.rounds.clone();
    let mut company = Company { game: game.id, code: game.game_code, rounds, players: Vec::new() };
    for number in 0..players {
        company.join(&api, &format!("Player {number}")).await;
    }
    let mut host = company.host(server).await;
    say(&mut host, "start_game").await;
    for question in &company.rounds[0] {
        release(&mut host, *question).await;
    }
    company
}

/// Ends a game, and compares its results with the ledger.
pub async fn end(server: &Server, company: &Company, ledger: &Ledger) {
    let mut host = company.host(server).await;
    for (command, effect) in
        [("end_round", "round_ended"), ("release_scores", "round_leaderboard"), ("end_game", "game_ended")]
    {
        say(&mut host, command).await;
        host.until(effect).await;
    }
    let results = server.api().results(company.game).await.unwrap();
    let questions = results.rounds.iter().flat_map(|round| &round.questions);
    ledger.check(questions.flat_map(|question| {
        let place = |player: Uuid| (player, question.question_id);
        question.answers.iter().map(move |answer| (place(answer.player_id), answer.answer.clone()))
    }));
}

/// A player on each node.
fn chairs<'a>(nodes: &'a Nodes, company: &'a Company, think: &'a Range<u64>) -> impl Iterator<Item = Chair> + 'a {
    company.players.iter().enumerate().map(|(node, player)| Chair {
        node,
        entry: nodes.entry(node, node == DYING),
        credentials: credentials(&company.code, &player.token, Role::Player),
        player: Some(player.id),
        questions: company.rounds[0].clone(),
        think: think.clone(),
        seed: rand::random(),
    })
}

/// The pauses, in ms, with which this many players give [`RATE`] answers a second.
fn pauses(players: usize) -> Range<u64> {
    let mean = u64::try_from(players * 1_000 / RATE).unwrap().max(200);
    mean / 2..mean * 3 / 2
}

impl Memories {
    /// For each game, the time from `killed` until all its players on these nodes had an answer acknowledged again, in order.
    pub fn back(&self, nodes: &[usize], killed: Instant) -> Vec<Duration> {
        let mut back = vec![Duration::ZERO; self.games];
        for (game, diary) in self.diaries.iter().filter(|(_, diary)| nodes.contains(&diary.node)) {
            let acknowledged = diary.waits.iter().map(|wait| wait.given + wait.took);
            let first = acknowledged.filter(|at| *at >= killed + LAST_WORDS).min();
            let first = first.expect("every player is acknowledged after the fault");
            back[*game] = back[*game].max(first - killed);
        }
        back.sort_unstable();
        back
    }

    /// The diaries of the players whose entries lead to these nodes.
    pub fn on<'a>(&'a self, nodes: &'a [usize]) -> impl Iterator<Item = &'a Diary> {
        self.diaries.iter().map(|(_, diary)| diary).filter(|diary| nodes.contains(&diary.node))
    }

    /// The longest time that a player was away.
    pub fn longest_absence(&self) -> Duration {
        self.diaries.iter().flat_map(|(_, diary)| diary.returns.iter().copied()).max().unwrap_or_default()
    }
}

/// The value below which this part of a sorted list lies.
pub fn quantile(sorted: &[Duration], part: f64) -> Duration {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "short lists"
    )]
    let place = (part * sorted.len() as f64).ceil() as usize;
    sorted[place.saturating_sub(1).min(sorted.len() - 1)]
}
