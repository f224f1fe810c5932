//! The binary `quizhall`: the allocator, and the exit code of what the command line asked for.

use std::process::ExitCode;

/// Less CPU than the system's where every message allocates, and what a storm of joins has left behind goes back to the
/// system. Its options are compiled in: `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    quizhall::cli::main()
}
