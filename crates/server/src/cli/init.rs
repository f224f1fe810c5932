//! `quizhall init`: creates the database that the settings name, or brings its tables up to this version.
//!
//! Apart from the start of the service, this is the only command that does so: a typo in `DATABASE_URL` must not create
//! a database.

use anyhow::Context as _;
use secrecy::ExposeSecret as _;

use super::print;
use crate::config::Storage;
use crate::store::{self, Tables};

/// Prints what was done. A database that needs no change is not touched, even while a service uses it.
pub(super) async fn run(storage: &Storage) -> anyhow::Result<()> {
    let url = storage.database_url.expose_secret();
    let done = match store::tables(url, storage.options).await.context("the database cannot be used")? {
        Tables::Current => return print("The database has all tables of this version; nothing was changed."),
        Tables::NoDatabase => "The database was created, with all tables.".to_owned(),
        Tables::Missing => "The tables were created.".to_owned(),
        Tables::Older(last) => format!("The tables were brought up to this version; they were at migration {last}."),
    };
    // Tables must not change under a running service.
    let lock = store::lock_service(url).context("the database was not changed")?;
    let store = store::connect(url, storage.options).await.context("the database cannot be prepared")?;
    store.close().await;
    drop(lock);
    print(done)
}
