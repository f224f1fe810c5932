//! The documents are true: the blocks tagged `sh test` in four pages of docs/build are run against a real server. They run the example
//! scripts, which play whole games from the reference only.
//!
//! Needs bash, curl and python3. When one is missing, the test prints that; with `CI=true` it fails.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use crate::process::{HOST_TOKEN, Launch, Server};

/// The root of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_page_of_ten_messages_plays_a_whole_game() {
    let Some(shown) = run("docs/build/messages.md") else { return };
    assert!(shown.contains(r#"{"status":"ok"}"#), "{shown}");
    assert!(shown.contains("4 answers to review"), "{shown}");
    assert!(shown.contains("Ben got 1000 points in this round"), "the override counts: {shown}");
    assert!(shown.ends_with("1. Ann: 1500\n2. Ben: 1000\n"), "{shown}");
}

#[test]
fn the_commands_of_play_by_hand_work() {
    let Some(shown) = run("docs/build/play-by-hand.md") else { return };
    assert!(shown.contains("players join with "), "{shown}");
    assert!(shown.contains(r#""status":409"#), "a taken name is refused: {shown}");
    assert!(shown.contains(r#""phase":"lobby""#), "{shown}");
}

#[test]
fn the_scripts_host_a_game_without_a_browser_and_play_it() {
    let Some(shown) = run("docs/build/bots.md") else { return };
    for name in ["Ann", "Ben"] {
        assert!(shown.contains(&format!("{name} got 0 points in this round\n")), "what is six times nine: {shown}");
        assert!(shown.contains(&format!("{name} is number 1 with 1000 points\n")), "{shown}");
    }
    assert!(shown.ends_with("show_standings\nend_game\n1. Ann: 1000\n1. Ben: 1000\n"), "{shown}");
}

#[test]
fn the_page_of_results_reads_the_standings_from_the_file() {
    let Some(shown) = run("docs/build/results.md") else { return };
    assert_eq!(shown, "1 Ann 1500\n2 Ben 1000\n");
}

#[test]
fn a_script_that_lacks_something_names_it_in_one_line() {
    if !is_there("python3") {
        return not_run("the example scripts without settings (python3 not installed; apt install python3)");
    }
    let lacking: [(&[&str], &str); 5] = [
        (&["play.py"], "set QUIZHALL_HOST_TOKEN to the token of a host\n"),
        (&["host.py", "2"], "set QUIZHALL_HOST_TOKEN to the token of a host\n"),
        (&["bot.py"], "usage: bot.py CODE NAME\n"),
        (&["webhook_receiver.py", "0"], "set WEBHOOK_SECRET to the key of the webhook\n"),
        (&["bot.py", "ABC234", "Ann"], "http://127.0.0.1:9 does not answer: [Errno 111] Connection refused\n"),
    ];
    for (arguments, lacks) in lacking {
        let mut python = Command::new("python3");
        python.args(arguments).current_dir(format!("{ROOT}/docs/examples")).env("no_proxy", "127.0.0.1");
        python.env_remove("QUIZHALL_HOST_TOKEN").env_remove("WEBHOOK_SECRET").env("QUIZHALL_URL", "http://127.0.0.1:9");
        let output = python.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), lacks, "{arguments:?}");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
}

#[test]
fn a_join_without_an_answer_is_repeated_with_its_key() {
    if !is_there("python3") {
        return not_run("a repeated join (python3 not installed; apt install python3)");
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let keys = std::thread::spawn(move || {
        [None, Some("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\nbanned")].map(|answer| {
            let (mut socket, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(socket.try_clone().unwrap()).lines().map(Result::unwrap);
            let key =
                lines.by_ref().take_while(|line| !line.is_empty()).find(|line| line.starts_with("Idempotency-Key: "));
            socket.write_all(answer.unwrap_or_default().as_bytes()).unwrap();
            key.expect("a key")
        })
    });
    let mut python = Command::new("python3");
    python.args(["bot.py", "ABC234", "Ann"]).current_dir(format!("{ROOT}/docs/examples")).env("no_proxy", "127.0.0.1");
    let output = python.env("QUIZHALL_URL", url).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "/join: 403 banned\n");
    let [first, second] = keys.join().unwrap();
    assert_eq!(first, second);
}

fn run(document: &str) -> Option<String> {
    shown_by(document, &[], &[])
}

/// The output of the document's commands, with these settings of the server and these variables of the commands; `None` when
/// a program is missing.
pub fn shown_by(document: &str, environment: &[(&str, &str)], variables: &[(&str, &str)]) -> Option<String> {
    let missing: Vec<&str> = ["bash", "curl", "python3"].into_iter().filter(|name| !is_there(name)).collect();
    if !missing.is_empty() {
        not_run(&format!("the commands of {document} ({missing:?} not installed; apt install bash curl python3)"));
        return None;
    }
    let text = std::fs::read_to_string(Path::new(ROOT).join(document)).unwrap();
    let script = tested_blocks(&text);
    assert!(!script.is_empty(), "{document} has no block tagged `sh test`");
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let output = bash(&script, &server, variables);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{document}: {}\n{shown}\n{errors}\nof:\n{script}", output.status);
    Some(shown)
}

/// Prints the line at the end of `make test`, because the output of a passing test is not shown; in CI it fails.
pub fn not_run(line: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "NOT RUN: {line}");
    eprintln!("NOT RUN: {line}");
    let Some(list) = std::env::var_os("NOT_RUN") else { return };
    let mut list = OpenOptions::new().create(true).append(true).open(list).unwrap();
    writeln!(list, "{line}").unwrap();
}

fn bash(script: &str, server: &Server, variables: &[(&str, &str)]) -> Output {
    // Every call in the script has a time-out of its own, but a test that hangs hides the cause.
    let mut command = Command::new("timeout");
    command.args(["60", "bash", "-euo", "pipefail", "-c", script]).current_dir(ROOT);
    command.env("QUIZHALL_URL", server.url()).env("QUIZHALL_HOST_TOKEN", HOST_TOKEN).env("no_proxy", "127.0.0.1");
    // Unbuffered, Python writes a line and its end separately, and two bots at once mix them.
    command.env_remove("PYTHONUNBUFFERED").envs(variables.iter().copied());
    command.output().unwrap()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The commands between "```sh test" and "```" of all blocks together: a document is one session.
fn tested_blocks(text: &str) -> String {
    fenced(text, "sh test").concat()
}

/// The blocks of shell commands in a document that have this tag, between "```sh TAG" and "```".
pub fn blocks(document: &str, tag: &str) -> Vec<String> {
    fenced(&std::fs::read_to_string(Path::new(ROOT).join(document)).unwrap(), &format!("sh {tag}"))
}

/// The blocks of a document with these words after their fence, such as `toml`.
pub fn fenced(text: &str, words: &str) -> Vec<String> {
    let begin = format!("```{words}");
    let (mut found, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        if line == begin {
            inside = true;
            found.push(String::new());
        } else if line == "```" {
            inside = false;
        } else if let (true, Some(block)) = (inside, found.last_mut()) {
            block.push_str(line);
            block.push('\n');
        }
    }
    found
}
