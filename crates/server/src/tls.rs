//! TLS of connections that the service opens: one provider of cryptography for the whole process, chosen before anything
//! connects, and clients of HTTP that trust the machine's certificate authorities.

use reqwest::{Client, ClientBuilder};

/// Chooses the provider; a second call changes nothing.
pub fn choose_provider() {
    // An error means that a provider is chosen already, which is fine.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// A client of HTTP with these options, which trusts the machine's certificate authorities. Where none is installed, no
/// certificate is trusted: requests to `https` addresses fail, and the log says why.
pub fn client(options: impl Fn() -> ClientBuilder) -> Client {
    options().build().unwrap_or_else(|_| {
        tracing::warn!(
            "this machine has no certificate authorities: webhooks and sign-in reach no https address until ca-certificates is installed"
        );
        options().tls_certs_only([]).build().expect("a client with a TLS provider and fixed options")
    })
}
