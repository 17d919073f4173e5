//! Getting one page, hop by hop.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Once};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, Url, redirect};
use throughline_text::error_chain;

use crate::{FetchPolicy, HostLookup, place, proxy};

/// Most redirects of one page.
const MOST_HOPS: usize = 5;

/// What came.
#[derive(Debug)]
pub(crate) enum Answer {
    Page(Page),
    /// The page is at another host, which is not visited unasked: leave was given for this one.
    Moved(Url),
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) status: u16,
    /// As the server says, in lower case; empty when it does not.
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
    /// Whether there is more than was taken.
    pub(crate) cut: bool,
}

/// Gets the page.
///
/// # Errors
/// Why it cannot be had, for the model.
pub(crate) async fn visit(
    start: Url,
    policy: &FetchPolicy,
    lookup: &dyn HostLookup,
) -> Result<Answer, String> {
    let mut url = start;
    for _ in 0..=MOST_HOPS {
        let addresses = place::addresses(&url, policy, lookup).await?;
        let response = ask(&url, addresses).await?;
        let Some(next) = target(&url, &response)? else {
            return Ok(Answer::Page(page(url, response, policy.most_bytes).await?));
        };
        if !same_place(&url, &next) {
            // Refused here if it would be refused there.
            place::addresses(&next, policy, lookup).await?;
            return Ok(Answer::Moved(next));
        }
        url = next;
    }
    Err(format!("The page was redirected more than {MOST_HOPS} times. Try another address."))
}

/// Where a redirect leads. `None`: it is none.
fn target(url: &Url, response: &Response) -> Result<Option<Url>, String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(place) = response.headers().get(LOCATION) else { return Ok(None) };
    let wrong = || format!("{url} redirects to something that is no address. Try another address.");
    let text = place.to_str().map_err(|_| wrong())?;
    url.join(text).map(Some).map_err(|_| wrong())
}

/// Whether the redirect stays at the host that was asked for, and does not give up what keeps others from reading.
fn same_place(from: &Url, to: &Url) -> bool {
    let name = |url: &Url| url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned());
    name(from) == name(to) && from.port() == to.port() && !(from.scheme() == "https" && to.scheme() == "http")
}

async fn ask(url: &Url, addresses: Vec<IpAddr>) -> Result<Response, String> {
    let failed = |error: reqwest::Error| {
        let host = url.host_str().unwrap_or_default();
        format!(
            "{host} cannot be reached: {}.{} Try later, or another address.",
            error_chain(&error.without_url()),
            proxy::not_used()
        )
    };
    let client = client(url, addresses).map_err(failed)?;
    let accept = "text/html, text/plain, text/*, application/json, application/xml, */*;q=0.1";
    client.get(url.clone()).header(ACCEPT, accept).send().await.map_err(failed)
}

/// A client that connects to these addresses and to no other, whatever name it is given.
fn client(url: &Url, addresses: Vec<IpAddr>) -> reqwest::Result<Client> {
    static PROVIDER: Once = Once::new();
    // An error means that the program has chosen a provider already, which is fine.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let builder = Client::builder()
        // A proxy would look the name up again, and find what it likes.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .dns_resolver(Arc::new(Pinned(addresses)))
        .user_agent(concat!("throughline/", env!("CARGO_PKG_VERSION")));
    // Reading the system's roots costs time, and without TLS nobody needs them.
    match url.scheme() {
        "http" => builder.tls_certs_only([]).build(),
        _ => builder.build(),
    }
}

#[derive(Debug)]
struct Pinned(Vec<IpAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _name: Name) -> Resolving {
        let addresses: Vec<SocketAddr> = self.0.iter().map(|address| SocketAddr::new(*address, 0)).collect();
        Box::pin(std::future::ready(Ok(Box::new(addresses.into_iter()) as Addrs)))
    }
}

async fn page(url: Url, mut response: Response, most: usize) -> Result<Page, String> {
    let status = response.status().as_u16();
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    let mut body = Vec::new();
    let mut cut = false;
    while let Some(part) = response
        .chunk()
        .await
        .map_err(|error| format!("{url} broke off: {}. Try again.", error_chain(&error.without_url())))?
    {
        let room = most.saturating_sub(body.len()).min(part.len());
        body.extend_from_slice(part.get(..room).unwrap_or_default());
        cut = room < part.len();
        if cut {
            break;
        }
    }
    Ok(Page { url, status, content_type, body, cut })
}
