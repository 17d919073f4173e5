//! Who may ask: a program that reaches the server by its address and knows a token, and no web page of another site.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use throughline_text::bearer_token;
use url::form_urlencoded;

use crate::access::Access;
use crate::answer::Failure;
use crate::browser::wants_page;
use crate::caller::Caller;
use crate::limits::Limits;
use crate::pages::refused_page;
use crate::params::{TOKEN, pairs};
use crate::reach::PublicUrl;
use crate::streams::{Place, Unsent, watched};

/// The ports of HTTP and HTTPS, which addresses leave out.
const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;

/// What pages may load: their own style and script, and nothing of another place.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
                       base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Where a browser says which site a request comes from.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a request must show.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The name of the cookie with the token. Ports of one host share their cookies, so the port is in it; servers of one public
    /// address share theirs.
    cookie: String,
    /// The hosts that this server is reached by on its machine, in lower case.
    hosts: Vec<String>,
    /// The address that others reach it by.
    public: Option<PublicUrl>,
    /// The scheme that the server itself speaks.
    scheme: &'static str,
    access: Arc<Access>,
    limits: Limits,
}

/// The secrets that a request shows, and where.
enum Shown {
    /// In its address and its headers.
    Token(Vec<String>),
    /// In cookies alone.
    Cookie(Vec<String>),
    Nothing,
}

impl Guard {
    /// A guard of a server that listens here, which speaks TLS or does not.
    pub(crate) fn new(
        address: SocketAddr,
        public: Option<PublicUrl>,
        is_tls: bool,
        access: Access,
        limits: Limits,
    ) -> Self {
        let port = address.port();
        let mut names = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned).to_vec();
        // Another address of the loopback interface that it listens on.
        if let IpAddr::V4(ip) = address.ip()
            && ip.is_loopback()
        {
            names.push(ip.to_string());
        }
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == if is_tls { HTTPS_PORT } else { HTTP_PORT } {
            hosts.extend(names);
        }
        let scheme = if is_tls { "https" } else { "http" };
        let cookie = public.as_ref().map_or_else(|| format!("throughline-{port}"), cookie_of);
        Self { cookie, hosts, public, scheme, access: Arc::new(access), limits }
    }

    /// Checks host, origin and token, and returns whose it is.
    async fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Caller, Failure> {
        self.check_place(uri, headers)?;
        match self.shown(uri, headers) {
            Shown::Token(secrets) => self.caller(&secrets).await,
            Shown::Cookie(secrets) => {
                let caller = self.caller(&secrets).await?;
                check_page(method, headers)?;
                Ok(caller)
            }
            Shown::Nothing => Err(unauthorized()),
        }
    }

    /// Whose secrets these are. Those of one request must be the same one's.
    async fn caller(&self, secrets: &[String]) -> Result<Caller, Failure> {
        let mut known: Option<Caller> = None;
        for secret in secrets {
            let caller = self.access.caller(secret).await?.ok_or_else(unauthorized)?;
            if known.as_ref().is_some_and(|known| !known.is(&caller)) {
                return Err(unauthorized());
            }
            known = Some(caller);
        }
        known.ok_or_else(unauthorized)
    }

    /// Checks host and origin.
    fn check_place(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
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
        Ok(())
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
        is_public || self.is_local(host) && origin.eq_ignore_ascii_case(&format!("{}://{host}", self.scheme))
    }

    /// The secrets of a request. One that is sent in both places must be right in both; then cookies do not count.
    fn shown(&self, uri: &Uri, headers: &HeaderMap) -> Shown {
        let mut given: Vec<String> =
            pairs(uri).filter(|(name, _)| name == TOKEN).map(|(_, value)| value).collect();
        if headers.contains_key(AUTHORIZATION) {
            let bearer = only(headers, &AUTHORIZATION).and_then(bearer_token);
            given.push(bearer.unwrap_or_default().to_owned());
        }
        if !given.is_empty() {
            return Shown::Token(given);
        }
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let own = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let own = own.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value.to_owned());
        match own.collect::<Vec<_>>() {
            none if none.is_empty() => Shown::Nothing,
            own => Shown::Cookie(own),
        }
    }

    /// The answer to the first request of a browser: it gets the cookie, and the address without the token.
    fn entered(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let path = uri.path();
        let shown = pairs(uri).find(|(name, _)| name == TOKEN).map(|(_, value)| value);
        let secret = shown.filter(|_| !path.starts_with("/api"))?;
        // An address that begins with two slashes leads to another host. A browser reads `\` as a slash.
        let path = if path.get(1..).is_some_and(|rest| rest.starts_with(['/', '\\'])) { "/" } else { path };
        let mut rest = form_urlencoded::Serializer::new(String::new());
        rest.extend_pairs(pairs(uri).filter(|(name, _)| name != TOKEN));
        let address = match rest.finish() {
            rest if rest.is_empty() => path.to_owned(),
            rest => format!("{path}?{rest}"),
        };
        let encrypted = self.public.as_ref().is_some_and(PublicUrl::is_encrypted);
        let by_public = only(headers, &HOST).is_some_and(|host| self.is_public(host));
        let secure = if encrypted && by_public || self.scheme == "https" { "; Secure" } else { "" };
        let cookie = format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict{secure}", self.cookie);
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().insert(LOCATION, HeaderValue::try_from(address).ok()?);
        response.headers_mut().insert(SET_COOKIE, HeaderValue::try_from(cookie).ok()?);
        Some(response)
    }
}

