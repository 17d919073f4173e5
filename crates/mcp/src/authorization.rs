//! The SDK's side of a login.

use rmcp::transport::auth::OAuthClientConfig;
use rmcp::transport::{AuthError, AuthorizationManager};

use crate::http;

/// What asks the authorization server of this address. Hosts that the server names are asked at public and private addresses; at
/// this machine only if the server is there, too.
///
/// # Errors
/// The address or the TLS configuration cannot be used.
pub(crate) async fn manager(url: &str) -> Result<AuthorizationManager, AuthError> {
    http::install_provider();
    AuthorizationManager::new_allowing_private_addresses(url).await
}

/// A client that is not registered now, because it was before.
pub(crate) fn known_client(id: &str, secret: Option<String>, redirect: &str) -> OAuthClientConfig {
    let config = OAuthClientConfig::new(id, redirect);
    match secret {
        Some(secret) => config.with_client_secret(secret),
        None => config,
    }
}
