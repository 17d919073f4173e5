//! A login to a server, by OAuth with a browser.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use rmcp::transport::{AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession};
use throughline_text::error_chain;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, timeout_at};

use crate::authorization::{known_client, manager};
use crate::callback::{Callbacks, Page};
use crate::challenge::Challenge;
use crate::config::{ServerConfig, Transport};
use crate::http;
use crate::login_answer::LoginAnswer;
use crate::login_error::LoginError;
use crate::login_store::LoginStore;
use crate::redact::Redactor;
use crate::stored_login::LoginFile;

/// Minutes that the user has to log in.
const MINUTES: u64 = 10;

/// A login that waits for the user. Dropping it ends it.
pub struct Login {
    session: AuthorizationSession,
    callbacks: Callbacks,
    state: String,
    redactor: Redactor,
}

/// Whether a server is logged in to, as far as is known without asking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginState {
    /// There is a token that has not expired, or that can be renewed.
    LoggedIn,
    /// There was a login, and the server takes it no more.
    Ended,
    /// There is no login.
    None,
    /// The server has no use for one: it is a program, or is configured with a key.
    Unused,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").finish_non_exhaustive()
    }
}

impl Login {
    /// Asks the server which authorization server it has, registers a client there unless the configuration names one, and
    /// waits for the redirect on this machine.
    ///
    /// # Errors
    /// Why there can be no login, and what to do.
    pub async fn begin(config: &ServerConfig, store: Arc<dyn LoginStore>) -> Result<Self, LoginError> {
        let file = file(config, store)?;
        let redactor = Redactor::of(config);
        let Transport::Http { url, headers } = &config.transport else { return Err(LoginError::Program) };
        let challenge =
            Challenge::of(url, headers).await.map_err(|why| LoginError::Unreachable(redactor.line(&why)))?;
        let unsupported = |error: &AuthError| LoginError::Unsupported(redactor.line(&error_chain(error)));
        let mut manager = manager(url).await.map_err(|error| unsupported(&error))?;
        let found = manager.resolve_metadata_from_challenge(challenge.header.as_deref()).await;
        let found = found.map_err(|error| unsupported(&error))?;
        if challenge.is_open && !found.source.is_discovered() {
            return Err(LoginError::NotNeeded);
        }
        manager.set_metadata(found.metadata);
        let options = &config.oauth;
        let callbacks = Callbacks::listen(options.callback_port).await.map_err(|error| LoginError::Port {
            port: options.callback_port.unwrap_or(0),
            why: error.to_string(),
        })?;
        let scopes = if options.scopes.is_empty() {
            manager.select_initial_scopes(&[]).await
        } else {
            options.scopes.clone()
        };
        let redirect = callbacks.address();
        let client = match &options.client_id {
            Some(id) => known_client(id, options.client_secret.clone(), &redirect),
            None => {
                let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
                let registered = manager.register_client("throughline", &redirect, &scopes).await;
                registered.map_err(|error| LoginError::Unregistered {
                    why: redactor.line(&error_chain(&error)),
                    redirect: redirect.clone(),
                    port: callbacks.port(),
                })?
            }
        };
        client.client_secret.iter().for_each(|secret| redactor.learn(secret));
        manager.set_credential_store(file.with_secret(client.client_secret.clone()));
        let mut request = AuthorizationRequest::new(redirect)
            .with_scopes(scopes)
            .with_preregistered_client(client.client_id);
        request.client_secret = client.client_secret;
        Self::ask(manager, request, callbacks, redactor).await
    }

    async fn ask(
        manager: AuthorizationManager,
        request: AuthorizationRequest,
        callbacks: Callbacks,
        redactor: Redactor,
    ) -> Result<Self, LoginError> {
        let session = AuthorizationSession::new(manager, request)
            .await
            .map_err(|(_, error)| LoginError::Unsupported(redactor.line(&error_chain(&error))))?;
        let state = state(session.get_authorization_url())
            .ok_or_else(|| LoginError::Unsupported("the address of its login is invalid".to_owned()))?;
        redactor.learn(&state);
        Ok(Self { session, callbacks, state, redactor })
    }

