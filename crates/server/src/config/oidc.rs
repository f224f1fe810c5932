//! Signing in with OpenID Connect: which provider, and whose accounts it may sign in.

use clap::Args;
use secrecy::SecretString;
use url::{Host, Url};

use super::Problems;

/// Used in place of a list: every account of the provider.
const EVERYONE: &str = "*";

/// The provider, and who may sign in with it.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// The provider's issuer, letter for letter as its own description names it.
    pub issuer: String,
    /// This service's name at the provider.
    pub client_id: String,
    /// This service's secret at the provider; without one it is a public client.
    pub client_secret: Option<SecretString>,
    /// The scopes requested from the provider, separated by spaces.
    pub scopes: String,
    /// Domains of verified email addresses, lower case; `None`: not checked.
    pub domains: Option<Vec<String>>,
    /// Domains whose email addresses count as verified when the provider says nothing about it, lower case.
    pub trusted_domains: Vec<String>,
    /// Groups, one of which an account must have; `None`: not checked.
    pub groups: Option<Vec<String>>,
    /// Groups that make an account an owner of the service; `None`: groups decide no role.
    pub owner_groups: Option<Vec<String>>,
    /// The page of this service to which the provider sends the browser back.
    pub redirect_url: String,
}

#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_field_names, reason = "a flag is named like its field")]
#[command(next_help_heading = "Sign-in with OpenID Connect")]
pub(super) struct OidcArgs {
    /// The provider whose accounts may sign in, such as `https://login.example.org`; needs `PUBLIC_URL` [default: none].
    #[arg(long, env = "OIDC_ISSUER", value_name = "URL", global = true)]
    oidc_issuer: Option<String>,
    /// The name of this service at the provider.
    #[arg(long, env = "OIDC_CLIENT_ID", value_name = "ID", global = true)]
    oidc_client_id: Option<String>,
    /// The secret of this service at the provider [default: a public client].
    #[arg(long, env = "OIDC_CLIENT_SECRET", value_name = "SECRET", global = true)]
    oidc_client_secret: Option<String>,
    /// A file that holds the secret of this service at the provider.
    #[arg(long, env = "OIDC_CLIENT_SECRET_FILE", value_name = "FILE", global = true)]
    oidc_client_secret_file: Option<String>,
    /// The scopes requested from the provider; some need a separate one for groups.
    #[arg(long, env = "OIDC_SCOPES", default_value = "openid email profile", value_name = "LIST", global = true)]
    oidc_scopes: String,
    /// Domains of verified email addresses that may sign in, separated by commas; `*`: every account of the provider.
    #[arg(long, env = "OIDC_ALLOWED_DOMAINS", value_name = "LIST", global = true)]
    oidc_allowed_domains: Option<String>,
    /// Domains whose email addresses count as verified when the provider does not say whether they are, as Entra ID does not;
    /// only for a provider whose accounts cannot choose their address.
    #[arg(long, env = "OIDC_TRUST_EMAIL_DOMAINS", value_name = "LIST", global = true)]
    oidc_trust_email_domains: Option<String>,
    /// Groups of the provider that may sign in, separated by commas. With domains, both must match.
    #[arg(long, env = "OIDC_ALLOWED_GROUPS", value_name = "LIST", global = true)]
    oidc_allowed_groups: Option<String>,
    /// Groups of the provider whose accounts are owners of the service, separated by commas; at each sign-in all others become
    /// hosts [default: roles are set by `quizhall host role` and by owners].
    #[arg(long, env = "OIDC_OWNER_GROUPS", value_name = "LIST", global = true)]
    oidc_owner_groups: Option<String>,
}

impl OidcArgs {
    pub(super) fn read(&self, public_url: Option<&str>, problems: &mut Problems) -> Option<Oidc> {
        let (secret, file) = (self.oidc_client_secret.as_deref(), self.oidc_client_secret_file.as_deref());
        let client_secret = problems.secret("OIDC_CLIENT_SECRET", secret, file);
        let client_id = given(self.oidc_client_id.as_deref());
        let (domains, groups) =
            (given(self.oidc_allowed_domains.as_deref()), given(self.oidc_allowed_groups.as_deref()));
        let owners = given(self.oidc_owner_groups.as_deref());
        let trusted = given(self.oidc_trust_email_domains.as_deref());
        for (variable, value, what) in
            [("OIDC_OWNER_GROUPS", owners, "groups"), ("OIDC_TRUST_EMAIL_DOMAINS", trusted, "domains")]
        {
            if value == Some(EVERYONE) {
                problems.add(variable, format!("is `*` and must name {what}."));
            }
        }
        if !self.oidc_scopes.split(' ').any(|scope| scope == "openid") {
            problems.add("OIDC_SCOPES", format!("is {:?} and must have `openid`.", self.oidc_scopes));
        }
        let set = [
            ("OIDC_CLIENT_ID", client_id.is_some()),
            ("OIDC_CLIENT_SECRET", client_secret.is_some()),
            ("OIDC_ALLOWED_DOMAINS", domains.is_some()),
            ("OIDC_TRUST_EMAIL_DOMAINS", trusted.is_some()),
            ("OIDC_ALLOWED_GROUPS", groups.is_some()),
            ("OIDC_OWNER_GROUPS", owners.is_some()),
        ];
        let Some(issuer) = given(self.oidc_issuer.as_deref()) else {
            refuse_without_issuer(&set, problems);
            return None;
        };
        if !is_issuer(issuer) {
            problems.add("OIDC_ISSUER", format!("is {issuer:?} and must be an https address without a query."));
        }
        if client_id.is_none() {
            problems.add("OIDC_CLIENT_ID", "is not set: the provider gives it to you.");
        }
        if public_url.is_none() {
            problems.add("PUBLIC_URL", "is not set: the provider has to send browsers back to it.");
        }
        if domains.is_none() && groups.is_none() {
            let sentence =
                "is not set, nor is OIDC_ALLOWED_GROUPS: say who may sign in (`*`: every account of the provider).";
            problems.add("OIDC_ALLOWED_DOMAINS", sentence);
        }
        Some(Oidc {
            issuer: issuer.to_owned(),
            client_id: client_id.unwrap_or_default().to_owned(),
            client_secret,
            scopes: self.oidc_scopes.clone(),
            domains: list(domains).map(|domains| lower_case(&domains)),
            trusted_domains: list(trusted).map(|domains| lower_case(&domains)).unwrap_or_default(),
            groups: list(groups),
            owner_groups: list(owners),
            redirect_url: format!("{}/host/signed-in", public_url.unwrap_or_default()),
        })
    }
}

fn refuse_without_issuer(set: &[(&str, bool)], problems: &mut Problems) {
    for (variable, _) in set.iter().filter(|(_, is_set)| *is_set) {
        problems.add(variable, "is set although OIDC_ISSUER is not.");
    }
}

fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn list(text: Option<&str>) -> Option<Vec<String>> {
    let text = text.filter(|text| *text != EVERYONE)?;
    Some(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
}

fn lower_case(domains: &[String]) -> Vec<String> {
    domains.iter().map(|domain| domain.to_lowercase()).collect()
}

fn is_issuer(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| is_trusted(&url) && url.query().is_none() && url.fragment().is_none())
}

/// Whether messages to this address cannot be read on the way: https, or this machine.
pub fn is_trusted(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}
