//! A service with an OpenID Connect provider on loopback, and sign-ins with it as a browser makes them.

use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, Stage};
use crate::oidc_provider::{CLIENT, MockProvider, Return, SECRET, Signature};

/// A service with a provider.
pub struct Place {
    pub provider: MockProvider,
    pub stage: Stage,
}

/// A sign-in after the provider has sent the browser back.
pub struct Back {
    pub at: Return,
    pub verifier: String,
}

impl Place {
    pub async fn new(settings: &[(&str, &str)]) -> Self {
        Self::at(MockProvider::start().await, settings).await
    }

    /// A service with this provider.
    pub async fn at(provider: MockProvider, settings: &[(&str, &str)]) -> Self {
        let issuer = provider.issuer().to_owned();
        let mut all =
            vec![("OIDC_ISSUER", issuer.as_str()), ("OIDC_CLIENT_ID", CLIENT), ("OIDC_CLIENT_SECRET", SECRET)];
        all.extend_from_slice(settings);
        let stage = Stage::with(&all).await;
        Self { provider, stage }
    }

    pub async fn open() -> Self {
        Self::new(&[("OIDC_ALLOWED_DOMAINS", "*")]).await
    }

    pub async fn begin(&self) -> Value {
        let reply = self.stage.send(Ask::new("POST", "/api/v1/oidc/attempts")).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()
    }

    pub async fn back(&self, claims: &Value, signature: Signature) -> Back {
        let begun = self.begin().await;
        let at = self.provider.sign_in(begun["url"].as_str().unwrap(), claims, signature);
        Back { at, verifier: begun["verifier"].as_str().unwrap().to_owned() }
    }

    pub async fn finish(&self, back: &Back) -> Reply {
        let body = json!({"state": back.at.state, "code": back.at.code, "verifier": back.verifier});
        self.stage.send(Ask::post("/api/v1/oidc/sessions", &body)).await
    }

    pub async fn sign_in(&self, claims: &Value) -> Reply {
        self.finish(&self.back(claims, Signature::Right).await).await
    }
}
