//! The binary `quizhall`: the allocator, and the exit code of the command.

use std::process::ExitCode;

/// jemalloc needs less CPU than the system's allocator when every message allocates, and returns the memory of many
/// simultaneous joins to the system. Its options are compiled in: `.cargo/config.toml`. Shipped builds use it; test
/// builds use the system's allocator.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    quizhall::cli::main()
}
