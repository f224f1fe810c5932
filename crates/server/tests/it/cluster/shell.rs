//! The command line beside a cluster: the orders of an operator, and what the database says afterwards.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, Row as _};

use super::harness::{Cluster, TIMEOUT, until};

/// Runs a command of the binary on the database of a cluster.
pub fn command(cluster: &Cluster, words: &[&str]) -> Output {
    run(&cluster.database_url, words)
}

/// Runs a command of the binary on a database.
pub fn run(database_url: &str, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quizhall"))
        .args(words)
        .env_clear()
        .env("BIND_ADDR", "127.0.0.1:0")
        .env("DATABASE_URL", database_url)
        .output()
        .unwrap()
}

/// What a command prints that must succeed.
pub fn done(cluster: &Cluster, words: &[&str]) -> String {
    let output = command(cluster, words);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{words:?}: {out}{err}");
    out
}

/// The sentence of a command that must fail with exit code 1.
pub fn refused(output: &Output) -> String {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), out.as_str()), (Some(1), ""), "{err}");
    err
}

/// How many games each node owns by the record.
pub async fn owned(cluster: &Cluster) -> BTreeMap<String, usize> {
    let select = "SELECT node.name, count(*) FROM game JOIN node ON node.id = game.owner GROUP BY 1";
    let rows = sqlx::query(select).fetch_all(&mut connection(cluster).await).await.unwrap();
    rows.iter().map(|row| (row.get(0), usize::try_from(row.get::<i64, _>(1)).unwrap())).collect()
}

/// Waits until this many nodes report figures and reach each other.
pub async fn all_listed(cluster: &Cluster, nodes: usize) {
    let select = "SELECT count(*) FROM node WHERE busy_millicores IS NOT NULL AND bus_lag_us IS NOT NULL AND beat > 2";
    let listed = async || {
        let row = sqlx::query(select).fetch_one(&mut connection(cluster).await).await.unwrap();
        usize::try_from(row.get::<i64, _>(0)).unwrap() == nodes
    };
    until("all nodes report figures", TIMEOUT, listed).await;
    // Every node has read this list once all have renewed twice more.
    let beats = async || {
        let rows = sqlx::query("SELECT beat FROM node ORDER BY id").fetch_all(&mut connection(cluster).await).await;
        rows.unwrap().iter().map(|row| row.get::<i64, _>(0)).collect::<Vec<_>>()
    };
    let before = beats().await;
    let renewed = async || beats().await.iter().zip(&before).all(|(beat, before)| *beat >= before + 2);
    until("all nodes renew their entries", TIMEOUT, renewed).await;
}

/// A connection to the database of a cluster.
pub async fn connection(cluster: &Cluster) -> PgConnection {
    PgConnectOptions::from_str(&cluster.database_url).unwrap().connect().await.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