    /// The address that the user opens in a browser.
    #[must_use]
    pub fn url(&self) -> &str {
        self.session.get_authorization_url()
    }

    /// Waits until the browser comes back, or the user pastes where it was sent to: the whole address, or the code alone. Then
    /// stores the login. `complain` gets a line for each answer that belongs to another login; the wait continues.
    ///
    /// # Errors
    /// Why there is no login. An older one stays.
    pub async fn finish(
        mut self,
        mut pasted: UnboundedReceiver<String>,
        complain: impl Fn(&str),
    ) -> Result<(), LoginError> {
        let until = Instant::now() + Duration::from_secs(MINUTES * 60);
        let mut may_paste = true;
        loop {
            let next = async {
                tokio::select! {
                    callback = self.callbacks.next() => callback.map(|callback| (callback.query.clone(), Some(callback))),
                    text = pasted.recv(), if may_paste => text.map(|text| (text, None)),
                }
            };
            let (text, callback) = match timeout_at(until, next).await {
                Err(_) => return Err(LoginError::TimedOut(MINUTES)),
                // The input has ended; the browser may still come back.
                Ok(None) => {
                    may_paste = false;
                    continue;
                }
                Ok(Some(next)) => next,
            };
            let answer = match &callback {
                Some(_) => LoginAnswer::of_query(&text, &self.state),
                None => LoginAnswer::of_paste(&text, &self.state),
            };
            let (result, page) = match answer {
                LoginAnswer::Foreign(why) => {
                    complain(why);
                    (None, Page::Foreign)
                }
                LoginAnswer::Refused(why) => {
                    (Some(Err(LoginError::Refused(self.redactor.line(&why)))), Page::Failed)
                }
                LoginAnswer::Code { code, issuer } => match self.exchange(&code, issuer.as_deref()).await {
                    Ok(()) => (Some(Ok(())), Page::Done),
                    Err(error) => (Some(Err(error)), Page::Failed),
                },
            };
            if let Some(callback) = callback {
                callback.answer(page).await;
            }
            if let Some(result) = result {
                return result;
            }
        }
    }

    async fn exchange(&self, code: &str, issuer: Option<&str>) -> Result<(), LoginError> {
        self.redactor.learn(code);
        match self.session.handle_callback_with_issuer(code, &self.state, issuer).await {
            Ok(_) => Ok(()),
            Err(AuthError::CredentialStoreError(why)) => {
                Err(LoginError::Store(format!("the login could not be stored: {why}")))
            }
            Err(error) => Err(LoginError::NoToken(self.redactor.line(&error_chain(&error)))),
        }
    }
}

impl LoginState {
    /// The state of a server, from what is stored alone.
    #[must_use]
    pub fn of(config: &ServerConfig, store: Arc<dyn LoginStore>) -> Self {
        let Ok(file) = file(config, store) else { return Self::Unused };
        match file.read() {
            Ok(None) => Self::None,
            // A damaged file is replaced by a login.
            Err(_) => Self::Ended,
            Ok(Some(login)) => match login.tokens() {
                Some(tokens) if !tokens.is_expired() || tokens.refresh_token.is_some() => Self::LoggedIn,
                _ => Self::Ended,
            },
        }
    }
}

/// Deletes the login to a server. Returns false if no login is stored.
///
/// # Errors
/// It has no use for one, or the file cannot be deleted.
pub fn log_out(config: &ServerConfig, store: Arc<dyn LoginStore>) -> Result<bool, LoginError> {
    file(config, store)?.remove().map_err(LoginError::Store)
}

fn file(config: &ServerConfig, store: Arc<dyn LoginStore>) -> Result<LoginFile, LoginError> {
    match &config.transport {
        Transport::Stdio { .. } | Transport::Local(_) => Err(LoginError::Program),
        Transport::Http { headers, .. } if http::has_key(headers) => Err(LoginError::HasKey),
        Transport::Http { .. } => LoginFile::of(config, store).ok_or(LoginError::Unencrypted),
    }
}

/// The state in the address of a login, which its redirect has to repeat.
fn state(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned())
}
