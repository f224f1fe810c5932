//! The settings of logs, and of access to the metrics.

use clap::Args;
use secrecy::SecretString;

use super::Problems;
use crate::telemetry::LogLevel;

/// Logs and metrics.
#[derive(Debug, Clone)]
pub struct Telemetry {
    /// Which events are logged.
    pub log_level: LogLevel,
    /// Where this runs.
    pub environment: Environment,
    /// The bearer token that `/metrics` requires; without one it is open.
    pub metrics_token: Option<SecretString>,
}

/// Where the service runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// A machine for trying the service out.
    Development,
    /// Real use.
    Production,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Logs and metrics")]
pub(super) struct TelemetryArgs {
    /// How much is logged: debug, info, warn or error.
    #[arg(long, env = "LOG_LEVEL", default_value = "info", value_name = "LEVEL", global = true)]
    log_level: String,
    /// Where this runs: development or production.
    #[arg(long, env = "ENVIRONMENT", default_value = "development", value_name = "NAME", global = true)]
    environment: String,
    /// The bearer token /metrics asks for, at least 16 characters [default: /metrics is open].
    #[arg(long, env = "METRICS_TOKEN", value_name = "TOKEN", global = true)]
    metrics_token: Option<String>,
    /// A file that holds the token of /metrics.
    #[arg(long, env = "METRICS_TOKEN_FILE", value_name = "FILE", global = true)]
    metrics_token_file: Option<String>,
}

impl TelemetryArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Telemetry {
        use secrecy::ExposeSecret;
        const TOKEN: &str = "METRICS_TOKEN";
        let metrics_token = problems.secret(TOKEN, self.metrics_token.as_deref(), self.metrics_token_file.as_deref());
        if metrics_token.as_ref().is_some_and(|token| token.expose_secret().chars().count() < 16) {
            problems.add(TOKEN, "is too short: give at least 16 characters.");
        }
        Telemetry { log_level: self.log_level(problems), environment: self.environment(problems), metrics_token }
    }

    fn log_level(&self, problems: &mut Problems) -> LogLevel {
        match self.log_level.trim().to_ascii_lowercase().as_str() {
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warn" => LogLevel::Warn,
            "error" => LogLevel::Error,
            _ => {
                let text = &self.log_level;
                problems.add("LOG_LEVEL", format!("is {text:?} and must be debug, info, warn or error."));
                LogLevel::Info
            }
        }
    }

    fn environment(&self, problems: &mut Problems) -> Environment {
        match self.environment.trim().to_ascii_lowercase().as_str() {
            "development" => Environment::Development,
            "production" => Environment::Production,
            _ => {
                let text = &self.environment;
                problems.add("ENVIRONMENT", format!("is {text:?} and must be development or production."));
                Environment::Development
            }
        }
    }
}
