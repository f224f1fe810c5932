//! The fixed host token, and the limits of joining and signing in.

use std::time::Duration;

use clap::Args;
use secrecy::{ExposeSecret, SecretString};

use super::Problems;

/// The fewest characters of `QUIZHALL_HOST_TOKEN`.
pub const MIN_HOST_TOKEN: usize = 16;

/// Tokens and rates.
#[derive(Debug, Clone)]
pub struct Identity {
    /// A fixed host token for scripts and tests.
    pub host_token: Option<SecretString>,
    /// How long a host's session lasts.
    pub session_lifetime: Duration,
    /// Names of settings that are set but no longer have an effect.
    pub without_effect: Vec<&'static str>,
    /// Joins with an unknown code per minute from one address (IPv6: one /64; four times as many per /56, twenty times per
    /// /48).
    pub failed_joins_per_minute_per_address: u32,
    /// Joins with an unknown code per minute from all addresses.
    pub failed_joins_per_minute: u32,
    /// Joins per second into one game; more wait in its queue.
    pub joins_per_second_per_game: u32,
    /// Joins that wait or are under way at once, over all games; one game has at most three quarters of them.
    pub join_queue: usize,
    /// Attempts to sign in per minute from one address (IPv6 as above).
    pub sign_ins_per_minute_per_address: u32,
    /// Attempts to sign in per minute to one account from one address.
    pub sign_ins_per_minute_per_account: u32,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Identity and abuse")]
pub(super) struct IdentityArgs {
    /// A fixed host token for scripts and tests, at least 16 characters.
    #[arg(long, env = "QUIZHALL_HOST_TOKEN", value_name = "TOKEN", global = true)]
    host_token: Option<String>,
    /// A file that holds the fixed host token.
    #[arg(long, env = "QUIZHALL_HOST_TOKEN_FILE", value_name = "FILE", global = true)]
    host_token_file: Option<String>,
    /// How long a host stays signed in.
    #[arg(long, env = "SESSION_LIFETIME", default_value = "12h", value_name = "DURATION", global = true)]
    session_lifetime: String,
    /// Without effect: right codes are limited by game, not by address. Still accepted; the start warns.
    #[arg(long, env = "JOINS_PER_MINUTE_PER_ADDRESS", value_name = "N", global = true)]
    joins_per_minute_per_address: Option<String>,
    /// Without effect, as above.
    #[arg(long, env = "JOIN_BURST_PER_ADDRESS", value_name = "N", global = true)]
    join_burst_per_address: Option<String>,
    /// Joins with an unknown code per minute from one address; of an IPv6 /56 four times as many, of a /48 twenty times. As many wrong codes of teams and seats in each game.
    #[arg(long, env = "FAILED_JOINS_PER_MINUTE_PER_ADDRESS", default_value = "10", value_name = "N", global = true)]
    failed_joins_per_minute_per_address: String,
    /// Joins with an unknown code per minute from all addresses; a code that exists does not wait for it.
    #[arg(long, env = "FAILED_JOINS_PER_MINUTE", default_value = "1000", value_name = "N", global = true)]
    failed_joins_per_minute: String,
    /// Joins per second into one game; more wait in its queue.
    #[arg(long, env = "JOINS_PER_SECOND_PER_GAME", default_value = "2000", value_name = "N", global = true)]
    joins_per_second_per_game: String,
    /// Joins that wait at once; one game has at most three quarters of the places. Further joins have to try again.
    #[arg(long, env = "JOIN_QUEUE", default_value = "16384", value_name = "N", global = true)]
    join_queue: String,
    /// Attempts to sign in per minute from one address, and as many that begin at a provider; of an IPv6 /56 four times as many, of a /48 twenty times.
    #[arg(long, env = "SIGN_INS_PER_MINUTE_PER_ADDRESS", default_value = "20", value_name = "N", global = true)]
    sign_ins_per_minute_per_address: String,
    /// Attempts to sign in per minute to one account from one address; failures beyond it from elsewhere only delay.
    #[arg(long, env = "SIGN_INS_PER_MINUTE_PER_ACCOUNT", default_value = "5", value_name = "N", global = true)]
    sign_ins_per_minute_per_account: String,
}

impl IdentityArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Identity {
        let rate = 1..=1_000_000;
        let lifetime = Duration::from_secs(60)..=Duration::from_secs(30 * 86_400);
        Identity {
            host_token: self.host_token(problems),
            session_lifetime: problems.duration("SESSION_LIFETIME", &self.session_lifetime, lifetime),
            without_effect: self.without_effect(),
            failed_joins_per_minute_per_address: problems.number(
                "FAILED_JOINS_PER_MINUTE_PER_ADDRESS",
                &self.failed_joins_per_minute_per_address,
                rate.clone(),
            ),
            failed_joins_per_minute: problems.number(
                "FAILED_JOINS_PER_MINUTE",
                &self.failed_joins_per_minute,
                rate.clone(),
            ),
            joins_per_second_per_game: problems.number(
                "JOINS_PER_SECOND_PER_GAME",
                &self.joins_per_second_per_game,
                rate.clone(),
            ),
            join_queue: usize::try_from(problems.number("JOIN_QUEUE", &self.join_queue, 16..=1_000_000))
                .unwrap_or(usize::MAX),
            sign_ins_per_minute_per_address: problems.number(
                "SIGN_INS_PER_MINUTE_PER_ADDRESS",
                &self.sign_ins_per_minute_per_address,
                rate.clone(),
            ),
            sign_ins_per_minute_per_account: problems.number(
                "SIGN_INS_PER_MINUTE_PER_ACCOUNT",
                &self.sign_ins_per_minute_per_account,
                rate,
            ),
        }
    }

    fn without_effect(&self) -> Vec<&'static str> {
        let given = [
            ("JOINS_PER_MINUTE_PER_ADDRESS", &self.joins_per_minute_per_address),
            ("JOIN_BURST_PER_ADDRESS", &self.join_burst_per_address),
        ];
        given.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name).collect()
    }

    fn host_token(&self, problems: &mut Problems) -> Option<SecretString> {
        const NAME: &str = "QUIZHALL_HOST_TOKEN";
        let token = problems.secret(NAME, self.host_token.as_deref(), self.host_token_file.as_deref())?;
        let text = token.expose_secret();
        if text.chars().count() < MIN_HOST_TOKEN {
            problems.add(NAME, format!("is too short: give at least {MIN_HOST_TOKEN} characters."));
        }
        if text.len() > 512 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            problems.add(NAME, "must be printable ASCII without spaces, at most 512 characters.");
        }
        Some(token)
    }
}
