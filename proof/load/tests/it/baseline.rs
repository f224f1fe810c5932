//! The baseline and a part of the virtual users, each in a process of its own as a bench uses them, talking to each other.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const QUESTION: &str = "0192f0c1-2b3c-7d4e-8f50-123456789abc";
const OTHER: &str = "0192f0c1-2b3c-7d4e-8f50-123456789abd";
const PLAYERS: usize = 50;

/// A program that takes orders line by line; it ends when its input does.
struct Program {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_quizhall-load"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, input, output }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Gives a baseline an order, and waits until it is carried out.
    fn order(&mut self, line: &str) {
        self.write(line);
        assert_eq!(self.line(), "done\n");
    }

    fn ask(&mut self, order: &Value) -> Value {
        self.write(&order.to_string());
        serde_json::from_str(&self.line()).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        assert!(self.process.wait().unwrap().success());
    }
}

fn awaited(kind: &str, time_limit: u64) -> Value {
    json!({ "Await": { "kind": kind, "question": QUESTION, "since": 1, "time_limit": time_limit } })
}

#[test]
fn virtual_users_receive_and_answer_a_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.db");
    let mut baseline = Program::start(&["baseline", "--durable", file.to_str().unwrap()]);
    let address = baseline.line();
    baseline.write("sing");
    assert_eq!(baseline.line(), "not understood\n");
    let mut users = Program::start(&["users-worker"]);
    let entered = users.ask(&json!({ "Plain": { "address": address.trim(), "players": PLAYERS, "at_once": 8 } }));
    assert!(entered["Done"]["last"].as_u64() > entered["Done"]["since"].as_u64(), "{entered}");
    users.ask(&json!({ "Learn": [{ "question": QUESTION, "number": 0, "right": "string-000000" }] }));

    baseline.order(&format!(r#"say {{"type":"question_released","payload":{{"question":{{"id":"{QUESTION}"}}}}}}"#));
    let received = users.ask(&awaited("Question", 10_000_000));
    assert_eq!(
        (&received["Delivered"]["count"], &received["Delivered"]["repeats"]),
        (&json!(PLAYERS), &json!(0)),
        "{received}"
    );

    baseline.order("games 5");
    users.ask(&json!({ "Answer": { "question": QUESTION, "over": 0 } }));
    let received = users.ask(&awaited("Accepted", 10_000_000));
    assert_eq!(received["Delivered"]["count"], json!(PLAYERS), "{received}");
    assert!(received["Delivered"]["first_sent"].as_u64() > Some(0));
    let counts = users.ask(&json!("Count"));
    assert_eq!(counts["Counted"]["acknowledged"], json!(PLAYERS), "{counts}");
    // Each answer is in the file, beside others of its game only: 4 + 16 + 2 bytes and a text of 13.
    let stored = rusqlite::Connection::open(&file).unwrap();
    let sums = "SELECT game, sum(length(body)) FROM log GROUP BY game ORDER BY game";
    let sums: Vec<(i64, i64)> = stored
        .prepare(sums)
        .unwrap()
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(sums, (0..5).map(|game| (game, 350)).collect::<Vec<_>>());

    // Only the players of one game receive its message.
    baseline.order(&format!(r#"send 3 {{"type":"question_released","payload":{{"question":{{"id":"{OTHER}"}}}}}}"#));
    let of_one = json!({ "Await": { "kind": "Question", "question": OTHER, "since": 1, "time_limit": 200_000 } });
    assert_eq!(users.ask(&of_one)["Delivered"]["count"], json!(PLAYERS / 5));

    // A message that is not sent is not received.
    let nothing = users.ask(&awaited("Question", 50_000));
    assert_eq!(
        (&nothing["Delivered"]["count"], &nothing["Delivered"]["wanted"]),
        (&json!(0), &json!(PLAYERS)),
        "{nothing}"
    );

    // When the baseline goes, every line is lost, and reported as that.
    drop(baseline);
    users.ask(&awaited("Over", 300_000));
    assert_eq!(users.ask(&json!("Count"))["Counted"]["lost"], json!(PLAYERS));
}

#[test]
fn a_worker_says_what_it_cannot_do() {
    let mut users = Program::start(&["users-worker"]);
    let (address, endpoint) = ("127.0.0.1:1", json!({ "url": "http://127.0.0.1:1", "ca": null }));
    let table = json!({ "endpoint": endpoint, "address": address, "code": "ABC234", "first": 0, "players": 1 });
    let outcome = users.ask(&json!({ "Join": { "tables": [table], "at_once": 1, "small": 0 } }));
    assert!(outcome["Failed"].is_string(), "{outcome}");
}
