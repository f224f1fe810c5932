//! The binary as called from a shell: settings, the database, accounts and quizzes.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/quizzes/sample.json");

/// Runs the binary in `folder` with these variables and no others, and this text on standard input.
pub fn run(folder: &Path, (words, variables): (&[&str], &[(&str, &str)]), input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quizhall"))
        .args(words)
        .env_clear()
        .envs(variables.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A binary that does not read its input may have ended, so that the write fails.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs the command, which must succeed; its output.
fn printed(folder: &Path, words: &[&str], input: &str) -> String {
    let output = run(folder, (words, &[]), input);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", err(&output));
    out(&output).trim().to_owned()
}

/// The command fails with one line that has this reason.
fn refused(folder: &Path, words: &[&str], (variables, input, reason): (&[(&str, &str)], &str, &str)) {
    let output = run(folder, (words, variables), input);
    assert_eq!(output.status.code(), Some(1), "{words:?}");
    assert!(err(&output).contains(reason) && err(&output).lines().count() == 1, "{words:?}: {}", err(&output));
}

/// `recorded/command_line.rs` has every help text, and the messages and exit codes of common failures.
#[test]
fn help_shows_no_value_and_programs_can_ask_for_the_rest() {
    let folder = TempDir::new().unwrap();
    let secret = ("QUIZHALL_HOST_TOKEN", "a-token-never-to-be-shown");
    let help = out(&run(folder.path(), (&["--help"], &[secret]), ""));
    assert!(help.contains(secret.0) && !help.contains(secret.1));
    assert!(printed(folder.path(), &["--version"], "").starts_with("quizhall 0."));
    for shell in ["bash", "zsh", "fish"] {
        assert!(printed(folder.path(), &["completions", shell], "").contains("check-config"), "{shell}");
    }
    let json: Value = serde_json::from_str(&printed(folder.path(), &["nodes", "--json"], "")).unwrap();
    assert_eq!(json, serde_json::json!({"nodes": []}));
}

#[test]
fn a_wrong_setting_is_exit_code_2_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    for words in [&[][..], &["host", "add", "ann"]] {
        let bad = [("MAX_PLAYERS", "none"), ("PING_INTERVAL", "25")];
        let output = run(folder.path(), (words, &bad), "");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(err(&output).lines().count(), 2, "{}", err(&output));
        assert!(out(&output).is_empty());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn check_config_warns_of_a_limit_of_open_files_that_is_low() {
    let folder = TempDir::new().unwrap();
    let check = |limit: &str, variables: &[(&str, &str)]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -n \"$0\" && exec \"$1\" check-config", limit, env!("CARGO_BIN_EXE_quizhall")]);
        shell.env_clear().envs(variables.iter().copied()).current_dir(folder.path());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{}", err(&output));
        out(&output)
    };
    let production = [("ENVIRONMENT", "production"), ("PUBLIC_URL", "https://quiz.example.org")];
    let sentence =
        "Warning: MAX_SOCKETS is not set, and the limit of open files leaves room for 500 sockets: raise it.";
    let low = check("1000", &production);
    assert!(low.lines().any(|line| line == sentence), "{low}");
    assert!(!check("2000", &production).contains("MAX_SOCKETS"), "room for more than one full game");
    assert!(!check("1000", &[]).contains("MAX_SOCKETS"), "in development");
    let decided = [production[0], production[1], ("MAX_SOCKETS", "300")];
    assert!(!check("1000", &decided).contains("MAX_SOCKETS"), "decided");
}

