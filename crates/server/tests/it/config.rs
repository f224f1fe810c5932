//! Settings: which values are refused, with which message; a flag wins over the environment, that over the default.

use std::fs;
use std::time::Duration;

use quizhall::config::{Config, Environment};
use quizhall::telemetry::LogLevel;
use secrecy::ExposeSecret as _;
use tempfile::TempDir;

/// The messages about these settings.
fn complaints(pairs: &[(&str, &str)]) -> Vec<String> {
    Config::from_pairs(pairs).err().into_iter().flatten().map(|problem| problem.to_string()).collect()
}

/// A variable and values it must refuse.
const BAD: &[(&str, &[&str])] = &[
    ("BIND_ADDR", &["", "8080", "localhost", "0.0.0.0", "1.2.3.4:99999", ":8080"]),
    ("HEALTH_ADDR", &["8081", "localhost:x", "example.org:8081", "127.0.0.1", "127.0.0.1:x"]),
    ("PUBLIC_URL", &["quiz.example.org", "ftp://quiz.example.org", "https://", "https://a/b", "https://a b"]),
    ("TRUSTED_PROXIES", &["10.0.0.0/33", "proxy", "10.0.0.1, x"]),
    ("ALLOWED_ORIGINS", &["*", "https://*.example.org", "school.example", "https://a/path"]),
    ("SEND_BUFFER", &["", "1", "64kb", "-1", "1GiB"]),
    ("HEADER_TIMEOUT", &["", "10", "0s", "1h"]),
    ("ANSWER_TIMEOUT", &["", "10", "0s", "1h"]),
    ("REQUEST_TIMEOUT", &["", "soon", "-3s"]),
    ("DATABASE_URL", &["", "sqlite://", "mysql://x", "data/quizhall.db", "postgres://user:pass-word@host:port/db"]),
    ("DATABASE_CONNECTIONS", &["", "0", "1001", "many"]),
    ("UNSAFE_DATABASE", &["", "1", "yes"]),
    ("MIN_FREE_DISK", &["", "64MB", "-1", "2048GiB"]),
    ("CHECKPOINT_AFTER", &["", "1MB", "63KiB", "257MiB"]),
    ("MEDIA_PER_HOST", &["", "64MB", "-1", "2048GiB"]),
    ("REDIS_URL", &["localhost", "http://localhost", "redis://", "redis://user:pass-word@host:port"]),
    ("STORES_PATIENCE", &["", "30", "1h"]),
    ("NODE_NAME", &["two\nlines", "a name of more than sixty-four characters, which no column of a table can hold"]),
    ("NODE_LEASE", &["", "2", "500ms", "2m"]),
    ("NODE_ZONE", &["two\nlines", "a name of more than sixty-four characters, which no column of a table can hold"]),
    ("PLACE_GAMES_BY_LOAD", &["", "yes", "1"]),
    ("READY_WITHOUT_CACHE", &["", "yes", "1"]),
    ("QUIZHALL_HOST_TOKEN", &["short", "fifteen-letters", "sixteen and a space", "s\u{e9}cret-of-sixteen-letters"]),
    ("SESSION_LIFETIME", &["", "1s", "12", "1000d"]),
    // Valid only together with others, which oidc.rs tests.
    ("OIDC_ISSUER", &[]),
    ("OIDC_CLIENT_ID", &["without-an-issuer"]),
    ("OIDC_CLIENT_SECRET", &["without an issuer"]),
    ("OIDC_SCOPES", &["", "email profile", "openid2"]),
    ("OIDC_ALLOWED_DOMAINS", &["example.org"]),
    ("OIDC_TRUST_EMAIL_DOMAINS", &["example.org"]),
    ("OIDC_ALLOWED_GROUPS", &["*"]),
    ("OIDC_OWNER_GROUPS", &["admins"]),
    ("WEBHOOK_HOSTS", &["hooks.example.org:8443", "https://hooks.example.org", "*.", "a b"]),
    ("WEBHOOK_PRIVATE_NETWORKS", &["10.0.0.0/99", "10.0.0.1", "localhost"]),
    ("WEBHOOK_DISABLE_AFTER", &["1s", "never"]),
    // These have no effect, whatever their value.
    ("JOINS_PER_MINUTE_PER_ADDRESS", &[]),
    ("JOIN_BURST_PER_ADDRESS", &[]),
    ("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", &["", "0", "-1", "1.5", "many", "99999999"]),
    ("FAILED_JOINS_PER_MINUTE", &["0"]),
    ("JOINS_PER_SECOND_PER_GAME", &["0"]),
    ("JOIN_QUEUE", &["", "0", "15", "1000001"]),
    ("SIGN_INS_PER_MINUTE_PER_ADDRESS", &["0"]),
    ("SIGN_INS_PER_MINUTE_PER_ACCOUNT", &["0"]),
    ("MAX_PLAYERS", &["", "0", "100001", "1e3"]),
    ("MAX_SPECTATORS", &["", "-1", "100001"]),
    ("LOG_BYTES_PER_SEAT", &["", "512", "63KiB", "2GiB", "512kb"]),
    ("WAITING_ROOM", &["", "0", "1000001"]),
    ("GAMES_PER_HOST", &["0"]),
    ("COMMAND_TIMEOUT", &["0s", "5", "10m"]),
    ("LOBBY_GRACE", &["10", "2h"]),
    ("GAME_OVER_LINGER", &["60", "-1s"]),
    ("ABANDONED_AFTER", &["1s", "forever"]),
    ("PURGE_GRACE", &["", "24", "-1h", "400d"]),
    ("RETAIN_GAMES", &["0", "30d", "36501"]),
    ("RETAIN_SESSIONS", &["0", "-1", "for ever"]),
    ("MAX_SOCKETS", &["0", "all", "-5"]),
    ("UPGRADES_PER_SECOND", &["", "0"]),
    ("UPGRADES_PER_SECOND_PER_GAME", &["0", "all"]),
    ("REFUSED_UPGRADES_PER_SECOND", &["0", "-1"]),
    ("RECONNECTS_PER_SEAT", &["0", "6/10s"]),
    ("PING_INTERVAL", &["", "25", "0s", "1ms", "1h"]),
    ("PONG_TIMEOUT", &["20", "0s"]),
    ("WRITE_TIMEOUT", &["0s"]),
    ("MESSAGE_TIMEOUT", &["0s"]),
    ("CLOSE_TIMEOUT", &["0s"]),
    ("OUTBOUND_BUDGET", &["1", "25%"]),
    ("LOG_LEVEL", &["", "trace", "2", "verbose"]),
    ("ENVIRONMENT", &["", "prod", "test"]),
    ("METRICS_TOKEN", &["short"]),
    ("DRAIN_LAME_DUCK", &["5", "1h"]),
    ("DRAIN_SPREAD", &["-1s", "16s"]),
    ("DRAIN_FLUSH", &["x"]),
];

