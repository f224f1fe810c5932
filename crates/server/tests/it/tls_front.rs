//! A TLS front on loopback, like a reverse proxy: it has a certificate of its own authority, and passes bytes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// A front that listens but does not forward yet.
pub struct Front {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    /// The certificate of its authority.
    pub ca: PathBuf,
    /// `https://localhost:port`.
    pub url: String,
}

/// Forwards until it is dropped.
pub struct Forwarding(JoinHandle<()>);

impl Drop for Forwarding {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Front {
    /// Listens with a certificate for this name; the authority's certificate is written to the folder.
    pub async fn listen(folder: &Path, name: &str) -> Self {
        let mut authority = CertificateParams::new([]).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        authority.distinguished_name.push(DnType::CommonName, "An authority of this test");
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let ca = folder.join("ca.pem");
        fs::write(&ca, authority.pem()).unwrap();

        let key = KeyPair::generate().unwrap();
        let mut own = CertificateParams::new([name.to_owned()]).unwrap();
        own.use_authority_key_identifier_extension = true;
        let own = own.signed_by(&key, &authority).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![own.der().clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        Self { listener, acceptor: TlsAcceptor::from(Arc::new(config)), ca, url }
    }

    /// Passes every connection on to this `http://host:port`.
    pub fn forward(self, server: &str) -> Forwarding {
        let (server, acceptor) = (server.strip_prefix("http://").unwrap().to_owned(), self.acceptor);
        Forwarding(tokio::spawn(async move {
            while let Ok((client, _)) = self.listener.accept().await {
                tokio::spawn(pass(acceptor.clone(), client, server.clone()));
            }
        }))
    }
}

/// Ends with either side, or when the client aborts the handshake.
async fn pass(acceptor: TlsAcceptor, client: TcpStream, server: String) {
    let Ok(mut client) = acceptor.accept(client).await else { return };
    let mut server = TcpStream::connect(server).await.unwrap();
    let _ = copy_bidirectional(&mut client, &mut server).await;
}
