//! The commands and files of docs/operate/kubernetes.md fit the chart. No cluster is there: helm renders in place of installing, and the
//! words for kubectl are compared with what it rendered.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{can_render, helm, object, objects, parsed, pod};
use crate::docs::fenced;
use crate::operator::{ROOT, printed, text_of};

/// The blocks of the page after these words. Those inside a list are indented.
fn blocks(words: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/operate/kubernetes.md")).unwrap();
    if !page.contains(&format!("\n   ```{words}\n")) {
        return fenced(&page, words);
    }
    let lines: Vec<&str> = page.lines().map(|line| line.strip_prefix("   ").unwrap_or(line)).collect();
    fenced(&lines.join("\n"), words)
}

#[test]
fn the_page_installs_the_chart() {
    if !can_render("the commands of docs/operate/kubernetes.md") {
        return;
    }
    let [values] = &blocks("yaml quizhall.yaml")[..] else { panic!("another number of files with values") };
    let [secrets] = &blocks("text secrets.env")[..] else { panic!("another number of files with secrets") };
    let all = objects(values);
    let commands = blocks("sh chart").concat();
    let commands: Vec<Vec<&str>> = commands.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(commands.len(), 6, "{commands:?}");
    for command in commands {
        match command[..] {
            ["helm", "upgrade", "--install", release, chart, "--values", "quizhall.yaml"] => {
                let output = helm(&["template", release, chart, "--values", "-"], values);
                assert!(output.status.success(), "{}", text_of(&output));
            }
            ["kubectl", "rollout", "status", deployment] => is_there(&all, deployment),
            ["kubectl", "exec", "--stdin", "--tty", deployment, "--", "quizhall", "host", "add", _] => {
                is_there(&all, deployment);
                printed(Command::new(env!("CARGO_BIN_EXE_quizhall")).args(["host", "add", "--help"]));
            }
            ["kubectl", "create", "secret", "generic", name, "--from-env-file=secrets.env"] => {
                let mounted = &pod(&all)["spec"]["volumes"][0]["secret"];
                assert_eq!(mounted["secretName"], name);
                let items = mounted["items"].as_array().unwrap().iter();
                let wanted: BTreeSet<&str> = items.map(|item| item["key"].as_str().unwrap()).collect();
                let given: BTreeSet<&str> = secrets.lines().map(|line| line.split_once('=').unwrap().0).collect();
                assert_eq!(given, wanted);
            }
            _ => panic!("no test for {command:?}"),
        }
    }
}

fn is_there(all: &[serde_json::Value], deployment: &str) {
    object(all, "Deployment", deployment.strip_prefix("deployment/").unwrap());
}

#[test]
fn the_adapter_of_the_page_makes_the_metric_of_the_autoscaler() {
    if !can_render("the adapter of docs/operate/kubernetes.md") {
        return;
    }
    let [adapter] = &blocks("yaml adapter")[..] else { panic!("another number of adapters") };
    let rule = &parsed(adapter, &[])[0]["rules"][0];
    let all = objects(super::MOST);
    let scaler = object(&all, "HorizontalPodAutoscaler", "quizhall");
    assert_eq!(rule["name"]["as"], scaler["spec"]["metrics"][0]["pods"]["metric"]["name"]);
    let declared = include_str!("../../../../src/telemetry/declared.rs");
    for part in ["seriesQuery", "metricsQuery"] {
        let query = rule[part].as_str().unwrap();
        let series = query.trim_start_matches("sum(").split('{').next().unwrap();
        assert!(declared.contains(&format!(" = \"{series}\"")), "{query}");
    }
}
