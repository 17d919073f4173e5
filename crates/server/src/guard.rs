//! Who may ask: a program that reaches the server by its address and knows the token, and no web page of another site.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use throughline_config::AccessToken;
use url::form_urlencoded;

use crate::answer::Failure;
use crate::params::{TOKEN, pairs};
use crate::reach::PublicUrl;

/// The port of HTTP, which addresses leave out.
const HTTP_PORT: u16 = 80;

/// What pages may load: their own style and script, and nothing of another place.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
                       base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Where a browser says which site a request comes from.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a request must show.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The name of the cookie with the token. Ports of one host share their cookies, so the port is in it.
    cookie: String,
    /// The hosts that this server is reached by on its machine, in lower case.
    hosts: Vec<String>,
    /// The address that others reach it by.
    public: Option<PublicUrl>,
    token: AccessToken,
}

impl Guard {
    pub(crate) fn new(port: u16, public: Option<PublicUrl>, token: AccessToken) -> Self {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == HTTP_PORT {
            hosts.extend(names.map(str::to_owned));
        }
        Self { cookie: format!("throughline-{port}"), hosts, public, token }
    }

    /// Checks host, origin and token.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let forbidden = |why: &str| Err(Failure::new(StatusCode::FORBIDDEN, why));
        // A page of another site can name this machine by a host of its own.
        let host = only(headers, &HOST).filter(|host| self.is_own(host));
        let named = uri.authority().is_none_or(|named| self.is_own(named.as_str()));
        let Some(host) = host.filter(|_| named) else {
            return forbidden(
                "the header `Host` must be the address and port that the server printed at its start, or that of `--public-url`",
            );
        };
        if headers.contains_key(ORIGIN)
            && !only(headers, &ORIGIN).is_some_and(|origin| self.is_own_origin(origin, host))
        {
            return forbidden("requests of pages from other origins are refused");
        }
        if self.knows(uri, headers) {
            return Ok(());
        }
        if self.shows_cookie(uri, headers) {
            // A browser sends the cookie by itself, also for a page of another port of this machine.
            let own = only(headers, &SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
            if !own || headers.get_all(SITE).iter().count() > 1 {
                return forbidden("requests of pages from other origins are refused");
            }
            if !method.is_safe() && !headers.contains_key(ORIGIN) {
                return forbidden("a change with the cookie needs the header `Origin`");
            }
            return Ok(());
        }
        let why = "the token is missing or wrong: send the header `Authorization: Bearer TOKEN` or `?token=TOKEN`; it is in \
                   the address that the server printed at its start, and in the file server-token of the data folder";
        Err(Failure::new(StatusCode::UNAUTHORIZED, why))
    }

    fn is_own(&self, host: &str) -> bool {
        self.is_local(host) || self.is_public(host)
    }

    fn is_local(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    fn is_public(&self, host: &str) -> bool {
        self.public.as_ref().is_some_and(|public| public.is_at(host))
    }

    /// Returns true if a page of this server sends the request. A proxy may name this machine as the host, and leaves the origin
    /// as the browser wrote it.
    fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        let is_public =
            self.public.as_ref().is_some_and(|public| origin.eq_ignore_ascii_case(&public.to_string()));
        is_public || self.is_local(host) && origin.eq_ignore_ascii_case(&format!("http://{host}"))
    }

    /// Returns true if the request has the token. One that is sent in both places must be right in both.
    fn knows(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut given: Vec<String> =
            pairs(uri).filter(|(name, _)| name == TOKEN).map(|(_, value)| value).collect();
        if headers.contains_key(AUTHORIZATION) {
            let bearer = only(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
            given.push(bearer.unwrap_or_default().to_owned());
        }
        !given.is_empty() && given.iter().all(|given| self.token.is(given))
    }

    /// Returns true if the request shows the token by the cookie alone.
    fn shows_cookie(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        if headers.contains_key(AUTHORIZATION) || pairs(uri).any(|(name, _)| name == TOKEN) {
            return false;
        }
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let own = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut own = own.filter(|(name, _)| *name == self.cookie).peekable();
        own.peek().is_some() && own.all(|(_, value)| self.token.is(value))
    }

    /// The answer to the first request of a browser: it gets the cookie, and the address without the token.
    fn entered(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let path = uri.path();
        if path.starts_with("/api") || !pairs(uri).any(|(name, _)| name == TOKEN) {
            return None;
        }
        // An address that begins with two slashes leads to another host.
        let path = if path.starts_with("//") { "/" } else { path };
        let mut rest = form_urlencoded::Serializer::new(String::new());
        rest.extend_pairs(pairs(uri).filter(|(name, _)| name != TOKEN));
        let address = match rest.finish() {
            rest if rest.is_empty() => path.to_owned(),
            rest => format!("{path}?{rest}"),
        };
        let encrypted = self.public.as_ref().is_some_and(PublicUrl::is_encrypted);
        let by_public = only(headers, &HOST).is_some_and(|host| self.is_public(host));
        let secure = if encrypted && by_public { "; Secure" } else { "" };
        let cookie =
            format!("{}={}; Path=/; HttpOnly; SameSite=Strict{secure}", self.cookie, self.token.reveal());
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().insert(LOCATION, HeaderValue::try_from(address).ok()?);
        response.headers_mut().insert(SET_COOKIE, HeaderValue::try_from(cookie).ok()?);
        Some(response)
    }
}

/// The value of a header that is there once, as text.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Answers a request that passes the checks. No answer is cached, and no other site gets the address with the token.
pub(crate) async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let entered = |request: &Request| {
        (*request.method() == Method::GET).then(|| guard.entered(request.uri(), request.headers())).flatten()
    };
    let mut response = match guard.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => match entered(&request) {
            Some(response) => response,
            None => next.run(request).await,
        },
        Err(failure) => failure.into_response(),
    };
    let unauthorized = response.status() == StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    if unauthorized {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
