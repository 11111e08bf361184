//! Encrypted connections: what is tried in which order, and what is checked of the server.

use std::io;
use std::path::Path;
use std::sync::Arc;

use haggle_model::{Error, Problem};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::refusal::refusal;
use super::ssl::{Mode, SslSettings, is_local};

/// Connects as the settings ask, and has the connection served by the current runtime.
pub(super) async fn connect(
    config: &mut Config,
    ssl: &SslSettings,
    name: &Path,
) -> Result<Client, Error> {
    if is_plain(config, ssl) {
        return attempt(config, SslMode::Disable, NoTls).await.map_err(refusal(name));
    }
    let tls = MakeRustlsConnect::new(client_config(ssl)?);
    match ssl.mode {
        Mode::Disable | Mode::Allow => match attempt(config, SslMode::Disable, NoTls).await {
            Err(refused)
                if refused.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) =>
            {
                attempt(config, SslMode::Require, tls).await
            }
            other => other,
        },
        Mode::Prefer => match attempt(config, SslMode::Prefer, tls).await {
            // A server that says it can encrypt, and cannot.
            Err(failed) if failed.to_string().contains("TLS handshake") => {
                attempt(config, SslMode::Disable, NoTls).await
            }
            other => other,
        },
        Mode::Require | Mode::VerifyCa | Mode::VerifyFull => {
            attempt(config, SslMode::Require, tls).await
        }
    }
    .map_err(refusal(name))
}

/// Returns whether a connection is never encrypted.
pub(super) fn is_plain(config: &Config, ssl: &SslSettings) -> bool {
    is_local(config) || ssl.mode == Mode::Disable
}

/// Asks the server to cancel what a connection has it do, by another connection of the same kind; without
/// settings, one that is never encrypted. Where that fails, nothing happens.
pub(super) async fn cancel(client: &Client, ssl: Option<&SslSettings>) {
    let token = client.cancel_token();
    let _ = match ssl.map(client_config) {
        Some(Ok(config)) => token.cancel_query(MakeRustlsConnect::new(config)).await,
        Some(Err(_)) | None => token.cancel_query(NoTls).await,
    };
}

async fn attempt<T>(
    config: &mut Config,
    mode: SslMode,
    tls: T,
) -> Result<Client, tokio_postgres::Error>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
{
    config.ssl_mode(mode);
    let (client, connection) = config.connect(tls).await?;
    tokio::spawn(async move {
        // The next statement fails and reports that the connection is gone.
        let _ = connection.await;
    });
    Ok(client)
}

fn client_config(ssl: &SslSettings) -> Result<ClientConfig, Error> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(ServerCheck::new(ssl, &provider)?);
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Problem::new(format!("TLS cannot be used ({error})")))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let Some((certificate, key)) = &ssl.client else { return Ok(builder.with_no_client_auth()) };
    check_key(key)?;
    let chain = certificates(certificate)?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|_| unreadable(key, "a private key"))?;
    builder.with_client_auth_cert(chain, secret).map_err(|_| {
        let what = "the client certificate and its key do not go together";
        Problem::new(what).file(certificate).fix("check sslcert and sslkey").into()
    })
}

fn unreadable(file: &Path, what: &str) -> Problem {
    let fix = "name a file in PEM form";
    Problem::new(format!("{what} cannot be read from this file")).file(file).fix(fix)
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let all = CertificateDer::pem_file_iter(file).map_err(|_| unreadable(file, "a certificate"))?;
    let all: Vec<_> =
        all.collect::<Result<_, _>>().map_err(|_| unreadable(file, "a certificate"))?;
    if all.is_empty() { Err(unreadable(file, "a certificate").into()) } else { Ok(all) }
}

/// As libpq does, refuses a key that others can read.
fn check_key(key: &Path) -> Result<(), Error> {
    let found = std::fs::metadata(key).map_err(Error::io(key))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let allowed = if found.uid() == 0 { 0o640 } else { 0o600 };
        if found.permissions().mode() & 0o777 & !allowed != 0 {
            let problem = Problem::new("others can read or write the client's key").file(key);
            return Err(problem.fix("set its permissions to 0600").into());
        }
    }
    if found.is_file() { Ok(()) } else { Err(Error::io(key)(io::ErrorKind::InvalidInput.into())) }
}

/// What is checked of a server: that it holds the key of its certificate, always; and who signed it and
/// which host it is for, as the mode asks.
#[derive(Debug)]
struct ServerCheck {
    chain: Option<Arc<WebPkiServerVerifier>>,
    checks_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCheck {
    fn new(ssl: &SslSettings, provider: &Arc<CryptoProvider>) -> Result<Self, Error> {
        let algorithms = provider.signature_verification_algorithms;
        let checks_name = ssl.mode == Mode::VerifyFull;
        if !ssl.checks_certificate() {
            return Ok(Self { chain: None, checks_name, algorithms });
        }
        let Some(file) = &ssl.roots else {
            let what =
                "sslmode asks to check the server's certificate, and there is no root certificate";
            let fix = "set sslrootcert or PGSSLROOTCERT, or put it into ~/.postgresql/root.crt";
            return Err(Problem::new(what).fix(fix).into());
        };
        let mut roots = RootCertStore::empty();
        for certificate in certificates(file)? {
            roots.add(certificate).map_err(|_| unreadable(file, "a root certificate"))?;
        }
        let chain = WebPkiServerVerifier::builder_with_provider(roots.into(), provider.clone());
        let chain = chain.build().map_err(|_| unreadable(file, "a root certificate"))?;
        Ok(Self { chain: Some(chain), checks_name, algorithms })
    }
}

impl ServerCertVerifier for ServerCheck {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(own, others, name, ocsp, now) {
            // The name is looked at last, so the chain is sound.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.checks_name => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
