//! The source of each setting: flag > environment variable > settings file > default.
//!
//! Called by `cli` between two passes over the command line: the first finds the settings file; the second uses its
//! values, and those of variables with the prefix, as defaults. Knows settings only by the definitions of the command
//! line. An error never repeats a value, which may be a secret.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use toml::{Table, Value};

use super::Problem;

/// The variable that names the settings file; the flag is `--config`.
pub const FILE_VARIABLE: &str = "QUIZHALL_CONFIG";
/// The settings file that is read when neither names one, if it exists; relative to the root of the file system. An
/// empty variable means none.
const DEFAULT_FILE: &str = "etc/quizhall/quizhall.toml";
/// The prefix that every setting may have.
const PREFIX: &str = "QUIZHALL_";
/// The source that `config show` names for the settings file.
const FILE: &str = "file";
/// Variables with the prefix that belong to clients of the service, to its build and to the scripts that start it.
const OF_OTHERS: [&str; 4] = ["QUIZHALL_URL", "QUIZHALL_CA_FILE", "QUIZHALL_REQUIRE_WEB", "QUIZHALL_BINARY"];

/// A setting as it is shown to an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The environment variable.
    pub variable: String,
    /// The effective value; `None`: not set. A secret is not shown.
    pub value: Option<String>,
    /// Its source, such as `flag` or `default`.
    pub source: String,
}

/// The values that are not on the command line itself: those of prefixed variables and of the file, by setting.
#[derive(Debug, Default)]
pub struct Sources {
    values: BTreeMap<String, Lower>,
}

#[derive(Debug)]
struct Lower {
    value: String,
    source: String,
}

/// The command line after its first pass, with the variables that it reads itself.
struct CommandLine<'a> {
    settings: Vec<Setting<'a>>,
    matches: &'a ArgMatches,
}

impl CommandLine<'_> {
    fn gives(&self, setting: &Setting<'_>) -> bool {
        self.is_variable(setting) || self.matches.value_source(setting.id) == Some(ValueSource::CommandLine)
    }

    fn is_variable(&self, setting: &Setting<'_>) -> bool {
        self.matches.value_source(setting.id) == Some(ValueSource::EnvVariable)
    }
}

/// The values and mistakes found so far.
struct Reading<'a> {
    line: &'a CommandLine<'a>,
    values: BTreeMap<String, Lower>,
    problems: Vec<Problem>,
}

/// A setting by its names.
struct Setting<'a> {
    id: &'a str,
    variable: String,
    /// Its name in the settings file.
    key: String,
}

impl Sources {
    /// Reads the settings file that the command line names, otherwise `etc/quizhall/quizhall.toml` below `root`, and
    /// variables with the prefix.
    ///
    /// # Errors
    /// All mistakes: unknown names, each with the nearest existing one; a file that cannot be read; values of a wrong
    /// type.
    pub fn read(
        command: &Command,
        matches: &ArgMatches,
        environment: impl IntoIterator<Item = (String, String)>,
        root: &Path,
    ) -> Result<Self, Vec<Problem>> {
        let line = CommandLine { settings: settings(command), matches };
        let mut reading = Reading { line: &line, values: BTreeMap::new(), problems: Vec::new() };
        for (name, value) in environment {
            reading.take_variable(&name, value);
        }
        match file_of(matches, root) {
            Ok(table) => table.into_iter().for_each(|(key, value)| reading.take_line(&key, value)),
            Err(problem) => reading.problems.push(problem),
        }
        let Reading { values, problems, .. } = reading;
        if problems.is_empty() { Ok(Self { values }) } else { Err(problems) }
    }

    /// The command line with these values as defaults.
    #[must_use]
    pub fn put_under(&self, command: Command) -> Command {
        command.mut_args(|arg| match self.values.get(arg.get_id().as_str()) {
            Some(lower) => arg.default_value(lower.value.clone()),
            None => arg,
        })
    }

    /// Every setting with its effective value, from the command line that [`Sources::put_under`] made.
    pub fn show(&self, command: &Command, matches: &ArgMatches) -> Vec<Shown> {
        let settings = settings(command);
        let is_secret = |variable: &str| settings.iter().any(|other| other.variable == format!("{variable}_FILE"));
        let shown = |setting: &Setting| {
            let value = matches.get_one::<String>(setting.id).filter(|value| !value.is_empty());
            let is_hidden = |value: &str| is_secret(&setting.variable) && !value.starts_with("sqlite:");
            let value = value.map(|value| if is_hidden(value) { "(secret)".to_owned() } else { value.clone() });
            let source = match (matches.value_source(setting.id), self.values.get(setting.id)) {
                (Some(ValueSource::CommandLine), _) => "flag".to_owned(),
                (Some(ValueSource::EnvVariable), _) => format!("variable {}", setting.variable),
                (_, Some(lower)) => lower.source.clone(),
                _ => "default".to_owned(),
            };
            Shown { variable: setting.variable.clone(), value, source }
        };
        settings.iter().map(shown).collect()
    }
}

