//! The binary as called from a shell: help, exit codes, accounts and quizzes.

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

#[test]
fn help_shows_every_variable_and_no_value() {
    let folder = TempDir::new().unwrap();
    let secret = ("QUIZHALL_HOST_TOKEN", "a-token-never-to-be-shown");
    let help = out(&run(folder.path(), (&["--help"], &[secret]), ""));
    let command = quizhall::cli::command();
    let mut variables = 0;
    for variable in command.get_arguments().filter_map(|arg| arg.get_env()) {
        variables += 1;
        assert!(help.contains(variable.to_str().unwrap()), "{variable:?} is not in --help");
    }
    assert!(variables >= 35, "{variables}");
    assert!(!help.contains(secret.1));
    for word in ["serve", "init", "backup", "restore", "check-config", "host", "nodes", "quiz", "completions"] {
        assert!(help.contains(word), "{word}");
    }
    assert!(out(&run(folder.path(), (&["--version"], &[]), "")).starts_with("quizhall 0."));
}

#[test]
fn a_wrong_setting_is_exit_code_2_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    for words in [&["serve"][..], &[], &["check-config"], &["host", "add", "ann"]] {
        let bad = [("MAX_PLAYERS", "none"), ("PING_INTERVAL", "25")];
        let output = run(folder.path(), (words, &bad), "");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(err(&output).lines().count(), 2, "{}", err(&output));
        assert!(err(&output).contains("MAX_PLAYERS") && err(&output).contains("PING_INTERVAL"));
        assert!(out(&output).is_empty());
    }
    let unknown = run(folder.path(), (&["--no-such-flag"], &[]), "");
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(printed(folder.path(), &["check-config"], ""), "The configuration is valid.");
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
fn a_flag_wins_over_the_environment() {
    let folder = TempDir::new().unwrap();
    let code = |flag: &str, variable: &str| {
        let words = ["check-config", "--ping-interval", flag];
        run(folder.path(), (&words, &[("PING_INTERVAL", variable)]), "").status.code()
    };
    assert_eq!(code("25s", "nonsense"), Some(0));
    assert_eq!(code("nonsense", "25s"), Some(2));
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
fn accounts_are_made_and_signed_in_from_the_shell() {
    let folder = TempDir::new().unwrap();
    printed(folder.path(), &["init"], "");
    printed(folder.path(), &["host", "add", "ann"], "a long password\n");
    let again = run(folder.path(), (&["host", "add", "Ann"], &[]), "a long password\n");
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("another account has this name"), "{}", err(&again));
    let short = run(folder.path(), (&["host", "add", "bob"], &[]), "short\n");
    assert_eq!(short.status.code(), Some(1));
    assert!(!err(&short).contains("short\n"), "the password is not repeated: {}", err(&short));
    assert_eq!(run(folder.path(), (&["host", "add", "bob"], &[]), "").status.code(), Some(1), "no password");
    let token = printed(folder.path(), &["host", "token", "ann"], "");
    assert!(token.starts_with("qh_") && token.len() == 46, "{}", token.len());
    let changed = printed(folder.path(), &["host", "reset-password", "ann"], "another password\n");
    assert!(changed.contains("1 sessions have ended"), "{changed}");
    assert_eq!(run(folder.path(), (&["host", "token", "unknown"], &[]), "").status.code(), Some(1));
}

#[test]
fn the_first_account_is_an_owner_and_the_next_a_host() {
    let role = |folder: &Path, name: &str| {
        let list = printed(folder, &["host", "list"], "");
        let line = list.lines().find(|line| line.ends_with(name)).unwrap().to_owned();
        line.split_whitespace().nth(3).unwrap().to_owned()
    };
    let folder = TempDir::new().unwrap();
    printed(folder.path(), &["init"], "");
    let said = printed(folder.path(), &["host", "add", "ann"], "a long password\n");
    assert!(said.contains("an owner of the service"), "{said}");
    let said = printed(folder.path(), &["host", "add", "bob"], "a long password\n");
    assert_eq!(said, "The account exists now.");
    assert_eq!((role(folder.path(), "ann"), role(folder.path(), "bob")), ("owner".to_owned(), "host".to_owned()));

    let folder = TempDir::new().unwrap();
    printed(folder.path(), &["init"], "");
    let said = printed(folder.path(), &["host", "add", "ann", "--role", "host"], "a long password\n");
    assert!(said.contains("quizhall host role"), "{said}");
    assert_eq!(role(folder.path(), "ann"), "host");
}

