//! A zone fails: a third of the nodes and the primary of the database end at the same moment, and the synchronous standby of another
//! zone is promoted.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::hall::{DYING, Hall, OTHERS, quantile};
use super::harness::{NODES, TIMEOUT, alone};
use super::plain::Nodes;
use super::troubles::chaos_rounds;
use crate::process::raise_descriptors;
use crate::services::postgres::{Durability, Postgres};
use crate::time_limits::promised;

/// The games, each node the owner of a third of them.
const GAMES: usize = 30;
/// Every game is back this long after the zone failed, when the standby is promoted after [`PROMOTED`].
const BACK: Duration = Duration::from_secs(15);
/// The time that a cluster manager takes, in which sockets are closed.
const PROMOTED: Duration = Duration::from_secs(5);
/// The same in an ordinary run.
const PROMOTED_SOON: Duration = Duration::from_millis(1_500);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_zone_with_the_primary_dies_and_no_acknowledged_answer_is_lost() {
    let _alone = alone().await;
    raise_descriptors();
    let away = if chaos_rounds() == 0 { PROMOTED_SOON } else { PROMOTED };
    for _ in 0..chaos_rounds().max(1) {
        zone_dies(away).await;
    }
}

async fn zone_dies(away: Duration) {
    let mut primary = Postgres::start(Durability::Kept);
    let url = primary.fresh_database().await;
    let standby = primary.synchronous_standby().await;
    let database = url.rsplit('/').next().unwrap();
    let mut nodes = Nodes::start(&primary.url_with(&standby, database)).await;
    let hall = Hall::open(&nodes, GAMES, |number| number % NODES).await;
    hall.go_on(&[0, 1, 2], TIMEOUT).await;
    assert_eq!(hall.owners(&url).await, [GAMES / NODES; NODES], "a third of the games is on each node");

    let died = Instant::now();
    nodes.servers[DYING].kill();
    primary.kill();
    let went_on = hall.go_on(&OTHERS, TIMEOUT * 2);
    let promotion = async {
        sleep(away.saturating_sub(died.elapsed())).await;
        standby.promote().await;
        died.elapsed()
    };
    let (promoted, ()) = tokio::join!(promotion, went_on);
    let owners = hall.owners(&standby.url(database)).await;
    let memories = hall.end(&nodes.servers[OTHERS[0]]).await;

    let back = memories.back(&OTHERS, died);
    let (median, p99, worst) = (quantile(&back, 0.5), quantile(&back, 0.99), back[GAMES - 1]);
    println!(
        "a node with {} of {GAMES} games and the primary were killed, the standby was promoted after {promoted:.1?}: back after \
         {median:.2?} (median of them), {p99:.2?} (p99), {worst:.2?} (all); owners {owners:?}; {} acknowledged, none lost; players \
         away for {:.1?} at most",
        GAMES / NODES,
        memories.acknowledged,
        memories.longest_absence(),
    );
    assert_eq!(owners[DYING], 0, "the games of the dead node have other owners");
    assert_eq!(owners.iter().sum::<usize>(), GAMES, "every game has an owner");
    assert!(worst <= promised(BACK), "a game was back after {worst:?}");
}
