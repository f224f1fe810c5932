//! Bundles of answers in the small games of the tests with kills, cut power and a cluster's troubles.

use std::path::Path;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

/// Servers that read this setting bundle the answers of games with so few players.
pub const SETTING: (&str, &str) = ("TEST_BUNDLE_FROM", "3");
/// Whether servers read it.
pub const IS_READ: bool = cfg!(any(debug_assertions, feature = "small-bundles"));

/// The settings of a server for a game with this seed: every other game has bundles.
pub fn settings_of(seed: u64) -> Vec<(&'static str, &'static str)> {
    if seed.is_multiple_of(2) { vec![SETTING] } else { Vec::new() }
}

/// Shows that games with bundles had some, and that others had none. A single game may end before it has one.
pub fn check(seeds: &[u64], rows: i64) {
    println!("{rows} rows of the log hold bundles of answers");
    let may_have = IS_READ && seeds.iter().any(|seed| seed.is_multiple_of(2));
    assert!(rows == 0 || may_have, "{rows} rows");
    assert!(rows > 0 || !may_have || seeds.len() < 4, "no answer travelled with others");
}

/// How many rows of the log in this folder hold bundles.
pub async fn rows_in(folder: &Path) -> i64 {
    let mut database = SqliteConnectOptions::new().filename(folder.join("quizhall.db")).connect().await.unwrap();
    let bundles = r#"SELECT COUNT(*) FROM game_log WHERE body LIKE '%"t":"answers"%'"#;
    sqlx::query_scalar(bundles).fetch_one(&mut database).await.unwrap()
}
