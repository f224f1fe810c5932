//! TLS: the trusted certificates, and the meaning of a failed handshake.
//!
//! Made by an [`super::Endpoint`] for `https`. Trusts the certificate authorities of the system (`SSL_CERT_FILE` and
//! `SSL_CERT_DIR` name others) and those of one more file. Never skips verification.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};

use super::TransportError;
use super::endpoint::EndpointError;

/// The verified identity of a server: its name, and the authorities that may certify it. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tls {
    pub config: Arc<ClientConfig>,
    pub name: ServerName<'static>,
}

impl Tls {
    /// Loads the certificate authorities; `ca` is a file of further ones in PEM.
    pub fn new(host: &str, ca: Option<&Path>) -> Result<Self, EndpointError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| EndpointError::NotAnAddress)?;
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(path) = ca {
            let (added, _) = roots.add_parsable_certificates(certificates(path)?);
            if added == 0 {
                return Err(unusable(path, "it has no certificate"));
            }
        }
        if roots.is_empty() {
            return Err(EndpointError::NoAuthorities);
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has the cipher suites of TLS 1.2 and 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), name })
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, EndpointError> {
    let read = |error| match error {
        rustls::pki_types::pem::Error::Io(error) => unusable(path, &error.to_string()),
        error => unusable(path, &error.to_string()),
    };
    CertificateDer::pem_file_iter(path).map_err(read)?.collect::<Result<_, _>>().map_err(read)
}

fn unusable(path: &Path, reason: &str) -> EndpointError {
    EndpointError::Authority { file: path.to_owned(), reason: reason.to_owned() }
}

/// The meaning of a failed handshake with `host`.
pub(super) fn failure(host: &str, error: io::Error) -> TransportError {
    let host = host.to_owned();
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(rustls::Error::InvalidCertificate(why)) => TransportError::Certificate { host, reason: words(why) },
        Some(why) => TransportError::Tls { host, reason: why.to_string() },
        None => TransportError::Io(error),
    }
}

fn words(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => "its issuer is unknown here, and a CA file can make it known".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it was issued for another name".to_owned()
        }
        other => other.to_string(),
    }
}
