//! Watches every message and every close of the whole run: shape, audience, secrecy, reasons. It also counts what it has seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail, ensure};
use quizhall_protocol::{CloseCode, Dialect, Role};
use serde_json::Value;

use quizhall_oracle::shape;

/// RFC 6455 §5.5: a control frame holds 125 bytes, two of them the code.
const LONGEST_REASON: usize = 123;

/// The messages and closes that the run has seen so far.
#[derive(Debug, Default)]
pub struct Observer {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    closes: BTreeMap<u16, u64>,
    messages: BTreeMap<(&'static str, bool), u64>,
    secrets: BTreeSet<String>,
}

impl Observer {
    /// From now on this text may reach a player only in `round_scores` and `answer_revealed`, and a screen only in an
    /// answer that is shown (promise 17).
    pub fn guard(&self, secret: &str) {
        self.seen().secrets.insert(secret.to_owned());
    }

    /// Judges a message as it arrived on a socket of this role and dialect, and counts it.
    pub fn message(&self, role: Role, dialect: Dialect, text: &str) -> anyhow::Result<Value> {
        let message: Value = serde_json::from_str(text).context("the server sent a text that is not JSON")?;
        let row = shape::check(role, dialect, &message).map_err(anyhow::Error::msg)?;
        let mut seen = self.seen();
        let may_show = match role {
            Role::Host => true,
            Role::Player => matches!(row.kind, "round_scores" | "answer_revealed"),
            Role::Screen => message["payload"]["show"]["kind"] == "question",
        };
        if !may_show {
            let leaked = seen.secrets.iter().any(|secret| text.contains(secret.as_str()));
            ensure!(!leaked, "a key reached a {role:?} in `{}` before its release", row.kind);
        }
        *seen.messages.entry((row.kind, role == Role::Host)).or_default() += 1;
        Ok(message)
    }

    /// Fails when a text that needs no host's token holds a key.
    pub fn public(&self, what: &str, text: &str) -> anyhow::Result<()> {
        let leaked = self.seen().secrets.iter().any(|secret| text.contains(secret.as_str()));
        ensure!(!leaked, "{what} holds a key");
        Ok(())
    }

    /// Judges a close frame and counts it.
    pub fn close(&self, code: Option<u16>, reason: &str) -> anyhow::Result<()> {
        let Some(number) = code else { bail!("the server closed without a code") };
        *self.seen().closes.entry(number).or_default() += 1;
        let code = CloseCode::from_number(number).with_context(|| format!("the close code {number} is in no table"))?;
        ensure!(reason.is_ascii() && reason.len() <= LONGEST_REASON, "{number}: the reason is not short ASCII");
        let rest = reason.strip_prefix(code.reason()).unwrap_or("?");
        let fits = rest.is_empty() || rest.starts_with(": ") || rest.starts_with("; retry=");
        ensure!(fits, "{number}: the reason `{reason}` does not begin with `{}`", code.reason());
        Ok(())
    }

    /// How often this close code was seen.
    pub fn closes(&self, code: CloseCode) -> u64 {
        self.seen().closes.get(&code.number()).copied().unwrap_or_default()
    }

    /// How often a socket of this role received this type.
    pub fn messages(&self, kind: &str, role: Role) -> u64 {
        let seen = self.seen();
        let found = seen.messages.iter().find(|((known, host), _)| *known == kind && *host == (role == Role::Host));
        found.map(|(_, count)| *count).unwrap_or_default()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
