//! The provider's claims about a person: those of the ID token, and those of `userinfo` for claims that the token
//! lacks.
//!
//! Called only by `oidc`. A claim of another type than the standard's counts as absent: it neither admits the person
//! nor spoils the other claims. Claims are never logged.

use serde_json::{Map, Value};

use super::OidcError;
use crate::config::Oidc;

/// The claims about the person that are taken from `userinfo`. The email address and whether it is verified belong
/// together: half from each source would verify an address that the provider has not verified.
const OF_THE_PERSON: [&[&str]; 4] = [&["email", "email_verified"], &["groups"], &["name"], &["preferred_username"]];

pub(super) struct Claims(Map<String, Value>);

impl Claims {
    pub fn new(claims: Map<String, Value>) -> Self {
        Self(claims)
    }

    /// A claim that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The account's id at the provider; never empty in a valid ID token.
    pub fn subject(&self) -> &str {
        self.text("sub").unwrap_or_default()
    }

    /// Whether a claim is missing that the settings need to decide who may sign in, or in which role.
    pub fn lack_for_decision(&self, settings: &Oidc) -> bool {
        let by_groups = settings.groups.is_some() || settings.owner_groups.is_some();
        (settings.domains.is_some() && !self.say_if_verified(settings)) || (by_groups && self.groups().is_none())
    }

    /// Adds the missing claims from `userinfo`.
    ///
    /// # Errors
    /// [`OidcError::Refused`] when it belongs to another account.
    pub fn complete(&mut self, more: Option<Self>, settings: &Oidc) -> Result<(), OidcError> {
        let Some(more) = more else { return Ok(()) };
        if more.text("sub") != Some(self.subject()) {
            return Err(OidcError::Refused("userinfo is of another account than the ID token"));
        }
        for names in OF_THE_PERSON {
            let is_here = match names[0] {
                "email" => self.say_if_verified(settings),
                "groups" => self.groups().is_some(),
                name => self.text(name).is_some(),
            };
            if is_here || !more.0.contains_key(names[0]) {
                continue;
            }
            for name in names {
                self.0.insert((*name).to_owned(), more.0.get(*name).cloned().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Whether the person may sign in.
    ///
    /// # Errors
    /// The cause, for the operator, without naming the person.
    pub fn allowed_by(&self, settings: &Oidc) -> Result<(), &'static str> {
        if let Some(domains) = &settings.domains {
            let domain = self.domain().ok_or("the provider gives no email address: ask for the scope `email`")?;
            match self.verified() {
                Some(true) => {}
                None if settings.trusted_domains.contains(&domain) => {}
                Some(false) => return Err("the email address is not verified"),
                None => {
                    return Err(
                        "the provider does not say whether it has verified the email address: OIDC_TRUST_EMAIL_DOMAINS",
                    );
                }
            }
            if !domains.contains(&domain) {
                return Err("the domain of the email address is not one of OIDC_ALLOWED_DOMAINS");
            }
        }
        match &settings.groups {
            Some(groups) if self.groups().is_none() => Err(self.why_no_groups()),
            Some(groups) if !self.is_in(groups) => Err("none of the account's groups is one of OIDC_ALLOWED_GROUPS"),
            _ => Ok(()),
        }
    }

    /// Whether the account is in one of these groups.
    pub fn is_in(&self, groups: &[String]) -> bool {
        self.groups().unwrap_or_default().iter().any(|group| groups.iter().any(|known| known == group))
    }

    /// Names for an account, the best first.
    pub fn names(&self) -> Vec<String> {
        let local = self.text("email").and_then(|email| email.split('@').next());
        let names = [self.text("name"), self.text("preferred_username"), local];
        names.into_iter().flatten().map(str::to_owned).collect()
    }

    /// A list of names, or one name.
    fn groups(&self) -> Option<Vec<&str>> {
        match self.0.get("groups")? {
            Value::Array(list) => Some(list.iter().filter_map(Value::as_str).collect()),
            Value::String(one) => Some(vec![one]),
            _ => None,
        }
    }

    /// The domain of the email address, lower case.
    fn domain(&self) -> Option<String> {
        self.text("email").and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain.to_lowercase())
    }

    /// A boolean, which some providers write as text.
    fn verified(&self) -> Option<bool> {
        match self.0.get("email_verified")? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether there is an email address, and either a claim on whether it is verified or a setting that makes the
    /// claim unnecessary.
    fn say_if_verified(&self, settings: &Oidc) -> bool {
        self.domain().is_some_and(|domain| self.verified().is_some() || settings.trusted_domains.contains(&domain))
    }

    fn why_no_groups(&self) -> &'static str {
        let elsewhere = self.0.get("_claim_names").and_then(Value::as_object);
        if elsewhere.is_some_and(|names| names.contains_key("groups")) || self.0.contains_key("hasgroups") {
            "the account has too many groups for a token (`_claim_names`): let the provider send only groups assigned to this service"
        } else {
            "the provider gives no groups: a scope may be missing in OIDC_SCOPES"
        }
    }
}
