//! Password hashing with argon2id, bounded so that a flood of sign-ins cannot exhaust memory or cores.
//!
//! A hash takes 19 MiB and tens of milliseconds. At most four run at once and at most sixteen wait (and four more from
//! devices that signed in before); the rest are refused. A permit moves into the blocking task, so a client that gives
//! up frees nothing early.

use std::sync::{Arc, OnceLock};
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use thiserror::Error;
use tokio::sync::Semaphore;

/// Least characters of a password.
pub const SHORTEST_PASSWORD: usize = 8;
/// Most characters of a password.
pub const LONGEST_PASSWORD: usize = 256;

/// KiB of memory per hash (OWASP's second choice: m=19 MiB, t=2, p=1).
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes that run at once, if there are as many cores.
const RUNNING: usize = 4;

/// Hashes that wait for their turn.
const WAITING: usize = 16;

/// Further hashes that wait when those places are taken: for devices that signed in before.
const RESERVED: usize = 4;

/// Too many hashes are requested at once: 503.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("too many passwords are being checked at once")]
pub struct Busy;

/// The standing of the address that wants a password checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// An address that has not signed in to this account before.
    Stranger,
    /// An address that has signed in to this account before.
    Known,
}

impl Standing {
    /// The standing of an address that is known at the account, or is not.
    pub fn of(is_known: bool) -> Self {
        if is_known { Self::Known } else { Self::Stranger }
    }
}

/// Why a text cannot be a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PasswordMistake {
    /// Fewer than [`SHORTEST_PASSWORD`] characters.
    #[error("must have at least 8 characters")]
    TooShort,
    /// More than [`LONGEST_PASSWORD`] characters or 1,024 bytes.
    #[error("must have at most 256 characters and 1,024 bytes")]
    TooLong,
}

/// Hashes and checks passwords.
pub struct Passwords {
    admitted: Arc<Semaphore>,
    reserved: Arc<Semaphore>,
    running: Arc<Semaphore>,
    /// A hash that fits no password, checked for unknown names, so that both cases take the same time.
    decoy: OnceLock<String>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from).min(RUNNING);
        Self {
            admitted: Arc::new(Semaphore::new(cores + WAITING)),
            reserved: Arc::new(Semaphore::new(RESERVED)),
            running: Arc::new(Semaphore::new(cores)),
            decoy: OnceLock::new(),
        }
    }
}

impl Passwords {
    /// Whether `password` is allowed: 8 to 256 characters, at most 1,024 bytes.
    ///
    /// # Errors
    /// The mistake in it.
    pub fn check(password: &str) -> Result<(), PasswordMistake> {
        match password.chars().count() {
            0..SHORTEST_PASSWORD => Err(PasswordMistake::TooShort),
            SHORTEST_PASSWORD..=LONGEST_PASSWORD if password.len() <= 1_024 => Ok(()),
            _ => Err(PasswordMistake::TooLong),
        }
    }

    /// The PHC string of a password.
    ///
    /// # Errors
    /// [`Busy`] when too many are waiting.
    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.blocking(Standing::Stranger, move || hashed(&password)).await
    }

    /// Whether the password fits the stored hash. Without a hash it takes as long, and never fits.
    ///
    /// # Errors
    /// [`Busy`] when too many are waiting.
    pub async fn fits(&self, password: String, stored: Option<String>, standing: Standing) -> Result<bool, Busy> {
        // Made at the very first check of any account, so that its delay does not depend on the name.
        if self.decoy.get().is_none() {
            let made = self.blocking(standing, || hashed("")).await?;
            self.decoy.get_or_init(|| made);
        }
        let decoy = self.decoy.get().cloned().unwrap_or_default();
        let known = stored.is_some();
        let phc = stored.unwrap_or(decoy);
        let fits = self.blocking(standing, move || {
            let hash = PasswordHash::new(&phc);
            hash.is_ok_and(|hash| argon().verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(fits.await? && known)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        standing: Standing,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().or_else(|full| match standing {
            Standing::Stranger => Err(full),
            Standing::Known => Arc::clone(&self.reserved).try_acquire_owned(),
        });
        let admitted = admitted.map_err(|_| Busy)?;
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| Busy)?;
        let task = tokio::task::spawn_blocking(move || {
            let value = work();
            drop((turn, admitted));
            value
        });
        task.await.map_err(|_| Busy)
    }
}

fn hashed(password: &str) -> String {
    argon()
        .hash_password(password.as_bytes())
        .expect("the parameters are in range and the salt is made here")
        .to_string()
}

fn argon() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("constants in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}
