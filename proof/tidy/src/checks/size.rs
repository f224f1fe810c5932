//! How long files and functions may be: small enough to hold in the mind.

use crate::rust::Function;
use crate::tree::{Finding, Source, Tree};

/// No file is longer.
pub const FILE_STOP: usize = 500;
/// From here on a file is listed, to be looked at again.
pub const FILE_LOOK: usize = 350;
/// No function is longer, its signature counted.
pub const FUNCTION_STOP: usize = 70;
/// No function is longer that is one match or one list, with an entry for each command or change. Around it are at most
/// [`AROUND_TABLE`] lines.
pub const TABLE_STOP: usize = 100;
/// The signature, the imports of a match and its end.
pub const AROUND_TABLE: usize = 10;
/// Most arguments of a function, the receiver among them.
pub const ARGUMENTS: usize = 4;
/// Functions that take more than [`ARGUMENTS`] values, because one of their arguments is a tuple. May only fall: a small struct names
/// what belongs together.
pub const PACKED: usize = 18;

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
    let stop = |function: &Function| if function.lines_around <= AROUND_TABLE { TABLE_STOP } else { FUNCTION_STOP };
    let long = source.functions().iter().filter(|function| function.lines > stop(function));
    let finding = |function: &Function| {
        let stop = stop(function);
        let what = format!("`{}` has {} lines; it stops at {stop}", function.name, function.lines);
        Finding::new("long-function", source.path(), function.line, what).sized(function.lines)
    };
    long.map(finding).collect()
}

/// Rule `packed-arguments` of the whole: there are no more functions with too many values in tuples than [`PACKED`] says. Tests are
/// left out.
pub fn packed_arguments(tree: &Tree) -> Vec<Finding> {
    let mut packed = Vec::new();
    for source in tree.sources.iter().filter(|source| source.path().contains("/src/")) {
        let shipped = source.production().lines().count();
        let found = source.functions().iter().filter(|function| function.line <= shipped);
        let found = found.filter(|function| function.takes_tuple && function.arguments > ARGUMENTS);
        packed.extend(found.map(|function| format!("{}:{} {}", source.path(), function.line, function.name)));
    }
    let what = || {
        let (count, all) = (packed.len(), packed.join("\n  "));
        format!("{count} functions take more than {ARGUMENTS} values in tuples, and `PACKED` is {PACKED}:\n  {all}")
    };
    let finding = || Finding::new("packed-arguments", "proof/tidy/src/checks/size.rs", 1, what()).sized(packed.len());
    (packed.len() > PACKED).then(finding).into_iter().collect()
}
