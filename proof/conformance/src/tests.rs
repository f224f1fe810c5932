//! Unit tests of the command line.

#![allow(clippy::unwrap_used)]

use clap::CommandFactory as _;

use super::*;

fn parsed(words: &[&str]) -> Arguments {
    Arguments::try_parse_from(["quizhall-conformance", "--url", "http://h:1"].iter().chain(words)).unwrap()
}

/// The same option and variable as of `quizhall-load`, whose tests say so too; the names of earlier versions still work.
#[test]
fn a_host_token_is_given_as_token() {
    for [first, second] in [["--token", "--second-token"], ["--host-token", "--second-host-token"]] {
        let arguments = parsed(&[first, "0123456789abcdef", second, "fedcba9876543210"]);
        assert_eq!(arguments.host_token.as_deref(), Some("0123456789abcdef"), "{first}");
        assert_eq!(arguments.second_host_token.as_deref(), Some("fedcba9876543210"), "{second}");
    }
    let (command, help) = (Arguments::command(), Arguments::command().render_long_help().to_string());
    assert!(help.contains("--token <TOKEN>") && !help.contains("host-token"), "{help}");
    let token = command.get_arguments().find(|known| known.get_long() == Some("token")).unwrap();
    assert_eq!(token.get_env(), Some("QUIZHALL_HOST_TOKEN".as_ref()));
    assert!(token.is_hide_env_values_set(), "help shows no token");
}
