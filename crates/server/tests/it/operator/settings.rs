//! Settings from a file and from variables with the prefix: their precedence, the refusals, and the output of `config show`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use quizhall::config::Sources;
use tempfile::TempDir;

use super::{ROOT, text_of};
use crate::cli::run;
use crate::docs::{blocks, fenced};
use crate::process::{Launch, Server};
use crate::services::postgres::{program, shared};

/// Runs a command with a settings file of this text and these variables.
fn with_file(text: &str, words: &[&str], variables: &[(&str, &str)]) -> Output {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("quizhall.toml"), text).unwrap();
    let words: Vec<&str> = ["--config", "quizhall.toml"].iter().chain(words).copied().collect();
    run(folder.path(), (&words, variables), "")
}

/// The value and the source of a setting in the output of `config show`.
fn shown(output: &Output, variable: &str) -> (String, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(variable));
    let line = line.unwrap_or_else(|| panic!("{variable} is missing: {}", text_of(output)));
    let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).skip(1);
    (columns.next().unwrap().to_owned(), columns.next().unwrap().to_owned())
}

#[test]
fn flag_wins_over_variable_over_file_over_default() {
    let text = "max_players = 1\nlobby_grace = \"1s\"\nping_interval = \"1s\"\nsend_buffer = \"1MiB\"\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\nunsafe_database = true\n";
    let variables = [("LOBBY_GRACE", "2s"), ("PING_INTERVAL", "2s"), ("QUIZHALL_SEND_BUFFER", "2MiB")];
    let output = with_file(text, &["config", "show", "--ping-interval", "3s"], &variables);
    assert!(output.status.success(), "{}", text_of(&output));
    for (variable, value, source) in [
        ("MAX_PLAYERS", "1", "file"),
        ("LOBBY_GRACE", "2s", "variable LOBBY_GRACE"),
        ("PING_INTERVAL", "3s", "flag"),
        ("SEND_BUFFER", "2MiB", "variable QUIZHALL_SEND_BUFFER"),
        ("TRUSTED_PROXIES", "10.0.0.0/8,::1", "file"),
        ("UNSAFE_DATABASE", "true", "file"),
        ("PONG_TIMEOUT", "20s", "default"),
        ("REDIS_URL", "-", "default"),
    ] {
        assert_eq!(shown(&output, variable), (value.to_owned(), source.to_owned()), "{variable}");
    }
}

#[test]
fn the_service_runs_with_what_the_file_says() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("quizhall.toml");
    fs::write(&path, "metrics_token = \"a-token-from-the-file\"\n").unwrap();
    let environment = [("QUIZHALL_CONFIG", path.to_str().unwrap())];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let address = server.url().replace("http://", "").parse().unwrap();
    assert!(crate::operation::ask(address, "/metrics").starts_with("HTTP/1.1 401 "));
}

