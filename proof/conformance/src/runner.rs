//! Plays the rows: rows of a sub-state share stages, groups run in parallel, and waiting rows run in parallel with all of them.
//!
//! A row that fails never stops the others: its stage is dropped and the next row gets a new one.

mod staged;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::anyhow;
use quizhall_protocol::Role;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::cases::auth::AuthGames;
use crate::cases::coverage;
use crate::cases::http::Counter;
use crate::report::Report;
use crate::row::{Check, Pace, Row, Story};
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::substate::SubState;
use crate::world::World;

/// The number of rows that share a stage in turn; more would only make one task long.
const ROWS_PER_STAGE: usize = 40;
/// The number of stories that wait at the same time: with the games of the other batches they stay within the 20 that a host may
/// have.
const WAITING_AT_ONCE: usize = 8;

/// Plays all rows.
pub async fn play(world: &Arc<World>, rows: Vec<Row>) -> Report {
    let mut plan = Plan::new(rows);
    let permits = Arc::new(Semaphore::new(world.options.jobs.max(1)));
    let mut tasks = JoinSet::new();
    let waiting = Arc::new(Semaphore::new(WAITING_AT_ONCE));
    for (id, story) in plan.waiting.drain(..) {
        let (world, waiting) = (Arc::clone(world), Arc::clone(&waiting));
        tasks.spawn(async move {
            let _permit = waiting.acquire().await;
            play_story(world, id, story).await
        });
    }
    for batch in plan.batches.drain(..) {
        let (world, permits) = (Arc::clone(world), Arc::clone(&permits));
        tasks.spawn(async move {
            let _permit = permits.acquire().await;
            let report = batch.play(&world).await;
            world.sweep().await;
            report
        });
    }
    let mut report = Report::default();
    while let Some(played) = tasks.join_next().await {
        match played {
            Ok(played) => report.merge(played),
            Err(error) => report.record("suite", Err(anyhow!("a task of the suite died: {error}"))),
        }
    }
    for (id, story) in plan.last {
        report.merge(play_story(Arc::clone(world), id, story).await);
    }
    for (id, seen) in plan.coverage {
        report.record(&id, coverage::check(&world.observer, seen));
    }
    report.sort();
    report
}

/// The order of play.
#[derive(Default)]
struct Plan {
    waiting: Vec<(String, Story)>,
    batches: Vec<Batch>,
    last: Vec<(String, Story)>,
    coverage: Vec<(String, crate::tables::coverage::Coverage)>,
}

/// The common properties of rows that share a stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scene {
    state: SubState,
    cast: Cast,
    /// The host in an empty lobby: the only sub-state that differs between the two roles.
    alone_as_host: bool,
}

impl Scene {
    fn new(state: SubState, cast: Cast, is_host: bool) -> Self {
        Self { state, cast, alone_as_host: state == SubState::LobbyAlone && is_host }
    }

    fn alone(self) -> Role {
        if self.alone_as_host { Role::Host } else { Role::Player }
    }
}

/// Rows played one after the other.
enum Batch {
    Staged(Scene, Vec<Row>),
    Auth(Vec<Row>),
    Http(Vec<Row>),
    Story(String, Story),
}

impl Plan {
    fn new(rows: Vec<Row>) -> Self {
        let mut plan = Self::default();
        let (mut by_scene, mut auth, mut http) = (BTreeMap::<_, Vec<Row>>::new(), Vec::new(), Vec::new());
        for row in rows {
            let shared = match &row.check {
                Check::Message(case) => Some(Scene::new(case.state, case.cast, case.role == Role::Host)),
                Check::Resync(case) => Some(Scene::new(case.state, case.cast, case.actor == Actor::Host)),
                _ => None,
            };
            match (shared, row.check) {
                (Some(scene), check) => by_scene.entry(scene).or_default().push(Row { check, ..row }),
                (None, Check::Auth(case)) => auth.push(Row { check: Check::Auth(case), ..row }),
                (None, Check::Http(case)) => http.push(Row { check: Check::Http(case), ..row }),
                (None, Check::Coverage(seen)) => plan.coverage.push((row.id, seen)),
                (None, Check::Story(story)) => match story.pace {
                    Pace::Swift => plan.batches.push(Batch::Story(row.id, story)),
                    Pace::Waits => plan.waiting.push((row.id, story)),
                    Pace::Last => plan.last.push((row.id, story)),
                },
                (None, Check::Message(_) | Check::Resync(..)) => unreachable!("these have a stage"),
            }
        }
        plan.batches.extend([Batch::Auth(auth), Batch::Http(http)]);
        for (scene, mut rows) in by_scene {
            // Rows that leave the game as it was need few stages when they are played together.
            rows.sort_by_key(staged::changes);
            plan.batches.extend(chunks(rows).map(|rows| Batch::Staged(scene, rows)));
        }
        plan
    }
}

fn chunks(rows: Vec<Row>) -> impl Iterator<Item = Vec<Row>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || {
        let chunk: Vec<_> = rows.by_ref().take(ROWS_PER_STAGE).collect();
        (!chunk.is_empty()).then_some(chunk)
    })
}

impl Batch {
    async fn play(self, world: &Arc<World>) -> Report {
        match self {
            Self::Staged(scene, rows) => staged::play(world, scene, rows).await,
            Self::Auth(rows) => play_auth(world, rows).await,
            Self::Http(rows) => play_http(world, rows).await,
            Self::Story(id, story) => play_story(Arc::clone(world), id, story).await,
        }
    }
}

async fn play_story(world: Arc<World>, id: String, story: Story) -> Report {
    let mut report = Report::default();
    report.record(&id, (story.play)(Arc::clone(&world)).await);
    world.sweep().await;
    report
}

async fn play_auth(world: &Arc<World>, rows: Vec<Row>) -> Report {
    let mut report = Report::default();
    if rows.is_empty() {
        return report;
    }
    let games = AuthGames::build(world).await.map_err(|error| format!("{error:#}"));
    for row in &rows {
        let played = match (&games, &row.check) {
            (Ok(games), Check::Auth(case)) => games.play(case).await,
            (Err(error), _) => Err(anyhow!("set up: {error}")),
            (Ok(_), _) => unreachable!("only handshakes are planned here"),
        };
        report.record(&row.id, played);
    }
    report
}

async fn play_http(world: &Arc<World>, rows: Vec<Row>) -> Report {
    let mut report = Report::default();
    if rows.is_empty() {
        return report;
    }
    let counter = Counter::build(world).await.map_err(|error| format!("{error:#}"));
    for row in &rows {
        let played = match (&counter, &row.check) {
            (Ok(counter), Check::Http(case)) => counter.play(case).await,
            (Err(error), _) => Err(anyhow!("set up: {error}")),
            (Ok(_), _) => unreachable!("only exchanges are planned here"),
        };
        report.record(&row.id, played);
    }
    report
}
