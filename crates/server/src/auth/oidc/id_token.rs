//! The ID token: its signature, issuer, audience, times and subject.
//!
//! Called only by `oidc`. Signatures by a shared secret are never accepted, nor is a key that the provider publishes
//! for a purpose other than signatures. `claims` reads what the token says about the person.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde_json::{Map, Value};

use super::OidcError;
use super::claims::Claims;
use crate::clock;
use crate::config::Oidc;

/// The accepted signature algorithms: by a private key of the provider.
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

/// The claims of an unexpired token that the provider has signed for this service.
///
/// # Errors
/// [`OidcError::Refused`].
pub(super) fn verify(token: &str, keys: &[Jwk], settings: &Oidc) -> Result<Claims, OidcError> {
    let header = decode_header(token).map_err(|_| OidcError::Refused("the ID token cannot be read"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(OidcError::Refused("the ID token is signed with another algorithm"));
    }
    if header.crit.is_some() {
        return Err(OidcError::Refused("the ID token has a critical header, and none is known here"));
    }
    let key = key_of(keys, &header).ok_or(OidcError::Refused("the provider has no such key for signatures"))?;
    let key = DecodingKey::from_jwk(key).map_err(|_| OidcError::Refused("the provider's key cannot be used"))?;
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY;
    validation.validate_nbf = true;
    validation.set_audience(&[&settings.client_id]);
    validation.set_issuer(&[&settings.issuer]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let token = decode::<Map<String, Value>>(token, &key, &validation);
    let claims = token.map_err(|error| OidcError::Refused(cause_of(error.kind())))?.claims;
    check(&claims, settings).map_err(OidcError::Refused)?;
    Ok(Claims::new(claims))
}

fn cause_of(error: &ErrorKind) -> &'static str {
    match error {
        ErrorKind::InvalidSignature => "the signature of the ID token is wrong",
        ErrorKind::ExpiredSignature => "the ID token has expired",
        ErrorKind::ImmatureSignature => "the ID token is not valid yet: compare the clocks",
        ErrorKind::InvalidIssuer => "the ID token is of another issuer",
        ErrorKind::InvalidAudience => "the ID token is for another service",
        ErrorKind::MissingRequiredClaim(_) => "the ID token lacks its issuer, audience, subject or time",
        _ => "the ID token is not valid",
    }
}

/// The checks that the library does not make.
fn check(claims: &Map<String, Value>, settings: &Oidc) -> Result<(), &'static str> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss").is_none() {
        return Err("the ID token names its issuer in a list");
    }
    let is_client = |party: &Value| party.as_str() == Some(&settings.client_id);
    let is_for_others = claims.get("aud").and_then(Value::as_array).is_some_and(|all| !all.iter().all(is_client));
    let azp = claims.get("azp").filter(|party| !party.is_null());
    if is_for_others && azp.is_none() {
        return Err("the ID token is for other services too and does not say which one asked for it");
    }
    if azp.is_some_and(|party| !is_client(party)) {
        return Err("another service asked for the ID token");
    }
    let latest = clock::unix_ms() / 1_000 + i64::try_from(LEEWAY).unwrap_or_default();
    #[allow(clippy::cast_precision_loss, reason = "seconds since 1970 are exact in a double")]
    if claims.get("iat").and_then(Value::as_f64).is_some_and(|issued| issued > latest as f64) {
        return Err("the ID token was issued in the future: compare the clocks");
    }
    let is_subject = |text: &str| !text.is_empty() && text.len() <= LONGEST_SUBJECT && !text.contains(char::is_control);
    if text("sub").is_some_and(is_subject) { Ok(()) } else { Err("the ID token names no account") }
}

/// The signature key with this name; without a name, the only one that fits.
fn key_of<'a>(keys: &'a [Jwk], header: &Header) -> Option<&'a Jwk> {
    let mut fitting = keys.iter().filter(|key| is_for_signatures(key, header.alg));
    match &header.kid {
        Some(name) => fitting.find(|key| key.common.key_id.as_ref() == Some(name)),
        None => fitting.next().filter(|_| fitting.next().is_none()),
    }
}

fn is_for_signatures(key: &Jwk, algorithm: Algorithm) -> bool {
    let common = &key.common;
    common.public_key_use.as_ref().is_none_or(|purpose| *purpose == PublicKeyUse::Signature)
        && common.key_operations.as_ref().is_none_or(|all| all.contains(&KeyOperations::Verify))
        && common.key_algorithm.is_none_or(|known| known == KeyAlgorithm::from(algorithm))
}
