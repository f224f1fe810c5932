//! The packages for integrators: a project that has only the package, and no network, plays a question against a service.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{ROOT, are_there, one, printed, program, text_of};
use crate::process::{HOST_TOKEN, Launch, Server};

/// Names the folder in which the consumer in Rust is built; it is built only when this is set, because all dependencies are
/// compiled again.
const CONSUMER: &str = "QUIZHALL_CONSUMER";

#[test]
fn the_packaged_sdk_is_installed_typed_and_plays_a_question() {
    let compiler = Path::new(ROOT).join("web/node_modules/.bin/tsc");
    if !are_there("the package of the SDK", &["node", "npm"]) {
        return;
    }
    assert!(compiler.is_file(), "the packages of web/ are not installed: .ci/web build");
    let folder = tempfile::tempdir().unwrap();
    let (packages, project) = (folder.path().join("packages"), folder.path().join("project"));
    printed(Command::new("deploy/sdk").arg(&packages).current_dir(ROOT));
    printed(Command::new("sh").args(["-euc", "sha256sum --check --quiet -- *.sha256"]).current_dir(&packages));
    let package = packages.join(format!("quizhall-sdk-{}.tgz", env!("CARGO_PKG_VERSION")));
    lay_out(&project, &[("package.json", r#"{"private":true,"type":"module"}"#), ("plays.ts", PLAYS_TS)]);
    let mut npm = program("npm");
    npm.args(["install", "--offline", "--no-audit", "--no-fund", "--silent"]).arg(&package).current_dir(&project);
    printed(npm.env("npm_config_cache", folder.path().join("cache")));

    let installed = project.join("node_modules/quizhall-sdk");
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "quiz-csv.md", "dist/index.js", "dist/index.d.ts"] {
        assert!(installed.join(file).is_file(), "{file}");
    }
    let options = ["--strict", "--target", "es2023", "--module", "nodenext", "--lib", "es2023,dom"];
    printed(Command::new(&compiler).args(options).arg("plays.ts").current_dir(&project));
    let examples = examples_of(&installed.join("README.md"), &project);
    let mut check = Command::new(&compiler);
    check.args(options).args(["--noEmit", "--skipLibCheck", "globals.d.ts"]).args(examples).current_dir(&project);
    printed(&mut check);
    let server = Server::start(&Launch::new(folder.path()));
    let mut node = Command::new("timeout");
    node.args(["30", "node", "--experimental-websocket", "--no-warnings", "plays.js"]).current_dir(&project);
    let shown = printed(node.env("QUIZHALL_URL", server.url()).env("QUIZHALL_HOST_TOKEN", HOST_TOKEN));
    assert_eq!(shown, "stored: 4\nAnn: 1000\n");
}

#[test]
fn the_packaged_crates_build_a_bot_that_plays_a_question() {
    let Some(target) = env::var_os(CONSUMER).map(PathBuf::from) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (packages, project) = (folder.path().join("packages"), folder.path().join("project"));
    printed(Command::new("deploy/crates").arg(&packages).current_dir(ROOT).env("CARGO", env!("CARGO")));
    lay_out(&project, &[("Cargo.toml", PLAYS_TOML), ("src/main.rs", PLAYS_RS)]);
    // What a registry would unpack.
    for name in ["quiz", "protocol", "client"] {
        let package = one(&packages, &format!("quizhall-{name}-"));
        printed(program("tar").arg("-xzf").arg(package).arg("-C").arg(&project));
        let unpacked = project.join(format!("quizhall-{name}-{}", env!("CARGO_PKG_VERSION")));
        fs::rename(unpacked, project.join(name)).unwrap();
        let manifest = fs::read_to_string(project.join(name).join("Cargo.toml")).unwrap();
        assert!(manifest.lines().any(|line| line == "publish = false"), "{name}: cargo would publish it");
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(fs::metadata(project.join(name).join(licence)).unwrap().is_file(), "{name}: {licence}");
        }
    }
    // The versions of dependencies that are available on this machine.
    fs::copy(Path::new(ROOT).join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--offline"]).current_dir(&project).env("CARGO_TARGET_DIR", &target);
    printed(&mut build);
    let server = Server::start(&Launch::new(folder.path()));
    let mut bot = Command::new("timeout");
    bot.arg("30").arg(target.join("debug/plays")).env("QUIZHALL_URL", server.url());
    let shown = printed(bot.env("QUIZHALL_HOST_TOKEN", HOST_TOKEN));
    assert_eq!(shown, "stored: 4\n");
}

#[test]
fn the_target_of_the_packaged_crates_fails_when_no_test_has_run() {
    let consumer = tempfile::tempdir().unwrap();
    let plays = consumer.path().join("debug/plays");
    lay_out(consumer.path(), &[("debug/plays", "of an earlier run")]);
    let mut make = Command::new("make");
    // A cargo that finds no test to run succeeds.
    make.args(["--silent", "client-package", "CARGO=true"]).arg(format!("CONSUMER={}", consumer.path().display()));
    let output = make.current_dir(ROOT).output().unwrap();
    assert!(!output.status.success() && !plays.exists(), "{}", text_of(&output));
    assert!(text_of(&output).contains("no test has built the consumer"), "{}", text_of(&output));
}

/// Writes each example of the page as a module of the project, with declarations of the names that the example does not declare.
fn examples_of(page: &Path, project: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let examples: Vec<&str> = text.split("```ts\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 3, "a player, a host, and a socket of `ws`");
    let types = Path::new(ROOT).join("web/node_modules");
    for package in ["@types/ws", "@types/node", "undici-types"] {
        let to = project.join("node_modules").join(package);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        printed(program("cp").arg("-r").arg(types.join(package)).arg(to));
    }
    lay_out(project, &[("globals.d.ts", README_GLOBALS)]);
    let names = (0..examples.len()).map(|number| format!("example{number}.ts"));
    names
        .zip(examples)
        .map(|(name, example)| {
            lay_out(project, &[(&name, example)]);
            name
        })
        .collect()
}

/// The names that the examples of the README do not declare.
const README_GLOBALS: &str = "declare function draw(view: unknown): void;\n\
    declare const questionId: string;\ndeclare const password: string;\ndeclare const base: string;\n\
    declare const seat: ConstructorParameters<typeof import('quizhall-sdk').PlayerGame>[0];\n";

/// Writes the files of a project.
fn lay_out(project: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = project.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

const PLAYS_TS: &str = include_str!("libraries/plays.ts");
const PLAYS_TOML: &str = include_str!("libraries/plays.toml");
const PLAYS_RS: &str = include_str!("libraries/plays.rs.txt");
