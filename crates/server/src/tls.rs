//! The cryptography of TLS to databases: one provider for the whole process, chosen before anything connects.

/// Chooses the provider; a second call changes nothing.
pub fn choose_provider() {
    // An error means that a provider is chosen already, which is fine.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}