#[test]
fn every_bad_value_is_refused_in_one_sentence_that_names_its_variable() {
    for (variable, values) in BAD {
        for value in *values {
            let complaints = complaints(&[(variable, value)]);
            assert_eq!(complaints.len(), 1, "{variable}={value}: {complaints:?}");
            let sentence = &complaints[0];
            assert!(sentence.starts_with(variable) && sentence.ends_with('.'), "{sentence}");
            assert!(!sentence.contains('\n'), "{sentence}");
        }
    }
}

#[test]
fn every_lease_that_can_be_set_leaves_an_edge_time_to_notice_a_silence() {
    for lease in ["1s", "1.5s", "2s", "2.5s", "10s", "60s"] {
        let cluster =
            [("DATABASE_URL", "postgres://host/quizhall"), ("REDIS_URL", "redis://host"), ("NODE_LEASE", lease)];
        let config = Config::from_pairs(&cluster).unwrap();
        assert!(config.liveness().fits(config.cluster.lease), "{lease}");
    }
}

#[test]
fn every_variable_is_tried_above() {
    let command = quizhall::cli::command();
    let variables = command.get_arguments().filter_map(|arg| arg.get_env()?.to_str().map(str::to_owned));
    let is_tried_here = |name: &String| !name.ends_with("_FILE") && name != quizhall::config::FILE_VARIABLE;
    for variable in variables.filter(is_tried_here) {
        assert!(BAD.iter().any(|(name, _)| *name == variable), "{variable} has no bad value in the table");
    }
}

#[test]
fn all_mistakes_are_said_at_once_and_no_secret_is_repeated() {
    let token = "tiny-secret";
    let pairs = [
        ("QUIZHALL_HOST_TOKEN", token),
        ("DATABASE_URL", "postgres://u:pass-word@h:port/d"),
        ("REDIS_URL", "redis://:pass-word@h:port"),
        ("MAX_PLAYERS", "x"),
    ];
    let complaints = complaints(&pairs);
    assert_eq!(complaints.len(), 4, "{complaints:?}");
    let all = complaints.join("\n");
    assert!(!all.contains(token) && !all.contains("pass-word"), "{all}");
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let config = Config::from_pairs(&[]).unwrap();
    assert_eq!(config.listen.bind_addr.to_string(), "0.0.0.0:8080");
    assert_eq!(config.storage.database_url.expose_secret(), "sqlite://data/quizhall.db");
    assert_eq!((config.storage.options.connections, config.storage.options.unsafe_durability), (16, false));
    assert!(config.storage.redis_url.is_none() && !config.is_cluster());
    assert_eq!((config.storage.time_limit, config.cluster.lease), (Duration::from_secs(30), Duration::from_secs(2)));
    assert!(config.cluster.name.ends_with(":8080"), "{}", config.cluster.name);
    assert!(config.identity.host_token.is_none());
    assert_eq!((config.telemetry.log_level, config.telemetry.environment), (LogLevel::Info, Environment::Development));
    assert_eq!(config.game.command_timeout, Duration::from_secs(5));
    assert_eq!(config.drain.whole(), Duration::from_secs(25));
    // Promise 16: a half-open socket is closed after the longest pause between pings plus the time for an answer.
    assert!(config.sockets.ping_interval + config.sockets.pong_timeout <= Duration::from_secs(45));
}

