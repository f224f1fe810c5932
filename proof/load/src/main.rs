//! The binary `quizhall-load`: parses the command line, runs, and turns the outcome into an exit code.

use std::process::ExitCode;

use clap::Parser as _;

#[tokio::main]
async fn main() -> ExitCode {
    match quizhall_load::cli::run(quizhall_load::cli::Cli::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("quizhall-load: {error:#}");
            ExitCode::from(2)
        }
    }
}
