//! Runs a command on a file system of a few kilobytes, in a mount namespace of its own, which ends with the command.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Mounts an empty file system of the size `$2` over the folder `$1`, copies the file `$3` into it (`/dev/null`: none) and runs
/// the rest; prints the names of the files that exist at the end.
const SCRIPT: &str = r#"
    folder=$1 size=$2 file=$3; shift 3
    exec 3<"$file"
    mount -t tmpfs -o "size=$size" tmpfs "$folder" || exit 99
    [ "$file" = /dev/null ] || cat <&3 >"$file"
    "$@" >&2; status=$?
    ls -A "$folder"
    exit $status
"#;

/// Runs the command; prints a line and returns `None` where this machine allows no mount.
pub fn run(command: &Command, (folder, size): (&Path, &str), file: Option<&Path>) -> Option<Output> {
    let file = file.unwrap_or(Path::new("/dev/null"));
    for namespace in [&["unshare", "-m"][..], &["unshare", "-Ur", "-m"]] {
        let mut inside = Command::new(namespace[0]);
        inside.args(&namespace[1..]).args(["sh", "-c", SCRIPT, "sh"]).arg(folder).arg(size).arg(file);
        inside.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
        inside.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = inside.output().unwrap();
        let is_mounted = output.status.code() != Some(99) && !output.stderr.starts_with(b"unshare:");
        if is_mounted {
            return Some(output);
        }
    }
    // Written to the real standard error, so that it is shown without --nocapture.
    let _ =
        writeln!(std::io::stderr(), "NOT RUN: a full file system (this machine allows no mount); see small_disk.rs");
    None
}