/// The name of the cookie of all servers that a public address leads to.
fn cookie_of(public: &PublicUrl) -> String {
    let public = public.to_string();
    let place = public.split_once("://").map_or(public.as_str(), |(_, place)| place);
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    format!("throughline-{}", place.to_ascii_lowercase().chars().map(letter).collect::<String>())
}

fn forbidden(why: &str) -> Result<(), Failure> {
    Err(Failure::new(StatusCode::FORBIDDEN, why))
}

fn unauthorized() -> Failure {
    let why = "the token is missing or wrong, revoked or expired: send the header `Authorization: Bearer TOKEN` or `?token=TOKEN`; that \
               of the server is in the address that it printed at its start, and in the file server-token of the data folder";
    Failure::new(StatusCode::UNAUTHORIZED, why)
}

/// Checks that a page of this server sends a request with the cookie: a browser sends it by itself, also for a page of another
/// port of this machine.
fn check_page(method: &Method, headers: &HeaderMap) -> Result<(), Failure> {
    let own = only(headers, &SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
    if !own || headers.get_all(SITE).iter().count() > 1 {
        return forbidden("requests of pages from other origins are refused");
    }
    if !method.is_safe() && !headers.contains_key(ORIGIN) {
        return forbidden("a change with the cookie needs the header `Origin`");
    }
    Ok(())
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
    let is_browser = wants_page(request.uri(), request.headers());
    let answered = answered(&guard, request, next).await;
    let mut response = answered.unwrap_or_else(|failure| match is_browser {
        true => refused_page(&failure),
        false => failure.into_response(),
    });
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

/// The answer to a request of a known user who has not asked too much.
async fn answered(guard: &Guard, mut request: Request, next: Next) -> Result<Response, Failure> {
    let caller = guard.check(request.method(), request.uri(), request.headers()).await?;
    let place: Place = Arc::new(guard.limits.take(&caller.user, Instant::now())?);
    if *request.method() == Method::GET
        && let Some(entered) = guard.entered(request.uri(), request.headers())
    {
        return Ok(entered);
    }
    let unsent = request.extensions().get::<Unsent>().cloned().unwrap_or_default();
    request.extensions_mut().insert(caller.clone());
    request.extensions_mut().insert(Arc::clone(&place));
    let response = next.run(request).await;
    Ok(watched(response, Arc::clone(&guard.access), caller, place, unsent))
}
