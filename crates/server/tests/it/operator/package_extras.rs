//! Other contents of the package: pages without dead links, a filter for fail2ban, and a timer for backups that is off.
//!
//! Called by `package` with the root in which it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{are_there, printed, program};

/// Every link of every page leads to a file that is installed.
pub(super) fn look_at_the_pages(root: &Path) {
    let pages = pages_in(&root.join("usr/share/doc/quizhall"));
    assert!(pages.len() >= 9, "{pages:?}");
    let (mut seen, mut dead) = (0, Vec::new());
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
        for link in links.filter(|link| !link.starts_with('#') && !link.contains("://")) {
            let path = link.split('#').next().unwrap();
            let folder = page.parent().unwrap();
            let target = path.strip_prefix('/').map_or_else(|| folder.join(path), |path| root.join(path));
            seen += 1;
            if !target.exists() {
                dead.push(format!("{}: {link}", page.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(dead.is_empty() && seen > 20, "{seen} links, dead: {dead:#?}");
    let unit = fs::read_to_string(root.join("usr/lib/systemd/system/quizhall.service")).unwrap();
    let named = unit.split("file:///").nth(1).unwrap().lines().next().unwrap();
    assert!(root.join(named).is_file(), "the unit names {named}");
}

fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let pages = files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.chain(folders.iter().flat_map(|folder| pages_in(folder))).collect()
}

/// The jail is off after the installation, and works with the filter when its operator switches it on.
pub(super) fn look_at_fail2ban(root: &Path, scratch: &Path) {
    if !are_there("the jail for fail2ban", &["fail2ban-client"]) {
        return;
    }
    let settings = scratch.join("fail2ban");
    printed(Command::new("cp").arg("-r").arg("/etc/fail2ban").arg(&settings));
    fs::remove_dir_all(settings.join("jail.d")).unwrap();
    printed(Command::new("cp").arg("-rT").arg(root.join("etc/fail2ban")).arg(&settings));
    let client = |words: &[&str]| printed(program("fail2ban-client").arg("-c").arg(&settings).args(words));
    assert!(!client(&["-d"]).contains("'quizhall'"), "the jail is off");
    fs::write(settings.join("jail.d/quizhall.local"), "[quizhall]\nenabled = true\n").unwrap();
    let said = client(&["-d"]);
    assert!(said.contains("['add', 'quizhall', 'systemd']") && said.contains("'addfailregex'"), "{said}");
}

/// The timer is off, and the command of its service makes a backup and deletes the oldest of 15.
pub(super) fn look_at_the_backups(root: &Path) {
    assert!(fs::symlink_metadata(root.join("etc/systemd/system/timers.target.wants/quizhall-backup.timer")).is_err());
    let unit = fs::read_to_string(root.join("usr/lib/systemd/system/quizhall-backup.service")).unwrap();
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let (backups, database) = (root.join("var/lib/quizhall/backups"), root.join("var/lib/quizhall/quizhall.db"));
    fs::create_dir(&backups).unwrap();
    let name = |day: u8| format!("quizhall-2025-01-{day:02}T040000Z.db");
    for day in 1..=14 {
        fs::write(backups.join(name(day)), "older").unwrap();
    }
    let here = |word: &str| if word.starts_with('/') { format!("{}{word}", root.display()) } else { word.to_owned() };
    let words: Vec<String> = line.split(' ').map(here).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear().env("DATABASE_URL", format!("sqlite://{}", database.display()));
    printed(&mut command);
    assert!(!backups.join(name(1)).exists() && backups.join(name(2)).exists());
    assert_eq!(fs::read_dir(&backups).unwrap().count(), 14);
}
