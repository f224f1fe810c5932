//! The ID token: its signature, issuer, audience and times, and what is read from it.
//!
//! Called by `oidc` alone. Signatures by a shared secret are never accepted.

use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;

use super::OidcError;
use crate::config::Oidc;

/// The algorithms whose signatures are accepted: by a private key of the provider.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Seconds by which the provider's clock may differ.
const LEEWAY: u64 = 60;

/// The longest subject, by the standard.
const LONGEST_SUBJECT: usize = 255;

/// What is read from a valid ID token.
#[derive(Deserialize)]
pub(super) struct Claims {
    pub sub: String,
    pub nonce: Option<String>,
    azp: Option<String>,
    email: Option<String>,
    #[serde(default)]
    email_verified: Answer,
    /// A list of names, or one name; what else a provider sends is no group.
    #[serde(default)]
    groups: Value,
    name: Option<String>,
    preferred_username: Option<String>,
}

/// Yes or no, which some providers write as a text.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Answer {
    Flag(bool),
    Text(String),
    #[default]
    Missing,
}

impl Claims {
    /// The domain of the account's email address, lower case, if the provider has verified the address.
    pub fn verified_domain(&self) -> Option<String> {
        let is_verified = match &self.email_verified {
            Answer::Flag(flag) => *flag,
            Answer::Text(text) => text == "true",
            Answer::Missing => false,
        };
        let (_, domain) = self.email.as_deref().filter(|_| is_verified)?.rsplit_once('@')?;
        Some(domain.to_lowercase())
    }

    /// Whether the account is in one of these groups.
    pub fn is_in(&self, groups: &[String]) -> bool {
        let is_one = |group: &Value| group.as_str().is_some_and(|group| groups.iter().any(|known| known == group));
        match &self.groups {
            Value::Array(list) => list.iter().any(is_one),
            one => is_one(one),
        }
    }

    /// Names for an account, the best first.
    pub fn names(self) -> Vec<String> {
        let local = self.email.as_deref().and_then(|email| email.split('@').next()).map(str::to_owned);
        [self.name, self.preferred_username, local].into_iter().flatten().collect()
    }
}

/// The claims of a token that the provider has signed for this service and that has not expired.
///
/// # Errors
/// [`OidcError::Refused`].
pub(super) fn verify(token: &str, keys: &JwkSet, settings: &Oidc) -> Result<Claims, OidcError> {
    let header = decode_header(token).map_err(|_| OidcError::Refused("the ID token cannot be read"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(OidcError::Refused("the ID token is signed with another algorithm"));
    }
    let key = key_of(keys, header.kid.as_deref()).ok_or(OidcError::Refused("the provider has no such key"))?;
    let key = DecodingKey::from_jwk(key).map_err(|_| OidcError::Refused("the provider's key cannot be used"))?;
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY;
    validation.validate_nbf = true;
    validation.set_audience(&[&settings.client_id]);
    validation.set_issuer(&[&settings.issuer]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let claims: Claims =
        decode(token, &key, &validation).map_err(|_| OidcError::Refused("the ID token is not valid"))?.claims;
    if claims.azp.as_ref().is_some_and(|party| *party != settings.client_id) {
        return Err(OidcError::Refused("the ID token is for another service"));
    }
    if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
        return Err(OidcError::Refused("the ID token names no account"));
    }
    Ok(claims)
}

/// The key of this name; without a name the only one.
fn key_of<'a>(keys: &'a JwkSet, name: Option<&str>) -> Option<&'a Jwk> {
    match (name, keys.keys.as_slice()) {
        (Some(name), _) => keys.find(name),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}
