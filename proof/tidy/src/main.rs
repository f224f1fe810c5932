//! `cargo run -p quizhall-tidy -- generate`: writes the files that are generated from the types.

use std::process::ExitCode;

use quizhall_tidy::generate;

fn main() -> ExitCode {
    if std::env::args().skip(1).ne(["generate".to_owned()]) {
        eprintln!("usage: quizhall-tidy generate");
        return ExitCode::from(2);
    }
    match generate::write() {
        Ok(changed) if changed.is_empty() => eprintln!("generated files are fresh"),
        Ok(changed) => changed.iter().for_each(|path| eprintln!("wrote {path}")),
        Err(error) => {
            eprintln!("cannot write: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
