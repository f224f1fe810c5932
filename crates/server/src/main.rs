//! The binary `quizhall`: the allocator, and the exit code of what the command line asked for.

use std::process::ExitCode;

/// Less CPU than the system's where every message allocates, and memory that many joins at once have left behind goes back to
/// the system. Its options are compiled in: `.cargo/config.toml`. What is shipped has it; a build of tests has the system's.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    quizhall::cli::main()
}
