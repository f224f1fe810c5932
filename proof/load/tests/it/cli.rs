//! The command line: which options go together, the name of the token, and the file of results.

use std::path::Path;

use clap::{CommandFactory as _, Parser as _};
use quizhall_load::cli::{Cli, fill, provide};

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
    let parse = |words: &str| Cli::try_parse_from(words.split(' '));
    assert!(parse("quizhall-load play --url http://h:1 --game abc234 --players 20 --seed 3").is_ok());
    assert!(parse("quizhall-load evening --token 0123456789abcdef --think 500ms..3s --chaos 0.05 --json").is_ok());
    assert!(parse("quizhall-load evening --token t --quiz a.json --quiz-id 0").is_err());
    assert!(parse("quizhall-load evening --token t --url http://h:1 http://h:2 --teams 100 --devices 4").is_ok());
    for wrong in ["--teams 3 --players 4", "--devices 4", "--teams 3 --devices 1"] {
        assert!(parse(&format!("quizhall-load evening --token t {wrong}")).is_err(), "{wrong}");
    }
    let id = "0195f0a0-0000-7000-8000-000000000001";
    assert!(parse(&format!("quizhall-load evening --token t --quiz-id {id}")).is_ok());
    assert!(parse(&format!("quizhall-load evening --token t --quiz-id {id} --timers")).is_err());
    assert!(parse("quizhall-load play").is_err(), "a game is needed");
}

/// The same option and variable as of `quizhall-conformance`, whose tests say so too.
#[test]
fn a_host_token_is_given_as_token() {
    for command in ["evening", "bench"] {
        let words = ["quizhall-load", command, "--url", "http://h:1", "--token", "0123456789abcdef"];
        assert!(Cli::try_parse_from(words).is_ok(), "{command}");
        let cli = Cli::command();
        let known = cli.find_subcommand(command).unwrap().get_arguments();
        let token = known.into_iter().find(|known| known.get_long() == Some("token")).unwrap();
        assert_eq!(token.get_env(), Some("QUIZHALL_HOST_TOKEN".as_ref()), "{command}");
        assert!(token.is_hide_env_values_set(), "help shows no token");
    }
}

#[test]
fn results_find_their_folder_made_and_replace_older_ones_at_the_end_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/bench.json");
    fill(provide(&path).unwrap(), "{\"old\": true}").unwrap();
    let file = provide(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"old\": true}", "a run that fails costs no older results");
    fill(file, "{}").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    assert!(provide(&path.join("c")).is_err(), "a file is no folder");
    fill(provide(Path::new("/dev/null")).unwrap(), "{}").unwrap();
}