#[test]
fn the_file_of_the_package_is_read_without_being_named() {
    let root = TempDir::new().unwrap();
    let of = |words: &[&str]| {
        let words: Vec<&str> = ["quizhall"].iter().chain(words).copied().collect();
        let matches = quizhall::cli::command().try_get_matches_from(words).unwrap();
        let sources = Sources::read(&quizhall::cli::command(), &matches, [], root.path());
        let sources = sources.map_err(|problems| problems[0].to_string())?;
        let matches = sources.put_under(quizhall::cli::command()).try_get_matches_from(["quizhall"]).unwrap();
        let shown = sources.show(&quizhall::cli::command(), &matches);
        let players = shown.into_iter().find(|shown| shown.variable == "MAX_PLAYERS").unwrap();
        Ok::<_, String>((players.value.unwrap(), players.source))
    };
    let default = of(&[]).unwrap();
    assert_eq!(default.1, "default", "without the file");
    let file = root.path().join("etc/quizhall/quizhall.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "max_players = 41").unwrap();
    assert_eq!(of(&[]).unwrap(), ("41".to_owned(), "file".to_owned()));
    let named = root.path().join("named.toml");
    fs::write(&named, "max_players = 42").unwrap();
    assert_eq!(of(&["--config", named.to_str().unwrap()]).unwrap().0, "42");
    assert_eq!(of(&["--config", ""]).unwrap(), default, "none is wanted");
    fs::write(&file, "max_playrs = 41").unwrap();
    assert!(of(&["check-config"]).unwrap_err().contains("max_playrs"));
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(of(&[]).unwrap_err().contains("cannot be read"), "it is there and no file");
}

#[test]
fn names_that_do_not_exist_are_refused_with_the_nearest() {
    let output =
        with_file("max_playrs = 3\nzzzzzzzzzzzz = 1\n", &["check-config"], &[("QUIZHALL_PING_INTERVALL", "1s")]);
    assert_eq!(output.status.code(), Some(2));
    let text = text_of(&output);
    for sentence in [
        "quizhall: QUIZHALL_PING_INTERVALL is no setting; the nearest is QUIZHALL_PING_INTERVAL.",
        "quizhall: max_playrs is no setting; the nearest is max_players.",
        "quizhall: zzzzzzzzzzzz is no setting.",
    ] {
        assert!(text.lines().any(|line| line == sentence), "{sentence}\n{text}");
    }
    // The variables of clients are not settings of the service, and are no error.
    let client = [("QUIZHALL_URL", "http://127.0.0.1:8080"), ("QUIZHALL_HOST_TOKEN", "a-token-of-some-length")];
    assert!(with_file("", &["check-config"], &client).status.success());
}

#[test]
fn a_setting_that_is_given_twice_must_say_the_same() {
    let differ = with_file("", &["check-config"], &[("MAX_PLAYERS", "3"), ("QUIZHALL_MAX_PLAYERS", "4")]);
    assert!(
        text_of(&differ).contains("QUIZHALL_MAX_PLAYERS and MAX_PLAYERS are both given and differ"),
        "{}",
        text_of(&differ)
    );
    assert!(with_file("", &["check-config"], &[("MAX_PLAYERS", "3"), ("QUIZHALL_MAX_PLAYERS", "3")]).status.success());
    // A secret in a variable has precedence over the settings file's name of a file with that secret.
    let both =
        with_file("metrics_token_file = \"/none\"", &["check-config"], &[("METRICS_TOKEN", "a-token-of-some-length")]);
    assert!(both.status.success(), "{}", text_of(&both));
}

#[test]
fn no_secret_is_shown_or_repeated() {
    let text = "host_token = \"a-secret-of-some-length\"\nredis_url = \"redis://:a-secret@host\"\ndatabase_url = \"postgres://u:a-secret@host/d\"\n";
    let output = with_file(text, &["config", "show"], &[]);
    assert!(output.status.success() && !text_of(&output).contains("a-secret"), "{}", text_of(&output));
    assert_eq!(shown(&output, "REDIS_URL"), ("(secret)".to_owned(), "file".to_owned()));
    assert_eq!(shown(&with_file("", &["config", "show"], &[]), "DATABASE_URL").0, "sqlite://data/quizhall.db");
    for text in [
        "a = 1\nhost_token = \"a-secret",
        "host_token = a-secret",
        "host_token = [\"a-secret\", 1]",
        "[a-secret]\nx = 1.5",
    ] {
        let output = with_file(text, &["check-config"], &[]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text == "[a-secret]\nx = 1.5" || !text_of(&output).contains("a-secret"), "{}", text_of(&output));
    }
    let broken = text_of(&with_file("max_players = 1\nhost_token = a-secret", &["check-config"], &[]));
    assert!(
        broken.starts_with("quizhall: QUIZHALL_CONFIG is \"quizhall.toml\", which is no TOML: line 2: "),
        "{broken}"
    );
    let folder = TempDir::new().unwrap();
    let missing = run(folder.path(), (&["check-config", "--config", "none.toml"], &[]), "");
    assert!(missing.status.code() == Some(2) && text_of(&missing).contains("none.toml"), "{}", text_of(&missing));
}

#[test]
fn wrong_values_in_the_file_name_their_setting() {
    let text = text_of(&with_file("max_players = 0\nlobby_grace = 1.5\n", &["check-config"], &[]));
    assert!(text.contains("LOBBY_GRACE must be a text"), "{text}");
    let text = text_of(&with_file("max_players = 0\n", &["check-config"], &[]));
    assert!(text.contains("MAX_PLAYERS is \"0\" and must be"), "{text}");
}

#[test]
fn settings_that_look_like_mistakes_are_warned_of() {
    let said = |text: &str| text_of(&with_file(text, &["check-config"], &[]));
    let production = "environment = \"production\"\nmetrics_token = \"a-token-of-some-length\"\n";
    let safe = format!("{production}public_url = \"https://quiz.example.org\"\ntrusted_proxies = \"10.0.0.1\"\n");
    assert_eq!(said(&safe), "The configuration is valid.\n");
    for (text, warning) in [
        (format!("{production}public_url = \"http://quiz.example.org\""), "PUBLIC_URL is not https"),
        (production.to_owned(), "PUBLIC_URL is not set"),
        (format!("{production}public_url = \"https://quiz.example.org\""), "TRUSTED_PROXIES is not set"),
        (safe.replace("10.0.0.1", "0.0.0.0/0"), "TRUSTED_PROXIES names every address"),
        (safe.replace("metrics_token = \"a-token-of-some-length\"", ""), "METRICS_TOKEN is not set"),
        (format!("{safe}unsafe_database = true"), "UNSAFE_DATABASE is set"),
        (format!("{safe}join_burst_per_address = 3"), "JOIN_BURST_PER_ADDRESS has no effect"),
        (safe.replace("production", "development"), "ENVIRONMENT is development"),
    ] {
        let said = said(&text);
        assert!(said.contains(&format!("Warning: {warning}")) && said.ends_with("valid.\n"), "{text}:\n{said}");
        assert_eq!(said.matches("Warning: ").count(), 1, "{said}");
    }
}

#[test]
fn a_check_online_says_whether_an_sqlite_file_can_be_used() {
    let folder = TempDir::new().unwrap();
    let check = || run(folder.path(), (&["check-config", "--online"], &[]), "");
    let missing = check();
    assert_eq!(missing.status.code(), Some(1), "{}", text_of(&missing));
    assert!(!folder.path().join("data").exists(), "a check creates nothing");
    assert!(run(folder.path(), (&["init"], &[]), "").status.success());
    let there = check();
    assert!(there.status.success() && text_of(&there).ends_with("database: ok\n"), "{}", text_of(&there));
}

#[tokio::test]
async fn a_check_online_says_what_is_wrong_with_postgresql_and_redis() {
    let folder = TempDir::new().unwrap();
    let url = shared().empty_database().await;
    let check = |redis: &str| {
        let variables = [("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true"), ("REDIS_URL", redis)];
        run(folder.path(), (&["check-config", "--online"], &variables), "")
    };
    let without_tables = check("");
    assert_eq!(without_tables.status.code(), Some(1), "{}", text_of(&without_tables));
    assert!(
        run(folder.path(), (&["init"], &[("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")]), "")
            .status
            .success()
    );
    assert!(check("").status.success(), "{}", text_of(&check("")));
    // No process listens on port 1.
    let without_redis = check("redis://127.0.0.1:1");
    assert_eq!(without_redis.status.code(), Some(1));
    let text = text_of(&without_redis);
    assert!(text.contains("database: ok\n") && text.contains("cache: "), "{text}");
    shared().drop_database(&url).await;
}

#[test]
fn the_settings_of_the_page_for_sign_in_with_a_provider_are_valid() {
    let folder = TempDir::new().unwrap();
    let page = fs::read_to_string(Path::new(ROOT).join("docs/operate/sign-in.md")).unwrap();
    let [settings] = &fenced(&page, "toml")[..] else { panic!("the page has other examples of settings") };
    let secret = folder.path().join("oidc-secret");
    fs::write(&secret, "a secret of the provider\n").unwrap();
    let settings = settings.replace("/etc/quizhall/oidc-secret", secret.to_str().unwrap());
    let check = with_file(&settings, &["check-config"], &[]);
    assert!(check.status.success(), "{}", text_of(&check));
    let (issuer, source) = shown(&with_file(&settings, &["config", "show"], &[]), "OIDC_ISSUER");
    assert_eq!((&*issuer, &*source), ("https://login.example.org/realms/school", "file"));
}

#[tokio::test]
async fn the_user_of_the_page_for_postgresql_owns_what_it_needs() {
    let folder = TempDir::new().unwrap();
    let [commands] = &blocks("docs/operate/databases.md", "postgres-user")[..] else { panic!("other commands") };
    // The administrator of this server has the name that the page gives to the service's user.
    let commands = commands.replace(" quizhall\n", " service\n").replace("--owner=quizhall", "--owner=service");
    let url = shared().url("postgres");
    let port = url.rsplit(':').next().unwrap().split('/').next().unwrap();
    let programs = program("createuser").parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    // Without a terminal, the password is read from standard input, twice.
    let mut shell = Command::new("setsid");
    shell.args(["--wait", "bash", "-euo", "pipefail", "-c", &commands]).env_clear().env("PATH", path);
    shell.env("PGHOST", "127.0.0.1").env("PGPORT", port).env("PGUSER", "quizhall");
    let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(b"PASSWORD\nPASSWORD\n").unwrap();
    let output = shell.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text_of(&output));
    let url = shared().url("service").replace("quizhall@", "service:PASSWORD@");
    let variables = [("DATABASE_URL", url.as_str()), ("UNSAFE_DATABASE", "true")];
    let init = run(folder.path(), (&["init"], &variables), "");
    assert!(init.status.success(), "{}", text_of(&init));
    let check = run(folder.path(), (&["check-config", "--online"], &variables), "");
    assert!(check.status.success(), "{}", text_of(&check));
    shared().drop_database(&shared().url("service")).await;
}
