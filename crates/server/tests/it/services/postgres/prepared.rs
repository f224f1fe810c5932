//! The data of a server that has not run yet, made once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::{as_user, folder, program, unprivileged};

/// Fills the folder of a new server.
pub(super) fn copy_to(data: &Path) {
    copy(prepared(), data);
}

/// `initdb` takes ten times as long as a copy, so its result is kept between test runs.
fn prepared() -> &'static Path {
    static KEPT: OnceLock<PathBuf> = OnceLock::new();
    KEPT.get_or_init(|| {
        let version = Command::new(program("initdb")).arg("--version").output().unwrap().stdout;
        let version = String::from_utf8(version).unwrap();
        let user = if unprivileged().is_some() { "root" } else { "user" };
        let name = format!("postgres-{}-{user}", version.split_whitespace().nth(2).unwrap());
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        if !kept.exists() {
            let folder = folder();
            let data = folder.path().join("data");
            initialise(&data);
            let partial = kept.with_file_name(format!("{name}-{}", std::process::id()));
            copy(&data, &partial);
            // Another process may have been faster.
            if fs::rename(&partial, &kept).is_err() {
                fs::remove_dir_all(&partial).unwrap();
            }
        }
        kept
    })
}

fn initialise(data: &Path) {
    let made = as_user(&mut Command::new(program("initdb")))
        .args(["--no-sync", "--auth=trust", "--username=quizhall", "--encoding=UTF8", "--locale=C", "--pgdata"])
        .arg(data)
        .current_dir(data.parent().unwrap())
        .output()
        .unwrap();
    assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
}

/// Copies a folder together with its owner.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success(), "{} cannot be copied", from.display());
}
