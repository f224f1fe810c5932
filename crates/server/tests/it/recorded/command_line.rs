//! The command line: the help of every command with its settings, and the exit codes of common failures.

use std::fmt::Write as _;

use clap::Command;
use tempfile::TempDir;

use super::kept;
use super::placeholders::Placeholders;
use crate::cli::run;

/// The heading of the first group of settings.
const SETTINGS: &str = "Listening:";

/// A command line, its environment and its standard input.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

#[test]
fn help_and_settings_are_as_recorded() {
    let folder = TempDir::new().unwrap();
    let mut recorded = String::new();
    for words in commands(&quizhall::cli::command()) {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--help");
        let output = run(folder.path(), (&words, &[]), "");
        write(&mut recorded, &words, &output);
    }
    kept::compare("help.txt", &recorded);
}

#[test]
fn exit_codes_are_as_recorded() {
    let folder = TempDir::new().unwrap();
    let password = "a long password\n";
    let cases: [Case<'_>; 29] = [
        (&["--no-such-flag"], &[], ""),
        (&["dance"], &[], ""),
        (&["host"], &[], ""),
        (&["host", "add"], &[], ""),
        (&["check-config"], &[], ""),
        (&["check-config"], &[("MAX_PLAYERS", "none"), ("PING_INTERVAL", "25")], ""),
        (&["serve"], &[("LOG_LEVEL", "loud")], ""),
        (&["serve"], &[("BIND_ADDR", "nowhere")], ""),
        (&["serve"], &[("QUIZHALL_HOST_TOKEN", "short")], ""),
        (&["serve"], &[("DATABASE_URL", "mysql://here")], ""),
        (&["host", "list"], &[], ""),
        (&["verify"], &[], ""),
        (&["backup", "copy.db"], &[], ""),
        (&["restore", "copy.db"], &[], ""),
        (&["backup", "-"], &[], ""),
        (&["verify", "-"], &[], "cut"),
        (&["restore", "-"], &[], "cut"),
        (&["probe"], &[("BIND_ADDR", "127.0.0.1:1")], ""),
        (&["init"], &[], ""),
        (&["init"], &[], ""),
        (&["host", "add", "ann"], &[], password),
        (&["host", "add", "Ann"], &[], password),
        (&["host", "add", "bob"], &[], "short\n"),
        (&["host", "token", "nobody"], &[], ""),
        (&["host", "remove", "ann"], &[], ""),
        (&["quiz", "import", "-", "--host", "ann"], &[], r#"{"title":"x","rounds":[]}"#),
        (&["quiz", "export", "00000000-0000-0000-0000-000000000000", "--host", "ann"], &[], ""),
        (&["verify"], &[], ""),
        (&["nodes"], &[], ""),
    ];
    let mut recorded = String::new();
    for (words, environment, input) in cases {
        let output = run(folder.path(), (words, environment), input);
        for (name, value) in environment {
            write!(recorded, "{name}={value} ").unwrap();
        }
        write(&mut recorded, words, &output);
    }
    kept::compare("exit_codes.txt", &recorded);
}

/// The words that lead to each command, those of the binary itself first.
fn commands(command: &Command) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    for inner in command.get_subcommands() {
        let below = commands(inner).into_iter().map(|mut words| {
            words.insert(0, inner.get_name().to_owned());
            words
        });
        found.extend(below);
    }
    found
}

fn write(recorded: &mut String, words: &[&str], output: &std::process::Output) {
    writeln!(recorded, "$ quizhall {}", words.join(" ")).unwrap();
    // The settings are the same in every help, so they are recorded once.
    let is_short = words != ["--help"];
    for (mark, bytes) in [("", &output.stdout), ("! ", &output.stderr)] {
        for line in String::from_utf8_lossy(bytes).lines() {
            if is_short && line == SETTINGS {
                writeln!(recorded, "{mark}(and every setting)").unwrap();
                break;
            }
            // A line of the audit log has a time and an id.
            let is_log = line.starts_with('{');
            let line = if is_log { Placeholders::default().apply(line) } else { line.to_owned() };
            writeln!(recorded, "{}", format!("{mark}{line}").trim_end()).unwrap();
        }
    }
    writeln!(recorded, "exit code {}\n", output.status.code().unwrap()).unwrap();
}