#[test]
fn a_command_makes_no_database_and_says_which_setting_names_none() {
    let folder = TempDir::new().unwrap();
    let typo = [("DATABASE_URL", "sqlite://dtaa/quizhall.db")];
    let commands: [&[&str]; 4] = [
        &["host", "add", "ann"],
        &["host", "token", "ann"],
        &["quiz", "list", "--host", "ann"],
        &["quiz", "import", SAMPLE, "--host", "ann"],
    ];
    for words in commands {
        let output = run(folder.path(), (words, &typo), "a long password\n");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let said = err(&output);
        assert!(said.contains("DATABASE_URL") && said.contains("dtaa/quizhall.db"), "{said}");
        assert!(said.contains("quizhall init") && said.lines().count() == 1, "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
    }
    // A file that does not belong to Quizhall is not turned into a database either.
    fs::write(folder.path().join("empty.db"), "").unwrap();
    let output = run(folder.path(), (&["host", "token", "ann"], &[("DATABASE_URL", "sqlite://empty.db")]), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("no tables of Quizhall"), "{}", err(&output));
    assert_eq!(fs::metadata(folder.path().join("empty.db")).unwrap().len(), 0);
}

#[test]
fn init_makes_the_database_once_and_says_so() {
    let folder = TempDir::new().unwrap();
    assert_eq!(printed(folder.path(), &["init"], ""), "The database was created, with all tables.");
    let file = folder.path().join("data/quizhall.db");
    let before = fs::read(&file).unwrap();
    let again = printed(folder.path(), &["init"], "");
    assert!(again.contains("nothing was changed"), "{again}");
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::write(folder.path().join("empty.db"), "").unwrap();
    let empty = [("DATABASE_URL", "sqlite://empty.db")];
    assert_eq!(out(&run(folder.path(), (&["init"], &empty), "")).trim(), "The tables were created.");
}

#[test]
fn accounts_are_looked_after_from_the_shell() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let refused = |words: &[&str], reason: &str| {
        let output = run(folder, (words, &[]), "");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(err(&output).contains(reason) && err(&output).lines().count() == 1, "{words:?}: {}", err(&output));
    };
    printed(folder, &["init"], "");
    printed(folder, &["host", "add", "ann"], "a long password\n");
    refused(&["host", "disable", "ann"], "the last account");
    refused(&["host", "remove", "ann"], "the last account");
    printed(folder, &["host", "add", "bob", "--role", "owner"], "a long password\n");
    printed(folder, &["host", "rename", "ann", "Anna"], "");
    refused(&["host", "rename", "anna", "BOB"], "another account has this name");
    refused(&["host", "rename", "unknown", "x"], "no account has this name");
    let id = printed(folder, &["host", "list"], "").lines().next().unwrap().split(' ').next().unwrap().to_owned();
    printed(folder, &["host", "disable", &id], "");
    refused(&["host", "token", "Anna"], "disabled");
    let list = printed(folder, &["host", "list"], "");
    assert!(list.lines().any(|line| line.contains("disabled") && line.ends_with("Anna")), "{list}");
    printed(folder, &["host", "enable", "Anna"], "");
    printed(folder, &["host", "token", "Anna"], "");
    refused(&["host", "remove", "Anna"], "0 games and 1 quizzes");
    refused(&["host", "remove", "Anna", "--games-to", "unknown"], "--games-to: no account has this name");
    refused(&["host", "remove", "Anna", "--games-to", "anna"], "to itself");
    printed(folder, &["host", "remove", "Anna", "--games-to", "bob"], "");
    let list = printed(folder, &["host", "list"], "");
    assert!(list.ends_with("bob") && list.lines().count() == 1, "{list}");
    assert_eq!(printed(folder, &["quiz", "list", "--host", "bob"], "").lines().count(), 1, "the sample of the first");
    assert_eq!(run(folder, (&["host", "rename", "bob"], &[]), "").status.code(), Some(2));
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
    let bad = run(folder.path(), (&["quiz", "import", "-", "--host", "ann"], &[]), r#"{"title":"x","rounds":[]}"#);
    assert_eq!(bad.status.code(), Some(1));
    assert!(err(&bad).contains("rounds"), "{}", err(&bad));
}

#[test]
fn without_a_list_of_nodes_it_says_why() {
    let folder = TempDir::new().unwrap();
    let output = run(folder.path(), (&["nodes"], &[]), "");
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), ""));
    assert!(err(&output).contains("SQLite"), "{}", err(&output));
    let json: Value = serde_json::from_str(&printed(folder.path(), &["nodes", "--json"], "")).unwrap();
    assert_eq!(json, serde_json::json!({"nodes": []}));
}

#[test]
fn completions_for_the_usual_shells() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        assert!(printed(folder.path(), &["completions", shell], "").contains("check-config"), "{shell}");
    }
}
