//! The authorization server: metadata (RFC 8414, RFC 9728), registration (RFC 7591), codes with PKCE and tokens (RFC 6749, RFC 7636).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::grants::{Code, Grants};
use crate::http::Request;
use crate::reply::Reply;

pub(super) fn answer(state: &mut Grants, request: &Request) -> Reply {
    match (request.head.method.as_str(), request.head.path.as_str()) {
        ("GET", "/.well-known/oauth-protected-resource/mcp") => Reply::json(
            200,
            &json!({
                "resource": format!("{}/mcp", state.issuer),
                "authorization_servers": [state.issuer],
                "scopes_supported": ["tools", "more"],
            }),
        ),
        ("GET", "/.well-known/oauth-authorization-server") => Reply::json(200, &metadata(state)),
        ("POST", "/register") if state.registers => register(state, &request.body),
        ("GET", "/authorize") => authorize(state, &fields(&request.head.query)),
        ("POST", "/token") => token(state, &fields(&String::from_utf8_lossy(&request.body))),
        _ => Reply::json(404, &json!({"error": "not_found"})),
    }
}

fn metadata(state: &Grants) -> Value {
    let at = |path: &str| format!("{}{path}", state.issuer);
    let mut metadata = json!({
        "issuer": state.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    });
    if let Some(metadata) = metadata.as_object_mut().filter(|_| state.registers) {
        metadata.insert("registration_endpoint".to_owned(), json!(at("/register")));
    }
    metadata
}

fn register(state: &mut Grants, body: &[u8]) -> Reply {
    let asked: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(redirect) = asked.pointer("/redirect_uris/0").and_then(Value::as_str) else {
        return refused("invalid_redirect_uri");
    };
    let id = state.name("client");
    state.clients.insert(id.clone(), redirect.to_owned());
    let client = json!({"client_id": id, "redirect_uris": [redirect], "token_endpoint_auth_method": "none"});
    Reply::json(201, &client)
}

/// Sends the browser back at once: this user always agrees.
fn authorize(state: &mut Grants, asked: &BTreeMap<String, String>) -> Reply {
    let value = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let (client, redirect) = (value("client_id"), value("redirect_uri"));
    let resource = format!("{}/mcp", state.issuer);
    if state.clients.get(&client) != Some(&redirect) {
        return refused("unknown client or redirect");
    }
    let right = value("response_type") == "code"
        && value("code_challenge_method") == "S256"
        && value("resource") == resource
        && !value("state").is_empty();
    if !right {
        return refused("invalid_request");
    }
    let code = state.secret("code");
    let (challenge, scope) = (value("code_challenge"), value("scope"));
    let to = format!("{redirect}?code={code}&state={}&iss={}", value("state"), state.issuer);
    state.codes.insert(code, Code { client, redirect, challenge, scope });
    Reply::whole(302, "text/plain", "").header("location", &to)
}

fn token(state: &mut Grants, asked: &BTreeMap<String, String>) -> Reply {
    let value = |name: &str| asked.get(name).cloned().unwrap_or_default();
    if value("resource") != format!("{}/mcp", state.issuer) {
        return refused("invalid_target");
    }
    let scope = match value("grant_type").as_str() {
        "authorization_code" => {
            let verifier = value("code_verifier");
            state.secrets.push(verifier.clone());
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
            match state.codes.remove(&value("code")) {
                Some(code)
                    if code.challenge == challenge
                        && code.client == value("client_id")
                        && code.redirect == value("redirect_uri") =>
                {
                    code.scope
                }
                _ => return refused("invalid_grant"),
            }
        }
        // A refresh token is used once.
        "refresh_token" if state.refresh.remove(&value("refresh_token")) => value("scope"),
        "refresh_token" => return refused("invalid_grant"),
        _ => return refused("unsupported_grant_type"),
    };
    let (access, refresh) = (state.secret("access"), state.secret("refresh"));
    state.access.insert(access.clone());
    state.refresh.insert(refresh.clone());
    let tokens = json!({
        "access_token": access, "token_type": "Bearer", "expires_in": state.life, "refresh_token": refresh, "scope": scope,
    });
    Reply::json(200, &tokens).header("cache-control", "no-store")
}

fn refused(error: &str) -> Reply {
    Reply::json(400, &json!({"error": error}))
}

/// The fields of a query or a form.
fn fields(text: &str) -> BTreeMap<String, String> {
    text.split('&')
        .filter_map(|field| field.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next(), rest.next()].map(Option::unwrap_or_default);
                let digits = String::from_utf8_lossy(&digits).into_owned();
                u8::from_str_radix(&digits, 16).unwrap_or(b'?')
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