#[test]
fn a_port_that_is_taken_is_exit_code_1_and_named() {
    let folder = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (variable, free) in [("BIND_ADDR", "HEALTH_ADDR"), ("HEALTH_ADDR", "BIND_ADDR")] {
        let environment = [(variable, address.as_str()), (free, "127.0.0.1:0")];
        let output = run(folder.path(), (&["serve"], &environment), "");
        assert_eq!(output.status.code(), Some(1));
        assert!(err(&output).contains(&format!("{variable}: cannot listen on")), "{}", err(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no database was made");
}

#[test]
fn a_command_makes_no_database_and_init_makes_it_once() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let typo = [("DATABASE_URL", "sqlite://dtaa/quizhall.db")];
    for words in [&["host", "token", "ann"][..], &["quiz", "import", SAMPLE, "--host", "ann"]] {
        refused(
            folder,
            words,
            (&typo, "", "DATABASE_URL names dtaa/quizhall.db, which does not exist: `quizhall init`"),
        );
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "nothing was written");
    }
    // A file that does not belong to Quizhall is turned into a database by `init` only.
    fs::write(folder.join("empty.db"), "").unwrap();
    let empty = [("DATABASE_URL", "sqlite://empty.db")];
    refused(folder, &["host", "token", "ann"], (&empty, "", "no tables of Quizhall"));
    assert_eq!(fs::metadata(folder.join("empty.db")).unwrap().len(), 0);
    assert_eq!(out(&run(folder, (&["init"], &empty), "")).trim(), "The tables were created.");

    printed(folder, &["init"], "");
    let before = fs::read(folder.join("data/quizhall.db")).unwrap();
    printed(folder, &["init"], "");
    assert_eq!(fs::read(folder.join("data/quizhall.db")).unwrap(), before);
}

#[test]
fn accounts_are_looked_after_from_the_shell() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let refused = |words: &[&str], reason: &str| refused(folder, words, (&[], "", reason));
    printed(folder, &["init"], "");
    let said = printed(folder, &["host", "add", "ann", "--role", "host"], "a long password\n");
    assert!(said.contains("quizhall host role"), "the first account is no owner: {said}");
    let line = |name: &str| {
        let list = printed(folder, &["host", "list"], "");
        list.lines().find(|line| line.ends_with(name)).unwrap().to_owned()
    };
    assert_eq!(line("ann").split_whitespace().nth(3), Some("host"));
    printed(folder, &["host", "role", "ann", "owner"], "");
    assert_eq!(line("ann").split_whitespace().nth(3), Some("owner"));
    assert_eq!(run(folder, (&["host", "add", "bob"], &[]), "").status.code(), Some(1), "no password");
    refused(&["host", "disable", "ann"], "the last account");
    printed(folder, &["host", "add", "bob", "--role", "owner"], "a long password\n");

    let token = printed(folder, &["host", "token", "ann"], "");
    assert!(token.starts_with("qh_") && token.len() == 46, "{}", token.len());
    let changed = printed(folder, &["host", "reset-password", "ann"], "another password\n");
    assert!(changed.contains("1 sessions have ended"), "{changed}");
    printed(folder, &["host", "rename", "ann", "Anna"], "");
    refused(&["host", "rename", "anna", "BOB"], "another account has this name");
    refused(&["host", "rename", "unknown", "x"], "no account has this name");
    let id = line("Anna").split(' ').next().unwrap().to_owned();
    printed(folder, &["host", "disable", &id], "");
    refused(&["host", "token", "Anna"], "disabled");
    assert!(line("Anna").contains("disabled"));
    printed(folder, &["host", "enable", "Anna"], "");
    refused(&["host", "remove", "Anna"], "0 games and 1 quizzes");
    refused(&["host", "remove", "Anna", "--games-to", "unknown"], "--games-to: no account has this name");
    refused(&["host", "remove", "Anna", "--games-to", "anna"], "to itself");
    printed(folder, &["host", "remove", "Anna", "--games-to", "bob"], "");
    let list = printed(folder, &["host", "list"], "");
    assert!(list.ends_with("bob") && list.lines().count() == 1, "{list}");
    assert_eq!(printed(folder, &["quiz", "list", "--host", "bob"], "").lines().count(), 1, "the sample of the first");
}

#[test]
fn quizzes_go_in_and_come_out_the_same() {
    let folder = TempDir::new().unwrap();
    printed(folder.path(), &["init"], "");
    printed(folder.path(), &["host", "add", "ann"], "a long password\n");
    let id = printed(folder.path(), &["quiz", "import", SAMPLE, "--host", "ann"], "");
    let list = printed(folder.path(), &["quiz", "list", "--host", "ann"], "");
    assert!(list.lines().any(|line| line.starts_with(&id)), "{list}");
    let exported = printed(folder.path(), &["quiz", "export", &id, "--host", "ann"], "");
    let again = printed(folder.path(), &["quiz", "import", "-", "--host", "ann"], &exported);
    let (mut first, mut second): (Value, Value) = (
        serde_json::from_str(&exported).unwrap(),
        serde_json::from_str(&printed(folder.path(), &["quiz", "export", &again, "--host", "ann"], "")).unwrap(),
    );
    // Questions get ids of their own.
    for quiz in [&mut first, &mut second] {
        for question in quiz["rounds"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .flat_map(|round| round["questions"].as_array_mut().unwrap())
        {
            question.as_object_mut().unwrap().remove("id");
        }
    }
    assert_eq!(first, second);
}
