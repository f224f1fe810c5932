//! `cargo run -p quizhall-tidy -- generate`: writes the files that are generated from the types. `lines`: prints how many lines of
//! Rust each crate has. `package FOLDER [TARGET]`: writes what a package for distribution holds besides the program.

use std::path::Path;
use std::process::ExitCode;

use quizhall_tidy::tree::Tree;
use quizhall_tidy::{generate, lines, package};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["generate"] => write_generated(),
        ["lines"] => print_lines(),
        ["package", folder] => package::write(Path::new(folder), None),
        ["package", folder, target] => package::write(Path::new(folder), Some(target)),
        _ => {
            eprintln!("usage: quizhall-tidy generate | lines | package FOLDER [TARGET]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write_generated() -> Result<(), String> {
    let changed = generate::write().map_err(|error| error.to_string())?;
    if changed.is_empty() {
        eprintln!("generated files are fresh");
    }
    for path in changed {
        eprintln!("wrote {path}");
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command prints")]
fn print_lines() -> Result<(), String> {
    let tree = Tree::read().map_err(|error| error.to_string())?;
    print!("{}", lines::listed(&lines::counted(&tree)));
    Ok(())
}