impl Reading<'_> {
    fn take_variable(&mut self, name: &str, value: String) {
        let line = self.line;
        if !name.starts_with(PREFIX) || name == FILE_VARIABLE || OF_OTHERS.contains(&name) {
            return;
        }
        let Some(setting) = line.settings.iter().find(|setting| prefixed(&setting.variable) == name) else {
            let known: Vec<String> = line.settings.iter().map(|setting| prefixed(&setting.variable)).collect();
            return self.problems.push(Problem::new(name, unknown(name, known.iter().map(String::as_str))));
        };
        if !line.gives(setting) {
            let source = format!("variable {name}");
            self.values.insert(setting.id.to_owned(), Lower { value, source });
        } else if line.is_variable(setting)
            && setting.variable != name
            && line.matches.get_one::<String>(setting.id) != Some(&value)
        {
            let sentence = format!("and {} are both given and differ; give one.", setting.variable);
            self.problems.push(Problem::new(name, sentence));
        }
    }

    fn take_line(&mut self, key: &str, value: Value) {
        let line = self.line;
        let Some(setting) = line.settings.iter().find(|setting| setting.key == key) else {
            let sentence = unknown(key, line.settings.iter().map(|setting| setting.key.as_str()));
            return self.problems.push(Problem::new(key, sentence));
        };
        let Some(value) = text_of(value) else {
            let sentence = "must be a text, a whole number, true, false, or a list of texts in the settings file.";
            return self.problems.push(Problem::new(&setting.variable, sentence));
        };
        // A secret and its file are one setting.
        let is_given = |one: &Setting| {
            base(&one.variable) == base(&setting.variable)
                && (line.gives(one) || self.values.get(one.id).is_some_and(|lower| lower.source != FILE))
        };
        if !line.settings.iter().any(is_given) {
            self.values.insert(setting.id.to_owned(), Lower { value, source: FILE.to_owned() });
        }
    }
}

/// Every setting that the command line defines; the settings file is not one.
fn settings(command: &Command) -> Vec<Setting<'_>> {
    let setting = |arg: &'_ Arg| {
        let variable = arg.get_env()?.to_str().filter(|name| *name != FILE_VARIABLE)?.to_owned();
        Some((variable, arg.get_long()?.replace('-', "_")))
    };
    let named = |arg| setting(arg).map(|(variable, key)| Setting { id: arg.get_id().as_str(), variable, key });
    command.get_arguments().filter_map(named).collect()
}

fn prefixed(variable: &str) -> String {
    if variable.starts_with(PREFIX) { variable.to_owned() } else { format!("{PREFIX}{variable}") }
}

/// The name of a setting without the ending of the variable that names a file.
fn base(variable: &str) -> &str {
    variable.strip_suffix("_FILE").unwrap_or(variable)
}

/// The content of the settings file; empty without one.
fn file_of(matches: &ArgMatches, root: &Path) -> Result<Table, Problem> {
    if let Some(named) = matches.get_one::<String>("config") {
        return if named.is_empty() { Ok(Table::new()) } else { read_file(Path::new(named)) };
    }
    let path = root.join(DEFAULT_FILE);
    if path.exists() { read_file(&path) } else { Ok(Table::new()) }
}

fn read_file(path: &Path) -> Result<Table, Problem> {
    let text = fs::read_to_string(path).map_err(|error| {
        Problem::new(FILE_VARIABLE, format!("is \"{}\", which cannot be read: {error}.", path.display()))
    })?;
    text.parse::<Table>().map_err(|error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
        let line = before.matches('\n').count() + 1;
        Problem::new(
            FILE_VARIABLE,
            format!("is \"{}\", which is no TOML: line {line}: {}.", path.display(), first_line(error.message())),
        )
    })
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(flag) => Some(flag.to_string()),
        Value::Array(items) => items.iter().map(Value::as_str).collect::<Option<Vec<_>>>().map(|items| items.join(",")),
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// The sentence about an unknown name.
fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = known.map(|known| (strsim::damerau_levenshtein(name, known), known)).min();
    match nearest {
        Some((distance, known)) if distance <= 4 => format!("is no setting; the nearest is {known}."),
        _ => "is no setting.".to_owned(),
    }
}
