//! What a player's socket of `quizhall.v1` loads ahead: the copies that `media_preload` names, opened when their questions are released.
//!
//! One per bot that speaks the extension; its bot passes messages in and polls it. Checks nothing itself but that a copy was named
//! before its question: the contents are checked by `pictures`.

use std::collections::{HashMap, HashSet};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use quizhall_client::Endpoint;
use quizhall_protocol::shapes::{Question, ReleasedMedia};
use quizhall_protocol::to_all::MediaPreload;
use tokio::task::JoinSet;
use tokio::time::sleep;
use uuid::Uuid;

use super::world::World;
use crate::media::load_copy;

/// Attempts to load a copy while the server is stopped on purpose, and the time between two.
const ATTEMPTS: u32 = 100;
const AGAIN: Duration = Duration::from_millis(200);

/// The copies of one player.
pub struct Loader {
    world: Arc<World>,
    endpoint: Endpoint,
    loads: JoinSet<(String, anyhow::Result<Vec<u8>>)>,
    named: HashSet<String>,
    loaded: HashSet<String>,
    /// Released, and not opened: by the name of the copy.
    waiting: HashMap<String, (Uuid, ReleasedMedia)>,
    released: HashSet<Uuid>,
}

impl Loader {
    /// A loader that knows no copies.
    pub fn new(world: Arc<World>, endpoint: Endpoint) -> Self {
        Self {
            world,
            endpoint,
            loads: JoinSet::new(),
            named: HashSet::new(),
            loaded: HashSet::new(),
            waiting: HashMap::new(),
            released: HashSet::new(),
        }
    }

    /// Begins to load the copies that are new.
    pub fn preload(&mut self, preload: &MediaPreload) {
        for item in &preload.items {
            if !self.named.insert(item.name.clone()) {
                continue;
            }
            let (endpoint, game, name, bytes) = (self.endpoint.clone(), preload.game_id, item.name.clone(), item.bytes);
            let attempts = if self.world.losses_allowed { ATTEMPTS } else { 1 };
            self.loads.spawn(async move {
                let mut copy = load_copy(&endpoint, game, &name).await;
                for _ in 1..attempts {
                    if copy.is_ok() {
                        break;
                    }
                    sleep(AGAIN).await;
                    copy = load_copy(&endpoint, game, &name).await;
                }
                let copy = copy.and_then(|copy| {
                    anyhow::ensure!(copy.len() as u64 == bytes, "{} bytes where {bytes} were named", copy.len());
                    Ok(copy)
                });
                (name, copy)
            });
        }
    }

    /// Opens the picture of a released question, now or when its copy is here.
    pub fn released(&mut self, question: &Question) {
        let Some(media) = question.media.as_ref().filter(|_| self.released.insert(question.id)) else { return };
        let was_named = self.named.contains(&media.name);
        self.world.violations.check(was_named, "copy_not_named", || format!("question {}", question.id));
        self.waiting.insert(media.name.clone(), (question.id, media.clone()));
        self.open(&media.name);
    }

    /// [`Loader::next`] where there is a loader.
    pub async fn next_of(loader: &mut Option<Self>) {
        match loader {
            Some(loader) => loader.next().await,
            None => pending().await,
        }
    }

    /// Takes the next copy that is loaded; never ends while none is on its way. Cancel-safe.
    async fn next(&mut self) {
        let Some(loaded) = self.loads.join_next().await else { return pending().await };
        match loaded {
            Ok((name, Ok(copy))) => {
                self.world.pictures.loaded(&name, copy, &self.world.violations);
                self.world.timing.loaded.add();
                self.loaded.insert(name.clone());
                self.open(&name);
            }
            Ok((name, Err(what))) => self.world.violations.note("copy_not_loaded", format!("copy {name}: {what:#}")),
            Err(_) => self.world.violations.note("bot_failed", "a load panicked"),
        }
    }

    /// Copies that are not here, and pictures that are not opened.
    pub fn outstanding(&self) -> usize {
        self.loads.len() + self.waiting.len()
    }

    fn open(&mut self, name: &str) {
        if !self.loaded.contains(name) {
            return;
        }
        if let Some((question, media)) = self.waiting.remove(name) {
            self.world.pictures.open(question, &media, &self.world.violations);
            self.world.timing.opened.add();
        }
    }
}
