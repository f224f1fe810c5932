//! Settings that are valid but probably a mistake, one sentence each.
//!
//! Printed by `check-config`, and logged at start. Never contains a value that may be a secret.

use super::{Config, Environment};

/// Fewer sockets than this are a default of the machine rather than a decision: they are less than one full game.
const FEW_SOCKETS: usize = 1_000;

impl Config {
    /// What an operator should check, beginning with the name of the variable; `sockets` is the number that the limit
    /// of open files allows.
    pub fn warnings(&self, sockets: usize) -> Vec<String> {
        let mut warnings = Vec::new();
        for variable in &self.identity.without_effect {
            warnings.push(format!("{variable} has no effect any more: joins are limited by game, not by address."));
        }
        if self.storage.options.unsafe_durability {
            warnings.push("UNSAFE_DATABASE is set: what is acknowledged may be lost.".to_owned());
        }
        if self.listen.trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
            let sentence =
                "TRUSTED_PROXIES names every address: each client chooses the address that it is limited by.";
            warnings.push(sentence.to_owned());
        }
        if self.cluster.ready_without_cache && self.cluster.place_by_load {
            let sentence = "READY_WITHOUT_CACHE is set: set PLACE_GAMES_BY_LOAD=false too, so that the owner of a game is on the \
                node that the balancer leads its sockets to.";
            warnings.push(sentence.to_owned());
        }
        match self.telemetry.environment {
            Environment::Production => self.of_production(sockets, &mut warnings),
            Environment::Development if self.has_https() => {
                warnings.push("ENVIRONMENT is development although PUBLIC_URL is https: set production.".to_owned());
            }
            Environment::Development => {}
        }
        warnings
    }

    fn of_production(&self, sockets: usize, warnings: &mut Vec<String>) {
        let (listen, telemetry) = (&self.listen, &self.telemetry);
        if listen.public_url.is_none() {
            warnings.push("PUBLIC_URL is not set: links and QR codes name an address of this machine.".to_owned());
        } else if !self.has_https() {
            warnings.push("PUBLIC_URL is not https: passwords and tokens can be read on the way.".to_owned());
        } else if listen.trusted_proxies.is_empty() {
            let sentence =
                "TRUSTED_PROXIES is not set although PUBLIC_URL is https: all players share the limits of the proxy.";
            warnings.push(sentence.to_owned());
        }
        if telemetry.metrics_token.is_none() && listen.health_addr.is_none() && !listen.bind_addr.ip().is_loopback() {
            let sentence = "METRICS_TOKEN is not set: /metrics is open to all who reach BIND_ADDR.";
            warnings.push(sentence.to_owned());
        }
        if self.sockets.max_sockets.is_none() && sockets < FEW_SOCKETS {
            warnings.push(format!(
                "MAX_SOCKETS is not set, and the limit of open files leaves room for {sockets} sockets: raise it."
            ));
        }
    }

    fn has_https(&self) -> bool {
        self.listen.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }
}
