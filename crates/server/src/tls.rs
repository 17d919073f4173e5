//! Encrypted connections, with a certificate and a key from files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use throughline_text::error_chain;
use tokio_rustls::TlsAcceptor;

/// What clients and server speak behind the handshake.
const PROTOCOL: &[u8] = b"http/1.1";

/// Between two readings of the files.
const HOUR: Duration = Duration::from_secs(3_600);

/// The certificate of a server with its key. Both are read again while the server runs.
#[derive(Debug, Clone)]
pub struct ServerTls {
    certificates: PathBuf,
    key: PathBuf,
    config: Arc<RwLock<Arc<ServerConfig>>>,
}

/// Why a certificate and a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or has no such part.
    #[error("the {part} cannot be read from {}: it must be a file in the form PEM", path.display())]
    File {
        /// `certificate` or `key`.
        part: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: PemError,
    },
    /// The file of certificates has none.
    #[error("{} has no certificate in the form PEM", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// They do not belong together, or are of a kind that is not supported.
    #[error("the certificate of {} and the key of {} cannot be used together", certificates.display(), key.display())]
    Unusable {
        /// The file of certificates.
        certificates: PathBuf,
        /// The file of the key.
        key: PathBuf,
        /// Why not.
        source: rustls::Error,
    },
}

impl ServerTls {
    /// The certificates of a file, that of the server first, and the key of another one, both in the form PEM.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn of_files(certificates: &Path, key: &Path) -> Result<Self, TlsError> {
        let config = read(certificates, key)?;
        let (certificates, key) = (certificates.to_owned(), key.to_owned());
        Ok(Self { certificates, key, config: Arc::new(RwLock::new(config)) })
    }

    /// Reads both files again every hour, and never returns. Open connections do not change; where the files cannot
    /// be used, new ones have the certificate before.
    pub(crate) async fn reload_hourly(self) {
        loop {
            tokio::time::sleep(HOUR).await;
            match read(&self.certificates, &self.key) {
                Ok(config) => *self.config.write().unwrap_or_else(PoisonError::into_inner) = config,
                Err(error) => tracing::warn!(error = error_chain(&error), "the old certificate stays in use"),
            }
        }
    }

    /// What makes the handshake with the next client.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn read(certificates: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let file = |part, path: &Path, source| TlsError::File { part, path: path.to_owned(), source };
    let chain = CertificateDer::pem_file_iter(certificates).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| file("certificate", certificates, error))?;
    if chain.is_empty() {
        return Err(TlsError::Empty { path: certificates.to_owned() });
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| file("key", key, error))?;
    let unusable =
        |source| TlsError::Unusable { certificates: certificates.to_owned(), key: key.to_owned(), source };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(unusable)?;
    config.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(Arc::new(config))
}
