//! A node that owns many games dies: the others take all of them over, each within the time of a single game, over the connections
//! to the database that they always have.

use std::env;
use std::time::Duration;

use sqlx::Row as _;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::hall::{DYING, Hall, OTHERS, quantile};
use super::harness::{NODES, Stores, TIMEOUT};
use super::plain::{Nodes, connection, name_of};
use crate::process::raise_descriptors;
use crate::time_limits::promised;

/// The games of an ordinary run. `QUIZHALL_GAMES` asks for another number.
const GAMES: usize = 30;
/// The nodes whose players answer at once after the end of the node, so that one answer of each game waits for its new owner. Where
/// all players do, most of the time is that of their answers.
const PROBING: [usize; 1] = [OTHERS[0]];
/// Every game is back within this time.
const ALL: Duration = Duration::from_secs(5);
/// 99 of 100 games are back within this time.
const MOST: Duration = Duration::from_secs(3);
/// `DATABASE_CONNECTIONS` by default, and three more.
const CONNECTIONS: i64 = 16 + 3;
/// How long the opening of games and the next acknowledgement of each player may take, for each game in addition to [`TIMEOUT`].
const FOR_EACH: Duration = Duration::from_millis(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_games_of_a_dead_node_go_on_elsewhere() {
    let mut stores = Stores::of_one_cluster().await;
    raise_descriptors();
    let games = env::var("QUIZHALL_GAMES").map_or(GAMES, |text| text.parse().expect("a number"));
    let time_limit = TIMEOUT + FOR_EACH * u32::try_from(games).unwrap();
    let url = stores.database_url.clone();
    let mut nodes = Nodes::start(&url).await;
    let hall = Hall::open(&nodes, games, |_| DYING).await;
    hall.go_on(&[0, 1, 2], time_limit).await;
    assert_eq!(hall.owners(&url).await, [games, 0, 0], "the node that opens a game owns it");

    let (stop, watched) = watch_connections(&url);
    let killed = Instant::now();
    nodes.servers[DYING].kill();
    hall.go_on(&PROBING, time_limit).await;
    hall.go_on(&OTHERS, time_limit).await;
    let owners = hall.owners(&url).await;
    stop.send_replace(true);
    let most = watched.await.unwrap();
    let memories = hall.end(&nodes.servers[OTHERS[0]]).await;

    let back = memories.back(&PROBING, killed);
    let (median, p99, worst) = (quantile(&back, 0.5), quantile(&back, 0.99), back[games - 1]);
    println!(
        "a node with {games} games was killed: back after {median:.2?} (median of them), {p99:.2?} (p99), {worst:.2?} (all); \
         owners {owners:?}; connections {most:?} at most; {} acknowledged, none lost; players of the dead node away for {:.1?} \
         at most",
        memories.acknowledged,
        memories.longest_absence(),
    );
    assert_eq!(owners.iter().sum::<usize>(), games, "every game has an owner");
    assert!(most.iter().all(|most| *most <= CONNECTIONS), "connections to the database: {most:?}");
    for diary in memories.on(&OTHERS) {
        let lost: Vec<_> = diary.lost.iter().filter(|lost| lost.at >= killed).collect();
        assert!(lost.is_empty(), "a player of another node lost the connection: {lost:?}");
    }
    assert!(worst <= promised(ALL), "a game was back after {worst:?}");
    assert!(p99 <= promised(MOST), "one of 100 games was back after {p99:?}");
    drop(nodes);
    stores.are_whole = true;
}

/// Counts the connections of each node to the database until it is stopped; returns the most of each.
fn watch_connections(url: &str) -> (watch::Sender<bool>, JoinHandle<Vec<i64>>) {
    let (stop, stopped) = watch::channel(false);
    let url = url.to_owned();
    let watched = tokio::spawn(async move {
        let mut database = connection(&url).await;
        let mut most = vec![0; NODES];
        while !*stopped.borrow() {
            let select =
                "SELECT application_name, count(*) FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1";
            let rows = sqlx::query(select).fetch_all(&mut database).await.unwrap();
            for (node, most) in most.iter_mut().enumerate() {
                let row = rows.iter().find(|row| row.get::<String, _>(0) == name_of(node));
                *most = row.map_or(0, |row| row.get(1)).max(*most);
            }
            sleep(Duration::from_millis(20)).await;
        }
        most
    });
    (stop, watched)
}
