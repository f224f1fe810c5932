//! What is written for container engines and for `make cluster` names settings that exist, and the probe of the image works.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::process::{Launch, Server};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// Words `LIKE_THIS` of a line that are followed by what gives them a value.
fn given(line: &str, sign: char) -> impl Iterator<Item = &str> {
    let is_name = |character: char| character.is_ascii_uppercase() || character == '_';
    line.split_whitespace().filter_map(move |word| {
        let name = word.split(sign).next().filter(|name| name.len() < word.len())?;
        (name.len() > 2 && name.chars().all(is_name)).then_some(name)
    })
}

#[test]
fn the_settings_of_compose_and_image_and_cluster_exist() {
    let reference = read("docs/reference/configuration.md");
    let compose = read("deploy/compose.yaml");
    let service = compose.split("\n  balancer:").next().unwrap();
    let single = read("deploy/compose.single.yaml");
    let alone = single.split("\n  proxy:").next().unwrap();
    let (image, cluster) = (read("deploy/Dockerfile"), read(".ci/cluster"));
    let of_image = image.lines().filter(|line| line.starts_with("ENV ") && line.contains("BIND_ADDR"));
    let of_cluster = cluster.lines().filter(|line| {
        let line = line.trim_start();
        line.starts_with("export ") || line.starts_with("start \"$work/node")
    });
    let named: BTreeSet<&str> = service
        .lines()
        .chain(alone.lines())
        .flat_map(|line| given(line, ':'))
        .chain(of_image.flat_map(|line| given(line, '=')))
        .chain(of_cluster.flat_map(|line| given(line, '=')))
        .collect();
    for expected in ["DATABASE_URL_FILE", "REDIS_URL_FILE", "BIND_ADDR", "NODE_NAME", "PUBLIC_URL"] {
        assert!(named.contains(expected), "{expected} is not found: {named:?}");
    }
    for name in named {
        assert!(reference.contains(&format!("| `{name}` |")), "`{name}` is no setting");
    }
}

#[test]
fn the_probe_says_by_its_exit_code_whether_the_service_lives() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let address = server.url().replace("http://", "");
    assert!(probe(&address).success());
    // Also by the address that a container listens on.
    assert!(probe(&address.replace("127.0.0.1", "0.0.0.0")).success());
    server.kill();
    assert_eq!(probe(&address).code(), Some(1));
}

fn probe(bind: &str) -> ExitStatus {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    command.arg("probe").env_clear().env("BIND_ADDR", bind).stderr(std::process::Stdio::null());
    command.status().unwrap()
}
