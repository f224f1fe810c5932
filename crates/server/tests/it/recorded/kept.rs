//! The recorded texts, which are kept in files in this folder.

use std::env;
use std::fs;
use std::path::Path;

/// How many lines are shown of a text that differs.
const SHOWN: usize = 10;
/// When set, the texts are written instead of compared.
const WRITE: &str = "QUIZHALL_RECORD";

/// Compares a text with the recorded one of this name, or writes it to that file.
pub fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/recorded").join(name);
    if env::var_os(WRITE).is_some() {
        return fs::write(path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let first = kept.lines().zip(text.lines()).position(|(kept, line)| kept != line);
    let number = first.unwrap_or_else(|| kept.lines().count().min(text.lines().count()));
    let shown = |text: &str| text.lines().skip(number).take(SHOWN).collect::<Vec<_>>().join("\n");
    assert!(
        kept == text,
        "{name} is not as recorded from line {} on; if that is wanted, {WRITE}=1 writes it anew. Recorded:\n{}\nNow:\n{}",
        number + 1,
        shown(&kept),
        shown(text)
    );
}
