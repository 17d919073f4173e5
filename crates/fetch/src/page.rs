//! Fetches a page and follows its redirects.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Once};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Client, Response, Url, redirect};
use throughline_text::error_chain;

use crate::host_lookup::HostLookup;
use crate::policy::FetchPolicy;
use crate::{proxy, target};

/// Maximum number of redirects of one page.
const MAX_REDIRECTS: usize = 5;

/// The result of a fetch.
#[derive(Debug)]
pub(crate) enum Fetched {
    Page(Page),
    /// The page redirects to another host, which needs its own permission.
    Moved(Url),
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) status: u16,
    /// In lower case; empty if the server sent none.
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
    /// The body exceeded the limit.
    pub(crate) truncated: bool,
}

/// Fetches a page.
///
/// # Errors
/// Why it cannot be fetched, for the model.
pub(crate) async fn fetch(
    start: Url,
    policy: &FetchPolicy,
    lookup: &dyn HostLookup,
) -> Result<Fetched, String> {
    let mut url = start;
    for _ in 0..=MAX_REDIRECTS {
        let addresses = target::addresses(&url, policy, lookup).await?;
        let response = request(&url, addresses).await?;
        let Some(next) = redirect_target(&url, &response)? else {
            return Ok(Fetched::Page(read_page(url, response, policy.most_bytes).await?));
        };
        if !same_host(&url, &next) {
            // A host that would be refused is refused now.
            target::addresses(&next, policy, lookup).await?;
            return Ok(Fetched::Moved(next));
        }
        url = next;
    }
    Err(format!("The page was redirected more than {MAX_REDIRECTS} times. Try another address."))
}

/// Sends a JSON text to an address and returns what comes back. A redirect is not followed.
///
/// # Errors
/// Why it cannot be sent, in a sentence.
pub(crate) async fn post(
    url: Url,
    headers: HeaderMap,
    body: String,
    policy: &FetchPolicy,
    lookup: &dyn HostLookup,
) -> Result<Page, String> {
    let addresses = target::addresses(&url, policy, lookup).await?;
    let failed = |error: reqwest::Error| unreachable(&url, error);
    let request = client(&url, addresses).map_err(failed)?.post(url.clone()).headers(headers);
    let request = request.header(CONTENT_TYPE, "application/json").body(body);
    let response = request.send().await.map_err(failed)?;
    read_page(url, response, policy.most_bytes).await
}

fn unreachable(url: &Url, error: reqwest::Error) -> String {
    let host = url.host_str().unwrap_or_default();
    format!("{host} cannot be reached: {}.{}", error_chain(&error.without_url()), proxy::not_used())
}

/// The target of a redirect; `None` if the response is not a redirect.
fn redirect_target(url: &Url, response: &Response) -> Result<Option<Url>, String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else { return Ok(None) };
    let wrong = || format!("{url} redirects to something that is no address. Try another address.");
    let text = location.to_str().map_err(|_| wrong())?;
    url.join(text).map(Some).map_err(|_| wrong())
}

/// Returns true if the redirect stays on the host, with or without `www.`, and does not downgrade to plain HTTP.
fn same_host(from: &Url, to: &Url) -> bool {
    let name = |url: &Url| url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned());
    name(from) == name(to) && from.port() == to.port() && !(from.scheme() == "https" && to.scheme() == "http")
}

async fn request(url: &Url, addresses: Vec<IpAddr>) -> Result<Response, String> {
    let failed =
        |error: reqwest::Error| format!("{} Try later, or another address.", unreachable(url, error));
    let client = client(url, addresses).map_err(failed)?;
    let accept = "text/html, text/plain, text/*, application/json, application/xml, */*;q=0.1";
    client.get(url.clone()).header(ACCEPT, accept).send().await.map_err(failed)
}

/// A client that connects to these addresses only, whatever the host name.
fn client(url: &Url, addresses: Vec<IpAddr>) -> reqwest::Result<Client> {
    static PROVIDER: Once = Once::new();
    // An error means that a provider is already installed.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let builder = Client::builder()
        // A proxy would resolve the name again, possibly to another address.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .dns_resolver(Arc::new(PinnedAddresses(addresses)))
        .user_agent(concat!("throughline/", env!("CARGO_PKG_VERSION")));
    // Loading the root certificates takes time, and only TLS needs them.
    match url.scheme() {
        "http" => builder.tls_certs_only([]).build(),
        _ => builder.build(),
    }
}

#[derive(Debug)]
struct PinnedAddresses(Vec<IpAddr>);

impl Resolve for PinnedAddresses {
    fn resolve(&self, _name: Name) -> Resolving {
        let addresses: Vec<SocketAddr> = self.0.iter().map(|address| SocketAddr::new(*address, 0)).collect();
        Box::pin(std::future::ready(Ok(Box::new(addresses.into_iter()) as Addrs)))
    }
}

async fn read_page(url: Url, mut response: Response, most: usize) -> Result<Page, String> {
    let status = response.status().as_u16();
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    let mut body = Vec::new();
    let mut truncated = false;
    while let Some(part) = response
        .chunk()
        .await
        .map_err(|error| format!("{url} broke off: {}. Try again.", error_chain(&error.without_url())))?
    {
        let room = most.saturating_sub(body.len()).min(part.len());
        body.extend_from_slice(part.get(..room).unwrap_or_default());
        truncated = room < part.len();
        if truncated {
            break;
        }
    }
    Ok(Page { url, status, content_type, body, truncated })
}