#[test]
fn good_values_arrive_and_empty_ones_are_unset_where_that_makes_sense() {
    let config = Config::from_pairs(&[
        ("BIND_ADDR", "localhost:9090"),
        ("PUBLIC_URL", "https://quiz.example.org/"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ("PING_INTERVAL", "100ms"),
        ("LOG_LEVEL", "DEBUG"),
        ("OUTBOUND_BUDGET", "16MiB"),
        ("REDIS_URL", ""),
        ("HEALTH_ADDR", " "),
        ("QUIZHALL_HOST_TOKEN", ""),
    ])
    .unwrap();
    assert_eq!(config.public_url(), "https://quiz.example.org");
    assert_eq!(config.listen.trusted_proxies.len(), 2);
    assert_eq!(config.listen.bind_addr.to_string(), "127.0.0.1:9090");
    assert_eq!(config.sockets.ping_interval, Duration::from_millis(100));
    assert_eq!(config.sockets.outbound_budget, Some(16 << 20));
    assert!(config.identity.host_token.is_none());
    assert!(config.storage.redis_url.is_none() && config.listen.health_addr.is_none());
    assert_eq!(complaints(&[("NO_SUCH_VARIABLE", "x")]).len(), 1);
}

#[test]
fn postgresql_and_a_cache_store_together_make_a_cluster() {
    let (postgres, redis) = (("DATABASE_URL", "postgres://u:p@db/quiz"), ("REDIS_URL", "redis://cache:6379"));
    let cluster = |pairs: &[(&str, &str)]| Config::from_pairs(pairs).unwrap().is_cluster();
    assert!(cluster(&[postgres, redis]));
    assert!(!cluster(&[postgres]) && !cluster(&[redis]));
    let pairs = [("NODE_NAME", " the left one "), ("DATABASE_CONNECTIONS", "4"), ("UNSAFE_DATABASE", "true")];
    let config = Config::from_pairs(&pairs).unwrap();
    assert_eq!(config.cluster.name, "the left one");
    assert_eq!((config.storage.options.connections, config.storage.options.unsafe_durability), (4, true));
}

#[test]
fn secrets_come_from_files_too() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("token");
    fs::write(&path, "a-token-from-a-file\n").unwrap();
    let path = path.to_str().unwrap();
    let config = Config::from_pairs(&[("QUIZHALL_HOST_TOKEN_FILE", path)]).unwrap();
    assert_eq!(config.identity.host_token.unwrap().expose_secret(), "a-token-from-a-file");
    fs::write(folder.path().join("url"), "sqlite://elsewhere.db").unwrap();
    let url = folder.path().join("url");
    let config = Config::from_pairs(&[("DATABASE_URL_FILE", url.to_str().unwrap())]).unwrap();
    assert_eq!(config.storage.database_url.expose_secret(), "sqlite://elsewhere.db");
    fs::write(folder.path().join("cache"), "redis://:pass-word@cache:6379\n").unwrap();
    let url = folder.path().join("cache");
    let config = Config::from_pairs(&[("REDIS_URL_FILE", url.to_str().unwrap())]).unwrap();
    assert_eq!(config.storage.redis_url.as_ref().unwrap().expose_secret(), "redis://:pass-word@cache:6379");
    assert!(!format!("{config:?}").contains("pass-word"));
    let both = [("QUIZHALL_HOST_TOKEN", "a-token-given-directly"), ("QUIZHALL_HOST_TOKEN_FILE", path)];
    assert!(complaints(&both)[0].starts_with("QUIZHALL_HOST_TOKEN and QUIZHALL_HOST_TOKEN_FILE"));
    let missing = complaints(&[("METRICS_TOKEN_FILE", "/no/such/file")]);
    assert!(missing[0].starts_with("METRICS_TOKEN_FILE"), "{missing:?}");
    let debug = format!("{:?}", Config::from_pairs(&[("QUIZHALL_HOST_TOKEN_FILE", path)]).unwrap());
    assert!(!debug.contains("a-token-from-a-file"), "not even Debug shows a secret");
}
