//! The service under a service manager: it reports as systemd expects, and needs no system call that its unit forbids.

use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use super::{are_there, play, printed, program};
use crate::process::{Launch, Server, signal};

/// How long a report may take on a busy machine.
const REPORT: Duration = Duration::from_secs(10);

#[test]
fn it_reports_that_it_is_ready_alive_and_stopping() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(REPORT)).unwrap();
    let report = || {
        let mut bytes = [0; 64];
        let length = manager.recv(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let environment =
        [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "200000"), ("DRAIN_LAME_DUCK", "0s")];
    let mut server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    assert_eq!(report(), "READY=1");
    for _ in 0..3 {
        assert_eq!(report(), "WATCHDOG=1");
    }
    signal(server.id(), "TERM");
    while report() != "STOPPING=1" {}
    assert!(server.wait(REPORT).success());
}

#[test]
fn a_manager_that_cannot_be_reached_is_no_reason_to_fail() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("NOTIFY_SOCKET", "/nowhere/notify"), ("WATCHDOG_USEC", "200000"), ("DRAIN_LAME_DUCK", "0s")];
    let mut server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    assert!(server.terminate(REPORT).success());
    assert!(server.log().iter().any(|line| line.contains("the service manager cannot be reached")));
}

#[test]
fn a_game_needs_no_system_call_that_the_unit_forbids() {
    if !are_there("the system calls of the unit", &["strace", "systemd-analyze", "python3"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let counts = folder.path().join("calls");
    let wrapper = ["strace", "-f", "-c", "-U", "name", "-o", counts.to_str().unwrap()];
    let environment = [("DRAIN_LAME_DUCK", "0s")];
    let mut server =
        Server::start(&Launch { environment: &environment, wrapper: &wrapper, ..Launch::new(folder.path()) });
    play(&server.url());
    // The tracer passes signals on to the service, and writes its counts when the service ends.
    let child = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", server.id())).unwrap();
    signal(child.split_whitespace().next().unwrap().parse().unwrap(), "TERM");
    assert!(server.wait(Duration::from_secs(30)).success());
    let calls = std::fs::read_to_string(&counts).unwrap();
    let used: BTreeSet<&str> = calls.lines().map(str::trim).filter(|call| is_call(call)).collect();
    assert!(used.contains("epoll_wait") && used.contains("fsync") && used.len() > 30, "{used:?}");
    let groups = printed(program("systemd-analyze").arg("syscall-filter"));
    let (allowed, forbidden) = (calls_of("@system-service", &groups), calls_of("@privileged", &groups));
    // `SQLite` gives its files to the owner of the database only when it runs as root, as this test may.
    let is_right = |call: &str| allowed.contains(call) && !forbidden.contains(call) || call == "fchown";
    let wrong: Vec<_> = used.iter().filter(|call| !is_right(call)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Whether this is a row of the table of calls, and not part of its frame.
fn is_call(line: &str) -> bool {
    !line.is_empty()
        && line != "total"
        && line != "syscall"
        && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The calls of a group of systemd's, including those of the groups in it.
fn calls_of(group: &str, groups: &str) -> BTreeSet<String> {
    let lines = groups.lines().skip_while(|line| *line != group).skip(1);
    let members = lines.take_while(|line| line.starts_with(' ')).map(str::trim).filter(|line| !line.starts_with('#'));
    members
        .flat_map(
            |member| {
                if member.starts_with('@') { calls_of(member, groups) } else { BTreeSet::from([member.to_owned()]) }
            },
        )
        .collect()
}
