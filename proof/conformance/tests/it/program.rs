//! The program: its list of rows, and the name under which it takes a host's token.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use quizhall_conformance::list;

fn program(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_quizhall-conformance"));
    program.args(arguments).env("QUIZHALL_HOST_TOKEN", "canary").output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = program(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_program_lists_rows_without_a_server() {
    assert_eq!(printed(&["--list", "--filter", "core/"]), list("core/"));
}

/// The same option and variable as of `quizhall-load`, whose tests say so too; the names of earlier versions still work.
#[test]
fn a_host_token_is_given_as_token() {
    let help = printed(&["--help"]);
    assert!(help.contains("--token <TOKEN>") && help.contains("[env: QUIZHALL_HOST_TOKEN]"), "{help}");
    assert!(!help.contains("host-token") && !help.contains("canary"), "{help}");
    for [first, second] in [["--token", "--second-token"], ["--host-token", "--second-host-token"]] {
        printed(&["--list", "--filter", "core/", first, "0123456789abcdef", second, "fedcba9876543210"]);
    }
    assert!(!program(&["--list", "--no-token", "0123456789abcdef"]).status.success());
}
