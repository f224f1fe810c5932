//! Which cryptography TLS to databases uses: one provider for the whole process, chosen before anything connects.

/// Chooses the provider; a second call changes nothing.
pub fn choose_provider() {
    // An error says that one is chosen already, which is what is wanted.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}
