//! How long files and functions may be: small enough to hold in the mind.

use crate::rust::functions;
use crate::tree::{Finding, Source};

/// No file is longer.
pub const FILE_STOP: usize = 500;
/// From here on a file is listed, to be looked at again.
pub const FILE_LOOK: usize = 350;
/// No function is longer, its signature counted.
pub const FUNCTION_STOP: usize = 70;

const _: () = assert!(FUNCTION_STOP < FILE_LOOK && FILE_LOOK < FILE_STOP);

/// Rule `long-file`.
pub fn long_file(source: &Source) -> Vec<Finding> {
    let lines = source.text().lines().count();
    let finding = || {
        let what = format!("{lines} lines; a file stops at {FILE_STOP}: split it by what it owns");
        Finding::new("long-file", source.path(), lines, what).sized(lines)
    };
    (lines > FILE_STOP).then(finding).into_iter().collect()
}

/// Rule `long-function`.
pub fn long_functions(source: &Source) -> Vec<Finding> {
    let long = functions(source.code()).into_iter().filter(|function| function.lines > FUNCTION_STOP);
    let finding = |function: crate::rust::Function| {
        let what = format!("`{}` has {} lines; a function stops at {FUNCTION_STOP}", function.name, function.lines);
        Finding::new("long-function", source.path(), function.line, what).sized(function.lines)
    };
    long.map(finding).collect()
}
