//! The commands of docs/operate for a first day, a first month and a bad night work as the page states.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{are_there, printed};
use crate::docs::blocks;
use crate::process::{Launch, Server};

#[test]
fn a_first_day_a_first_month_and_a_bad_night() {
    if !are_there("the commands of docs/operate", &["bash", "curl"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let settings = format!("database_url = \"sqlite://{}/quizhall.db\"\n", folder.path().display());
    fs::write(folder.path().join("quizhall.toml"), settings).unwrap();
    let [look, account] = &blocks("docs/operate/first-day.md", "first-day")[..] else {
        panic!("the page has other steps of a first day")
    };
    let [backup, clean] = &blocks("docs/operate/first-month.md", "first-month")[..] else {
        panic!("the page has other steps of a month")
    };
    let [verify] = &blocks("docs/operate/bad-night.md", "verify")[..] else {
        panic!("the page has other commands that verify")
    };
    let [night] = &blocks("docs/operate/bad-night.md", "bad-night")[..] else {
        panic!("the page has other steps of a bad night")
    };
    let address = server.url().replace("http://", "");
    let run = |script: &str| bash(script, folder.path(), &address);

    let shown = run(look);
    assert!(shown.contains("DATABASE_URL") && shown.contains("  file\n"), "{shown}");
    assert!(shown.ends_with("The configuration is valid.\n"), "{shown}");
    let shown = run(account);
    assert!(shown.contains(r#"{"status":"ok"}"#), "{shown}");
    let shown = run(backup);
    assert!(shown.contains("backups/quizhall-2"), "{shown}");
    let shown = run(clean);
    assert!(shown.contains("ann"), "{shown}");
    let shown = run(verify);
    assert!(shown.contains("no damage found."), "{shown}");
    let shown = run(night);
    assert!(shown.contains(r#"{"status":"ok"}"#) && shown.contains("database: ok\n"), "{shown}");
}

/// Runs commands of the page as its reader would, with other paths and addresses.
fn bash(script: &str, folder: &Path, address: &str) -> String {
    let settings = folder.join("quizhall.toml");
    let script = script
        .replace("/etc/quizhall/quizhall.toml", settings.to_str().unwrap())
        .replace("/var/lib/quizhall", folder.to_str().unwrap())
        .replace("runuser -u quizhall -- ", "")
        .replace("127.0.0.1:8080", address);
    let programs = Path::new(env!("CARGO_BIN_EXE_quizhall")).parent().unwrap().display().to_string();
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script]).current_dir(folder).env_clear();
    bash.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap_or_default()));
    // The page exports it once for all its commands.
    printed(bash.env("QUIZHALL_CONFIG", settings).env("no_proxy", "*"))
}
