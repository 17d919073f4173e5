//! What a server answers to someone without a login.

use std::collections::BTreeMap;

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, HeaderMap, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use rmcp::model::ProtocolVersion;
use serde_json::json;

use crate::http;

/// The answer to a first message without a token.
#[derive(Debug)]
pub(crate) struct Challenge {
    /// The server takes the message.
    pub(crate) is_open: bool,
    /// Its `WWW-Authenticate` header, which may name the authorization server and the scopes.
    pub(crate) header: Option<String>,
}

impl Challenge {
    /// Sends the first message of a session.
    ///
    /// # Errors
    /// There is no answer, or it is that of a broken server.
    pub(crate) async fn of(url: &str, headers: &BTreeMap<String, String>) -> Result<Self, String> {
        let client = http::client(url, Policy::none()).map_err(|error| http::describe(&error))?;
        let headers = headers.iter().map(|(name, value)| http::header(name, value));
        let headers = headers.collect::<Result<HeaderMap, String>>()?;
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": ProtocolVersion::LATEST, "capabilities": {},
            "clientInfo": {"name": "throughline", "version": env!("CARGO_PKG_VERSION")},
        }});
        let request = client.post(url).header(ACCEPT, "application/json, text/event-stream");
        let sent = request.headers(headers).json(&message).timeout(http::CONNECT * 3).send().await;
        let answer = sent.map_err(|error| http::describe(&error))?;
        let status = answer.status();
        if status.is_server_error() || status.is_redirection() || status == StatusCode::NOT_FOUND {
            return Err(format!("it answers HTTP {status}; check its address"));
        }
        let header = answer.headers().get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
        Ok(Self { is_open: status.is_success(), header: header.map(str::to_owned) })
    }
}
