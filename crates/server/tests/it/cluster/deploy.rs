//! The files for container engines and for `make cluster` name settings that exist, and the probe of the image works.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::process::{Launch, Server};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// Words `LIKE_THIS` in a line that are directly followed by the sign, which gives them a value.
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
fn the_image_is_built_from_files_and_stages_that_exist() {
    let (image, ignored) = (read("deploy/Dockerfile"), read(".dockerignore"));
    let mut stages = BTreeSet::new();
    let mut copied = 0;
    for line in image.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["FROM", base] => assert!(base.contains("debian13"), "{base}"),
            ["FROM", base, "AS", stage] => {
                assert!(
                    base.contains("trixie"),
                    "the binary is linked against the C library of the last stage: {base}"
                );
                stages.insert(stage);
            }
            ["COPY", ref words @ ..] => {
                copied += 1;
                let from = words.iter().find_map(|word| word.strip_prefix("--from="));
                assert!(from.is_none_or(|stage| stages.contains(stage)), "{line}");
                let sources = words[..words.len() - 1].iter().filter(|word| from.is_none() && !word.starts_with("--"));
                for source in sources {
                    assert!(Path::new(ROOT).join(source).exists(), "{line}");
                    let goes =
                        |rule: &str| rule.strip_prefix('!').is_some_and(|path| Path::new(source).starts_with(path));
                    assert!(ignored.lines().any(goes), "{line}: .dockerignore keeps it from the builder");
                }
            }
            _ => {}
        }
    }
    assert!(stages.len() == 2 && copied > 8, "{stages:?}, {copied}");
}

#[test]
fn the_image_is_built_with_the_manifest_of_every_member() {
    let (workspace, ignored) = (read("Cargo.toml"), read(".dockerignore"));
    let members = workspace.lines().find(|line| line.starts_with("members = ")).unwrap();
    let in_tests: Vec<&str> = members.split('"').filter(|member| member.ends_with("/tests")).collect();
    let (_, exceptions) = ignored.split_once("\n**/tests/**\n").unwrap();
    for member in &in_tests {
        assert!(exceptions.contains(&format!("\n!{member}/Cargo.toml\n")), "{member}");
    }
    assert_eq!(in_tests.len(), 2, "{members}");
}

#[test]
fn workflows_call_targets_that_exist() {
    let targets = read("Makefile");
    let mut called = BTreeSet::new();
    for workflow in ["test", "long", "release"] {
        let text = read(&format!(".github/workflows/{workflow}.yml"));
        for target in text.lines().filter_map(|line| line.trim().strip_prefix("- run: make ")) {
            assert!(targets.contains(&format!("\n{target}:")), "{workflow}.yml: make {target}");
            called.insert(target.to_owned());
        }
    }
    assert!(called.contains("test") && called.contains("dist") && called.contains("chaos"), "{called:?}");
}

#[test]
fn the_probe_says_by_its_exit_code_whether_the_service_lives() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let address = server.url().replace("http://", "");
    assert!(probe(&address).success());
    // The probe also works with the address that a container listens on.
    assert!(probe(&address.replace("127.0.0.1", "0.0.0.0")).success());
    server.kill();
    assert_eq!(probe(&address).code(), Some(1));
}

fn probe(bind: &str) -> ExitStatus {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    command.arg("probe").env_clear().env("BIND_ADDR", bind).stderr(std::process::Stdio::null());
    command.status().unwrap()
}
