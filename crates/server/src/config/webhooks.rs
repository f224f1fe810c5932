//! Webhooks: to which hosts and networks the service may send what happens in games.

use std::time::Duration;

use clap::Args;
use ipnet::IpNet;

use super::Problems;

/// Used in place of a list: every host.
const EVERY_HOST: &str = "*";

/// The hosts and networks that webhooks may call, and when a webhook is disabled.
#[derive(Debug, Clone, Default)]
pub struct Webhooks {
    /// Host names and addresses that may be called, lower case; `*.` in front stands for any subdomains, `*` for every
    /// host. Empty: webhooks are off.
    pub hosts: Vec<String>,
    /// Networks that may be called although they are not public.
    pub private_networks: Vec<IpNet>,
    /// How long every delivery to a webhook may fail before it is disabled.
    pub disable_after: Duration,
}

#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_field_names, reason = "a flag is named like its field")]
#[command(next_help_heading = "Webhooks")]
pub(super) struct WebhookArgs {
    /// Hosts that webhooks may call, separated by commas, such as `hooks.example.org,*.example.net`; `*`: every host with a public
    /// address [default: none, webhooks are off].
    #[arg(long, env = "WEBHOOK_HOSTS", value_name = "LIST", global = true)]
    webhook_hosts: Option<String>,
    /// Networks that webhooks may call although their addresses are private or of this machine, such as `10.1.0.0/16`
    /// [default: none].
    #[arg(long, env = "WEBHOOK_PRIVATE_NETWORKS", value_name = "LIST", global = true)]
    webhook_private_networks: Option<String>,
    /// For how long every delivery to a webhook may fail before it is disabled.
    #[arg(long, env = "WEBHOOK_DISABLE_AFTER", default_value = "120h", value_name = "DURATION", global = true)]
    webhook_disable_after: String,
}

impl Webhooks {
    /// Whether webhooks can be created and are called.
    pub fn are_on(&self) -> bool {
        !self.hosts.is_empty()
    }

    /// Whether a host, lower case, may be called.
    pub fn allows_host(&self, host: &str) -> bool {
        let fits = |known: &String| match known.strip_prefix('*') {
            Some("") => true,
            Some(suffix) => host.strip_suffix(suffix).is_some_and(|before| !before.is_empty()),
            None => known == host,
        };
        self.hosts.iter().any(fits)
    }
}

impl WebhookArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Webhooks {
        let hosts: Vec<_> = items(self.webhook_hosts.as_deref()).map(str::to_lowercase).collect();
        for host in hosts.iter().filter(|host| !is_pattern(host)) {
            problems.add("WEBHOOK_HOSTS", format!("has {host:?} and must be a list of host names, without ports."));
        }
        let mut private_networks = Vec::new();
        for text in items(self.webhook_private_networks.as_deref()) {
            if let Ok(network) = text.parse() {
                private_networks.push(network);
            } else {
                let sentence = format!("has {text:?}, which is not a network such as 10.1.0.0/16.");
                problems.add("WEBHOOK_PRIVATE_NETWORKS", sentence);
            }
        }
        let range = Duration::from_secs(60)..=Duration::from_secs(30 * 86_400);
        let disable_after = problems.duration("WEBHOOK_DISABLE_AFTER", &self.webhook_disable_after, range);
        Webhooks { hosts, private_networks, disable_after }
    }
}

fn items(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.into_iter().flat_map(|list| list.split(',')).map(str::trim).filter(|item| !item.is_empty())
}

fn is_pattern(host: &str) -> bool {
    let name = host.strip_prefix("*.").unwrap_or(host);
    let is_name = |name: &str| {
        !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    let has_port = name.matches(':').count() == 1;
    host == EVERY_HOST || (!name.is_empty() && is_name(name) && !has_port)
}
