//! Allowances that all nodes share: one script per request, which counts as `limits::Bucket` does.
//!
//! Used by `limits` through the trait `SharedLimits`. The clock is the server's, so nodes need not agree on
//! the time; a subject is hashed before it leaves this process.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use redis::{Cmd, ErrorKind, RedisResult, Script, ServerErrorKind, cmd};
use sha2::{Digest as _, Sha256};

use super::dial;
use super::line::Line;
use crate::cluster::bus::{Ask, BusError, Rate, SharedLimits};

/// The time limit for the answer, so that even a busy machine answers within a quarter of a second.
pub(super) const TIMEOUT: Duration = Duration::from_millis(200);

/// Times are microseconds since 1970, below 2^53 until the year 2255. The key contains the time at which the allowance
/// is restored, and expires then, because a missing key means the same. A value beyond the limit can come only from a
/// clock that went back or from another rate; it counts as the limit.
const SCRIPT: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cell, burst, most_debt = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local limit = now + cell * burst + most_debt
local whole_at = math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), limit)
local wait = whole_at - (now + cell * (burst - 1))
if ARGV[4] ~= 'charge' and wait > 0 then return wait end
if ARGV[4] ~= 'ready' then
  whole_at = math.min(math.max(whole_at, now) + cell, limit)
  redis.call('SET', KEYS[1], string.format('%.0f', whole_at), 'PX', math.ceil((whole_at - now) / 1000) + 1)
end
return 0
";

pub(super) struct RedisLimits {
    line: Arc<Line>,
    script: Script,
    time_limit: Duration,
}

impl RedisLimits {
    pub(super) fn new(line: Arc<Line>, time_limit: Duration) -> Self {
        Self { line, script: Script::new(SCRIPT), time_limit }
    }

    async fn ask_for(&self, key: &str, rate: Rate, ask: Ask) -> Result<u64, BusError> {
        let call = |how: &str, script: &str| call(how, script, key, rate, ask);
        let answer = self.line.run(self.time_limit, |mut connection| async move {
            let known: RedisResult<u64> = call("EVALSHA", self.script.get_hash()).query_async(&mut connection).await;
            match known {
                // The server was restarted, or never got the script.
                Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                    call("EVAL", SCRIPT).query_async(&mut connection).await
                }
                known => known,
            }
        });
        answer.await?.map_err(|error| dial::unavailable(&error))
    }
}

impl SharedLimits for RedisLimits {
    fn ask<'a>(
        &'a self,
        limit: &'static str,
        subject: &'a [u8],
        rate: Rate,
        ask: Ask,
    ) -> BoxFuture<'a, Result<Result<(), Duration>, BusError>> {
        async move {
            Ok(match self.ask_for(&key(limit, subject), rate, ask).await? {
                0 => Ok(()),
                wait => Err(Duration::from_micros(wait)),
            })
        }
        .boxed()
    }
}

fn call(how: &str, script: &str, key: &str, rate: Rate, ask: Ask) -> Cmd {
    let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    let word = match ask {
        Ask::Ready => "ready",
        Ask::Take => "take",
        Ask::Charge => "charge",
    };
    let mut call = cmd(how);
    call.arg(script).arg(1).arg(key);
    call.arg(micros(rate.cell)).arg(rate.burst.max(1)).arg(micros(rate.most_debt)).arg(word);
    call
}

/// `quizhall:limit:<limit>:<the first half of the subject's SHA-256>`.
fn key(limit: &str, subject: &[u8]) -> String {
    format!("quizhall:limit:{limit}:{}", hex::encode(&Sha256::digest(subject)[..16]))
}
