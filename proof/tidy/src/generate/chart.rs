//! What the Helm chart repeats of the rest: the names of all settings, the alerts, and the version.

use std::fs;

use clap::{Args as _, Command};
use quizhall::config::ConfigArgs;

use super::File;
use crate::tree::root;

const CHART: &str = "deploy/helm/quizhall/Chart.yaml";

/// The generated files of the chart. A chart reads only files in its own folder.
pub fn files() -> [File; 3] {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is in the tree");
    [
        File { path: CHART, text: versioned(&read(CHART)) },
        File { path: "deploy/helm/quizhall/files/alerts.yaml", text: read("deploy/alerts.yaml") },
        File { path: "deploy/helm/quizhall/files/settings", text: settings() },
    ]
}

/// The file that is written by hand, with the version of the workspace.
fn versioned(chart: &str) -> String {
    let line = |line: &str| match line.split_once(": ") {
        Some((name @ ("version" | "appVersion"), _)) => format!("{name}: {}\n", env!("CARGO_PKG_VERSION")),
        _ => format!("{line}\n"),
    };
    chart.lines().map(line).collect()
}

/// The variable of each setting, one a line. Templates refuse other names.
fn settings() -> String {
    let command = ConfigArgs::augment_args(Command::new("quizhall"));
    let variables = command.get_arguments().filter_map(|argument| argument.get_env());
    variables.flat_map(|variable| [variable.to_string_lossy().into_owned(), "\n".to_owned()]).collect()
}
