//! The package for Debian: it installs, its unit is valid and hardened, an upgrade keeps settings, and a removal keeps games.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{ROOT, Running, are_there, free_address, one, package_extras, printed, program};
use crate::operation::ask;
use crate::process::signal;

/// The highest exposure allowed for the unit, as `systemd-analyze security` counts in tenths.
const EXPOSURE: &str = "20";

#[test]
fn it_installs_upgrades_and_goes_without_taking_the_games_along() {
    if !are_there("the package", &["dpkg-deb", "objcopy", "readelf", "systemd-analyze", "git", "xz"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (packages, root) = (folder.path().join("packages"), folder.path().join("root"));
    build(&packages);
    printed(Command::new("sh").args(["-euc", "sha256sum --check --quiet -- *.sha256"]).current_dir(&packages));
    let package = one(&packages, "quizhall_");
    prepare(&root);
    dpkg(&root, &["--install", package.to_str().unwrap(), one(&packages, "quizhall-dbgsym_").to_str().unwrap()]);

    let at = |path: &str| root.join(path);
    assert!(fs::read_to_string(at("etc/passwd")).unwrap().contains("\nquizhall:x:"), "no user was created");
    assert_eq!(fs::metadata(at("var/lib/quizhall")).unwrap().mode() & 0o777, 0o700);
    let settings = at("etc/quizhall/quizhall.toml");
    assert_eq!(fs::metadata(&settings).unwrap().mode() & 0o777, 0o640, "settings may hold secrets");
    assert!(fs::symlink_metadata(at("etc/systemd/system/multi-user.target.wants/quizhall.service")).is_ok());
    for page in ["quizhall.1.gz", "quizhall-backup.1.gz"] {
        assert!(at("usr/share/man/man1").join(page).is_file(), "{page}");
    }
    look_at_the_units(&root, folder.path());
    look_at_the_settings(&root);
    look_at_the_bill(&packages);
    package_extras::look_at_the_pages(&root);
    package_extras::look_at_fail2ban(&root, folder.path());
    start_and_stop(&root);
    package_extras::look_at_the_backups(&root);

    let changed = format!("{}#changed\n", fs::read_to_string(&settings).unwrap());
    fs::write(&settings, &changed).unwrap();
    dpkg(&root, &["--install", package.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), changed, "an upgrade keeps settings");
    fs::write(at("var/lib/quizhall/quizhall.db"), "games").unwrap();
    dpkg(&root, &["--remove", "quizhall-dbgsym", "quizhall"]);
    assert!(!at("usr/bin/quizhall").exists() && settings.exists());
    assert!(at("etc/fail2ban/filter.d/quizhall.conf").exists() && at("var/lib/quizhall/backups").is_dir());
    dpkg(&root, &["--purge", "quizhall"]);
    assert!(!at("etc/fail2ban/filter.d/quizhall.conf").exists(), "a purge removes settings");
    assert!(!settings.exists() && at("var/lib/quizhall/quizhall.db").exists(), "a purge keeps games");
}

/// The tools for testing a service are packed as well, and run where they are unpacked.
#[test]
fn the_tools_are_packed() {
    if !are_there("the tools", &["objcopy", "git"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let programs = built("quizhall-load");
    built("quizhall-conformance");
    let mut tools = Command::new("deploy/tools");
    printed(tools.arg(programs.parent().unwrap()).arg(folder.path()).current_dir(ROOT).env("FAST", "1"));
    printed(Command::new("sh").args(["-euc", "sha256sum --check --quiet -- *.sha256"]).current_dir(folder.path()));
    printed(Command::new("sh").args(["-euc", "tar -xzf quizhall-tools-*.tar.gz"]).current_dir(folder.path()));
    let unpacked = folder.path().join(format!("quizhall-tools-{}", env!("CARGO_PKG_VERSION")));
    for tool in ["quizhall-load", "quizhall-conformance"] {
        let said = printed(Command::new("sh").arg("-euc").arg(format!("{}-*/{tool} --help", unpacked.display())));
        assert!(said.contains(&format!("Usage: {tool}")), "{said}");
    }
}

/// A program of the workspace, in the folder of the service. A test of the whole workspace has built it.
fn built(name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_quizhall")).with_file_name(name);
    if !program.is_file() {
        printed(Command::new(env!("CARGO")).args(["build", "-q", "--locked", "-p", name]).current_dir(ROOT));
    }
    program
}

fn build(packages: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_quizhall"));
    let tidy = built("quizhall-tidy");
    let mut package = Command::new("deploy/package");
    package.arg(binary).arg(packages).current_dir(ROOT).env("TIDY", tidy).env("FAST", "1");
    printed(&mut package);
}

/// A root folder in which nothing is installed.
fn prepare(root: &Path) {
    for path in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/systemd", "etc"] {
        fs::create_dir_all(root.join(path)).unwrap();
    }
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    fs::write(root.join("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n").unwrap();
    fs::write(root.join("etc/group"), "root:x:0:\n").unwrap();
}

/// The scripts of the package run outside of the root, which contains no shell, and get its path.
fn dpkg(root: &Path, words: &[&str]) {
    let mut dpkg = program("dpkg");
    dpkg.arg(format!("--root={}", root.display())).args(["--log=/dev/null", "--force-script-chrootless"]);
    dpkg.args(["--force-depends", "--force-not-root", "--force-confdef"]).args(words);
    printed(&mut dpkg);
}

fn look_at_the_units(root: &Path, scratch: &Path) {
    // Verified together with the units of this machine, which they wait for, with the actual path of the program.
    let binary = root.join("usr/bin/quizhall");
    fs::create_dir_all(scratch.join("unit")).unwrap();
    let paths = ["quizhall.service", "quizhall-backup.service", "quizhall-backup.timer"].map(|name| {
        let unit = fs::read_to_string(root.join("usr/lib/systemd/system").join(name)).unwrap();
        let path = scratch.join("unit").join(name);
        fs::write(&path, unit.replace("/usr/bin/quizhall", binary.to_str().unwrap())).unwrap();
        path
    });
    let said = printed(program("systemd-analyze").args(["verify", "--man=no"]).args(&paths));
    assert!(!said.contains("quizhall"), "{said}");
    let mut security = program("systemd-analyze");
    security.args(["security", "--offline=true", "--threshold", EXPOSURE, "--no-pager"]).args(&paths[..2]);
    printed(&mut security);
}

/// The settings of the package are valid, and the program that it installs reads them.
fn look_at_the_settings(root: &Path) {
    let mut check = Command::new(root.join("usr/bin/quizhall"));
    check.arg("--config").arg(root.join("etc/quizhall/quizhall.toml")).arg("check-config").env_clear();
    let said = printed(&mut check);
    let expected = "Warning: PUBLIC_URL is not set: links and QR codes name an address of this machine.\n\
        The configuration is valid.\n";
    assert_eq!(said, expected);
}

/// The installed program starts with the installed settings, is ready, and stops at once when no socket is open.
fn start_and_stop(root: &Path) {
    let address = free_address();
    let mut serve = Command::new(root.join("usr/bin/quizhall"));
    serve.arg("serve").arg("--config").arg(root.join("etc/quizhall/quizhall.toml")).env_clear();
    serve.arg(format!("--bind-addr={address}"));
    serve.arg(format!("--database-url=sqlite://{}", root.join("var/lib/quizhall/quizhall.db").display()));
    let mut running = Running::start(&mut serve, address);
    assert!(ask(address, "/readyz").starts_with("HTTP/1.1 200 "));
    let asked = Instant::now();
    signal(running.child.id(), "TERM");
    assert!(running.child.wait().unwrap().success());
    // The lame duck of the settings takes 5 s.
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
}

/// The lines that are commented out are existing settings, too.
#[test]
fn every_setting_of_the_package_exists() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let (settings, reference) = (read("deploy/debian/quizhall.toml"), read("docs/reference/configuration.md"));
    let keys = settings.lines().filter_map(|line| line.trim_start_matches('#').split_once(" = "));
    let keys: Vec<&str> = keys.map(|(key, _)| key).filter(|key| !key.contains(' ')).collect();
    assert!(keys.contains(&"public_url") && keys.len() > 5, "{keys:?}");
    for key in keys {
        assert!(reference.contains(&format!("| `--{}` |", key.replace('_', "-"))), "{key}");
    }
}

fn look_at_the_bill(packages: &Path) {
    let paths = fs::read_dir(packages).unwrap().map(|entry| entry.unwrap().path());
    let path = paths.into_iter().find(|path| path.to_str().unwrap().ends_with(".cdx.json")).unwrap();
    let bill: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let components = bill["components"].as_array().unwrap();
    let known: Vec<&str> = components.iter().filter_map(|component| component["bom-ref"].as_str()).collect();
    let is_there = |name: &str| known.iter().any(|purl| purl.starts_with(&format!("pkg:cargo/{name}@")));
    assert!(is_there("tokio") && is_there("sqlx") && is_there("quizhall-engine"), "{known:?}");
    assert!(!is_there("proptest") && !is_there("quizhall-load"), "dependencies that only tests use are not shipped");
    let hashed = |component: &&Value| component["hashes"][0]["content"].as_str().is_some_and(|hash| hash.len() == 64);
    assert!(components.iter().filter(hashed).count() > 100);
}
